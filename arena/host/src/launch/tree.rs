//! All processes of a running engine: how much processor time they have used, and stopping and continuing them. The
//! kernel does both for a control group. An engine can leave its group unless it is in a sandbox, and most systems give
//! the arena no groups: then its processes are found one by one.

use std::time::Duration;

use rustix::process::Pid;

use super::control_group::Group;
pub use super::processes::Ended;
use super::processes::Processes;
use super::{Confinement, in_group};

/// The processes of an engine below its supervisor.
#[derive(Debug)]
pub enum Tree {
    /// As a whole. The launcher is in the group, too, and waits.
    Group(Group),
    /// One by one.
    Processes(Processes),
}

impl Tree {
    /// The processes below the supervisor with this id, which has started an engine with this confinement.
    pub fn of(supervisor: u32, confinement: &Confinement) -> Option<Self> {
        let supervisor = Pid::from_raw(supervisor.cast_signed())?;
        let is_sandboxed = confinement.sandbox.is_some();
        let home = is_sandboxed.then(|| in_group(confinement).home).flatten();
        let group = home.and_then(|home| home.open(supervisor).ok());
        Some(group.map_or_else(|| Self::Processes(Processes::of(supervisor, is_sandboxed)), Self::Group))
    }

    /// The processor time used so far, of all processes that are known.
    pub fn used(&mut self) -> Duration {
        match self {
            Self::Group(group) => group.used(),
            Self::Processes(processes) => processes.used(),
        }
    }

    /// Looks for new processes, which takes longer. Returns those that have ended, unless [`used`](Self::used) includes them.
    pub fn look(&mut self) -> Option<Ended> {
        let Self::Processes(processes) = self else { return None };
        processes.look();
        Some(processes.ended())
    }

    /// The processor time of processes that were started and have ended since `before`, so that they were never known.
    pub fn used_by_short(&self, before: Ended) -> Duration {
        match self {
            Self::Group(_) => Duration::ZERO,
            Self::Processes(processes) => processes.used_by_short(before),
        }
    }

    /// Stops all processes, as long as `is_wanted`. Without a group, those that another user owns go on.
    pub fn stop(&mut self, is_wanted: &dyn Fn() -> bool) {
        match self {
            Self::Group(group) => group.freeze(true),
            Self::Processes(processes) => processes.stop(is_wanted),
        }
    }

    /// Lets all processes go on.
    pub fn proceed(&self) {
        match self {
            Self::Group(group) => group.freeze(false),
            Self::Processes(processes) => processes.proceed(),
        }
    }
}
