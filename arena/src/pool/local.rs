//! The pool of this machine: which match is played at which place and on which processors.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::builds::Builds;
use super::prepare::Prepared;
use super::slots::{Needs, Slots};
use super::worker::{Said, Table, Worker};
use super::{Pool, PoolError, PoolEvent, needs};
use crate::machine::OwnTimes;
use crate::tournament::{Job, Tournament};

/// The pool of this machine.
#[derive(Debug)]
pub struct LocalPool {
    /// What each engine needs for a match, by name.
    needs: HashMap<String, Needs>,
    slots: Slots,
    builds: Builds,
    workers: Vec<Worker>,
    said: UnboundedReceiver<Said>,
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
        let spawns: BTreeMap<_, _> = contenders
            .into_iter()
            .map(|contender| (contender.engine.name.clone(), contender.spawn))
            .collect();
        let table = Table {
            spawns: Arc::new(spawns),
            logs: settings.logs,
            // An idle engine that is kept running still uses memory.
            keeps_engines: tournament.resources.memory.is_none(),
            tells_moves: settings.tells_moves,
            own_times: settings.own_times,
            abort: abort.clone(),
        };
        let workers = (0..slots.n_places())
            .map(|place| Worker::start(place, table.clone(), sender.clone()))
            .collect::<Result<Vec<_>, _>>()
            .map_err(PoolError::Runtime)?;
        let needs = tournament.names().into_iter().zip(needs).collect();
        let events = warning.map(PoolEvent::Warning).into_iter().collect();
        Ok(Self { needs, slots, builds, workers, said, events, abort })
    }

    fn needs_of(&self, job: &Job) -> Needs {
        Needs::of_match(job.names().map(|name| self.needs.get(name).copied().unwrap_or_default()))
    }
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
        self.workers[seat.place].play(job, seat.cores);
    }

    async fn next(&mut self) -> Result<PoolEvent, PoolError> {
        if let Some(event) = self.events.pop_front() {
            return Ok(event);
        }
        match self.said.recv().await {
            Some(Said::Moved(moved)) => Ok(PoolEvent::Moved(moved)),
            Some(Said::Finished(place, record)) => {
                self.slots.give_back(place);
                let mut record = record?;
                self.events.extend(self.builds.note(&mut record).into_iter().map(PoolEvent::Warning));
                Ok(PoolEvent::Finished(Box::new(record)))
            }
            Some(Said::Panicked) => Err(PoolError::Panicked),
            // Without places there are no events.
            None => std::future::pending().await,
        }
    }

    fn abort(&mut self) {
        self.abort.cancel();
    }

    async fn close(self) {
        let workers = self.workers;
        // The engines of all places quit at the same time.
        let joined = tokio::task::spawn_blocking(|| workers.into_iter().for_each(Worker::join)).await;
        if let Err(error) = joined
            && error.is_panic()
        {
            std::panic::resume_unwind(error.into_panic());
        }
    }
}
