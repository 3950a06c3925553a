//! What viewers get, as JSON: only what is new, or everything.

use engine_proto::Games;
use ratings::MatchResult;
use serde::Serialize;
use serde_json::Value;

use super::faults::FaultGroup;
use super::running::{MatchChange, WholeMatch};
use model::referee::Reason;
use model::{Record, Worker};
use report::html::parts::{Board, PlayedGame, StopView, outcome};
use schedule::RoundTable;

/// The changes of a moment; in a snapshot, the state.
#[derive(Debug, Default, Serialize)]
pub struct Frame<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<&'a Progress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standings: Option<&'a Value>,
    /// The tables of tournaments with rounds.
    #[serde(skip_serializing_if = "<[RoundTable]>::is_empty")]
    pub rounds: &'a [RoundTable],
    /// The boards that are not known yet, in the order of their indices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<&'a Board>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub begun: Vec<WholeMatch<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<MatchChange<'a>>,
    /// What the engines that are to move think.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Value>,
    /// The numbers of matches that are no longer being played.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    pub over: &'a [u32],
    /// The newest results; the last one is the newest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub finished: Vec<&'a Finished>,
    /// The matches that ended last, if none is shown while it is played; the last one is the newest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub last: Vec<LastMatch<'a>>,
    /// The faults of an engine with the same cause, as far as there are new ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<&'a FaultGroup>,
    /// Warnings and decisions, in words; the last one is the newest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<&'a str>,
}

impl Frame<'_> {
    /// Whether nothing is new.
    pub fn is_empty(&self) -> bool {
        let Self {
            progress,
            standings,
            rounds,
            boards,
            begun,
            moved,
            thoughts,
            over,
            finished,
            last,
            faults,
            said,
        } = self;
        progress.is_none()
            && standings.is_none()
            && rounds.is_empty()
            && boards.is_empty()
            && begun.is_empty()
            && moved.is_empty()
            && thoughts.is_empty()
            && over.is_empty()
            && finished.is_empty()
            && last.is_empty()
            && faults.is_empty()
            && said.is_empty()
    }
}

/// One of the matches that ended last, with its moves.
#[derive(Debug, Serialize)]
pub struct LastMatch<'a> {
    pub finished: &'a Finished,
    pub moves: WholeMatch<'a>,
}

/// How far the tournament is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Progress {
    pub name: String,
    /// Whether its matches are shown while they are played.
    pub is_fed: bool,
    pub n_finished: u64,
    /// The number of matches, if it is known; the maximum if results may end the tournament early.
    pub n_matches: Option<u64>,
    pub n_running: usize,
    /// The time until the end in words, if it can be estimated.
    pub left: Option<String>,
    /// How many matches are played in a minute or an hour, in words.
    pub speed: Option<String>,
    /// `running`, `stopping`, `stopped`, `ended`; `playing` if another program plays, or `watching` if that is not known.
    pub state: &'static str,
    /// The reports of a tournament that has ended.
    pub reports: Vec<Report>,
    pub workers: Vec<Worker>,
    /// What the stop rules have found.
    pub stops: Vec<StopView>,
    /// Whether a stop rule has ended the tournament.
    pub is_decided: bool,
}

/// The report of a folder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Its address; `None` if there is none, or another version of the arena wrote it, so that its scripts do not run here.
    pub address: Option<String>,
    /// The folder, as commands name it.
    pub folder: String,
}

/// A match that is over.
#[derive(Clone, Debug, Serialize)]
pub struct Finished {
    /// Its name in addresses.
    pub id: String,
    pub game: String,
    pub names: [String; 2],
    /// Twice White's points: 0, 1 or 2.
    pub result: u8,
    /// The result and its reason, for people.
    pub sentence: String,
    pub plies: u32,
    pub is_fault: bool,
    pub is_by_rules: bool,
    pub is_lost_on_time: bool,
}

impl Finished {
    pub fn new(games: &Games, record: &Record, id: String) -> Self {
        let reason = Reason::of_arena(&record.reason);
        Self {
            id,
            game: PlayedGame::of(record).name(games).into_owned(),
            names: [record.white.clone(), record.black.clone()],
            result: match record.result {
                MatchResult::WhiteWins => 2,
                MatchResult::Draw => 1,
                MatchResult::BlackWins => 0,
            },
            sentence: outcome(games, record.game, record.result.winner(), &record.reason),
            plies: record.plies,
            is_fault: reason.is_some_and(Reason::is_fault),
            is_by_rules: reason.is_none(),
            is_lost_on_time: reason == Some(Reason::Time),
        }
    }
}

/// The matches that somebody asked for.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The number of them.
    pub n: usize,
    /// The newest ones; the last one is the newest.
    pub finished: Vec<Finished>,
}
