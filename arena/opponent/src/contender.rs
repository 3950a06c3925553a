//! An entry of a tournament: an engine's program with its settings.

use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::process::Spawn;
use host::executable::{self, ProgramError};
use host::launch::{self, Confinement};
use model::{Engine, hex};

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
            }),
            engine: Arc::clone(engine),
        })
    }

    /// The engine's name.
    pub fn name(&self) -> &str {
        &self.engine.name
    }
}

/// The maximum length of a file name, in bytes. File systems allow 255, and an ending may follow.
const LONGEST: usize = 200;
/// The length of the part of a longer name that is kept.
const KEPT: usize = 120;

/// A file name for a contender, different for different names. Characters that a file system may not allow are replaced
/// by the numbers of their bytes. Of a name that would be too long, only the beginning and a hash are left.
fn file_name(name: &str) -> String {
    let mut safe = String::new();
    for (idx, c) in name.chars().enumerate() {
        if c.is_alphanumeric() || "-_+ ".contains(c) || c == '.' && 0 < idx {
            safe.push(c);
        } else {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|byte| safe.push_str(&format!("%{byte:02X}")));
        }
    }
    if LONGEST < safe.len() {
        let end = (0..=KEPT).rev().find(|end| safe.is_char_boundary(*end)).unwrap_or_default();
        safe.truncate(end);
        // No other name contains this: a percent sign is followed by a number.
        safe.push_str("%~");
        safe.push_str(&hex(&Sha256::digest(name.as_bytes())[..16]));
    }
    safe
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

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
            ("!90", "%2190"),
            ("\u{2190}", "%E2%86%90"),
        ] {
            assert_eq!(file_name(name), expected);
        }
    }

    #[test]
    fn long_names_are_cut_and_stay_different() {
        let names = ["🙂".repeat(64), format!("{}😀", "🙂".repeat(63)), "將".repeat(64), "x".repeat(64)];
        let files = names.each_ref().map(|name| file_name(name));
        assert!(files.iter().all(|file| file.len() <= 200), "{files:?}");
        let different: HashSet<_> = files.iter().collect();
        assert_eq!(different.len(), names.len(), "{files:?}");
    }
}
