//! Why an engine does not get into a league.

use std::io;
use std::path::{Path, PathBuf};

/// Why an engine does not get into a league.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What is wrong with that which its owner sent or named.
    #[error("{0}")]
    Engine(String),
    /// The league has its rules: about names, and how many engines an owner may have.
    #[error("{0}")]
    League(String),
    /// The sandbox is not available, in which programs of others are built.
    #[error("a build command runs only in the strict sandbox, which is not available: {0}")]
    Sandbox(String),
    /// The league's folder cannot be written.
    #[error("cannot write `{}`: {error}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

impl Error {
    /// The error for `path`, for `map_err`.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Disk { path, error }
    }
}

/// Something is wrong with the engine.
pub fn wrong<T>(what: impl Into<String>) -> Result<T, Error> {
    Err(Error::Engine(what.into()))
}
