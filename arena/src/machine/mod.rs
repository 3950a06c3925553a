//! Information about this machine: its processors, and how long threads used them or waited for them.

mod own_times;
pub mod run_queue;

pub use own_times::{OwnTimes, ThreadTimes};

/// The processors that the arena may use.
pub fn usable_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
