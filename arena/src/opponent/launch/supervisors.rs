//! The supervisors of the arena, as it sees them: it starts them, and where one was killed it does that one's work, and
//! ends what comes to it then. It must not touch what the arena has not started.

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

/// Supervisors have so long to end what they watch over.
const PATIENCE: Duration = Duration::from_secs(2);

/// The supervisors of this process; `None` if it adopts nothing.
static SUPERVISORS: Mutex<Option<HashSet<Pid>>> = Mutex::new(None);

static ADOPT: Once = Once::new();

/// Starts a supervisor, or an engine without one: `start` gives it with its number.
///
/// # Errors
/// Those of `start`.
pub fn start<T>(is_supervisor: bool, start: impl FnOnce() -> io::Result<(T, Option<u32>)>) -> io::Result<T> {
    if !is_supervisor || !IS_ARENA.load(Ordering::Relaxed) {
        return Ok(start()?.0);
    }
    ADOPT.call_once(adopt);
    // Held meanwhile, so that it is not taken for an orphan.
    let mut supervisors = lock();
    let (started, id) = start()?;
    if let (Some(supervisors), Some(id)) = (supervisors.as_mut(), id.and_then(pid)) {
        supervisors.insert(id);
    }
    Ok(started)
}

/// From now on this process is the parent of what its supervisors leave if they are killed. Not if it has children
/// already, as a program has that a shell becomes: those would be taken for an engine's.
fn adopt() {
    if own_children().is_empty() && set_child_subreaper(Some(getpid())).is_ok() {
        *lock() = Some(HashSet::new());
    }
}

/// A supervisor was waited for, and this is how it has ended.
pub fn forget(supervisor: u32, status: ExitStatus) {
    if let (Some(supervisors), Some(id)) = (lock().as_mut(), pid(supervisor)) {
        supervisors.remove(&id);
    }
    // Nothing else ends one before its time. It may have been the engine that was killed, and then nothing is left.
    if status.signal() == Some(Signal::KILL.as_raw()) {
        end_orphans();
    }
}

/// Whether a supervisor has ended like this because the system gave it no process.
pub fn is_short(status: ExitStatus) -> bool {
    status.signal() == Some(SHORTAGE.as_raw())
}

/// Ends what supervisors that were killed have left to this process.
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

/// Waits until all supervisors have done their work, and ends what is left if they do not.
pub fn end_all() {
    if lock().is_none() {
        return;
    }
    await_children(Instant::now() + PATIENCE);
    end_children(Some(Instant::now() + PATIENCE));
}

fn pid(id: u32) -> Option<Pid> {
    Pid::from_raw(id.cast_signed())
}

fn lock() -> MutexGuard<'static, Option<HashSet<Pid>>> {
    SUPERVISORS.lock().expect("nobody panics while holding it")
}
