//! Games whose rules are a program of the user: the referee program. It answers questions about positions line by line, and
//! the arena trusts it as the rules. A program that fails or contradicts itself makes the game fail; it never decides a match.

mod answer;
mod game;
mod hand;
mod info;
mod play;
mod scene;
#[cfg(test)]
mod tests;

use std::sync::{Mutex, PoisonError};

use engine_proto::{GameId, RegisterError, register_on_request};
use serde::Deserialize;

use self::game::OwnGame;
use crate::tournament::{Cage, RefereeInfo, RefereeProgram};

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
    /// A coordinator that is not trusted names a program.
    #[error("the rules of the game `{id}` are a program, which a worker runs only with `--trust`")]
    Untrusted {
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
    /// The user: in a tournament file, on the command line, or by trusting a coordinator.
    User,
    /// A results folder.
    File,
}

/// Registers the game `id` with its referee program, unless it is registered already. The program is started and asked
/// about itself, unless that is known from an earlier run.
///
/// # Errors
/// If the program does not answer, or the id is not free.
pub fn register(id: &str, program: RefereeProgram, named_by: NamedBy) -> Result<GameId, OwnGameError> {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = own.iter().find(|game| game.id() == id) {
        if known.program().command != program.command {
            return Err(OwnGameError::Twice { id: id.to_owned() });
        }
        if named_by == NamedBy::User {
            known.allow();
        }
        return id.parse().map_err(|_| OwnGameError::Twice { id: id.to_owned() });
    }
    if id.parse::<GameId>().is_ok() {
        // The id of one of the arena's games, which the registry reports with a remedy.
        return Err(RegisterError::Twice { id: String::leak(id.to_owned()) }.into());
    }
    let game: &'static OwnGame =
        Box::leak(Box::new(OwnGame::new(id, program, named_by).map_err(OwnGameError::Program)?));
    let id = register_on_request(game)?;
    own.push(game);
    Ok(id)
}

/// The registered game with this id.
fn registered(id: &str) -> Option<&'static OwnGame> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner).iter().find(|game| game.id() == id).copied()
}

/// The referee program of a game; `None` if the arena has its rules.
pub fn program_of(game: GameId) -> Option<RefereeProgram> {
    let own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.iter().find(|own| own.id() == game.id()).map(|own| own.program().clone())
}

/// Registers the games of a stored tournament. Their programs are not started: the folder may come from somebody else.
///
/// # Errors
/// If another program has the id of one of them.
pub fn register_stored(text: &str) -> Result<(), OwnGameError> {
    // A text that is not a tournament is reported by its reader.
    toml::from_str::<Stored>(text).map_or(Ok(()), |stored| stored.register(NamedBy::File))
}

/// Registers the games of a tournament that another machine sends as JSON.
///
/// # Errors
/// If another program has the id of one of them, or the other machine is not trusted to name programs.
pub fn register_invited(invitation: &[u8], is_trusted: bool) -> Result<(), OwnGameError> {
    #[derive(Deserialize)]
    struct Invited {
        tournament: Stored,
    }
    // A message that is no invitation is reported by its reader.
    let Ok(Invited { tournament }) = serde_json::from_slice(invitation) else { return Ok(()) };
    match tournament.games.iter().find(|game| game.referee.is_some()) {
        Some(game) if !is_trusted => Err(OwnGameError::Untrusted { id: game.id.clone() }),
        _ => tournament.register(NamedBy::User),
    }
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
    fn register(self, named_by: NamedBy) -> Result<(), OwnGameError> {
        for StoredGame { id, referee } in self.games {
            if let Some(program) = referee {
                register(&id, program, named_by)?;
            }
        }
        Ok(())
    }
}

/// Ends the programs. They start again when they are asked.
pub fn rest() {
    OWN.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|game| game.rest());
}

/// A program that is to be asked about itself.
impl RefereeProgram {
    /// A program that was not started yet.
    pub fn new(command: Vec<String>, cage: Cage) -> Self {
        Self { command, cage, info: RefereeInfo::default() }
    }
}
