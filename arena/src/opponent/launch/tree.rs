//! All processes of a running engine: how much processor time they have used, and stopping and continuing them. A
//! process stays known by its descriptor, so that no other process is ever stopped in its place.

use std::os::fd::OwnedFd;
use std::time::Duration;

use nix::time::ClockId;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::children::{Stat, children, descendants};

/// How often new processes are looked for when stopping: one that is stopped starts no others.
const MOST_ROUNDS: u32 = 50;

/// The processes of an engine below its supervisor.
#[derive(Debug)]
pub struct Tree {
    supervisor: Pid,
    is_sandboxed: bool,
    known: Vec<Known>,
    /// The processor time of processes that have ended.
    ended: Duration,
}

#[derive(Debug)]
struct Known {
    stat: Stat,
    descriptor: OwnedFd,
    /// Its processor time when it was found: it is not known when it was used.
    before: Duration,
    used: Duration,
}

impl Tree {
    /// The processes below the supervisor with this id. In a sandbox, the launcher and the first process of the process
    /// namespace are the arena's, not the engine's.
    pub fn of(supervisor: u32, is_sandboxed: bool) -> Option<Self> {
        let supervisor = Pid::from_raw(supervisor.cast_signed())?;
        Some(Self { supervisor, is_sandboxed, known: Vec::new(), ended: Duration::ZERO })
    }

    /// Finds new processes. Returns whether there are any.
    pub fn look(&mut self) -> bool {
        let found = self.found();
        let ended = self.known.extract_if(.., |known| !found.iter().any(|stat| stat.id == known.stat.id));
        self.ended += ended.map(|known| known.used).sum::<Duration>();
        let n_known = self.known.len();
        for stat in found {
            if self.known.iter().all(|known| known.stat.id != stat.id)
                && let Some(known) = Known::new(stat)
            {
                self.known.push(known);
            }
        }
        n_known < self.known.len()
    }

    /// The processor time of all known processes since they were found.
    pub fn used(&mut self) -> Duration {
        self.known.iter_mut().map(Known::used).sum::<Duration>() + self.ended
    }

    /// Stops all processes. Those that another user owns go on.
    pub fn stop(&mut self) {
        self.look();
        let mut n_stopped = 0;
        for _ in 0..MOST_ROUNDS {
            self.known[n_stopped..].iter().for_each(|known| known.signal(Signal::STOP));
            n_stopped = self.known.len();
            if !self.look() {
                return;
            }
            n_stopped = n_stopped.min(self.known.len());
        }
    }

    /// Lets all processes go on.
    pub fn proceed(&self) {
        self.known.iter().for_each(|known| known.signal(Signal::CONT));
    }

    /// The engine's processes at this moment.
    fn found(&self) -> Vec<Stat> {
        let all = descendants(self.supervisor);
        if !self.is_sandboxed {
            return all;
        }
        let Some(launcher) = all.iter().find(|stat| stat.parent == Some(self.supervisor)).map(|stat| stat.id)
        else {
            return Vec::new();
        };
        // The first process of the namespace is the launcher's first child. Others become children of it, if they lose
        // their parents.
        let first = children(launcher).first().copied();
        all.into_iter().filter(|stat| stat.id != launcher && Some(stat.id) != first).collect()
    }
}

impl Known {
    /// `None` if it has ended.
    fn new(stat: Stat) -> Option<Self> {
        let descriptor = pidfd_open(stat.id, PidfdFlags::empty()).ok()?;
        // The number may have been given to another process before the descriptor was opened.
        let before = time_of(stat.id)?;
        (Stat::read(stat.id)?.parent == stat.parent).then_some(Self {
            stat,
            descriptor,
            before,
            used: Duration::ZERO,
        })
    }

    fn used(&mut self) -> Duration {
        if let Some(time) = time_of(self.stat.id) {
            // Not of another process with the same number, whose time would be shorter.
            self.used = self.used.max(time.saturating_sub(self.before));
        }
        self.used
    }

    /// It fails if the process has ended, or belongs to another user.
    fn signal(&self, signal: Signal) {
        let _ = pidfd_send_signal(&self.descriptor, signal);
    }
}

/// The processor time of a process with all its threads.
fn time_of(id: Pid) -> Option<Duration> {
    let clock = ClockId::pid_cpu_clock_id(nix::unistd::Pid::from_raw(id.as_raw_pid())).ok()?;
    clock.now().ok().map(Duration::from)
}
