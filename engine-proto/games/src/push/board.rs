//! The two sizes of the board, and the kinds of pieces. A *board* here is a `u64`: see [`crate::bitboard`].

use crate::Direction;
use crate::bitboard::Cell;

/// The size of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// 6x6.
    Six,
    /// 8x8.
    Eight,
}

impl Size {
    /// The number of ranks, and of files.
    pub const fn n(self) -> u8 {
        match self {
            Self::Six => 6,
            Self::Eight => 8,
        }
    }

    /// The squares of the board.
    pub const fn board(self) -> u64 {
        match self {
            Self::Six => 0x0000_3F3F_3F3F_3F3F,
            Self::Eight => u64::MAX,
        }
    }

    /// The square on this file and this rank, both counted from 0, if the board has it.
    pub const fn cell(self, file: u8, rank: u8) -> Option<Cell> {
        if file < self.n() && rank < self.n() { Cell::new(file, rank) } else { None }
    }

    /// Black's goal tile: the corner opposite a1, which is White's.
    pub(super) const fn far_corner(self) -> Cell {
        Cell::with_index((self.n() - 1) * 9)
    }
}

impl Direction {
    /// Whether squares further on in this direction have higher numbers.
    pub(super) const fn ascends(self) -> bool {
        self.rotation() < 32
    }
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `K`.
    King,
    /// `R`.
    Rook,
    /// `N`.
    Knight,
    /// `B`.
    Bishop,
    /// `P`.
    Pawn,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::King, Self::Rook, Self::Knight, Self::Bishop, Self::Pawn];

    /// The letter of a white piece of this kind.
    pub const fn letter(self) -> char {
        ['K', 'R', 'N', 'B', 'P'][self as usize]
    }

    /// The number of pieces of this kind that a side has at the start on a board of this size, and at most.
    pub const fn most(self, size: Size) -> u32 {
        match (self, size) {
            (Self::Bishop, Size::Six) => 0,
            (Self::Pawn, Size::Eight) => 2,
            _ => 1,
        }
    }
}
