//! The time that an engine may use for one move.

use std::time::Duration;

use crate::Side;
use crate::proto::Limits;

/// The time for one move, measured from its `go`; `None` means no limit.
///
/// With `movetime`, all of it may be used. With a clock that has `time` left, gains `inc` after the move, and has `n`
/// moves until the next time control (`movestogo`; 30 by default, 50 at most):
///
/// ```text
/// usable = max(time - overhead, time / 4)
/// share  = usable / n + inc * 3/4
/// hard   = min(share * 3, usable * 3/4)        the last move before more time comes: usable
/// soft   = min(share * 3/5, hard)
/// ```
///
/// The increment is added after the move, so a move never gets more than the clock has now. A clock of 1 ms still
/// gives a quarter of it. If `movetime` and a clock are both given, each bound is the smaller of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allotment {
    /// Start no new iteration after this time.
    pub soft: Option<Duration>,
    /// Stop the search after this time.
    pub hard: Option<Duration>,
}

/// The number of further moves that a match is expected to have: each move gets this part of the clock.
const MOVES_AHEAD: u32 = 30;

/// The smallest part of the clock that a move gets, for any number of moves to go.
const MOST_MOVES_TO_GO: u32 = 50;

impl Allotment {
    /// The time for a move of `side`. `overhead` is the time between the engine's clock and the arena's, for
    /// communication.
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

/// The soft and the hard limit.
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
