//! What an engine's program says of itself, and what can be wrong with that.

use std::io;

use crate::proto::BadOption;

/// Who the program is: its `id` lines.
pub(super) struct Identity {
    pub(super) name: String,
    pub(super) author: String,
    pub(super) version: Option<String>,
}

/// The name of the option that says which game is played.
pub(super) const GAME: &str = "Game";
/// The name of the option for the time between the engine's clock and the arena's, in milliseconds.
pub(super) const MOVE_OVERHEAD: &str = "MoveOverhead";

/// Why a program ended before it was told to.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program contradicts itself: a mistake of its author.
    #[error(transparent)]
    Program(#[from] BadProgram),
    /// The input could not be read.
    #[error("cannot read the input: {0}")]
    Input(#[source] io::Error),
    /// The thread for searches could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
    /// The engine panicked while it was thinking.
    #[error("the engine panicked")]
    EnginePanicked,
}

/// What is wrong with a program's description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadProgram {
    /// It plays no game.
    #[error("the program plays no game")]
    NoGames,
    /// It has two engines for one game.
    #[error("the game `{id}` is there twice")]
    GameTwice {
        /// The game's id.
        id: &'static str,
    },
    /// One of its options contradicts itself.
    #[error("option `{name}`: {reason}")]
    Option {
        /// The option's name.
        name: String,
        /// What is wrong with it.
        reason: BadOption,
    },
    /// Two of its options have one name, or one has that of an option that every program has.
    #[error("the option `{name}` is there twice")]
    OptionTwice {
        /// The second one's name.
        name: String,
    },
}
