//! Tournaments with several time controls, as a user plays, rates and checks them.

use std::fs;
use std::process::Command;

use crate::common::tournament::{Ended, Tournament, printed};

const HEAD: &str = "[tournament]\npairs = 4\nconcurrency = 2\n[[game]]\nid = \"push-push\"\n";
const TWO: &str = "[[limits]]\nname = \"short\"\nnodes = 10\nmax-plies = 20\n[[limits]]\nname = \"long\"\nnodes = 20\nmax-plies = 30\n";
const ENGINES: [(&str, &str, &str); 2] = [("one", "good", ""), ("two", "weak-40", "limits = { depth = 1 }")];

fn cup(limits: &str) -> Tournament {
    Tournament::with_keys(&format!("{HEAD}{limits}"), &ENGINES)
}

/// The table of matches, without its header.
fn table(cup: &Tournament) -> (String, Vec<String>) {
    let text = fs::read_to_string(cup.path("results/cup/matches.csv")).unwrap();
    let mut lines = text.lines().map(str::to_owned);
    (lines.next().unwrap(), lines.collect())
}

#[test]
fn every_pairing_plays_all_its_pairs_under_each_of_the_limits() {
    let cup = cup(TWO);
    let dry = printed(&cup.run(&["--dry-run"]));
    assert!(dry.starts_with("cup: 2 engines, the limits short and long, 16 matches\n"), "{dry}");
    assert!(dry.contains("16 matches: 1 pairing, 4 openings"), "{dry}");
    let text = printed(&cup.run(&["--log", "logs"]).succeeds());
    assert!(text.starts_with("Lead of one over two in each game:\n  push-push@short  +137 ("), "{text}");
    assert!(text.contains("\noverall: 16 matches\n"), "{text}");
    let rated =
        Command::new(env!("CARGO_BIN_EXE_arena")).arg("rate").arg(cup.path("results/cup")).output().unwrap();
    for heading in ["push-push@short: 8 matches", "push-push@long: 8 matches"] {
        assert!(printed(&rated).contains(heading), "{heading}: {}", printed(&rated));
    }

    let records = cup.records("results/cup");
    let of = |name: &str| {
        records.iter().filter(|record| record.limits.as_deref() == Some(name)).collect::<Vec<_>>()
    };
    let [short, long] = [of("short"), of("long")];
    assert_eq!((records.len(), short.len(), long.len()), (16, 8, 8));
    for (one, other) in short.iter().zip(&long) {
        assert_eq!((&one.opening, &one.white), (&other.opening, &other.white), "the same openings");
        assert!(one.plies <= 20 && other.plies <= 30);
    }
    assert!(long.iter().any(|record| 20 < record.plies), "a limit of its own");
    // What an engine was told; its own limits apply everywhere.
    for record in &records {
        let log = fs::read_dir(cup.path("logs")).unwrap().map(|entry| entry.unwrap().path());
        let name = |path: &std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        let is_own = |path: &std::path::PathBuf| {
            name(path).split(|c: char| !c.is_ascii_digit()).any(|word| word.parse() == Ok(record.number))
        };
        let log = fs::read_to_string(log.into_iter().find(is_own).unwrap()).unwrap();
        let nodes = if record.limits.as_deref() == Some("short") { "go nodes 10" } else { "go nodes 20" };
        assert!(log.contains(nodes) && log.contains("go depth 1"), "match {}: {log}", record.number);
        assert_eq!(log.matches("go nodes").count(), log.matches(nodes).count(), "match {}", record.number);
    }
    let (header, rows) = table(&cup);
    assert!(header.ends_with(",white_ms,black_ms,limits"), "{header}");
    assert!(rows.iter().filter(|row| row.ends_with(",long")).count() == 8, "{rows:?}");
    cup.verifies("results/cup");

    let page = fs::read_to_string(cup.path("results/cup/report.html")).unwrap();
    for words in ["Push Push, short", "Push Push, long", "long: 20 nodes per move"] {
        assert!(page.contains(words), "{words}");
    }

    // More limits may come, and what was played keeps counting.
    cup.edit(
        "[[limits]]\nname = \"short\"",
        "[[limits]]\nname = \"tiny\"\nnodes = 5\n[[limits]]\nname = \"short\"",
    );
    cup.run(&[]).succeeds().says("24 matches, 16 of them finished before");
    cup.verifies("results/cup");
    cup.edit("nodes = 20", "nodes = 21");
    cup.run(&[]).fails(5).says("limits.long.nodes = 21");
}

#[test]
fn ratings_and_comparisons_take_all_limits_or_one() {
    let cup = cup(TWO);
    cup.run(&[]).succeeds();
    for input in ["results/cup", "results/cup/matches.csv"] {
        let scopes = |args: &[&str]| -> Vec<String> {
            let text = printed(&cup.arena(&[&["rate", input, "--format", "csv"], args].concat()).succeeds());
            let mut scopes: Vec<String> =
                text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect();
            scopes.dedup();
            scopes
        };
        assert_eq!(scopes(&[]), ["overall", "push-push@short", "push-push@long"]);
        assert_eq!(scopes(&["--limits", "long"]), ["overall", "push-push"]);
        assert_eq!(scopes(&["--game", "push-push"]).len(), 3);
        assert_eq!(scopes(&["--game", "push-push@short"]), ["overall", "push-push@short"]);
    }
    let compare = |args: &[&str]| {
        printed(&cup.arena(&[&["compare", "results/cup", "--engines", "one,two"], args].concat()).succeeds())
    };
    assert!(compare(&[]).contains("  push-push@short  LL 0"), "{}", compare(&[]));
    assert!(
        compare(&["--limits", "short"]).contains("push-push: 4 pairs"),
        "{}",
        compare(&["--limits", "short"])
    );
    let unknown = cup.arena(&["rate", "results/cup", "--limits", "shrot"]);
    unknown.fails(3).says("no time control is named `shrot` in these files; did you mean `short`?");
}

#[test]
fn one_time_control_needs_no_name() {
    let cup = cup("[limits]\nnodes = 10\nmax-plies = 20\n");
    cup.run(&[]).succeeds();
    let journal = fs::read_to_string(cup.path("results/cup/matches.jsonl")).unwrap();
    let stored = fs::read_to_string(cup.path("results/cup/tournament.toml")).unwrap();
    assert!(!journal.contains("\"limits\"") && !stored.contains("limits]"), "{stored}");
    // One table in double brackets is the same.
    cup.edit("[limits]\n", "[[limits]]\nname = \"only\"\n");
    cup.run(&[]).succeeds().says("8 matches, 8 of them finished before");
    assert_eq!(fs::read_to_string(cup.path("results/cup/matches.jsonl")).unwrap(), journal);
    // Several are another tournament.
    cup.edit("[[limits]]\n", "[[limits]]\nname = \"more\"\nnodes = 5\n[[limits]]\n");
    cup.run(&[]).fails(5).says("limits.more.nodes = 5");
}

#[test]
fn limits_that_the_tournament_does_not_have_are_found() {
    let cup = cup(TWO);
    cup.run(&[]).succeeds();
    let journal = cup.path("results/cup/matches.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("\"limits\":\"short\"", "\"limits\":\"blitz\"", 1)).unwrap();
    let output = printed(&cup.arena(&["verify", "results/cup"]).fails(3));
    assert!(output.contains("`limits` is `blitz`, but `short` in the schedule"), "{output}");
}
