//! Kernel namespaces: a process cannot access what is outside its namespaces. A sandbox has its own processes, network
//! and shared memory; a limit on processes needs a user namespace, in which only the engine's processes are counted.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{SigSet, Signal as Caught};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{Signal, WaitOptions, getgid, getuid, set_parent_process_death_signal, wait};
use rustix::thread::CapabilitySet;

use super::limits::{OWN_COUNTS, kernel};
use super::{Confinement, KEEP, LAUNCH, Refusal, Sandbox, is_shortage, mounts};
use model::Tier;

/// The namespaces of a launcher. When it ends, those of a sandbox end with all their processes.
#[derive(Debug)]
pub struct Namespaces {
    /// The first process of the process namespace.
    keeper: Option<Child>,
    has_own_proc: bool,
}

impl Namespaces {
    /// The number of the arena's processes that are counted together with the engine's.
    pub const fn n_own_processes(&self) -> u32 {
        // The first process of the namespace, and the launcher, which waits.
        if self.keeper.is_some() { 2 } else { 0 }
    }

    /// Whether `/proc` shows only what is in them.
    pub const fn has_own_proc(&self) -> bool {
        self.has_own_proc
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
pub fn enter(confinement: &Confinement) -> Result<Namespaces, Refusal> {
    let processes = confinement.processes.filter(|_| !confinement.has_counting_group());
    if confinement.sandbox.is_none() && processes.is_none() {
        return Ok(Namespaces { keeper: None, has_own_proc: false });
    }
    if let Some(processes) = processes
        && is_root()
    {
        return Err(format!(
            "`processes = {processes}`: without a control group, the kernel does not count the processes of root; run the arena as another user"
        )
        .into());
    }
    let mut flags = CloneFlags::CLONE_NEWUSER;
    if let Some(sandbox) = &confinement.sandbox {
        flags |= CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWNS;
        flags.set(CloneFlags::CLONE_NEWNET, !sandbox.network);
    }
    let identity = Identity::current();
    unshare(flags).map_err(|error| refused(confinement, error.into()))?;
    identity.keep().map_err(|error| refused(confinement, error))?;
    if confinement.sandbox.is_none() {
        return Ok(Namespaces { keeper: None, has_own_proc: false });
    }
    // Mounts in here are not seen outside.
    mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None::<&str>)
        .map_err(|error| refused(confinement, error.into()))?;
    if let Some(Sandbox { tier: Tier::Basic, scratch, .. }) = &confinement.sandbox {
        mounts::make_read_only(scratch).map_err(|error| format!("`sandbox = \"basic\"`: {error}"))?;
    }
    set_inherited(CapabilitySet::SYS_ADMIN).map_err(|error| refused(confinement, error))?;
    let mut keeper = Command::new("/proc/self/exe")
        .arg0("arena")
        .args([LAUNCH, KEEP, &confinement.most_processes().unwrap_or_default().to_string()])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| refused(confinement, error))?;
    // The engine must not have it.
    set_inherited(CapabilitySet::empty()).map_err(|error| refused(confinement, error))?;
    let mut answer = Vec::new();
    let answered = keeper.stdout.take().map(|mut stdout| stdout.read_to_end(&mut answer));
    if !matches!(answered, Some(Ok(_))) || answer.is_empty() {
        let why = io::Error::other("the first process of the namespace does not start");
        return Err(refused(confinement, why));
    }
    Ok(Namespaces { keeper: Some(keeper), has_own_proc: answer == OWN_PROC })
}

/// What the first process of a process namespace says: whether `/proc` shows the namespace.
const OWN_PROC: &[u8] = b"own";
const OLD_PROC: &[u8] = b"old";

/// Is the first process of an engine's process namespace: when it ends, the kernel kills all others in it. It ends with
/// the launcher. Its children are the processes whose parents have ended; they go as soon as they end.
pub fn keep(most_processes: u32) -> io::Result<()> {
    // The end of its input says the same, but later.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let mut ended = SigSet::empty();
    ended.add(Caught::SIGCHLD);
    ended.thread_block()?;
    let ended = SignalFd::with_flags(&ended, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
    // It shows only the namespaces of the process that mounts it. Systems that hide parts of `/proc` do not allow it.
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    let mounted = mount(Some("proc"), "/proc", Some("proc"), flags, None::<&str>);
    limit_numbers(most_processes);
    // What root owns there may be changed by an engine of root.
    let flags = flags | MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY;
    let mounted = mounted.and_then(|()| mount(None::<&str>, "/proc", None::<&str>, flags, None::<&str>));
    set_inherited(CapabilitySet::empty())?;
    io::stdout().write_all(if mounted.is_ok() { OWN_PROC } else { OLD_PROC })?;
    io::stdout().flush()?;
    // The launcher reads to the end.
    rustix::stdio::dup2_stdout(File::open("/dev/null")?)?;
    let input = io::stdin();
    loop {
        let mut sources = [PollFd::new(&input, PollFlags::IN), PollFd::new(&ended, PollFlags::IN)];
        match poll(&mut sources, None) {
            Ok(_) if !sources[0].revents().is_empty() => return Ok(()),
            Ok(_) => while ended.read_signal()?.is_some() {},
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        while matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
    }
}

/// The first version of Linux in which the largest number of a process is that of its namespace.
const OWN_NUMBERS: (u32, u32) = (6, 14);

/// Whether the namespaces of a sandbox limit processes without a control group.
pub fn limit_processes() -> bool {
    kernel() >= if is_root() { OWN_NUMBERS } else { OWN_COUNTS }
}

/// Limits the numbers of the processes in this process namespace, and so their count, also that of root. Before this
/// version, the limit is that of the whole system.
fn limit_numbers(most_processes: u32) {
    /// When numbers are given for the second time, these are left out.
    const RESERVED: u32 = 300;
    if kernel() < OWN_NUMBERS {
        return;
    }
    // The lowest limit that the kernel accepts depends on the number of processors.
    let mut most = most_processes.saturating_add(RESERVED + 1);
    while fs::write("/proc/sys/kernel/pid_max", most.to_string())
        .is_err_and(|error| error.raw_os_error() == Some(Errno::INVAL.raw_os_error()))
        && most < 1 << 22
    {
        most = most.saturating_mul(2);
    }
}

/// Sets the capabilities that the next program gets, and has.
fn set_inherited(capabilities: CapabilitySet) -> io::Result<()> {
    let mut sets = rustix::thread::capabilities(None)?;
    sets.inheritable = capabilities;
    rustix::thread::set_capabilities(None, sets)?;
    if capabilities.is_empty() {
        rustix::thread::clear_ambient_capability_set()?;
    } else {
        rustix::thread::configure_capability_in_ambient_set(capabilities, true)?;
    }
    Ok(())
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

#[expect(clippy::needless_pass_by_value, reason = "it is the end of an error")]
fn refused(confinement: &Confinement, error: io::Error) -> Refusal {
    if is_shortage(&error) {
        return Refusal::of("cannot start the processes of its namespace", &error);
    }
    let key = if confinement.sandbox.is_some() { "sandbox" } else { "processes" };
    format!(
        "`{key}` needs user namespaces, but the system refuses them: {error}; to allow them, use `sysctl -w user.max_user_namespaces=10000`, on Debian and Ubuntu also `kernel.unprivileged_userns_clone=1` and \
         `kernel.apparmor_restrict_unprivileged_userns=0`; a container must be started with \
         `--security-opt seccomp=unconfined`"
    )
    .into()
}
