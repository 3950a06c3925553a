//! The vocabulary of a tournament: what is to be played, what happens, what is stored of it. Plain values that serialise
//! both ways and carry the version of their form; a stored one of an earlier version is read, one of a later version is
//! refused with a clear reason. It knows no files, processes or terminals.

mod build;
mod cage;
mod engine;
mod event;
mod format_version;
mod job;
mod match_rules;
mod moved;
mod record;
#[cfg(test)]
pub mod samples;
mod size;
mod stop;
mod time_control;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use engine_proto::GameId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use build::{Build, BuildFile, IdLines, Run, hex};
pub use cage::Cage;
pub use engine::Engine;
pub use event::{Event, Reporter};
pub use format_version::FormatVersion;
pub use job::{Job, Player};
pub use match_rules::{Adjudication, DrawRule, MatchRules, WinRule};
pub use moved::Moved;
pub use record::{CsvRow, MachineDelay, MoveRecord, Record, SideLetter, ending};
pub use size::{NoSize, Size};
pub use stop::{Decided, EloModelKey, PrecisionRule, Question, RuleName, Scope, SprtRule, StopRules};
pub use time_control::{TimeControl, Timeouts};

/// A tournament as it is played: every default filled in, every reference resolved, everything checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Tournament {
    /// The version of this form. Version 1 was the configuration itself, without this key.
    pub format_version: FormatVersion<2>,
    /// Its name.
    pub name: String,
    /// Pairs of matches per pairing and game, where `pairings` says nothing else.
    pub pairs: u32,
    /// What openings, terrain and the engines' own seeds are drawn from.
    pub seed: u64,
    /// The folder for the results.
    pub results: PathBuf,
    /// An engine that has lost this number of matches by its own fault takes no further part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_faults: Option<u32>,
    /// What becomes of matches that are lost on time while the machine is late.
    pub on_machine_delay: OnMachineDelay,
    /// Who meets whom.
    pub format: Format,
    /// What all matches together may take of this machine.
    pub resources: Resources,
    /// What ends a match beside the rules of its game.
    pub rules: MatchRules,
    /// When it ends before all its matches are played.
    #[serde(default, skip_serializing_if = "StopRules::is_empty")]
    pub stop: StopRules,
    /// The games, in order.
    pub games: Vec<GameSetup>,
    /// Engines that meet more or less often than the others. The first entry that is about a pairing holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairings: Vec<PairingPairs>,
    /// The engines, in order.
    pub engines: Vec<Arc<Engine>>,
}

impl Tournament {
    /// The games, in order.
    pub fn game_ids(&self) -> Vec<GameId> {
        self.games.iter().map(|game| game.id).collect()
    }

    /// The engines' names, in order.
    pub fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// The pairs of matches that two engines play in a game.
    pub fn n_pairs(&self, names: [&str; 2], game: GameId) -> u32 {
        let own = self.pairings.iter().find(|pairing| pairing.is_about(names, game));
        own.map_or(self.pairs, |pairing| pairing.pairs)
    }

    /// The most pairs of matches that any two engines play in the game: it takes as many openings.
    pub fn n_most_pairs(&self, game: GameId) -> u32 {
        let own = self.pairings.iter().filter(|pairing| pairing.is_in(game)).map(|pairing| pairing.pairs);
        own.chain([self.pairs]).max().unwrap_or_default()
    }

    /// The engine of that name.
    pub fn engine(&self, name: &str) -> Option<&Arc<Engine>> {
        self.engines.iter().find(|engine| engine.name == name)
    }

    /// The time control of each engine, by name.
    pub fn time_controls(&self) -> BTreeMap<&str, &TimeControl> {
        self.engines.iter().map(|engine| (engine.name.as_str(), &engine.time_control)).collect()
    }
}

/// Who meets whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// Some engines meet all others.
    #[serde(rename_all = "kebab-case")]
    Gauntlet {
        /// Their names.
        seeds: Vec<String>,
        /// Whether they meet each other as well.
        seeds_meet: bool,
    },
    /// Everybody meets everybody, more often where that tells more.
    Adaptive {
        /// The tournament ends after this number of matches.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        matches: Option<u32>,
        /// Every pairing first plays this number of pairs in every game.
        floor: u32,
        /// This number of pairs, and at least a fiftieth of those before, is chosen at once.
        batch: u32,
    },
}

/// What all matches together may take of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Matches played at once.
    pub concurrency: u16,
    /// Processors.
    pub cores: u32,
    /// Memory; `None` where it is not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Size>,
    /// Whether each match keeps to processors of its own.
    pub pin: bool,
}

/// What becomes of a match that was lost on time while the machine was late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnMachineDelay {
    /// It counts as lost, with the evidence.
    #[default]
    Count,
    /// It is played again, three times in all at most.
    Replay,
}

impl OnMachineDelay {
    /// Whether it is the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A game to play, and where its matches start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GameSetup {
    /// The game.
    pub id: GameId,
    /// A named start or a FEN; `None` for the game's first start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// A file of openings to take in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<PathBuf>,
    /// Random plies from there.
    pub opening_plies: u32,
}

/// Two engines that meet more or less often than the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingPairs {
    /// The names of the two engines.
    pub engines: [String; 2],
    /// The games that it is about; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameId>>,
    /// Pairs of matches that they play in each of these games.
    pub pairs: u32,
}

impl PairingPairs {
    fn is_in(&self, game: GameId) -> bool {
        self.games.as_ref().is_none_or(|games| games.contains(&game))
    }

    /// Whether it is about these two engines in this game.
    fn is_about(&self, names: [&str; 2], game: GameId) -> bool {
        self.is_in(game) && names.iter().all(|name| self.engines.iter().any(|engine| engine == name))
    }
}
