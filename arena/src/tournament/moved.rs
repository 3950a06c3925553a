//! One move of a match under way, as reporters are told of it.

use serde::{Deserialize, Serialize};

use super::SideLetter;

/// A move that was just made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Moved {
    /// The match's number, from 1.
    #[serde(rename = "match")]
    pub number: u32,
    /// The move's number in the match, from 1.
    pub ply: u32,
    /// Whose move it was.
    pub side: SideLetter,
    /// The move's spelling.
    #[serde(rename = "move")]
    pub mv: String,
    /// The time that it took, in microseconds.
    pub time_us: u64,
    /// What White's and Black's clock show after it, in milliseconds; `None` for a side without a clock.
    pub clocks_ms: [Option<u64>; 2],
    /// The score that the engine claimed, from its own view: `cp 12`, `win 3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// The depth that it claimed, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The positions that it claimed to have searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The moves that it expects, the move just made first, with spaces between; cut where it is very long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal_variation: Option<String>,
}
