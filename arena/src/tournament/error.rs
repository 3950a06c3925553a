//! Why a tournament cannot be played to its end.

use std::io;

use crate::exit::{Exit, Failure};
#[cfg(feature = "nats")]
use cluster::AccessError;
use config::ConfigError;
use host::output::CannotWrite;
use live::watch::WatchError;
use model::escape::escaped;
use opponent::Shortage;
use ratings::count;
use runner::conduct::ConductError;
use runner::pool::build::BuildError;
use runner::pool::{PoolError, PrepareError};
use schedule::openings::OpeningsError;
use schedule::planning::TooManyMatches;
use schedule::playable::NothingToPlay;
use store::ResultsError;

/// Why a tournament cannot be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The configuration is wrong.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// Engines have started, and are not what the configuration says.
    #[error("{0}")]
    Mismatch(ConfigError),
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
    /// A file or folder cannot be written.
    #[error(transparent)]
    Output(#[from] CannotWrite),
    /// A word of the command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// The rules of a game are a program that has failed after the matches: the standings are right, but the report may be wrong.
    #[error("{failure}; correct the program")]
    RulesFailed {
        /// What has failed.
        failure: String,
    },
    /// There is no connection to the server of the workers.
    #[cfg(feature = "nats")]
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The tournament cannot be shown in a browser.
    #[error(transparent)]
    Watch(#[from] WatchError),
    /// Standard input or output failed.
    #[error("standard input or output: {0}")]
    Stdio(#[from] io::Error),
    /// A tournament has played all openings that were found.
    #[error(
        "stopped after {} of {} matches, all of which are stored: {why}; the same command continues with fewer `pairs`; other `opening-plies` need another results folder",
        count((*finished).into()), count((*matches).into())
    )]
    OpeningsRanOut {
        /// Matches finished.
        finished: u32,
        /// Matches in all.
        matches: u32,
        /// Which openings.
        why: OpeningsError,
    },
    /// An engine that is tuned makes too many faults.
    #[error(
        "stopped: engine `{engine}` has lost {n} matches by its own faults; see `{}`, and correct the engine or the range of its \
         options; `max-faults` sets the limit",
        log.display()
    )]
    TooManyFaults {
        /// Its name.
        engine: String,
        /// The number of faults.
        n: u32,
        /// The folder of its error output.
        log: std::path::PathBuf,
    },
    /// The user stopped a tournament.
    #[error(
        "stopped after {} of {} matches{aborted}; to continue, run {again}",
        count((*finished).into()), count((*matches).into())
    )]
    Interrupted {
        /// Matches finished.
        finished: u32,
        /// Matches in all.
        matches: u32,
        /// How many more had begun, in words.
        aborted: String,
        /// The command that continues the tournament.
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
    if let Shortage::Rules { .. } = shortage {
        return format!(
            "{shortage}; the match has no result: correct the program; all finished matches are stored, and the same command \
             continues"
        );
    }
    format!(
        "{shortage}; the engine is not at fault: raise the arena's limits (`ulimit -a`) or lower `concurrency`; all finished \
         matches are stored, and the same command continues"
    )
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        Self::Conduct(error.into())
    }
}

impl Failure for Error {
    fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Config(error) => Exit::of_config(error),
            Self::Openings(_)
            | Self::TooManyMatches(_)
            | Self::OpeningsRanOut { .. }
            | Self::RulesFailed { .. }
            | Self::Conduct(ConductError::Pool(PoolError::Shortage(Shortage::Rules { .. }))) => Exit::Input,
            #[cfg(feature = "nats")]
            Self::Access(_) => Exit::Input,
            Self::Build(_)
            | Self::Prepare(
                PrepareError::NoProgram { .. }
                | PrepareError::NoInterpreter { .. }
                | PrepareError::Engines { .. }
                | PrepareError::Mismatch { .. },
            )
            | Self::Mismatch(_)
            | Self::TooManyFaults { .. }
            | Self::NothingToPlay(_) => Exit::Engines,
            Self::Prepare(PrepareError::Output(_) | PrepareError::Shortage(_))
            | Self::Results(_)
            | Self::Conduct(_)
            | Self::Watch(_)
            | Self::Output(_) => Exit::Output,
            Self::Stdio(error) => Exit::of_stdio(error),
            Self::Interrupted { .. } => Exit::Interrupted,
        }
    }

    fn render(&self, colour: bool) -> String {
        match self {
            Self::Config(error @ ConfigError::Wrong { .. }) | Self::Mismatch(error) => error.render(colour),
            // The user asked for it.
            Self::Interrupted { .. } => escaped(&self.to_string()).into_owned(),
            other => format!("error: {}", escaped(&other.to_string())),
        }
    }
}
