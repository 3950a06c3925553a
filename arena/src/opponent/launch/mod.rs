//! Starting an engine through the arena's own program, in two more processes of it: the supervisor sees to it that
//! nothing the engine starts outlives it or the arena, and the launcher below it confines itself as the configuration
//! asks and then becomes the engine. Neither talks to the engine or knows of matches.

#[cfg(target_os = "linux")]
mod children;
mod confinement;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
pub mod supervisors;
#[cfg(not(target_os = "linux"))]
#[path = "no_supervisors.rs"]
pub mod supervisors;
#[cfg(target_os = "linux")]
mod system_calls;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(target_os = "linux")]
pub use children::descendants;
pub use confinement::{Confinement, Sandbox};

/// The first argument of an arena that is a launcher.
pub const LAUNCH: &str = "__launch";
/// The second one: be the supervisor of a launcher, whose second argument follows.
const SUPERVISE: &str = "supervise";
/// Or: confine yourself and become the engine.
const ENGINE: &str = "engine";
/// Or: become a program that builds an engine, without any confinement.
const BUILD: &str = "build";
/// Or: confine yourself and end, to see whether that works.
const REHEARSE: &str = "rehearse";
/// Or: be the first process of an engine's own process namespace.
#[cfg(target_os = "linux")]
const KEEP: &str = "keep";

/// What stands in an engine's standard error before each process that it has left running.
pub const LEFT: &str = "left running, killed by the arena: ";

/// Whether this program's `main` knows what a launcher's arguments mean.
static IS_ARENA: AtomicBool = AtomicBool::new(false);

/// The program that launches engines, if the current program is the arena: itself, even if its file has been replaced
/// since it started. `None` where engines are started directly: on other systems, and in programs that use the arena as
/// a library and have not called [`intercept`].
pub fn launcher() -> Option<PathBuf> {
    (cfg!(target_os = "linux") && IS_ARENA.load(Ordering::Relaxed)).then(|| PathBuf::from("/proc/self/exe"))
}

/// The arguments of the supervisor that starts `program` for this process; those of the program follow.
///
/// # Errors
/// If a path cannot be told to it.
pub fn arguments(confinement: &Confinement, program: &Path) -> Result<Vec<OsString>, String> {
    let mut arguments = supervise(ENGINE);
    arguments.extend([confinement.to_argument()?.into(), program.into()]);
    Ok(arguments)
}

/// The arguments of the supervisor that runs a `build` command for this process; the command follows. A build stays in
/// the arena's process group, so that Ctrl-C reaches it.
pub fn build_arguments() -> Vec<OsString> {
    supervise(BUILD)
}

/// Tries in a process of its own whether the system can confine an engine like that.
///
/// # Errors
/// With what the system lacks, and the remedy.
pub fn rehearse(confinement: &Confinement, launcher: &Path) -> Result<(), String> {
    let output = std::process::Command::new(launcher)
        .args([LAUNCH, REHEARSE, &std::process::id().to_string(), &confinement.to_argument()?])
        .output()
        .map_err(|error| format!("cannot start the launcher: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim().trim_start_matches(PREFIX);
    Err(if said.is_empty() { format!("the launcher ended with {}", output.status) } else { said.to_owned() })
}

/// Launches an engine if the command line says so, and gives the exit code; `None` for an ordinary arena. To be called
/// first thing in `main`.
#[cfg(target_os = "linux")]
pub fn intercept() -> Option<ExitCode> {
    IS_ARENA.store(true, Ordering::Relaxed);
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(LAUNCH)) {
        return None;
    }
    Some(launcher::launch(&arguments.collect::<Vec<_>>()))
}

/// Launches an engine if the command line says so, and gives the exit code; `None` for an ordinary arena.
#[cfg(not(target_os = "linux"))]
pub fn intercept() -> Option<ExitCode> {
    let is_launch = std::env::args_os().nth(1).as_deref() == Some(OsStr::new(LAUNCH));
    is_launch.then_some(ExitCode::FAILURE)
}

/// Whether the system refuses for want of something that the arena has used up, or others.
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

/// What a launcher says before its reason.
const PREFIX: &str = "the arena's launcher: ";

fn supervise(what: &str) -> Vec<OsString> {
    let parent = std::process::id().to_string();
    vec![LAUNCH.into(), SUPERVISE.into(), parent.into(), what.into()]
}
