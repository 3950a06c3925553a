//! The launcher's process: it applies limits and sandbox to itself and becomes the engine, or watches it if the engine
//! has its own process namespace. Its instructions come only from the arena.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::os::fd::RawFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use nix::sys::signal::{SigSet, Signal as Caught};
use rustix::process::{Pid, Signal, getpid, setsid};

use model::Tier;

use super::ending::{SHORTAGE, end_by, end_like, end_with};
use super::supervisor::supervise;
use super::{
    BUILD, Confinement, ENGINE, KEEP, PREFIX, REHEARSE, Refusal, SUPERVISE, TRY, TRY_MEMORY, USE_MEMORY,
    environment, files, limits, namespaces, system_calls, trial,
};

/// The exit code of a launcher that fails.
const CANNOT: u8 = 125;

/// Executes the arguments after `__launch`. Returns only if the engine could not be started or has exited.
pub fn launch(arguments: &[OsString]) -> ExitCode {
    match arguments {
        [what, most] if what == KEEP => {
            let most = most.to_str().and_then(|most| most.parse().ok()).unwrap_or(u32::MAX);
            namespaces::keep(most).map_or_else(|_| ExitCode::from(CANNOT), |()| ExitCode::SUCCESS)
        }
        [what, outside, other] if what == TRY => trial::attempt(outside, other),
        [what, program] if what == TRY_MEMORY => trial::attempt_memory(program),
        [what] if what == USE_MEMORY => trial::use_memory(),
        [what, parent, rest @ ..] => obey(what, parent, rest).unwrap_or_else(|refusal| {
            let _ = writeln!(io::stderr(), "{PREFIX}{refusal}");
            if refusal.is_shortage {
                end_by(SHORTAGE);
            }
            ExitCode::from(CANNOT)
        }),
        _ => ExitCode::from(CANNOT),
    }
}

fn obey(what: &OsStr, parent: &OsStr, rest: &[OsString]) -> Result<ExitCode, Refusal> {
    let wrong = || "only the arena can start it".to_owned();
    let parent = parent
        .to_str()
        .and_then(|text| text.parse().ok())
        .filter(|id| 0 < *id)
        .and_then(Pid::from_raw)
        .ok_or_else(wrong)?;
    if what == SUPERVISE {
        let [open_files, what, arguments @ ..] = rest else { return Err(wrong().into()) };
        limits::set_open_files(open_files.to_str().and_then(|text| text.parse().ok()));
        return Ok(supervise(parent, what, arguments)?);
    }
    if what != REHEARSE {
        await_supervisor(parent)?;
    }
    if what == BUILD {
        end_with(parent, Signal::KILL)?;
        let (program, arguments) = rest.split_first().ok_or_else(wrong)?;
        return Err(become_program(Command::new(program).args(arguments)).into());
    }
    if what == ENGINE {
        // A signal that the engine sends to its own group does not reach the supervisor. Many systems divide the
        // processors between sessions (`sched_autogroup`), so that many processes of an engine do not delay the arena.
        setsid().map_err(|error| format!("cannot start a session: {error}"))?;
    }
    let (confinement, command) = rest.split_first().ok_or_else(wrong)?;
    let confinement: Confinement =
        confinement.to_str().and_then(|text| serde_json::from_str(text).ok()).ok_or_else(wrong)?;
    if let Some(home) = &confinement.home {
        let id = if what == REHEARSE { getpid() } else { parent };
        if what == REHEARSE {
            home.make(id, &confinement)?;
        }
        home.enter(id)?;
    }
    if what == ENGINE || what == REHEARSE {
        become_engine(parent, &confinement, command)
    } else {
        Err(wrong().into())
    }
}

/// `command` is empty for a test run.
fn become_engine(parent: Pid, confinement: &Confinement, command: &[OsString]) -> Result<ExitCode, Refusal> {
    close_inherited_files()?;
    limits::set_scheduling(confinement)?;
    let namespaces = namespaces::enter(confinement)?;
    // After changes of identity, because these reset it.
    end_with(parent, Signal::KILL)?;
    limits::set_limits(confinement, namespaces.n_own_processes())?;
    let engine = command.split_first().map(|(program, arguments)| {
        let mut engine = Command::new(program);
        environment::give(engine.args(arguments));
        engine
    });
    let Some(sandbox) = &confinement.sandbox else {
        if confinement.processes.is_some() {
            system_calls::keep_session()?;
        }
        return engine.map_or(Ok(ExitCode::SUCCESS), |mut engine| Err(become_program(&mut engine).into()));
    };
    let null = files::null()?;
    match sandbox.tier {
        Tier::Strict => files::restrict(sandbox, command.first(), namespaces.has_own_proc())?,
        // Everything but its own folder is read-only.
        Tier::Basic if namespaces.has_own_proc() => {}
        Tier::Basic => {
            return Err(
                "`sandbox = \"basic\"`: the system does not allow an own `/proc`; in a container, use \
                        `--security-opt systempaths=unconfined`"
                    .to_owned()
                    .into(),
            );
        }
    }
    system_calls::restrict(sandbox.network)?;
    let Some(mut engine) = engine else {
        namespaces.end();
        return Ok(ExitCode::SUCCESS);
    };
    let mut engine = engine.spawn().map_err(|error| Refusal {
        reason: cannot_start(engine.get_program(), &error),
        // Not memory, which is that of the engine here.
        is_shortage: error.kind() == io::ErrorKind::WouldBlock,
    })?;
    // The arena sees the end of the engine's output only if no other process holds the pipe.
    rustix::stdio::dup2_stdin(&null)
        .and_then(|()| rustix::stdio::dup2_stdout(&null))
        .and_then(|()| rustix::stdio::dup2_stderr(&null))
        .map_err(|error| format!("cannot close its pipes: {error}"))?;
    let status = engine.wait().map_err(|error| format!("cannot wait for the engine: {error}"))?;
    namespaces.end();
    Ok(end_like(status))
}

/// Waits until the supervisor has closed the engine's pipes. All signals are still blocked, because a supervisor
/// blocks them.
fn await_supervisor(supervisor: Pid) -> Result<(), String> {
    end_with(supervisor, Signal::KILL)?;
    let mut go = SigSet::empty();
    go.add(Caught::SIGUSR1);
    go.wait()
        .and_then(|_| SigSet::all().thread_unblock())
        .map_err(|error| format!("cannot unblock its signals: {error}"))
}

/// Executes the program in place of this one; returns why this failed.
fn become_program(command: &mut Command) -> String {
    let error = command.exec();
    cannot_start(command.get_program(), &error)
}

/// Closes all inherited files except the standard streams, because an engine must not use them.
fn close_inherited_files() -> Result<(), String> {
    let path = "/proc/self/fd";
    let folder = fs::read_dir(path).map_err(|error| format!("`{path}`: {error}"))?;
    let names: Vec<_> = folder.flatten().map(|entry| entry.file_name()).collect();
    let numbers = names.iter().filter_map(|name| name.to_str()?.parse::<RawFd>().ok());
    for number in numbers.filter(|number| 2 < *number) {
        // No file has been opened here yet; the folder is closed already.
        let _ = nix::unistd::close(number);
    }
    Ok(())
}

fn cannot_start(program: &OsStr, error: &io::Error) -> String {
    format!("cannot start `{}`: {error}", program.display())
}
