//! The child processes of a process, as the kernel lists them, and how to end all of one's own.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, kill_process_group, pidfd_open,
    pidfd_send_signal, wait,
};

/// The interval between two looks at processes that were killed but still exist.
const PAUSE: Duration = Duration::from_millis(1);
/// After this number of looks, processes that do not end are taken to be held by their own descendants.
const FEW_ROUNDS: u32 = 20;
/// About the number of processes that one look finds at most.
const MOST_FOUND: usize = 4096;

/// The children of this process, zombies included.
pub fn own_children() -> Vec<Pid> {
    children(getpid())
}

/// The children of `parent`, zombies included.
pub fn children(parent: Pid) -> Vec<Pid> {
    listed(parent).unwrap_or_else(|| found(parent))
}

/// The descendants of `ancestor` that are not zombies, each parent before its children.
pub fn descendants(ancestor: Pid) -> Vec<Stat> {
    let mut descendants = descendants_and_zombies(ancestor);
    descendants.retain(|stat| !stat.is_zombie);
    descendants
}

/// The descendants of `ancestor`, each parent before its children. Not all of very many: an engine can start processes
/// as fast as they are found.
pub fn descendants_and_zombies(ancestor: Pid) -> Vec<Stat> {
    let mut parents = vec![ancestor];
    let mut descendants = Vec::new();
    while let Some(parent) = parents.pop().filter(|_| descendants.len() < MOST_FOUND) {
        for stat in children(parent).into_iter().filter_map(Stat::read) {
            parents.push(stat.id);
            descendants.push(stat);
        }
    }
    descendants
}

/// Kills the children of this process until it has none, or until `deadline`. If this process is a subreaper, it
/// inherits the children of killed children, so all descendants end, including those that start in the meantime.
/// Processes that this one may not signal are left.
pub fn end_children(deadline: Instant) {
    let mut n_rounds = 0;
    while !have_ended() {
        let children = own_children();
        let n_killed = children.iter().filter(|child| kill(**child)).count();
        let is_futile = n_killed == 0 && !children.is_empty();
        if is_futile || deadline <= Instant::now() {
            return;
        }
        n_rounds += 1;
        if FEW_ROUNDS < n_rounds {
            kill_descendants();
        }
        sleep(PAUSE);
    }
}

/// Waits until this process has no children, or until `deadline`.
pub fn await_children(deadline: Instant) {
    while !have_ended() && Instant::now() < deadline {
        sleep(PAUSE);
    }
}

/// Kills a child of this process that has not been waited for, and the group that it leads: so no process of the group
/// escapes by starting another process at this moment. Returns whether this process may do that.
pub fn kill(child: Pid) -> bool {
    let _ = kill_process_group(child, Signal::KILL);
    kill_process(child, Signal::KILL) != Err(Errno::PERM)
}

/// Kills the descendants of this process, whoever their parents are. A process that is held on its exit by a tracer
/// ends with the tracer, which may be its own child.
pub fn kill_descendants() {
    for stat in descendants(getpid()) {
        let Ok(process) = pidfd_open(stat.id, PidfdFlags::empty()) else { continue };
        // Only now it is certain that the number is not that of another process.
        if Stat::read(stat.id).is_some_and(|now| now.parent == stat.parent) {
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
    }
}

/// Whether this process has no children. It reaps those that have ended.
fn have_ended() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => return false,
            Err(error) => return error == Errno::CHILD,
        }
    }
}

/// The kernel's data about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    pub id: Pid,
    pub parent: Option<Pid>,
    pub group: Option<Pid>,
    pub is_zombie: bool,
    /// When it was started, in the kernel's unit: with the number, it identifies a process.
    pub started: u64,
}

impl Stat {
    /// The data about `id`; `None` if it does not exist.
    pub fn read(id: Pid) -> Option<Self> {
        /// The number of fields between the group and the time of the start.
        const STARTED: usize = 16;
        let text = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_pid())).ok()?;
        // After the name, which is in parentheses and may contain parentheses: state, parent, group.
        let mut fields = text.rsplit_once(')')?.1.split_whitespace();
        let is_zombie = matches!(fields.next()?, "Z" | "X");
        let (parent, group) = (pid(fields.next()?), pid(fields.next()?));
        let started = fields.nth(STARTED).and_then(|ticks| ticks.parse().ok())?;
        Some(Self { id, parent, group, is_zombie, started })
    }
}

/// From the thread lists, which the kernel provides directly; `None` if it was built without them.
fn listed(parent: Pid) -> Option<Vec<Pid>> {
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", parent.as_raw_pid())) else {
        return Some(Vec::new());
    };
    let mut children = Vec::new();
    for thread in threads.flatten() {
        match fs::read_to_string(thread.path().join("children")) {
            Ok(list) => children.extend(list.split_whitespace().filter_map(pid)),
            Err(_) if Path::new("/proc/thread-self/children").exists() => {}
            Err(_) => return None,
        }
    }
    Some(children)
}

/// By checking every process.
fn found(parent: Pid) -> Vec<Pid> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let ids = processes.flatten().filter_map(|entry| pid(entry.file_name().to_str()?));
    ids.filter_map(Stat::read).filter(|stat| stat.parent == Some(parent)).map(|stat| stat.id).collect()
}

/// The number of a process or a group. The kernel shows the parent and the group of a process that has just ended as 0 or -1.
fn pid(text: &str) -> Option<Pid> {
    text.parse().ok().filter(|id| 0 < *id).and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    #[test]
    fn only_positive_numbers_are_processes() {
        assert_eq!(super::pid("7").map(super::Pid::as_raw_pid), Some(7));
        for none in ["0", "-1", "", "x", "99999999999"] {
            assert_eq!(super::pid(none), None, "{none}");
        }
    }

    use super::*;

    #[test]
    fn both_ways_find_the_same_children() {
        let mut shell = Command::new("sh");
        let mut shell =
            shell.args(["-c", "sleep 600 & sleep 600 & wait"]).stdin(Stdio::null()).spawn().unwrap();
        let id = Pid::from_child(&shell);
        let begun = Instant::now();
        while children(id).len() < 2 {
            assert!(begun.elapsed() < Duration::from_secs(20), "the shell has no children");
            sleep(PAUSE);
        }
        let sorted = |mut pids: Vec<Pid>| {
            pids.sort_by_key(|pid| pid.as_raw_pid());
            pids
        };
        assert_eq!(sorted(children(id)), sorted(found(id)));
        assert!(own_children().contains(&id) && found(getpid()).contains(&id));
        let below: Vec<Pid> = descendants(id).iter().map(|stat| stat.id).collect();
        assert_eq!(sorted(below), sorted(children(id)));
        for child in children(id) {
            assert!(kill(child));
        }
        shell.kill().unwrap();
        shell.wait().unwrap();
        assert_eq!(children(id), []);
    }
}
