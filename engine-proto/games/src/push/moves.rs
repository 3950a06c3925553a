//! Moves: their spelling, listing, counting and playing (section Moves).

use std::fmt;

use crate::Direction;
use crate::{Position, Searchable};

use super::Push;
use super::board::Kind;
use super::steps::{Slide, Step};
use crate::bitboard::Cell;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// The piece goes to an empty square: `a3c3`.
    Walk {
        /// Its start.
        from: Cell,
        /// Its target.
        to: Cell,
    },
    /// The piece falls onto an empty square and dies: `a3c3!`.
    Suicide {
        /// Its start.
        from: Cell,
        /// The square it falls onto.
        to: Cell,
    },
    /// A piece other than a knight pushes another along their line: `a2xc4`.
    Push {
        /// The pushing piece, which stays.
        pusher: Cell,
        /// The pushed piece.
        target: Cell,
    },
    /// A knight pushes a piece in any direction: `b2xc4:ne`.
    KnightPush {
        /// The knight, which stays.
        pusher: Cell,
        /// The pushed piece.
        target: Cell,
        /// The direction of the push.
        direction: Direction,
    },
    /// There is no other move: `pass`.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Walk { from, to } => write!(f, "{from}{to}"),
            Self::Suicide { from, to } => write!(f, "{from}{to}!"),
            Self::Push { pusher, target } => write!(f, "{pusher}x{target}"),
            Self::KnightPush { pusher, target, direction } => write!(f, "{pusher}x{target}:{direction}"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl Push {
    /// Appends the legal moves of a position that is not terminal.
    pub(super) fn list(&self, moves: &mut Vec<Move>) {
        let n_before = moves.len();
        let movers = Movers::of(self);
        for step in &Step::all(self) {
            movers.list(step, moves);
        }
        if let Some(from) = movers.knight {
            moves.extend(Cell::all_of(movers.knight_stops).map(|to| Move::Walk { from, to }));
        }
        if moves.len() == n_before {
            moves.push(Move::Pass);
        }
    }

    /// Plays a legal move. The numbers are those of the section What happens in a move.
    pub(super) fn make(&mut self, mv: Move) {
        // 1. The piece moves, or dies, or pushes.
        let effect = match mv {
            Move::Walk { from, to } => {
                self.relocate(from.board(), to.board());
                Effect::None
            }
            Move::Suicide { from, .. } => {
                self.remove(from.board());
                Effect::Death
            }
            Move::Push { pusher, target } => self.push(target.board(), pusher.direction_to(target)),
            Move::KnightPush { target, direction, .. } => self.push(target.board(), direction),
            Move::Pass => Effect::None,
        };
        // 2. and 3. The marks that end. A piece pushed onto the goal tile has no mark yet: it gets one next.
        let goal = self.goal(self.side).board();
        self.stunned &= !(self.pieces(self.side) | (goal & !self.kind(Kind::Knight)));
        // 4. The mark of a pushed piece that survives.
        if let Effect::Pushed { to } = effect {
            self.stunned |= to;
        }
        // 5. The counters, and the side to move.
        self.passes = if mv == Move::Pass { self.passes + 1 } else { 0 };
        self.counters.count(effect == Effect::Death);
        self.side = !self.side;
    }

    /// Pushes the piece on the square `target`; the push must have an effect (the table of The kinds of move).
    fn push(&mut self, target: u64, direction: Direction) -> Effect {
        let to = direction.shift(target) & self.terrain.board();
        let is_fall = target & self.terrain.level(2) != 0 && to & self.terrain.level(0) != 0;
        if to == 0 || is_fall {
            // A piece below a fall dies too.
            self.remove(target | to);
            return Effect::Death;
        }
        self.stunned &= !target;
        self.relocate(target, to);
        Effect::Pushed { to }
    }

    /// Moves the piece on the square `from` to the empty square `to`.
    fn relocate(&mut self, from: u64, to: u64) {
        for board in self.sides.iter_mut().chain(&mut self.kinds) {
            if *board & from != 0 {
                *board ^= from | to;
            }
        }
    }

    /// Removes the pieces on these squares and their marks.
    fn remove(&mut self, squares: u64) {
        for board in self.sides.iter_mut().chain(&mut self.kinds) {
            *board &= !squares;
        }
        self.stunned &= !squares;
    }
}

impl Searchable for Push {
    fn count_legal_moves(&self) -> usize {
        if self.end().is_some() {
            return 0;
        }
        let movers = Movers::of(self);
        let with_direction: u32 = Step::all(self).iter().map(|step| movers.count(step)).sum();
        let jumps = movers.knight_stops.count_ones();
        // Without other moves, there is a pass.
        (with_direction + jumps).max(1) as usize
    }

    fn null_move(&self) -> Option<Self> {
        let mut next = self.clone();
        next.make(Move::Pass);
        next.passes = 0;
        Some(next)
    }
}

/// The effect of a move on the pieces, as far as the other rules need it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// No piece was pushed, and none died.
    None,
    /// A piece was pushed to this square.
    Pushed { to: u64 },
    /// One or two pieces died.
    Death,
}

/// The pieces that may move: those of the side to move that are not stunned.
struct Movers {
    /// Kings and pawns.
    steppers: u64,
    rook: u64,
    bishop: u64,
    knight: Option<Cell>,
    /// The empty squares that the knight may jump to.
    knight_stops: u64,
    /// The pieces that the knight attacks.
    knight_targets: u64,
}

impl Movers {
    fn of(position: &Push) -> Self {
        let able = position.pieces(position.side) & !position.stunned;
        let knight = Cell::first_of(able & position.kind(Kind::Knight));
        let jumps = knight.map_or(0, Cell::jumps);
        Self {
            steppers: able & (position.kind(Kind::King) | position.kind(Kind::Pawn)),
            rook: able & position.kind(Kind::Rook),
            bishop: able & position.kind(Kind::Bishop),
            knight,
            knight_stops: jumps & position.vacant(),
            knight_targets: jumps & position.occupied(),
        }
    }

    /// The number of moves in this direction: all but the knight's jumps.
    fn count(&self, step: &Step) -> u32 {
        let Slide { stops, brink } = step.slide(self.slider(step.direction));
        let ends = step.fall | step.push;
        // A stepper is never where a slide stops, so one count is enough for both.
        let squares = (self.steppers & (step.open | ends)) | stops;
        let knight_pushes = match self.knight_targets {
            0 => 0,
            targets => (targets & step.pushable).count_ones(),
        };
        squares.count_ones() + u32::from(brink & ends != 0) + knight_pushes
    }

    /// Appends the moves in this direction: all but the knight's jumps.
    fn list(&self, step: &Step, moves: &mut Vec<Move>) {
        let direction = step.direction;
        moves.extend(
            Cell::all_of(self.steppers & step.open)
                .map(|from| Move::Walk { from, to: from.step(direction, 1) }),
        );
        moves.extend(
            Cell::all_of(self.steppers & step.fall)
                .map(|from| Move::Suicide { from, to: from.step(direction, 1) }),
        );
        moves.extend(
            Cell::all_of(self.steppers & step.push)
                .map(|pusher| Move::Push { pusher, target: pusher.step(direction, 1) }),
        );
        if let Some(slider) = Cell::first_of(self.slider(direction)) {
            let Slide { stops, brink } = step.slide(slider.board());
            moves.extend(Cell::all_of(stops).map(|to| Move::Walk { from: slider, to }));
            if let Some(last) = Cell::first_of(brink & (step.fall | step.push)) {
                let next = last.step(direction, 1);
                moves.push(if last.is_on(step.fall) {
                    Move::Suicide { from: slider, to: next }
                } else {
                    Move::Push { pusher: slider, target: next }
                });
            }
        }
        if let Some(knight) = self.knight {
            moves.extend(Cell::all_of(self.knight_targets & step.pushable).map(|target| Move::KnightPush {
                pusher: knight,
                target,
                direction,
            }));
        }
    }

    /// The piece that slides in a direction, as a board: there is at most one.
    const fn slider(&self, direction: Direction) -> u64 {
        if direction.is_diagonal() { self.bishop } else { self.rook }
    }
}
