//! What this machine offers and tells: processors, and what threads took of them.

mod own_times;
pub mod run_queue;

pub use own_times::{OwnTimes, ThreadTimes};

/// The processors that the system lets the arena use.
pub fn usable_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
