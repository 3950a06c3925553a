//! Kernel namespaces: a process cannot access what is outside its namespaces. A sandbox has its own processes, network
//! and shared memory; a limit on processes needs a user namespace, in which only the engine's processes are counted.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use nix::sched::{CloneFlags, unshare};
use rustix::process::{getgid, getuid};

use super::{Confinement, KEEP, LAUNCH};

/// The namespaces of a launcher. When it ends, those of a sandbox end with all their processes.
#[derive(Debug)]
pub struct Namespaces {
    /// The first process of the process namespace.
    keeper: Option<Child>,
}

impl Namespaces {
    /// The number of the arena's processes that are counted together with the engine's.
    pub const fn n_own_processes(&self) -> u32 {
        // The first process of the namespace, and the launcher, which waits.
        if self.keeper.is_some() { 2 } else { 0 }
    }

    /// Ends all processes in them and waits until they have ended.
    pub fn end(self) {
        if let Some(mut keeper) = self.keeper {
            drop(keeper.stdin.take());
            // It can only fail if another thread has waited for it, so that it has ended as well.
            let _ = keeper.wait();
        }
    }
}

/// Enters the namespaces that `confinement` needs. Processes that are started from now on are in its process
/// namespace.
pub fn enter(confinement: &Confinement) -> Result<Namespaces, String> {
    if confinement.sandbox.is_none() && confinement.processes.is_none() {
        return Ok(Namespaces { keeper: None });
    }
    if let Some(processes) = confinement.processes
        && is_root()
    {
        return Err(format!(
            "`processes = {processes}`: the kernel does not count the processes of root; run the arena as another user"
        ));
    }
    let mut flags = CloneFlags::CLONE_NEWUSER;
    if confinement.sandbox.is_some() {
        flags |= CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC;
    }
    let identity = Identity::current();
    unshare(flags).map_err(|error| refused(confinement, &error))?;
    identity.keep().map_err(|error| refused(confinement, &error))?;
    if confinement.sandbox.is_none() {
        return Ok(Namespaces { keeper: None });
    }
    let keeper = Command::new("/proc/self/exe")
        .arg0("arena")
        .args([LAUNCH, KEEP])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| refused(confinement, &error))?;
    Ok(Namespaces { keeper: Some(keeper) })
}

/// The identity of this process outside of the namespace.
struct Identity {
    uid: u32,
    gid: u32,
}

impl Identity {
    /// Inside, the process is not root: with the next program, all rights within the namespace are lost.
    const NOT_ROOT: u32 = 65534;

    fn current() -> Self {
        Self { uid: getuid().as_raw(), gid: getgid().as_raw() }
    }

    /// Sets the identity inside: the same user, but not root.
    fn keep(&self) -> std::io::Result<()> {
        let inside = |id: u32| if id == 0 { Self::NOT_ROOT } else { id };
        fs::write("/proc/self/uid_map", format!("{} {} 1", inside(self.uid), self.uid))?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/gid_map", format!("{} {} 1", inside(self.gid), self.gid))
    }
}

/// Whether this process is root of the system, not only of a container.
fn is_root() -> bool {
    if !getuid().is_root() {
        return false;
    }
    // `<first id inside> <first id outside> <count>`; without this file there are no containers.
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    map.split_whitespace().nth(1).is_none_or(|outside| outside == "0")
}

fn refused(confinement: &Confinement, error: &dyn std::fmt::Display) -> String {
    let key = if confinement.sandbox.is_some() { "sandbox" } else { "processes" };
    format!(
        "`{key}` needs user namespaces, but the system refuses them: {error}; to allow them, use `sysctl -w user.max_user_namespaces=10000`, on Debian and Ubuntu also `kernel.unprivileged_userns_clone=1` and \
         `kernel.apparmor_restrict_unprivileged_userns=0`; a container must be started with \
         `--security-opt seccomp=unconfined`"
    )
}
