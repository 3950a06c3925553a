//! The builds of engines that played, and the runs of a tournament.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Number of hexadecimal digits of a build's id.
const ID_DIGITS: usize = 12;

/// One call of `arena run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Start time in UTC: `2026-05-01T17:03:00Z`.
    pub begun: String,
    /// The arena's version.
    pub arena: String,
    /// The model name of the machine's processor.
    pub processor: String,
    /// The number of processors that the arena may use.
    pub cores: usize,
    /// The tournament's seed.
    pub seed: u64,
    /// The ids of the builds that played, by the engines' names in the tournament.
    pub builds: BTreeMap<String, String>,
}

/// One version of an engine's program, together with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// The id that records use for this build. It depends only on the program: its name, its version and the content
    /// of its files.
    pub id: String,
    /// The engine's name in the tournament.
    pub engine: String,
    /// The engine's `id name` line.
    pub name: Option<String>,
    /// The engine's `id version` line.
    pub version: Option<String>,
    /// The program, and the files among its arguments.
    pub files: Vec<BuildFile>,
    /// The options that were set.
    pub options: BTreeMap<String, String>,
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildFile {
    /// The path as in the configuration.
    pub path: String,
    /// SHA-256 of the content in hexadecimal digits; `None` if the file cannot be read.
    pub sha256: Option<String>,
}

/// What an engine reports about itself in its greeting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdLines {
    /// `id name`.
    pub name: Option<String>,
    /// `id version`.
    pub version: Option<String>,
}

impl Build {
    /// The build of the engine that the tournament calls `engine`.
    pub fn new(
        engine: &str,
        IdLines { name, version }: IdLines,
        files: Vec<BuildFile>,
        options: BTreeMap<String, String>,
    ) -> Self {
        let hashes: Vec<_> = files.iter().map(|file| file.sha256.as_deref()).collect();
        let text = serde_json::to_vec(&(&name, &version, hashes)).expect("texts are JSON");
        let mut id = hex(&Sha256::digest(&text));
        id.truncate(ID_DIGITS);
        Self { id, engine: engine.to_owned(), name, version, files, options }
    }

    /// The id with the engine's name and version: `1f2e3d4c5b6a (alpha-beta 0.2.0)`.
    pub fn in_words(&self) -> String {
        let said: Vec<&str> = [&self.name, &self.version].into_iter().flatten().map(String::as_str).collect();
        let id = &self.id;
        if said.is_empty() {
            id.clone()
        } else {
            format!("{id} ({})", engine_proto::fen::shown(&said.join(" ")))
        }
    }

    /// The paths of the files that differ from those of `other`.
    pub fn files_unlike<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let is_in_one = |file: &&BuildFile| self.files.contains(file) != other.files.contains(file);
        let files = self.files.iter().chain(&other.files).filter(is_in_one);
        let mut paths: Vec<_> = files.map(|file| file.path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }
}

/// The bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(version: &str, sha256: &str, path: &str) -> Build {
        let id = IdLines { name: Some("Engine".to_owned()), version: Some(version.to_owned()) };
        let files = vec![BuildFile { path: path.to_owned(), sha256: Some(sha256.to_owned()) }];
        Build::new("one", id, files, BTreeMap::new())
    }

    #[test]
    fn a_build_is_known_by_what_it_says_and_what_it_is() {
        let one = build("1", "aa", "a");
        assert_eq!(one.id.len(), ID_DIGITS);
        assert_eq!(one.id, build("1", "aa", "b").id, "wherever it lies");
        assert_ne!(one.id, build("2", "aa", "a").id);
        assert_ne!(one.id, build("1", "ab", "a").id);
        assert_eq!(one.files_unlike(&build("2", "ab", "a")), ["a"]);
        assert_eq!(one.files_unlike(&build("2", "aa", "a")), [""; 0]);
        assert_eq!(one.in_words(), format!("{} (Engine 1)", one.id));
    }
}
