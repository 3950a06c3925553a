//! The limits of a search: the words after `go`.

use std::fmt;
use std::time::Duration;

use super::LineError;
use super::words::{split_word, unsigned, unsigned32};
use crate::Side;

/// The limits of one search. All given limits apply together; without any, the search is infinite.
///
/// Times are whole milliseconds on the wire. `Display` writes the whole line, `go` and the tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The remaining time on each side's clock, by [`Side::index`]: `p1time`, `p2time`.
    pub time: [Option<Duration>; 2],
    /// The increment of each side's clock after a move: `p1inc`, `p2inc`.
    pub increment: [Duration; 2],
    /// The number of moves until the next time control: `movestogo`.
    pub moves_to_go: Option<u32>,
    /// The time for this move: `movetime`.
    pub move_time: Option<Duration>,
    /// The maximum depth, in plies.
    pub depth: Option<u32>,
    /// The maximum number of positions.
    pub nodes: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
}

impl Limits {
    /// The remaining time of `side`.
    pub fn time_of(&self, side: Side) -> Option<Duration> {
        self.time[side.index()]
    }

    /// The increment of `side`.
    pub fn increment_of(&self, side: Side) -> Duration {
        self.increment[side.index()]
    }

    /// Whether only `stop` ends a search for `side`: `infinite` is given, or nothing limits this side.
    pub fn is_infinite(&self, side: Side) -> bool {
        let has_limit = self.time_of(side).is_some()
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some();
        self.infinite || !has_limit
    }

    /// Parses the words after `go`. Unknown words are ignored; if one occurs twice, the last one counts; a negative
    /// time counts as zero.
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
