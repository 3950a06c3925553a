//! The program that has the rules of a game of the user, and what it says about the game.

use serde::{Deserialize, Serialize};

use super::Cage;

/// The program that has the rules of a game of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RefereeProgram {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Limits and sandbox of its process.
    #[serde(default, skip_serializing_if = "Cage::is_open")]
    pub cage: Cage,
    /// What it said about the game; empty before it was asked.
    #[serde(default)]
    pub info: RefereeInfo,
}

impl RefereeProgram {
    /// A program that is to be asked about itself.
    pub fn new(command: Vec<String>, cage: Cage) -> Self {
        Self { command, cage, info: RefereeInfo::default() }
    }
}

/// What a referee program says about its game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct RefereeInfo {
    /// The name for people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The rules, in Markdown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// The start positions; the first one is the default.
    pub starts: Vec<RefereeStart>,
    /// Every reason for which the rules end the game; empty for any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The number of moves without progress at which a game is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet_limit: Option<u32>,
    /// The typical number of moves of a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typical_plies: Option<u32>,
}

/// A named start position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefereeStart {
    /// The name.
    pub name: String,
    /// The position.
    pub fen: String,
}
