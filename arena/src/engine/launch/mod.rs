//! Starting an engine through the arena's own program: a second process of the arena, the launcher, confines itself as
//! the configuration asks and then becomes the engine. It must not talk to the engine, nor know of matches.

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
mod system_calls;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

pub use confinement::{Confinement, Sandbox};

/// The first argument of an arena that is a launcher.
pub const LAUNCH: &str = "__launch";
/// The second one: start the engine.
const ENGINE: &str = "engine";
/// Or: confine yourself and end, to see whether that works.
const REHEARSE: &str = "rehearse";
/// Or: be the first process of an engine's own process namespace.
#[cfg(target_os = "linux")]
const KEEP: &str = "keep";

/// Whether this program's `main` knows what a launcher's arguments mean.
static IS_ARENA: AtomicBool = AtomicBool::new(false);

/// The program that launches engines, if the current program is the arena: itself, even if its file has been replaced
/// since it started. `None` where engines are started directly: on other systems, and in programs that use the arena as
/// a library and have not called [`intercept`].
pub fn launcher() -> Option<PathBuf> {
    (cfg!(target_os = "linux") && IS_ARENA.load(Ordering::Relaxed)).then(|| PathBuf::from("/proc/self/exe"))
}

/// The arguments of the launcher that starts `program` for this process; those of the program follow.
///
/// # Errors
/// If a path cannot be told to it.
pub fn arguments(confinement: &Confinement, program: &Path) -> Result<Vec<OsString>, String> {
    let mut arguments = head(ENGINE, confinement)?;
    arguments.push(program.into());
    Ok(arguments)
}

/// Tries in a process of its own whether the system can confine an engine like that.
///
/// # Errors
/// With what the system lacks, and the remedy.
pub fn rehearse(confinement: &Confinement, launcher: &Path) -> Result<(), String> {
    let output = std::process::Command::new(launcher)
        .args(head(REHEARSE, confinement)?)
        .output()
        .map_err(|error| format!("the launcher cannot be started: {error}"))?;
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

/// What a launcher says before its reason.
const PREFIX: &str = "the arena's launcher: ";

fn head(what: &str, confinement: &Confinement) -> Result<Vec<OsString>, String> {
    let parent = std::process::id().to_string();
    Ok(vec![LAUNCH.into(), what.into(), parent.into(), confinement.to_argument()?.into()])
}
