//! Starts an engine through the arena's own program, in two more processes: the supervisor ensures that no process of
//! the engine outlives it or the arena; the launcher below it applies limits and sandbox to itself and then becomes
//! the engine. Neither talks to the engine.

mod attempt;
#[cfg(target_os = "linux")]
mod children;
mod confinement;
#[cfg(target_os = "linux")]
mod control_group;
#[cfg(target_os = "linux")]
mod ending;
mod environment;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod processes;
mod refusal;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
pub mod supervisors;
#[cfg(not(target_os = "linux"))]
#[path = "no_supervisors.rs"]
pub mod supervisors;
#[cfg(target_os = "linux")]
mod system_calls;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(not(target_os = "linux"))]
#[path = "no_tree.rs"]
mod tree;
#[cfg(target_os = "linux")]
mod trial;
#[cfg(not(target_os = "linux"))]
#[path = "no_trial.rs"]
mod trial;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::machine::given_open_files;

pub use attempt::{Attempt, SECRET};
#[cfg(target_os = "linux")]
pub use children::descendants;
pub use confinement::{Confinement, Home, Sandbox};
pub use environment::{carried, steers_loader};
#[cfg(target_os = "linux")]
pub use files::READABLE;
pub use refusal::Refusal;
pub use tree::{Ended, Tree};
pub use trial::attempts;

/// What every engine in a sandbox may read: there is no sandbox on this system.
#[cfg(not(target_os = "linux"))]
pub const READABLE: [&str; 0] = [];

/// The first argument of the launcher and the supervisor.
pub const LAUNCH: &str = "__launch";
/// Mode: be the supervisor of a launcher. The limit of open files follows, if it is not that of the arena, and the mode of
/// the launcher.
const SUPERVISE: &str = "supervise";
/// Mode: apply limits and sandbox, then become the engine.
const ENGINE: &str = "engine";
/// Mode: become a build command, without limits.
const BUILD: &str = "build";
/// Mode: apply limits and sandbox, then exit, to test whether they work.
const REHEARSE: &str = "rehearse";
/// Mode: be the first process of an engine's process namespace.
#[cfg(target_os = "linux")]
const KEEP: &str = "keep";

/// Mode: try to escape, in the place of an engine.
#[cfg(target_os = "linux")]
const TRY: &str = "try";

/// Mode: try to use more memory than allowed, in the place of an engine.
#[cfg(target_os = "linux")]
const TRY_MEMORY: &str = "try-memory";

/// Mode: use some memory until the end of the input.
#[cfg(target_os = "linux")]
const USE_MEMORY: &str = "use-memory";

/// The prefix of lines in an engine's standard error that name processes it left running.
pub const LEFT: &str = "left running, killed by the arena: ";

/// The prefix of lines in an engine's standard error that name processes that do not end although they were killed.
pub const STUCK: &str = "still there after the arena killed it: ";

/// Whether this program's `main` handles the arguments of a launcher.
static IS_ARENA: AtomicBool = AtomicBool::new(false);

/// The program that launches engines: this program, if it is the arena, even if its file was replaced since the start.
/// `None` if engines are started directly: on other systems, and in programs that use the arena as a library without
/// calling [`intercept`].
pub fn launcher() -> Option<PathBuf> {
    (CAN_CONFINE && IS_ARENA.load(Ordering::Relaxed)).then(|| PathBuf::from("/proc/self/exe"))
}

/// Whether this system can limit engines, and keep them in a sandbox.
pub const CAN_CONFINE: bool = cfg!(target_os = "linux");

/// The command that runs the launcher, under a name that users know.
pub fn command(launcher: &Path) -> Command {
    #[cfg(unix)]
    {
        let mut command = Command::new(launcher);
        std::os::unix::process::CommandExt::arg0(&mut command, "arena");
        command
    }
    #[cfg(not(unix))]
    Command::new(launcher)
}

/// Starts the process in a group of its own, where there are groups, so that it can be killed with those that it starts.
pub fn in_own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Lets the supervisor `id` end all its processes, or kills the group of the process `id`. Returns false where there are no groups.
pub fn kill(id: u32, is_supervisor: bool) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process, kill_process_group};
        if let Some(id) = Pid::from_raw(id.cast_signed()) {
            // It fails if no process is left, which is fine.
            let _ = if is_supervisor {
                kill_process(id, Signal::TERM)
            } else {
                kill_process_group(id, Signal::KILL)
            };
        }
    }
    #[cfg(not(unix))]
    let _ = (id, is_supervisor);
    cfg!(unix)
}

/// The arguments of the supervisor that starts `program` for this process. The arguments of the program follow.
///
/// # Errors
/// If a path cannot be passed as an argument.
pub fn arguments(confinement: &Confinement, program: &Path) -> Result<Vec<OsString>, String> {
    let mut arguments = supervise(ENGINE);
    arguments.extend([in_group(confinement).to_argument()?.into(), program.into()]);
    Ok(arguments)
}

/// The arguments of the supervisor that runs a `build` command for this process. The command follows. A build stays in
/// the arena's process group, so that Ctrl-C reaches it.
pub fn build_arguments() -> Vec<OsString> {
    supervise(BUILD)
}

/// Tests in a separate process whether the system supports these limits and this sandbox.
///
/// # Errors
/// What the system lacks, and the remedy.
pub fn rehearse(confinement: &Confinement, launcher: &Path) -> Result<(), Refusal> {
    let confinement = in_group(confinement);
    let output = Command::new(launcher)
        .args([LAUNCH, REHEARSE, &std::process::id().to_string(), &confinement.to_argument()?])
        .env_clear()
        .output()
        .map_err(|error| Refusal::of("cannot start the launcher", &error))?;
    #[cfg(target_os = "linux")]
    if let Some(home) = &confinement.home {
        home.sweep();
    }
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim().trim_start_matches(PREFIX);
    let reason =
        if said.is_empty() { format!("the launcher ended with {}", output.status) } else { said.to_owned() };
    Err(Refusal { reason, is_shortage: supervisors::is_short(output.status) })
}

/// Acts as launcher or supervisor if the command line says so, and returns the exit code; `None` for an ordinary
/// arena. Must be the first call in `main`.
#[cfg(target_os = "linux")]
pub fn intercept() -> Option<ExitCode> {
    IS_ARENA.store(true, Ordering::Relaxed);
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(LAUNCH)) {
        return None;
    }
    Some(launcher::launch(&arguments.collect::<Vec<_>>()))
}

/// Acts as launcher if the command line says so, and returns the exit code; `None` for an ordinary arena.
#[cfg(not(target_os = "linux"))]
pub fn intercept() -> Option<ExitCode> {
    let is_launch = std::env::args_os().nth(1).as_deref() == Some(OsStr::new(LAUNCH));
    is_launch.then_some(ExitCode::FAILURE)
}

/// Whether the error means that the system has no more resources.
pub fn is_shortage(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let shortages = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
        Errno::from_io_error(error).is_some_and(|error| shortages.contains(&error))
    }
    #[cfg(not(unix))]
    {
        error.kind() == io::ErrorKind::OutOfMemory
    }
}

/// What `memory` limits on this system, in words.
pub fn memory_in_words() -> String {
    let each = |why: &str| {
        format!("the address space of each process of an engine, not the engine as a whole: {why}")
    };
    #[cfg(target_os = "linux")]
    return match control_group::home() {
        Ok(_) => {
            "the memory of an engine as a whole, and the address space of each of its processes".to_owned()
        }
        Err(why) => each(why),
    };
    #[cfg(not(target_os = "linux"))]
    each("this system has no control groups")
}

/// Whether something limits how many processes an engine may have at once.
pub fn limits_processes(confinement: &Confinement) -> bool {
    #[cfg(target_os = "linux")]
    return match in_group(confinement) {
        grouped if grouped.has_counting_group() => true,
        // An explicit limit that cannot hold is refused.
        Confinement { sandbox: None, processes, .. } => processes.is_some(),
        Confinement { processes, .. } => processes.is_some() || namespaces::limit_processes(),
    };
    #[cfg(not(target_os = "linux"))]
    confinement.is_none()
}

/// The confinement with the control group in which the one of the engine is made, if a limit needs it.
fn in_group(confinement: &Confinement) -> Confinement {
    #[cfg(target_os = "linux")]
    if confinement.memory.is_some() || confinement.most_processes().is_some() {
        return Confinement { home: control_group::home().ok().cloned(), ..confinement.clone() };
    }
    confinement.clone()
}

/// The prefix of a launcher's error messages.
const PREFIX: &str = "the arena's launcher: ";

fn supervise(what: &str) -> Vec<OsString> {
    let parent = std::process::id().to_string();
    let open_files = given_open_files().map_or_else(String::new, |given| given.to_string());
    vec![LAUNCH.into(), SUPERVISE.into(), parent.into(), open_files.into(), what.into()]
}
