//! One configured entry of a tournament: an engine's program with its settings.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use engine_proto::GameId;

use super::launch::{self, Confinement};
use super::process::Spawn;
use super::program::{self, ProgramError};
use crate::config::{Cage, Config, Engine};
use crate::referee::TimeControl;

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

/// Where a contender's files go.
#[derive(Clone, Debug)]
pub struct Folders {
    /// What engines write to standard error.
    pub logs: PathBuf,
    /// A folder in it for each engine in a sandbox, its own to write to.
    pub scratch: PathBuf,
}

impl Contender {
    /// The contender that `engine` describes in `config`, its logs and what it may write going to `folders`.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn new(engine: &Engine, config: &Config, folders: &Folders) -> Result<Self, ProgramError> {
        let name = engine.name.get_ref().clone();
        let cage = engine.cage(&config.cage);
        let directory = engine.directory.as_ref().map(|directory| directory.get_ref().clone());
        let scratch = folders.scratch.join(file_name(&name));
        Ok(Self {
            spawn: Spawn {
                program: program::find(engine.command.get_ref())?,
                args: engine.args.clone(),
                environment: engine.environment.clone(),
                environment_allow: environment_allow(&cage),
                confinement: Confinement::new(&cage, &scratch, directory.as_deref()),
                launcher: launch::launcher(),
                log: Some(folders.logs.join(format!("{}.stderr", file_name(&name)))),
                directory,
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

/// The environment of the arena that an engine in this cage sees. A sandbox that would show every secret in it were none.
fn environment_allow(cage: &Cage) -> Option<Vec<String>> {
    let few = || ["PATH", "LANG"].map(str::to_owned).to_vec();
    cage.environment_allow.clone().or_else(|| cage.is_sandbox().then(few))
}

/// A contender's name with what no file system would take written as numbers, so that no two are the same.
fn file_name(name: &str) -> String {
    let mut safe = String::new();
    for (idx, c) in name.chars().enumerate() {
        if c.is_alphanumeric() || "-_+ ".contains(c) || c == '.' && 0 < idx {
            safe.push(c);
        } else {
            safe.push_str(&format!("%{:X}", u32::from(c)));
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_of_files_are_harmless_and_different() {
        for (name, expected) in [
            ("alpha-beta 2.1", "alpha-beta 2.1"),
            ("a/b", "a%2Fb"),
            ("a%2Fb", "a%252Fb"),
            ("..", "%2E."),
            (".hidden", "%2Ehidden"),
            ("läufer", "läufer"),
        ] {
            assert_eq!(file_name(name), expected);
        }
    }
}
