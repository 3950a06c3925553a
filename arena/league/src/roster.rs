//! The builds of a league: what is stored about them in `builds.json`, and their hashes. It decides nothing.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;
use host::output::write_whole;
use model::{Build, Engine, hex};

/// The file in the results folder.
pub const BUILDS: &str = "builds.json";
/// The number of hexadecimal digits after `@`.
const HASH_DIGITS: usize = 8;

/// A build of an engine of a league: its program with its options and limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Entry {
    /// Its name in records: `name@hash`.
    pub build: String,
    /// The engine's name.
    pub engine: String,
    /// Who it belongs to.
    pub owner: String,
    /// The version that the program tells, if it tells one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// When it joined first, in UTC.
    pub joined: String,
    /// Whether it is an anchor.
    #[serde(default)]
    pub anchor: bool,
    /// Why it was set aside, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<String>,
}

/// All builds ever, in the order in which they joined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roster {
    /// The builds.
    pub builds: Vec<Entry>,
}

impl Roster {
    /// Reads it from a results folder; empty if there is none yet.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(BUILDS);
        let unreadable = |reason: String| Error::Roster { path: path.clone(), reason };
        match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(unreadable(error.to_string())),
            Ok(text) => serde_json::from_str(&text).map_err(|error| unreadable(error.to_string())),
        }
    }

    /// Writes it to a results folder.
    ///
    /// # Errors
    /// If it cannot be written. The old file is unchanged then.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let text = serde_json::to_string_pretty(self).expect("texts are JSON") + "\n";
        write_whole(&folder.join(BUILDS), |file| file.write_all(text.as_bytes()))
    }

    /// The build with this name.
    pub fn find(&self, build: &str) -> Option<&Entry> {
        self.builds.iter().find(|entry| entry.build == build)
    }

    /// The same, to change it.
    pub fn find_mut(&mut self, build: &str) -> Option<&mut Entry> {
        self.builds.iter_mut().find(|entry| entry.build == build)
    }
}

/// The name of a build in records. Another program, other arguments, options or limits make another build.
pub fn build_name(engine: &Engine, build: &Build) -> String {
    let Engine { args, options, threads, environment, time_control, limits, .. } = engine;
    let settings = (&build.id, args, options, threads, environment, time_control, limits);
    let text = serde_json::to_vec(&settings).expect("settings are JSON");
    let mut hash = hex(&Sha256::digest(&text));
    hash.truncate(HASH_DIGITS);
    format!("{}@{hash}", engine.name)
}

/// The engine of a build's name.
pub fn engine_of(build: &str) -> &str {
    build.rsplit_once('@').map_or(build, |(engine, _)| engine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{IdLines, samples};

    #[test]
    fn another_program_or_option_is_another_build() {
        let engine = samples::engine("alpha");
        let build = |version: &str| {
            let id = IdLines { name: None, version: Some(version.to_owned()) };
            Build::new("alpha", id, Vec::new(), engine.options.clone())
        };
        let name = build_name(&engine, &build("1"));
        assert_eq!((engine_of(&name), name.len()), ("alpha", "alpha@12345678".len()));
        assert_eq!(name, build_name(&engine, &build("1")));
        assert_ne!(name, build_name(&engine, &build("2")));
        let mut other = engine.clone();
        other.options.insert("Hash".to_owned(), "1".to_owned());
        assert_ne!(name, build_name(&other, &build("1")));
    }

    #[test]
    fn it_is_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Roster::read(folder.path()).unwrap(), Roster::default());
        let entry = Entry {
            build: "a@1".to_owned(),
            engine: "a".to_owned(),
            owner: "ann".to_owned(),
            version: None,
            joined: "2026-05-01T00:00:00Z".to_owned(),
            anchor: false,
            set_aside: Some("it crashed".to_owned()),
        };
        let roster = Roster { builds: vec![entry] };
        roster.write(folder.path()).unwrap();
        assert_eq!(Roster::read(folder.path()).unwrap(), roster);
        std::fs::write(folder.path().join(BUILDS), "{").unwrap();
        assert!(matches!(Roster::read(folder.path()), Err(Error::Roster { .. })));
    }
}
