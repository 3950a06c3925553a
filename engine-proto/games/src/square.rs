//! A square's name. Each game numbers its squares in its own way.

use std::fmt;
use std::str::FromStr;

/// A square by file and rank, both counted from 0: `c4` is `Square { file: 2, rank: 3 }`.
///
/// The text form is a letter `a` to `z` and a rank from 1 to 99 without a leading zero. The game decides whether its
/// board has the square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The file, 0 for `a`.
    pub file: u8,
    /// The rank, 0 for rank 1.
    pub rank: u8,
}

impl Square {
    /// The square at the start of `text`, and the rest. It reads all digits, at most two.
    pub fn split_from(text: &str) -> Option<(Self, &str)> {
        let bytes = text.as_bytes();
        let file = bytes.first().filter(|b| b.is_ascii_lowercase())? - b'a';
        let tens = bytes.get(1).filter(|b| (b'1'..=b'9').contains(b))? - b'0';
        match bytes.get(2).filter(|b| b.is_ascii_digit()) {
            Some(ones) => Some((Self { file, rank: tens * 10 + (ones - b'0') - 1 }, &text[3..])),
            None => Some((Self { file, rank: tens - 1 }, &text[2..])),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Self, NotASquare> {
        match Self::split_from(text) {
            Some((square, "")) => Ok(square),
            _ => Err(NotASquare),
        }
    }
}

/// A text that is not the name of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square: a letter and a rank such as `c4`")]
pub struct NotASquare;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for text in ["a1", "c4", "k11", "z99"] {
            assert_eq!(text.parse::<Square>().unwrap().to_string(), text);
        }
        for text in ["", "a", "a0", "a01", "A1", "1a", "a1 ", "a100", "é1", "aé"] {
            assert_eq!(text.parse::<Square>(), Err(NotASquare), "{text}");
        }
    }

    #[test]
    fn head_of_a_move() {
        let (from, rest) = Square::split_from("a10b11").unwrap();
        assert_eq!((from.to_string().as_str(), rest), ("a10", "b11"));
    }
}
