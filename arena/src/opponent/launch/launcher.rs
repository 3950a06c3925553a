//! The launcher's process: it confines itself and becomes the engine, or watches over it where the engine has a process
//! namespace of its own. What it is told comes from the arena alone.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::RawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus};

use nix::sys::signal::{SigSet, Signal as Caught};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getpid, getppid, kill_process, set_parent_process_death_signal, setrlimit,
};

use super::supervisor::supervise;
use super::{
    BUILD, Confinement, ENGINE, KEEP, PREFIX, REHEARSE, SUPERVISE, files, limits, namespaces, system_calls,
};

/// The exit code of a launcher that cannot do what it is told.
const CANNOT: u8 = 125;

/// A supervisor to which the system gives no process ends by this signal. No engine can seem to be one: if it ends by this
/// signal, that is told as shells tell it.
pub const SHORTAGE: Signal = Signal::USR2;

/// Does what the arguments behind `__launch` say. It returns in the place of the engine only if that was not started or
/// has ended.
pub fn launch(arguments: &[OsString]) -> ExitCode {
    match arguments {
        [what] if what == KEEP => keep(),
        [what, parent, rest @ ..] => obey(what, parent, rest).unwrap_or_else(|reason| {
            let _ = writeln!(io::stderr(), "{PREFIX}{reason}");
            ExitCode::from(CANNOT)
        }),
        _ => ExitCode::from(CANNOT),
    }
}

fn obey(what: &OsStr, parent: &OsStr, rest: &[OsString]) -> Result<ExitCode, String> {
    let wrong = || "only the arena can start it".to_owned();
    let parent =
        parent.to_str().and_then(|text| text.parse().ok()).and_then(Pid::from_raw).ok_or_else(wrong)?;
    if what == SUPERVISE {
        let (what, arguments) = rest.split_first().ok_or_else(wrong)?;
        return supervise(parent, what, arguments);
    }
    if what != REHEARSE {
        await_supervisor(parent)?;
    }
    if what == BUILD {
        end_with(parent, Signal::KILL)?;
        return Err(become_program(rest));
    }
    let (confinement, command) = rest.split_first().ok_or_else(wrong)?;
    let confinement =
        confinement.to_str().and_then(|text| serde_json::from_str(text).ok()).ok_or_else(wrong)?;
    if what == ENGINE || what == REHEARSE {
        become_engine(parent, &confinement, command)
    } else {
        Err(wrong())
    }
}

/// `command` is empty for a rehearsal.
fn become_engine(parent: Pid, confinement: &Confinement, command: &[OsString]) -> Result<ExitCode, String> {
    close_inherited_files()?;
    limits::set_scheduling(confinement)?;
    let namespaces = namespaces::enter(confinement)?;
    // Changes of identity undo it, so it comes after them.
    end_with(parent, Signal::KILL)?;
    limits::set_limits(confinement, namespaces.n_own_processes())?;
    let Some(sandbox) = &confinement.sandbox else {
        return if command.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(become_program(command)) };
    };
    let null = files::null()?;
    files::restrict(sandbox, command.first())?;
    system_calls::restrict()?;
    let Some((program, arguments)) = command.split_first() else {
        namespaces.end();
        return Ok(ExitCode::SUCCESS);
    };
    let mut engine =
        Command::new(program).args(arguments).spawn().map_err(|error| cannot_start(program, &error))?;
    // The arena sees the end of the engine's output only if nobody else holds the pipe.
    rustix::stdio::dup2_stdin(&null)
        .and_then(|()| rustix::stdio::dup2_stdout(&null))
        .and_then(|()| rustix::stdio::dup2_stderr(&null))
        .map_err(|error| format!("cannot close its pipes: {error}"))?;
    let status = engine.wait().map_err(|error| format!("cannot wait for the engine: {error}"))?;
    namespaces.end();
    Ok(end_like(status))
}

/// Waits until the supervisor has let go of the engine's pipes: it alone would be seen to hold them. All signals are
/// blocked so far, since a supervisor has them so.
fn await_supervisor(supervisor: Pid) -> Result<(), String> {
    end_with(supervisor, Signal::KILL)?;
    let mut go = SigSet::empty();
    go.add(Caught::SIGUSR1);
    go.wait()
        .and_then(|_| SigSet::all().thread_unblock())
        .map_err(|error| format!("cannot unblock its signals: {error}"))
}

/// Runs the program in place of this one; what it gives is why it cannot.
fn become_program(command: &[OsString]) -> String {
    let Some((program, arguments)) = command.split_first() else {
        return "the program is missing".to_owned();
    };
    let error = Command::new(program).args(arguments).exec();
    cannot_start(program, &error)
}

/// Closes what the arena was started with beside its standard streams: an engine has no business with it.
fn close_inherited_files() -> Result<(), String> {
    let path = "/proc/self/fd";
    let folder = fs::read_dir(path).map_err(|error| format!("`{path}`: {error}"))?;
    let names: Vec<_> = folder.flatten().map(|entry| entry.file_name()).collect();
    let numbers = names.iter().filter_map(|name| name.to_str()?.parse::<RawFd>().ok());
    for number in numbers.filter(|number| 2 < *number) {
        // Nothing here has opened a file yet; the folder's own is closed already.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

/// Has the kernel send this signal to this process, and to the program that it becomes, when the thread that started it
/// ends.
pub fn end_with(parent: Pid, signal: Signal) -> Result<(), String> {
    set_parent_process_death_signal(Some(signal))
        .map_err(|error| format!("cannot make it end with the arena: {error}"))?;
    if getppid() == Some(parent) { Ok(()) } else { Err("the arena has ended".to_owned()) }
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

/// The first process of an engine's process namespace: when it ends, the kernel kills all others in it. It ends when the
/// other end of its input is closed, which is when the launcher ends.
fn keep() -> ExitCode {
    let mut nothing = [0; 16];
    while matches!(io::stdin().read(&mut nothing), Ok(1..)) {}
    ExitCode::SUCCESS
}

fn cannot_start(program: &OsString, error: &io::Error) -> String {
    format!("cannot start `{}`: {error}", program.display())
}
