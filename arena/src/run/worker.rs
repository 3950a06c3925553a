//! One place at the table: a thread with a runtime of its own that plays one match at a time. What it hears of its
//! engines it hears at once, whatever the other places do.

use std::io;
use std::sync::Arc;
use std::thread;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::cores;
use crate::engine::{Contender, Shortage};
use crate::play::{MatchSettings, Players, play_match};
use crate::record::Record;
use crate::report::{OwnTimes, ThreadTimes};
use crate::schedule::Job;

/// What all places know of the tournament.
#[derive(Clone, Debug)]
pub struct Table {
    pub contenders: Arc<Vec<Contender>>,
    pub settings: MatchSettings,
    /// Whether a place keeps engines running from match to match.
    pub keeps_engines: bool,
    /// Where its thread's times are counted.
    pub own_times: OwnTimes,
    /// Matches under way are to be abandoned.
    pub abort: CancellationToken,
}

/// What a worker has to say: its place, and the match that it has finished, or why it could not be played.
pub type Finished = (usize, Result<Record, Shortage>);

/// A match to play, and the processors to keep to meanwhile: none for all.
type Order = (Job, Vec<usize>);

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    jobs: UnboundedSender<Order>,
    thread: thread::JoinHandle<()>,
}

impl Worker {
    /// Starts the worker of the place `place`; it says on `finished` what it has finished.
    ///
    /// # Errors
    /// If the system gives no thread or runtime.
    pub fn start(place: usize, table: Table, finished: UnboundedSender<Finished>) -> io::Result<Self> {
        let (jobs, orders) = unbounded_channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::Builder::new()
            .name(format!("place-{place}"))
            .spawn(move || runtime.block_on(work(place, table, orders, finished)))?;
        Ok(Self { jobs, thread })
    }

    /// Gives it a match to play on these processors, or on any if there are none.
    pub fn play(&self, job: Job, cores: Vec<usize>) {
        // It is gone only after a panic, and then `join` tells.
        let _ = self.jobs.send((job, cores));
    }

    /// Lets it end its engines and waits for it.
    ///
    /// # Panics
    /// If the worker panicked.
    pub fn join(self) {
        drop(self.jobs);
        if let Err(panic) = self.thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

async fn work(
    place: usize,
    table: Table,
    mut orders: UnboundedReceiver<Order>,
    finished: UnboundedSender<Finished>,
) {
    let mut players = Players::default();
    let mut pinned_to = Vec::new();
    let mut thread_times = ThreadTimes::default();
    loop {
        let Some((job, cores)) = orders.recv().await else { break };
        let playing = async {
            if cores != pinned_to {
                // They run where they were started, and so do all their threads.
                std::mem::take(&mut players).quit().await;
                // Should the system refuse, it plays where it did.
                cores::pin(&cores);
                pinned_to = cores;
            }
            let record = play_match(&job, &table.contenders, &table.settings, &mut players).await;
            if !table.keeps_engines {
                std::mem::take(&mut players).quit().await;
            }
            record
        };
        tokio::select! {
            record = playing => {
                table.own_times.count(&mut thread_times);
                if finished.send((place, record)).is_err() {
                    break;
                }
            }
            // What is dropped is killed.
            () = table.abort.cancelled() => return,
        }
    }
    tokio::select! {
        () = players.quit() => {}
        () = table.abort.cancelled() => {}
    }
}
