//! The hills: each square's height, fixed for a game, and the die that determines them (section Start positions).

use super::board::Size;
use crate::bitboard::Cell;
use crate::bits::{GAMMA, output};

/// The height of the highest squares.
pub const HIGHEST: u8 = 2;

/// The height of every square of a board; also the board's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terrain {
    /// By height, the squares of that height: every square of the board is in one of the three.
    levels: [u64; HIGHEST as usize + 1],
}

impl Terrain {
    /// The board without a cube.
    pub(super) const fn flat(size: Size) -> Self {
        Self { levels: [size.board(), 0, 0] }
    }

    /// The terrain of a seed, by the source's procedure with a die.
    pub(super) fn thrown(size: Size, seed: u64) -> Self {
        let mut die = Die { state: seed };
        let first = die.lucky(size.board());
        let second = die.lucky(first);
        Self { levels: [size.board() & !first, first & !second, second] }
    }

    /// The squares of a height: 0, 1 or 2.
    pub const fn level(&self, height: usize) -> u64 {
        self.levels[height]
    }

    /// A square's height: 0, 1 or 2.
    pub const fn height(&self, cell: Cell) -> u8 {
        cell.is_on(self.levels[1]) as u8 + 2 * cell.is_on(self.levels[2]) as u8
    }

    /// The squares of the board.
    pub const fn board(&self) -> u64 {
        self.levels[0] | self.levels[1] | self.levels[2]
    }

    /// The size of the board.
    pub const fn size(&self) -> Size {
        if Size::Eight.far_corner().is_on(self.board()) { Size::Eight } else { Size::Six }
    }

    /// Sets the height of a square of the board: 0, 1 or 2.
    pub(super) fn set(&mut self, cell: Cell, height: usize) {
        for level in &mut self.levels {
            *level &= !cell.board();
        }
        self.levels[height] |= cell.board();
    }
}

/// The die: SplitMix64, as defined on the page.
struct Die {
    state: u64,
}

impl Die {
    /// Rolls once for each square of `board`, rank by rank from a1: the squares with a 5 or a 6.
    fn lucky(&mut self, board: u64) -> u64 {
        Cell::all_of(board).filter(|_| self.roll() >= 5).fold(0, |lucky, cell| lucky | cell.board())
    }

    fn roll(&mut self) -> u64 {
        self.next() % 6 + 1
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        output(self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_die_of_seed_1() {
        let mut die = Die { state: 1 };
        assert_eq!(
            [die.next(), die.next(), die.next()],
            [10_451_216_379_200_822_465, 13_757_245_211_066_428_519, 17_911_839_290_282_890_590]
        );
        let mut die = Die { state: 1 };
        assert_eq!([(); 8].map(|()| die.roll()), [6, 2, 1, 6, 4, 3, 4, 4]);
    }
}
