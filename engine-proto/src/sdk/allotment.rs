//! How much of its time an engine spends on one move.

use std::time::Duration;

use crate::Side;
use crate::proto::Limits;

/// The time for one move, from its `go` on; `None` is without bound.
///
/// With `movetime`, all of it may be used. With a clock that has `time` left, gains `inc` after the move, and has `n`
/// moves to go (`movestogo`; 30 if not said, 50 at the most):
///
/// ```text
/// usable = max(time - overhead, time / 4)
/// share  = usable / n + inc * 3/4
/// hard   = min(share * 3, usable * 3/4)        the last move before more time comes: usable
/// soft   = min(share * 3/5, hard)
/// ```
///
/// The increment comes after the move, so no move is ever given more than the clock holds now. A clock of 1 ms still gives
/// a quarter of one. Where both limits are given, each bound is the smaller of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allotment {
    /// Begin no new iteration after this.
    pub soft: Option<Duration>,
    /// Stop after this.
    pub hard: Option<Duration>,
}

/// Moves that a game is expected to last from wherever it is: each move gets this part of the clock.
const MOVES_AHEAD: u32 = 30;

/// However many moves are to go, a move gets at least this part of the clock.
const MOST_MOVES_TO_GO: u32 = 50;

impl Allotment {
    /// The time for a move of `side`. `overhead` is what goes by between the engine's clock and the arena's.
    pub fn new(limits: &Limits, side: Side, overhead: Duration) -> Self {
        let for_move = limits.move_time.map(|time| usable(time, overhead));
        let of_clock = limits.time_of(side).map(|time| {
            share_of_clock(usable(time, overhead), limits.increment_of(side), limits.moves_to_go)
        });
        Self {
            soft: earlier(for_move, of_clock.map(|(soft, _)| soft)),
            hard: earlier(for_move, of_clock.map(|(_, hard)| hard)),
        }
    }
}

fn usable(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 4)
}

/// The soft and the hard bound.
fn share_of_clock(usable: Duration, increment: Duration, moves_to_go: Option<u32>) -> (Duration, Duration) {
    let moves = moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOST_MOVES_TO_GO);
    let share = (usable / moves).saturating_add(increment / 4 * 3);
    let ceiling = if moves == 1 { usable } else { usable / 4 * 3 };
    let hard = share.saturating_mul(3).min(ceiling);
    (hard.min(share / 5 * 3), hard)
}

fn earlier(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        _ => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(5);

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(time: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let increment = [Duration::ZERO, ms(increment)];
        Limits { time: [None, Some(ms(time))], increment, moves_to_go, ..Limits::default() }
    }

    fn allot(limits: &Limits) -> Allotment {
        Allotment::new(limits, Side::Black, OVERHEAD)
    }

    #[test]
    fn without_time_there_is_no_bound() {
        let limits = Limits { depth: Some(3), time: [Some(ms(100)), None], ..Limits::default() };
        assert_eq!(allot(&limits), Allotment { soft: None, hard: None });
    }

    #[test]
    fn move_time_is_used_up() {
        let limits = Limits { move_time: Some(ms(100)), ..Limits::default() };
        assert_eq!(allot(&limits), Allotment { soft: Some(ms(95)), hard: Some(ms(95)) });
        let both = Limits { move_time: Some(ms(100)), ..clock(60_005, 0, None) };
        assert_eq!(allot(&both), Allotment { soft: Some(ms(95)), hard: Some(ms(95)) });
        let both = Limits { move_time: Some(ms(60_000)), ..clock(3005, 0, None) };
        assert_eq!(allot(&both), Allotment { soft: Some(ms(60)), hard: Some(ms(300)) });
    }

    #[test]
    fn a_clock_is_shared_out() {
        let soft_and_hard = |limits| {
            let allotment = allot(&limits);
            (allotment.soft.unwrap(), allotment.hard.unwrap())
        };
        assert_eq!(soft_and_hard(clock(60_005, 0, None)), (ms(1200), ms(6000)));
        assert_eq!(soft_and_hard(clock(30_005, 400, None)), (ms(780), ms(3900)));
        assert_eq!(soft_and_hard(clock(10_005, 0, Some(10))), (ms(600), ms(3000)));
        assert_eq!(soft_and_hard(clock(10_005, 0, Some(1))), (ms(6000), ms(10_000)));
        assert_eq!(soft_and_hard(clock(10_005, 0, Some(0))), (ms(6000), ms(10_000)));
        assert_eq!(soft_and_hard(clock(50_005, 0, Some(u32::MAX))), (ms(600), ms(3000)));
    }

    #[test]
    fn no_move_outlasts_its_clock() {
        for time in (0..40).chain([100, 1000, 60_000, 10_000_000, u64::MAX]) {
            for increment in [0, 1, 100, 100_000, u64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let allotment = allot(&clock(time, increment, moves_to_go));
                    let (soft, hard) = (allotment.soft.unwrap(), allotment.hard.unwrap());
                    assert!(soft <= hard, "{time} {increment} {moves_to_go:?}");
                    assert!(hard <= ms(time).saturating_sub(OVERHEAD).max(ms(time) / 4));
                    assert!(time == 0 || !hard.is_zero(), "{time} {increment} {moves_to_go:?}");
                }
            }
        }
    }
}
