//! Moves: their type, which are legal, and their effects (the rules page, section Moves).

use std::fmt;

use super::PushPush;
use super::first_move::FirstStep;
use super::pieces::Value;
use super::terrain::{self, BOARD, Direction, EDGE, OPEN_TO_BALL, RANK_7};
use crate::bits::bits64;
use crate::{Position, Searchable, Side, Square};

/// One turn of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece steps.
    Step(Step),
    /// A pass, because there is no step.
    Pass,
}

/// A piece steps to a neighbouring square and pushes the pieces in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The bit of the square it starts from.
    from: u8,
    direction: Direction,
    push: Push,
}

/// The target of the ball if the step pushes it. A step that does not push it is `Normal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Push {
    /// Straight on.
    Normal,
    /// Inward, off the edge along which it is pushed.
    Deflected,
}

impl Move {
    /// The move spelled `text`, legal somewhere or not.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        if text == "pass" {
            return Some(Self::Pass);
        }
        let (from, rest) = Square::split_from(text).filter(|(square, _)| terrain::has(*square))?;
        let (to, rest) = Square::split_from(rest).filter(|(square, _)| terrain::has(*square))?;
        let push = match rest {
            "" => Push::Normal,
            "d" => Push::Deflected,
            _ => return None,
        };
        let (from, to) = (terrain::bit(from), terrain::bit(to));
        let direction = Direction::between(from, to)?;
        Some(Self::Step(Step { from: from.trailing_zeros() as u8, direction, push }))
    }
}

impl Step {
    /// The square the piece steps from.
    pub const fn from(self) -> Square {
        terrain::square(self.source())
    }

    /// The square the piece steps to.
    pub const fn to(self) -> Square {
        terrain::square(self.target())
    }

    /// The square the piece steps from, as a bit.
    pub const fn source(self) -> u64 {
        1 << self.from
    }

    /// The square the piece steps to, as a bit.
    pub const fn target(self) -> u64 {
        self.direction.ahead(self.source())
    }

    /// The direction of the step and of its pushes.
    pub const fn direction(self) -> Direction {
        self.direction
    }

    /// The target of the ball, if the step pushes it.
    pub const fn push(self) -> Push {
        self.push
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Step(step) = self else {
            return f.write_str("pass");
        };
        write!(f, "{}{}", step.from(), step.to())?;
        match step.push {
            Push::Normal => Ok(()),
            Push::Deflected => f.write_str("d"),
        }
    }
}

/// The legal steps, computed for all pieces at once, direction by direction.
impl PushPush {
    /// The pieces of `side` that may step in `direction` on the current board, whichever side is to move; a push of the
    /// ball is the normal one.
    #[inline]
    pub fn steppers(&self, side: Side, direction: Direction) -> u64 {
        let free = !self.occupied();
        let ball = self.ball & direction.behind(free & OPEN_TO_BALL);
        // Only a pushed piece can leave the board (ruling 2).
        let stays = direction.behind(BOARD);
        let captors = self.of_value(Value::One) & direction.behind(self.pieces_of(!side, Value::Four));
        let steppers = self.pieces(side) & stays & (self.movers(direction, free, ball) | captors);
        steppers & !self.held_back(side, direction)
    }

    /// The pieces of `side` that may step in `direction` and deflect the ball on the current board, whichever side is
    /// to move; none in a diagonal direction.
    pub fn deflectors(&self, side: Side, direction: Direction) -> u64 {
        match terrain::deflected(self.ball, direction) {
            Some(to) if to & self.occupied() == 0 => {
                let steppers = self.pieces(side) & self.movers(direction, 0, self.ball);
                steppers & !self.held_back(side, direction)
            }
            _ => 0,
        }
    }

    /// The pieces of both sides that may move one square in `direction`, by a step or a push: onto the squares `free`
    /// (including the margin), or by pushing pieces of lower value or `ball`.
    #[inline]
    fn movers(&self, direction: Direction, free: u64, ball: u64) -> u64 {
        // The values ascend, so each piece finds only pieces of lower value here, as every link of a chain requires
        // (section Moves, case 3.1).
        let mut gives_way = free | ball;
        let mut movers = 0;
        for pieces in self.values {
            let able = pieces & direction.behind(gives_way);
            gives_way |= able;
            movers |= able;
        }
        movers
    }

    /// The pieces that may not step in `direction` because of White's first step.
    #[inline]
    fn held_back(&self, side: Side, direction: Direction) -> u64 {
        match self.first {
            Some(first) if side == Side::Black => {
                self.of_value(first.value) & direction.behind(first.forbidden())
            }
            _ => 0,
        }
    }

    /// Appends the legal moves of a position that is not over.
    pub(super) fn append_moves(&self, moves: &mut Vec<Move>) {
        let n_before = moves.len();
        let mut append = |steppers, direction, push| {
            moves.extend(bits64(steppers).map(|from| Move::Step(Step { from, direction, push })));
        };
        for direction in Direction::ALL {
            append(self.steppers(self.side, direction), direction, Push::Normal);
        }
        if self.ball & EDGE != 0 {
            for direction in Direction::ORTHOGONAL {
                append(self.deflectors(self.side, direction), direction, Push::Deflected);
            }
        }
        if moves.len() == n_before {
            moves.push(Move::Pass);
        }
    }

    /// Whether `mv` is legal in a position that is not over.
    pub(super) fn allows(&self, mv: Move) -> bool {
        match mv {
            Move::Pass => self.count_steps() == 0,
            Move::Step(step) => {
                let steppers = match step.push {
                    Push::Normal => self.steppers(self.side, step.direction),
                    Push::Deflected => self.deflectors(self.side, step.direction),
                };
                steppers & step.source() != 0
            }
        }
    }

    fn count_steps(&self) -> usize {
        let mut n_steps = 0;
        for direction in Direction::ALL {
            n_steps += self.steppers(self.side, direction).count_ones();
        }
        if self.ball & EDGE != 0 {
            for direction in Direction::ORTHOGONAL {
                n_steps += self.deflectors(self.side, direction).count_ones();
            }
        }
        n_steps as usize
    }
}

/// The effects of a move.
impl PushPush {
    /// Plays a legal move (section Moves, After every move).
    pub(super) fn make(&mut self, mv: Move) {
        let (mut first, was_start) = (None, self.counters.ply == 0);
        self.counters.count(false);
        if let Move::Step(step) = mv {
            if was_start && self.side == Side::White {
                first = self.value_at(step.source()).map(|value| FirstStep { value, square: step.to() });
            }
            self.make_step(step);
        }
        self.first = first;
        self.side = !self.side;
    }

    fn make_step(&mut self, step: Step) {
        let (source, target) = (step.source(), step.target());
        let prey = self.pieces_of(!self.side, Value::Four) & target;
        if prey != 0 && self.of_value(Value::One) & source != 0 {
            self.sides[(!self.side).index()] ^= prey;
            self.values[Value::Four.index()] ^= prey;
            self.counters.quiet = 0;
        }

        let pieces = self.all_pieces();
        let mut chain = source;
        let mut beyond = target;
        while beyond & pieces != 0 {
            chain |= beyond;
            beyond = step.direction.ahead(beyond);
        }
        if beyond & self.ball != 0 {
            self.push_ball(step);
        } else if beyond & BOARD == 0 {
            self.counters.quiet = 0;
        }
        for squares in self.sides.iter_mut().chain(&mut self.values) {
            let moved = *squares & chain;
            // A piece that is pushed over an edge is eliminated.
            *squares = *squares ^ moved | step.direction.ahead(moved) & BOARD;
        }
    }

    fn push_ball(&mut self, step: Step) {
        let to = match step.push {
            Push::Normal => step.direction.ahead(self.ball),
            Push::Deflected => terrain::deflected(self.ball, step.direction)
                .expect("a deflected push is played where it is legal"),
        };
        if to & BOARD == 0 {
            // The ball leaves over rank 7 or rank 1, and only the edge decides (ruling 6).
            self.goal = Some(if self.ball & RANK_7 != 0 { Side::White } else { Side::Black });
        }
        self.ball = to & BOARD;
    }
}

impl Searchable for PushPush {
    fn count_legal_moves(&self) -> usize {
        // Without a step, there is a pass.
        if self.end().is_some() { 0 } else { self.count_steps().max(1) }
    }

    fn null_move(&self) -> Option<Self> {
        let mut next = self.clone();
        next.make(Move::Pass);
        Some(next)
    }
}
