//! How long an engine may think about a move: the tokens after `go`. What to make of them is the engine's business.

use std::fmt;
use std::time::Duration;

use super::LineError;
use super::words::{split_word, unsigned, unsigned32};
use crate::Side;

/// The limits of one search. All that are given hold together; with none, the search is infinite.
///
/// Times are whole milliseconds on the wire. `Display` writes the whole line, `go` and the tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

    /// What the clock of `side` gains after its move.
    pub fn increment_of(&self, side: Side) -> Duration {
        self.increment[side.index()]
    }

    /// Whether a search for `side` has no end but `stop`: `infinite` is given, or nothing that limits that side.
    pub fn is_infinite(&self, side: Side) -> bool {
        let has_limit = self.time_of(side).is_some()
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some();
        self.infinite || !has_limit
    }

    /// Reads what follows `go`. Unknown tokens are ignored; of a token given twice the last counts; a time below zero
    /// counts as zero.
    pub(super) fn parse(mut text: &str) -> Result<Self, LineError> {
        let mut limits = Self::default();
        loop {
            let (key, rest) = split_word(text);
            let (value, after) = split_word(rest);
            let missing = LineError::malformed("go", "a number is missing after a limit");
            let milliseconds = || match value.strip_prefix('-') {
                Some(below_zero) => unsigned(below_zero).map(|_| Duration::ZERO).ok_or(missing),
                None => unsigned(value).map(Duration::from_millis).ok_or(missing),
            };
            text = after;
            match key {
                "" => return Ok(limits),
                "p1time" => limits.time[0] = Some(milliseconds()?),
                "p2time" => limits.time[1] = Some(milliseconds()?),
                "p1inc" => limits.increment[0] = milliseconds()?,
                "p2inc" => limits.increment[1] = milliseconds()?,
                "movestogo" => limits.moves_to_go = Some(unsigned32(value).ok_or(missing)?),
                "movetime" => limits.move_time = Some(milliseconds()?),
                "depth" => limits.depth = Some(unsigned32(value).ok_or(missing)?),
                "nodes" => limits.nodes = Some(unsigned(value).ok_or(missing)?),
                "infinite" => {
                    limits.infinite = true;
                    text = rest;
                }
                _unknown => text = rest,
            }
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        for (key, time) in ["p1time", "p2time"].into_iter().zip(self.time) {
            if let Some(time) = time {
                write!(f, " {key} {}", time.as_millis())?;
            }
        }
        for (key, increment) in ["p1inc", "p2inc"].into_iter().zip(self.increment) {
            if !increment.is_zero() {
                write!(f, " {key} {}", increment.as_millis())?;
            }
        }
        if let Some(moves) = self.moves_to_go {
            write!(f, " movestogo {moves}")?;
        }
        if let Some(time) = self.move_time {
            write!(f, " movetime {}", time.as_millis())?;
        }
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        Ok(())
    }
}
