//! Prepares this machine for a tournament: finds the programs, tests the cages, starts every engine once, and reads
//! the files of the programs.

use std::sync::Arc;

use super::builds::{Builds, Reading};
use super::prepare_error::PrepareError;
use super::slots::Needs;
use super::{cages, needs, overload, preflight};
use host::executable::ProgramError;
use model::{Engine, Resources, Tournament};
use opponent::{Contender, Folders};

/// What is known of the engines after each was started once.
#[derive(Debug)]
pub struct Prepared {
    /// The engines, in order.
    pub contenders: Vec<Contender>,
    /// The builds of the engines that started.
    pub builds: Builds,
    /// What each engine needs for a match, in order.
    pub(super) needs: Vec<Needs>,
    /// Why an engine did not start; `None` if it did. In order.
    pub why: Vec<Option<String>>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

impl Prepared {
    /// Nobody, for a pool that engines join later.
    pub fn nobody() -> Self {
        Self {
            contenders: Vec::new(),
            builds: Builds::default(),
            needs: Vec::new(),
            why: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The same with another name of its only engine. Its files keep their names.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        for contender in &mut self.contenders {
            name.clone_into(&mut Arc::make_mut(&mut contender.engine).name);
        }
        self.builds = self.builds.named(name);
        self
    }

    /// The number of matches that these resources always suffice for, whichever engines play.
    pub fn n_places(&self, resources: &Resources) -> u16 {
        let cores = needs::widest_match(&self.needs).max(1);
        let memory =
            self.needs.iter().map(|needs| needs.memory).max().unwrap_or_default().saturating_mul(2).max(1);
        let by_memory = resources.memory.map_or(u64::MAX, |all| all.bytes / memory);
        let n_places = u64::from(resources.cores / cores).min(by_memory).min(resources.concurrency.into());
        u16::try_from(n_places).unwrap_or(u16::MAX)
    }
}

/// Prepares this machine for `tournament`, and sets the games that each engine plays. Files of engines go to
/// `folders`. `earlier` is the tournament of an earlier run, if there is one: the games of an engine that does not
/// start now are taken from it.
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
    let unlimited = cages::prepare(&contenders)?;
    let reading = Reading::begin(&contenders);
    let preflight = preflight::preflight(&contenders, &tournament.game_ids()).await?;
    let builds = reading.finish(&contenders, preflight.ids);
    let mut warnings = [unlimited, preflight.warnings].concat();
    warnings.extend(overload::warnings(&tournament.resources));
    let found = preflight.games.into_iter().zip(&preflight.why);
    for (engine, (games, why)) in tournament.engines.iter_mut().zip(found) {
        let known = || earlier?.engine(&engine.name)?.games.clone();
        let games = why.as_ref().and_then(|_| known()).unwrap_or(games);
        // The games of each engine are part of the schedule, so they are stored with the results.
        Arc::make_mut(engine).games = Some(games);
    }
    warnings.extend(needs::grant_threads(tournament, &preflight.threads));
    for (contender, engine) in contenders.iter_mut().zip(&tournament.engines) {
        contender.engine = Arc::clone(engine);
    }
    let ponders: Vec<bool> =
        preflight.can_ponder.iter().map(|can_ponder| tournament.rules.ponder && *can_ponder).collect();
    if tournament.rules.ponder && !ponders.contains(&true) {
        warnings.push("`ponder = true` has no effect: no engine has the check option `Ponder`".to_owned());
    }
    let needs = needs::needs(tournament, &preflight.threads, &ponders)?;
    Ok(Prepared { contenders, builds, needs, why: preflight.why, warnings })
}

pub(super) fn contender(engine: &Arc<Engine>, folders: &Folders) -> Result<Contender, PrepareError> {
    Contender::new(engine, folders).map_err(|error| {
        let was_built = !engine.build.is_empty();
        let (engine, command) = (engine.name.clone(), engine.command.clone());
        match error {
            ProgramError::NoInterpreter { interpreter } => {
                PrepareError::NoInterpreter { engine, command, interpreter }
            }
            _ => PrepareError::NoProgram { engine, command, was_built },
        }
    })
}
