//! Control groups (cgroup v2): where the system lets the arena make one for each engine, they limit the memory and the
//! processes of the engine as a whole, stop it and measure its processor time. Linux,
//! Documentation/admin-guide/cgroup-v2.rst: "Core Interface Files", "CPU", "Memory", "PID", "Delegation".

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
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
    // With `cpu`, an engine with many processes gets no more of the processors than the arena.
    let wanted =
        ["memory", "pids", "cpu"].map(|name| if has(name) { format!("+{name} ") } else { String::new() });
    let prepared =
        move_all(&own).and_then(|()| fs::write(home.path.join("cgroup.subtree_control"), wanted.concat()));
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
            if let Some(processes) = confinement.most_processes().filter(|_| self.counts_processes) {
                // In a sandbox, the launcher waits next to the first process of the namespace.
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

    /// The group of the engine under the supervisor `id`, which has entered it.
    pub(super) fn open(&self, id: Pid) -> io::Result<Group> {
        let group = self.group(id);
        let freeze = File::options().write(true).open(group.join("cgroup.freeze"))?;
        Ok(Group { freeze, cpu: File::open(group.join("cpu.stat"))? })
    }

    /// Kills all processes of the engine under the supervisor `id` at once, and those that they start at this moment.
    /// Before Linux 5.14, nothing happens.
    pub(super) fn kill(&self, id: Pid) {
        let _ = fs::write(self.group(id).join("cgroup.kill"), "1");
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

/// The group of a running engine.
#[derive(Debug)]
pub struct Group {
    /// `cgroup.freeze`.
    freeze: File,
    /// `cpu.stat`, which needs no controller.
    cpu: File,
}

impl Group {
    /// Stops all processes, also those of other users, or lets them go on. They get no signal. A process can be killed
    /// meanwhile.
    pub fn freeze(&self, is_wanted: bool) {
        // It fails if the group is gone, with its engine.
        let _ = self.freeze.write_at(if is_wanted { b"1" } else { b"0" }, 0);
    }

    /// The processor time of all its processes, also of those that have ended.
    pub fn used(&self) -> Duration {
        let mut text = [0; 64];
        let read = self.cpu.read_at(&mut text, 0).unwrap_or_default();
        used(&String::from_utf8_lossy(&text[..read]))
    }
}

/// The processor time in the first line of `cpu.stat`: `usage_usec 123`.
fn used(stat: &str) -> Duration {
    let us = stat.lines().next().and_then(|line| line.strip_prefix("usage_usec ")?.parse().ok());
    Duration::from_micros(us.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_time_is_in_the_first_line() {
        for (stat, us) in [
            ("usage_usec 133901\nuser_usec 133900\nsystem_usec 1\n", 133_901),
            ("usage_usec 18446744073709551615\nuser_us", u64::MAX),
            ("", 0),
            ("user_usec 5\n", 0),
        ] {
            assert_eq!(used(stat), Duration::from_micros(us), "{stat}");
        }
    }

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
