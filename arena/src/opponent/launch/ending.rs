//! How the launcher and the supervisor end: with the arena, and as the engine has ended.

use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};

use nix::sys::signal::SigSet;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getppid, kill_process, set_parent_process_death_signal, setrlimit,
};

/// A supervisor to which the system gives no process ends by this signal. No engine can seem to be one: if it ends by this
/// signal, that is told as shells tell it.
pub const SHORTAGE: Signal = Signal::USR2;

/// Has the kernel send this signal to this process, and to the program that it becomes, when the thread that started it
/// ends.
pub fn end_with(parent: Pid, signal: Signal) -> Result<(), String> {
    set_parent_process_death_signal(Some(signal))
        .map_err(|error| format!("it cannot be made to end with the arena: {error}"))?;
    if getppid() == Some(parent) { Ok(()) } else { Err("the arena is gone".to_owned()) }
}

/// Ends as the engine has ended, but leaves no core.
pub fn end_like(status: ExitStatus) -> ExitCode {
    let signal = status.signal().and_then(Signal::from_named_raw);
    if let Some(signal) = signal.filter(|signal| *signal != SHORTAGE) {
        end_by(signal);
    }
    // A signal that is ignored here is told as shells tell it.
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    code.map_or(ExitCode::FAILURE, |code| ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

/// Ends by this signal, if that is not ignored here.
pub fn end_by(signal: Signal) {
    // Not 0, which lets the kernel still pipe a core to a program: 1 is what it takes for "none at all".
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(1), maximum: Some(1) });
    let _ = kill_process(getpid(), signal);
    // A supervisor gets it now.
    let _ = SigSet::all().thread_unblock();
}
