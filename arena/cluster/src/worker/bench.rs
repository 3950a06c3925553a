//! The engines of an open tournament at a worker: each is prepared when the first order brings it. An engine that cannot play
//! here keeps no other from playing.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Client;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::guest::{Unfit, make_ready};
use super::{Settings, bounds};
use crate::message::{Order, Program};
use host::launch::{self, Confinement};
use model::{Cage, Engine, Tier, Tournament};
use runner::pool::Prepared;

/// With more engines, or more bytes of their files, those that play nothing are forgotten.
const MOST_ENGINES: usize = 500;
const MOST_BYTES: u64 = 4 << 30;
/// An engine that cannot play yet is tried again after this time.
const AGAIN: Duration = Duration::from_secs(10);

/// The engines that have come with orders.
#[derive(Debug)]
pub struct Bench {
    client: Client,
    /// The tournament without engines, with the resources of this machine.
    tournament: Tournament,
    settings: Settings,
    has_strict_sandbox: bool,
    /// By name.
    places: HashMap<String, Place>,
    done: (UnboundedSender<Done>, UnboundedReceiver<Done>),
}

/// An engine, and how far it is.
#[derive(Debug)]
struct Place {
    /// As the coordinator has it.
    engine: Arc<Engine>,
    program: Program,
    state: State,
}

#[derive(Debug)]
enum State {
    Preparing,
    Ready {
        /// The files that were sent.
        _unpacked: Option<TempDir>,
    },
    Lacking {
        again: Option<Instant>,
    },
}

/// What became of an engine.
#[derive(Debug)]
pub struct Done {
    name: String,
    outcome: Result<(Prepared, Option<TempDir>), Unfit>,
}

/// Whether an order can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// All engines are ready.
    Ready,
    /// An engine is being prepared.
    Preparing,
    /// An engine cannot play here.
    Lacking,
}

impl Bench {
    /// No engines yet.
    pub fn new(client: Client, tournament: Tournament, settings: Settings) -> Self {
        let has_strict_sandbox = has_strict_sandbox(&settings);
        Self {
            client,
            tournament,
            settings,
            has_strict_sandbox,
            places: HashMap::new(),
            done: unbounded_channel(),
        }
    }

    /// Whether engines of strangers can play here.
    pub const fn has_strict_sandbox(&self) -> bool {
        self.has_strict_sandbox
    }

    /// What is wrong with the engines of an order; `None` if nothing is.
    pub fn wrong(&self, order: &Order) -> Option<String> {
        let engines = order.jobs.iter().flat_map(|job| job.players.iter().map(|player| &player.engine));
        engines.into_iter().find_map(|engine| {
            let name = engine_proto::fen::shown(&engine.name);
            let Some(program) = order.programs.iter().find(|program| program.build.engine == engine.name)
            else {
                return Some(format!("the program of engine `{name}` is missing"));
            };
            if let Some(why) = bounds::wrong_engine(engine) {
                return Some(why);
            }
            let known = self.places.get(&engine.name)?;
            let is_same = known.program == *program && is_same_program(&known.engine, engine);
            (!is_same).then(|| format!("engine `{name}` is not that of earlier orders"))
        })
    }

    /// Prepares the engines of an order that are not known yet. `held` are the orders that this machine holds.
    pub fn prepare<'a>(&mut self, order: &'a Order, held: impl Iterator<Item = &'a Order>) {
        self.forget(held.chain([order]));
        for player in order.jobs.iter().flat_map(|job| &job.players) {
            let name = &player.engine.name;
            let is_known = self.places.get(name).is_some_and(|place| match place.state {
                State::Lacking { again } => again.is_none_or(|again| Instant::now() < again),
                State::Preparing | State::Ready { .. } => true,
            });
            let program = order.programs.iter().find(|program| program.build.engine == *name);
            if let Some(program) = program.filter(|_| !is_known) {
                self.start(Arc::clone(&player.engine), program.clone());
            }
        }
    }

    /// Forgets all engines that are not of these orders, if there are too many.
    fn forget<'a>(&mut self, needed: impl Iterator<Item = &'a Order>) {
        let parcels = self.places.values().flat_map(|place| &place.program.parcels);
        let n_bytes = parcels.map(|parcel| parcel.bytes).fold(0, u64::saturating_add);
        if self.places.len() < MOST_ENGINES && n_bytes < MOST_BYTES {
            return;
        }
        let players = needed.flat_map(|order| &order.jobs).flat_map(|job| &job.players);
        let needed: HashSet<&String> = players.map(|player| &player.engine.name).collect();
        self.places.retain(|name, place| needed.contains(name) || matches!(place.state, State::Preparing));
    }

    fn start(&mut self, engine: Arc<Engine>, program: Program) {
        let name = engine.name.clone();
        let place = Place { engine: Arc::clone(&engine), program: program.clone(), state: State::Preparing };
        self.places.insert(name.clone(), place);
        let mut tournament = Tournament { engines: vec![engine], ..self.tournament.clone() };
        let (client, settings, done) = (self.client.clone(), self.settings.clone(), self.done.0.clone());
        tokio::spawn(async move {
            let Program { build, parcels } = program;
            let outcome = make_ready(&client, &mut tournament, &[build], &parcels, None, &settings).await;
            let _ = done.send(Done { name, outcome });
        });
    }

    /// Waits until an engine is prepared.
    pub async fn next(&mut self) -> Done {
        match self.done.1.recv().await {
            Some(done) => done,
            None => std::future::pending().await,
        }
    }

    /// Takes an engine that is prepared. Returns what a pool needs, or else why it cannot play.
    ///
    /// # Errors
    /// In words, why the engine cannot play here.
    pub fn take(&mut self, Done { name, outcome }: Done) -> Result<Prepared, String> {
        let Some(place) = self.places.get_mut(&name) else { return Err("it is no longer wanted".to_owned()) };
        match outcome {
            Ok((prepared, _)) if prepared.n_places(&self.tournament.resources) == 0 => {
                place.state = State::Lacking { again: None };
                Err(format!(
                    "engine `{}` needs more memory or processors than there are",
                    engine_proto::fen::shown(&name)
                ))
            }
            Ok((prepared, unpacked)) => {
                place.state = State::Ready { _unpacked: unpacked };
                Ok(prepared)
            }
            Err(unfit) => {
                let again = matches!(unfit, Unfit::Now(_)).then(|| Instant::now() + AGAIN);
                place.state = State::Lacking { again };
                let (Unfit::Now(why) | Unfit::Always(why)) = unfit;
                Err(why)
            }
        }
    }

    /// Whether an order can be played.
    pub fn readiness(&self, order: &Order) -> Readiness {
        let mut readiness = Readiness::Ready;
        for player in order.jobs.iter().flat_map(|job| &job.players) {
            match self.places.get(&player.engine.name).map(|place| &place.state) {
                Some(State::Ready { .. }) => {}
                Some(State::Preparing) => readiness = Readiness::Preparing,
                Some(State::Lacking { .. }) | None => return Readiness::Lacking,
            }
        }
        readiness
    }

    /// The engines that cannot play here at present.
    pub fn lacks(&self) -> Vec<String> {
        let now = Instant::now();
        let is_lacking = |place: &Place| match place.state {
            State::Lacking { again } => again.is_none_or(|again| now < again),
            State::Preparing | State::Ready { .. } => false,
        };
        self.places.iter().filter(|(_, place)| is_lacking(place)).map(|(name, _)| name.clone()).collect()
    }
}

/// Whether two engines differ at most in their clocks: a league may play under several limits.
fn is_same_program(known: &Engine, engine: &Engine) -> bool {
    *known == Engine { time_control: known.time_control.clone(), ..engine.clone() }
}

/// Tries it out: an engine that needs it, and has none, would be refused when it is started.
fn has_strict_sandbox(settings: &Settings) -> bool {
    let cage = Cage { sandbox: Some(Tier::Strict), ..Cage::default() };
    let confinement = Confinement::new(&cage, &settings.folders.scratch, None);
    let _ = std::fs::create_dir_all(&settings.folders.scratch);
    launch::launcher().is_some_and(|launcher| launch::rehearse(&confinement, &launcher).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{TimeControl, samples};

    #[test]
    fn an_engine_is_the_same_under_all_limits_of_a_league_and_not_with_other_arguments() {
        let known = samples::engine("one");
        let quick = TimeControl { nodes: Some(7), ..known.time_control.clone() };
        assert!(is_same_program(&known, &Engine { time_control: quick, ..known.clone() }));
        assert!(!is_same_program(&known, &Engine { args: vec!["-x".to_owned()], ..known.clone() }));
    }
}
