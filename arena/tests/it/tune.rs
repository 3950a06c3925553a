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
[[tune.option]]\nname = \"depth bonus\"\nmin = 0\nmax = 1\nstart = 0.4\nscale = 100\n";
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
    assert!(
        text.contains("\nDepth Bonus      0.40      0.") && text.contains("\nDepth Bonus, int, "),
        "{text}"
    );
    let page = fs::read_to_string(tuning.path("results/cup/tune.html")).unwrap();
    assert!(
        page.contains("<h3>Proven: the values found are better")
            && page.contains("Depth Bonus")
            && page.contains("polyline")
    );
    assert_eq!(table(&tuning, "results/cup").lines().count(), 1002, "a heading, the start, the points");

    let json = fs::read_to_string(tuning.path("results/cup/tune.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let number = |key: &str| json["options"][2][key].as_f64().unwrap();
    assert_eq!((&json["options"][2]["name"], number("start")), (&"Depth Bonus".into(), 0.4));
    assert_eq!(json["options"][2]["value"], format!("{:.0}", 100.0 * number("mean")));
    assert!(0.0 < number("chance") && number("chance") < 0.2, "{json}");
    let said = (&json["proofs"], &json["has_moved"], &json["finished"]);
    assert_eq!(said, (&serde_json::json!({ "proof": "h1" }), &true.into(), &1000.into()));

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

/// Each point is played under all limits, and so is the test. A test with another clock has that one.
#[test]
fn several_limits_are_tuned_together() {
    let tuning = under_two_limits("pairs = 200\nname = \"cup\"");
    // The tuning and its proofs are shown at one address, one after the other.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let serve = format!("--serve={address}");
    let args = ["--quiet", "--proof-pairs", "8", "--proof-at", "10s+100ms", &serve];
    let text = printed(&tune(&tuning, &args).succeeds());
    assert_eq!(table(&tuning, "results/cup").lines().count(), 202, "{text}");
    let n_under = |folder: &str, limits: &str| {
        let matches = fs::read_to_string(tuning.path(folder).join("matches.csv")).unwrap();
        matches.lines().filter(|line| line.ends_with(&format!(",{limits}"))).count()
    };
    assert_eq!(["short", "long"].map(|limits| n_under("results/cup", limits)), [400, 400]);
    assert_eq!(["short", "long"].map(|limits| n_under("results/cup/proof", limits)), [16, 16]);
    // Without several limits, no column names them.
    assert_eq!(tuning.rows("results/cup/proof-at").len(), 16);
    tuning.verifies("results/cup");
}

fn under_two_limits(tournament: &str) -> Tournament {
    let limits = "[[limits]]\nname = \"short\"\nnodes = 10\nmax-plies = 200\n\
                  [[limits]]\nname = \"long\"\nnodes = 20\nmax-plies = 200\n[[game]]\nid = \"push-push\"\n";
    Tournament::new(&format!("[tournament]\n{tournament}\n{limits}{OPTIONS}"), &[("mine", "tuned")])
}

#[cfg(target_os = "linux")]
#[test]
fn workers_play_a_tuning_as_one_machine_does() {
    let Some(server) = Server::start() else { return };
    let tuning = under_two_limits("pairs = 60");
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
        &["cup.toml:9:8", "option `Margin` takes a whole number from 0 to 100, but the value is `-5`"],
    );
    check(
        &option("name = \"Margin\"\nmin = 0\nmax = 20"),
        &["starts from 50, but 0 to 20 is to be tried", "set `start`"],
    );
    check(
        &option("name = \"Margin\"\nmin = 0\nmax = 2\nscale = 100"),
        &["takes a whole number from 0 to 100, but the value is `200`", "correct `min`, `max` or `scale`"],
    );
    check(
        &option("name = \"Margin\"\nmin = 0\nmax = 2\nfloat = true"),
        &["the value is `0.000000`", "options of the type `spin` take no `float`"],
    );
    check(
        &format!("[tune]\nweights = {{ push = 2 }}\n{OPTIONS}"),
        &["cup.toml:9:20", "`push` is not played"],
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
fn a_dry_run_shows_what_would_be_played() {
    let tuning = tuning("pairs = 20\nconcurrency = 2\nname = \"cup\"", OPTIONS);
    let text = tune(&tuning, &["--dry-run"]).text();
    assert!(!tuning.path("results").exists());
    insta::assert_snapshot!(text);

    tune(&tuning, &["--no-proof", "--quiet", "--log", "logs"]).succeeds();
    let first = fs::read_dir(tuning.path("logs")).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    let log = fs::read_to_string(first).unwrap();
    let text = text.replace("\n  ", " ");
    let values = text.lines().find_map(|line| line.strip_prefix("point 1 of 20: ")).unwrap();
    for (option, (name, _)) in values.split(", ").zip(BEST) {
        let [plus, minus] =
            option.strip_prefix(name).unwrap().split_once(" against ").map(<[&str; 2]>::from).unwrap();
        for value in [plus.trim(), minus] {
            assert!(log.contains(&format!("setoption name {name} value {value}\n")), "{option}: {log}");
        }
    }
    // All is played.
    let after = tune(&tuning, &["--dry-run"]).text();
    assert!(after.contains("40 of them finished before") && !after.contains("point"), "{after}");
}

#[test]
fn the_scores_of_the_games_count_by_their_weights() {
    let head = format!(
        "[tournament]\npairs = 20\n{GAME}[[game]]\nid = \"tower-push\"\n[tune]\nweights = {{ push-push = 4 }}\n{OPTIONS}"
    );
    let tuning = Tournament::new(&head, &[("mine", "tuned")]);
    tune(&tuning, &["--no-proof", "--quiet"]).succeeds();
    let mut expected = vec![0.0; 20];
    for row in tuning.rows("results/cup") {
        let number: usize = row[0].parse().unwrap();
        // On average, a weight is 1.
        let weight = if row[2] == "push-push" { 1.6 } else { 0.4 };
        let score = match row[6].as_str() {
            "1-0" => weight,
            "0-1" => -weight,
            _ => 0.0,
        };
        expected[(number - 1) / 4] += if row[4] == "mine+" { score } else { -score };
    }
    let table = table(&tuning, "results/cup");
    let scores = table.lines().skip(2).map(|line| line.split(',').nth(1).unwrap().parse().unwrap());
    let off = scores.zip(&expected).map(|(score, expected): (f64, _)| (score - expected).abs());
    assert!(off.clone().count() == 20 && off.clone().all(|off| off < 1e-9), "{expected:?}: {table}");
    assert!(expected.iter().any(|score| score.fract() != 0.0), "{expected:?}");
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
