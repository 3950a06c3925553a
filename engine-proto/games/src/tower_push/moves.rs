//! The moves: their spelling, which are legal, and their effects.

use std::fmt;

use crate::{Position, Searchable, Side, Square};

use super::TowerPush;
use super::size::Size;
use super::squares::Cell;

/// One decision of one side (section Moves).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Steps with a piece.
    Step(Step),
    /// Puts a piece from the hand on a square.
    Place(Cell),
    /// A pass, because there is no step.
    Pass,
}

/// A piece's step to a neighbouring square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The square that the piece leaves.
    pub from: Cell,
    /// The landing square.
    pub to: Cell,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from.square(), self.to.square())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step) => write!(f, "{step}"),
            Self::Place(cell) => write!(f, "@{}", cell.square()),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl Move {
    /// The move spelled `text`, legal or not, if its squares are on the board.
    pub(super) fn from_text(text: &str, size: Size) -> Option<Self> {
        if text == "pass" {
            return Some(Self::Pass);
        }
        let Some(square) = text.strip_prefix('@') else {
            return Step::from_text(text, size).map(Self::Step);
        };
        size.cell(square.parse().ok()?).map(Self::Place)
    }
}

impl Step {
    /// The step spelled `text`, possible or not, if its squares are on the board.
    pub(super) fn from_text(text: &str, size: Size) -> Option<Self> {
        let (from, rest) = Square::split_from(text)?;
        Some(Self { from: size.cell(from)?, to: size.cell(rest.parse().ok()?)? })
    }
}

/// The kind of move that is legal in a position; it depends only on the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    Nothing,
    Placement,
    Step,
    Pass,
}

impl TowerPush {
    fn due(&self) -> Due {
        if self.end().is_some() {
            Due::Nothing
        } else if self.in_hand(self.side) > 0 {
            Due::Placement
        } else if self.board.has_step(self.side) {
            // The forbidden step is never the only one (section The repetition rule).
            Due::Step
        } else {
            Due::Pass
        }
    }

    pub(super) fn push_legal_moves(&self, moves: &mut Vec<Move>) {
        match self.due() {
            Due::Nothing => {}
            Due::Placement => moves.extend(self.board.empty().cells().map(Move::Place)),
            Due::Step => {
                let steps = self.board.steps(self.side).filter(|&step| Some(step) != self.ban);
                moves.extend(steps.map(Move::Step));
            }
            Due::Pass => moves.push(Move::Pass),
        }
    }

    pub(super) fn is_legal(&self, mv: Move) -> bool {
        match (self.due(), mv) {
            (Due::Placement, Move::Place(cell)) => self.board.empty().contains(cell),
            (Due::Step, Move::Step(step)) => {
                self.board.has_this_step(self.side, step) && Some(step) != self.ban
            }
            (Due::Pass, Move::Pass) => true,
            _ => false,
        }
    }

    pub(super) fn play_legal(&mut self, mv: Move) {
        self.counters.count(false);
        match mv {
            Move::Step(step) => self.play_step(step),
            Move::Place(cell) => self.play_placement(cell),
            Move::Pass => self.play_pass(),
        }
    }

    fn play_step(&mut self, step: Step) {
        let effect = self.board.step(self.side, step);
        self.hands = effect.to_hand; // a step is made with empty hands
        if effect.captures() {
            self.counters.quiet = 0;
        }
        self.ban = effect.ban;
        self.next = !self.side;
        self.side = self.who_is_due();
    }

    fn play_placement(&mut self, cell: Cell) {
        self.board.place(self.side, cell);
        self.hands[self.side.index()] -= 1;
        self.side = self.who_is_due();
    }

    fn play_pass(&mut self) {
        self.ban = None;
        self.next = !self.side;
        self.side = self.next;
    }

    /// The side to move: first, the side that made the latest step places all its pieces in hand; then the opponent
    /// places and steps.
    fn who_is_due(&self) -> Side {
        let latest = !self.next;
        if self.in_hand(latest) > 0 { latest } else { self.next }
    }
}

impl Searchable for TowerPush {
    fn count_legal_moves(&self) -> usize {
        match self.due() {
            Due::Nothing => 0,
            Due::Placement => self.board.empty().len() as usize,
            Due::Step => self.board.n_steps(self.side) as usize - usize::from(self.ban.is_some()),
            Due::Pass => 1,
        }
    }

    fn null_move(&self) -> Option<Self> {
        let is_between_steps = self.hands == [0; 2];
        is_between_steps.then(|| {
            let mut next = self.clone();
            next.play_legal(Move::Pass);
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> TowerPush {
        fen.parse().unwrap()
    }

    #[test]
    fn only_canonical_spellings_are_read() {
        let start = TowerPush::startpos();
        assert!(start.parse_move("a1b2").is_some());
        for text in
            ["", "a", "a1", "a1b", "A1b2", "a1b2 ", " a1b2", "a1 b2", "a01b2", "a1b02", "a1-b2", "é1b2"]
        {
            assert_eq!(start.parse_move(text), None, "{text}");
        }
        for text in ["pass", "@a2", "a1a3", "a1a1", "a7a6", "a1b1", "g1h2", "a1b99", "z1z2"] {
            assert_eq!(start.parse_move(text), None, "{text}");
        }
        let placing = position("x6/7/7/3T3/7/7/6X w 1 0 b - 0 20");
        assert!(placing.parse_move("@a1").is_some());
        for text in ["@", "@@a1", "@a01", "a1", "@d4", "@a7", "@g1", "@h1", "@a8", "g1f1", "pass"] {
            assert_eq!(placing.parse_move(text), None, "{text}");
        }
    }

    #[test]
    fn reading_a_move_is_finding_it_in_the_list() {
        for fen in [
            "7/7/7/3T3/3x3/2x1X2/7 w 0 0 w e2d2 1 12",
            "x1x2/1xX2/1XTx1/2X1X/x1X2 w 0 0 w - 3 60",
            "7/7/7/3T3/7/xx5/Xx5 w 0 0 w - 4 40",
            "x6/7/7/3T3/7/4X1x/7 w 1 1 b - 0 21",
            "7/7/7/3T3/7/5X1/7 b 0 1 b - 0 31",
        ] {
            let position = position(fen);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let squares: Vec<Cell> = position.size().squares().cells().collect();
            let steps =
                squares.iter().flat_map(|&from| squares.iter().map(move |&to| Move::Step(Step { from, to })));
            let places = squares.iter().map(|&cell| Move::Place(cell));
            for mv in steps.chain(places).chain([Move::Pass]) {
                let read = position.parse_move(&mv.to_string());
                assert_eq!(read, moves.contains(&mv).then_some(mv), "{fen}, {mv}");
            }
        }
    }
}
