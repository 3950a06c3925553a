//! The two sides. Which side moves next is part of the position, not of this type.

use std::fmt;
use std::ops::Not;

/// A player's side: White is the first player (`p1` in the protocol), Black the second (`p2`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The first player, `w`.
    White,
    /// The second player, `b`.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black: an index for arrays of two.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of a FEN's side field: `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// Whose a piece of this side is, in a sentence for `reader`: `your`, `White's` or `Black's`.
    pub fn whose(self, reader: Self) -> &'static str {
        match self {
            side if side == reader => "your",
            Self::White => "White's",
            Self::Black => "Black's",
        }
    }

    /// What this side does, in a sentence for `reader`: `you place` or `White places`.
    pub fn does(self, verb: &str, reader: Self) -> String {
        if self == reader { format!("you {verb}") } else { format!("{self} {verb}s") }
    }

    /// Parses the side field of a FEN.
    pub fn from_letter(text: &str) -> Option<Self> {
        match text {
            "w" => Some(Self::White),
            "b" => Some(Self::Black),
            _ => None,
        }
    }
}

impl Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}
