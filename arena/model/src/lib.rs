//! The vocabulary of a tournament: what to play, what happens, and what is stored. All types are plain values that
//! serialise both ways and carry a format version: older versions can be read, newer ones are rejected with a clear
//! message. This module knows no files, processes or terminals.

mod book;
mod build;
mod cage;
mod engine;
pub mod escape;
mod event;
mod format_version;
mod job;
mod machines;
mod match_rules;
mod moved;
mod protocol;
mod record;
pub mod referee;
mod referee_program;
pub mod samples;
mod set_aside;
mod size;
mod stop;
mod time_control;
mod tune;
mod worker;

use std::path::PathBuf;
use std::sync::Arc;

use engine_proto::{GameId, Games};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use book::{Book, BookOrder};
pub use build::{Build, BuildFile, IdLines, Run, hex};
pub use cage::{Cage, Tier, tier_or_bool};
pub use engine::Engine;
pub use event::{Event, Reporter};
pub use format_version::FormatVersion;
pub use job::{Job, Player};
pub use machines::Machines;
pub use match_rules::{Adjudication, DrawRule, MatchRules, WinRule};
pub use moved::Moved;
pub use protocol::Protocol;
pub use record::{CsvRow, FAULTS, MachineDelay, MoveRecord, Record, SideLetter, rated_game};
pub use referee_program::{RefereeInfo, RefereeProgram, RefereeStart};
pub use set_aside::SetAside;
pub use size::{NoSize, Size};
pub use stop::{Decided, EloModelKey, PrecisionRule, Question, RuleName, Scope, SprtRule, StopRules};
pub use time_control::{TimeControl, Timeouts};
pub use tune::{Tune, TuneOption};
pub use worker::Worker;

/// A resolved tournament: all defaults filled in, all references resolved, everything checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Tournament {
    /// The version of this format. Version 1 was the configuration file itself and did not have this key.
    pub format_version: FormatVersion<2>,
    /// Its name.
    pub name: String,
    /// The number of pairs of matches per pairing and game, unless `pairings` sets another number.
    pub pairs: u32,
    /// The seed of openings, terrain and the engines' own seeds.
    pub seed: u64,
    /// The results folder.
    pub results: PathBuf,
    /// An engine that lost this number of matches by its own faults is retired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_faults: Option<u32>,
    /// What happens to matches that are lost on time while the machine is overloaded.
    pub on_machine_delay: OnMachineDelay,
    /// What happens if an engine computes while it is not on the move.
    #[serde(default, skip_serializing_if = "OffTurn::is_default")]
    pub off_turn: OffTurn,
    /// Who plays whom.
    pub format: Format,
    /// The resources of this machine that all matches together may use.
    pub resources: Resources,
    /// What ends a match in addition to the rules of its game. With several limits, `max-plies` is the largest of them.
    pub rules: MatchRules,
    /// The limits under which every pairing plays all its pairs, if there are several: [`Engine::limits`] has their time controls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Limits>,
    /// When the tournament ends early.
    #[serde(default, skip_serializing_if = "StopRules::is_empty")]
    pub stop: StopRules,
    /// The options that it tunes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tune: Option<Tune>,
    /// How it uses many machines.
    #[serde(default, skip_serializing_if = "Machines::is_default")]
    pub machines: Machines,
    /// The games, in order.
    pub games: Vec<GameSetup>,
    /// Engines that meet more or less often than the others. The first matching entry applies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairings: Vec<PairingPairs>,
    /// The engines, in order.
    pub engines: Vec<Arc<Engine>>,
    /// The rules of its games, and of all others that its user knows. Whoever reads a tournament sets them.
    #[serde(skip)]
    pub known_games: Games,
}

impl Tournament {
    /// The games, in order.
    pub fn game_ids(&self) -> Vec<GameId> {
        self.games.iter().map(|game| game.id).collect()
    }

    /// The games as the ratings count them, in order: see [`rated_game`].
    pub fn rated_games(&self) -> Vec<String> {
        let limits: Vec<Option<&str>> = match self.limits.as_slice() {
            [] => vec![None],
            several => several.iter().map(|limits| Some(limits.name.as_str())).collect(),
        };
        let under_all = |game: &GameSetup| {
            let id = game.id;
            limits.iter().map(move |name| rated_game(id.id(), *name).into_owned()).collect::<Vec<_>>()
        };
        self.games.iter().flat_map(under_all).collect()
    }

    /// The engines' names, in order.
    pub fn names(&self) -> Vec<String> {
        self.engines.iter().map(|engine| engine.name.clone()).collect()
    }

    /// The number of pairs of matches that two engines play in a game.
    pub fn n_pairs(&self, names: [&str; 2], game: GameId) -> u32 {
        let own = self.pairings.iter().find(|pairing| pairing.is_about(names, game));
        own.map_or_else(|| self.n_own_pairs(), |pairing| pairing.pairs)
    }

    /// The highest number of pairs that any two engines play in the game. It is also the number of openings needed.
    pub fn n_most_pairs(&self, game: GameId) -> u32 {
        let own = self.pairings.iter().filter(|pairing| pairing.is_in(game)).map(|pairing| pairing.pairs);
        own.chain([self.n_own_pairs()]).max().unwrap_or_default()
    }

    /// The highest number of pairs of two engines that have no entry in `pairings`.
    fn n_own_pairs(&self) -> u32 {
        match self.format {
            // Each round has its own openings.
            Format::Swiss { rounds } => self.pairs.saturating_mul(rounds),
            Format::Knockout { tie_pairs, .. } => self.pairs.saturating_add(tie_pairs),
            _ => self.pairs,
        }
    }

    /// Whether two engines, by name, may be paired by the format.
    pub fn may_meet(&self, one: &str, other: &str) -> bool {
        match &self.format {
            Format::RoundRobin
            | Format::Adaptive { .. }
            | Format::Swiss { .. }
            | Format::Knockout { .. }
            | Format::Free
            | Format::League => true,
            Format::Gauntlet { seeds, seeds_meet } => {
                let is_seed = |name: &str| seeds.iter().any(|seed| seed == name);
                match (is_seed(one), is_seed(other)) {
                    (true, true) => *seeds_meet,
                    (first, second) => first || second,
                }
            }
        }
    }

    /// The names of the limits, if there are several.
    pub fn limits_names(&self) -> Vec<String> {
        self.limits.iter().map(|limits| limits.name.clone()).collect()
    }

    /// What ends a match under these limits, which are named if there are several.
    pub fn rules_under(&self, limits: Option<&str>) -> MatchRules {
        let named = limits.and_then(|name| self.limits.iter().find(|limits| limits.name == name));
        let max_plies = named.map_or(self.rules.max_plies, |limits| limits.max_plies);
        MatchRules { max_plies, ..self.rules }
    }

    /// The engine with this name.
    pub fn engine(&self, name: &str) -> Option<&Arc<Engine>> {
        self.engines.iter().find(|engine| engine.name == name)
    }
}

/// The limits of a tournament with several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Limits {
    /// Their name, as in records.
    pub name: String,
    /// After this number of plies, the match is a draw.
    pub max_plies: u32,
}

/// Who plays whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Format {
    /// Every engine plays every other engine.
    RoundRobin,
    /// Some engines play all others.
    #[serde(rename_all = "kebab-case")]
    Gauntlet {
        /// Their names.
        seeds: Vec<String>,
        /// Whether they also play each other.
        seeds_meet: bool,
    },
    /// Every engine plays every other engine, more often where a pair gives more information.
    Adaptive {
        /// The tournament ends after this number of matches.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        matches: Option<u32>,
        /// Every pairing plays this number of pairs in every game before results decide.
        floor: u32,
        /// The number of pairs that are chosen at once; if a fiftieth of the pairs so far is more, that number.
        batch: u32,
    },
    /// In each round, engines with similar scores meet that have not met before.
    Swiss {
        /// The number of rounds, less than that of engines.
        rounds: u32,
    },
    /// The loser of a meeting leaves, until one engine is left.
    #[serde(rename_all = "kebab-case")]
    Knockout {
        /// The maximum number of further pairs of a meeting whose scores are level. After them the better seed wins.
        tie_pairs: u32,
        /// Whether the losers of the semi-finals play for the third place.
        third_place: bool,
    },
    /// Nothing is scheduled: matches of a person, each when it is played.
    Free,
    /// A league: engines join and leave while it is played, and results decide who meets next.
    League,
}

impl Format {
    /// Whether the tournament says which matches are played, so that each has its number.
    pub const fn has_plan(&self) -> bool {
        !matches!(self, Self::Free | Self::League)
    }

    /// Whether results decide which engines meet, or how often.
    pub const fn follows_results(&self) -> bool {
        matches!(self, Self::Adaptive { .. } | Self::Swiss { .. } | Self::Knockout { .. } | Self::League)
    }

    /// Whether the meetings of a round need those of all rounds before it, so that no engine can come or go.
    pub const fn has_rounds(&self) -> bool {
        matches!(self, Self::Swiss { .. } | Self::Knockout { .. })
    }
}

/// The resources of this machine that all matches together may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Number of matches at the same time.
    pub concurrency: u16,
    /// Number of processors.
    pub cores: u32,
    /// Memory; `None` if it is not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Size>,
    /// Whether each match runs on its own processors.
    pub pin: bool,
}

/// What happens to a match that was lost on time while the machine was overloaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OnMachineDelay {
    /// It counts as lost, and the overload is recorded.
    #[default]
    Count,
    /// It is played again, three times at most.
    Replay,
}

impl OnMachineDelay {
    /// Whether this is the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What happens if an engine computes while it is not on the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OffTurn {
    /// Nothing: it is not stopped, and nothing is measured.
    Allow,
    /// It is stopped. A warning says so if it uses processor time all the same.
    #[default]
    Warn,
    /// It is stopped. If it uses processor time all the same, it loses the match.
    Forfeit,
}

impl OffTurn {
    /// Whether this is the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A game of a tournament, and the start of its matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GameSetup {
    /// The game.
    pub id: GameId,
    /// A named start position or a FEN; `None` for the game's default start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// A file with openings, which are used in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<PathBuf>,
    /// How these openings are used.
    #[serde(default, skip_serializing_if = "Book::is_default")]
    pub book: Book,
    /// The number of random plies that are played from the start or the opening.
    pub opening_plies: u32,
    /// The program with the rules, if the arena does not have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<RefereeProgram>,
}

/// Two engines that meet more or less often than the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingPairs {
    /// The names of the two engines.
    pub engines: [String; 2],
    /// The games that the entry applies to; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameId>>,
    /// The number of pairs of matches that they play in each of these games.
    pub pairs: u32,
}

impl PairingPairs {
    fn is_in(&self, game: GameId) -> bool {
        self.games.as_ref().is_none_or(|games| games.contains(&game))
    }

    /// Whether the entry applies to these two engines in this game.
    fn is_about(&self, names: [&str; 2], game: GameId) -> bool {
        self.is_in(game) && names.iter().all(|name| self.engines.iter().any(|engine| engine == name))
    }
}
