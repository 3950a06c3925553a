//! Time control: how long an engine may think, and how long the arena waits for other answers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long an engine may think. All given limits apply together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TimeControl {
    /// Time on the clock at the start of a match.
    #[serde(default, with = "humantime_serde", skip_serializing_if = "Option::is_none")]
    pub base: Option<Duration>,
    /// Time added to the clock after each move.
    #[serde(with = "humantime_serde")]
    pub increment: Duration,
    /// After this number of moves, `base` is added again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_to_go: Option<u32>,
    /// Time for each move.
    #[serde(default, with = "humantime_serde", skip_serializing_if = "Option::is_none")]
    pub move_time: Option<Duration>,
    /// Number of positions for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth for each move, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How far the clock may fall below zero before the match is lost.
    #[serde(with = "humantime_serde")]
    pub margin: Duration,
    /// The time limit of a move without a clock or `movetime`.
    #[serde(with = "humantime_serde")]
    pub think_timeout: Duration,
}

impl TimeControl {
    /// No limit but the timeout of a move.
    pub const fn unlimited(think_timeout: Duration) -> Self {
        Self {
            base: None,
            increment: Duration::ZERO,
            moves_to_go: None,
            move_time: None,
            nodes: None,
            depth: None,
            margin: Duration::ZERO,
            think_timeout,
        }
    }

    /// Whether time limits the engine's moves, not only nodes or depth.
    pub const fn is_timed(&self) -> bool {
        self.base.is_some() || self.move_time.is_some()
    }
}

/// How long the arena waits for answers outside of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeouts {
    /// From the start of the process to `ugiok`.
    #[serde(with = "humantime_serde")]
    pub start: Duration,
    /// From `isready` to `readyok` before a match.
    #[serde(with = "humantime_serde")]
    pub ready: Duration,
    /// From `quit` to the exit of the process.
    #[serde(with = "humantime_serde")]
    pub quit: Duration,
}
