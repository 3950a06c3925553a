//! `arena export`: positions with their scores and results, of the stored reference tournament.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::Value;

const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/reference");

fn export(args: &[&str]) -> String {
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
    let output = arena.arg("export").args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The rows of the table: game, match, ply, fen, move, score, depth, nodes, result.
fn rows(args: &[&str]) -> Vec<Vec<String>> {
    let text = export(&[&[REFERENCE], args].concat());
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let columns: Vec<&str> = table.headers().unwrap().iter().collect();
    assert_eq!(columns, ["game", "match", "ply", "fen", "move", "score", "depth", "nodes", "result"]);
    table.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The matches as they are stored.
fn stored() -> Vec<Value> {
    let journal = fs::read_to_string(format!("{REFERENCE}/matches.jsonl")).unwrap();
    journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_move_has_its_position() {
    let (rows, stored) = (rows(&[]), stored());
    let n_moves: usize = stored.iter().map(|record| record["moves"].as_array().unwrap().len()).sum();
    assert_eq!(rows.len(), n_moves, "no match of the reference was forfeited");
    let mut expected = stored
        .iter()
        .flat_map(|record| record["moves"].as_array().unwrap().iter().map(move |mv| (record, mv)));
    for row in &rows {
        let (record, mv) = expected.next().unwrap();
        assert_eq!(
            (row[0].as_str(), row[4].as_str()),
            (record["game"].as_str().unwrap(), mv["move"].as_str().unwrap())
        );
        assert_eq!(row[1], record["match"].to_string());
        if row[2] == "1" {
            assert_eq!(row[3], record["opening"].as_str().unwrap());
        }
        // White's view: the score of a move by Black is turned.
        let own = mv["score"].as_str().and_then(|score| score.strip_prefix("cp "));
        if let Some(own) = own.map(|own| own.parse::<i64>().unwrap()) {
            let sign = if mv["side"] == "w" { 1 } else { -1 };
            assert_eq!(row[5], (sign * own).to_string());
        }
        let result = match record["result"].as_str().unwrap() {
            "1-0" => "1",
            "0-1" => "0",
            _ => "0.5",
        };
        assert_eq!(row[8], result);
    }
}

#[test]
fn positions_can_be_left_out() {
    let all = rows(&["--game", "push"]);
    assert!(!all.is_empty() && all.iter().all(|row| row[0] == "push"));
    let late = rows(&["--game", "push", "--from-ply", "9"]);
    assert_eq!(
        late,
        all.iter().filter(|row| 9 <= row[2].parse::<u32>().unwrap()).cloned().collect::<Vec<_>>()
    );

    let unique = rows(&["--game", "push", "--unique"]);
    // But for the two counters at its end, a position is told by its FEN.
    let position = |row: &Vec<String>| row[3].rsplitn(3, ' ').last().unwrap().to_owned();
    let positions: BTreeSet<String> = all.iter().map(position).collect();
    assert_eq!(unique.len(), positions.len());
    assert!(unique.len() < all.len());

    let quiet = rows(&["--game", "push", "--quiet"]);
    assert!(quiet.len() < all.len() && quiet.iter().all(|row| !is_won(&row[5])), "{}", quiet.len());
    assert!(all.iter().any(|row| is_won(&row[5])), "the reference has forced wins");

    let moved = rows(&["--engine", "mcts"]);
    let stored = stored();
    let of_mcts =
        |record: &Value, side: &Value| record[if side == "w" { "white" } else { "black" }] == "mcts";
    let moves = |record: &Value| {
        let moves = record["moves"].as_array().unwrap();
        moves.iter().filter(|mv| of_mcts(record, &mv["side"])).count()
    };
    assert_eq!(moved.len(), stored.iter().map(moves).sum::<usize>());
}

fn is_won(score: &str) -> bool {
    score.parse::<i64>().is_ok_and(|score| 30_000 < score.abs())
}

#[test]
fn text_has_only_positions_with_a_score() {
    let text = export(&[REFERENCE, "--game", "push-push", "--format", "text"]);
    let scored: Vec<Vec<String>> =
        rows(&["--game", "push-push"]).into_iter().filter(|row| !row[5].is_empty()).collect();
    let expected: Vec<String> =
        scored.iter().map(|row| format!("{} | {} | {}", row[3], row[5], row[8])).collect();
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

/// pandas reads the table: `tests/test_ratings.py` of the Python package.
#[test]
fn a_file_gets_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let write = |source: &str, args: &[&str]| {
        let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
        let output = arena.current_dir(folder.path()).args(["export", source]).args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(write(REFERENCE, &["--output", "positions"]), (Some(0), String::new()));
    let positions = folder.path().join("positions");
    assert_eq!(fs::read_to_string(&positions).unwrap(), export(&[REFERENCE]));
    let parquet = ["--format", "parquet", "--output", "positions"];
    assert_eq!(write("nowhere", &parquet), (Some(3), String::new()));
    assert_eq!(fs::read_to_string(&positions).unwrap(), export(&[REFERENCE]));
    assert_eq!(write(REFERENCE, &parquet), (Some(0), String::new()));
    let table = fs::read(&positions).unwrap();
    assert!(table.starts_with(b"PAR1") && table.ends_with(b"PAR1"));
    // A terminal could not show it.
    assert_eq!(write(REFERENCE, &["--format", "parquet"]), (Some(2), String::new()));
}

#[test]
fn what_is_no_results_folder_is_named() {
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
    let output = arena.args(["export", "nowhere"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("there is no folder `nowhere`") && said.contains("give a results folder"),
        "{said}"
    );
}
