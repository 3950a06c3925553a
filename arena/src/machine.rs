//! What this machine offers.

/// The processors that the system lets the arena use.
pub fn usable_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
