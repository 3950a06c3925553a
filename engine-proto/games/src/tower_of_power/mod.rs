//! Tower of Power: the rules of the page below. No heuristics, no search, no clock.
//!
//! - [`TowerOfPower`] is a position: the owners of squares, and the buried stones.
//! - [`Move`] is a move; the functions next to it in `moves.rs` list, count, parse and play moves.
//! - [`Cell`] and [`Direction`] are the board's geometry.
//!
//! The rules page follows.
//!
#![cfg_attr(all(doc, not(doctest)), doc = include_str!("rules.md"))]

mod fen;
mod geometry;
mod moves;
mod pile;
mod scene;

use std::fmt;

pub use crate::Direction;
pub use crate::bitboard::Cell;
pub use moves::Move;

use crate::bitboard::spread;
use crate::bits::mix64;
use crate::{Counters, End, GameInfo, Position, Side, Start};
use pile::Pile;

/// A position of Tower of Power.
#[derive(Clone, PartialEq, Eq)]
pub struct TowerOfPower {
    /// By side, the squares with a top stone of its colour.
    owned: [u64; 2],
    /// The squares with at least two stones: those with a non-empty entry in `buried`.
    towers: u64,
    /// By square, the stones below the top stone.
    buried: [Pile; 64],
    /// The xor of the keys of all piles. It is stored because it seldom changes. It is a function of `buried`, so `Eq`
    /// is correct.
    buried_hash: u64,
    /// By side, its stones on the board, including buried ones.
    stones: [u8; 2],
    side: Side,
    counters: Counters,
}

impl TowerOfPower {
    /// The number of stones that each side starts with.
    pub const STONES: u32 = 15;

    /// The empty board: not a position of a game, but the start of building one.
    const EMPTY: Self = Self {
        owned: [0; 2],
        towers: 0,
        buried: [Pile::EMPTY; 64],
        buried_hash: 0,
        stones: [0; 2],
        side: Side::White,
        counters: Counters { quiet: 0, ply: 0 },
    };

    /// The squares that a side owns, as a board: bit 0 is a1, bit 1 b1, bit 8 a2, bit 63 h8.
    pub const fn owned(&self, side: Side) -> u64 {
        self.owned[side.index()]
    }

    /// The squares with a stack, as a board.
    pub const fn occupied(&self) -> u64 {
        self.owned[0] | self.owned[1]
    }

    /// The squares with at least two stones, of any owner, as a board.
    pub const fn towers(&self) -> u64 {
        self.towers
    }

    /// The towers whose stone directly below the top belongs to this side, as a board: it would own them if the tops
    /// left.
    pub fn beneath_tops(&self, side: Side) -> u64 {
        Cell::all_of(self.towers)
            .filter(|&cell| self.buried(cell).top() == side)
            .map(Cell::board)
            .fold(0, |board, cell| board | cell)
    }

    /// The owner of a square; `None` if it is empty.
    pub const fn owner(&self, cell: Cell) -> Option<Side> {
        if cell.is_on(self.owned[0]) {
            Some(Side::White)
        } else if cell.is_on(self.owned[1]) {
            Some(Side::Black)
        } else {
            None
        }
    }

    /// The number of stones on a square.
    pub const fn height(&self, cell: Cell) -> u32 {
        if cell.is_on(self.occupied()) { self.buried(cell).height() + 1 } else { 0 }
    }

    /// The stones of a square from bottom to top.
    pub fn stack(&self, cell: Cell) -> impl Iterator<Item = Side> {
        self.buried(cell).stones().chain(self.owner(cell))
    }

    /// The number of a side's stones on the board, including buried ones.
    pub const fn stones(&self, side: Side) -> u32 {
        self.stones[side.index()] as u32
    }

    /// The number of buried stones of a side.
    pub const fn buried_stones(&self, side: Side) -> u32 {
        self.stones(side) - self.owned(side).count_ones()
    }

    /// The number of moves that a side would have if it were to move, also after the end of the game.
    pub fn mobility(&self, side: Side) -> usize {
        moves::count(self.owned(side))
    }

    /// The targets of the top stone of a square by a one-stone move, as a board; empty for an empty square.
    pub fn one_stone_targets(&self, from: Cell) -> u64 {
        self.owner(from).map_or(0, |owner| moves::one_stone_targets(self.owned(owner), from))
    }

    /// The stones of a square below its top stone.
    const fn buried(&self, cell: Cell) -> Pile {
        self.buried[cell.index()]
    }

    /// Whether the last two stones are apart, so that no side can win (section End of the game, row 2).
    const fn is_bare(&self) -> bool {
        let [white, black] = self.owned;
        // In one tower, one of the sides owns no square; on the same square or next to it, they touch.
        matches!(self.stones, [1, 1]) && white != 0 && black != 0 && spread(white) & black == 0
    }

    /// The start squares of moves: those of the side to move, none when the game is over.
    const fn movable(&self) -> u64 {
        if self.is_bare() { 0 } else { self.owned(self.side) }
    }
}

impl Position for TowerOfPower {
    type Move = Move;

    const INFO: &'static GameInfo = &GameInfo {
        id: "tower-of-power",
        name: "Tower of Power",
        rules: include_str!("rules.md"),
        how_to_play: include_str!("how-to-play.md"),
        starts: &[Start::fixed("default", "3sssss/4ssss/5sss/S5ss/SS5s/SSS5/SSSS4/SSSSS3 w 0 0")],
        quiet_limit: 100,
        typical_plies: 27,
        reasons: &["immobile", "material"],
        kinds: &scene::KINDS,
    };

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves::list(self.movable(), moves);
    }

    fn play_unchecked(&mut self, mv: Move) {
        self.make(mv);
    }

    fn end(&self) -> Option<End> {
        if self.owned(self.side) == 0 {
            return Some(End::win(!self.side, "immobile"));
        }
        self.is_bare().then_some(End::draw("material"))
    }

    #[inline]
    fn counters(&self) -> Counters {
        self.counters
    }

    fn repeats(&self, other: &Self) -> bool {
        self.side == other.side && self.owned == other.owned && self.buried == other.buried
    }

    fn fingerprint(&self) -> u64 {
        const BLACK_TO_MOVE: u64 = mix64(u64::MAX);
        let side = match self.side {
            Side::White => 0,
            Side::Black => BLACK_TO_MOVE,
        };
        mix64(self.owned[0] ^ mix64(self.owned[1] ^ self.buried_hash ^ side))
    }

    fn parse_move(&self, text: &str) -> Option<Move> {
        moves::parse(self.movable(), text)
    }
}

impl fmt::Debug for TowerOfPower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TowerOfPower({self})")
    }
}
