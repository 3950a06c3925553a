//! What coordinator and workers say to each other, as JSON. A message comes from another machine: it is bounded, and
//! what it claims is checked where it is used.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::parcels::Parcel;
use super::referees::Files;
use model::{Build, FormatVersion, Job, Moved, Record, SetAside, Tournament, hex};

/// The version of all messages.
const VERSION: u32 = 2;

/// The largest message that is read.
const MOST_BYTES: usize = 16 << 20;

/// The number of hexadecimal digits of a hash.
const HASH_DIGITS: usize = 32;

/// Sent by the coordinator every second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Announcement {
    /// The version of all messages.
    pub format_version: FormatVersion<VERSION>,
    /// The tournament's name.
    pub name: String,
    /// The hash of the invitation.
    pub invitation: String,
    /// Whether the tournament has ended.
    pub is_over: bool,
    /// Whether workers send the moves of the matches that they play.
    #[serde(default)]
    pub wants_moves: bool,
    /// How often each worker says what it does, at least, in milliseconds. Many workers do so rarely.
    pub beat_ms: u64,
    /// Workers play the tournament with the highest priority.
    #[serde(default)]
    pub priority: i32,
    /// The number of workers that take part.
    #[serde(default)]
    pub n_workers: usize,
    /// The workers that were set aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
}

impl Announcement {
    /// Why this worker was set aside; `None` if it was not.
    pub fn why_set_aside(&self, worker: &str) -> Option<&str> {
        self.set_aside
            .iter()
            .find(|set_aside| set_aside.worker == worker)
            .map(|set_aside| set_aside.why.as_str())
    }
}

/// All that a worker must know to play a tournament: the reply to a request to join.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Invitation {
    /// The tournament.
    pub tournament: Tournament,
    /// The builds of the engines that started at the coordinator.
    pub builds: Vec<Build>,
    /// The time after which the pairs of a silent worker are played by others, in milliseconds.
    pub lease_ms: u64,
    /// The files of the engines, if workers get them from the coordinator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parcels: Vec<Parcel>,
    /// The files of the programs with the rules, by the id of the game.
    #[serde(default, skip_serializing_if = "Files::is_empty")]
    pub referees: Files,
    /// Whether engines join and leave while the tournament is played. Then it has none, and each order brings those that it needs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
}

/// What a worker needs to start an engine of an open tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Program {
    /// Its build at the coordinator.
    pub build: Build,
    /// Its files, if workers get them from the coordinator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parcels: Vec<Parcel>,
}

/// A pair to play, for one worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Order {
    /// The version of all messages.
    pub format_version: FormatVersion<VERSION>,
    /// The hash of the invitation that the order belongs to.
    pub invitation: String,
    /// The number of the pair.
    pub pair: u32,
    /// How often the pair was ordered, from 1.
    pub attempt: u32,
    /// The matches of the pair that are not finished.
    pub jobs: Vec<Job>,
    /// The programs of their engines, if the tournament is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Program>,
}

/// The matches of an order, played: one message of the stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// The version of all messages.
    pub format_version: FormatVersion<VERSION>,
    /// The number of the pair.
    pub pair: u32,
    /// Which order of the pair was played.
    pub attempt: u32,
    /// The hash of the order.
    pub order: String,
    /// The matches, in the order of the jobs.
    pub records: Vec<Record>,
}

/// The state of a worker: sent every second, or less often if there are many workers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate fact")]
pub struct State {
    /// The version of all messages.
    pub format_version: FormatVersion<VERSION>,
    /// The hash of the invitation that the worker has accepted or refused.
    pub invitation: String,
    /// Distinguishes workers with the same name: drawn by each process.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub process: String,
    /// The number of pairs that it can play at the same time.
    pub places: u16,
    /// The numbers of the matches that are being played.
    pub playing: Vec<u32>,
    /// The hashes of the orders that it holds: pairs that are played, or whose outcome is not confirmed.
    pub holds: Vec<String>,
    /// Why it does not take part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// What it cannot do at present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Whether it does not take part because a program with the rules has failed there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rules_failed: bool,
    /// The engines of an open tournament that it cannot play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    /// Whether it has the strict sandbox, in which engines of strangers play, if the tournament is open.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_strict_sandbox: bool,
    /// Whether it wants no more pairs at present.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pauses: bool,
    /// Whether it leaves.
    pub is_leaving: bool,
}

/// Moves of matches in progress, for those that watch. A message may be lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Moves {
    /// The moves, in order.
    pub moves: Vec<Moved>,
    /// The hashes of the orders that their matches belong to, by the numbers of the matches.
    pub orders: BTreeMap<u32, String>,
}

/// Sent by the coordinator when the journal has the outcome of an order, or does not want it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Receipt {
    /// The hash of the order.
    pub order: String,
}

/// Why a message of another version of the program cannot be read, and what helps; `None` if it has this version.
pub fn other_version(payload: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    struct Head {
        format_version: u32,
    }
    let Head { format_version } = decode(payload).ok()?;
    (format_version != VERSION).then(|| {
        format!("its messages have version {format_version}, and those of this program version {VERSION}; install the same version of the arena on all machines")
    })
}

/// The hash of a message's content.
pub fn hash(payload: &[u8]) -> String {
    let mut digits = hex(&Sha256::digest(payload));
    digits.truncate(HASH_DIGITS);
    digits
}

/// The message as it is sent.
pub fn encode(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages are JSON")
}

/// Reads a message.
///
/// # Errors
/// If it is too large, or not of this type; in words.
pub fn decode<T: DeserializeOwned>(payload: &[u8]) -> Result<T, String> {
    if MOST_BYTES < payload.len() {
        return Err(format!("{} bytes are too many", payload.len()));
    }
    serde_json::from_slice(payload).map_err(|error| engine_proto::fen::shown(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_another_version_are_named() {
        assert_eq!(other_version(&encode(&State::default())), None);
        let why = other_version(br#"{"format-version": 3, "news": [1]}"#).unwrap();
        assert!(why.contains("version 3") && why.contains("version 2"), "{why}");
        assert!(other_version(b"garbage").is_none() && other_version(b"{}").is_none());
    }
}
