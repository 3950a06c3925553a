//! Adjudication: ends a match when the engines agree on the result. It is a pure function of the scores that the
//! engines report and does not look at the position, so it is off by default.

use engine_proto::proto::Score;
use engine_proto::{AnyPlay, Side};

use crate::{Adjudication, DrawRule, WinRule};

/// The result of an adjudication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudicated {
    /// A draw.
    Draw,
    /// A win of this side.
    Win(Side),
}

/// Follows the scores of one match.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    n_plies: u32,
    /// For each side.
    streaks: [Streaks; 2],
}

/// The number of consecutive moves, including the last one, with which the engine reported this.
#[derive(Clone, Copy, Debug, Default)]
struct Streaks {
    even: u32,
    winning: u32,
    losing: u32,
}

impl Adjudicator {
    /// For a match that starts.
    pub const fn new(rules: Adjudication) -> Self {
        const NONE: Streaks = Streaks { even: 0, winning: 0, losing: 0 };
        Self { rules, n_plies: 0, streaks: [NONE; 2] }
    }

    /// Looks whether the last move, which is heard next, was progress by the rules of the game, if that matters.
    pub fn look_at(&mut self, play: &dyn AnyPlay) {
        let asks = matches!(self.rules.draw, Some(DrawRule { without_progress: true, .. }));
        // The second last field of a FEN counts the moves since then.
        if asks && play.fen().rsplit(' ').nth(1) == Some("0") {
            self.streaks.iter_mut().for_each(|streaks| streaks.even = 0);
        }
    }

    /// Adds the score that `side` reported with its move, from its own view. A move without a score ends its streaks.
    pub fn hear(&mut self, side: Side, score: Option<Score>) -> Option<Adjudicated> {
        self.n_plies += 1;
        let Adjudication { draw, win } = self.rules;
        let streaks = &mut self.streaks[side.index()];
        let value = score.map(value);
        let lengthen = |streak: &mut u32, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        if let Some(DrawRule { score, .. }) = draw {
            lengthen(&mut streaks.even, value.is_some_and(|value| value.unsigned_abs() <= u64::from(score)));
        }
        if let Some(WinRule { score, .. }) = win {
            lengthen(&mut streaks.winning, value.is_some_and(|value| i64::from(score) <= value));
            lengthen(&mut streaks.losing, value.is_some_and(|value| value <= -i64::from(score)));
        }
        self.verdict()
    }

    fn verdict(&self) -> Option<Adjudicated> {
        let of = |side: Side| self.streaks[side.index()];
        if let Some(WinRule { moves, one_sided, .. }) = self.rules.win {
            let wins = |side: Side| (one_sided || moves <= of(side).winning) && moves <= of(!side).losing;
            if let Some(winner) = Side::ALL.into_iter().find(|side| wins(*side)) {
                return Some(Adjudicated::Win(winner));
            }
        }
        let DrawRule { moves, after_plies, .. } = self.rules.draw?;
        let is_even = after_plies <= self.n_plies && Side::ALL.into_iter().all(|side| moves <= of(side).even);
        is_even.then_some(Adjudicated::Draw)
    }
}

/// The score as a number. A forced win or loss is larger than any other score.
fn value(score: Score) -> i64 {
    match score {
        Score::Centi(centi) => i64::from(centi),
        Score::Win(_) => i64::MAX,
        Score::Loss(_) => -i64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Adjudication = Adjudication {
        draw: Some(DrawRule { score: 10, moves: 2, after_plies: 6, without_progress: false }),
        win: Some(WinRule { score: 500, moves: 2, one_sided: false }),
    };

    /// Plays moves such as `w+7`, `b-600`, `w#` (a forced win), `b!` (a forced loss), `w?` (no score). Returns the
    /// verdict and the ply at which it was reached.
    fn verdict(rules: Adjudication, moves: &str) -> Option<(Adjudicated, usize)> {
        let mut adjudicator = Adjudicator::new(rules);
        moves.split_whitespace().enumerate().find_map(|(idx, mv)| {
            let (side, score) = mv.split_at(1);
            let side = if side == "w" { Side::White } else { Side::Black };
            let score = match score {
                "?" => None,
                "#" => Some(Score::Win(3)),
                "!" => Some(Score::Loss(2)),
                centi => Some(Score::Centi(centi.parse().unwrap())),
            };
            adjudicator.hear(side, score).map(|verdict| (verdict, idx + 1))
        })
    }

    #[test]
    fn what_both_engines_say_is_so() {
        let white = Adjudicated::Win(Side::White);
        let black = Adjudicated::Win(Side::Black);
        let cases = [
            ("w+500 b-500 w+501 b-9000", Some((white, 4))),
            ("w-500 b+500 w-600 b+600", Some((black, 4))),
            // A forced end counts as infinite.
            ("w# b! w# b!", Some((white, 4))),
            ("w! b+800 w-800 b#", Some((black, 4))),
            // One engine disagrees, or not for long enough, or not on consecutive moves.
            ("w+900 b-499 w+900 b-499 w+900 b-499", None),
            ("w+900 b+900 w+900 b+900 w+900 b+900", None),
            ("w+900 b-900 w+900", None),
            ("w+900 b-900 w+900 b? w+900", None),
            ("w+900 b-900 w+0 b-900 w+900 b-900", None),
            ("w+900 b-900 w+0 b-900 w+900 b-900 w+900", Some((white, 7))),
            // Sides need not alternate: the moves of each side are counted.
            ("w+900 w+900 w+900 b-900 b-900", Some((white, 5))),
            // Not before the sixth ply.
            ("w+10 b-10 w0 b0 w+1 b+1", Some((Adjudicated::Draw, 6))),
            ("w+10 b-10 w0 b0 w+11 b+1 w0 b0 w0", Some((Adjudicated::Draw, 9))),
            ("w+10 b-10 w0 b0 w0 b-11 w0 b? w0 b0", None),
            ("b0 b0 b0 b0 b0 b0 b0", None),
            ("w# b# w# b# w# b# w# b#", None),
        ];
        for (moves, expected) in cases {
            assert_eq!(verdict(RULES, moves), expected, "{moves}");
        }
    }

    /// As `-resign` of fastchess without `twosided`.
    #[test]
    fn the_loser_alone_can_say_that_it_loses() {
        let rules = Adjudication { draw: None, win: Some(WinRule { score: 500, moves: 2, one_sided: true }) };
        let white = Some(Adjudicated::Win(Side::White));
        assert_eq!(verdict(rules, "w+0 b-500 w? b!"), white.map(|white| (white, 4)));
        assert_eq!(verdict(rules, "w+900 b-499 w+900 b-500 w+900"), None);
    }

    /// As `-draw` of fastchess.
    #[test]
    fn progress_ends_a_row_of_even_scores() {
        let draw = DrawRule { score: 10, moves: 2, after_plies: 0, without_progress: true };
        let mut adjudicator = Adjudicator::new(Adjudication { draw: Some(draw), win: None });
        let mut verdicts = Vec::new();
        for (ply, side) in [Side::White, Side::Black].into_iter().cycle().take(7).enumerate() {
            let fen =
                if ply == 2 { "4k3/8/8/8/8/8/P7/4K3 w - - 0 9" } else { "4k3/8/8/8/8/8/P7/4K3 w - - 1 9" };
            let play = engine_proto::Games::built_in().play(engine_proto::GameId::CHESS, fen);
            adjudicator.look_at(play.unwrap().as_ref());
            verdicts.push(adjudicator.hear(side, Some(Score::Centi(0))).is_some());
        }
        assert_eq!(verdicts, [false, false, false, false, false, true, true]);
    }

    #[test]
    fn a_rule_that_is_off_says_nothing() {
        let even = "w0 b0 w0 b0 w0 b0 w0 b0";
        let won = "w# b! w# b! w# b!";
        assert_eq!(verdict(Adjudication::default(), even), None);
        assert_eq!(verdict(Adjudication::default(), won), None);
        assert_eq!(verdict(Adjudication { draw: None, ..RULES }, even), None);
        assert_eq!(verdict(Adjudication { win: None, ..RULES }, won), None);
        // A draw with scores of exactly zero.
        let draw = DrawRule { score: 0, moves: 1, after_plies: 0, without_progress: false };
        let strict = Adjudication { draw: Some(draw), win: None };
        assert_eq!(verdict(strict, "w0 b1 w0 b0"), Some((Adjudicated::Draw, 4)));
    }
}
