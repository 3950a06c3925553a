//! Information about this machine: its processors, how long threads used them or waited for them, and what the arena may
//! use of it.

mod open_files;
mod own_times;
mod process_limit;
pub mod processors;
pub mod run_queue;
pub mod speed;

use std::error::Error;
use std::io;

pub use open_files::{given_open_files, most_open_files, raise_open_files, survive_large_files};
pub use own_times::{OwnTimes, ThreadTimes};
pub use process_limit::{ProcessLimit, process_limit};

/// Starts the threads for computations, which later have no way to report that the system refuses them.
///
/// # Errors
/// If the system refuses them.
pub fn start_threads() -> io::Result<()> {
    match rayon::ThreadPoolBuilder::new().build_global() {
        Ok(()) => Ok(()),
        Err(error) => match error.source().and_then(|source| source.downcast_ref::<io::Error>()) {
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
            // They have been started already.
            None => Ok(()),
        },
    }
}

/// Whether a server may take an address that has just been given up. On Windows, this would let another program take a port that
/// is in use.
pub const REUSES_ADDRESSES: bool = cfg!(unix);

/// The processors that the arena may use.
pub fn usable_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The machine's name in its network; empty if the system does not tell it.
pub fn name() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// Whether the arena is run by root, who may do everything.
pub fn runs_as_root() -> bool {
    #[cfg(unix)]
    return rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    false
}
