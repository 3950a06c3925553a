//! What ends a match beside the rules of its game.

use serde::{Deserialize, Serialize};

/// What ends a match beside the rules of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MatchRules {
    /// After this number of plies a match is a draw, reason `move-cap`.
    pub max_plies: u32,
    /// When a match is ended because both engines hold it for decided.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
}

/// When a match is adjudicated. Without a rule: never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// When it is a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// When it is won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<WinRule>,
}

impl Adjudication {
    /// Whether no match is adjudicated.
    pub const fn is_off(&self) -> bool {
        self.draw.is_none() && self.win.is_none()
    }
}

/// Both engines claim that the position is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DrawRule {
    /// Both scores lie between minus this and this, in hundredths of the engines' units.
    pub score: u32,
    /// For this number of moves of each side in a row.
    pub moves: u32,
    /// Not before this number of plies of the match.
    pub after_plies: u32,
}

/// Both engines claim that the same side wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinRule {
    /// One score is at least this, the other at most minus this, in hundredths of the engines' units.
    pub score: u32,
    /// For this number of moves of each side in a row.
    pub moves: u32,
}
