//! The thread on which the engine thinks. A table goes there with a search and comes back when that is done.

use std::convert::Infallible;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::Search;
use super::output::{Ending, Output};
use super::table::Table;
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

/// A search to be made.
pub(super) struct Job {
    /// Where.
    pub(super) table: Box<dyn Table>,
    /// What the engine is given.
    pub(super) search: Search,
    /// If there is one, the move is kept back until its other end is gone.
    pub(super) hold: Option<Receiver<Infallible>>,
}

impl SearchThread {
    /// Starts the thread. It ends when this is dropped and its search is done, or when the engine panics.
    pub(super) fn start(output: Arc<Output>) -> io::Result<Self> {
        let (jobs, jobs_to_do) = mpsc::channel();
        let (send_back, back) = mpsc::channel();
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || work_off(&jobs_to_do, &send_back, &output))?;
        Ok(Self { jobs, back })
    }

    /// Begins a search. Nothing happens if the engine has panicked before.
    pub(super) fn begin(&self, job: Job) {
        drop(self.jobs.send(job));
    }

    /// The table, if the search is done.
    pub(super) fn try_take_back(&self) -> Option<Box<dyn Table>> {
        self.back.try_recv().ok()
    }

    /// The table, when the search is done; `None` if the engine has panicked.
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
        // The table is dropped if this panics: nobody sees what the panic left behind.
        let done = panic::catch_unwind(AssertUnwindSafe(|| search(job, back, output)));
        if done.is_err() {
            output.close(Ending::EnginePanicked);
            return;
        }
    }
}

fn search(Job { mut table, search, hold }: Job, back: &Sender<Box<dyn Table>>, output: &Output) {
    let mv = table.think(&search);
    if mv.is_none() {
        output.say(&InfoLine::text("the game is over, so there is no move"));
    } else if let Some(hold) = hold {
        // It ends with an error: nothing is ever sent.
        let _released = hold.recv();
    }
    // What the arena says after the move finds the table in its place; what the driver says once it has the table comes
    // after the move.
    let give_back = || drop(back.send(table));
    output.say_after(give_back, &Reply::BestMove(mv.as_deref().unwrap_or(NULL_MOVE)));
}
