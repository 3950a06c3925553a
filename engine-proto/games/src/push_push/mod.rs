//! Push Push: the rules. No evaluation and no search.
//!
//! [`PushPush`] is the position, stored as bitboards; [`terrain`] maps bits to squares. The rules page follows.
//!
#![cfg_attr(all(doc, not(doctest)), doc = include_str!("rules.md"))]

mod fen;
mod first_move;
mod moves;
mod pieces;
mod scene;
pub mod terrain;

use self::terrain::bit;
use crate::bits::{keys, mix_pair};
use crate::{Counters, End, GameInfo, Position, Side, Square, Start};

pub use first_move::FirstStep;
pub use moves::{Move, Push, Step};
pub use pieces::{Occupant, Value};
pub use terrain::Direction;

/// A position of Push Push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushPush {
    /// The pieces of each side.
    sides: [u64; 2],
    /// The pieces of each value, of both sides.
    values: [u64; 4],
    /// The ball's square; none once the ball has left the board.
    ball: u64,
    counters: Counters,
    side: Side,
    first: Option<FirstStep>,
    goal: Option<Side>,
}

/// The pieces. Bitboards number the squares as in [`terrain`].
impl PushPush {
    /// The pieces of `side`.
    #[inline]
    pub const fn pieces(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    /// The pieces of this value, of both sides.
    #[inline]
    pub const fn of_value(&self, value: Value) -> u64 {
        self.values[value.index()]
    }

    /// The pieces of this value that `side` has.
    #[inline]
    pub const fn pieces_of(&self, side: Side, value: Value) -> u64 {
        self.pieces(side) & self.of_value(value)
    }

    /// The pieces of both sides.
    #[inline]
    pub const fn all_pieces(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The ball's square as a bit; 0 once the ball has left the board.
    #[inline]
    pub const fn ball(&self) -> u64 {
        self.ball
    }

    /// The squares of all pieces and the ball.
    #[inline]
    pub const fn occupied(&self) -> u64 {
        self.all_pieces() | self.ball
    }

    /// The content of a square of the board.
    pub fn occupant(&self, square: Square) -> Option<Occupant> {
        let at = bit(square);
        if self.ball & at != 0 {
            return Some(Occupant::Ball);
        }
        let side = if self.pieces(Side::White) & at != 0 { Side::White } else { Side::Black };
        self.value_at(at).map(|value| Occupant::Piece(side, value))
    }

    /// White's very first step, while it restricts Black's answer.
    pub const fn first_step(&self) -> Option<FirstStep> {
        self.first
    }

    /// The winner, once the ball has left the board.
    pub const fn goal(&self) -> Option<Side> {
        self.goal
    }

    /// The value of the piece on the square of this bit.
    fn value_at(&self, at: u64) -> Option<Value> {
        Value::ALL.into_iter().find(|value| self.of_value(*value) & at != 0)
    }
}

impl Position for PushPush {
    type Move = Move;

    const INFO: &'static GameInfo = &GameInfo {
        id: "push-push",
        name: "Push Push",
        rules: include_str!("rules.md"),
        how_to_play: include_str!("how-to-play.md"),
        starts: &[Start::fixed("default", "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0")],
        quiet_limit: 200,
        typical_plies: 55,
        reasons: &["goal", "material"],
        kinds: &scene::KINDS,
    };

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.end().is_none() {
            self.append_moves(moves);
        }
    }

    fn play_unchecked(&mut self, mv: Move) {
        self.make(mv);
    }

    #[inline]
    fn end(&self) -> Option<End> {
        if let Some(winner) = self.goal {
            return Some(End::win(winner, "goal"));
        }
        (self.all_pieces() == 0).then_some(End::draw("material"))
    }

    #[inline]
    fn counters(&self) -> Counters {
        self.counters
    }

    fn repeats(&self, other: &Self) -> bool {
        let compared = |p: &Self| (p.sides, p.values, p.ball, p.side, p.first, p.goal);
        compared(self) == compared(other)
    }

    fn fingerprint(&self) -> u64 {
        const KEYS: [u64; 8] = keys();
        let first = self.first.map_or(0, |first| (1 << first.value.index()) << 56 | bit(first.square));
        let goal = self.goal.map_or(0, |winner| 1 + winner.index() as u64);
        // The values together determine the occupied squares, so White's pieces determine Black's.
        let [ones, twos, threes, fours] = self.values;
        let pieces = mix_pair(ones ^ KEYS[0], twos ^ KEYS[1]) ^ mix_pair(threes ^ KEYS[2], fours ^ KEYS[3]);
        let rest = mix_pair(self.sides[0] ^ KEYS[4], self.ball ^ KEYS[5])
            ^ (goal << 1 | self.side.index() as u64) << 60
            ^ first;
        mix_pair(pieces ^ KEYS[6], rest ^ KEYS[7])
    }

    fn parse_move(&self, text: &str) -> Option<Move> {
        Move::from_text(text).filter(|mv| self.end().is_none() && self.allows(*mv))
    }
}
