//! The result of one match.

use std::fmt;
use std::str::FromStr;

use games::Side;
use serde::{Deserialize, Serialize};

/// The result of a match, written as in PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MatchResult {
    /// White won: `1-0`.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won: `0-1`.
    #[serde(rename = "0-1")]
    BlackWins,
    /// A draw: `1/2-1/2`.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl MatchResult {
    /// The result when `winner` won; a draw if there is no winner.
    pub const fn of(winner: Option<Side>) -> Self {
        match winner {
            Some(Side::White) => Self::WhiteWins,
            Some(Side::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::WhiteWins => Some(Side::White),
            Self::BlackWins => Some(Side::Black),
            Self::Draw => None,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl FromStr for MatchResult {
    type Err = UnknownResult;

    fn from_str(text: &str) -> Result<Self, UnknownResult> {
        [Self::WhiteWins, Self::BlackWins, Self::Draw]
            .into_iter()
            .find(|result| result.text() == text)
            .ok_or_else(|| UnknownResult { text: games::fen::shown(text) })
    }
}

/// A text that is not a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a result: `1-0`, `0-1` or `1/2-1/2`")]
pub struct UnknownResult {
    /// The text as given.
    pub text: String,
}
