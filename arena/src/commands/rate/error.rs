//! The errors of `arena rate`.

use std::io;

use engine_proto::fen::shown;

use crate::exit::{Exit, Failure};
use host::output::CannotWrite;
use store::result_files::{ReadError, quoted};

/// Why no ratings can be printed.
#[derive(Debug, thiserror::Error)]
pub enum RateError {
    /// A file of results is invalid.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The engine of `--anchor` is not in any file.
    #[error("`--anchor`: no engine is named `{}`; the engines in these files are {}", shown(.engine), quoted(.known))]
    UnknownAnchor {
        /// The engine as it was given.
        engine: String,
        /// The engines in the files.
        known: Vec<String>,
    },
    /// A file or folder cannot be written.
    #[error(transparent)]
    Output(#[from] CannotWrite),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdio(#[source] io::Error),
}

impl Failure for RateError {
    fn exit(&self) -> Exit {
        match self {
            Self::Read(_) | Self::UnknownAnchor { .. } => Exit::Input,
            Self::Output(_) => Exit::Output,
            Self::Stdio(error) => Exit::of_stdio(error),
        }
    }
}
