//! The command `go`: the limits of a search, and what else the engine is told about it.

use std::fmt;
use std::time::Duration;

use super::words::{split_before, split_word, unsigned, unsigned32, write_words};
use super::{LineError, Words};
use crate::Side;

/// The command `go`. `Display` writes the whole line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// The limits of the search.
    pub limits: Limits,
    /// `ponder`: the opponent is still thinking. The search goes on, and no move is sent, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// `drawoffer`: the opponent offers a draw.
    pub draw_offer: bool,
    /// `searchmoves`: the only moves to choose from; empty for all.
    pub search_moves: Words<'a>,
}

impl<'a> Go<'a> {
    /// Parses the words after `go`. Unknown words are ignored; if one occurs twice, the last one counts; a negative
    /// time counts as zero. The moves of `searchmoves` end at the next known word.
    pub(super) fn parse(mut text: &'a str) -> Result<Self, LineError> {
        let mut go = Self::default();
        loop {
            let (key, rest) = split_word(text);
            text = match key {
                "" => return Ok(go),
                "ponder" => {
                    go.ponder = true;
                    rest
                }
                "drawoffer" => {
                    go.draw_offer = true;
                    rest
                }
                "searchmoves" => {
                    let (moves, after) = split_before(rest, is_key);
                    go.search_moves = Words::new(moves);
                    after
                }
                _ => go.limits.read(key, rest)?,
            };
        }
    }
}

impl From<Limits> for Go<'_> {
    fn from(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }
}

impl fmt::Display for Go<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        self.limits.fmt(f)?;
        if self.draw_offer {
            f.write_str(" drawoffer")?;
        }
        if !self.search_moves.is_empty() {
            f.write_str(" searchmoves")?;
            write_words(f, self.search_moves)?;
        }
        Ok(())
    }
}

fn is_key(word: &str) -> bool {
    matches!(
        word,
        "ponder"
            | "drawoffer"
            | "searchmoves"
            | "p1time"
            | "p2time"
            | "p1inc"
            | "p2inc"
            | "movestogo"
            | "movetime"
            | "depth"
            | "nodes"
            | "infinite"
    )
}

/// The limits of one search. All given limits apply together; without any, the search is infinite.
///
/// Times are whole milliseconds on the wire, rounded down. `Display` writes the words after `go`, each with a space
/// before it.
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
    /// The limits when `side` has used some of its time.
    #[must_use]
    pub fn after(mut self, side: Side, used: Duration) -> Self {
        let own = &mut self.time[side.index()];
        for time in [own, &mut self.move_time].into_iter().flatten() {
            *time = time.saturating_sub(used);
        }
        self
    }

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

    /// Reads the limit `key` from the text after it. Returns the text behind the limit, or the same text if `key` is
    /// not a limit.
    fn read<'a>(&mut self, key: &str, rest: &'a str) -> Result<&'a str, LineError> {
        let (value, after) = split_word(rest);
        let missing = LineError::malformed("go", "a number is missing after a limit");
        let milliseconds = || match value.strip_prefix('-') {
            Some(below_zero) => unsigned(below_zero).map(|_| Duration::ZERO).ok_or(missing),
            None => unsigned(value).map(Duration::from_millis).ok_or(missing),
        };
        match key {
            "p1time" => self.time[0] = Some(milliseconds()?),
            "p2time" => self.time[1] = Some(milliseconds()?),
            "p1inc" => self.increment[0] = milliseconds()?,
            "p2inc" => self.increment[1] = milliseconds()?,
            "movestogo" => self.moves_to_go = Some(unsigned32(value).ok_or(missing)?),
            "movetime" => self.move_time = Some(milliseconds()?),
            "depth" => self.depth = Some(unsigned32(value).ok_or(missing)?),
            "nodes" => self.nodes = Some(unsigned(value).ok_or(missing)?),
            "infinite" => {
                self.infinite = true;
                return Ok(rest);
            }
            _unknown => return Ok(rest),
        }
        Ok(after)
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, time) in ["p1time", "p2time"].into_iter().zip(self.time) {
            if let Some(time) = time {
                write!(f, " {key} {}", milliseconds(time))?;
            }
        }
        for (key, increment) in ["p1inc", "p2inc"].into_iter().zip(self.increment) {
            if !increment.is_zero() {
                write!(f, " {key} {}", milliseconds(increment))?;
            }
        }
        if let Some(moves) = self.moves_to_go {
            write!(f, " movestogo {moves}")?;
        }
        if let Some(time) = self.move_time {
            write!(f, " movetime {}", milliseconds(time))?;
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

/// Whole milliseconds. The 128 bits of `as_millis` take longer to write, and this is done for every move.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
