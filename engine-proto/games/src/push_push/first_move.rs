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

#[cfg(test)]
mod tests {
    use super::*;

    fn forbidden(square: &str) -> Vec<String> {
        let step = FirstStep { value: Value::One, square: square.parse().unwrap() };
        bits64(step.forbidden())
            .map(|index| Square { file: index % 8, rank: index / 8 }.to_string())
            .collect()
    }

    #[test]
    fn lines_through_the_centre() {
        assert_eq!(forbidden("d1"), ["d1", "d2", "d3", "d4", "d5", "d6", "d7"]);
        assert_eq!(forbidden("c3"), ["a1", "b2", "c3", "d4", "e5", "f6", "g7"]);
        assert_eq!(forbidden("c2"), ["c2", "d4", "e6"]);
        assert_eq!(forbidden("a3"), ["a3", "d4", "g5"]);
        assert_eq!(forbidden("d4").len(), 49);
    }
}
