//! Control groups (cgroup v2): where the system lets the arena make one for each engine, they limit the memory and the
//! processes of the engine as a whole. Linux, Documentation/admin-guide/cgroup-v2.rst: "Memory", "PID", "Delegation".

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, getpid};

use super::children::descendants;
use super::{Confinement, Home};

/// The arena's own group. A group with processes cannot have limited groups in it.
const OWN: &str = "arena";
/// The prefix of the groups of engines. The id of the supervisor follows.
const ENGINE: &str = "engine-";
/// How often a group is tried to be removed: a process that has ended leaves it a moment later.
const TRIES: u32 = 10;
/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(2);

/// The group in which those of the engines are made, or why the system does not allow it. Looked for once, because the
/// arena moves into a group of its own.
pub fn home() -> Result<&'static Home, &'static str> {
    static HOME: OnceLock<Result<Home, String>> = OnceLock::new();
    HOME.get_or_init(find_home).as_ref().map_err(String::as_str)
}

fn find_home() -> Result<Home, String> {
    let path = current_group()?;
    let shown = path.display().to_string();
    let controllers = fs::read_to_string(path.join("cgroup.controllers"))
        .map_err(|error| format!("`{shown}/cgroup.controllers`: {error}"))?;
    let has = |name: &str| controllers.split_whitespace().any(|controller| controller == name);
    if !has("memory") {
        return Err(format!("the control group `{shown}` has no memory controller"));
    }
    let home = Home { counts_processes: has("pids"), path };
    let own = home.path.join(OWN);
    let made = fs::create_dir(&own);
    if let Err(error) = made
        && error.kind() != io::ErrorKind::AlreadyExists
    {
        return Err(format!("the arena may not make a control group in `{shown}`: {error}"));
    }
    let pids = if home.counts_processes { " +pids" } else { "" };
    let prepared = move_all(&own)
        .and_then(|()| fs::write(home.path.join("cgroup.subtree_control"), format!("+memory{pids}")));
    if let Err(error) = prepared {
        let _ = move_all(&home.path);
        let _ = fs::remove_dir(&own);
        let busy = error.kind() == io::ErrorKind::ResourceBusy;
        let why = if busy { "it has other processes".to_owned() } else { error.to_string() };
        return Err(format!("the arena cannot use the control group `{shown}`: {why}"));
    }
    home.sweep();
    Ok(home)
}

/// Moves this process and what it has started into a group.
fn move_all(group: &Path) -> io::Result<()> {
    let procs = group.join("cgroup.procs");
    fs::write(&procs, "0")?;
    for stat in descendants(getpid()) {
        match fs::write(&procs, stat.id.as_raw_pid().to_string()) {
            // It has just ended.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => {}
            moved => moved?,
        }
    }
    Ok(())
}

/// The folder of the group of this process.
fn current_group() -> Result<PathBuf, String> {
    let read = |path: &str| fs::read_to_string(path).map_err(|error| format!("`{path}`: {error}"));
    let groups = read("/proc/self/cgroup")?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"));
    let mounts = read("/proc/self/mountinfo")?;
    let place = mounts.lines().find_map(place_of_groups);
    match (group, place) {
        (Some(""), Some(place)) => Ok(PathBuf::from(place)),
        (Some(group), Some(place)) => Ok(Path::new(place).join(group)),
        _ => Err("the system has no control groups of version 2".to_owned()),
    }
}

/// Where a line of `mountinfo` mounts all control groups of version 2. `proc(5)`: the fourth field is the root of the
/// mount, the fifth its place; the type follows ` - `.
fn place_of_groups(line: &str) -> Option<&str> {
    let (mount, source) = line.split_once(" - ")?;
    let mut fields = mount.split(' ').skip(3);
    let (root, place) = (fields.next()?, fields.next()?);
    (source.starts_with("cgroup2 ") && root == "/").then_some(place)
}

impl Home {
    /// Makes the group of the engine under the supervisor `id`.
    pub(super) fn make(&self, id: Pid, confinement: &Confinement) -> Result<(), String> {
        let group = self.group(id);
        let write = |file: &str, value: u64| fs::write(group.join(file), value.to_string());
        // What an engine of this number has left.
        let _ = fs::remove_dir(&group);
        let make = || -> io::Result<()> {
            fs::create_dir(&group)?;
            if let Some(memory) = confinement.memory {
                write("memory.max", memory)?;
                // Half of an engine is of no use.
                write("memory.oom.group", 1)?;
                match write("memory.swap.max", 0) {
                    // The system does not swap.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    written => written?,
                }
            }
            if let Some(processes) = confinement.processes.filter(|_| self.counts_processes) {
                // In a sandbox, the launcher waits beside the first process of the namespace.
                let n_own = if confinement.sandbox.is_some() { 2 } else { 0 };
                write("pids.max", u64::from(processes) + n_own)?;
            }
            Ok(())
        };
        make().map_err(|error| format!("cannot make the control group `{}`: {error}", group.display()))
    }

    /// Moves this process into the group of the engine under the supervisor `id`.
    pub(super) fn enter(&self, id: Pid) -> Result<(), String> {
        let group = self.group(id);
        fs::write(group.join("cgroup.procs"), "0")
            .map_err(|error| format!("cannot enter the control group `{}`: {error}", group.display()))
    }

    /// Removes the group of the engine under the supervisor `id`, which has ended.
    pub(super) fn remove(&self, id: Pid) {
        let group = self.group(id);
        for _ in 0..TRIES {
            if fs::remove_dir(&group).is_ok() {
                return;
            }
            sleep(PAUSE);
        }
    }

    /// Removes the groups of engines that have ended without their supervisor. Others have processes, so they stay.
    pub(super) fn sweep(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(ENGINE) {
                let _ = fs::remove_dir(entry.path());
            }
        }
    }

    fn group(&self, id: Pid) -> PathBuf {
        self.path.join(format!("{ENGINE}{}", id.as_raw_pid()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mount_of_all_groups_is_found() {
        for (line, place) in [
            (
                "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate",
                Some("/sys/fs/cgroup"),
            ),
            ("30 24 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw", Some("/sys/fs/cgroup/unified")),
            ("30 24 0:26 /user.slice /some/where rw - cgroup2 cgroup2 rw", None),
            ("31 24 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory", None),
            ("", None),
        ] {
            assert_eq!(place_of_groups(line), place, "{line}");
        }
    }
}
