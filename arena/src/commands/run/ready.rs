//! What is done before the results folder is opened: the openings, and the first start of each engine.

use std::sync::Arc;

use tokio::runtime::Runtime;

use super::{Error, RunArgs, configuration};
use model::{SetAside, Tournament};
use opponent::Folders;
use runner::pool::{Prepared, prepare};
use schedule::openings::Openings;
use schedule::{Plan, planning, playable};
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
        let earlier = store::read_tournament(&tournament.results).ok();
        let prepared = runtime
            .block_on(prepare(&mut tournament, folders, earlier.as_ref()))
            .map_err(|error| configuration::at_its_place(error, source))?;
        playable::check(&tournament, &prepared.why)?;
        Ok(Self { tournament: Arc::new(tournament), openings, prepared })
    }
}

/// The tournament as its results folder is opened for it.
pub fn wanted<'a>(
    args: &'a RunArgs,
    tournament: &'a Tournament,
    plan: &'a Plan,
    prepared: &'a Prepared,
    set_aside: &'a [SetAside],
) -> Wanted<'a> {
    Wanted {
        tournament,
        plan,
        replayed: &args.replay,
        set_aside,
        builds: prepared.builds.all(),
        accepted: &args.accept_changed,
    }
}
