//! PGN, the text form of matches that chess programs exchange: the one parser of the arena, its writer, and the reader of moves.

pub mod comment;
mod moves;
mod parser;
mod writer;

use std::io;

pub use moves::{read_moves, without_mark};
pub use parser::{Game, Parser, Tag};
pub use writer::{claim, time_control, write};

/// Why a text is not PGN.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// It cannot be read.
    #[error("{0}")]
    Read(#[source] io::Error),
    /// It ends within a game.
    #[error("line {line}: the last game is incomplete; complete or delete it")]
    Torn {
        /// The line, from 1.
        line: u64,
    },
    /// It breaks the rules of PGN.
    #[error("line {line}: {problem}")]
    Wrong {
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
}
