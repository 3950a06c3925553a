//! Tries to escape from a sandbox, in the place of an engine, so that it is known what a sandbox prevents on this system.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use nix::sched::{CloneFlags, unshare};
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use rustix::process::{Pid, test_kill_process};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use super::{Attempt, Confinement, LAUNCH, SECRET, TRY, TRY_MEMORY, USE_MEMORY, arguments};

/// What an engine may use in the attempt to use more: so much that this program itself has room in it.
const MEMORY: u64 = 512 << 20;
/// What each of its processes uses then.
const PART: usize = 100 << 20;
/// The number of these processes.
const PARTS: usize = 6;

/// Makes all attempts as an engine with this confinement that runs in the folder `scratch`: against the folder `outside`,
/// which has a file [`SECRET`], and the process `other`. `program` is the arena.
///
/// # Errors
/// Why an engine cannot be confined like this.
pub fn attempts(
    confinement: &Confinement,
    program: &Path,
    scratch: &Path,
    outside: &Path,
    other: u32,
) -> Result<Vec<Attempt>, String> {
    let mut command = Command::new(program);
    command.args(arguments(confinement, program)?).args([LAUNCH, TRY]).arg(outside).arg(other.to_string());
    let output = command
        .current_dir(scratch)
        .output()
        .map_err(|error| format!("cannot start the launcher: {error}"))?;
    let told = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || told.is_empty() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let confinement = Confinement { memory: Some(MEMORY), ..confinement.clone() };
    let memory = Command::new(program)
        .args(arguments(&confinement, program)?)
        .args([LAUNCH, TRY_MEMORY])
        .arg(program)
        .current_dir(scratch)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start the launcher: {error}"))?;
    let memory = Attempt {
        what: "exceed `memory` with several processes".to_owned(),
        is_allowed: !memory.stdout.is_empty(),
    };
    let attempt = |line: &str| {
        let (what, answer) = line.split_once(": ")?;
        Some(Attempt { what: what.to_owned(), is_allowed: answer == "allowed" })
    };
    Ok(told.lines().filter_map(attempt).chain([memory]).collect())
}

/// Uses more than [`MEMORY`] in several processes, and prints a line if this was allowed.
pub(super) fn attempt_memory(program: &OsString) -> ExitCode {
    let start = |_| {
        let mut command = Command::new(program);
        command.args([LAUNCH, USE_MEMORY]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn()
    };
    let Ok(mut children) = (0..PARTS).map(start).collect::<io::Result<Vec<Child>>>() else {
        return ExitCode::FAILURE;
    };
    let mut has_answered =
        |child: &mut Child| child.stdout.as_mut().is_some_and(|stdout| stdout.read_exact(&mut [0]).is_ok());
    let is_allowed = children.iter_mut().all(&mut has_answered);
    for child in &mut children {
        drop(child.stdin.take());
        let _ = child.wait();
    }
    if is_allowed && writeln!(io::stdout(), "allowed").is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Uses [`PART`] of memory, and prints a line. Ends with its input.
pub(super) fn use_memory() -> ExitCode {
    // Written, because memory that is only reserved does not count.
    let part = std::hint::black_box(vec![1_u8; PART]);
    let told =
        writeln!(io::stdout(), "{}", part.len()).and_then(|()| io::stdin().read_to_end(&mut Vec::new()));
    if told.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Makes the attempts, and prints for each whether it was allowed.
pub(super) fn attempt(outside: &OsString, other: &OsString) -> ExitCode {
    let outside = Path::new(outside);
    let other = other.to_str().and_then(|id| id.parse().ok()).filter(|id| 0 < *id).and_then(Pid::from_raw);
    let secret = outside.join(SECRET);
    let process = |file: &str| {
        let id = other.map_or(0, Pid::as_raw_pid);
        fs::read(format!("/proc/{id}/{file}")).map(drop)
    };
    // That of an earlier trial.
    let _ = fs::remove_file("socket");
    let results: [(&str, io::Result<()>); 14] = [
        ("use the network", TcpListener::bind("127.0.0.1:0").map(drop)),
        ("use local sockets", UnixListener::bind("socket").map(drop)),
        ("write to its own folder (intended)", fs::write("own.txt", "x")),
        ("write to another folder", fs::write(outside.join("new.txt"), "x")),
        ("change permissions of a file", fs::set_permissions(&secret, Permissions::from_mode(0o640))),
        ("read a file of yours", fs::read(&secret).map(drop)),
        ("watch a folder", watch(outside)),
        ("see another process", process("stat")),
        ("read the environment of another process", process("environ")),
        ("signal another process", other.map_or(Ok(()), |id| test_kill_process(id).map_err(Into::into))),
        ("choose its processors", choose_processors()),
        ("make namespaces", unshare(CloneFlags::CLONE_NEWUSER).map_err(Into::into)),
        ("open 1000 files", open_files(1000)),
        ("open a terminal", OpenOptions::new().write(true).open("/dev/ptmx").map(drop)),
    ];
    for (what, result) in results {
        let answer = if result.is_ok() { "allowed" } else { "denied" };
        if writeln!(io::stdout(), "{what}: {answer}").is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn watch(folder: &Path) -> io::Result<()> {
    Ok(Inotify::init(InitFlags::empty())?.add_watch(folder, AddWatchFlags::IN_CREATE).map(drop)?)
}

fn choose_processors() -> io::Result<()> {
    Ok(sched_setaffinity(None, &sched_getaffinity(None)?)?)
}

fn open_files(n: usize) -> io::Result<()> {
    (0..n).map(|_| File::open("/dev/null")).collect::<io::Result<Vec<_>>>().map(drop)
}
