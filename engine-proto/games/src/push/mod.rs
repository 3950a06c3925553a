//! Push: the rules of the page below. No heuristics, no search, no clock.
//!
//! - [`Push`] is a position: the pieces, which of them are stunned, and the [`Terrain`] below them.
//! - [`Move`] is a move; the functions next to it in `moves.rs` list, count and play moves.
//! - [`Size`], [`Cell`], [`Direction`] and [`Kind`] describe the board and the pieces.
//!
//! The rules page follows.
#![cfg_attr(all(doc, not(doctest)), doc = "")]
#![cfg_attr(all(doc, not(doctest)), doc = include_str!("rules.md"))]

mod board;
mod fen;
mod moves;
mod scene;
mod starts;
mod steps;
mod terrain;

use std::fmt;

pub use crate::Direction;
pub use crate::bitboard::Cell;
pub use board::{Kind, Size};
pub use moves::Move;
pub use terrain::Terrain;

use crate::bits::{keys, mix_pair, mix64};
use crate::{Counters, End, GameInfo, Position, Side};

/// A position of Push.
#[derive(Clone, PartialEq, Eq)]
pub struct Push {
    terrain: Terrain,
    /// By side, the squares of its pieces.
    sides: [u64; 2],
    /// By kind, the squares of both sides' pieces.
    kinds: [u64; 5],
    stunned: u64,
    side: Side,
    passes: u8,
    counters: Counters,
}

impl Push {
    /// The empty board: not a position of a game, but the start of building one.
    const fn empty(terrain: Terrain) -> Self {
        Self {
            terrain,
            sides: [0; 2],
            kinds: [0; 5],
            stunned: 0,
            side: Side::White,
            passes: 0,
            counters: Counters { quiet: 0, ply: 0 },
        }
    }

    /// The heights of the squares, and the size of the board.
    pub const fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    /// A side's pieces, as a board: bit 0 is a1, bit 1 b1, bit 8 a2, bit 63 h8.
    pub const fn pieces(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    /// The pieces of a kind, of both sides, as a board.
    pub const fn kind(&self, kind: Kind) -> u64 {
        self.kinds[kind as usize]
    }

    /// A side's pieces of a kind, as a board.
    pub const fn pieces_of(&self, side: Side, kind: Kind) -> u64 {
        self.pieces(side) & self.kind(kind)
    }

    /// A side's king, unless it is dead.
    pub const fn king(&self, side: Side) -> Option<Cell> {
        Cell::first_of(self.pieces_of(side, Kind::King))
    }

    /// All pieces, as a board.
    pub const fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The squares without a piece, as a board.
    pub const fn vacant(&self) -> u64 {
        self.terrain.board() & !self.occupied()
    }

    /// The stunned pieces of both sides, as a board.
    pub const fn stunned(&self) -> u64 {
        self.stunned
    }

    /// The owner and the kind of the piece on a square.
    pub fn piece_at(&self, cell: Cell) -> Option<(Side, Kind)> {
        let kind = Kind::ALL.into_iter().find(|&kind| cell.is_on(self.kind(kind)))?;
        let side = if cell.is_on(self.pieces(Side::White)) { Side::White } else { Side::Black };
        Some((side, kind))
    }

    /// A side's goal tile: the corner its king starts from, which the *other* side wants to hold.
    pub const fn goal(&self, side: Side) -> Cell {
        match side {
            Side::White => Cell::A1,
            Side::Black => self.terrain.size().far_corner(),
        }
    }

    /// The number of passes in a row just before this position.
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// Whether a piece of the side to move has held the enemy's goal tile for a whole enemy turn.
    fn goal_is_held(&self) -> bool {
        let holders = self.pieces(self.side) & !self.kind(Kind::Knight) & !self.stunned;
        self.goal(!self.side).is_on(holders)
    }
}

impl Position for Push {
    type Move = Move;

    const INFO: &'static GameInfo = &GameInfo {
        id: "push",
        name: "Push",
        rules: include_str!("rules.md"),
        how_to_play: include_str!("how-to-play.md"),
        starts: starts::ALL,
        quiet_limit: 100,
        typical_plies: 36,
        reasons: &["both-kings", "king", "goal", "blocked"],
        kinds: &scene::KINDS,
    };

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.end().is_none() {
            self.list(moves);
        }
    }

    fn play_unchecked(&mut self, mv: Move) {
        self.make(mv);
    }

    fn end(&self) -> Option<End> {
        // The rows of the section End of the game, in their order.
        match [self.king(Side::White), self.king(Side::Black)] {
            [None, None] => Some(End::draw("both-kings")),
            [None, Some(_)] => Some(End::win(Side::Black, "king")),
            [Some(_), None] => Some(End::win(Side::White, "king")),
            _ if self.goal_is_held() => Some(End::win(self.side, "goal")),
            _ if self.passes == 2 => Some(End::draw("blocked")),
            _ => None,
        }
    }

    #[inline]
    fn counters(&self) -> Counters {
        self.counters
    }

    fn repeats(&self, other: &Self) -> bool {
        self.sides == other.sides
            && self.kinds == other.kinds
            && self.side == other.side
            && self.stunned == other.stunned
            && self.passes == other.passes
            && self.terrain == other.terrain
    }

    fn fingerprint(&self) -> u64 {
        const KEYS: [u64; 10] = keys();
        // The omitted words follow from these: the bishops, and the squares of height 0.
        let words = [
            self.sides[0],
            self.sides[1],
            self.kind(Kind::King),
            self.kind(Kind::Pawn),
            self.kind(Kind::Rook),
            self.kind(Kind::Knight),
            self.terrain.level(1),
            self.terrain.level(2),
            self.stunned,
            self.terrain.size() as u64 | (self.side as u64) << 1 | u64::from(self.passes) << 2,
        ];
        let mut hash = 0;
        for idx in (0..words.len()).step_by(2) {
            hash ^= mix_pair(words[idx] ^ KEYS[idx], words[idx + 1] ^ KEYS[idx + 1]);
        }
        mix64(hash)
    }

    fn start(name: &str, seed: u64) -> Option<Self> {
        starts::named(name, seed)
    }
}

impl fmt::Debug for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Push({self})")
    }
}
