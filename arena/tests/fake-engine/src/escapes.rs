//! How an engine may try not to be ended: it moves to another process group, or a process of its own traces it, or its
//! supervisor, up to the exit.

use std::io::{self, BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::thread;

use nix::sys::ptrace;
use rustix::process::{PTracer, Pid, getpgid, getpid, getppid, set_ptracer, setpgid};

/// Escapes in this way. With `+hang` or `+exit` at its end, the engine then does that; otherwise it plays on.
pub fn escape(way: &str) {
    let (way, then) = way.split_once('+').unwrap_or((way, ""));
    match way {
        "regroup" => {
            // The group of a child.
            let mut child = Command::new("sleep");
            child.arg("600").process_group(0).stdin(Stdio::null()).stdout(Stdio::null());
            let group = Pid::from_child(&child.spawn().expect("`sleep` starts"));
            setpgid(None, Some(group)).expect_err("the leader of a session cannot leave its group");
        }
        "regroup-supervisor" => {
            let group = getpgid(getppid()).expect("the parent has a group");
            setpgid(None, Some(group)).expect_err("the leader of a session cannot leave its group");
        }
        "spinners" => spin(),
        // More than one processor can run, and then more than the arena may open.
        "bomb" => burst(),
        "sleepers" => doze(),
        "traced" => trace(getpid()),
        "traced-supervisor" => trace(getppid().expect("the parent runs")),
        other => panic!("unknown escape `{other}`"),
    }
    eprintln!("escaped");
    match then {
        "" => {}
        "hang" => super::hang(),
        "exit" => exit(0),
        other => panic!("unknown end `{other}`"),
    }
}

/// Starts hundreds of processes that compute.
fn burst() {
    for _ in 0..600 {
        let mut spinner = Command::new(std::env::current_exe().expect("this program"));
        spinner.arg("left-spinner").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // The system may refuse some.
        let _ = spinner.spawn();
    }
}

/// Starts hundreds of processes that do nothing.
#[expect(clippy::zombie_processes, reason = "they stay until the arena ends them")]
fn doze() {
    for _ in 0..600 {
        let mut sleeper = Command::new("sleep");
        sleeper.arg("600").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        sleeper.spawn().expect("`sleep` starts");
    }
}

/// Starts processes that take all processors: children, some of them in sessions of their own, and orphans.
fn spin() {
    for kind in ["spinner", "session-spinner", "orphan-spinner"] {
        for _ in 0..2 {
            let mut spinner = Command::new(std::env::current_exe().expect("this program"));
            spinner
                .arg(format!("left-{kind}"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let mut spinner = spinner.spawn().expect("this program starts");
            if kind == "orphan-spinner" {
                let _ = spinner.wait();
            } else {
                thread::spawn(move || spinner.wait());
            }
        }
    }
}

/// Starts a tracer of `target`, and waits until it traces.
fn trace(target: Pid) {
    let _ = set_ptracer(PTracer::Any);
    let mut tracer = Command::new(std::env::current_exe().expect("this program"));
    tracer.arg(format!("tracer-{}", target.as_raw_pid()));
    let mut tracer = tracer.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("this program starts");
    let mut line = String::new();
    BufReader::new(tracer.stdout.take().expect("a pipe")).read_line(&mut line).expect("it answers");
    if line != "up\n" {
        eprintln!("trace: denied: {}", line.trim());
    }
    thread::spawn(move || tracer.wait());
}

/// Is the tracer: it stops its target on the exit, and never lets it go.
pub fn be_tracer(target: &str) {
    let target = nix::unistd::Pid::from_raw(target.parse().expect("a process id"));
    let options = ptrace::Options::PTRACE_O_TRACEEXIT;
    match ptrace::seize(target, options) {
        Ok(()) => super::say("up"),
        Err(error) => {
            super::say(&error.to_string());
            exit(0);
        }
    }
    let _ = io::stdin().lock().lines().count();
    super::hang();
}
