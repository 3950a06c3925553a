//! The errors of `arena show`.

use std::io;

use crate::commands::arguments::positions::PositionError;
use crate::exit::{Exit, Failure};

/// Why nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// There is no such position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The output cannot be written.
    #[error("standard output: {0}")]
    Stdio(#[from] io::Error),
}

impl Failure for ShowError {
    fn exit(&self) -> Exit {
        match self {
            Self::Position(error) => error.exit(),
            Self::Stdio(error) => Exit::of_stdio(error),
        }
    }
}
