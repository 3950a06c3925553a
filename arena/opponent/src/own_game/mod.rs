//! Games whose rules are a program of the user: the referee program. It answers questions about positions line by line, and
//! the arena trusts it as the rules. A program that fails or contradicts itself makes the game fail; it never decides a match.

mod answer;
mod game;
mod hand;
mod info;
mod play;
mod rules;
mod scene;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use engine_proto::{GameId, Games, RegisterError};
use serde::Deserialize;
use serde_json::Value;

use self::game::OwnGame;
use self::rules::Rules;
use crate::{program_files, sha256_of};
use model::{BuildFile, RefereeProgram};

/// Why a game of the user cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum OwnGameError {
    /// Its id is malformed, or belongs to another game.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// Another referee program has this id.
    #[error("the game `{id}` already has another referee program in this run; give one of them another id")]
    Twice {
        /// The id.
        id: String,
    },
    /// The program does not answer as it should.
    #[error("{0}")]
    Program(String),
}

/// Who names a program. Only those that the user names are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// The user: in a tournament file, or on the command line.
    User,
    /// A results folder, or another machine.
    File,
}

/// These games and the game `id`, whose rules are this program, unless it is one of them already. The program is started and
/// asked about itself, unless that is known from an earlier run.
///
/// # Errors
/// If the program does not answer, or the id is not free.
pub fn with(
    games: &Games,
    id: &str,
    program: RefereeProgram,
    named_by: NamedBy,
) -> Result<Games, OwnGameError> {
    let Ok(known) = games.parse(id) else {
        let rules = Rules::new(id, program, named_by).map_err(OwnGameError::Program)?;
        return Ok(games.with_on_request(Arc::new(OwnGame(Arc::new(rules))))?);
    };
    match program_of(games, known) {
        Some(other) if other.command == program.command => Ok(games.clone()),
        Some(_) => Err(OwnGameError::Twice { id: id.to_owned() }),
        None => Err(RegisterError::Twice { id: id.to_owned() }.into()),
    }
}

/// The referee program of a game; `None` if the game has none.
pub fn program_of(games: &Games, game: GameId) -> Option<&RefereeProgram> {
    let rules: &dyn Any = games.get(game).ok()?;
    rules.downcast_ref::<OwnGame>().map(|own| own.0.program())
}

/// These games and those of a stored tournament. Their programs are not started: the folder may come from somebody else.
///
/// # Errors
/// If another program has the id of one of them.
pub fn with_stored(games: &Games, tournament: &Value) -> Result<Games, OwnGameError> {
    #[derive(Deserialize)]
    struct Stored {
        #[serde(default)]
        games: Vec<StoredGame>,
    }
    // The other keys do not matter here.
    #[derive(Deserialize)]
    struct StoredGame {
        id: String,
        referee: Option<RefereeProgram>,
    }
    // What is not a tournament is reported by its reader.
    let Ok(stored) = Stored::deserialize(tournament) else { return Ok(games.clone()) };
    let mut referees = stored.games.into_iter().filter_map(|game| Some((game.id, game.referee?)));
    referees.try_fold(games.clone(), |games, (id, program)| with(&games, &id, program, NamedBy::File))
}

/// The files of a program: itself, and those among its arguments.
///
/// # Errors
/// If there is no such program, in words.
pub fn files(id: &str, program: &RefereeProgram) -> Result<Vec<BuildFile>, String> {
    let (contender, _scratch) = hand::contender(id, program)?;
    let command = Path::new(program.command.first().map_or("", String::as_str));
    let files = program_files(command, &contender.spawn).into_iter();
    Ok(files.map(|file| BuildFile { path: file.name, sha256: sha256_of(&file.path).ok() }).collect())
}
