//! All processes of a running engine: how much processor time they have used, and stopping and continuing them. The
//! kernel does both for a control group. An engine can leave its group unless it is in a sandbox, and most systems give
//! the arena no groups: then its processes are found one by one.

use std::time::Duration;

use rustix::process::Pid;

use super::control_group::Group;
use super::processes::{Ended, Processes};
use super::{Confinement, in_group};

/// The processes of an engine below its supervisor.
#[derive(Debug)]
pub enum Tree {
    /// As a whole. The launcher is in the group, too, and waits.
    Group(Group),
    /// One by one.
    Processes(Processes),
}

/// The processor time of an engine at some moment.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    used: Duration,
    /// The processes that had ended, if new processes were looked for.
    ended: Option<Ended>,
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

    /// The processor time used so far. To look for new processes takes longer: without it, they are not counted.
    pub fn read(&mut self, looks: bool) -> Reading {
        match self {
            Self::Group(group) => Reading { used: group.used(), ended: None },
            Self::Processes(processes) => {
                if looks {
                    processes.look();
                }
                let ended = looks.then(|| processes.ended());
                Reading { used: processes.used(), ended }
            }
        }
    }

    /// The processor time used since then.
    pub fn used_since(&mut self, before: Reading) -> Duration {
        match self {
            Self::Group(group) => group.used().saturating_sub(before.used),
            Self::Processes(processes) => {
                let used = processes.used().saturating_sub(before.used);
                used + before.ended.map(|ended| processes.used_by_short(ended)).unwrap_or_default()
            }
        }
    }

    /// Stops all processes. Without a group, those that another user owns go on.
    pub fn stop(&mut self) {
        match self {
            Self::Group(group) => group.freeze(true),
            Self::Processes(processes) => processes.stop(),
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
