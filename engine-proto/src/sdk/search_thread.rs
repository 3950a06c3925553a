//! The thread on which the engine thinks. A table goes there with a search, and comes back when the search is done.

use std::convert::Infallible;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::output::{Ending, Output};
use super::table::Table;
use super::{Choice, Search};
use crate::proto::{BestMove, InfoLine, NULL_MOVE, RESIGN, Reply};

/// The stack size of a main thread, because engines recurse.
const STACK_SIZE: usize = 8 << 20;

/// The driver's handle of the thread.
pub(super) struct SearchThread {
    jobs: Sender<Job>,
    back: Receiver<Box<dyn Table>>,
}

/// A search to run.
pub(super) struct Job {
    /// The table to search with.
    pub(super) table: Box<dyn Table>,
    /// The limits for the engine.
    pub(super) search: Search,
    /// If set, the move is held back until the other end is dropped.
    pub(super) hold: Option<Receiver<Infallible>>,
    /// Whether the expected reply is sent, for pondering.
    pub(super) tells_reply: bool,
}

impl SearchThread {
    /// Starts the thread. It ends when this handle is dropped and its search is done, or when the engine panics.
    pub(super) fn start(output: Arc<Output>) -> io::Result<Self> {
        let (jobs, jobs_to_do) = mpsc::channel();
        let (send_back, back) = mpsc::channel();
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || work_off(&jobs_to_do, &send_back, &output))?;
        Ok(Self { jobs, back })
    }

    /// Starts a search. Does nothing if the engine has panicked.
    pub(super) fn begin(&self, job: Job) {
        drop(self.jobs.send(job));
    }

    /// The table, if the search is done.
    pub(super) fn try_take_back(&self) -> Option<Box<dyn Table>> {
        self.back.try_recv().ok()
    }

    /// Waits for the table; `None` if the engine has panicked.
    pub(super) fn take_back(&self) -> Option<Box<dyn Table>> {
        self.back.recv().ok()
    }

    /// Ends the thread, but waits at most `patience` for it. A thread that continues ends with the process.
    pub(super) fn end(self, patience: Duration) {
        let Self { jobs, back } = self;
        drop(jobs);
        let deadline = Instant::now() + patience;
        // Dropping the sender ends the thread.
        while back.recv_timeout(deadline.saturating_duration_since(Instant::now())).is_ok() {}
    }
}

fn work_off(jobs: &Receiver<Job>, back: &Sender<Box<dyn Table>>, output: &Output) {
    while let Ok(job) = jobs.recv() {
        // If this panics, the table is dropped, so that its invalid state is never seen.
        let done = panic::catch_unwind(AssertUnwindSafe(|| search(job, back, output)));
        if done.is_err() {
            output.close(Ending::EnginePanicked);
            return;
        }
    }
}

fn search(job: Job, back: &Sender<Box<dyn Table>>, output: &Output) {
    let Job { mut table, search, hold, tells_reply } = job;
    let choice = table.think(&search);
    if choice.is_none() {
        output.say(&InfoLine::text("the game is over, so there is no move"));
    } else if let Some(hold) = hold {
        // Nothing is ever sent: dropping the sender ends the wait with an error.
        let _released = hold.recv();
    }
    let best = match &choice {
        None => BestMove::of(NULL_MOVE),
        Some(Choice::Resign) => BestMove::of(RESIGN),
        Some(Choice::Move { mv, reply, draw }) => {
            BestMove { mv, ponder: reply.as_deref().filter(|_| tells_reply), draw: *draw }
        }
    };
    // The table is given back before the move is written, so that the arena's next command finds it; both happen under the
    // lock of the output, so that the driver's next line comes after the move.
    let give_back = || drop(back.send(table));
    output.say_after(give_back, &Reply::BestMove(best));
}
