//! An engine of a tournament: its program and its settings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine_proto::GameId;
use serde::{Deserialize, Serialize};

use super::{Cage, Protocol, TimeControl, Timeouts};

/// An engine of a tournament with all its settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Engine {
    /// The name in the results, unique in the tournament.
    pub name: String,
    /// The program: a path relative to the current folder, or a name that is looked up on `PATH`.
    pub command: PathBuf,
    /// The program's arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The protocol that it speaks.
    #[serde(default, skip_serializing_if = "Protocol::is_default")]
    pub protocol: Protocol,
    /// The command that builds the program; empty if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build: Vec<String>,
    /// Options by name. They are set before every match.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The number of search threads, if the configuration sets `threads`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// The working folder; `None` for the current folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// Environment variables that are set for the process.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The games that the engine plays; `None` for all games of the tournament, or if they are not known yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameId>>,
    /// How long it may think; with several limits, under the first of them.
    pub time_control: TimeControl,
    /// How long it may think under each of the tournament's limits, by their name; empty if there is only one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, TimeControl>,
    /// How long the arena waits for an answer outside of a move.
    pub timeouts: Timeouts,
    /// Limits and sandbox of the process.
    #[serde(default, skip_serializing_if = "Cage::is_open")]
    pub cage: Cage,
}

impl Engine {
    /// An engine with default settings, apart from its program and its times.
    pub fn new(name: &str, command: &Path, time_control: TimeControl, timeouts: Timeouts) -> Self {
        Self {
            name: name.to_owned(),
            command: command.to_owned(),
            args: Vec::new(),
            protocol: Protocol::default(),
            build: Vec::new(),
            options: BTreeMap::new(),
            threads: None,
            directory: None,
            environment: BTreeMap::new(),
            games: None,
            time_control,
            limits: BTreeMap::new(),
            timeouts,
            cage: Cage::default(),
        }
    }

    /// The number of search threads: `threads`, or the option `Threads` if only that is set.
    pub fn n_threads(&self) -> Option<u32> {
        let option = || {
            let found = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
            found.and_then(|(_, value)| value.parse().ok())
        };
        self.threads.or_else(option)
    }

    /// How long it may think under these limits, which are named if there are several.
    pub fn time_control_under(&self, limits: Option<&str>) -> &TimeControl {
        limits.and_then(|name| self.limits.get(name)).unwrap_or(&self.time_control)
    }

    /// How long it may think, under all limits of the tournament.
    pub fn time_controls(&self) -> impl Iterator<Item = &TimeControl> {
        self.limits.values().chain([&self.time_control])
    }

    /// The engine as it plays under one of several limits.
    #[must_use]
    pub fn under(&self, limits: &str) -> Self {
        let time_control = self.time_control_under(Some(limits)).clone();
        Self { time_control, limits: BTreeMap::new(), ..self.clone() }
    }

    /// Whether the engine plays the game.
    pub fn plays(&self, game: GameId) -> bool {
        self.games.as_ref().is_none_or(|games| games.contains(&game))
    }
}
