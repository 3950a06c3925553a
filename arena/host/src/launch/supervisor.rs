//! The supervisor's process, one for each engine and each `build` command. It starts the program and stays its parent,
//! so that all processes of the program end with it, whatever group or session they moved to. It does not talk to the
//! engine.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal as Caught};
use nix::sys::wait::{Id, WaitPidFlag};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, set_child_subreaper, waitid,
    waitpid,
};

use model::escape::escaped_line;

use super::children::{Stat, descendants, end_children, kill, kill_descendants, own_children};
use super::ending::{SHORTAGE, end_by, end_like, end_with};
use super::supervisors::is_short;
use super::{BUILD, Confinement, ENGINE, LAUNCH, LEFT, PREFIX, STUCK, files, is_shortage};

/// How long the processes of an engine may take to end after it. Less than the arena waits for the exit status of an
/// engine that has closed its output.
const SETTLING: Duration = Duration::from_millis(50);
/// How long the processes have to end after they were killed. Less than the arena waits for the supervisor.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How long a build has to end.
const BUILD_GRACE: Duration = Duration::from_secs(1);
/// The interval between two looks at processes that are about to end.
const PAUSE: Duration = Duration::from_millis(2);
/// The maximum number of processes left running that are named.
const NAMED: usize = 8;
/// The maximum length of a command line in messages.
const SHOWN_CHARS: usize = 60;

/// Starts the launcher with these arguments for `parent`. Exits when no process is left, with the exit status of the
/// launcher, which is that of the engine or the build.
pub fn supervise(parent: Pid, what: &OsStr, arguments: &[OsString]) -> Result<ExitCode, String> {
    let cannot = |error: &dyn std::fmt::Display| format!("cannot supervise the process: {error}");
    // From here on only SIGKILL can end it early.
    SigSet::all().thread_block().map_err(|error| cannot(&error))?;
    set_child_subreaper(Some(getpid())).map_err(|error| cannot(&error))?;
    end_with(parent, Signal::TERM)?;
    let is_build = what == BUILD;
    let null = files::null()?;
    let confinement = confinement(what, arguments);
    let home = confinement.as_ref().and_then(|confinement| confinement.home.as_ref());
    if let (Some(home), Some(confinement)) = (home, &confinement) {
        home.make(getpid(), confinement)?;
    }
    let mut command = Command::new("/proc/self/exe");
    command.arg0("arena").arg(LAUNCH).arg(what).arg(std::process::id().to_string()).args(arguments);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if is_shortage(&error) => {
            let _ = writeln!(io::stderr(), "{PREFIX}{}", cannot(&error));
            end_by(SHORTAGE);
            return Ok(ExitCode::FAILURE);
        }
        Err(error) => return Err(cannot(&error)),
    };
    // The arena sees the end of an engine's pipes only if no other process holds them open.
    rustix::stdio::dup2_stdin(&null)
        .and_then(|()| rustix::stdio::dup2_stdout(&null))
        .and_then(|()| kill_process(Pid::from_child(&child), Signal::USR1))
        .map_err(|error| cannot(&error))?;

    let left = match wait(&child) {
        WaitEnd::Exited if is_build => Vec::new(),
        WaitEnd::Exited => left_running(&child),
        WaitEnd::Requested => {
            if is_build {
                ask_to_end(&child);
            }
            Vec::new()
        }
    };
    if let Some(home) = home {
        home.kill(getpid());
    }
    let status = end(&mut child).map_err(|error| cannot(&error))?;
    if let Some(home) = home {
        home.remove(getpid());
    }
    // How a launcher ends that stays in front of the engine is not in the hands of the engine.
    let is_sandboxed = confinement.is_some_and(|confinement| confinement.sandbox.is_some());
    if is_sandboxed && status.is_some_and(is_short) {
        end_by(SHORTAGE);
    }
    report(LEFT, &left);
    if !own_children().is_empty() {
        report(STUCK, &in_words_all(&child));
    }
    Ok(status.map_or(ExitCode::FAILURE, end_like))
}

/// The confinement of an engine.
fn confinement(what: &OsStr, arguments: &[OsString]) -> Option<Confinement> {
    let argument = arguments.first().filter(|_| what == ENGINE)?;
    serde_json::from_str(argument.to_str()?).ok()
}

/// Ends the child and all descendants. Returns after [`PATIENCE`] even if some of them do not end, without a status if
/// the child does not.
fn end(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    kill(Pid::from_child(child));
    let mut status = child.try_wait()?;
    while status.is_none() && begun.elapsed() < PATIENCE {
        sleep(PAUSE);
        status = child.try_wait()?;
        if status.is_none() && SETTLING < begun.elapsed() {
            kill_descendants();
        }
    }
    if status.is_some() {
        end_children(begun + PATIENCE);
    }
    Ok(status)
}

/// Why the supervisor no longer waits.
enum WaitEnd {
    /// The child has exited.
    Exited,
    /// The arena wants the end of the engine, or has exited.
    Requested,
}

/// Waits until the child exits, or the arena requests the end or has exited.
fn wait(child: &Child) -> WaitEnd {
    let mut signals = SigSet::empty();
    signals.add(Caught::SIGCHLD);
    signals.add(Caught::SIGTERM);
    loop {
        if has_ended_among_others(child) {
            return WaitEnd::Exited;
        }
        if signals.wait() == Ok(Caught::SIGTERM) {
            return WaitEnd::Requested;
        }
    }
}

/// Whether the child has exited. It stays a zombie, so that its process id and group id are not reused.
fn has_ended(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

/// The same. Processes whose parents have exited go, as with the init process: a bounded number of them, because an
/// engine can start others as fast as these go. The end of each wakes this process again.
fn has_ended_among_others(child: &Child) -> bool {
    const MOST: usize = 1000;
    let options = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    for _ in 0..MOST {
        match nix::sys::wait::waitid(Id::All, options)
            .map(|status| status.pid().map(nix::unistd::Pid::as_raw))
        {
            Ok(None) => return false,
            Ok(Some(id)) if id.cast_unsigned() != child.id() => {
                let _ = waitpid(Pid::from_raw(id), WaitOptions::NOHANG);
            }
            Ok(Some(_)) | Err(_) => return true,
        }
    }
    false
}

/// The processes that still run shortly after the child's exit, in words.
fn left_running(child: &Child) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let left = descendants(getpid());
        if left.is_empty() || SETTLING <= begun.elapsed() {
            return in_words_all(child);
        }
        sleep(PAUSE);
    }
}

/// The processes of the child, in words.
fn in_words_all(child: &Child) -> Vec<String> {
    descendants(getpid()).iter().map(|stat| in_words(stat, Pid::from_child(child))).collect()
}

fn in_words(stat: &Stat, group: Pid) -> String {
    let id = stat.id.as_raw_pid();
    let place = if stat.group == Some(group) { "in its process group" } else { "outside its process group" };
    let line = command_line(&fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default());
    format!("process {id} `{line}` {place}")
}

/// The program's file name with its arguments, shortened for messages.
fn command_line(words: &[u8]) -> String {
    let mut words = words.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let program = words.next().unwrap_or_default();
    let name = program.rsplit('/').next().unwrap_or_default();
    let line = words.fold(name.to_owned(), |line, word| format!("{line} {word}"));
    let line = escaped_line(line.trim_end());
    match line.char_indices().nth(SHOWN_CHARS) {
        Some((cut, _)) => format!("{}...", &line[..cut]),
        None => line.into_owned(),
    }
}

/// Terminates a build and gives it time to remove incomplete files.
fn ask_to_end(child: &Child) {
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
    let begun = Instant::now();
    while !has_ended(child) && begun.elapsed() < BUILD_GRACE {
        sleep(PAUSE);
    }
}

/// Writes the names of processes to the engine's standard error, each after `prefix`.
fn report(prefix: &str, processes: &[String]) {
    let mut text = String::new();
    for what in processes.iter().take(NAMED) {
        text.push_str(&format!("{prefix}{what}\n"));
    }
    if NAMED < processes.len() {
        text.push_str(&format!("{prefix}{} more processes\n", processes.len() - NAMED));
    }
    // The pipe may no longer have a reader.
    let _ = io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_short_and_of_one_line() {
        for (words, expected) in [
            ("/usr/bin/sleep\x00600\0", "sleep 600"),
            ("sh\0-c\0a\nb\x1b[2J\0", "sh -c a\\nb\\u{1b}[2J"),
            ("", ""),
        ] {
            assert_eq!(command_line(words.as_bytes()), expected);
        }
        let long = command_line("x".repeat(1000).as_bytes());
        assert_eq!(long, format!("{}...", "x".repeat(SHOWN_CHARS)));
    }
}
