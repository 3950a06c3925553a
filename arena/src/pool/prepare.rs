//! Makes this machine ready for a tournament: finds the programs, tries the cages, starts every engine once, reads what the
//! programs are made of.

use std::sync::Arc;

use super::builds::{Builds, Reading};
use super::prepare_error::PrepareError;
use super::slots::Needs;
use super::{cages, needs, overload, preflight};
use crate::executable::ProgramError;
use crate::opponent::{Contender, Folders};
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
