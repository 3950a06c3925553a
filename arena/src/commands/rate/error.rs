//! Why no ratings can be printed. It holds messages only.

use std::io;
use std::path::PathBuf;

use engine_proto::fen::shown;

use crate::exit::{Exit, Failure};
use crate::result_files::{ReadError, quoted};

/// Why no ratings can be printed.
#[derive(Debug, thiserror::Error)]
pub enum RateError {
    /// A file of results is wrong.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The engine of `--anchor` is in no file.
    #[error("no engine `{}` for --anchor; these files have {}", shown(.engine), quoted(.known))]
    UnknownAnchor {
        /// The engine as it was given.
        engine: String,
        /// The engines that are there.
        known: Vec<String>,
    },
    /// The file of `--output` cannot be written.
    #[error("cannot write `{}`: {source}; choose a place that exists and that you can write to", .path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdio(#[source] io::Error),
}

impl Failure for RateError {
    fn exit(&self) -> Exit {
        match self {
            Self::Read(_) | Self::UnknownAnchor { .. } => Exit::Input,
            Self::Output { .. } => Exit::Output,
            Self::Stdio(error) => Exit::of_stdio(error),
        }
    }
}
