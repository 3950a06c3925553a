//! The board as bits: squares, directions and the margin beyond the edges.
//!
//! Square (file, rank), both from 0, is bit `8 * rank + file`. Bit 7 of every row and the whole eighth row are a
//! margin, so that a step is a rotation of all 64 bits: a step off the 7x7 squares leads to the margin and never to
//! another square of the board. The eighth row is both south of rank 1 and north of rank 7.

use crate::Square;

/// The number of files and of ranks.
pub const SIZE: u8 = 7;

/// All squares of the board.
pub const BOARD: u64 = 0x007F_7F7F_7F7F_7F7F;

/// The squares of files a and g and of ranks 1 and 7.
pub const EDGE: u64 = 0x007F_4141_4141_417F;

/// The squares of rank 7: beyond them White's goal lies, and Black's beyond [`RANK_1`].
pub const RANK_7: u64 = 0x7F << 48;

/// The squares of rank 1.
pub const RANK_1: u64 = 0x7F;

/// The squares that a push may bring the ball to: the board, and directly beyond rank 7 and rank 1. The rest of the
/// margin is beyond the edges of files a and g, which the ball may not cross (section Moves, case 3.2).
pub(super) const OPEN_TO_BALL: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// The bit of a square of the board.
pub const fn bit(square: Square) -> u64 {
    1 << (8 * square.rank + square.file)
}

/// The square of the lowest bit of `squares`, which has one on the board.
pub const fn square(squares: u64) -> Square {
    let index = squares.trailing_zeros() as u8;
    Square { file: index % 8, rank: index / 8 }
}

/// Whether the board has the square.
pub const fn has(square: Square) -> bool {
    square.file < SIZE && square.rank < SIZE
}

/// One of the eight directions of a step. As a number, the rotation that takes all squares one step that way: a table
/// of rotations for [`crate::Direction`] costs searches of this game 7 % more instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Towards rank 7.
    North = 8,
    /// Towards rank 7 and file g.
    NorthEast = 9,
    /// Towards file g.
    East = 1,
    /// Towards rank 1 and file g.
    SouthEast = 64 - 7,
    /// Towards rank 1.
    South = 64 - 8,
    /// Towards rank 1 and file a.
    SouthWest = 64 - 9,
    /// Towards file a.
    West = 64 - 1,
    /// Towards rank 7 and file a.
    NorthWest = 7,
}

impl Direction {
    /// All directions, clockwise.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// Those along a file or a rank.
    pub const ORTHOGONAL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction from one square to another, if they are neighbours on the board.
    pub fn between(from: u64, to: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.ahead(from) == to)
    }

    /// The squares one step from `squares` in this direction; off the board, they are bits of the margin.
    #[inline]
    pub const fn ahead(self, squares: u64) -> u64 {
        squares.rotate_left(self as u32)
    }

    /// The squares from which one step in this direction leads to `squares`: the inverse of [`Self::ahead`].
    #[inline]
    pub const fn behind(self, squares: u64) -> u64 {
        squares.rotate_right(self as u32)
    }

    /// The two directions perpendicular to an orthogonal one.
    const fn sideways(self) -> Option<[Self; 2]> {
        match self {
            Self::North | Self::South => Some([Self::East, Self::West]),
            Self::East | Self::West => Some([Self::North, Self::South]),
            _ => None,
        }
    }
}

/// The target of the ball in a deflected push in this direction, if the squares of pusher and ball allow one (section
/// Moves, Deflected push).
pub(super) fn deflected(ball: u64, direction: Direction) -> Option<u64> {
    let [one, other] = direction.sideways()?;
    let pusher = direction.behind(ball);
    if pusher & EDGE == 0 || ball & EDGE == 0 {
        return None;
    }
    // Both are at one edge, so one square next to the ball is on the board: the inward one.
    let inward = (one.ahead(ball) | other.ahead(ball)) & BOARD;
    let normal = direction.ahead(ball);
    Some(if normal & BOARD == 0 { inward } else { direction.ahead(inward) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::{bits64, keys};

    #[test]
    fn the_constants_are_what_they_say() {
        let squares = |wanted: fn(Square) -> bool| {
            (0..SIZE)
                .flat_map(|rank| (0..SIZE).map(move |file| Square { file, rank }))
                .filter(|square| wanted(*square))
                .fold(0, |squares, square| squares | bit(square))
        };
        assert_eq!(BOARD, squares(|_| true));
        assert_eq!(EDGE, squares(|s| [0, 6].contains(&s.file) || [0, 6].contains(&s.rank)));
        assert_eq!(RANK_1, squares(|s| s.rank == 0));
        assert_eq!(RANK_7, squares(|s| s.rank == 6));
        // No factor of a fingerprint is 0.
        assert!(keys::<8>().iter().all(|key| key & !BOARD != 0));
    }

    #[test]
    fn there_are_48_deflections_each_to_one_square() {
        let mut n_pairs = 0;
        for ball in bits64(BOARD).map(|index| 1 << index) {
            for to in Direction::ALL.into_iter().filter_map(|direction| deflected(ball, direction)) {
                n_pairs += 1;
                assert_eq!((to & BOARD).count_ones(), 1);
            }
        }
        assert_eq!(n_pairs, 48);
    }
}
