//! Where matches are played: places on this machine.

pub mod build;
pub mod builds;
pub mod cages;
mod cores;
pub mod needs;
pub mod overload;
mod own_times;
pub mod preflight;
pub mod slots;
pub mod worker;

pub use own_times::{OwnTimes, ThreadTimes};
