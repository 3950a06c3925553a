//! Why nothing can be played.

use std::io;

use crate::commands::arguments::engines::NoEngine;
use crate::exit::{CommandError, Exit, Failure};
use config::ConfigError;
use host::output::CannotWrite;
use live::person::GameError;
use live::site::CannotServe;
use store::ResultsError;

/// Why nothing can be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A word of the command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// The tournament file is wrong.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// The rules of the game have failed.
    #[error(transparent)]
    Rules(#[from] CommandError),
    /// There is no such engine.
    #[error(transparent)]
    Engine(#[from] NoEngine),
    /// The engine has one strength only.
    #[error("engine `{engine}` has no option `Level`; leave out `--level`")]
    NoLevel {
        /// The engine.
        engine: String,
    },
    /// The folder is not for these matches.
    #[error(transparent)]
    Folder(#[from] ResultsError),
    /// The match ended with an error.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The last match could not be stored.
    #[error("cannot store the match: {0}")]
    Store(io::Error),
    /// There is no place for temporary files.
    #[error(transparent)]
    Temporary(#[from] CannotWrite),
    /// The server cannot be started.
    #[error(transparent)]
    Server(#[from] CannotServe),
    /// The person stopped in the middle of a match.
    #[error("stopped; the match is not stored")]
    Interrupted,
    /// Standard input or output failed.
    #[error("standard input or output: {0}")]
    Stdio(#[from] io::Error),
}

impl Failure for PlayError {
    fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Config(error) => Exit::of_config(error),
            Self::Game(GameError::Opening(_)) => Exit::Input,
            Self::Rules(error) => error.exit(),
            Self::Engine(error) => error.exit(),
            Self::NoLevel { .. } | Self::Game(_) => Exit::Engines,
            Self::Store(_) | Self::Temporary(_) | Self::Server(_) | Self::Folder(_) => Exit::Output,
            Self::Interrupted => Exit::Interrupted,
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
