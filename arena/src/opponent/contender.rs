//! An entry of a tournament: an engine's program with its settings.

use std::path::PathBuf;
use std::sync::Arc;

use super::launch::{self, Confinement};
use super::process::Spawn;
use crate::executable::{self, ProgramError};
use crate::tournament::Engine;

/// An engine that can be started on this machine.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The engine with its options and limits.
    pub engine: Arc<Engine>,
    /// How to start its process.
    pub spawn: Arc<Spawn>,
}

/// The folders for the files of engines.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The folder for the standard error of engines.
    pub logs: PathBuf,
    /// The folder with a writable folder for each sandboxed engine.
    pub scratch: PathBuf,
}

impl Contender {
    /// The engine on this machine. Its logs and its sandbox folder are in `folders`.
    ///
    /// # Errors
    /// If the program does not exist.
    pub fn new(engine: &Arc<Engine>, folders: &Folders) -> Result<Self, ProgramError> {
        let file_name = file_name(&engine.name);
        let scratch = folders.scratch.join(&file_name);
        Ok(Self {
            spawn: Arc::new(Spawn {
                program: executable::find(&engine.command)?,
                args: engine.args.clone(),
                environment: engine.environment.clone(),
                environment_allow: engine.cage.environment_allow.clone(),
                confinement: Confinement::new(&engine.cage, &scratch, engine.directory.as_deref()),
                launcher: launch::launcher(),
                log: Some(folders.logs.join(format!("{file_name}.stderr"))),
                directory: engine.directory.clone(),
                ponders: false,
            }),
            engine: Arc::clone(engine),
        })
    }

    /// The engine's name.
    pub fn name(&self) -> &str {
        &self.engine.name
    }
}

/// A file name for a contender: characters that a file system may not allow are replaced by numbers, so that no two
/// names become equal.
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
