//! The processors that the arena may use, and programs that stay on some of them.

/// Whether this system can keep a program on some processors.
pub const CAN_PIN: bool = cfg!(target_os = "linux");

#[cfg(target_os = "linux")]
mod system {
    use std::collections::BTreeMap;
    use std::fs::{self, File, OpenOptions};
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::process::getuid;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// The processors that the arena may use, grouped by physical core, in the order of their numbers; none
    /// if this system cannot keep programs on some processors.
    pub fn groups() -> Vec<Vec<usize>> {
        let Ok(usable) = sched_getaffinity(None) else { return Vec::new() };
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for cpu in (0..CpuSet::MAX_CPU).filter(|cpu| usable.is_set(*cpu)) {
            let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
            // If the system does not report cores, each processor counts as one.
            let core = fs::read_to_string(path).unwrap_or_else(|_| format!("processor {cpu}"));
            groups.entry(core).or_default().push(cpu);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort();
        groups
    }

    /// A file that only one arena of this user can lock; `None` if another one has locked it.
    pub fn lock(cpu: usize) -> Option<File> {
        const NO_FOLLOW: i32 = libc::O_NOFOLLOW;
        let path = std::env::temp_dir().join(format!("arena-{}-processor-{cpu}.lock", getuid().as_raw()));
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600).custom_flags(NO_FOLLOW);
        let file = options.open(path).ok()?;
        file.try_lock().ok()?;
        Some(file)
    }

    /// Restricts this thread, and processes that it starts from now on, to these processors. Returns whether the system
    /// allows it.
    pub fn pin(cores: &[usize]) -> bool {
        let mut set = CpuSet::new();
        cores.iter().filter(|cpu| **cpu < CpuSet::MAX_CPU).for_each(|cpu| set.set(*cpu));
        sched_setaffinity(None, &set).is_ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::fs::File;

    /// None: this system cannot keep programs on some processors.
    pub const fn groups() -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// Nothing to lock.
    pub const fn lock(_cpu: usize) -> Option<File> {
        None
    }

    /// Not on this system.
    pub const fn pin(_cores: &[usize]) -> bool {
        false
    }
}

pub use system::{groups, lock, pin};
