//! Where matches are played: the interface [`Pool`], and the places on this machine. It knows no standings and no reports.

pub mod build;
mod builds;
mod cages;
mod cores;
mod local;
mod needs;
mod overload;
mod place;
mod preflight;
mod prepare;
mod slots;
mod worker;

pub use local::{LocalPool, LocalSettings};
pub use place::Place;
pub use prepare::{PrepareError, Prepared, prepare};

use std::io;

use crate::opponent::Shortage;
use crate::tournament::{Job, Moved, Record};

/// Where matches are played: on this machine, or elsewhere.
#[expect(async_fn_in_trait, reason = "the one loop that waits for it runs on one thread")]
pub trait Pool {
    /// Whether any match can begin now.
    fn has_room(&self) -> bool;

    /// Whether this match can begin now.
    fn fits(&self, job: &Job) -> bool;

    /// Takes a match that fits.
    fn submit(&mut self, job: Job);

    /// What happens next. It may be given up and called again.
    ///
    /// # Errors
    /// If no more matches can be played here.
    async fn next(&mut self) -> Result<PoolEvent, PoolError>;

    /// Abandons the matches under way.
    fn abort(&mut self);

    /// Ends what is left of it, politely if it was not aborted.
    async fn close(self);
}

/// What happens in a pool. The same match may be told of several times, and matches in any order.
#[derive(Clone, Debug, PartialEq)]
pub enum PoolEvent {
    /// The match of that number begins.
    Begun(u32),
    /// A move was made.
    Moved(Moved),
    /// A match is over.
    Finished(Box<Record>),
    /// The match of that number is not under way any more and has no end: it has to be submitted again.
    Lost {
        /// Its number.
        number: u32,
        /// Why.
        why: String,
    },
    /// Something that a user should know of, and that ends nothing.
    Warning(String),
}

/// Why a pool plays no more matches.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// The system gives the arena no more engines.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// The system gives no threads or timers.
    #[error("the system refused a resource that the arena needs: {0}")]
    Runtime(io::Error),
    /// A thread of the pool has panicked: closing the pool tells.
    #[error("a thread that plays matches has ended")]
    Panicked,
}
