//! The trait [`Pool`], which plays matches, and its implementation on this machine. It knows no standings and no
//! reports.

pub mod build;
mod builds;
mod cages;
mod cores;
mod ignored_offers;
mod local;
mod needs;
mod off_turn;
mod overload;
mod place;
mod preflight;
mod prepare;
mod prepare_error;
mod slots;
mod tuned;
mod worker;

pub use builds::Builds;
pub use local::{LocalPool, LocalSettings};
pub use place::Place;
pub use preflight::option_problems;
pub use prepare::{Prepared, prepare};
pub use prepare_error::{EngineProblem, PrepareError};
pub use tuned::set_start_values;

use std::io;

use host::machine::ProcessLimit;
use model::{Job, Moved, Record, SetAside, Worker};
use opponent::Shortage;

/// A place where matches are played: this machine, or others.
#[expect(async_fn_in_trait, reason = "the one loop that waits for it runs on one thread")]
pub trait Pool {
    /// Whether any match can start now.
    fn has_room(&self) -> bool;

    /// Whether this match can start now.
    fn fits(&self, job: &Job) -> bool;

    /// Starts a match. It must fit.
    fn submit(&mut self, job: Job);

    /// Gives back the numbers of submitted matches that nobody has begun to play. No others are submitted.
    fn withdraw(&mut self) -> Vec<u32> {
        Vec::new()
    }

    /// Waits for the next event. The future may be dropped and called again (it is cancel-safe).
    ///
    /// # Errors
    /// If no more matches can be played here.
    async fn next(&mut self) -> Result<PoolEvent, PoolError>;

    /// Aborts the running matches.
    fn abort(&mut self);

    /// Ends the remaining processes: with `quit`, unless the pool was aborted. Returns what the user should know.
    async fn close(self) -> Vec<String>;
}

/// A pool that engines join and leave while it plays.
pub trait Admitting: Pool {
    /// Lets an engine play that was prepared later. Its name is new, or that of an engine that has left. Returns its builds.
    fn admit(&mut self, prepared: Prepared) -> Builds;

    /// An engine plays no more matches.
    fn dismiss(&mut self, engine: &str);
}

/// An event of a pool. A match may be reported several times, and matches in any order.
#[derive(Clone, Debug, PartialEq)]
pub enum PoolEvent {
    /// The match with this number starts.
    Begun(u32),
    /// A move was made.
    Moved(Moved),
    /// A match is over.
    Finished(Box<Record>),
    /// The matches with these numbers were interrupted and have no result. They have to be submitted again, in this order.
    Lost {
        /// The matches' numbers.
        numbers: Vec<u32>,
        /// The reason.
        why: String,
    },
    /// The match with this number has a result that does not count, and is not submitted again.
    Void {
        /// The match's number.
        number: u32,
        /// The reason.
        why: String,
    },
    /// Something has changed that the scheduler knows of: it may have other matches now.
    Changed,
    /// A problem that the user should know, and that does not end the tournament.
    Warning(String),
    /// The machines that play have changed.
    Workers(Vec<Worker>),
}

/// Why a pool can no longer play matches.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// The system does not allow more engine processes.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// The system does not allow the processes that the matches need.
    #[error(
        "the system allows this user {} processes and threads (`ulimit -u`), and {} exist; {n_places} matches at once \
         need about {needed} more: raise the limit, or lower `concurrency`",
        limit.most, limit.used
    )]
    TooFewProcesses {
        /// The limit.
        limit: ProcessLimit,
        /// The number of matches.
        n_places: u64,
        /// What they need.
        needed: u64,
    },
    /// The system does not allow more threads or timers.
    #[error("the system refused a resource that the arena needs: {0}")]
    Runtime(io::Error),
    /// A thread of the pool panicked; closing the pool shows the panic.
    #[error("a thread that plays matches has ended")]
    Panicked,
    /// A worker was found wrong, and its matches are to be played again by others.
    #[error("worker `{}` was set aside: {}", .0.worker, .0.why)]
    SetAside(SetAside),
    /// The connection to other machines cannot be used.
    #[error("{0}")]
    Connection(String),
}
