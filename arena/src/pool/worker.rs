//! One place at the table: a thread with a runtime of its own that plays one match at a time. What it hears of its
//! engines it hears at once, whatever the other places do.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::cores;
use super::place::Place;
use crate::machine::{OwnTimes, ThreadTimes};
use crate::opponent::{Shortage, Spawn};
use crate::tournament::{Job, Moved, OnMachineDelay, Record};

/// What all places know.
#[derive(Clone, Debug)]
pub struct Table {
    /// How each engine is started on this machine, by its name.
    pub spawns: Arc<BTreeMap<String, Arc<Spawn>>>,
    /// The folder for a file with the conversation of each match, if that is wanted.
    pub logs: Option<PathBuf>,
    /// Whether a place keeps engines running from match to match.
    pub keeps_engines: bool,
    /// Whether moves are told of.
    pub tells_moves: bool,
    /// Where its thread's times are counted.
    pub own_times: OwnTimes,
    /// Matches under way are to be abandoned.
    pub abort: CancellationToken,
}

/// What a worker has to say.
#[derive(Debug)]
pub enum Said {
    /// A move was made.
    Moved(Moved),
    /// The match at this place is finished, or could not be played.
    Finished(usize, Result<Record, Shortage>),
    /// The thread has ended without being told to.
    Panicked,
}

/// A match to play, and the processors to keep to meanwhile: none for all.
type Order = (Job, Vec<usize>);

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    jobs: UnboundedSender<Order>,
    thread: thread::JoinHandle<()>,
}

impl Worker {
    /// Starts the worker of the place `place`; it says on `said` what happens there.
    ///
    /// # Errors
    /// If the system gives no thread or runtime.
    pub fn start(place: usize, table: Table, said: UnboundedSender<Said>) -> io::Result<Self> {
        let (jobs, orders) = unbounded_channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::Builder::new().name(format!("place-{place}")).spawn(move || {
            let guard = Guard(said.clone());
            runtime.block_on(work(place, table, orders, said));
            std::mem::forget(guard);
        })?;
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

/// So often a match is played at most, where the machine is late each time.
const MOST_ATTEMPTS: u32 = 3;

/// Plays a match by `play`, and plays it again where the machine was late and that shall not count. All attempts are the same
/// match, with the same opening and seeds: a run that is killed in between begins with the first one again.
async fn play_until_it_counts(
    on_machine_delay: OnMachineDelay,
    mut play: impl AsyncFnMut() -> Result<Record, Shortage>,
) -> Result<Record, Shortage> {
    let mut record = play().await?;
    while on_machine_delay == OnMachineDelay::Replay
        && record.machine_delay.is_some()
        && record.attempts_discarded + 1 < MOST_ATTEMPTS
    {
        record = Record { attempts_discarded: record.attempts_discarded + 1, ..play().await? };
    }
    Ok(record)
}

/// Says that the thread panicked, if it is dropped.
struct Guard(UnboundedSender<Said>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send(Said::Panicked);
    }
}

async fn work(
    number: usize,
    table: Table,
    mut orders: UnboundedReceiver<Order>,
    said: UnboundedSender<Said>,
) {
    let mut place = Place::new(Arc::clone(&table.spawns), table.logs.clone());
    let mut pinned_to = Vec::new();
    let mut thread_times = ThreadTimes::default();
    loop {
        let Some((job, cores)) = orders.recv().await else { break };
        let playing = async {
            if cores != pinned_to {
                // They run where they were started, and so do all their threads.
                place.rest().await;
                // Should the system refuse, it plays where it did.
                cores::pin(&cores);
                pinned_to = cores;
            }
            let mut tell = |moved: Moved| {
                let _ = said.send(Said::Moved(moved));
            };
            let record = play_until_it_counts(job.on_machine_delay, async || {
                let on_move: Option<&mut dyn FnMut(Moved)> =
                    if table.tells_moves { Some(&mut tell) } else { None };
                place.play(&job, on_move).await
            })
            .await;
            if !table.keeps_engines {
                place.rest().await;
            }
            record
        };
        tokio::select! {
            record = playing => {
                table.own_times.count(&mut thread_times);
                if said.send(Said::Finished(number, record)).is_err() {
                    break;
                }
            }
            // What is dropped is killed.
            () = table.abort.cancelled() => return,
        }
    }
    tokio::select! {
        () = place.rest() => {}
        () = table.abort.cancelled() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::{MachineDelay, samples};

    /// What an attempt would leave, lost on a busy machine or not.
    fn record(is_busy: bool, plies: u32) -> Record {
        let machine_delay = is_busy.then_some(MachineDelay { overrun_us: 1, engine_us: 2, arena_us: 0 });
        Record { plies, machine_delay, ..samples::record() }
    }

    /// The attempt that counts, by its number, and how many were discarded, where the machine is busy in these.
    fn counted(on_machine_delay: OnMachineDelay, is_busy: &[bool]) -> (u32, u32) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut attempts = (1..).zip(is_busy);
        let record = runtime.block_on(play_until_it_counts(on_machine_delay, async || {
            let (attempt, is_busy) = attempts.next().expect("no more attempts than that");
            Ok(record(*is_busy, attempt))
        }));
        let record = record.unwrap();
        (record.plies, record.attempts_discarded)
    }

    #[test]
    fn a_match_on_a_busy_machine_is_played_again_if_it_shall_not_count() {
        use OnMachineDelay::{Count, Replay};
        assert_eq!(counted(Count, &[true]), (1, 0));
        assert_eq!(counted(Replay, &[false]), (1, 0));
        assert_eq!(counted(Replay, &[true, false]), (2, 1));
        // The last attempt counts, whatever comes of it.
        assert_eq!(counted(Replay, &[true, true, true]), (3, 2));
    }
}
