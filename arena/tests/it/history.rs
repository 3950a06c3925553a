//! `arena history`: the builds of an engine, each rated as an engine of its own.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/reference");
const BUILDS: [&str; 2] = ["aaaaaaaaaaaa", "bbbbbbbbbbbb"];

/// The reference tournament, in whose second half the engine `mcts` has another build.
fn two_builds() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let journal = fs::read_to_string(format!("{REFERENCE}/matches.jsonl")).unwrap();
    let n_pairs = journal.lines().count() / 2;
    let mut table = "game,white,black,result,pair,opening,moves\n".to_owned();
    let mut lines = String::new();
    for line in journal.lines() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        let build = BUILDS[usize::from(n_pairs / 2 < record["pair"].as_u64().unwrap() as usize)];
        for side in ["white", "black"] {
            if record[side] == "mcts" {
                record[format!("{side}_build")] = build.into();
            }
        }
        lines.push_str(&format!("{record}\n"));
        let name = |side: &str| match record[side].as_str().unwrap() {
            "mcts" => format!("mcts@{build}"),
            other => other.to_owned(),
        };
        let moves: Vec<&str> =
            record["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap()).collect();
        table.push_str(&format!(
            "{},{},{},{},{},{},{}\n",
            record["game"].as_str().unwrap(),
            name("white"),
            name("black"),
            record["result"].as_str().unwrap(),
            record["pair"],
            record["opening"].as_str().unwrap(),
            moves.join(" ")
        ));
    }
    fs::write(folder.path().join("matches.jsonl"), lines).unwrap();
    fs::write(folder.path().join("split.csv"), table).unwrap();
    folder
}

fn arena(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena")).current_dir(folder).args(args).output().unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// By the columns of the header.
fn column(text: &str, names: [&str; 5]) -> Vec<Vec<String>> {
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let header = table.headers().unwrap().clone();
    let places = names.map(|name| header.iter().position(|column| column == name).unwrap());
    table.records().map(|row| row.unwrap()).map(|row| places.map(|at| row[at].to_owned()).to_vec()).collect()
}

#[test]
fn each_build_is_rated_as_an_engine_of_its_own() {
    let folder = two_builds();
    let history = printed(&arena(
        folder.path(),
        &["history", ".", "--engine", "mcts", "--anchor", "random=0", "--format", "csv"],
    ));
    let rate =
        printed(&arena(folder.path(), &["rate", "split.csv", "--anchor", "random=0", "--format", "csv"]));
    let mut expected = column(&rate, ["scope", "engine", "elo", "low", "matches"]);
    expected.retain(|row| row[1].starts_with("mcts@"));
    for row in &mut expected {
        row[1] = row[1].replace("mcts@", "");
    }
    expected.sort();
    let mut found = column(&history, ["scope", "build", "elo", "low", "matches"]);
    found.sort();
    // Both print two decimals, of ratings that a fit finds in another order of the engines.
    let rounded = |rows: &[Vec<String>]| -> Vec<Vec<String>> {
        let round =
            |field: &String| field.parse::<f64>().map_or(field.clone(), |number| number.round().to_string());
        rows.iter().map(|row| row.iter().map(round).collect()).collect()
    };
    assert_eq!(rounded(&found), rounded(&expected));
    assert_eq!(found.iter().filter(|row| row[0] == "overall").count(), 2);
    assert!(found.iter().any(|row| row[0] == "push-push" && !row[2].is_empty()), "{history}");
}

#[test]
fn the_table_shows_the_builds_in_their_order() {
    let folder = two_builds();
    let text = printed(&arena(folder.path(), &["history", ".", "--engine", "mcts", "--game", "push"]));
    let places = BUILDS.map(|build| text.find(&format!("\n  {build} ")).unwrap_or_else(|| panic!("{text}")));
    assert!(places[0] < places[1], "{text}");
    assert!(text.contains("●") && text.contains("bbbbbbbbbbbb minus aaaaaaaaaaaa: "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn an_engine_without_builds_is_an_error() {
    let folder = two_builds();
    let table = format!("{REFERENCE}/matches.csv");
    for (args, expected) in [
        (["history", ".", "--engine", "nobody"], "no engine is named `nobody` in these files"),
        (["history", &table, "--engine", "mcts"], "no match names a build of `mcts`"),
    ] {
        let output = arena(folder.path(), &args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}
