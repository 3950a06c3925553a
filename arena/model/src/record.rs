//! The stored result of a match. Ratings and reports read only records.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use engine_proto::{GameId, Side};
use ratings::{Ending, FinishedMatch, MatchResult, MoveList};
use serde::{Deserialize, Serialize};

use super::{FormatVersion, Job};
use crate::escape::cell;

/// The reasons that follow from no rule of a game, apart from time: only the machine that played has seen what the engine did.
pub const FAULTS: [&str; 5] = ["crash", "start-failure", "protocol-error", "illegal-move", "off-turn"];

/// One finished match: a line of `matches.jsonl`. `time_us` is in whole microseconds, `white_ms` and `black_ms` are in
/// whole milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The version of this format.
    #[serde(default)]
    pub format_version: FormatVersion<1>,
    /// The match's number, from 1.
    #[serde(rename = "match")]
    pub number: u32,
    /// The number of the match's pair, from 1.
    pub pair: u32,
    /// The game.
    pub game: GameId,
    /// The name of the limits, if the tournament has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<String>,
    /// The FEN of the start position.
    pub opening: String,
    /// The name of White's engine.
    pub white: String,
    /// The name of Black's engine.
    pub black: String,
    /// The id of White's build; `None` if it is not known (matches of older versions of the arena) or no move was
    /// played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_build: Option<String>,
    /// The id of Black's build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_build: Option<String>,
    /// The result.
    pub result: MatchResult,
    /// Why the match ended: a reason of the game's rules, `repetition`, `quiet`, or one of the arena's own reasons.
    pub reason: String,
    /// The number of moves after the opening.
    pub plies: u32,
    /// The total time of White's moves, in milliseconds.
    pub white_ms: u64,
    /// The total time of Black's moves, in milliseconds.
    pub black_ms: u64,
    /// The evidence if an engine is at fault: what it wrote, its exit status, the end of its standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The delay of the machine, if a move was late while the machine was overloaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_delay: Option<MachineDelay>,
    /// How often the match was played before, lost on time on an overloaded machine, and discarded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attempts_discarded: u32,
    /// Whether engines with the option `Ponder` thought on their opponents' time.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ponder: bool,
    /// The name of the machine that played the match, in a tournament with several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// The factor of all clocks on that machine, in thousandths; `None` if clocks are not scaled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_factor: Option<u32>,
    /// The day on which the match ended, in UTC: `2026-05-01`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The seed of the engine, in a match with a person: that of a tournament's engine follows from the tournament's seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_seed: Option<u64>,
    /// The processor time that White's and Black's engines used while they were not on the move, in microseconds; `None`
    /// if it is less than a millisecond, or not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off_turn_us: Option<[u64; 2]>,
    /// Whether that was more than White's and Black's engines need to finish their moves.
    #[serde(default, skip_serializing_if = "is_neither")]
    pub off_turn_too_much: [bool; 2],
    /// The FEN of the final position.
    pub end: String,
    /// The moves after the opening.
    pub moves: Vec<MoveRecord>,
}

impl Record {
    /// A record of a match that ended before its first move.
    pub fn without_moves(job: &Job, result: MatchResult, reason: &str) -> Self {
        Self {
            number: job.number,
            pair: job.pair,
            limits: job.limits.clone(),
            ponder: job.rules.ponder,
            ..Self::of(job.game, job.opening.clone(), job.names(), result, reason)
        }
    }

    /// A record without moves, of a match of which nothing else is known.
    pub fn of(game: GameId, opening: String, names: [&str; 2], result: MatchResult, reason: &str) -> Self {
        let [white, black] = names.map(str::to_owned);
        Self {
            format_version: FormatVersion,
            number: 1,
            pair: 1,
            game,
            limits: None,
            opening: opening.clone(),
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
            ponder: false,
            worker: None,
            clock_factor: None,
            date: None,
            engine_seed: None,
            off_turn_us: None,
            off_turn_too_much: [false; 2],
            end: opening,
            moves: Vec::new(),
        }
    }

    /// The game as the ratings count it: see [`rated_game`].
    pub fn rated_game(&self) -> Cow<'_, str> {
        rated_game(self.game.id(), self.limits.as_deref())
    }

    /// The match as the ratings count it. `game` is [`Self::rated_game`]. `pair` names its pair: pair numbers start again in every
    /// results folder.
    pub fn finished<'a>(&'a self, game: &'a str, pair: &'a str) -> FinishedMatch<'a> {
        FinishedMatch {
            game,
            white: &self.white,
            black: &self.black,
            result: self.result,
            pair: Some(pair),
            opening: Some(&self.opening),
            moves: MoveList::of(self.moves.iter().map(|mv| mv.mv.as_str())),
            ending: Ending::of_reason(&self.reason),
        }
    }

    /// Whether it was not played because neither engine took part.
    pub fn is_void(&self) -> bool {
        Ending::of_reason(&self.reason).is_void(self.result)
    }

    /// The name of the losing engine, if the match was decided.
    pub fn loser(&self) -> Option<&str> {
        self.result.winner().map(|winner| match winner {
            Side::White => self.black.as_str(),
            Side::Black => self.white.as_str(),
        })
    }
}

/// A game as the ratings count it: one game under two limits is rated as two games, such as `push@short` and `push@long`.
pub fn rated_game<'a>(game: &'a str, limits: Option<&str>) -> Cow<'a, str> {
    limits.map_or(Cow::Borrowed(game), |limits| Cow::Owned(format!("{game}@{limits}")))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
const fn is_zero(n: &u32) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
fn is_neither(value: &[bool; 2]) -> bool {
    *value == [false; 2]
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "signature required by serde")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// For a late move: how long threads waited for a processor. Times are in whole microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineDelay {
    /// How late the move was, without the margin.
    pub overrun_us: u64,
    /// How long the engine waited for a processor.
    pub engine_us: u64,
    /// How long the arena waited for a processor.
    pub arena_us: u64,
}

impl MachineDelay {
    /// The delay that explains a move that was late by `overrun`; `None` if the delay was too short to explain it.
    pub fn of(overrun: Duration, engine: Duration, arena: Duration) -> Option<Self> {
        let us = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        (overrun < engine.max(arena)).then(|| Self {
            overrun_us: us(overrun),
            engine_us: us(engine),
            arena_us: us(arena),
        })
    }

    /// Whether the value is valid: the delay is longer than the overrun.
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
            "the machine was busy: during this move the engine waited {:.1} ms for a processor and the arena {:.1} ms, and the move took {:.1} ms more than its time without the margin",
            ms(engine_us),
            ms(arena_us),
            ms(overrun_us)
        )
    }
}

/// One move of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move's canonical spelling.
    #[serde(rename = "move")]
    pub mv: String,
    /// The side that moved. Sides need not alternate.
    pub side: SideLetter,
    /// Time from sending `go` to receiving `bestmove`, in microseconds.
    pub time_us: u64,
    /// The score that the engine reported, from its own view, in the protocol's spelling: `cp 12`, `win 3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// The depth that the engine reported, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The number of positions that the engine reported to have searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time that the engine reported, in microseconds: the `time` of its last `info`, which has whole
    /// milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_us: Option<u64>,
    /// Time from receiving the previous answer of the match until the `go` of this move begins to be written, in
    /// microseconds. This is the arena's own time, and is on neither clock. `None` for the first move of a match, and in
    /// matches of older versions of the arena.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arena_us: Option<u64>,
    /// The start of the principal variation of the engine's last `info`: at most 16 moves, separated by spaces, as the
    /// engine wrote them. The arena does not check that they are legal. `None` in matches of older versions of the arena.
    #[serde(default, rename = "pv", skip_serializing_if = "Option::is_none")]
    pub principal_variation: Option<String>,
    /// Whether the engine pondered on the opponent's move, so that its clock started at `ponderhit`. The time that it
    /// reported then includes the time of pondering.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ponder_hit: bool,
    /// Whether the engine offered a draw with the move, or accepted one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub draw: bool,
    /// The numbers of the engine's own (`info stat`): the last value of each, for the first 16 names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stats: BTreeMap<String, i64>,
}

impl MoveRecord {
    /// A move of which nothing else is known.
    pub fn new(mv: impl Into<String>, side: SideLetter, time_us: u64) -> Self {
        Self {
            mv: mv.into(),
            side,
            time_us,
            score: None,
            depth: None,
            nodes: None,
            claimed_us: None,
            arena_us: None,
            principal_variation: None,
            ponder_hit: false,
            draw: false,
            stats: BTreeMap::new(),
        }
    }

    /// The time, if it is known: that of a move of a PGN file need not be, and is 0 then.
    pub fn known_time_us(&self) -> Option<u64> {
        (self.time_us != 0).then_some(self.time_us)
    }

    /// The time that the engine reported, if it is the time on its clock: not after pondering.
    pub fn claimed_on_clock_us(&self) -> Option<u64> {
        self.claimed_us.filter(|_| !self.ponder_hit)
    }
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

/// A row of `matches.csv`, with its columns in order.
#[derive(Debug, Serialize)]
pub struct CsvRow<'a> {
    #[serde(rename = "match")]
    number: u32,
    pair: u32,
    game: GameId,
    opening: Cow<'a, str>,
    white: Cow<'a, str>,
    black: Cow<'a, str>,
    result: MatchResult,
    reason: Cow<'a, str>,
    plies: u32,
    white_ms: u64,
    black_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<&'a str>,
}

impl<'a> From<&'a Record> for CsvRow<'a> {
    fn from(record: &'a Record) -> Self {
        Self {
            number: record.number,
            pair: record.pair,
            game: record.game,
            opening: cell(&record.opening),
            white: cell(&record.white),
            black: cell(&record.black),
            result: record.result,
            reason: cell(&record.reason),
            plies: record.plies,
            white_ms: record.white_ms,
            black_ms: record.black_ms,
            limits: record.limits.as_deref(),
        }
    }
}
