//! Why nothing can be analysed.

use std::io;

use crate::commands::arguments::engines::NoEngine;
use crate::commands::arguments::positions::PositionError;
use crate::exit::{CommandError, Exit, Failure};
use config::ConfigError;
use host::output::CannotWrite;
use live::site::CannotServe;

/// Why nothing can be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// A word of the command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// There is no such position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The tournament file is wrong.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// The rules of the game have failed.
    #[error(transparent)]
    Rules(#[from] CommandError),
    /// There is no such engine.
    #[error("{0}{without}", without = or_none(.0))]
    Engine(#[from] NoEngine),
    /// The server cannot be started.
    #[error(transparent)]
    Server(#[from] CannotServe),
    /// There is no place for temporary files.
    #[error(transparent)]
    Temporary(#[from] CannotWrite),
    /// Standard output cannot be written, or the system allows no signals.
    #[error("cannot write to standard output: {0}")]
    Stdio(#[from] io::Error),
}

/// An analysis needs no engine.
const fn or_none(error: &NoEngine) -> &'static str {
    if matches!(error, NoEngine::OtherGame { .. }) {
        "; or leave out `--engine` to analyse without one"
    } else {
        ""
    }
}

impl Failure for AnalyseError {
    fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Position(error) => error.exit(),
            Self::Config(error) => Exit::of_config(error),
            Self::Rules(error) => error.exit(),
            Self::Engine(error) => error.exit(),
            Self::Temporary(_) | Self::Server(_) => Exit::Output,
            Self::Stdio(error) => Exit::of_stdio(error),
        }
    }

    fn render(&self, colour: bool) -> String {
        match self {
            Self::Config(error @ ConfigError::Wrong { .. }) => error.render(colour),
            error => format!("error: {}", model::escape::escaped(&error.to_string())),
        }
    }
}
