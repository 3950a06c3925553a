//! A league: a standing rating list that engines join and leave while it is played. A folder is the league: `league.toml`, a
//! file for each engine in `engines`, and `results`. Everything is relative to it, and it is the current folder.

mod admission;
mod door;
mod error;
mod facts;
mod jobs;
#[cfg(feature = "nats")]
mod machines;
pub mod page;
mod pairing;
mod play;
mod pool;
mod roster;
#[cfg(test)]
mod simulation;

pub use error::Error;
pub use facts::{Line, Snapshot};
#[cfg(feature = "nats")]
pub use machines::{Machines, MachinesError};
pub use play::{Ended, FILE, Settings, link, play, read, snapshot};
