//! How long an engine may think about a move: the tokens after `go`.

use std::time::Duration;

use crate::Side;

/// The limits of one search. All that are given hold together; with none, the search is infinite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left on each side's clock, by [`Side::index`]: `p1time`, `p2time`.
    pub time: [Option<Duration>; 2],
    /// What each side's clock gains after a move: `p1inc`, `p2inc`.
    pub increment: [Duration; 2],
    /// Moves until more time comes: `movestogo`.
    pub moves_to_go: Option<u32>,
    /// Time for this move: `movetime`.
    pub move_time: Option<Duration>,
    /// Search no deeper than this, in plies.
    pub depth: Option<u32>,
    /// Search no more positions than this.
    pub nodes: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
}

impl Limits {
    /// The time left on the clock of `side`.
    pub fn time_of(&self, side: Side) -> Option<Duration> {
        self.time[side.index()]
    }
}
