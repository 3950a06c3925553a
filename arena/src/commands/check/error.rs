//! The errors of `arena check`.

use std::io;
use std::path::PathBuf;

use engine_proto::GameId;

use crate::exit::{Exit, Failure};

/// Why an engine does not pass, or cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The engine's program cannot be started.
    #[error("cannot start `{}`: {why}", program.display())]
    NoProgram {
        /// The program as given on the command line.
        program: PathBuf,
        /// The problem and the remedy.
        why: String,
    },
    /// The engine has no option `Game`, and the command line does not say which game it plays.
    #[error("the engine has no option `Game`, so it plays one game; name it with `--game`")]
    WhichGame,
    /// The engine does not play a game of the command line.
    #[error("the engine does not list the game `{game}` in its option `Game`, but {}", listed.join(", "))]
    GameNotListed {
        /// The game.
        game: GameId,
        /// The games that it lists, in backticks.
        listed: Vec<String>,
    },
    /// The system gives no threads or timers.
    #[error("the system refused a resource that the arena needs: {0}")]
    Runtime(#[source] io::Error),
    /// Some checks failed.
    #[error("{n_failed} {} failed", if *n_failed == 1 { "check" } else { "checks" })]
    Failed {
        /// The number of failed checks.
        n_failed: usize,
    },
    /// The user stopped the check.
    #[error("stopped")]
    Stopped,
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdio(#[from] io::Error),
}

impl Failure for CheckError {
    fn exit(&self) -> Exit {
        match self {
            Self::NoProgram { .. } | Self::WhichGame | Self::GameNotListed { .. } => Exit::Engines,
            Self::Runtime(_) => Exit::Output,
            Self::Failed { .. } => Exit::Failed,
            Self::Stopped => Exit::Interrupted,
            Self::Stdio(error) => Exit::of_stdio(error),
        }
    }
}
