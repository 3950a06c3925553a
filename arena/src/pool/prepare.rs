//! Makes this machine ready for a tournament: finds the programs, tries the cages, starts every engine once, reads what the
//! programs are made of.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::builds::{Builds, Reading};
use super::slots::Needs;
use super::{cages, needs, overload, preflight};
use crate::executable::ProgramError;
use crate::opponent::{Contender, Folders, Shortage};
use crate::tournament::{Engine, Tournament};

/// What is known of a tournament's engines once each has been started.
#[derive(Debug)]
pub struct Prepared {
    /// The engines on this machine, in order.
    pub contenders: Vec<Contender>,
    /// The builds of the engines that have started.
    pub builds: Builds,
    /// What each engine has of a match's needs, in order.
    pub(super) needs: Vec<Needs>,
    /// Why an engine takes no part, if it did not start; in order.
    pub why: Vec<Option<String>>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// Why a tournament cannot be played on this machine.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// An engine's program is not there, even after it was built.
    #[error(
        "engine `{engine}`: its `build` command did not produce `{}`; paths are relative to the current folder",
        command.display()
    )]
    NoProgram {
        /// The engine's name.
        engine: String,
        /// The configured command.
        command: PathBuf,
    },
    /// An engine's program is a script without interpreter.
    #[error(
        "engine `{engine}`: the interpreter `{interpreter}` of `{}` does not exist; install it, or correct the first line of \
         the script",
        command.display()
    )]
    NoInterpreter {
        /// The engine's name.
        engine: String,
        /// The configured command.
        command: PathBuf,
        /// The interpreter, as the first line names it.
        interpreter: String,
    },
    /// Engines cannot start, or are not what the configuration says.
    #[error("{}", problems.join("\n"))]
    Engines {
        /// One message an engine.
        problems: Vec<String>,
    },
    /// The system gives the arena no engines.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// A folder cannot be made.
    #[error("cannot write `{}`: {error}; choose a place that exists and that you can write to", path.display())]
    Output {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// Prepares this machine for `tournament`, and fills in the games that each engine plays. What engines write goes to
/// `folders`. `earlier` is the tournament as it was played before, if it was: what an engine that does not start now would
/// play is known from it.
///
/// # Errors
/// If the tournament cannot be played here.
pub async fn prepare(
    tournament: &mut Tournament,
    folders: &Folders,
    earlier: Option<&Tournament>,
) -> Result<Prepared, PrepareError> {
    let mut contenders =
        tournament.engines.iter().map(|engine| contender(engine, folders)).collect::<Result<Vec<_>, _>>()?;
    cages::prepare(&contenders)?;
    let reading = Reading::begin(&contenders);
    let preflight = preflight::preflight(&contenders, &tournament.game_ids()).await?;
    let builds = reading.finish(&contenders, preflight.ids);
    let mut warnings = preflight.warnings;
    warnings.extend(overload::warnings(&tournament.resources));
    let found = preflight.games.into_iter().zip(&preflight.why);
    for ((contender, engine), (games, why)) in contenders.iter_mut().zip(&mut tournament.engines).zip(found) {
        let known = || earlier?.engine(&engine.name)?.games.clone();
        let games = why.as_ref().and_then(|_| known()).unwrap_or(games);
        // Who plays what is part of the schedule: it is kept with the results.
        Arc::make_mut(engine).games = Some(games);
        contender.engine = Arc::clone(engine);
    }
    let needs = needs::needs(tournament, &preflight.threads)?;
    Ok(Prepared { contenders, builds, needs, why: preflight.why, warnings })
}

fn contender(engine: &Arc<Engine>, folders: &Folders) -> Result<Contender, PrepareError> {
    Contender::new(engine, folders).map_err(|error| {
        let (engine, command) = (engine.name.clone(), engine.command.clone());
        match error {
            ProgramError::NoInterpreter { interpreter } => {
                PrepareError::NoInterpreter { engine, command, interpreter }
            }
            _ => PrepareError::NoProgram { engine, command },
        }
    })
}
