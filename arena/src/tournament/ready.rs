//! What is done before the results folder is opened: the openings, and the first start of each engine.

use std::sync::Arc;

use tokio::runtime::Runtime;

use super::{Error, Run};
use config::AtEngine;
use model::{SetAside, Tournament};
use opponent::Folders;
use runner::pool::{EngineProblem, PrepareError, Prepared, prepare, set_start_values};
use schedule::openings::Openings;
use schedule::{Course, Plan, planning, playable};
use store::Wanted;

/// What is known before the results folder is opened.
pub struct Ready {
    /// The tournament, with the games that each engine plays.
    pub tournament: Arc<Tournament>,
    /// By game.
    pub openings: Vec<Openings>,
    /// The engines.
    pub prepared: Prepared,
}

impl Ready {
    /// Reads the openings, tries every cage and starts every engine once; what engines write goes to `folders`.
    ///
    /// # Errors
    /// If there are no openings, an engine is not what `source` says, or too few engines can play.
    pub fn new(
        mut tournament: Tournament,
        folders: &Folders,
        runtime: &Runtime,
        source: &config::Source,
    ) -> Result<Self, Error> {
        let openings = planning::openings(&tournament)?;
        runtime
            .block_on(set_start_values(&mut tournament, folders))
            .map_err(|error| at_its_place(error, source))?;
        let earlier = store::read_tournament(&tournament.known_games, &tournament.results).ok();
        let prepared = runtime
            .block_on(prepare(&mut tournament, folders, earlier.as_ref()))
            .map_err(|error| at_its_place(error, source))?;
        playable::check(&tournament, &prepared.why)?;
        Ok(Self { tournament: Arc::new(tournament), openings, prepared })
    }
}

impl Run<'_> {
    /// The tournament as its results folder is opened for it.
    pub fn wanted<'a>(
        &'a self,
        tournament: &'a Tournament,
        plan: &'a Plan,
        prepared: &'a Prepared,
        set_aside: &'a [SetAside],
    ) -> Wanted<'a> {
        Wanted {
            tournament,
            plan,
            replayed: self.replayed,
            set_aside,
            builds: prepared.builds.all(),
            accepted: &self.playing.accept_changed,
        }
    }

    /// The course of the tournament, or of its shard, before the first match.
    pub fn course(&self, tournament: &Tournament) -> Course {
        let course = planning::course(tournament);
        match self.shard {
            Some(shard) => course.only(shard),
            None => course,
        }
    }
}

/// Shows the place in the file that contradicts an engine.
pub fn at_its_place(error: PrepareError, source: &config::Source) -> Error {
    let PrepareError::Mismatch { problems } = error else { return error.into() };
    let found = problems.iter().map(|EngineProblem { engine, key, option, message, help }| AtEngine {
        engine,
        key,
        option: option.as_deref(),
        message,
        help: help.as_deref(),
    });
    Error::Mismatch(source.wrong(found))
}
