//! An engine that takes part: its program with its settings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine_proto::GameId;
use serde::{Deserialize, Serialize};

use super::{Cage, TimeControl, Timeouts};

/// An engine that takes part, with all that holds for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Engine {
    /// Its name in the results, different from all others.
    pub name: String,
    /// The program: a path relative to the current folder, or a name to look up on `PATH`.
    pub command: PathBuf,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The command that builds the program; empty for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build: Vec<String>,
    /// Options to set before every match, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The threads that it thinks with, if the configuration says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// The folder that it runs in; `None` for the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// Environment variables to set for it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The games that it plays; `None` for all of the tournament's, or as long as they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<Vec<GameId>>,
    /// How long it may think.
    pub time_control: TimeControl,
    /// How long the arena waits for it where no clock runs.
    pub timeouts: Timeouts,
    /// What its process may use and do.
    #[serde(default, skip_serializing_if = "Cage::is_open")]
    pub cage: Cage,
}

impl Engine {
    /// An engine with nothing set but its program and its times.
    pub fn new(name: &str, command: &Path, time_control: TimeControl, timeouts: Timeouts) -> Self {
        Self {
            name: name.to_owned(),
            command: command.to_owned(),
            args: Vec::new(),
            build: Vec::new(),
            options: BTreeMap::new(),
            threads: None,
            directory: None,
            environment: BTreeMap::new(),
            games: None,
            time_control,
            timeouts,
            cage: Cage::default(),
        }
    }

    /// The threads that it thinks with, if that is set: its `threads`, or else its option `Threads`.
    pub fn n_threads(&self) -> Option<u32> {
        let option = || {
            let found = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
            found.and_then(|(_, value)| value.parse().ok())
        };
        self.threads.or_else(option)
    }

    /// Whether it plays the game.
    pub fn plays(&self, game: GameId) -> bool {
        self.games.as_ref().is_none_or(|games| games.contains(&game))
    }
}
