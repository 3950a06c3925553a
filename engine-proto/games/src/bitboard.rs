//! Squares by number, and bitboards: sets of squares as the bits of one integer. The games on up to 8x8 squares share
//! them.
//!
//! Square `a1` is bit 0, `b1` is bit 1, `a2` is bit 8, `h8` is bit 63. A smaller board is the corner at `a1`:
//!
//! ```text
//! 8 | 56 57 58 59 60 61 62 63      8 | .  .  .  .  .  .  .  .
//! 7 | 48 49 50 51 52 53 54 55      7 | .  .  .  .  .  .  .  .
//! 6 | 40 41 42 43 44 45 46 47      6 | X  X  X  X  X  X  .  .
//! 5 | 32 33 34 35 36 37 38 39      5 | X  X  X  X  X  X  .  .
//! 4 | 24 25 26 27 28 29 30 31      4 | X  X  X  X  X  X  .  .
//! 3 | 16 17 18 19 20 21 22 23      3 | X  X  X  X  X  X  .  .
//! 2 |  8  9 10 11 12 13 14 15      2 | X  X  X  X  X  X  .  .
//! 1 |  0  1  2  3  4  5  6  7      1 | X  X  X  X  X  X  .  .
//!      a  b  c  d  e  f  g  h         the 6x6 board: 0x00003F3F3F3F3F3F
//! ```
//!
//! A `u64` named *board* in these games is such a set. Tower Push, whose largest board has 121 squares, numbers them in the
//! same way, 11 to a rank ([`Cell<11>`](Cell)); Four Towers has a board of another shape.

use std::fmt;

use crate::bits::bits64;
use crate::{Direction, Square};

/// A square of a grid with `WIDTH` files and ranks, by its number: `WIDTH` for each rank, 1 for each file, 0 for `a1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell<const WIDTH: u8 = 8>(u8);

impl<const WIDTH: u8> Cell<WIDTH> {
    /// The corner `a1`.
    pub const A1: Self = Self(0);

    /// The square on this file and rank, both from 0; `None` outside the grid.
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < WIDTH && rank < WIDTH { Some(Self(rank * WIDTH + file)) } else { None }
    }

    /// The square with this number, which must be on the grid.
    pub(crate) const fn with_index(index: u8) -> Self {
        Self(index)
    }

    /// The square's number.
    pub const fn index(self) -> usize {
        // The mask changes nothing. It tells the compiler that the index is below 64.
        (if WIDTH == 8 { self.0 & 63 } else { self.0 }) as usize
    }

    /// The file, 0 for `a`.
    pub const fn file(self) -> u8 {
        self.0 % WIDTH
    }

    /// The rank, 0 for rank 1.
    pub const fn rank(self) -> u8 {
        self.0 / WIDTH
    }

    /// The square's name.
    pub const fn square(self) -> Square {
        Square { file: self.file(), rank: self.rank() }
    }

    /// The number of king's steps to another square.
    pub const fn distance(self, other: Self) -> u8 {
        let (files, ranks) = (self.file().abs_diff(other.file()), self.rank().abs_diff(other.rank()));
        if files > ranks { files } else { ranks }
    }
}

impl Cell {
    /// The squares of a board, `a1` first, rank by rank.
    pub fn all_of(board: u64) -> impl Iterator<Item = Self> {
        bits64(board).map(Self)
    }

    /// The first square of a board, if it has any.
    pub const fn first_of(board: u64) -> Option<Self> {
        if board == 0 { None } else { Some(Self(board.trailing_zeros() as u8)) }
    }

    /// The board with only this square.
    pub const fn board(self) -> u64 {
        1 << self.index()
    }

    /// Whether `board` has this square.
    pub const fn is_on(self, board: u64) -> bool {
        board & self.board() != 0
    }

    /// The square this number of king's steps away; it must be on the board.
    pub(crate) const fn step(self, direction: Direction, steps: u8) -> Self {
        Self(self.0.wrapping_add((direction.rotation() as u8).wrapping_mul(steps)) & 63)
    }

    /// The direction to another square on a line with this one.
    pub const fn direction_to(self, other: Self) -> Direction {
        /// By the signs of ranks and files. A step of zero has none and is never used.
        const BY_STEP: [Direction; 9] = {
            use Direction as D;
            [
                D::SouthWest,
                D::South,
                D::SouthEast,
                D::West,
                D::North,
                D::East,
                D::NorthWest,
                D::North,
                D::NorthEast,
            ]
        };
        let files = (other.file() as i8 - self.file() as i8).signum();
        let ranks = (other.rank() as i8 - self.rank() as i8).signum();
        BY_STEP[(ranks * 3 + files + 4) as usize]
    }

    /// The squares that a chess knight jumps to from here.
    pub const fn jumps(self) -> u64 {
        JUMPS[self.index()]
    }
}

impl<const WIDTH: u8> From<Cell<WIDTH>> for Square {
    fn from(cell: Cell<WIDTH>) -> Self {
        cell.square()
    }
}

impl<const WIDTH: u8> fmt::Display for Cell<WIDTH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.square().fmt(f)
    }
}

const NOT_FILE_A: u64 = !0x0101_0101_0101_0101;
const NOT_FILE_H: u64 = !0x8080_8080_8080_8080;

impl Direction {
    /// The squares of `board`, each moved to the next square in this direction, without those that leave the 8x8 board.
    #[inline]
    pub const fn shift(self, board: u64) -> u64 {
        match self {
            Self::North => board << 8,
            Self::NorthEast => (board & NOT_FILE_H) << 9,
            Self::East => (board & NOT_FILE_H) << 1,
            Self::SouthEast => (board & NOT_FILE_H) >> 7,
            Self::South => board >> 8,
            Self::SouthWest => (board & NOT_FILE_A) >> 9,
            Self::West => (board & NOT_FILE_A) >> 1,
            Self::NorthWest => (board & NOT_FILE_A) << 7,
        }
    }

    /// The squares of the 8x8 board that lie in this direction from the only square of `origin`; none from no square.
    pub(crate) const fn ray(self, origin: u64) -> u64 {
        RAYS[self as usize][origin.trailing_zeros() as usize]
    }

    /// The change of a square's number by a step on the 8x8 board, modulo 64: a rotation of the board by so many bits
    /// takes every square one step, and squares at the edge around it.
    pub(crate) const fn rotation(self) -> u32 {
        const ROTATIONS: [u32; 8] = [8, 9, 1, 64 - 7, 64 - 8, 64 - 9, 64 - 1, 7];
        ROTATIONS[self as usize]
    }
}

/// The squares of `board` and their neighbours.
#[inline]
pub const fn spread(board: u64) -> u64 {
    let row = board | (board << 1 & NOT_FILE_A) | (board >> 1 & NOT_FILE_H);
    row | row << 8 | row >> 8
}

/// By direction and square: the squares in that direction. Square 64 means none.
static RAYS: [[u64; 65]; 8] = {
    let mut rays = [[0; 65]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut square = 0;
        while square < 64 {
            let mut front = Direction::ALL[direction].shift(1 << square);
            while front != 0 {
                rays[direction][square] |= front;
                front = Direction::ALL[direction].shift(front);
            }
            square += 1;
        }
        direction += 1;
    }
    rays
};

/// By square: the squares that a chess knight jumps to.
static JUMPS: [u64; 64] = {
    use Direction as D;
    let mut jumps = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (north, south) = (D::North.shift(1 << square), D::South.shift(1 << square));
        let (east, west) = (D::East.shift(1 << square), D::West.shift(1 << square));
        jumps[square] = D::NorthEast.shift(north | east)
            | D::SouthEast.shift(south | east)
            | D::SouthWest.shift(south | west)
            | D::NorthWest.shift(north | west);
        square += 1;
    }
    jumps
};

/// The board with these squares, for tests.
#[cfg(test)]
pub(crate) fn board(names: &str) -> u64 {
    names.split_whitespace().map(|name| cell(name).board()).fold(0, |board, cell| board | cell)
}

/// The square with this name, for tests.
#[cfg(test)]
pub(crate) fn cell<const WIDTH: u8>(name: &str) -> Cell<WIDTH> {
    let square: Square = name.parse().expect("the name of a square");
    Cell::new(square.file, square.rank).expect("a square of the grid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_their_names() {
        for here in Cell::all_of(u64::MAX) {
            assert_eq!(cell::<8>(&here.to_string()), here);
            assert_eq!(Cell::new(here.file(), here.rank()), Some(here));
        }
        assert_eq!(["a1", "b1", "a2", "h8"].map(|name| cell::<8>(name).index()), [0, 1, 8, 63]);
        assert_eq!(["a1", "k1", "a2", "k11"].map(|name| cell::<11>(name).index()), [0, 10, 11, 120]);
        assert_eq!((Cell::<8>::new(8, 0), Cell::<8>::new(0, 8)), (None, None));
        assert_eq!((Cell::<11>::new(11, 0), Cell::<11>::new(0, 11)), (None, None));
    }

    #[test]
    fn directions_agree_with_each_other() {
        for direction in Direction::ALL {
            for here in Cell::all_of(u64::MAX) {
                let shifted = direction.shift(here.board());
                if shifted == 0 {
                    assert_eq!(direction.ray(here.board()), 0);
                    continue;
                }
                assert_eq!(here.step(direction, 1).board(), shifted);
                assert_eq!(direction.opposite().shift(shifted), here.board());
                assert_eq!(direction.ray(here.board()), shifted | direction.ray(shifted));
                for far in Cell::all_of(direction.ray(here.board())) {
                    assert_eq!(here.direction_to(far), direction);
                    assert_eq!(here.step(direction, here.distance(far)), far);
                }
            }
            assert_eq!(direction.ray(0), 0);
        }
    }

    #[test]
    fn a_few_squares() {
        assert_eq!(Direction::SouthEast.ray(board("e4")), board("f3 g2 h1"));
        assert_eq!(Direction::NorthWest.ray(board("e4")), board("d5 c6 b7 a8"));
        assert_eq!(cell::<8>("e4").jumps(), board("d2 f2 c3 g3 c5 g5 d6 f6"));
        assert_eq!(cell::<8>("h8").jumps(), board("f7 g6"));
        assert_eq!(cell::<8>("a2").jumps(), board("c1 c3 b4"));
        assert_eq!(spread(board("a4")), board("a3 a4 a5 b3 b4 b5"));
        assert_eq!(spread(board("h8")), board("g7 g8 h7 h8"));
    }
}
