//! A worker: one place as a thread with its own runtime, which plays one match at a time. So it receives each answer
//! at once, whatever other places do.

use std::io;
use std::path::PathBuf;
use std::thread;

use engine_proto::Games;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::cores::Processors;
use super::place::{Place, Spawns};
use host::machine::{OwnTimes, ThreadTimes, processors};
use model::{Job, Moved, OnMachineDelay, Record};
use opponent::{Shortage, Thoughts};

/// What all workers share.
#[derive(Clone, Debug)]
pub struct Table {
    /// The games of the matches.
    pub games: Games,
    /// The folder for protocol logs; `None` for no logs.
    pub logs: Option<PathBuf>,
    /// The maximum number of engines that a place keeps running between matches.
    pub most_kept: usize,
    /// Whether moves are reported.
    pub tells_moves: bool,
    /// Where engines say what they think, if somebody watches.
    pub thoughts: Option<Thoughts>,
    /// Where the thread's processor times are counted.
    pub own_times: OwnTimes,
    /// Set when running matches are to be aborted.
    pub abort: CancellationToken,
}

/// A message of a worker.
#[derive(Debug)]
pub enum WorkerMessage {
    /// A move was made.
    Moved(Moved),
    /// The match at this place is finished, or could not be played.
    Finished(usize, Result<Box<Record>, Shortage>),
    /// The thread ended unexpectedly.
    Panicked,
}

/// A match to play, and where.
type Order = (Job, Spawns, Processors);

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    jobs: UnboundedSender<Order>,
    thread: thread::JoinHandle<()>,
}

impl Worker {
    /// Starts the worker of the place `place`, which sends its messages to `said`.
    ///
    /// # Errors
    /// If the system does not allow another thread or runtime.
    pub fn start(place: usize, table: Table, said: UnboundedSender<WorkerMessage>) -> io::Result<Self> {
        let (jobs, orders) = unbounded_channel();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = thread::Builder::new().name(format!("place-{place}")).spawn(move || {
            let guard = Guard(said.clone());
            runtime.block_on(work(place, table, orders, said));
            std::mem::forget(guard);
        })?;
        Ok(Self { jobs, thread })
    }

    /// Sends it a match to play on these processors.
    pub fn play(&self, job: Job, spawns: Spawns, processors: Processors) {
        // Sending fails only after a panic, which the thread reports.
        let _ = self.jobs.send((job, spawns, processors));
    }

    /// Lets it end its engines. Its thread ends when they have ended.
    pub fn close(self) -> thread::JoinHandle<()> {
        self.thread
    }
}

/// The maximum number of attempts of a match if the machine is overloaded each time.
const MOST_ATTEMPTS: u32 = 3;

/// Plays a match with `play`, and plays it again if it was lost on time while the machine was overloaded and such
/// losses do not count. All attempts have the same opening and seeds. After an interruption, the attempts start again.
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

/// Reports a panic of the thread when it is dropped.
struct Guard(UnboundedSender<WorkerMessage>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send(WorkerMessage::Panicked);
    }
}

async fn work(
    number: usize,
    table: Table,
    mut orders: UnboundedReceiver<Order>,
    said: UnboundedSender<WorkerMessage>,
) {
    let place = Place::new(table.games.clone(), table.logs.clone(), table.most_kept);
    let mut place = place.thinking_aloud(table.thoughts.clone());
    let mut pinned_to = Vec::new();
    let mut thread_times = ThreadTimes::default();
    loop {
        let Some((job, spawns, Processors { all, shares })) = orders.recv().await else { break };
        let playing = async {
            if all != pinned_to {
                // Engines stay on the processors on which they were started, with all their threads.
                place.rest().await;
                // If the system refuses, the match is played without pinning.
                processors::pin(&all);
                pinned_to = all;
            }
            let mut tell = |moved: Moved| {
                let _ = said.send(WorkerMessage::Moved(moved));
            };
            play_until_it_counts(job.on_machine_delay, async || {
                let on_move: Option<&mut dyn FnMut(Moved)> =
                    if table.tells_moves { Some(&mut tell) } else { None };
                place.play(&job, &spawns, shares.as_ref(), on_move).await
            })
            .await
        };
        tokio::select! {
            record = playing => {
                if said.send(WorkerMessage::Finished(number, record.map(Box::new))).is_err() {
                    break;
                }
                table.own_times.count(&mut thread_times);
            }
            // Dropping a process kills it.
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
    use model::{MachineDelay, samples};

    /// The record of an attempt, lost on an overloaded machine or not.
    fn record(is_busy: bool, plies: u32) -> Record {
        let machine_delay = is_busy.then_some(MachineDelay { overrun_us: 1, engine_us: 2, arena_us: 0 });
        Record { plies, machine_delay, ..samples::record() }
    }

    /// The attempt that counts, by its number, and the number of discarded ones, if the machine is overloaded in these
    /// attempts.
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
        // The last attempt counts in any case.
        assert_eq!(counted(Replay, &[true, true, true]), (3, 2));
    }
}
