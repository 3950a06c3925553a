//! What can go wrong for the whole command, and the exit code of each.

use std::io;
use std::path::{Path, PathBuf};

use crate::compare::CompareError;
use crate::conduct::ConductError;
use crate::config::ConfigError;
use crate::opponent::Shortage;
use crate::pool::build::BuildError;
use crate::pool::{PoolError, PrepareError};
use crate::rate::RateError;
use crate::report::html::ReportError;
use crate::results::ResultsError;
use crate::schedule::openings::OpeningsError;
use crate::schedule::planning::TooManyMatches;
use crate::schedule::playable::NothingToPlay;
use crate::show::ShowError;
use crate::verify::VerifyError;

/// Why a command failed.
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
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Engines cannot be started as the configuration says.
    #[error("{}", prepare_text(.0))]
    Prepare(#[from] PrepareError),
    /// No two engines that take part meet in a game.
    #[error(transparent)]
    NothingToPlay(#[from] NothingToPlay),
    /// The results folder cannot be used.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A tournament ended before its end.
    #[error("{}", conduct_text(.0))]
    Conduct(#[from] ConductError),
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
    /// Engines cannot be started.
    #[error("{}", problems.join("\n"))]
    Engines {
        /// One message an engine.
        problems: Vec<String>,
    },
    /// Result files cannot be rated.
    #[error(transparent)]
    Rate(RateError),
    /// There is nothing to compare.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// There is no page of a tournament.
    #[error(transparent)]
    Page(#[from] ReportError),
    /// A results folder does not hold what it should.
    #[error(transparent)]
    Verify(VerifyError),
    /// There is nothing to show.
    #[error(transparent)]
    Show(ShowError),
    /// A word of the command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// Standard input or output failed.
    #[error("standard input or output: {0}")]
    Stdio(#[from] io::Error),
    /// An engine does not keep the protocol.
    #[error("{n_failed} {} failed", if *n_failed == 1 { "check" } else { "checks" })]
    Check {
        /// So many checks failed.
        n_failed: usize,
    },
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
    /// The user stopped a command that has nothing to keep.
    #[error("stopped")]
    Stopped,
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

fn prepare_text(error: &PrepareError) -> String {
    match error {
        PrepareError::Shortage(shortage) => shortage_text(shortage),
        other => other.to_string(),
    }
}

fn conduct_text(error: &ConductError) -> String {
    match error {
        ConductError::Pool(PoolError::Shortage(shortage)) => shortage_text(shortage),
        other => other.to_string(),
    }
}

fn shortage_text(shortage: &Shortage) -> String {
    format!(
        "{shortage}; that is no fault of the engine: raise the arena's limits (`ulimit -a`) or lower `concurrency`; all matches \
         before are safe, and the same command goes on from there"
    )
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        Self::Conduct(error.into())
    }
}

impl From<VerifyError> for Error {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Stdio(error) => Self::Stdio(error),
            other => Self::Verify(other),
        }
    }
}

impl From<ShowError> for Error {
    fn from(error: ShowError) -> Self {
        match error {
            ShowError::Stdio(error) => Self::Stdio(error),
            ShowError::Results(error) => Self::Results(error),
            other => Self::Show(other),
        }
    }
}

impl From<RateError> for Error {
    fn from(error: RateError) -> Self {
        match error {
            RateError::Write(error) => Self::Stdio(error),
            RateError::Output { path, source } => Self::Output { path, error: source },
            other => Self::Rate(other),
        }
    }
}

impl Error {
    /// An error in writing `path`.
    pub fn output(path: &Path, error: io::Error) -> Self {
        Self::Output { path: path.to_owned(), error }
    }

    /// The process's exit code: 2 usage, 3 configuration or input, 4 engines, 5 output, 6 an engine that fails
    /// `arena check`, 130 interrupted.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Compare(error) if error.is_usage() => 2,
            Self::Show(error) if error.is_usage() => 2,
            Self::Page(error) if !error.is_input() => 5,
            Self::Config(_)
            | Self::Openings(_)
            | Self::TooManyMatches(_)
            | Self::OpeningsRanOut { .. }
            | Self::Rate(_)
            | Self::Compare(_)
            | Self::Page(_)
            | Self::Verify(_)
            | Self::Show(_) => 3,
            Self::Build(_)
            | Self::Prepare(PrepareError::NoProgram { .. } | PrepareError::Engines { .. })
            | Self::Engines { .. }
            | Self::NothingToPlay(_) => 4,
            Self::Prepare(PrepareError::Output { .. } | PrepareError::Shortage(_))
            | Self::Results(_)
            | Self::Conduct(_)
            | Self::Runtime(_)
            | Self::Output { .. }
            | Self::Stdio(_) => 5,
            Self::Check { .. } => 6,
            Self::Stopped | Self::Interrupted { .. } => 130,
        }
    }

    /// The message for a terminal, in colour or without.
    pub fn render(&self, colour: bool) -> String {
        match self {
            Self::Config(error @ ConfigError::Wrong { .. }) => error.render(colour),
            other => format!("error: {other}"),
        }
    }
}
