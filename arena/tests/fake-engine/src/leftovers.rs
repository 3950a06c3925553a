//! What an engine may leave behind: processes in its group and outside of it, deaf to polite signals, with its pipes,
//! and one that starts itself again and again. Each is this program with a mode `left-<kind>`.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::process::{ChildStdout, Command, Stdio, exit};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use nix::sys::signal::SigSet;
use rustix::process::{Signal, getppid, kill_process, setsid};

/// Until when, in seconds, a process starts itself again: should a test fail, it does not go on for ever.
const UNTIL: &str = "LEFT_UNTIL";

/// Starts one process of each kind. When all are where they are going to be, it does what the fault says: `leave` goes
/// on, `leave-hang` hangs, `leave-exit` ends; the others strike the supervisor, by which an engine is started.
pub fn leave(fault: &str) {
    for kind in ["group", "session", "orphan", "forking"] {
        let mut command = this(kind);
        // It holds the pipe of our output, by which the arena would see our end.
        command.stdin(Stdio::from(io::stdout())).stdout(Stdio::piped());
        let stdout = start(command).expect("it was asked for");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).expect("it speaks");
        assert_eq!(line, "up\n", "{kind}");
    }
    match fault {
        "leave" => {}
        "leave-hang" => super::hang(),
        "leave-exit" => exit(0),
        "leave-killing" => {
            strike_parent(Signal::KILL);
            // It must not answer in the moment that passes before the kernel ends it as well.
            super::hang()
        }
        "leave-stopping" => strike_parent(Signal::STOP),
        other => panic!("unknown fault `{other}`"),
    }
}

fn strike_parent(signal: Signal) {
    kill_process(getppid().expect("it has one"), signal).expect("it is ours");
}

/// Is a process of that kind.
pub fn be(kind: &str) {
    SigSet::all().thread_block().expect("signals can be blocked");
    match kind {
        "group" => up(),
        "session" => {
            leave_session();
            up();
        }
        "spinner" => burn(),
        "session-spinner" => {
            leave_session();
            burn();
        }
        "orphan-spinner" => {
            start(this("session-spinner"));
            return;
        }
        "orphan" => {
            // Its parent is gone at once.
            start(this("session"));
            return;
        }
        // What a build is that does not end.
        "build" => drop(start(this("session"))),
        "forking" => {
            leave_session();
            up();
            fork_again();
        }
        "forked" => {
            leave_session();
            fork_again();
        }
        other => panic!("unknown kind `{other}`"),
    }
    super::hang();
}

/// Takes a processor, for a minute at most.
fn burn() {
    let begun = std::time::Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        std::hint::spin_loop();
    }
    exit(0);
}

fn fork_again() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let until = std::env::var(UNTIL).ok().and_then(|until| until.parse().ok()).map(Duration::from_secs);
    let until = until.unwrap_or(now + Duration::from_secs(60));
    if now < until {
        let mut command = this("forked");
        command.env(UNTIL, until.as_secs().to_string()).stdin(Stdio::null()).stdout(Stdio::null());
        start(command);
    }
    exit(0);
}

fn start(mut command: Command) -> Option<ChildStdout> {
    let mut child = command.spawn().expect("this program runs");
    let stdout = child.stdout.take();
    thread::spawn(move || child.wait());
    stdout
}

fn this(kind: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.arg(format!("left-{kind}")).stderr(Stdio::null());
    command
}

fn up() {
    super::say("up");
    let null = File::create("/dev/null").expect("the null device");
    rustix::stdio::dup2_stdout(&null).expect("standard output can be replaced");
}

/// Starts a session of its own, in which no signal to the engine's group reaches this process. A sandbox does not allow it.
fn leave_session() {
    let _ = setsid();
}
