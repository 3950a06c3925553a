//! How many processes and threads the system allows this user, and how many there are. Linux only.

/// The user's limit of processes and threads, and the number in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessLimit {
    /// The limit (`ulimit -u`).
    pub most: u64,
    /// The number in use.
    pub used: u64,
}

/// The limit; `None` if it is so high that it does not matter, if there is none, or if it is not known.
pub fn process_limit() -> Option<ProcessLimit> {
    system::process_limit()
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    use rustix::process::{Resource, getrlimit, getuid};

    use super::ProcessLimit;

    /// A higher limit is not reached by an arena, and to count the processes takes time.
    const HIGH: u64 = 10_000;

    pub fn process_limit() -> Option<ProcessLimit> {
        let most = getrlimit(Resource::Nproc).current.filter(|most| *most < HIGH)?;
        let uid = getuid();
        // The limit does not apply to root.
        if uid.is_root() {
            return None;
        }
        let processes = fs::read_dir("/proc").ok()?.flatten();
        let own =
            processes.filter(|entry| entry.metadata().is_ok_and(|process| process.uid() == uid.as_raw()));
        let n_threads = own.map(|entry| fs::read_dir(entry.path().join("task")).map_or(0, Iterator::count));
        Some(ProcessLimit { most, used: n_threads.sum::<usize>() as u64 })
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn process_limit() -> Option<super::ProcessLimit> {
        None
    }
}
