//! The workers and the places of this machine together. Both matches of a pair are played on the same side.

use std::collections::HashSet;

use super::pool::NatsPool;
use crate::pool::{LocalPool, Pool, PoolError, PoolEvent};
use crate::tournament::Job;

/// The name of this machine in the records that it plays as coordinator.
pub const LOCAL: &str = "local";

/// Two pools as one.
#[derive(Debug)]
pub struct BothPools {
    local: LocalPool,
    workers: NatsPool,
    /// The pairs that are played here: those with a running match, and the last one.
    pairs: HashSet<u32>,
}

impl BothPools {
    /// Plays here where there is room, otherwise at the workers.
    pub fn new(local: LocalPool, workers: NatsPool) -> Self {
        Self { local, workers, pairs: HashSet::new() }
    }

    fn fits_here(&self, job: &Job) -> bool {
        !self.workers.completes(job) && self.local.fits(job)
    }
}

impl Pool for BothPools {
    fn has_room(&self) -> bool {
        self.local.has_room() || self.workers.has_room()
    }

    fn fits(&self, job: &Job) -> bool {
        if self.pairs.contains(&job.pair) {
            return self.local.fits(job);
        }
        self.fits_here(job) || self.workers.fits(job)
    }

    fn submit(&mut self, job: Job) {
        if self.pairs.contains(&job.pair) {
            self.pairs.remove(&job.pair);
            self.local.submit(job);
        } else if self.fits_here(&job) {
            self.pairs.insert(job.pair);
            self.local.submit(job);
        } else {
            self.workers.submit(job);
        }
    }

    async fn next(&mut self) -> Result<PoolEvent, PoolError> {
        tokio::select! {
            event = self.local.next() => event.map(|event| match event {
                PoolEvent::Finished(mut record) => {
                    record.worker = Some(LOCAL.to_owned());
                    PoolEvent::Finished(record)
                }
                other => other,
            }),
            event = self.workers.next() => event,
        }
    }

    fn abort(&mut self) {
        self.local.abort();
        self.workers.abort();
    }

    async fn close(self) {
        self.workers.close().await;
        self.local.close().await;
    }
}
