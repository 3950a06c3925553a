//! The provenance of a results folder: the builds of the engines that played, and the runs with their machines. It is
//! a file of the folder; matches refer to builds by their ids.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::stored::read_stored;
use super::{PROVENANCE, ResultsError, io_error};
use host::output::write_whole;
use model::{Build, Run};

/// The builds and runs of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The runs that played matches, in order.
    pub runs: Vec<Run>,
    /// The builds of all engines, in order of their first run.
    pub builds: Vec<Build>,
}

impl Provenance {
    /// Reads it from `folder`; empty if an older version of the arena has played.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(folder: &Path) -> Result<Self, ResultsError> {
        let path = folder.join(PROVENANCE);
        let text = match read_stored(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            read => read.map_err(io_error("read", &path))?,
        };
        serde_json::from_str(&text)
            .map_err(|error| ResultsError::BadProvenance { path, reason: error.to_string() })
    }

    /// Writes it to `folder`.
    ///
    /// # Errors
    /// If it cannot be written. The old file is unchanged then.
    pub fn write(&self, folder: &Path) -> Result<(), ResultsError> {
        let path = folder.join(PROVENANCE);
        let mut text = serde_json::to_string_pretty(self).expect("texts and numbers are JSON");
        text.push('\n');
        write_whole(&path, |file| file.write_all(text.as_bytes())).map_err(io_error("write", &path))
    }

    /// The build of `engine` with this id.
    pub fn build(&self, engine: &str, id: &str) -> Option<&Build> {
        self.builds.iter().find(|build| build.engine == engine && build.id == id)
    }

    /// Adds the runs and builds of another folder.
    pub fn join(&mut self, other: Self) {
        self.runs.extend(other.runs);
        self.add_builds(other.builds);
    }

    /// Adds a run with these builds.
    pub fn add(&mut self, run: Run, builds: impl IntoIterator<Item = Build>) {
        self.add_builds(builds);
        self.runs.push(run);
    }

    /// Adds builds, each once.
    pub fn add_builds(&mut self, builds: impl IntoIterator<Item = Build>) {
        for build in builds {
            if self.build(&build.engine, &build.id).is_none() {
                self.builds.push(build);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use model::{BuildFile, IdLines};

    fn build(version: &str, sha256: &str, path: &str) -> Build {
        let id = IdLines { name: Some("Engine".to_owned()), version: Some(version.to_owned()) };
        let files = vec![BuildFile { path: path.to_owned(), sha256: Some(sha256.to_owned()) }];
        Build::new("one", id, files, BTreeMap::new())
    }

    #[test]
    fn a_build_is_kept_once_and_every_run() {
        let run = |begun: &str| Run {
            begun: begun.to_owned(),
            arena: "1".to_owned(),
            processor: "a processor".to_owned(),
            cores: 2,
            seed: 1,
            builds: BTreeMap::new(),
        };
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Provenance::read(folder.path()).unwrap(), Provenance::default());
        let mut provenance = Provenance::default();
        provenance.add(run("first"), [build("1", "aa", "a")]);
        provenance.add(run("second"), [build("1", "aa", "a"), build("2", "aa", "a")]);
        assert_eq!((provenance.runs.len(), provenance.builds.len()), (2, 2));
        provenance.write(folder.path()).unwrap();
        assert_eq!(Provenance::read(folder.path()).unwrap(), provenance);
        std::fs::write(folder.path().join(PROVENANCE), "{").unwrap();
        assert!(matches!(Provenance::read(folder.path()), Err(ResultsError::BadProvenance { .. })));
    }
}
