//! The board's geometry: squares, directions, straight lines, and the edge.
//!
//! A *board* here is a `u64` with one bit per square: a1 is bit 0, b1 bit 1, a2 bit 8, h8 bit 63.

use std::fmt;

use crate::bits::bits64;
use crate::{Direction, Square};

/// A square of the 8x8 board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The square on this file and this rank, both counted from 0, if the board has it.
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 { Some(Self(rank * 8 + file)) } else { None }
    }

    /// The squares of a board, a1 first.
    pub fn all_of(board: u64) -> impl Iterator<Item = Self> {
        bits64(board).map(Self)
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

    /// The square this number of king's steps away; it must be on the board.
    pub(super) const fn step(self, direction: Direction, steps: u8) -> Self {
        Self(self.0.wrapping_add(direction.offset().wrapping_mul(steps)) & 63)
    }

    /// The direction and the number of king's steps to another square, if the two are on one line.
    pub(super) fn line_to(self, other: Self) -> Option<(Direction, u8)> {
        let files = other.file() as i8 - self.file() as i8;
        let ranks = other.rank() as i8 - self.rank() as i8;
        if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
            return None;
        }
        let step = (files.signum(), ranks.signum());
        let direction = Direction::ALL.into_iter().find(|direction| direction.step() == step)?;
        Some((direction, files.abs().max(ranks.abs()) as u8))
    }
}

impl TryFrom<Square> for Cell {
    type Error = Square;

    /// # Errors
    /// The square itself, if the board has no such square.
    fn try_from(square: Square) -> Result<Self, Square> {
        Self::new(square.file, square.rank).ok_or(square)
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
    /// The change of a square's number by one step, modulo 64.
    const fn offset(self) -> u8 {
        let (file, rank) = self.step();
        ((file + 8 * rank) & 63) as u8
    }
}

/// A set of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directions(u8);

impl Directions {
    /// The directions in which at least `steps` squares follow `from` before the edge.
    pub fn with_room(from: Cell, steps: u8) -> Self {
        WITH_ROOM[usize::from(steps)][from.index()]
    }

    /// The set without one direction.
    pub const fn without(self, direction: Direction) -> Self {
        Self(self.0 & !(1 << direction as u8))
    }

    /// The directions of the set, clockwise.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        bits64(u64::from(self.0)).map(|idx| Direction::ALL[usize::from(idx & 7)])
    }
}

/// The board of the `length` squares that follow `from` in a direction; they must be on the board.
pub(super) fn line(from: Cell, direction: Direction, length: u8) -> u64 {
    LINES[direction as usize][usize::from(length)].rotate_left(from.index() as u32)
}

/// The squares of `board` and their neighbours.
pub(super) const fn spread(board: u64) -> u64 {
    const NOT_FILE_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_FILE_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let sideways = board | (board << 1 & NOT_FILE_A) | (board >> 1 & NOT_FILE_H);
    sideways | sideways << 8 | sideways >> 8
}

/// The squares whose neighbour in this direction is on `board`.
pub(super) fn before(board: u64, direction: Direction) -> u64 {
    board.rotate_right(u32::from(direction.offset())) & NOT_AT_EDGE[direction as usize]
}

/// The number of directions with room for this number of steps, minus one, summed over the squares of `board`.
pub(super) fn count_with_room(board: u64, steps: u8) -> u32 {
    let [ones, twos, fours] = SPARE_DIRECTIONS[usize::from(steps)];
    (board & ones).count_ones() + 2 * (board & twos).count_ones() + 4 * (board & fours).count_ones()
}

/// By direction and length, the lines that start next to square 0, with squares modulo 64. Rotated by the number of
/// another square, they are the lines that start there, as long as these stay on the board.
static LINES: [[u64; 8]; 8] = {
    let mut lines = [[0; 8]; 8];
    let mut d = 0;
    while d < 8 {
        let mut length = 1;
        while length < 8 {
            let last = Cell(0).step(Direction::ALL[d], length as u8);
            lines[d][length] = lines[d][length - 1] | last.board();
            length += 1;
        }
        d += 1;
    }
    lines
};

/// By number of steps and square.
static WITH_ROOM: [[Directions; 64]; 8] = {
    let mut table = [[Directions(0); 64]; 8];
    let mut steps = 0;
    while steps < 8 {
        let mut cell = 0;
        while cell < 64 {
            let mut d = 0;
            while d < 8 {
                if has_room(Cell(cell as u8), Direction::ALL[d], steps as i8) {
                    table[steps][cell].0 |= 1 << d;
                }
                d += 1;
            }
            cell += 1;
        }
        steps += 1;
    }
    table
};

/// By direction, the squares that have a neighbour there.
static NOT_AT_EDGE: [u64; 8] = {
    let mut boards = [0; 8];
    let mut cell = 0;
    while cell < 64 {
        let mut d = 0;
        while d < 8 {
            if has_room(Cell(cell), Direction::ALL[d], 1) {
                boards[d] |= Cell(cell).board();
            }
            d += 1;
        }
        cell += 1;
    }
    boards
};

/// By number of steps: the number of directions with room for them from each square, minus one, as three boards for its
/// bits 1, 2 and 4. A square without such a direction is in none of them.
static SPARE_DIRECTIONS: [[u64; 3]; 8] = {
    let mut table = [[0; 3]; 8];
    let mut steps = 0;
    while steps < 8 {
        let mut cell = 0;
        while cell < 64 {
            let spare = WITH_ROOM[steps][cell].0.count_ones().saturating_sub(1);
            let mut bit = 0;
            while bit < 3 {
                if spare >> bit & 1 != 0 {
                    table[steps][bit] |= 1 << cell;
                }
                bit += 1;
            }
            cell += 1;
        }
        steps += 1;
    }
    table
};

const fn has_room(from: Cell, direction: Direction, steps: i8) -> bool {
    let (file, rank) = direction.step();
    let file = from.file() as i8 + steps * file;
    let rank = from.rank() as i8 + steps * rank;
    0 <= file && file < 8 && 0 <= rank && rank < 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> Cell {
        text.parse::<Square>().unwrap().try_into().unwrap()
    }

    fn board(texts: &str) -> u64 {
        texts.split(' ').map(|text| cell(text).board()).sum()
    }

    #[test]
    fn squares_have_their_names() {
        for cell in Cell::all_of(u64::MAX) {
            assert_eq!(Cell::try_from(Square::from(cell)), Ok(cell));
            assert_eq!(Cell::new(cell.file(), cell.rank()), Some(cell));
        }
        assert_eq!(Cell::all_of(u64::MAX).count(), 64);
        assert_eq!((cell("a1").index(), cell("b1").index(), cell("h8").index()), (0, 1, 63));
        assert_eq!((Cell::new(8, 0), Cell::new(0, 8)), (None, None));
    }

    #[test]
    fn lines_run_in_all_directions() {
        assert_eq!(line(cell("b2"), Direction::NorthEast, 2), board("c3 d4"));
        assert_eq!(line(cell("h1"), Direction::NorthWest, 7), board("g2 f3 e4 d5 c6 b7 a8"));
        assert_eq!(line(cell("d4"), Direction::South, 3), board("d3 d2 d1"));
        assert_eq!(line(cell("a8"), Direction::East, 1), board("b8"));
    }

    #[test]
    fn two_squares_on_a_line_give_it() {
        for from in Cell::all_of(u64::MAX) {
            for direction in Direction::ALL {
                for steps in (1..8).take_while(|&steps| has_room(from, direction, steps as i8)) {
                    let to = from.step(direction, steps);
                    assert_eq!(from.line_to(to), Some((direction, steps)));
                    assert!(to.is_on(line(from, direction, steps)));
                    assert_eq!(line(from, direction, steps).count_ones(), u32::from(steps));
                }
            }
        }
        assert_eq!(cell("a1").line_to(cell("b3")), None);
        assert_eq!(cell("a1").line_to(cell("a1")), None);
    }

    #[test]
    fn nothing_runs_over_the_edge() {
        assert_eq!(spread(board("a4")), board("a3 a4 a5 b3 b4 b5"));
        assert_eq!(spread(board("h8")), board("g7 g8 h7 h8"));
        assert_eq!(before(board("a4 h1 c3"), Direction::East), board("g1 b3"));
        assert_eq!(before(board("a4 h1 c3"), Direction::SouthWest), board("b5 d4"));
    }

    #[test]
    fn spare_directions_are_those_with_room_but_one() {
        for from in Cell::all_of(u64::MAX) {
            for steps in 1..8 {
                let room = Directions::with_room(from, steps);
                for barred in room.iter() {
                    let left = room.without(barred).iter().count();
                    assert_eq!(count_with_room(from.board(), steps), left as u32);
                }
            }
        }
    }
}
