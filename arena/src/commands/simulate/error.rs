//! The errors of `arena simulate`.

use std::io;

use crate::exit::{Exit, Failure};
use config::ConfigError;
use model::escape::escaped;
use schedule::planning::TooManyMatches;

/// Why nothing can be simulated.
#[derive(Debug, thiserror::Error)]
pub enum SimulateError {
    /// The arguments contradict each other, or no number of pairs can fulfil them.
    #[error("{0}")]
    Usage(String),
    /// The configuration is wrong.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// The configured tournament has too many matches.
    #[error(transparent)]
    TooManyMatches(#[from] TooManyMatches),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdio(#[from] io::Error),
}

impl Failure for SimulateError {
    fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Config(_) | Self::TooManyMatches(_) => Exit::Input,
            Self::Stdio(error) => Exit::of_stdio(error),
        }
    }

    fn render(&self, colour: bool) -> String {
        match self {
            Self::Config(error @ ConfigError::Wrong { .. }) => error.render(colour),
            other => format!("error: {}", escaped(&other.to_string())),
        }
    }
}
