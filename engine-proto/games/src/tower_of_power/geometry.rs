//! Straight lines and the edge. A *board* here is a `u64`: see [`crate::bitboard`].

use crate::Direction;
use crate::bitboard::Cell;
use crate::bits::bits64;

/// The direction and the number of king's steps from one square to another, if the two are on one line.
pub(super) fn line_between(from: Cell, to: Cell) -> Option<(Direction, u8)> {
    let (direction, steps) = (from.direction_to(to), from.distance(to));
    let is_on_line = steps > 0 && has_room(from, direction, steps as i8) && from.step(direction, steps) == to;
    is_on_line.then_some((direction, steps))
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

/// The squares whose neighbour in this direction is on `board`.
pub(super) fn before(board: u64, direction: Direction) -> u64 {
    /// By direction, the squares that have a neighbour there.
    static NOT_AT_EDGE: [u64; 8] = {
        let mut boards = [0; 8];
        let mut d = 0;
        while d < 8 {
            boards[d] = Direction::ALL[d].opposite().shift(u64::MAX);
            d += 1;
        }
        boards
    };
    board.rotate_right(direction.rotation()) & NOT_AT_EDGE[direction as usize]
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
            let last = Cell::A1.step(Direction::ALL[d], length as u8);
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
                if has_room(Cell::with_index(cell as u8), Direction::ALL[d], steps as i8) {
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
    file >= 0 && file < 8 && rank >= 0 && rank < 8
}
