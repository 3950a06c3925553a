//! The arena's side of supervisors: starts them, and replaces them if they are killed. It must not end processes that
//! the arena has not started.

use std::collections::HashSet;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, Once};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, getpid, set_child_subreaper, waitpid};

use super::IS_ARENA;
use super::children::{await_children, end_children, kill, own_children};
use super::ending::SHORTAGE;

/// How long supervisors have to end their processes.
const PATIENCE: Duration = Duration::from_secs(2);

/// The supervisors of this process; `None` if it cannot adopt processes.
static SUPERVISORS: Mutex<Option<HashSet<Pid>>> = Mutex::new(None);

static ADOPT: Once = Once::new();

/// Starts a supervisor, or an engine without one; `start` returns it with its process id.
///
/// # Errors
/// The errors of `start`.
pub fn start<T>(is_supervisor: bool, start: impl FnOnce() -> io::Result<(T, Option<u32>)>) -> io::Result<T> {
    if !is_supervisor || !IS_ARENA.load(Ordering::Relaxed) {
        return Ok(start()?.0);
    }
    ADOPT.call_once(adopt);
    // Locked meanwhile, so that the new process is not taken for an orphan.
    let mut supervisors = lock();
    let (started, id) = start()?;
    if let (Some(supervisors), Some(id)) = (supervisors.as_mut(), id.and_then(pid)) {
        supervisors.insert(id);
    }
    Ok(started)
}

/// Makes this process the parent of the processes of killed supervisors. Not if it already has children, because they
/// would be taken for processes of an engine.
fn adopt() {
    if own_children().is_empty() && set_child_subreaper(Some(getpid())).is_ok() {
        *lock() = Some(HashSet::new());
    }
}

/// Notes how a supervisor, which was waited for, ended.
pub fn forget(supervisor: u32, status: ExitStatus) {
    if let (Some(supervisors), Some(id)) = (lock().as_mut(), pid(supervisor)) {
        supervisors.remove(&id);
    }
    // Only SIGKILL ends one early. If the engine was killed instead, no process is left.
    if status.signal() == Some(Signal::KILL.as_raw()) {
        end_orphans();
    }
}

/// Whether a supervisor or a launcher ended like this because the system refused to start a process.
pub fn is_short(status: ExitStatus) -> bool {
    status.signal() == Some(SHORTAGE.as_raw())
}

/// Ends the processes that killed supervisors left to this process.
fn end_orphans() {
    let supervisors = lock();
    let Some(supervisors) = supervisors.as_ref() else { return };
    let deadline = Instant::now() + PATIENCE;
    loop {
        let orphans: Vec<Pid> = own_children().into_iter().filter(|pid| !supervisors.contains(pid)).collect();
        if orphans.is_empty() || deadline <= Instant::now() {
            return;
        }
        for orphan in orphans {
            kill(orphan);
            let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
        }
        std::thread::yield_now();
    }
}

/// Waits until all supervisors are done; ends the remaining processes if they are not. Returns the ids of those that
/// do not end.
pub fn end_all() -> Vec<u32> {
    if lock().is_none() {
        return Vec::new();
    }
    await_children(Instant::now() + PATIENCE);
    end_children(Instant::now() + PATIENCE);
    own_children().into_iter().map(|pid| pid.as_raw_pid().cast_unsigned()).collect()
}

fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(id.cast_signed())
}

fn lock() -> MutexGuard<'static, Option<HashSet<Pid>>> {
    SUPERVISORS.lock().expect("nobody panics while holding it")
}
