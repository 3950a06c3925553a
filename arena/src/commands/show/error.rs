//! The errors of `arena show`, with their remedies.

use std::io;
use std::path::{Path, PathBuf};

use engine_proto::fen::shown;
use engine_proto::{GameId, PlayError};

use crate::closest::closest;
use crate::exit::{Exit, Failure};
use crate::results::{ReplayError, ResultsError};

/// Why nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// The word is neither a game nor a folder.
    #[error("`{what}` is neither a game nor a results folder; {remedy}")]
    UnknownGame {
        /// The word.
        what: String,
        /// The remedy.
        remedy: String,
    },
    /// The game has no start of that name.
    #[error("{game} has no start `{name}`; {remedy}")]
    UnknownStart {
        /// The game.
        game: GameId,
        /// The name.
        name: String,
        /// The remedy.
        remedy: String,
    },
    /// A match number without a results folder.
    #[error("`{}` is not a folder; give a results folder that `arena run` has written", folder.display())]
    NoFolder {
        /// The path that is not a folder.
        folder: PathBuf,
    },
    /// A folder without a match number.
    #[error("the number of the match is missing; give it after the folder, as in `arena show {} 1`", folder.display())]
    WhichMatch {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has no such match.
    #[error("no match {number} in `{}`: {what_is}", folder.display())]
    NoMatch {
        /// The number.
        number: u32,
        /// The folder.
        folder: PathBuf,
        /// The matches in the folder.
        what_is: String,
    },
    /// The match is shorter.
    #[error("match {number} has no ply {ply}: it has plies 0 (the opening) to {last}")]
    NoPly {
        /// The match.
        number: u32,
        /// The ply.
        ply: usize,
        /// The last ply of the match.
        last: usize,
    },
    /// The text is not a position.
    #[error(transparent)]
    Position(PlayError),
    /// The record does not follow the rules.
    #[error("match {number}: {error}; `arena verify` lists all problems of the folder")]
    BadRecord {
        /// The match.
        number: u32,
        /// The problem.
        error: ReplayError,
    },
    /// The folder cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The output cannot be written.
    #[error("standard output: {0}")]
    Stdio(#[from] io::Error),
}

impl ShowError {
    pub(super) fn unknown_game(what: &Path) -> Self {
        let what = shown(&what.to_string_lossy());
        let remedy = did_you_mean(&what, GameId::known().map(GameId::id), "the games are");
        Self::UnknownGame { what, remedy }
    }

    pub(super) fn unknown_start(game: GameId, name: &str) -> Self {
        let name = shown(name);
        let starts = game.info().starts;
        let mut remedy = did_you_mean(&name, starts.iter().map(|start| start.name), "its starts are");
        for start in starts.iter().filter(|start| start.random) {
            remedy.push_str(&format!("; `{}-S` is a start for each seed S", start.name));
        }
        Self::UnknownStart { game, name, remedy }
    }
}

impl Failure for ShowError {
    fn exit(&self) -> Exit {
        match self {
            Self::UnknownGame { .. }
            | Self::UnknownStart { .. }
            | Self::NoFolder { .. }
            | Self::WhichMatch { .. }
            | Self::NoMatch { .. }
            | Self::NoPly { .. }
            | Self::Position(_) => Exit::Usage,
            Self::BadRecord { .. } => Exit::Input,
            Self::Results(_) => Exit::Output,
            Self::Stdio(error) => Exit::of_stdio(error),
        }
    }
}

fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone, they_are: &str) -> String {
    match closest(word, known.clone()) {
        Some(other) => format!("did you mean `{other}`?"),
        None => format!("{they_are} {}", known.collect::<Vec<_>>().join(", ")),
    }
}
