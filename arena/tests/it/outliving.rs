//! No engine outlives the arena: engines that leave processes behind in their group, in sessions of their own, without
//! parents, deaf to signals, with their pipes, and such as start themselves again and again, in every command that starts
//! engines and however the arena ends.

#![cfg(target_os = "linux")]
use crate::common::processes;
use crate::common::tournament::{Ended, Tournament, printed, said};

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::fake_engine;
use processes::{Marker, VARIABLE};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A tournament of one pair between an engine that has `modes[0]` and one that has `modes[1]`.
struct Cup {
    cup: Tournament,
    marker: Marker,
}

impl Cup {
    fn new(name: &str, modes: [&str; 2], keys: &str) -> Self {
        let head = "[limits]\nmovetime = \"60s\"\nmax-plies = 8\n[tournament]\nconcurrency = 1\n\
                    [[game]]\nid = \"push-push\"\n";
        let cup = Tournament::with_keys(head, &[("one", modes[0], keys), ("two", modes[1], keys)]);
        Self { cup, marker: Marker::new(name) }
    }

    /// `arena run` in the folder; the arena has the marker too, as all have that it starts.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = arena(&self.marker);
        command.current_dir(self.cup.folder.path()).args(["run", "cup.toml"]).args(args);
        command
    }

    /// Plays it to its end, after which nothing is left.
    fn run(&self, args: &[&str]) -> Output {
        let output = self.command(args).output().unwrap();
        self.marker.assert_none(&said(&output));
        output
    }

    /// Starts to play it, until the first match is under way.
    fn begin(&self) -> Child {
        let child = self.command(&["--quiet"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        self.cup.wait_for("results/cup/tournament.toml");
        child
    }

    /// The reasons of the matches' ends.
    fn reasons(&self) -> Vec<String> {
        self.cup.rows("results/cup").iter().map(|row| row[7].clone()).collect()
    }
}

/// The arena with the signals as they are by default: who runs the tests in the background may have them ignored.
fn arena(marker: &Marker) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,QUIT,TERM", env!("CARGO_BIN_EXE_arena")]);
    command.env(VARIABLE, &marker.0).stdin(Stdio::null());
    command
}

/// Ends the arena by these signals, the last one again and again, once `n` processes are there that have left their
/// session.
fn end_by(mut arena: Child, marker: &Marker, n: usize, signals: &[Signal]) {
    marker.wait_until("nothing is started", |marker| marker.count("left-session") == n);
    let begun = Instant::now();
    let mut signals = signals.iter();
    let mut signal = signals.next().unwrap();
    while arena.try_wait().unwrap().is_none() {
        kill_process(Pid::from_child(&arena), *signal).unwrap();
        signal = signals.next().unwrap_or(signal);
        assert!(begun.elapsed() < Duration::from_secs(20), "the arena does not end");
        std::thread::sleep(Duration::from_millis(100));
    }
    marker.assert_all_gone("the arena was ended");
}

const ENDS: [&[Signal]; 5] = [
    &[Signal::KILL],
    &[Signal::HUP],
    &[Signal::QUIT],
    &[Signal::TERM, Signal::TERM],
    &[Signal::INT, Signal::INT],
];

#[test]
fn of_a_tournament_nothing_is_left() {
    for modes in [["start-leave", "good"], ["quit-leave", "move-leave"], ["ready-leave", "quit-leave-exit"]] {
        let cup = Cup::new(&format!("run-{}", modes[0]), modes, "");
        cup.run(&[]).succeeds();
        assert_eq!(cup.reasons(), ["move-cap"; 2], "{modes:?}");
    }
}

#[test]
fn of_an_engine_that_goes_in_mid_match_nothing_is_left() {
    let cup = Cup::new("run-exit", ["move-leave-exit", "good"], "");
    cup.run(&[]).succeeds();
    assert_eq!(cup.reasons(), ["crash"; 2]);
    let log = fs::read_to_string(cup.cup.path("results/cup/logs/one.stderr")).unwrap();
    for words in ["left-group` in its process group", "left-session` outside its process group"] {
        assert!(log.contains(words), "{log}");
    }
}

#[test]
fn of_a_dry_run_nothing_is_left() {
    let cup = Cup::new("dry-run", ["start-leave", "quit-leave"], "");
    cup.run(&["--dry-run"]).succeeds();
}

#[test]
fn of_a_tournament_that_cannot_begin_nothing_is_left() {
    let cup = Cup::new("no-option", ["start-leave", "good"], "options = { Nonsense = \"1\" }");
    cup.run(&[]).fails(4);
}

#[test]
fn however_a_tournament_ends_nothing_is_left() {
    for signals in ENDS {
        let cup = Cup::new(&format!("end-{}", signals[0].as_raw()), ["start-leave", "move-hang"], "");
        end_by(cup.begin(), &cup.marker, 2, signals);
    }
}

#[test]
fn however_a_check_ends_nothing_is_left() {
    for signals in ENDS {
        let marker = Marker::new(&format!("check-end-{}", signals[0].as_raw()));
        let mut command = arena(&marker);
        command
            .args(["check", "--timeout", "60s", "--game", "push-push"])
            .arg(fake_engine())
            .arg("ready-leave-hang");
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        end_by(child, &marker, 2, &signals[..1]);
    }
}

#[test]
fn a_check_warns_of_what_is_left() {
    let marker = Marker::new("check");
    let mut command = arena(&marker);
    command.args(["check", "--json", "--game", "push-push", "--only", "leftovers"]).arg(fake_engine());
    let output = command.arg("start-leave").output().unwrap();
    marker.assert_none("check");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let one = checks.iter().find(|one| one["check"] == "leftovers").unwrap();
    assert_eq!(one["verdict"], "warn", "{one:#}");
    let note = one["note"].as_str().unwrap();
    for words in ["process ", "left-group` in its process group", "left-session` outside its process group"] {
        assert!(note.contains(words), "{note}");
    }

    let output =
        arena(&marker).args(["check", "--game", "push-push"]).arg(fake_engine()).arg("start-leave").output();
    marker.assert_none("a whole check");
    let text = printed(&output.unwrap());
    assert!(text.contains("warn  leaves no process running when it ends [leftovers]"), "{text}");
    assert!(text.contains(" 0 failed"), "{text}");

    let mut command = arena(&marker);
    command
        .args(["check", "--game", "push-push", "--only", "leftovers"])
        .arg(fake_engine())
        .arg("start-helper");
    let text = printed(&command.output().unwrap());
    assert!(text.contains("sleep 600` in its process group"), "{text}");
    let mut command = arena(&marker);
    command.args(["check", "--game", "push-push", "--only", "leftovers"]).arg(fake_engine()).arg("good");
    let text = printed(&command.output().unwrap());
    assert!(text.contains("pass  leaves no process running when it ends"), "{text}");
}

#[test]
fn an_engine_that_kills_its_supervisor_leaves_nothing() {
    for (mode, reason) in [("move-leave-killing", "crash"), ("quit-leave-killing", "move-cap")] {
        let cup = Cup::new(mode, [mode, "good"], "");
        cup.run(&[]).succeeds();
        assert_eq!(cup.reasons(), [reason; 2], "{mode}");
    }
}

#[test]
fn an_engine_that_stops_its_supervisor_leaves_nothing() {
    let cup = Cup::new("stop", ["quit-leave-stopping", "good"], "");
    cup.run(&[]).succeeds();
    assert_eq!(cup.reasons(), ["move-cap"; 2]);

    // Nor where the arena is killed: the kernel lets a supervisor go on that has lost its parent while it was stopped.
    let cup = Cup::new("stop-killed", ["move-leave-stopping", "move-hang"], "");
    let arena = cup.begin();
    cup.marker.wait_until("no supervisor is stopped", Marker::has_a_stopped_process);
    end_by(arena, &cup.marker, 2, &[Signal::KILL]);
}

#[test]
fn of_a_build_nothing_is_left() {
    let build =
        |kind: &str| format!("build = [{}, \"{kind}\"]", toml::Value::from(fake_engine().to_str().unwrap()));
    let cup = Cup::new("build", ["good", "good"], &build("left-orphan"));
    cup.run(&["--dry-run"]).succeeds();
    for (key, words) in [
        ("build = [\"false\"]", "`false`: exit status: 1"),
        ("build = [\"./no/such/program\"]", "there is no such program"),
        ("build = [\"./cup.toml\"]", "it is not executable"),
    ] {
        let wrong = Cup::new("wrong-build", ["good", "good"], key);
        wrong.run(&[]).fails(4).says(words);
    }

    for signal in [Signal::KILL, Signal::INT, Signal::TERM] {
        let cup = Cup::new("build-end", ["good", "good"], &build("left-build"));
        let child = cup.command(&[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        end_by(child, &cup.marker, 1, &[signal]);
    }
}

/// The user of this supervisor may have no second process, which the arena learns by the signal.
#[test]
fn a_supervisor_that_lacks_a_process_says_so() {
    const USER: u32 = 64_999;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("arena");
    crate::common::copy_program(env!("CARGO_BIN_EXE_arena"), &program);
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = Command::new("prlimit");
    command.arg("--nproc=1").arg(program).args(["__launch", "supervise", &std::process::id().to_string()]);
    command.args(["engine", "{}", "/bin/true"]).current_dir("/").stdin(Stdio::null());
    if rustix::process::geteuid().is_root() {
        command.uid(USER).gid(USER);
    }
    let Ok(output) = command.output() else {
        eprintln!("skipped: there is no program `prlimit`");
        return;
    };
    assert_eq!(output.status.signal(), Some(Signal::STKFLT.as_raw()), "{}", said(&output));
    assert!(
        said(&output).contains("cannot supervise the process: Resource temporarily"),
        "{}",
        said(&output)
    );
}

/// Neither another process group nor a tracer that stops it on its exit keeps an engine, or the arena, from ending.
fn assert_escaping_is_in_vain(way: &str) {
    for (then, reasons) in [("", ["move-cap", "time"]), ("+hang", ["time"; 2]), ("+exit", ["crash", "time"])]
    {
        let mode = format!("move-escape-{way}{then}");
        let cup = Cup::new(&mode, [&mode, "good"], "limits = { movetime = \"300ms\", margin = \"5s\" }");
        cup.run(&[]).succeeds();
        // A process that is stopped by its tracer does not answer, and has not ended on its exit.
        assert!(
            cup.reasons().iter().all(|reason| reasons.contains(&&**reason)),
            "{mode}: {:?}",
            cup.reasons()
        );
    }
    let mode = format!("move-escape-{way}+hang");
    let cup = Cup::new(&format!("killed-{mode}"), [&mode, "good"], "");
    let mut arena = cup.begin();
    let log = cup.cup.path("results/cup/logs/one.stderr");
    cup.marker.wait_until("the engine does not escape", |_| {
        fs::read_to_string(&log).is_ok_and(|text| text.contains("escaped"))
    });
    arena.kill().unwrap();
    arena.wait().unwrap();
    cup.marker.assert_all_gone(&mode);
}

#[test]
fn an_engine_that_escapes_to_another_group_is_ended() {
    assert_escaping_is_in_vain("regroup");
}

#[test]
fn an_engine_that_moves_its_supervisor_to_another_group_is_ended() {
    assert_escaping_is_in_vain("regroup-supervisor");
}

#[test]
fn an_engine_that_is_traced_is_ended() {
    assert_escaping_is_in_vain("traced");
}

#[test]
fn an_engine_that_traces_its_supervisor_is_ended() {
    assert_escaping_is_in_vain("traced-supervisor");
}

/// A process that cannot be ended is left out of the way: here a tracer that is none of the arena's holds it.
#[test]
fn a_process_that_cannot_be_ended_does_not_hold_up_the_arena() {
    let cup = Cup::new("stuck", ["move-hang", "good"], "limits = { movetime = \"1s\" }");
    let arena = cup.command(&[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let engine = |marker: &Marker| {
        let engines = marker.processes().into_iter();
        let mut engines = engines
            .filter(|(_, words)| words[0] != "arena" && words.get(1).is_some_and(|word| word == "move-hang"));
        engines.next().map(|(id, _)| id)
    };
    cup.marker.wait_until("there is no match", |marker| {
        cup.cup.path("results/cup/tournament.toml").exists() && engine(marker).is_some()
    });
    let engine = engine(&cup.marker).unwrap();
    let mut tracer = Command::new(fake_engine());
    tracer.arg(format!("tracer-{}", engine.as_raw_pid())).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut tracer = tracer.spawn().unwrap();
    let mut up = [0; 3];
    tracer.stdout.take().unwrap().read_exact(&mut up).unwrap();
    let is_traced = &up == b"up\n";
    let output = arena.wait_with_output().unwrap();
    let left = cup.marker.processes();
    tracer.kill().unwrap();
    tracer.wait().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(cup.reasons(), ["time"; 2]);
    if !is_traced {
        eprintln!("skipped: tracing is not allowed here");
        return;
    }
    assert_eq!(left.len(), 1, "{left:?}");
    let words =
        format!("warning: process {} of an engine does not end although it was killed", engine.as_raw_pid());
    output.says(&words);
    let log = fs::read_to_string(cup.cup.path("results/cup/logs/one.stderr")).unwrap();
    assert!(log.contains("still there after the arena killed it: process "), "{log}");
}
