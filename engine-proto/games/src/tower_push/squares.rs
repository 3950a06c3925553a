//! Squares, sets of squares and directions, on the grid of the largest board: smaller boards are its lower left corner.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXorAssign, Not};

use crate::Direction;
use crate::bitboard;
use crate::bits::bits128;

/// The files and the ranks of the grid.
const WIDTH: u8 = 11;
const N_CELLS: usize = WIDTH as usize * WIDTH as usize;
const GRID: u128 = (1 << N_CELLS) - 1;
const FIRST_FILE: u128 = {
    let mut file = 0;
    let mut rank = 0;
    while rank < WIDTH {
        file |= 1 << (rank * WIDTH);
        rank += 1;
    }
    file
};
const LAST_FILE: u128 = FIRST_FILE << (WIDTH - 1);

/// A square of the grid. Its number is the same on all boards.
pub type Cell = bitboard::Cell<WIDTH>;

impl Cell {
    /// The next square in a direction; `None` outside the grid.
    pub fn next(self, direction: Direction) -> Option<Self> {
        NEXT[self.index()][direction as usize]
    }

    /// The squares one king move away, including those of the grid that the board does not have.
    pub fn neighbours(self) -> Squares {
        NEIGHBOURS[self.index()]
    }
}

/// A set of squares: the bit of a square is its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct Squares(u128);

impl Squares {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// One square.
    pub const fn of(cell: Cell) -> Self {
        Self(1 << cell.index())
    }

    /// The bits, the lowest for `a1`; see [`Cell`].
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// How many squares there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a square is among them.
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// Whether all the `others` are among them.
    pub const fn contains_all(self, others: Self) -> bool {
        others.0 & !self.0 == 0
    }

    /// The union of these squares and the `others`: `|` for constants.
    pub const fn union(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These squares without the `others`: `& !` for constants.
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The squares, by ascending number.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        bits128(self.0).map(Cell::with_index)
    }

    /// Every square moved by one in a direction, without those that leave the grid.
    pub const fn shifted(self, direction: Direction) -> Self {
        let (files, ranks) = direction.step();
        let staying = match files {
            1 => self.0 & !LAST_FILE,
            -1 => self.0 & !FIRST_FILE,
            _ => self.0,
        };
        let distance = ranks * WIDTH as i8 + files;
        Self(if distance > 0 { (staying << distance) & GRID } else { staying >> -distance })
    }

    /// The sum of the sizes of all sets.
    pub fn total(sets: [Self; 8]) -> u32 {
        // Adds the eight bits of each square first. This halves the counting of bits, which is slow if the compiler may
        // not use an instruction for it.
        let [a, b, c, d, e, f, g, h] = sets.map(|set| set.0);
        let (ones_1, twos_1) = sum_of_three(a, b, c);
        let (ones_2, twos_2) = sum_of_three(d, e, f);
        let (ones_3, twos_3) = sum_of_three(g, ones_1, ones_2);
        let (twos, fours) = sum_of_three(twos_1, twos_2, twos_3);
        ones_3.count_ones() + h.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones()
    }

    /// All neighbours of these squares, including those of these squares that are neighbours of each other.
    pub const fn neighbours(self) -> Self {
        let beside = Self(self.shifted(Direction::East).0 | self.shifted(Direction::West).0);
        let row = Self(beside.0 | self.0);
        Self(beside.0 | row.shifted(Direction::North).0 | row.shifted(Direction::South).0)
    }
}

/// The low and the high bit of the sum of three bits, in each place.
const fn sum_of_three(a: u128, b: u128, c: u128) -> (u128, u128) {
    (a ^ b ^ c, (a & b) | (c & (a ^ b)))
}

impl BitAnd for Squares {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Squares {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0 & GRID)
    }
}

impl BitAndAssign for Squares {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Squares {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Squares {
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl Direction {
    /// The direction that leads from a square to its neighbour.
    ///
    /// # Panics
    /// If the squares are not neighbours.
    pub fn between(from: Cell, neighbour: Cell) -> Self {
        match neighbour.index() as i8 - from.index() as i8 {
            11 => Self::North,
            12 => Self::NorthEast,
            1 => Self::East,
            -10 => Self::SouthEast,
            -11 => Self::South,
            -12 => Self::SouthWest,
            -1 => Self::West,
            10 => Self::NorthWest,
            _ => unreachable!("neighbours are one king move apart"),
        }
    }
}

static NEXT: [[Option<Cell>; 8]; N_CELLS] = {
    let mut next = [[None; 8]; N_CELLS];
    let mut idx = 0;
    while idx < N_CELLS {
        let square = Cell::with_index(idx as u8).square();
        let mut d = 0;
        while d < 8 {
            let (files, ranks) = Direction::ALL[d].step();
            // One step below 0 wraps to 255, which is outside the grid like 11.
            next[idx][d] =
                Cell::new(square.file.wrapping_add_signed(files), square.rank.wrapping_add_signed(ranks));
            d += 1;
        }
        idx += 1;
    }
    next
};

static NEIGHBOURS: [Squares; N_CELLS] = {
    let mut neighbours = [Squares::EMPTY; N_CELLS];
    let mut idx = 0;
    while idx < N_CELLS {
        neighbours[idx] = Squares::of(Cell::with_index(idx as u8)).neighbours();
        idx += 1;
    }
    neighbours
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::mix64;

    #[test]
    fn the_total_of_sets_is_the_sum_of_their_lengths() {
        for n in 0..100 {
            let sets = [0, 1, 2, 3, 4, 5, 6, 7].map(|set| {
                let [low, high] = [0, 8].map(|half| u128::from(mix64(n * 16 + set + half)));
                Squares((high << 64 | low) & GRID)
            });
            assert_eq!(Squares::total(sets), sets.iter().map(|set| set.len()).sum());
        }
        assert_eq!(Squares::total([!Squares::EMPTY; 8]), 8 * 121);
    }
}
