//! Positions that arguments name: of a recorded match, or of a game.

use std::path::{Path, PathBuf};

use engine_proto::fen::shown;
use engine_proto::{AnyPlay, GameId, GameInfo, Games, PlayError};

use crate::exit::Exit;
use host::closest::{closest, path_meant};
use model::Record;
use store::{Found, ReplayError, ResultsError, as_one_word, find_match};

/// What the first argument names: a results folder, with the number of a match, or a game.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A match of a results folder.
    Match(&'a Path, u32),
    /// A game.
    Game(GameId),
}

/// Reads the first two arguments of the command with this name.
///
/// # Errors
/// If they name nothing.
pub fn source<'a>(
    games: &Games,
    command: &'static str,
    what: &'a Path,
    number: Option<u32>,
) -> Result<Source<'a>, PositionError> {
    let game = what.to_str().and_then(|id| games.parse(id).ok());
    let is_path =
        what.to_string_lossy().contains(['/', '\\', '.']) || Path::new("results").join(what).exists();
    match (number, game) {
        (_, None) if is_path && !what.exists() => Err(PositionError::NoPath { path: what.to_owned() }),
        (Some(_), _) if !what.is_dir() => Err(PositionError::NoFolder { folder: what.to_owned() }),
        (Some(number), _) => Ok(Source::Match(what, number)),
        (None, Some(game)) => Ok(Source::Game(game)),
        (None, None) if what.is_dir() => Err(PositionError::WhichMatch { command, folder: what.to_owned() }),
        (None, None) => Err(PositionError::unknown_game(games, what)),
    }
}

/// A position of a game: a FEN, a start by its name, or the default start.
///
/// # Errors
/// If there is no such position.
pub fn position(
    games: &Games,
    game: GameId,
    fen: Option<&str>,
    start: Option<&str>,
) -> Result<Box<dyn AnyPlay>, PositionError> {
    match (fen, start) {
        (Some(fen), _) => games.play(game, fen),
        (None, None) => games.startpos(game),
        // Random parts of a start are drawn with seed 1, as for `startpos`.
        (None, Some(name)) => games.start(game, name, 1),
    }
    .map_err(|error| match (error, games.info(game)) {
        (PlayError::NoStart { name }, Ok(info)) => PositionError::unknown_start(info, name),
        (error, _) => PositionError::Position(error),
    })
}

/// A match of a results folder, which is of one of these games. If `ply` is given, the match has at least this number of plies.
///
/// # Errors
/// If there is no such match or ply, or the folder cannot be read.
pub fn record(
    games: &Games,
    folder: &Path,
    number: u32,
    ply: Option<usize>,
) -> Result<Box<Record>, PositionError> {
    let record = match find_match(games, folder, number)? {
        Found::Match(record) => record,
        Found::Nothing { numbers, is_last_torn } => {
            let mut what_is = match numbers {
                Some((first, last)) => format!("it has matches {first} to {last}"),
                None => "it has no finished match".to_owned(),
            };
            if is_last_torn {
                what_is.push_str("; its last line is incomplete, and `arena run` will play that match again");
            }
            return Err(PositionError::NoMatch { number, folder: folder.to_owned(), what_is });
        }
    };
    let last = record.moves.len();
    match ply {
        Some(ply) if last < ply => Err(PositionError::NoPly { number, ply, last }),
        _ => Ok(record),
    }
}

/// Why there is no position.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    /// The word is neither a game nor a folder.
    #[error("`{what}` is neither a game nor a results folder; {remedy}")]
    UnknownGame {
        /// The word.
        what: String,
        /// The remedy.
        remedy: String,
    },
    /// There is neither a file nor a folder at this path.
    #[error("there is no file or folder `{}`{}", path.display(), path_meant(path))]
    NoPath {
        /// The path.
        path: PathBuf,
    },
    /// The game has no start of that name.
    #[error("{game} has no start `{name}`; {remedy}")]
    UnknownStart {
        /// The game.
        game: &'static str,
        /// The name.
        name: String,
        /// The remedy.
        remedy: String,
    },
    /// A match number without a results folder.
    #[error("`{}` is not a folder{}; give a results folder that `arena run` has written", folder.display(), path_meant(folder))]
    NoFolder {
        /// The path that is not a folder.
        folder: PathBuf,
    },
    /// A folder without a match number.
    #[error("the match number is missing; give it after the folder, as in `arena {command} {} 1`", as_one_word(&folder.to_string_lossy()))]
    WhichMatch {
        /// The command.
        command: &'static str,
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
}

impl PositionError {
    fn unknown_game(games: &Games, what: &Path) -> Self {
        let what = shown(&what.to_string_lossy());
        let remedy = known_games(games, &what);
        Self::UnknownGame { what, remedy }
    }

    fn unknown_start(game: &GameInfo, name: String) -> Self {
        let starts = game.starts;
        let mut remedy = did_you_mean(&name, starts.iter().map(|start| start.name), "its starts are");
        for start in starts.iter().filter(|start| start.random) {
            remedy.push_str(&format!("; `{}-S` is a start for each seed S", start.name));
        }
        Self::UnknownStart { game: game.id, name, remedy }
    }
}

impl PositionError {
    /// The exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Self::UnknownGame { .. }
            | Self::UnknownStart { .. }
            | Self::WhichMatch { .. }
            | Self::NoMatch { .. }
            | Self::NoPly { .. }
            | Self::Position(_) => Exit::Usage,
            Self::NoPath { .. }
            | Self::NoFolder { .. }
            | Self::BadRecord { .. }
            | Self::Results(ResultsError::NoJournal { .. }) => Exit::Input,
            Self::Results(_) => Exit::Output,
        }
    }
}

/// A remedy for a word that is no game.
pub fn known_games(games: &Games, word: &str) -> String {
    let remedy = did_you_mean(word, games.ids(), "the games are");
    if remedy.starts_with("did") {
        remedy
    } else {
        format!("{remedy}; for a game of your own, add `--referee \"{word}=PROGRAM\"`")
    }
}

fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone, they_are: &str) -> String {
    match closest(word, known.clone()) {
        Some(other) => format!("did you mean `{other}`?"),
        None => format!("{they_are} {}", known.collect::<Vec<_>>().join(", ")),
    }
}
