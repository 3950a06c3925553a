//! The restriction of White's very first step on Black's answer (section Moves, Black's first move).

use super::pieces::Value;
use super::terrain::{BOARD, bit};
use crate::Square;
use crate::bits::bits64;

/// The piece with which White made the very first step of the game, and the square it stepped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FirstStep {
    /// The value of the piece.
    pub value: Value,
    /// The square it stepped to.
    pub square: Square,
}

impl FirstStep {
    /// The squares to which Black may not step with a piece of this value: those on a straight line with
    /// [`Self::square`] and d4.
    pub fn forbidden(self) -> u64 {
        let (x1, y1) = from_centre(self.square);
        bits64(BOARD)
            .map(|index| Square { file: index % 8, rank: index / 8 })
            .filter(|target| {
                let (x2, y2) = from_centre(*target);
                x1 * y2 == x2 * y1
            })
            .fold(0, |squares, target| squares | bit(target))
    }
}

/// File and rank counted from d4.
fn from_centre(square: Square) -> (i32, i32) {
    (i32::from(square.file) - 3, i32::from(square.rank) - 3)
}
