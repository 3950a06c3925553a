//! Why a tournament cannot be played to its end.

use std::io;
use std::path::{Path, PathBuf};

use crate::config::ConfigError;
use crate::exit::{Exit, Failure};
use crate::opponent::Shortage;
use crate::results::ResultsError;
use crate::schedule::openings::OpeningsError;
use crate::schedule::planning::TooManyMatches;

/// Why a tournament cannot be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The configuration is wrong.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// There are no openings to play.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// There are too many matches to play.
    #[error(transparent)]
    TooManyMatches(#[from] TooManyMatches),
    /// An engine's build command failed.
    #[error("cannot build engine `{engine}`: `{command}`: {reason}")]
    Build {
        /// The contender's name.
        engine: String,
        /// The command.
        command: String,
        /// What happened.
        reason: String,
    },
    /// An engine's program is not there, even after it was built.
    #[error("engine `{engine}`: there is no program `{}` after its `build` command; paths are relative to the current folder", command.display())]
    NoProgram {
        /// The contender's name.
        engine: String,
        /// The configured command.
        command: PathBuf,
    },
    /// Engines cannot start, or are not what the configuration says.
    #[error("{}", problems.join("\n"))]
    Engines {
        /// One message an engine.
        problems: Vec<String>,
    },
    /// No two engines that take part meet in a game.
    #[error(
        "nothing to play: no two engines that start meet in a game that both play; see `[[game]]`, the engines' `games`, and \
         `pairs`\n{}",
        engines.join("\n")
    )]
    NothingToPlay {
        /// One line an engine: what it plays.
        engines: Vec<String>,
    },
    /// The results folder cannot be used.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// Results cannot be written.
    #[error(
        "the results cannot be written: {0}; all matches before are safe, and the same command goes on from there"
    )]
    Report(io::Error),
    /// A file cannot be written.
    #[error("cannot write `{}`: {error}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The system gives no threads or timers.
    #[error("the system refuses what the arena needs to run: {0}")]
    Runtime(io::Error),
    /// The system gives the arena no more engines.
    #[error(
        "{0}; that is no fault of the engine's: raise the arena's limits (`ulimit -a`) or lower `concurrency`; all matches before are safe, and the same command goes on from there"
    )]
    Shortage(#[from] Shortage),
    /// A word of the command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// Standard input or output failed.
    #[error("standard input or output: {0}")]
    Stdio(#[from] io::Error),
    /// A tournament has played all openings that were found.
    #[error(
        "stopped after {finished} of {matches} matches, all of which are safe: {why}; with fewer `pairs` the same command goes on from there, other `opening-plies` need another results folder"
    )]
    OpeningsRanOut {
        /// The standings so far.
        standings: String,
        /// Matches finished.
        finished: u32,
        /// Matches in all.
        matches: u32,
        /// Which openings.
        why: OpeningsError,
    },
    /// The user stopped a tournament.
    #[error("stopped after {finished} of {matches} matches; {again} goes on from there")]
    Interrupted {
        /// The standings so far.
        standings: String,
        /// Matches finished.
        finished: u32,
        /// Matches in all.
        matches: u32,
        /// The command that goes on.
        again: &'static str,
    },
}

impl Error {
    /// An error in writing `path`.
    pub fn output(path: &Path, error: io::Error) -> Self {
        Self::Output { path: path.to_owned(), error }
    }
}

impl Failure for Error {
    fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Config(_) | Self::Openings(_) | Self::TooManyMatches(_) | Self::OpeningsRanOut { .. } => {
                Exit::Input
            }
            Self::Build { .. }
            | Self::NoProgram { .. }
            | Self::Engines { .. }
            | Self::NothingToPlay { .. } => Exit::Engines,
            Self::Results(_)
            | Self::Report(_)
            | Self::Output { .. }
            | Self::Runtime(_)
            | Self::Shortage(_) => Exit::Output,
            Self::Stdio(error) => Exit::of_stdio(error),
            Self::Interrupted { .. } => Exit::Interrupted,
        }
    }

    fn render(&self, colour: bool) -> String {
        match self {
            Self::Config(error @ ConfigError::Wrong { .. }) => error.render(colour),
            other => format!("error: {other}"),
        }
    }
}
