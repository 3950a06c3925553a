//! The board's geometry: its two sizes, squares, the 8 directions, and the pieces on it.
//!
//! A *board* here is a `u64` with one bit per square: a1 is bit 0, b1 bit 1, a2 bit 8, h8 bit 63. The 6x6 board is the
//! corner a1 to f6 of the 8x8 one.

use std::fmt;

use crate::bits::bits64;
use crate::{Direction, Square};

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
        if file < self.n() && rank < self.n() { Some(Cell(rank * 8 + file)) } else { None }
    }

    /// Black's goal tile: the corner opposite a1, which is White's.
    pub(super) const fn far_corner(self) -> Cell {
        Cell((self.n() - 1) * 9)
    }
}

/// A square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The corner a1, White's goal tile.
    pub(super) const A1: Self = Self(0);

    /// The squares of a board, a1 first, rank by rank.
    pub fn all_of(board: u64) -> impl Iterator<Item = Self> {
        bits64(board).map(Self)
    }

    /// The first square of a board, if it has any.
    pub const fn first_of(board: u64) -> Option<Self> {
        if board == 0 { None } else { Some(Self(board.trailing_zeros() as u8)) }
    }

    /// The square's number: 0 for a1, 1 for b1, 8 for a2, 63 for h8.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The board with only this square.
    pub const fn board(self) -> u64 {
        1 << self.index()
    }

    /// Whether `board` has this square.
    pub const fn is_on(self, board: u64) -> bool {
        board & self.board() != 0
    }

    /// The file, 0 for `a`.
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// The rank, 0 for rank 1.
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// The squares that a chess knight jumps to from here, on the 8x8 board.
    pub const fn jumps(self) -> u64 {
        JUMPS[self.index()]
    }

    /// The next square in a direction; it must be on the board.
    pub(super) const fn next(self, direction: Direction) -> Self {
        Self(self.0.wrapping_add_signed(offset(direction)) & 63)
    }

    /// The direction to another square on a line with this one.
    pub(super) const fn direction_to(self, other: Self) -> Direction {
        let files = (other.file() as i8 - self.file() as i8).signum();
        let ranks = (other.rank() as i8 - self.rank() as i8).signum();
        BY_STEP[(ranks * 3 + files + 4) as usize]
    }
}

impl From<Cell> for Square {
    fn from(cell: Cell) -> Self {
        Self { file: cell.file(), rank: cell.rank() }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Square::from(*self).fmt(f)
    }
}

impl Direction {
    /// The squares of `board`, each moved to the next square in this direction, without those that leave the 8x8 board.
    pub const fn shift(self, board: u64) -> u64 {
        const NOT_A: u64 = !0x0101_0101_0101_0101;
        const NOT_H: u64 = !0x8080_8080_8080_8080;
        match self {
            Self::North => board << 8,
            Self::NorthEast => (board & NOT_H) << 9,
            Self::East => (board & NOT_H) << 1,
            Self::SouthEast => (board & NOT_H) >> 7,
            Self::South => board >> 8,
            Self::SouthWest => (board & NOT_A) >> 9,
            Self::West => (board & NOT_A) >> 1,
            Self::NorthWest => (board & NOT_A) << 7,
        }
    }

    /// The squares of the 8x8 board that lie in this direction from the only square of `origin`; none from no square.
    pub(super) const fn ray(self, origin: u64) -> u64 {
        RAYS[self as usize][origin.trailing_zeros() as usize]
    }

    /// Whether squares further on in this direction have higher numbers.
    pub(super) const fn ascends(self) -> bool {
        0 < offset(self)
    }
}

/// The change of a square's number by a step.
const fn offset(direction: Direction) -> i8 {
    let (file, rank) = direction.step();
    file + 8 * rank
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

/// The direction by the signs of a step's ranks and files. A step of zero has none and is never used.
const BY_STEP: [Direction; 9] = {
    use Direction as D;
    [D::SouthWest, D::South, D::SouthEast, D::West, D::North, D::East, D::NorthWest, D::North, D::NorthEast]
};

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

#[cfg(test)]
mod tests {
    use super::*;

    fn boards(texts: &str) -> u64 {
        texts
            .split_whitespace()
            .map(|text| text.parse::<Square>().unwrap())
            .map(|square| Size::Eight.cell(square.file, square.rank).unwrap().board())
            .fold(0, |board, cell| board | cell)
    }

    fn cell(text: &str) -> Cell {
        Cell::first_of(boards(text)).unwrap()
    }

    #[test]
    fn sizes() {
        for size in [Size::Six, Size::Eight] {
            let cells: Vec<Cell> = Cell::all_of(size.board()).collect();
            assert_eq!(cells.len(), usize::from(size.n()).pow(2));
            assert!(cells.iter().all(|cell| size.cell(cell.file(), cell.rank()) == Some(*cell)));
            assert_eq!(cells[0], Cell::A1);
            assert_eq!(cells.last(), Some(&size.far_corner()));
        }
        assert_eq!(Size::Six.cell(6, 0), None);
        assert_eq!(Size::Eight.cell(0, 8), None);
    }

    #[test]
    fn directions_agree_with_each_other() {
        for direction in Direction::ALL {
            for cell in Cell::all_of(u64::MAX) {
                let shifted = direction.shift(cell.board());
                if shifted == 0 {
                    assert_eq!(direction.ray(cell.board()), 0);
                    continue;
                }
                let next = cell.next(direction);
                assert_eq!(next.board(), shifted);
                assert_eq!(direction.ascends(), cell < next);
                assert_eq!(direction.ray(cell.board()), shifted | direction.ray(shifted));
                for far in Cell::all_of(direction.ray(cell.board())) {
                    assert_eq!(cell.direction_to(far), direction);
                }
            }
            assert_eq!(direction.ray(0), 0);
        }
    }

    #[test]
    fn a_few_squares() {
        assert_eq!(Direction::SouthEast.ray(cell("e4").board()), boards("f3 g2 h1"));
        assert_eq!(Direction::NorthWest.ray(cell("e4").board()), boards("d5 c6 b7 a8"));
        assert_eq!(cell("e4").jumps(), boards("d2 f2 c3 g3 c5 g5 d6 f6"));
        assert_eq!(cell("h8").jumps(), boards("f7 g6"));
        assert_eq!(cell("a2").jumps(), boards("c1 c3 b4"));
    }
}
