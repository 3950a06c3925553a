//! What an engine tells of its search: the line `info`.

use std::time::Duration;

/// A score from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of the engine's own unit.
    Centi(i32),
    /// The side to move wins in so many moves.
    Win(u32),
    /// The side to move loses in so many moves.
    Loss(u32),
}

/// One `info` line. What is `None` or empty is not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth reached, in plies.
    pub depth: Option<u32>,
    /// The deepest line looked at, in plies.
    pub seldepth: Option<u32>,
    /// Which of several lines this is, from 1.
    pub multipv: Option<u32>,
    /// The value of the position.
    pub score: Option<Score>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions searched per second.
    pub nps: Option<u64>,
    /// Time since `go`, in whole milliseconds on the wire.
    pub time: Option<Duration>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The expected moves, the next one first.
    pub pv: Vec<String>,
    /// Free text.
    pub string: Option<String>,
}
