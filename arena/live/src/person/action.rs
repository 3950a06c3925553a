//! What a person can do.

use serde::Deserialize;

use super::menu::Choice;

/// What a person does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// Makes a move.
    Move {
        /// Its spelling.
        #[serde(rename = "move")]
        mv: String,
        /// Whether a draw is offered, or accepted, with it.
        #[serde(default)]
        draw: bool,
    },
    /// Gives up.
    Resign,
    /// Takes back the own last move, and what followed.
    TakeBack,
    /// Asks the engine what it would play.
    Hint,
    /// Plays another match, after one is over and stored.
    New {
        /// Whether the person keeps its side.
        #[serde(default)]
        same_side: bool,
        /// Another playing strength of the engine.
        #[serde(default)]
        level: Option<u32>,
    },
    /// Shows what can be played, after a match is over and stored.
    Menu,
    /// Begins a match that was chosen from the menu.
    Begin(Choice),
    /// Tries again to store a match that is over.
    Store,
    /// Shows this text. Only a terminal can do this.
    #[serde(skip)]
    Tell(String),
    /// Shows the legal moves. Only a terminal can do this.
    #[serde(skip)]
    Moves,
    /// Ends the program. Only a terminal can do this.
    #[serde(skip)]
    Quit,
}
