//! The pool of this machine: which match is played at which place and on which processors.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::builds::Builds;
use super::cores::Processors;
use super::ignored_offers::IgnoredOffers;
use super::off_turn::OffTurnWarnings;
use super::prepare::Prepared;
use super::slots::{Needs, Slots};
use super::worker::{Table, Worker, WorkerMessage};
use super::{Admitting, Pool, PoolError, PoolEvent, needs};
use host::machine::{OwnTimes, ProcessLimit, most_open_files, process_limit};
use model::{Job, Tournament};
use opponent::{Contender, Spawn, Thoughts};

/// The pool of this machine.
#[derive(Debug)]
pub struct LocalPool {
    /// What each engine needs for a match, by name.
    needs: HashMap<String, Needs>,
    /// How each engine is started, by name.
    spawns: HashMap<String, Arc<Spawn>>,
    slots: Slots,
    builds: Builds,
    off_turn: OffTurnWarnings,
    workers: Vec<Worker>,
    said: UnboundedReceiver<WorkerMessage>,
    /// Offers of a draw that are ignored.
    ignored_offers: Option<IgnoredOffers>,
    /// Events that were not returned yet.
    events: VecDeque<PoolEvent>,
    abort: CancellationToken,
}

/// Options for playing on this machine.
#[derive(Clone, Debug, Default)]
pub struct LocalSettings {
    /// The maximum number of matches.
    pub n_matches: usize,
    /// The folder for protocol logs, one file per match; `None` for no logs.
    pub logs: Option<PathBuf>,
    /// Whether moves are reported.
    pub tells_moves: bool,
    /// Where engines say what they think, if somebody watches.
    pub thoughts: Option<Thoughts>,
    /// Where the processor times of the threads are counted.
    pub own_times: OwnTimes,
}

impl LocalPool {
    /// A pool for the matches of a prepared tournament.
    ///
    /// # Errors
    /// If the system does not allow more threads.
    pub fn new(
        tournament: &Tournament,
        prepared: Prepared,
        settings: LocalSettings,
    ) -> Result<Self, PoolError> {
        let Prepared { contenders, needs, builds, .. } = prepared;
        let (slots, warning) = needs::slots(&tournament.resources, &needs, settings.n_matches);
        let abort = CancellationToken::new();
        let (sender, said) = unbounded_channel();
        let n_places = slots.n_places() as u64;
        let mut most_kept = if tournament.resources.memory.is_none() {
            most_affordable(n_places)
        } else {
            // An idle engine that is kept running still uses memory.
            0
        };
        if let Some(limit) = process_limit() {
            let widest = needs.iter().map(|needs| u64::from(needs.cores)).max().unwrap_or(1);
            // The supervisor, and in a sandbox the launcher and the first process of the namespace.
            let has_sandbox = tournament.engines.iter().any(|engine| engine.cage.sandbox.is_some());
            let own = if has_sandbox { 3 } else { 1 };
            // Many engines have one more thread, which reads commands.
            let of_engine = own + widest + 1;
            let n_spare = check_processes(limit, n_places, of_engine)?;
            most_kept = most_kept.min(n_spare / of_engine / n_places.max(1));
        }
        let table = Table {
            games: tournament.known_games.clone(),
            logs: settings.logs,
            most_kept: usize::try_from(most_kept).unwrap_or(usize::MAX),
            tells_moves: settings.tells_moves,
            thoughts: settings.thoughts,
            own_times: settings.own_times,
            abort: abort.clone(),
        };
        let workers = (0..slots.n_places())
            .map(|place| Worker::start(place, table.clone(), sender.clone()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(PoolError::Runtime)?;
        let events = warning.map(PoolEvent::Warning).into_iter().collect();
        let ignored_offers = (!tournament.rules.draw_offers).then(IgnoredOffers::default);
        let off_turn = OffTurnWarnings::default();
        let (all, spawns) = (HashMap::new(), HashMap::new());
        let mut pool = Self {
            needs: all,
            spawns,
            slots,
            builds,
            off_turn,
            workers,
            said,
            ignored_offers,
            events,
            abort,
        };
        pool.seat(contenders, needs);
        Ok(pool)
    }

    fn seat(&mut self, contenders: Vec<Contender>, needs: Vec<Needs>) {
        for (contender, needs) in contenders.into_iter().zip(needs) {
            let name = contender.name().to_owned();
            self.needs.insert(name.clone(), needs);
            self.spawns.insert(name, contender.spawn);
        }
    }

    fn needs_of(&self, job: &Job) -> Needs {
        Needs::of_match(job.names().map(|name| self.needs.get(name).copied().unwrap_or_default()))
    }
}

/// The maximum number of engines that each place may keep running between matches, so that there are enough files.
fn most_affordable(n_places: u64) -> u64 {
    const MOST: u64 = 16;
    /// Pipes, logs and descriptors of an engine that has many processes.
    const FILES: u64 = 16;
    // The other half is for the engines that play.
    most_open_files().map_or(MOST, |most| MOST.min(most / 2 / FILES / n_places.max(1)))
}

/// Fails if the system does not allow the processes and threads for so many matches at once, of which each engine needs
/// `of_engine`. Returns how many more it allows.
fn check_processes(limit: ProcessLimit, n_places: u64, of_engine: u64) -> Result<u64, PoolError> {
    // A place has a thread of its own.
    let needed = n_places * (1 + 2 * of_engine);
    limit.most.checked_sub(limit.used.saturating_add(needed)).ok_or(PoolError::TooFewProcesses {
        limit,
        n_places,
        needed,
    })
}

impl Admitting for LocalPool {
    fn admit(&mut self, prepared: Prepared) -> Builds {
        self.seat(prepared.contenders, prepared.needs);
        let all: Vec<Needs> = self.needs.values().copied().collect();
        self.events.extend(self.slots.widen(needs::widest_match(&all)).map(PoolEvent::Warning));
        prepared.builds
    }

    fn dismiss(&mut self, _engine: &str) {}
}

impl Pool for LocalPool {
    fn has_room(&self) -> bool {
        self.slots.has_idle()
    }

    fn fits(&self, job: &Job) -> bool {
        self.slots.fits(self.needs_of(job))
    }

    fn submit(&mut self, job: Job) {
        let seat = self.slots.take(self.needs_of(&job));
        self.events.push_back(PoolEvent::Begun(job.number));
        let each = job.names().map(|name| self.needs.get(name).copied().unwrap_or_default());
        let processors = if each.iter().any(|needs| needs.ponders) {
            Processors::shared(seat.cores, job.names(), each.map(|needs| needs.cores))
        } else {
            Processors { all: seat.cores, shares: None }
        };
        let spawns = job.names().map(|name| Arc::clone(&self.spawns[name]));
        self.workers[seat.place].play(job, spawns, processors);
    }

    async fn next(&mut self) -> Result<PoolEvent, PoolError> {
        if let Some(event) = self.events.pop_front() {
            return Ok(event);
        }
        match self.said.recv().await {
            Some(WorkerMessage::Moved(moved)) => Ok(PoolEvent::Moved(moved)),
            Some(WorkerMessage::Finished(place, record)) => {
                self.slots.give_back(place);
                let mut record = record?;
                if let Some(offers) = &mut self.ignored_offers {
                    self.events.extend(offers.note(&record).into_iter().map(PoolEvent::Warning));
                }
                let warnings = [self.builds.note(&mut record), self.off_turn.note(&record)].concat();
                self.events.extend(warnings.into_iter().map(PoolEvent::Warning));
                Ok(PoolEvent::Finished(record))
            }
            Some(WorkerMessage::Panicked) => Err(PoolError::Panicked),
            // Without places there are no events.
            None => std::future::pending().await,
        }
    }

    fn abort(&mut self) {
        self.abort.cancel();
    }

    async fn close(self) -> Vec<String> {
        // The engines of all places quit at the same time.
        let threads: Vec<_> = self.workers.into_iter().map(Worker::close).collect();
        // Nothing else is left to do in this thread. Another one would be one that the system may not allow.
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        Vec::new()
    }
}
