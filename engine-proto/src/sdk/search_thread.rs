//! The thread on which the engine thinks. A table goes there with its work and comes back when that is done.

use std::convert::Infallible;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::output::{Ending, Output};
use super::table::Table;
use super::{Search, Stop};
use crate::proto::{InfoLine, Reply};

/// What is said instead of a move where there is none: UCI's null move, which is no game's move.
const NULL_MOVE: &str = "0000";

/// As much as a main thread has: engines recurse.
const STACK_SIZE: usize = 8 << 20;

/// The driver's end of the thread.
pub(super) struct SearchThread {
    jobs: Sender<Job>,
    back: Receiver<Box<dyn Table>>,
}

/// What is to be done at a table.
pub(super) enum Work {
    /// Think about a move and say it.
    Think {
        /// The search.
        search: Search,
        /// Not to be said before the other end is gone, if there is one.
        hold: Option<Receiver<Infallible>>,
    },
    /// Count move sequences.
    Perft {
        /// Their length.
        depth: u32,
        /// To stop counting.
        stop: Stop,
    },
}

struct Job {
    table: Box<dyn Table>,
    work: Work,
}

impl SearchThread {
    /// Starts the thread. It ends when this is dropped and its work is done, or when the engine panics.
    pub(super) fn start(output: Arc<Output>) -> io::Result<Self> {
        let (jobs, jobs_to_do) = mpsc::channel();
        let (send_back, back) = mpsc::channel();
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || work_off(&jobs_to_do, &send_back, &output))?;
        Ok(Self { jobs, back })
    }

    /// Begins work at a table. Nothing happens if the engine has panicked before.
    pub(super) fn begin(&self, table: Box<dyn Table>, work: Work) {
        drop(self.jobs.send(Job { table, work }));
    }

    /// The table, if the work at it is done.
    pub(super) fn try_take_back(&self) -> Option<Box<dyn Table>> {
        self.back.try_recv().ok()
    }

    /// The table, when the work at it is done; `None` if the engine has panicked.
    pub(super) fn take_back(&self) -> Option<Box<dyn Table>> {
        self.back.recv().ok()
    }

    /// Ends the thread, waiting for it no longer than `patience`. One that goes on then ends with the process.
    pub(super) fn end(self, patience: Duration) {
        let Self { jobs, back } = self;
        drop(jobs);
        let deadline = Instant::now() + patience;
        // The thread's end closes the channel.
        while back.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok() {}
    }
}

fn work_off(jobs: &Receiver<Job>, back: &Sender<Box<dyn Table>>, output: &Output) {
    while let Ok(job) = jobs.recv() {
        // The table is dropped with the thread if this panics: nobody sees what the panic left behind.
        let done = panic::catch_unwind(AssertUnwindSafe(|| work(job, back, output)));
        if done.is_err() {
            output.close(Ending::EnginePanicked);
            return;
        }
    }
}

fn work(Job { mut table, work }: Job, back: &Sender<Box<dyn Table>>, output: &Output) {
    match work {
        Work::Think { search, hold } => {
            let mv = table.think(&search);
            if let (Some(_), Some(hold)) = (&mv, hold) {
                // It ends with an error: nothing is ever sent.
                let _released = hold.recv();
            }
            if mv.is_none() {
                output.say(&InfoLine::text("there is no move to choose: the game is over"));
            }
            // Before the move is said: what the arena says next finds the table in its place.
            drop(back.send(table));
            output.say(&Reply::BestMove(mv.as_deref().unwrap_or(NULL_MOVE)));
        }
        Work::Perft { depth, stop } => {
            table.perft(depth, &stop, &|line| output.say(&line));
            drop(back.send(table));
        }
    }
}
