//! A game whose rules are a program, from its configuration to its report, with real processes.

use crate::common::tournament::{Ended, arena, said};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn printed(folder: &Path, args: &[&str]) -> String {
    arena(folder, args).text()
}

/// A folder with a tournament of Hex by this referee program, which is a script in Python.
fn tournament(referee: &str, pairs: u32) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("hex.py"), referee).unwrap();
    let engine = repository().join("engine-proto/examples/python/legal_moves.py");
    let engine = toml::Value::from(engine.to_str().unwrap());
    let mut config = format!(
        "[tournament]\npairs = {pairs}\nconcurrency = 2\n[limits]\nmovetime = \"60s\"\n\
         [[game]]\nid = \"hex-5\"\nreferee = [\"python3\", \"hex.py\"]\nopening-plies = 2\n"
    );
    for name in ["one", "two"] {
        config +=
            &format!("[[engine]]\nname = \"{name}\"\ncommand = \"python3\"\nargs = [{engine}, \"hex-5\"]\n");
    }
    fs::write(folder.path().join("cup.toml"), config).unwrap();
    folder
}

fn hex() -> String {
    fs::read_to_string(repository().join("configs/own-game/hex.py")).unwrap()
}

/// Whether there is a Python; says so if not.
fn has_python() -> bool {
    let python = Command::new("python3").args(["-c", "pass"]).stderr(Stdio::null()).status();
    let is_there = python.is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("skipped: no python3");
    }
    is_there
}

/// The tournament file of the manual, as its reader plays it.
#[test]
fn the_example_is_played() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("own-game");
    let args = ["run", "configs/own-game.toml", "--pairs", "1", "--results", results.to_str().unwrap()];
    printed(&repository(), &args);
    let journal = fs::read_to_string(results.join("matches.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 2);
    assert!(journal.lines().all(|line| line.contains("\"reason\":\"connection\"")), "{journal}");
}

#[test]
fn a_game_in_python_is_a_game_like_any_other() {
    if !has_python() {
        return;
    }
    let folder = tournament(&hex(), 4);
    let folder = folder.path();
    let standings = printed(folder, &["run", "cup.toml"]);
    assert!(standings.contains("one") && standings.contains("two"), "{standings}");
    let journal = fs::read_to_string(folder.join("results/cup/matches.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 8);
    assert!(journal.lines().all(|line| line.contains("\"reason\":\"connection\"")), "{journal}");
    // The same command finds nothing to play.
    printed(folder, &["run", "cup.toml"]);
    assert_eq!(fs::read_to_string(folder.join("results/cup/matches.jsonl")).unwrap(), journal);
    // Readers of the folder know the game from it.
    assert!(printed(folder, &["rate", "results/cup"]).contains("one"));
    let refused = arena(folder, &["show", "results/cup", "1"]);
    let said = said(&refused);
    assert!(
        said.contains("add `--referee \"hex-5=python3 hex.py\"`"),
        "a folder's program is not run: {said}"
    );
    let refused = arena(folder, &["verify", "results/cup"]);
    let problems = String::from_utf8_lossy(&refused.stdout);
    assert!(
        problems.contains("cannot compute the schedule: the rules of `hex-5` are a program"),
        "{problems}"
    );
    let referee = ["--referee", "hex-5=python3 hex.py"];
    printed(folder, &[&referee[..], &["verify", "results/cup"]].concat());
    let board = printed(folder, &[&referee[..], &["show", "results/cup", "1", "--ply", "3"]].concat());
    assert!(board.contains("ply 3 of") && board.contains("\n 5 "), "{board}");
    let page = fs::read_to_string(folder.join("results/cup/report.html")).unwrap();
    assert!(page.contains("Hex 5x5"), "the report names the game");
    assert!(printed(folder, &["pgn", "results/cup"]).contains("[Variant \"hex-5\"]"));
}

#[test]
fn other_commands_know_a_game_that_is_named_to_them() {
    if !has_python() {
        return;
    }
    let folder = tournament(&hex(), 1);
    let folder = folder.path();
    let referee = ["--referee", "hex-5=python3 hex.py"];
    let perft = printed(folder, &[&referee[..], &["perft", "hex-5", "--depth", "2"]].concat());
    assert!(perft.contains("600"), "{perft}");
    let list = printed(folder, &[&referee[..], &["games"]].concat());
    assert!(list.contains("hex-5            Hex 5x5 (played only if it is named)"), "{list}");
    let engine = repository().join("engine-proto/examples/python/legal_moves.py");
    let args = ["check", "--game", "hex-5", "python3", engine.to_str().unwrap(), "hex-5"];
    printed(folder, &[&referee[..], &args].concat());
}

/// A referee program that changes its mind about the legal moves loses no match and no result.
#[test]
fn a_referee_that_contradicts_itself_stops_the_tournament() {
    if !has_python() {
        return;
    }
    let liar = hex().replace(
        "    return {\"fen\": text(stones, side, ply)",
        "    if ply == 7 and not moves:\n        legal = legal[1:]\n    return {\"fen\": text(stones, side, ply)",
    );
    assert_ne!(liar, hex());
    let folder = tournament(&liar, 400);
    let output = arena(folder.path(), &["run", "cup.toml"]);
    let said = said(&output);
    assert!(
        said.contains(
            "the referee program of `hex-5` gave a wrong answer: its answers about one position differ"
        ),
        "{said}"
    );
    assert!(said.contains("all finished matches are stored"), "{said}");
    assert!(!output.status.success());
    let journal = fs::read_to_string(folder.path().join("results/cup/matches.jsonl")).unwrap();
    assert!(
        journal.lines().all(|line| line.contains("\"reason\":\"connection\"")),
        "no match is judged by it"
    );
    // With the right program, the same command continues.
    fs::write(folder.path().join("hex.py"), hex()).unwrap();
    let config = fs::read_to_string(folder.path().join("cup.toml")).unwrap();
    fs::write(folder.path().join("cup.toml"), config.replace("pairs = 400", "pairs = 3")).unwrap();
    printed(folder.path(), &["run", "cup.toml"]);
}

/// A program whose text of a position leaves a piece out: a mistake that the first positions show.
#[test]
fn a_referee_with_wrong_positions_is_an_error_of_every_command() {
    if !has_python() {
        return;
    }
    let wrong = hex().replace("\"b\": \"s\"}.get", "\"b\": \"\"}.get");
    assert_ne!(wrong, hex());
    let folder = tournament(&wrong, 1);
    let engine = repository().join("engine-proto/examples/python/legal_moves.py");
    let engine = engine.to_str().unwrap();
    for args in [
        &["run", "cup.toml"][..],
        &["--referee", "hex-5=python3 hex.py", "perft", "hex-5", "--depth", "4"],
        &["--referee", "hex-5=python3 hex.py", "check", "--game", "hex-5", "python3", engine, "hex-5"],
    ] {
        let output = arena(folder.path(), args);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(3), "{args:?}: {said}");
        let error = "error: the referee program of `hex-5` gave a wrong answer: it refuses a position that it reached itself";
        assert!(said.contains(error) && !said.contains("panicked"), "{args:?}: {said}");
    }
}

#[test]
fn an_id_that_is_too_long_is_an_error_of_the_configuration() {
    if !has_python() {
        return;
    }
    let folder = tournament(&hex(), 1);
    let config = folder.path().join("cup.toml");
    let long = "hex-on-a-board-of-five-times-five";
    fs::write(&config, fs::read_to_string(&config).unwrap().replace("\"hex-5\"", &format!("\"{long}\"")))
        .unwrap();
    let output = arena(folder.path(), &["run", "cup.toml"]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let error =
        format!("the game id `{long}` has 33 characters, but at most 31 are possible; choose a shorter one");
    assert!(said.contains(&error) && !said.contains("unknown game"), "{said}");
}

#[test]
fn a_referee_that_does_not_answer_is_an_error_of_the_configuration() {
    if !has_python() {
        return;
    }
    let folder = tournament("import sys\nfor line in sys.stdin:\n    print('hello', flush=True)\n", 1);
    let output = arena(folder.path(), &["run", "cup.toml"]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("the game `hex-5` cannot be used: its answer to `info` is not JSON"), "{said}");
    assert!(!said.contains("unknown game"), "{said}");
}
