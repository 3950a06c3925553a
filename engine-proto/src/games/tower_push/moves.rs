//! The moves: what they are and how they are spelled, which are legal, and what they do to a position.

use std::fmt;

use crate::fen::COUNTER_MAX;
use crate::{Position, Side, Square};

use super::TowerPush;
use super::size::Size;
use super::squares::Cell;

/// One decision of one player (section Moves).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Steps with a piece.
    Step(Step),
    /// Puts a piece from the hand on a square.
    Place(Cell),
    /// Does nothing, for want of a step.
    Pass,
}

/// A piece's way to a neighbour of its square.
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

/// The kind of move that is legal in a position: it depends on the position alone.
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
            // The ban is never the only step (section The repetition rule).
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

    pub(super) fn n_legal_moves(&self) -> usize {
        match self.due() {
            Due::Nothing => 0,
            Due::Placement => self.board.empty().len() as usize,
            Due::Step => self.board.n_steps(self.side) as usize - usize::from(self.ban.is_some()),
            Due::Pass => 1,
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
        self.quiet = one_more(self.quiet);
        self.ply = one_more(self.ply);
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
            self.quiet = 0;
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

    /// Who makes the next move: first the player who made the latest step places all he has, then his opponent
    /// places and steps.
    fn who_is_due(&self) -> Side {
        let latest = !self.next;
        if self.in_hand(latest) > 0 { latest } else { self.next }
    }
}

/// A counter after one more move. It stops at the largest number that a FEN can hold.
const fn one_more(count: u32) -> u32 {
    if count < COUNTER_MAX { count + 1 } else { count }
}
