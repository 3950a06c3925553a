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

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use engine_proto::{AnyGame, GameId, RegisterError, register_on_request};
use serde::Deserialize;
use serde_json::Value;

use self::game::OwnGame;
use self::rules::Rules;
use crate::{program_files, sha256_of};
use model::{BuildFile, RefereeProgram};

/// The games that were registered here. Entries are never freed, since programs register few games.
static OWN: Mutex<Vec<&'static OwnGame>> = Mutex::new(Vec::new());

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

/// Registers the game `id` with its referee program, unless it is registered already. The program is started and asked
/// about itself, unless that is known from an earlier run.
///
/// # Errors
/// If the program does not answer, or the id is not free.
pub fn register(id: &str, program: RefereeProgram, named_by: NamedBy) -> Result<GameId, OwnGameError> {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(known) = own.iter().find(|game| game.info().id == id).copied() else {
        return add(&mut own, id, program, named_by);
    };
    let rules = known.rules();
    if rules.program().command != program.command {
        return Err(OwnGameError::Twice { id: id.to_owned() });
    }
    if named_by == NamedBy::User {
        rules.allow();
    }
    id.parse().map_err(|_| OwnGameError::Twice { id: id.to_owned() })
}

/// Registers the game `id`, or replaces its rules: every tournament that a worker plays has its own.
///
/// # Errors
/// If the id belongs to a game of the arena.
pub fn replace(id: &str, program: RefereeProgram, named_by: NamedBy) -> Result<GameId, OwnGameError> {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(known) = own.iter().find(|game| game.info().id == id).copied() else {
        return add(&mut own, id, program, named_by);
    };
    known.replace(known.rules().successor(program, named_by).map_err(OwnGameError::Program)?);
    id.parse().map_err(|_| OwnGameError::Twice { id: id.to_owned() })
}

fn add(
    own: &mut Vec<&'static OwnGame>,
    id: &str,
    program: RefereeProgram,
    named_by: NamedBy,
) -> Result<GameId, OwnGameError> {
    if id.parse::<GameId>().is_ok() {
        // The id of one of the arena's games, which the registry reports with a remedy.
        return Err(RegisterError::Twice { id: String::leak(id.to_owned()) }.into());
    }
    let rules = Rules::new(id, program, named_by).map_err(OwnGameError::Program)?;
    let game: &'static OwnGame = Box::leak(Box::new(OwnGame::new(rules)));
    let id = register_on_request(game)?;
    own.push(game);
    Ok(id)
}

/// The referee program of a game; `None` if the arena has its rules.
pub fn program_of(game: GameId) -> Option<RefereeProgram> {
    let own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.iter().find(|own| own.info().id == game.id()).map(|own| own.rules().program().clone())
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

/// Registers the games of a stored tournament. Their programs are not started: the folder may come from somebody else.
///
/// # Errors
/// If another program has the id of one of them.
pub fn register_stored(tournament: &Value) -> Result<(), OwnGameError> {
    // What is not a tournament is reported by its reader.
    let Ok(stored) = Stored::deserialize(tournament) else { return Ok(()) };
    stored.referees().try_for_each(|(id, program)| register(&id, program, NamedBy::File).map(drop))
}

/// Registers the games of a tournament that another machine sends as JSON. Their programs cannot be run yet.
///
/// # Errors
/// If one of them has the id of a game of the arena.
pub fn register_invited(invitation: &[u8]) -> Result<(), OwnGameError> {
    #[derive(Deserialize)]
    struct Invited {
        tournament: Stored,
    }
    // A message that is no invitation is reported by its reader.
    let Ok(Invited { tournament }) = serde_json::from_slice(invitation) else { return Ok(()) };
    tournament.referees().try_for_each(|(id, program)| replace(&id, program, NamedBy::File).map(drop))
}

/// The games of a tournament. The other keys do not matter here.
#[derive(Deserialize)]
struct Stored {
    #[serde(default)]
    games: Vec<StoredGame>,
}

#[derive(Deserialize)]
struct StoredGame {
    id: String,
    referee: Option<RefereeProgram>,
}

impl Stored {
    fn referees(self) -> impl Iterator<Item = (String, RefereeProgram)> {
        self.games.into_iter().filter_map(|game| Some((game.id, game.referee?)))
    }
}

/// Why a program that may be run can no longer be used; `None` if all can.
pub fn failure() -> Option<String> {
    // It is also asked after a panic.
    let own = OWN.try_lock().ok()?;
    own.iter().filter(|game| game.rules().may_run()).find_map(|game| game.failure())
}

/// Ends the programs. They start again when they are asked.
pub fn rest() {
    OWN.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|game| game.rules().rest());
}
