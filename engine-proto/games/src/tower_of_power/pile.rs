//! The buried stones of one square.

use crate::Side;
use crate::bitboard::Cell;
use crate::bits::mix64;

/// The stones of a square below its top stone, the lowest at the bottom.
///
/// One bit per stone, the uppermost in the lowest bit, below a leading bit that marks the bottom. At most 29 stones can
/// be buried, because the game has 30.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pile(u32);

impl Pile {
    /// No stone.
    pub const EMPTY: Self = Self(1);

    /// The number of stones.
    pub const fn height(self) -> u32 {
        self.0.ilog2()
    }

    /// The uppermost stone of a pile that has one.
    pub const fn top(self) -> Side {
        if self.0 & 1 == Side::White as u32 { Side::White } else { Side::Black }
    }

    /// The pile with another stone on it.
    pub const fn push(self, stone: Side) -> Self {
        Self(self.0 << 1 | stone as u32)
    }

    /// A pile that has a stone, without its uppermost one.
    pub const fn pop(self) -> Self {
        Self(self.0 >> 1)
    }

    /// The stones from bottom to top.
    pub fn stones(self) -> impl Iterator<Item = Side> {
        (0..self.height()).rev().map(move |depth| Self(self.0 >> depth).top())
    }

    /// A hash of this pile on this square; 0 if it is empty, so that only towers count.
    pub const fn key(self, cell: Cell) -> u64 {
        if self.0 == Self::EMPTY.0 { 0 } else { mix64((cell.index() as u64) << 32 | self.0 as u64) }
    }
}
