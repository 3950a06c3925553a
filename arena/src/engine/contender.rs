//! One configured entry of a tournament: an engine's program with its settings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine_proto::GameId;

use super::process::Spawn;
use super::program::{self, ProgramError};
use crate::config::{Config, Engine};
use crate::play::TimeControl;

/// All that is needed to start an engine and to play with it.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in the results.
    pub name: String,
    /// How to start its process.
    pub spawn: Spawn,
    /// Options to set before every match.
    pub options: BTreeMap<String, String>,
    /// The games that it shall play, if the configuration names them.
    pub games: Option<Vec<GameId>>,
    /// How long it may think.
    pub time_control: TimeControl,
    /// From the start of the process to `ugiok`.
    pub start_timeout: Duration,
    /// From `isready` to `readyok` before a match.
    pub ready_timeout: Duration,
    /// From `quit` to the end of the process.
    pub quit_timeout: Duration,
}

impl Contender {
    /// The contender that `engine` describes in `config`, its logs going to the folder `logs`.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn new(engine: &Engine, config: &Config, logs: Option<&Path>) -> Result<Self, ProgramError> {
        let name = engine.name.get_ref().clone();
        Ok(Self {
            spawn: Spawn {
                program: program::find(engine.command.get_ref())?,
                args: engine.args.clone(),
                directory: engine.directory.as_ref().map(|directory| directory.get_ref().clone()),
                environment: engine.environment.clone(),
                log: logs.map(|logs| log_file(logs, &name)),
            },
            options: engine.options.iter().map(|(name, value)| (name.clone(), value.0.clone())).collect(),
            games: engine.games.as_ref().map(|games| games.get_ref().iter().map(|game| game.0).collect()),
            time_control: TimeControl::of(&config.limits, engine.limits.as_ref(), &config.timeouts),
            start_timeout: config.timeouts.start.0,
            ready_timeout: config.timeouts.ready.0,
            quit_timeout: config.timeouts.quit.0,
            name,
        })
    }
}

/// `<name>.stderr`, with what no file system would take replaced.
fn log_file(logs: &Path, name: &str) -> PathBuf {
    let safe: String =
        name.chars().map(|c| if c.is_alphanumeric() || "-_.+ ".contains(c) { c } else { '_' }).collect();
    logs.join(format!("{safe}.stderr"))
}
