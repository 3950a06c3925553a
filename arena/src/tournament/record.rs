//! What is stored of a match. Ratings and reports read records only.

use std::fmt;
use std::time::Duration;

use engine_proto::{GameId, Side};
use ratings::{Ending, MatchResult};
use serde::{Deserialize, Serialize};

use super::{FormatVersion, Job};

/// One match that was played: a line of `matches.jsonl`. Times are whole microseconds in `time_us`, whole milliseconds
/// in `white_ms` and `black_ms`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The version of this form.
    #[serde(default)]
    pub format_version: FormatVersion<1>,
    /// The match's number, from 1.
    #[serde(rename = "match")]
    pub number: u32,
    /// The number of its pair, from 1.
    pub pair: u32,
    /// The game.
    pub game: GameId,
    /// The FEN that it started from.
    pub opening: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The id of White's build; none if it is not known, as in matches of older arenas, or nothing was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_build: Option<String>,
    /// The id of Black's build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_build: Option<String>,
    /// Who won.
    pub result: MatchResult,
    /// Why: a reason of the game's rules, `repetition`, `quiet`, or one of the arena's own.
    pub reason: String,
    /// The number of moves played from the opening on.
    pub plies: u32,
    /// The time that White's moves took in all.
    pub white_ms: u64,
    /// The time that Black's moves took in all.
    pub black_ms: u64,
    /// What the reason rests on, where an engine is at fault: what it said, its exit status, its last words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// What the machine had to do with it, where a move was too late and the machine was busy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_delay: Option<MachineDelay>,
    /// How often the match was played before and lost on time with a busy machine, without counting.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attempts_discarded: u32,
    /// The FEN of the last position.
    pub end: String,
    /// The moves from the opening on.
    pub moves: Vec<MoveRecord>,
}

impl Record {
    /// A match that ended before its first move.
    pub fn without_moves(job: &Job, result: MatchResult, reason: &str) -> Self {
        let [white, black] = job.names().map(str::to_owned);
        Self {
            format_version: FormatVersion,
            number: job.number,
            pair: job.pair,
            game: job.game,
            opening: job.opening.clone(),
            white,
            black,
            white_build: None,
            black_build: None,
            result,
            reason: reason.to_owned(),
            plies: 0,
            white_ms: 0,
            black_ms: 0,
            evidence: None,
            machine_delay: None,
            attempts_discarded: 0,
            end: job.opening.clone(),
            moves: Vec::new(),
        }
    }

    /// The name of the engine that lost, if one did.
    pub fn loser(&self) -> Option<&str> {
        self.result.winner().map(|winner| match winner {
            Side::White => self.black.as_str(),
            Side::Black => self.white.as_str(),
        })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Of a move that came too late: threads waited for a processor for longer than that. Times are whole microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineDelay {
    /// How much too late it was, the margin not counted.
    pub overrun_us: u64,
    /// How long the engine waited for a processor.
    pub engine_us: u64,
    /// How long the arena waited for one.
    pub arena_us: u64,
}

impl MachineDelay {
    /// The delay that was to blame for a move that came `overrun` too late; `None` if there was none so long.
    pub fn of(overrun: Duration, engine: Duration, arena: Duration) -> Option<Self> {
        let us = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        (overrun < engine.max(arena)).then(|| Self {
            overrun_us: us(overrun),
            engine_us: us(engine),
            arena_us: us(arena),
        })
    }

    /// Whether it holds what it must: a delay that is longer than the move was late.
    pub const fn is_longer_than_overrun(&self) -> bool {
        self.overrun_us <= self.engine_us || self.overrun_us <= self.arena_us
    }
}

impl fmt::Display for MachineDelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |us: u64| us as f64 / 1000.0;
        let Self { overrun_us, engine_us, arena_us } = *self;
        write!(
            f,
            "the machine was busy: during this move the engine waited {:.1} ms for a processor and the arena {:.1} ms; the move was {:.1} ms too late",
            ms(engine_us),
            ms(arena_us),
            ms(overrun_us)
        )
    }
}

/// How a match that ended for `reason` came to its result. Knows the arena's reasons, and what other tools write as PGN's
/// `Termination`, in any case and with `-`, `_` or a space between words.
pub fn ending(reason: &str) -> Ending {
    const START_FAILURE: &str = "start failure";
    const FORFEITS: [&str; 15] = [
        // The arena's own.
        "time",
        "illegal move",
        "crash",
        "protocol error",
        "retired",
        // Other tools'.
        "time forfeit",
        "timeout",
        "forfeit",
        "abandoned",
        "disconnect",
        "disconnected",
        "stall",
        "stalled",
        "stalled connection",
        "rules infraction",
    ];
    let plain = |byte: u8| match byte {
        b'-' | b'_' => b' ',
        other => other.to_ascii_lowercase(),
    };
    let is = |words: &str| words.len() == reason.len() && reason.bytes().map(plain).eq(words.bytes());
    if is(START_FAILURE) {
        Ending::NotStarted
    } else if FORFEITS.into_iter().any(is) {
        Ending::Forfeited
    } else {
        Ending::Played
    }
}

/// One move of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move's spelling.
    #[serde(rename = "move")]
    pub mv: String,
    /// Whose move it was. Sides need not alternate.
    pub side: SideLetter,
    /// From the command's writing to the answer's reading, in microseconds.
    pub time_us: u64,
    /// The score that the engine claimed, from its own view, as the protocol spells it: `cp 12`, `win 3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// The depth that it claimed, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The positions that it claimed to have searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time that it claimed, in microseconds: the `time` of its last `info`, which is in whole milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_us: Option<u64>,
    /// From the reading of the match's last answer to the writing of the `go` for this move, in microseconds. It is the
    /// arena's own time, and on nobody's clock. A match's first move has none, nor have matches of older arenas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arena_us: Option<u64>,
}

/// A side as a record spells it: `w` or `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SideLetter {
    /// White.
    #[serde(rename = "w")]
    White,
    /// Black.
    #[serde(rename = "b")]
    Black,
}

impl From<Side> for SideLetter {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// What `matches.csv` holds of a match, its columns in order.
#[derive(Debug, Serialize)]
pub struct CsvRow<'a> {
    #[serde(rename = "match")]
    number: u32,
    pair: u32,
    game: GameId,
    opening: &'a str,
    white: &'a str,
    black: &'a str,
    result: MatchResult,
    reason: &'a str,
    plies: u32,
    white_ms: u64,
    black_ms: u64,
}

impl<'a> From<&'a Record> for CsvRow<'a> {
    fn from(record: &'a Record) -> Self {
        Self {
            number: record.number,
            pair: record.pair,
            game: record.game,
            opening: &record.opening,
            white: &record.white,
            black: &record.black,
            result: record.result,
            reason: &record.reason,
            plies: record.plies,
            white_ms: record.white_ms,
            black_ms: record.black_ms,
        }
    }
}
