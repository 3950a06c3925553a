//! One move of a running match, as sent to reporters.

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
    /// The side that moved.
    pub side: SideLetter,
    /// The move's canonical spelling.
    #[serde(rename = "move")]
    pub mv: String,
    /// The time that the move took, in microseconds.
    pub time_us: u64,
    /// The remaining time on White's and Black's clock after the move, in milliseconds; `None` for a side without a
    /// clock.
    pub clocks_ms: [Option<u64>; 2],
    /// The score that the engine reported, from its own view: `cp 12`, `win 3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// The depth that the engine reported, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of positions that the engine reported to have searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The principal variation, starting with the move just made, separated by spaces; as in
    /// [`MoveRecord`](super::MoveRecord).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal_variation: Option<String>,
}
