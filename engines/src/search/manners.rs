//! When an engine resigns, and when it offers or accepts a draw: by the scores of its own moves.

use engine_proto::sdk::{Choice, Search};
use engine_proto::{Play, Position};

use super::score::Score;
use super::settings::Settings;

/// What the engine thought of its last moves in a match.
#[derive(Clone, Debug)]
pub struct Manners {
    resigns: bool,
    draws: bool,
    /// The evaluator's spread: with this advantage, three games of four are won.
    spread: Score,
    /// The number of last moves in a row that were hopeless, even, and not better than even.
    hopeless: u32,
    even: u32,
    not_better: u32,
}

/// A move that an engine has found.
#[derive(Clone, Debug)]
pub struct Found<M> {
    /// The move.
    pub mv: M,
    /// The line that the engine expects; the move comes first.
    pub line: Vec<M>,
    /// What the move is worth; `None` if it was not searched.
    pub score: Option<Score>,
}

/// A position is hopeless if it is worse than this number of spreads: one game in 82 is not lost then (odds of 3 to the
/// power of this number).
const HOPELESS_SPREADS: Score = 4;
/// An engine resigns with this number of hopeless moves in a row.
const HOPELESS_MOVES: u32 = 3;
/// A position is even within this part of the spread.
const EVEN_PART: Score = 20;
/// An engine offers a draw with this number of even moves in a row...
const EVEN_MOVES: u32 = 8;
/// ... and this number of plies without progress.
const QUIET_PLIES: u32 = 10;
/// An engine offers no draw before this ply of the game: even openings are played on.
const FIRST_OFFER_PLY: u32 = 40;
/// An engine accepts a draw with this number of moves in a row that were not better than even.
const NOT_BETTER_MOVES: u32 = 2;

impl Manners {
    /// For an engine at the start of a match.
    pub const fn new(settings: &Settings, spread: Score) -> Self {
        let Settings { resigns, draws, .. } = *settings;
        Self { resigns, draws, spread, hopeless: 0, even: 0, not_better: 0 }
    }

    /// The answer with the move found in `play`.
    pub fn choice<P: Position>(
        &mut self,
        play: &Play<P>,
        search: &Search,
        found: &Found<P::Move>,
    ) -> Choice<P::Move> {
        let even = self.spread / EVEN_PART;
        let lengthen = |streak: &mut u32, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        let is =
            |holds: fn(Score, Score) -> bool, limit| found.score.is_some_and(|score| holds(score, limit));
        lengthen(&mut self.hopeless, is(|score, limit| score <= limit, -HOPELESS_SPREADS * self.spread));
        lengthen(&mut self.even, is(|score, limit| score.abs() <= limit, even));
        lengthen(&mut self.not_better, is(|score, limit| score <= limit, even));
        if self.resigns && self.hopeless >= HOPELESS_MOVES {
            return Choice::Resign;
        }
        let position = play.position();
        let offers =
            self.even >= EVEN_MOVES && position.quiet() >= QUIET_PLIES && position.ply() >= FIRST_OFFER_PLY;
        let accepts = search.draw_is_offered() && self.not_better >= NOT_BETTER_MOVES;
        Choice::Move {
            mv: found.mv,
            reply: reply(play, &found.line),
            draw: self.draws && (offers || accepts),
        }
    }
}

/// The opponent's reply in this line; `None` if the line ends, or the same side moves again.
fn reply<P: Position>(play: &Play<P>, line: &[P::Move]) -> Option<P::Move> {
    let [mv, reply, ..] = *line else { return None };
    let mut next = play.position().clone();
    next.play_unchecked(mv);
    (next.side_to_move() != play.position().side_to_move()).then_some(reply)
}

#[cfg(test)]
mod tests {
    use engine_proto::games::push_push::PushPush;
    use engine_proto::proto::{Go, Limits};

    use super::*;

    const SPREAD: Score = 200;

    /// The answers to searches with these scores, in a position with these fields `quiet` and `ply`: `r` resigns, `d`
    /// has a draw, `-` is only a move.
    fn answers(settings: Settings, fields: &str, is_offered: bool, scores: &[Option<Score>]) -> String {
        let fen = format!("abcdcba/7/7/3*3/7/7/ABCDCBA w - - {fields}");
        let play = Play::<PushPush>::new(fen.parse().unwrap());
        let search = Search::with(Go { limits: Limits::default(), draw_offer: is_offered, ..Go::default() });
        let mv = search.root_moves(&play)[0];
        let mut manners = Manners::new(&settings, SPREAD);
        let answer = |&score| match manners.choice(&play, &search, &Found { mv, line: vec![mv], score }) {
            Choice::Resign => 'r',
            Choice::Move { draw: true, .. } => 'd',
            Choice::Move { .. } => '-',
        };
        scores.iter().map(answer).collect()
    }

    #[test]
    fn what_is_hopeless_for_some_moves_is_resigned() {
        let on = Settings { resigns: true, ..Settings::default() };
        let [lost, bad] = [Some(-4 * SPREAD), Some(1 - 4 * SPREAD)];
        assert_eq!(
            answers(on, "0 40", false, &[lost, lost, bad, lost, lost, None, lost, lost, lost]),
            "--------r"
        );
        assert_eq!(answers(Settings::default(), "0 40", false, &[lost; 9]), "---------");
    }

    #[test]
    fn what_is_even_and_quiet_for_long_is_offered_as_a_draw() {
        let on = Settings { draws: true, ..Settings::default() };
        let even = Some(-SPREAD / 20);
        assert_eq!(answers(on, "10 40", false, &[even; 10]), "-------ddd");
        assert_eq!(answers(on, "9 40", false, &[even; 10]), "----------");
        assert_eq!(answers(on, "10 39", false, &[even; 10]), "----------");
        assert_eq!(answers(Settings::default(), "10 40", true, &[even; 10]), "----------");
    }

    #[test]
    fn an_offer_is_accepted_by_the_side_that_is_not_better() {
        let on = Settings { draws: true, ..Settings::default() };
        let [worse, better] = [Some(-SPREAD), Some(SPREAD)];
        assert_eq!(answers(on, "0 40", true, &[worse, worse, better, worse, None, worse, worse]), "-d----d");
        assert_eq!(answers(on, "0 40", false, &[worse; 7]), "-------");
    }

    #[test]
    fn only_a_reply_of_the_opponent_is_one() {
        let play = Play::new(PushPush::startpos());
        let mut next = play.clone();
        let moves: Vec<_> = ["c1c2", "a7a6"].iter().map(|mv| next.play_text(mv).unwrap()).collect();
        assert_eq!(reply(&play, &moves), Some(moves[1]));
        assert_eq!(reply(&play, &moves[..1]), None);
    }
}
