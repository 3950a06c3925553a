//! What an engine's program says of itself, and what can be wrong with that.

use std::io;

use crate::proto::BadOption;

/// The program's name, author and version: its `id` lines.
pub(super) struct Identity {
    pub(super) name: String,
    pub(super) author: String,
    pub(super) version: Option<String>,
}

/// The name of the option that selects the game.
pub(super) const GAME: &str = "Game";
/// The name of the option for the communication overhead per move, in milliseconds.
pub(super) const MOVE_OVERHEAD: &str = "MoveOverhead";

/// The name of the option that allows thinking on the opponent's time.
pub(super) const PONDER: &str = "Ponder";

/// Why a program ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The program's description has an error, which is a bug in the program.
    #[error(transparent)]
    Program(#[from] BadProgram),
    /// The input could not be read.
    #[error("cannot read the input: {0}")]
    Input(#[source] io::Error),
    /// The search thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
    /// The engine panicked while it was thinking.
    #[error("the engine panicked")]
    EnginePanicked,
}

/// What is wrong with a program's description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadProgram {
    /// It has no game.
    #[error("the program plays no game")]
    NoGames,
    /// It has two engines for one game.
    #[error("the program has two engines for the game `{id}`")]
    GameTwice {
        /// The game's id.
        id: &'static str,
    },
    /// The declaration of an option is not valid.
    #[error("option `{name}`: {reason}")]
    Option {
        /// The option's name.
        name: String,
        /// What is wrong with it.
        reason: BadOption,
    },
    /// Two options have the same name, or an option has the name of one that always exists.
    #[error("the option `{name}` is declared twice")]
    OptionTwice {
        /// The name of the second one.
        name: String,
    },
}
