//! The pieces on the board: four values, and the ball.

use crate::Side;

/// The value of a piece. It pushes only pieces of lower value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Value {
    /// Value 1, `A`.
    One = 1,
    /// Value 2, `B`.
    Two = 2,
    /// Value 3, `C`.
    Three = 3,
    /// Value 4, `D`.
    Four = 4,
}

impl Value {
    /// All values, ascending.
    pub const ALL: [Self; 4] = [Self::One, Self::Two, Self::Three, Self::Four];

    /// 0 for value 1 to 3 for value 4: to index arrays of four.
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The number of pieces of this value that a side has at the start, and at most.
    pub const fn most(self) -> u32 {
        match self {
            Self::Four => 1,
            _ => 2,
        }
    }
}

/// The content of a square that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occupant {
    /// The ball, which is neutral.
    Ball,
    /// A piece.
    Piece(Side, Value),
}

impl Occupant {
    /// Its sign in a FEN.
    pub const fn sign(self) -> char {
        match self {
            Self::Ball => '*',
            Self::Piece(Side::White, value) => (b'A' - 1 + value as u8) as char,
            Self::Piece(Side::Black, value) => (b'a' - 1 + value as u8) as char,
        }
    }

    /// The content for a sign of a FEN, if it is one.
    pub const fn from_sign(sign: char) -> Option<Self> {
        Some(match sign {
            '*' => Self::Ball,
            'A' => Self::Piece(Side::White, Value::One),
            'B' => Self::Piece(Side::White, Value::Two),
            'C' => Self::Piece(Side::White, Value::Three),
            'D' => Self::Piece(Side::White, Value::Four),
            'a' => Self::Piece(Side::Black, Value::One),
            'b' => Self::Piece(Side::Black, Value::Two),
            'c' => Self::Piece(Side::Black, Value::Three),
            'd' => Self::Piece(Side::Black, Value::Four),
            _ => return None,
        })
    }
}
