//! `arena run --shard` and `arena merge` as a user runs them: with real engine processes, in a folder of its own.

use std::fs;
use std::process::Output;

use crate::common::tournament::{Ended, Tournament, printed, said};

const HEAD: &str = "[tournament]\npairs = 3\nconcurrency = 2\n[limits]\nnodes = 10\nmax-plies = 40\n[[game]]\nid = \"push\"\n[[game]]\nid = \"push-push\"\n";
const ENGINES: [(&str, &str); 3] = [("one", "good"), ("two", "good"), ("three", "good")];
const SHARDS: [&str; 4] = ["1/4", "2/4", "3/4", "4/4"];

fn merge(cup: &Tournament, args: &[&str]) -> Output {
    cup.arena(&[&["merge"], args].concat())
}

/// Plays each of these shards in a folder of its own, and gives the folders' names.
fn play(cup: &Tournament, shards: &[&str]) -> Vec<String> {
    let play = |shard: &&str| {
        let folder = format!("shard-{}", &shard[..1]);
        cup.run(&["--shard", shard, "--results", &folder, "--no-report", "--quiet"]).succeeds();
        folder
    };
    shards.iter().map(play).collect()
}

/// Rows without the last two columns, which are times.
fn without_times(rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    rows.into_iter().map(|mut row| row.drain(..9).collect()).collect()
}

#[test]
fn shards_make_the_table_that_one_machine_makes() {
    let cup = Tournament::new(HEAD, &ENGINES);
    cup.run(&["--results", "whole"]).succeeds();
    let whole = without_times(cup.rows("whole"));

    let shards = play(&cup, &SHARDS);
    let n_rows: Vec<usize> = shards.iter().map(|folder| cup.rows(folder).len()).collect();
    assert_eq!(n_rows.iter().sum::<usize>(), whole.len());
    let part = format!("the tournament is not finished: {} of {} matches", n_rows[0], whole.len());
    cup.arena(&["rate", &shards[0]]).succeeds().prints(part);
    assert!(!cup.arena(&["rate", "whole"]).text().contains("not finished"));
    assert!(n_rows.iter().all(|n| n.abs_diff(whole.len() / 4) <= 2), "equal parts: {n_rows:?}");

    let folders: Vec<&str> = shards.iter().rev().map(String::as_str).collect();
    let output = merge(&cup, &[&folders[..], &["--results", "league"]].concat());
    assert!(output.status.success() && said(&output).is_empty(), "{}", said(&output));
    assert_eq!(without_times(cup.rows("league")), whole);
    let [merged, played] = ["league", "whole"]
        .map(|folder| fs::read_to_string(cup.path(&format!("{folder}/ratings.csv"))).unwrap());
    assert_eq!(merged, played);
    let printed = printed(&output);
    assert!(
        printed.contains("overall: 36 matches") && printed.contains("Report: league/report.html"),
        "{printed}"
    );

    // It is a results folder like any other: it can be verified, and there is nothing left to play.
    cup.verifies("league");
    let lines = || fs::read_to_string(cup.path("league/matches.jsonl")).unwrap();
    let before = lines();
    cup.run(&["--results", "league"]).succeeds();
    assert_eq!(lines(), before);
    // What `merge` has read is as it was, and its results are not overwritten.
    assert_eq!(cup.rows(&shards[0]).len(), n_rows[0]);
    merge(&cup, &[&folders[..], &["--results", "league"]].concat())
        .fails(3)
        .says("`league` already has results");
}

#[test]
fn what_is_missing_is_named_and_can_be_played() {
    let cup = Tournament::new(HEAD, &ENGINES);
    let shards = play(&cup, &SHARDS[..3]);
    let output =
        merge(&cup, &[&shards[0], &shards[1], &shards[2], &shards[0], "--results", "league"]).succeeds();
    let missing = 36 - cup.rows("league").len();
    let warning = said(&output);
    assert!(warning.contains(&format!("{missing} of 36 matches are missing: ")), "{warning}");
    assert!(warning.contains("with `--results league`"), "{warning}");
    cup.run(&["--results", "league"]).succeeds();
    assert_eq!(cup.rows("league").len(), 36);
}

#[test]
fn a_shard_is_only_a_part_of_what_is_known_before() {
    let adaptive = HEAD.replace("pairs = 3", "pairs = 3\nformat = \"adaptive\"");
    let adaptive = format!("{adaptive}[adaptive]\nmatches = 20\n");
    let stop = format!("{HEAD}[stop]\nprecision = {{ elo = 100 }}\n");
    for head in [adaptive, stop] {
        let cup = Tournament::new(&head, &ENGINES);
        cup.run(&["--shard", "1/2"]).fails(2).says("results decide which matches are played");
    }
    let cup = Tournament::new(HEAD, &ENGINES);
    for wrong in ["0/2", "3/2", "2", "x/y"] {
        cup.run(&["--shard", wrong]).fails(2).says("write it as K/N");
    }
    let dry = cup.run(&["--shard", "1/2", "--dry-run"]);
    let text = printed(&dry);
    assert!(text.starts_with("shard 1/2 of cup: 3 engines, 18 matches\n"), "{text}");
}

#[test]
fn folders_that_contradict_each_other_are_not_joined() {
    let cup = Tournament::new(HEAD, &ENGINES);
    let shards = play(&cup, &SHARDS[..2]);
    let refused = |args: &[&str], code: i32, words: &[&str]| {
        let output = merge(&cup, args);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert!(!cup.path("league").exists(), "nothing is written");
    };
    let to = ["--results", "league"];
    let [first, second] = [0, 1].map(|idx| shards[idx].as_str());

    refused(&[first, "nowhere", to[0], to[1]], 3, &["`nowhere` is not a results folder"]);
    refused(&[first, second, to[0], first], 2, &["both a folder to merge and the folder of the result"]);
    refused(
        &[first, to[0], to[1], "--accept-changed", "nobody"],
        2,
        &["no engine is named `", "one, two, three"],
    );

    // Another tournament: another seed, then other engines.
    let config = fs::read_to_string(cup.path("cup.toml")).unwrap();
    for (other, word) in [
        (config.replace("pairs = 3", "pairs = 3\nseed = 9"), "seed = 9"),
        (config.replace("\"three\"", "\"four\""), "+ engines: one, two, four"),
    ] {
        fs::write(cup.path("cup.toml"), other).unwrap();
        let _ = fs::remove_dir_all(cup.path("other"));
        cup.run(&["--results", "other", "--no-report"]).succeeds();
        refused(
            &[first, "other", to[0], to[1]],
            3,
            &["`shard-1` and `other` hold different tournaments", word],
        );
    }

    // The same match with another result.
    let journal = fs::read_to_string(cup.path("shard-1/matches.jsonl")).unwrap();
    let line = journal.lines().next().unwrap();
    let changed = ["\"1-0\"", "\"0-1\"", "\"1/2-1/2\""].iter().find(|result| line.contains(*result)).unwrap();
    let other = if *changed == "\"1-0\"" { "\"0-1\"" } else { "\"1-0\"" };
    let second_journal = fs::read_to_string(cup.path("shard-2/matches.jsonl")).unwrap();
    let doubled = format!("{second_journal}{}\n", line.replace(changed, other));
    fs::write(cup.path("shard-2/matches.jsonl"), &doubled).unwrap();
    refused(
        &[first, second, to[0], to[1]],
        3,
        &["other moves or another result", "`shard-1` and `shard-2`", "--keep-first"],
    );

    // Another build of an engine, and a match that is none of the tournament's.
    let build = &line.split("\"white_build\":\"").nth(1).unwrap()[..8];
    fs::write(cup.path("shard-2/matches.jsonl"), second_journal.replace(build, "00000000")).unwrap();
    refused(&[first, second, to[0], to[1]], 3, &["the programs of engines differ", "--accept-changed NAME"]);
    let stranger = second_journal.replacen("\"match\":", "\"match\":9", 1);
    fs::write(cup.path("shard-2/matches.jsonl"), stranger).unwrap();
    refused(
        &[first, second, to[0], to[1]],
        3,
        &["shard-2/matches.jsonl`: match 9", "is not in the schedule"],
    );

    // All can be accepted, and the first folder counts.
    fs::write(cup.path("shard-2/matches.jsonl"), doubled.replace(build, "00000000")).unwrap();
    let accept = ["one", "two", "three"].map(|name| ["--accept-changed", name]).concat();
    merge(&cup, &[&[first, second, "--keep-first"], &to[..], &accept[..]].concat()).succeeds();
    let numbers = |rows: Vec<Vec<String>>| {
        rows.into_iter().map(|row| (row[0].clone(), row[6].clone())).collect::<Vec<_>>()
    };
    let merged = numbers(cup.rows("league"));
    assert!(numbers(cup.rows("shard-1")).iter().all(|row| merged.contains(row)));
}
