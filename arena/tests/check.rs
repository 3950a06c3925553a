//! `arena check` as an author runs it: engines that keep the protocol pass, and each fault is found by the check that
//! looks for it. The examples in Python are engines like any other.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::fake_engine;
use serde_json::Value;

fn check(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena"))
        .arg("check")
        .args(args)
        .stdin(Stdio::null())
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap()
}

/// The report of these checks of a fake engine that plays one game, as JSON, with the exit code.
fn report(mode: &str, checks: &[&str]) -> (Value, i32) {
    let engine = fake_engine();
    let mut args = vec!["--json", "--game", "push-push", "--timeout", "2s"];
    checks.iter().filter(|id| **id != "greeting").for_each(|id| args.extend(["--only", id]));
    args.extend([engine.to_str().unwrap(), mode]);
    let output = check(&args);
    let code = output.status.code().unwrap();
    let json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{mode}: {error}: {}", String::from_utf8_lossy(&output.stderr)));
    (json, code)
}

fn failed(report: &Value) -> BTreeSet<&str> {
    let checks = report["checks"].as_array().unwrap().iter();
    checks.filter(|one| one["verdict"] == "fail").map(|one| one["check"].as_str().unwrap()).collect()
}

/// In each mode the fake engine fails all of these checks, the first of them with these words.
fn fail(cases: &[(&str, &[&str], &str)]) {
    // Most of the time is spent waiting for what does not come.
    std::thread::scope(|scope| {
        for (mode, checks, words) in cases {
            scope.spawn(|| fails(mode, checks, words));
        }
    });
}

fn fails(mode: &str, checks: &[&str], words: &str) {
    let (report, code) = report(mode, checks);
    assert_eq!(code, 6, "{mode}");
    assert_eq!(failed(&report), checks.iter().copied().collect(), "{mode}");
    assert_eq!(report["failed"], checks.len(), "{mode}");
    let one = report["checks"].as_array().unwrap().iter().find(|one| one["check"] == checks[0]).unwrap();
    assert!(one["note"].as_str().unwrap().contains(words), "{mode}: {one:#}");
    assert!(!one["sent"].as_array().unwrap().is_empty(), "{mode}: {one:#}");
    assert!(!one["protocol"].as_str().unwrap().is_empty(), "{mode}: {one:#}");
}

#[test]
fn an_engine_that_keeps_the_protocol() {
    let engine = fake_engine();
    let output = check(&[engine.to_str().unwrap(), "good"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("pass    four-towers: 30 positions"), "{text}");
    assert!(text.contains(" 0 failed, "), "{text}");
    assert!(!text.contains('\u{1b}'), "no colour where there is no terminal");
}

#[test]
fn silence_is_found() {
    fail(&[
        ("start-hang", &["greeting"], "did not say `ugiok`"),
        ("ready-hang", &["isready", "self-play"], "no `readyok` within"),
        ("move-hang", &["self-play", "legal-moves", "info"], "no `bestmove` within 2s"),
        ("move-drip", &["self-play"], "no `bestmove` within 2s"),
        ("infinite-hang", &["isready-thinking", "infinite", "quit-thinking"], "no `readyok` within 2s"),
        ("quit-hang", &["quit", "quit-thinking"], "its process still ran after 2s"),
    ]);
}

#[test]
fn crashes_are_found() {
    let last_words = "ended with exit status: 3; the end of its standard error:\nlast words";
    fail(&[
        ("start-exit", &["greeting"], last_words),
        ("move-exit", &["self-play", "legal-moves"], last_words),
        ("move-abort", &["self-play"], "(SIGABRT)"),
    ]);
}

#[test]
fn illegal_moves_are_found() {
    fail(&[
        ("move-illegal", &["self-play", "legal-moves"], "`a1a1a1` is no legal move in `"),
        ("move-uppercase", &["self-play"], "is no legal move in `"),
    ]);
}

#[test]
fn broken_lines_are_found() {
    fail(&[
        ("move-binary", &["self-play"], "not UTF-8"),
        ("move-empty", &["self-play"], "`bestmove` names no move"),
        ("move-longline", &["self-play"], "a line of more than 1048576 bytes"),
        ("infinite-answered", &["infinite", "no-limits", "isready-thinking"], "came when no move was due"),
        // No output, however much, keeps the report from its end.
        ("infinite-flood", &["infinite"], ""),
    ]);
}

#[test]
fn colour_is_there_when_asked_for() {
    let engine = fake_engine();
    let output = check(&["--color", "always", engine.to_str().unwrap(), "start-exit"]);
    assert_eq!(output.status.code(), Some(6));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\u{1b}[31m") && text.contains("FAIL"), "{text:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_report_and_the_engine() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["check", "--timeout", "60s", "--only", "self-play"])
        .arg(fake_engine())
        .arg("ready-hang")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "Fake");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn what_cannot_be_checked_says_why() {
    let engine = fake_engine();
    let engine = engine.to_str().unwrap();
    for (args, code, words) in [
        (vec!["./no/such/engine"], 4, "cannot start `./no/such/engine`: there is no such program"),
        (vec!["--game", "chess", engine], 2, "invalid value 'chess'"),
        (vec!["--timeout", "soon", engine], 2, "invalid value 'soon'"),
        (vec!["--only", "stopp", engine], 2, "a similar value exists: 'stop'"),
        (vec![], 2, "required"),
    ] {
        let output = check(&args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(words), "{args:?}: {said}");
    }
}

#[test]
fn the_examples_in_python_pass() {
    let Some(examples) = examples() else { return };
    for name in ["legal_moves.py", "push_push.py"] {
        let output = check(&["python3", examples.join(name).to_str().unwrap()]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{name}:\n{text}");
    }
}

#[test]
fn the_examples_in_python_play_a_tournament() {
    let Some(examples) = examples() else { return };
    let folder = tempfile::tempdir().unwrap();
    let engine = |name: &str| {
        let path = toml::Value::from(examples.join(name).to_str().unwrap());
        format!("[[engine]]\nname = \"{name}\"\ncommand = \"python3\"\nargs = [{path}]\n")
    };
    let config = format!(
        "[limits]\nnodes = 200\nmax-plies = 40\n[[game]]\nid = \"push-push\"\n{}{}",
        engine("legal_moves.py"),
        engine("push_push.py")
    );
    fs::write(folder.path().join("cup.toml"), config).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(folder.path())
        .args(["run", "cup.toml", "--quiet", "--pairs", "2"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let reasons: Vec<String> = csv::Reader::from_path(folder.path().join("results/cup/matches.csv"))
        .unwrap()
        .records()
        .map(|row| row.unwrap()[7].to_owned())
        .collect();
    assert_eq!(reasons.len(), 4);
    let by_rules = ["goal", "material", "repetition", "quiet", "move-cap"];
    assert!(reasons.iter().all(|reason| by_rules.contains(&reason.as_str())), "{reasons:?}");
}

/// Where the examples in Python are; `None`, with a message, where no Python can run them.
fn examples() -> Option<PathBuf> {
    let is_new_enough = "import sys; sys.exit(sys.version_info < (3, 10))";
    let python = Command::new("python3").args(["-c", is_new_enough]).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no python3 of version 3.10 or later");
        return None;
    }
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine-proto/examples/python"))
}
