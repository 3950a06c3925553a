//! The errors of `arena compare`.

use std::io;
use std::path::PathBuf;

use engine_proto::fen::shown;

use crate::exit::{Exit, Failure};
use host::output::CannotWrite;
use ratings::HypothesesError;
use store::result_files::ReadError;

/// Why no comparison could be made.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// A file of results is invalid.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The sequential test is not possible.
    #[error("{0}")]
    Hypotheses(#[from] HypothesesError),
    /// Not two engines.
    #[error(
        "`--engines` needs two names with a comma between them, as in `--engines new,old`; it has {given}"
    )]
    EngineCount {
        /// How many were given.
        given: usize,
    },
    /// An engine is compared with itself.
    #[error("engine `{}` cannot be compared with itself; name two engines", shown(.engine))]
    SameEngine {
        /// The engine.
        engine: String,
    },
    /// Not two files.
    #[error(
        "comparing runs needs two files, the older one first, but there {}; to compare two engines, add `--engines FIRST,SECOND`",
        if *.given == 1 { "is 1".to_owned() } else { format!("are {given}") }
    )]
    FileCount {
        /// How many were given.
        given: usize,
    },
    /// Two runs have no sequential test.
    #[error("`--format fishtest` shows a test of two engines; add `--engines FIRST,SECOND`")]
    NoTest,
    /// The runs have no game in common.
    #[error("{} and {} have no game in common", .old.display(), .new.display())]
    NoCommonGames {
        /// The older run's file.
        old: PathBuf,
        /// The newer run's file.
        new: PathBuf,
    },
    /// The runs have too few engines in common.
    #[error(
        "{} and {} have fewer than two engines in common; ratings are relative to others, so at least two must be in both",
        .old.display(), .new.display()
    )]
    NoCommonEngines {
        /// The older run's file.
        old: PathBuf,
        /// The newer run's file.
        new: PathBuf,
    },
    /// A file or folder cannot be written.
    #[error(transparent)]
    Output(#[from] CannotWrite),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdio(#[source] io::Error),
}

impl Failure for CompareError {
    fn exit(&self) -> Exit {
        match self {
            Self::Hypotheses(_)
            | Self::EngineCount { .. }
            | Self::SameEngine { .. }
            | Self::FileCount { .. }
            | Self::NoTest => Exit::Usage,
            Self::Read(_) | Self::NoCommonGames { .. } | Self::NoCommonEngines { .. } => Exit::Input,
            Self::Output(_) => Exit::Output,
            Self::Stdio(error) => Exit::of_stdio(error),
        }
    }
}
