//! The workers and the places of this machine together. Both matches of a pair are played on the same side.

use std::collections::{HashSet, VecDeque};

use super::pool::NatsPool;
use super::scale::Scale;
use super::subject::LOCAL;
use crate::parcels;
use model::{Job, Tier};
use runner::pool::{Admitting, Builds, LocalPool, Pool, PoolError, PoolEvent, Prepared};

/// Two pools as one.
#[derive(Debug)]
pub struct BothPools {
    local: LocalPool,
    workers: NatsPool,
    /// The pairs whose second match is to be played here.
    pairs: HashSet<u32>,
    /// The second matches that wait for a place here. In the queue of the conductor, they would soon stop all others.
    seconds: VecDeque<Job>,
    /// The clocks of this machine, if they are scaled.
    scale: Option<Scale>,
}

impl BothPools {
    /// Plays here where there is room, otherwise at the workers.
    pub fn new(local: LocalPool, workers: NatsPool, scale: Option<Scale>) -> Self {
        let workers = workers.beside_own_places();
        Self { local, workers, pairs: HashSet::new(), seconds: VecDeque::new(), scale }
    }

    fn fits_here(&self, job: &Job) -> bool {
        !self.workers.has_pair(job) && self.local.fits(job)
    }

    fn submit_here(&mut self, job: Job) {
        self.local.submit(match self.scale {
            Some(scale) => scale.job(job),
            None => job,
        });
    }

    fn submit_seconds(&mut self) {
        while let Some(idx) = self.seconds.iter().position(|job| self.local.fits(job))
            && let Some(job) = self.seconds.remove(idx)
        {
            self.submit_here(job);
        }
    }

    fn heard_here(&mut self, event: PoolEvent) -> PoolEvent {
        let PoolEvent::Finished(mut record) = event else { return event };
        record.worker = Some(LOCAL.to_owned());
        if let Some(scale) = self.scale {
            scale.note(&mut record);
        }
        self.submit_seconds();
        PoolEvent::Finished(record)
    }
}

impl Admitting for BothPools {
    fn admit(&mut self, prepared: Prepared) -> Builds {
        let packed = parcels::pack_engines(&prepared);
        for build in prepared.builds.all() {
            match &packed {
                Ok(packed) => {
                    let own = packed.iter().filter(|packed| packed.parcel.engine == build.engine);
                    let engine = prepared.contenders.iter().find(|it| it.name() == build.engine);
                    // That is how engines of strangers play.
                    let is_strict = engine.is_some_and(|it| it.engine.cage.sandbox == Some(Tier::Strict));
                    self.workers.admit(build.clone(), own.cloned().collect(), !is_strict);
                }
                Err(why) => self.workers.warn(format!("workers do not play `{}`: {why}", build.engine)),
            }
        }
        self.local.admit(prepared)
    }

    fn dismiss(&mut self, engine: &str) {
        self.workers.dismiss(engine);
        self.local.dismiss(engine);
    }
}

impl Pool for BothPools {
    fn has_room(&self) -> bool {
        self.local.has_room() || self.workers.has_room()
    }

    fn fits(&self, job: &Job) -> bool {
        self.pairs.contains(&job.pair) || self.fits_here(job) || self.workers.fits(job)
    }

    fn submit(&mut self, job: Job) {
        if self.pairs.remove(&job.pair) {
            self.seconds.push_back(job);
            self.submit_seconds();
        } else if self.fits_here(&job) {
            self.pairs.insert(job.pair);
            self.submit_here(job);
        } else {
            self.workers.submit(job);
        }
    }

    fn withdraw(&mut self) -> Vec<u32> {
        let seconds = self.seconds.drain(..).map(|job| job.number).collect();
        [seconds, self.local.withdraw(), self.workers.withdraw()].concat()
    }

    async fn next(&mut self) -> Result<PoolEvent, PoolError> {
        tokio::select! {
            event = self.local.next() => event.map(|event| self.heard_here(event)),
            event = self.workers.next() => event,
        }
    }

    fn abort(&mut self) {
        self.local.abort();
        self.workers.abort();
    }

    async fn close(self) -> Vec<String> {
        let left = self.workers.close().await;
        [left, self.local.close().await].concat()
    }
}
