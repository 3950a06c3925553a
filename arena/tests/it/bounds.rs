//! Configurations that ask for too much: each gets a clear error, with little memory and without an engine started.

#![cfg(unix)]

use crate::common::tournament::{Ended, said};
use std::fs;
use std::process::{Command, Output};

use crate::common::fake_engine;

/// The address space that the arena may use, in KiB; the program and its libraries are part of it.
const MEMORY_KIB: u32 = 300 << 10;

fn engines(n: usize) -> String {
    let program = toml::Value::from(fake_engine().to_str().unwrap());
    repeated(n, |idx| format!("[[engine]]\nname = \"e{idx}\"\ncommand = {program}\n"))
}

fn repeated(n: usize, table: impl Fn(usize) -> String) -> String {
    (0..n).map(table).collect::<Vec<_>>().concat()
}

fn run(config: &str, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cup.toml"), config).unwrap();
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\""));
    command.arg(env!("CARGO_BIN_EXE_arena")).args(["run", "cup.toml"]).args(more).current_dir(folder.path());
    command.output().unwrap()
}

fn check(what: &str, config: &str, expected: &str) {
    let output = run(config, &[]);
    let shown: String = said(&output).chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(3), "{what}: {shown}");
    assert!(shown.contains(expected), "{what}: {shown}");
}

#[test]
fn durations() {
    for (table, keys) in [
        ("limits", &["base", "movetime", "margin"][..]),
        ("timeouts", &["start", "ready", "think", "quit"]),
        ("cage", &["cpu-time"]),
    ] {
        for key in keys {
            for time in ["18446744073709551615s", "366days"] {
                let config = format!("[{table}]\n{key} = \"{time}\"\n{}", engines(2));
                check(key, &config, &format!("`{time}` is longer than 365 days, the maximum"));
            }
        }
    }
    let long = format!(
        "[tournament]\npairs = 1000000\n[limits]\nbase = \"365days\"\nincrement = \"365days\"\nmoves-to-go = 1\n\
         margin = \"365days\"\n[timeouts]\nstart = \"365days\"\nquit = \"365days\"\nready = \"365days\"\n{}",
        engines(2)
    );
    run(&long, &["--dry-run"]).succeeds();
}

#[test]
fn matches() {
    for pairs in ["4294967295", "100000000"] {
        let config = format!("[tournament]\npairs = {pairs}\n[[game]]\nid = \"push\"\n{}", engines(2));
        check(pairs, &config, "but at most 100000000 are possible; lower `pairs`");
    }
    let most = format!(
        "[tournament]\npairs = 50000000\n[limits]\nnodes = 1\n[[game]]\nid = \"push\"\n{}",
        engines(2)
    );
    run(&most, &["--dry-run"]).succeeds();
}

#[test]
fn tables() {
    let games = "[[game]]\nid = \"push\"\n".repeat(1000);
    check(
        "games",
        &format!("{games}{}", engines(2)),
        "has 1000 `[[game]]` tables, but at most 100 are possible",
    );
    let pairings = "[[pairing]]\nengines = [\"e0\", \"e1\"]\npairs = 1\n".repeat(20_000);
    let expected = "has 20000 `[[pairing]]` tables, but at most 10000 are possible";
    check("pairings", &format!("{pairings}{}", engines(2)), expected);
    let names = repeated(20_000, |idx| format!("[[engine]]\nname=\"{idx}\"\ncommand=\"x\"\n"));
    check("engines", &names, "has 20000 `[[engine]]` tables, but at most 1000 are possible");
    let wrong = repeated(20_000, |idx| format!("[[engine]]\nx{idx} = 1\n"));
    check("wrong tables", &wrong, "unknown key `x0`");
}

#[test]
fn sizes() {
    for (what, config) in [
        ("engines", engines(1_000_000)),
        ("newlines", "\n".repeat(50_000_000)),
        ("games", "[[game]]\nid = \"push\"\n".repeat(100_000)),
    ] {
        check(what, &config, "it has more than 1 MiB, which is the maximum");
    }
    for (what, config) in [
        ("newlines", "\n".repeat(1 << 20)),
        ("brackets", format!("a = {}", "[".repeat(1_000_000))),
        ("dots", format!("{} = 1", vec!["a"; 500_000].join("."))),
        ("values", format!("a = [{}]", "1,".repeat(500_000))),
    ] {
        check(what, &config, "error: ");
    }
}
