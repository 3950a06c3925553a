//! Why nothing can be played.

use std::io;
use std::path::{Path, PathBuf};

use crate::config::ConfigError;
use crate::executable::ProgramError;
use crate::exit::{Exit, Failure};
use crate::live::person::GameError;
use crate::live::site::CannotServe;
use crate::opponent::StartError;

/// Why nothing can be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A word of the command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// The tournament file is wrong.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// The engine's program is not there.
    #[error("cannot run the engine `{}`: {}", command.display(), why(error, command))]
    Program {
        /// The program.
        command: PathBuf,
        /// Why.
        error: ProgramError,
    },
    /// The engine cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The engine has one strength only.
    #[error("engine `{engine}` has no option `Level`; leave out `--level`")]
    NoLevel {
        /// The engine.
        engine: String,
    },
    /// The match ended with an error.
    #[error(transparent)]
    Game(#[from] GameError),
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

fn why(error: &ProgramError, command: &Path) -> String {
    let what = match error {
        ProgramError::NotFound { help: Some(near) } => {
            format!("no such file; did you mean `{}`?", near.display())
        }
        ProgramError::NotFound { help: None } => "no such file".to_owned(),
        ProgramError::NotOnPath { .. } => "no folder on `PATH` has it".to_owned(),
        ProgramError::NotRunnable { what } => format!("it {what}"),
        ProgramError::NoInterpreter { .. } => "its interpreter does not exist".to_owned(),
    };
    error.remedy(command).map_or(what.clone(), |remedy| format!("{what}; {remedy}"))
}

impl Failure for PlayError {
    fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Config(_) => Exit::Input,
            Self::Program { .. }
            | Self::Start(_)
            | Self::NoLevel { .. }
            | Self::Game(GameError::Start(_) | GameError::Shortage(_)) => Exit::Engines,
            Self::Game(GameError::Save(_)) | Self::Server(_) => Exit::Output,
            Self::Interrupted => Exit::Interrupted,
            Self::Stdio(error) => Exit::of_stdio(error),
        }
    }

    fn render(&self, colour: bool) -> String {
        match self {
            Self::Config(error @ ConfigError::Wrong { .. }) => error.render(colour),
            error => format!("error: {}", crate::escape::escaped(&error.to_string())),
        }
    }
}
