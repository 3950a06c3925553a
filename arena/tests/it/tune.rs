//! Tuning as a user does it: the program itself, with real engine processes, in a folder of its own. The engine's strength is a
//! known function of its options: see `tuned.rs` of the fake engine.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

#[cfg(target_os = "linux")]
use crate::common::nats::{Server, worker};
use crate::common::tournament::{Ended, Tournament, printed, said};

const GAME: &str = "[limits]\nnodes = 10\nmax-plies = 200\n[[game]]\nid = \"push-push\"\n";
const OPTIONS: &str = "\
[[tune.option]]\nname = \"Margin\"\nmin = 0\nmax = 100\n\
[[tune.option]]\nname = \"Window\"\nmin = 0\nmax = 100\n\
[[tune.option]]\nname = \"depth bonus\"\nmin = 0\nmax = 100\nstart = 40\n";
/// The values with which the engine is strongest, by option, and a step.
const BEST: [(&str, f64); 3] = [("Margin", 70.0), ("Window", 30.0), ("Depth Bonus", 60.0)];
const STEP: f64 = 5.0;

fn tuning(tournament: &str, options: &str) -> Tournament {
    Tournament::new(&format!("[tournament]\n{tournament}\n{GAME}{options}"), &[("mine", "tuned")])
}

fn command(tuning: &Tournament, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(tuning.folder.path()).args(["tune", "cup.toml"]).args(args).stdin(Stdio::null());
    command
}

fn tune(tuning: &Tournament, args: &[&str]) -> Output {
    command(tuning, args).output().unwrap()
}

fn table(tuning: &Tournament, folder: &str) -> String {
    fs::read_to_string(tuning.path(folder).join("tune.csv")).unwrap()
}

/// The values found, from the lines for an engine.
fn found(text: &str) -> Vec<(String, f64)> {
    let line = |line: &str| {
        let (name, value) = line.strip_prefix("setoption name ")?.split_once(" value ")?;
        Some((name.to_owned(), value.parse().unwrap()))
    };
    text.lines().filter_map(line).collect()
}

#[test]
fn the_best_values_are_found_and_proven() {
    let tuning = tuning("pairs = 1000\nname = \"cup\"", OPTIONS);
    let output = tune(&tuning, &["--exit-code", "--quiet"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", said(&output));
    assert!(text.ends_with("Proven: the values found are better than those at the start\n"), "{text}");
    for ((name, value), (expected, best)) in found(&text).into_iter().zip(BEST) {
        assert_eq!(name, expected, "as the engine spells it");
        assert!((value - best).abs() <= STEP, "{name} {value}: {text}");
    }
    assert!(text.contains("\nMargin, int, ") && text.contains("options = { Margin = "), "{text}");
    let page = fs::read_to_string(tuning.path("results/cup/tune.html")).unwrap();
    assert!(page.contains("<h2>Proof</h2>") && page.contains("Depth Bonus") && page.contains("polyline"));
    assert_eq!(table(&tuning, "results/cup").lines().count(), 1002, "a heading, the start, the points");

    // The test plays the values found against those at the start, on other openings.
    let openings =
        |folder: &str| -> Vec<String> { tuning.rows(folder).into_iter().map(|row| row[3].clone()).collect() };
    let proof = tuning.rows("results/cup/proof");
    assert!(proof.iter().all(|row| row[4..6] == ["mine-tuned", "mine-start"] || row[4..6] == ["mine-start", "mine-tuned"]));
    let seen = openings("results/cup");
    assert!(openings("results/cup/proof").iter().all(|opening| !seen.contains(opening)));
    let stored = fs::read_to_string(tuning.path("results/cup/proof/tournament.toml")).unwrap();
    assert!(stored.contains("\"Depth Bonus\" = \"40\""), "{stored}");

    // Once more: nothing is played again, and it says the same.
    assert_eq!(printed(&tune(&tuning, &["--exit-code", "--quiet"])), text);
    // The results are those of any tournament.
    tuning.verifies("results/cup");
}

#[test]
fn a_killed_tuning_continues_exactly() {
    let tuning = tuning("pairs = 60", OPTIONS);
    let args = ["--no-proof", "--quiet", "--concurrency", "3"];
    let whole = tune(&tuning, &[&args[..], &["--results", "whole"]].concat()).succeeds();
    for n_kills in 0..6 {
        let mut child = command(&tuning, &[&args[..], &["--results", "killed"]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(100 + 50 * n_kills));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // With another number of matches at once, too.
    let args = ["--no-proof", "--quiet", "--concurrency", "1", "--results", "killed"];
    let killed = tune(&tuning, &args).succeeds();
    assert_eq!(table(&tuning, "killed"), table(&tuning, "whole"));
    assert_eq!(found(&printed(&killed)), found(&printed(&whole)));
    let other = tune(&tuning, &["--pairs", "70", "--results", "killed"]);
    assert!(
        said(&other).contains("holds matches of another configuration:\n  - pairs = 60"),
        "{}",
        said(&other)
    );
}

#[cfg(target_os = "linux")]
#[test]
fn workers_play_a_tuning_as_one_machine_does() {
    let Some(server) = Server::start() else { return };
    let tuning = tuning("pairs = 60", OPTIONS);
    tune(&tuning, &["--no-proof", "--quiet", "--results", "here"]).succeeds();
    let workers =
        ["one", "two"].map(|name| worker(tuning.folder.path(), &server.url(), name, &["--cores", "2"]));
    tune(&tuning, &["--no-proof", "--quiet", "--results", "there", "--nats", &server.url()]).succeeds();
    assert_eq!(table(&tuning, "there"), table(&tuning, "here"));
    drop(workers);
}

#[test]
fn options_that_cannot_be_tuned_are_refused_before_the_first_match() {
    let check = |options: &str, expected: &[&str]| {
        let tuning = tuning("pairs = 60", options);
        let output = tune(&tuning, &[]);
        assert!(!output.status.success());
        for expected in expected {
            assert!(said(&output).contains(expected), "{expected}:\n{}", said(&output));
        }
        assert!(!tuning.path("results/cup/matches.csv").exists());
    };
    let option = |keys: &str| format!("[[tune.option]]\n{keys}\n");
    check(
        &option("name = \"Margn\"\nmin = 0\nmax = 9"),
        &["cup.toml:9:8", "`mine` has no option `Margn`", "did you mean `Margin`?"],
    );
    check(
        &option("name = \"Margin\"\nmin = -5\nmax = 200"),
        &["cup.toml:9:8", "the option `Margin` allows 0 to 100, but -5 to 200 is to be tried"],
    );
    check(
        &option("name = \"Margin\"\nmin = 0\nmax = 20"),
        &["starts from 50, but 0 to 20 is to be tried", "set `start`"],
    );
    check(&option("name = \"Net\"\nmin = 0\nmax = 20"), &["the option `Net` is not a number"]);
    check(&option("name = \"Game\"\nmin = 0\nmax = 20"), &["the option `Game` is not a number"]);
    check(
        &option("name = \"Margin\"\nmin = 9\nmax = 0"),
        &["cup.toml:11:7", "`max` must be greater than `min`"],
    );
    check(&option("name = \"Margin\"\nmin = 0\nmax = 0.5"), &["0.5 is not a whole number"]);
    check("[tune]\n", &["`[tune]` has no options"]);
    let tuning = tuning("pairs = 60", OPTIONS);
    let run = tuning.run(&[]);
    assert!(said(&run).contains("run it with `arena tune`"), "{}", said(&run));
    let few = tune(&tuning, &["--pairs", "5"]);
    assert!(said(&few).contains("tuning needs at least 10 `pairs`"), "{}", said(&few));
}

#[test]
fn an_engine_that_fails_often_stops_its_tuning() {
    let head = format!("[tournament]\npairs = 100\nmax-faults = 5\n{GAME}{OPTIONS}");
    let tuning = Tournament::new(&head, &[("mine", "tuned-exit")]);
    tune(&tuning, &["--quiet"]).fails(4).says("engine `mine` has lost ").says("by its own faults");
}

/// With 1000 pairs, each option is within a step of its best value in 9 of 10 seeds.
#[test]
#[ignore = "minutes"]
fn what_seeds_find() {
    let is_found = |seed: u32| {
        let tuning = tuning(&format!("pairs = 1000\nseed = {seed}"), OPTIONS);
        let text = printed(&tune(&tuning, &["--no-proof", "--quiet"]));
        let off = found(&text).into_iter().zip(BEST).map(|((_, value), (_, best))| (value - best).abs());
        let off: Vec<f64> = off.collect();
        println!("seed {seed}: off by {off:?}, a step is {STEP}");
        off.iter().all(|off| *off <= STEP)
    };
    let n_found = (1..=10).filter(|seed| is_found(*seed)).count();
    assert!(n_found >= 9, "{n_found} of 10");
}
