//! Prepares this machine for the tournament of a coordinator: the engines must exist here, start, and be the same builds.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Settings;
use crate::machine::OwnTimes;
use crate::machines::message::{Invitation, Order, decode};
use crate::own_game;
use crate::pool::{LocalPool, LocalSettings, Prepared, prepare};
use crate::tournament::{Build, Engine, Tier};

/// A tournament that can be played here.
#[derive(Debug)]
pub struct Guest {
    /// Plays the matches.
    pub pool: LocalPool,
    /// The number of pairs at the same time.
    pub n_places: u16,
    /// The time after which the coordinator gives up a silent worker, in milliseconds.
    pub lease_ms: u64,
    /// The engines as the coordinator has them, by name.
    engines: BTreeMap<String, Arc<Engine>>,
}

impl Guest {
    /// Prepares this machine.
    ///
    /// # Errors
    /// Why the worker cannot take part, for the user of the coordinator.
    pub async fn new(invitation: &[u8], settings: &Settings) -> Result<Self, String> {
        own_game::register_invited(invitation, settings.trusts).map_err(|error| error.to_string())?;
        let invitation: Invitation = decode(invitation).map_err(|error| error.to_string())?;
        let Invitation { mut tournament, builds, lease_ms } = invitation;
        let by_name = |engine: &Arc<Engine>| (engine.name.clone(), Arc::clone(engine));
        let engines = tournament.engines.iter().map(by_name).collect();
        tournament.resources.concurrency = settings.cores;
        tournament.resources.cores = u32::from(settings.cores);
        tournament.resources.memory = settings.memory;
        if !settings.trusts {
            for engine in &mut tournament.engines {
                Arc::make_mut(engine).cage.sandbox = Some(Tier::Strict);
            }
        }
        let prepared = prepare(&mut tournament, &settings.folders, None).await;
        let prepared = prepared.map_err(|error| error.to_string())?;
        check_builds(&builds, &prepared)?;
        let n_places = prepared.n_places(&tournament.resources);
        if n_places == 0 {
            return Err("its memory or its processors do not suffice for a match".to_owned());
        }
        let settings = LocalSettings {
            n_matches: usize::from(n_places),
            logs: None,
            tells_moves: true,
            own_times: OwnTimes::default(),
        };
        let pool = LocalPool::new(&tournament, prepared, settings).map_err(|error| error.to_string())?;
        Ok(Self { pool, n_places, lease_ms, engines })
    }

    /// What is wrong with an order; `None` if it can be played.
    pub fn wrong(&self, order: &Order) -> Option<String> {
        if !(1..=2).contains(&order.jobs.len()) {
            return Some(format!("{} matches are no pair", order.jobs.len()));
        }
        order.jobs.iter().find_map(|job| {
            let number = job.number;
            if job.pair != order.pair {
                return Some(format!("match {number} is of another pair"));
            }
            if job.game.play(&job.opening).is_err() {
                return Some(format!("match {number} has no valid opening"));
            }
            let other = job.players.iter().find(|player| !self.knows(&player.engine))?;
            Some(format!("engine `{}` is not part of the tournament", super::shown(&other.engine.name)))
        })
    }

    fn knows(&self, engine: &Arc<Engine>) -> bool {
        self.engines.get(&engine.name).is_some_and(|known| known == engine)
    }
}

/// Compares the programs of the engines with those of the coordinator.
fn check_builds(theirs: &[Build], prepared: &Prepared) -> Result<(), String> {
    let ours = prepared.builds.all();
    for their in theirs {
        let engine = &their.engine;
        let Some(our) = ours.iter().find(|our| our.engine == *engine) else {
            let place = prepared.contenders.iter().position(|contender| contender.name() == engine);
            let why = place.and_then(|place| prepared.why[place].clone()).unwrap_or_default();
            return Err(format!("engine `{engine}` does not start: {why}"));
        };
        if our.id != their.id {
            let files = differences(their, our);
            return Err(format!(
                "engine `{engine}` is another program than at the coordinator: {files}; install the same file on both machines"
            ));
        }
    }
    Ok(())
}

/// The files of two builds that differ, with their SHA-256.
fn differences(their: &Build, our: &Build) -> String {
    let unknown = || "cannot be read".to_owned();
    let sha256 = |hash: &Option<String>| hash.clone().unwrap_or_else(unknown);
    let pairs = their.files.iter().zip(&our.files).filter(|(their, our)| their.sha256 != our.sha256);
    let texts: Vec<String> = pairs
        .map(|(their, our)| {
            let path = super::shown(&our.path);
            format!("`{path}` has SHA-256 {} there and {} here", sha256(&their.sha256), sha256(&our.sha256))
        })
        .collect();
    if texts.is_empty() {
        format!("build {} there and {} here", their.in_words(), our.in_words())
    } else {
        texts.join(", ")
    }
}
