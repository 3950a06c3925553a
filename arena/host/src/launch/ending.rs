//! How the launcher and the supervisor end: with the arena, and as the engine has ended.

use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};

use nix::sys::signal::{SigSet, Signal as Caught};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getppid, kill_process, set_parent_process_death_signal, setrlimit,
};

/// The signal by which a supervisor ends if the system does not give it a process. An engine cannot imitate this: if
/// it ends by this signal, its exit is reported as shells do. No program uses this one, so that nobody starts the arena with
/// it ignored, as `perf record` does with SIGUSR2.
pub const SHORTAGE: Signal = Signal::STKFLT;

/// Makes the kernel send this signal to this process, and to the program that it becomes, when the thread that started
/// it ends.
pub fn end_with(parent: Pid, signal: Signal) -> Result<(), String> {
    set_parent_process_death_signal(Some(signal))
        .map_err(|error| format!("cannot make it end with the arena: {error}"))?;
    if getppid() == Some(parent) { Ok(()) } else { Err("the arena has ended".to_owned()) }
}

/// Exits as the engine has exited, but without a core dump.
pub fn end_like(status: ExitStatus) -> ExitCode {
    let signal = status.signal().and_then(Signal::from_named_raw);
    if let Some(signal) = signal.filter(|signal| *signal != SHORTAGE) {
        end_by(signal);
    }
    // A signal that is ignored here is reported as shells do.
    let code = status.code().or_else(|| Some(128 + status.signal()?));
    code.map_or(ExitCode::FAILURE, |code| ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

/// Ends by this signal, if it is not ignored here.
pub fn end_by(signal: Signal) {
    // Not 0, which still allows the kernel to pipe a core dump to a program; with 1, it writes none.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(1), maximum: Some(1) });
    // It is delivered when it is unblocked. No other one is: an engine without a sandbox may have sent them to its supervisor.
    let unblocked =
        Caught::try_from(signal.as_raw()).map(SigSet::from).and_then(|signal| signal.thread_unblock());
    if unblocked.is_ok() {
        // Rust's handler of SIGSEGV and SIGBUS, which looks for an overflow of the stack, takes the first one.
        let _ = kill_process(getpid(), signal);
        let _ = kill_process(getpid(), signal);
    }
}
