//! What is stored stays readable: a file of each form and version, by which a change of the form shows.

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use model::{Event, Job, Record, Tournament};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(golden(name)).unwrap()
}

/// Reads each line of a file, and writes it again: the same text.
fn both_ways<T: Serialize + DeserializeOwned + Debug>(name: &str) -> Vec<T> {
    let text = text(name);
    let values: Vec<T> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (value, line) in values.iter().zip(text.lines()) {
        assert_eq!(serde_json::to_string(value).unwrap(), line, "{name}: {value:?}");
    }
    assert!(!values.is_empty());
    values
}

/// A results folder that holds the tournament of a file.
fn read_tournament(name: &str) -> Tournament {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(golden(name), folder.path().join("tournament.toml")).unwrap();
    store::read_tournament(engine_proto::Games::built_in(), folder.path()).unwrap()
}

#[test]
fn tournaments() {
    let text = text("tournament-2.toml");
    let tournament: Tournament = toml::from_str(&text).unwrap();
    assert_eq!(toml::to_string_pretty(&tournament).unwrap(), text);
    assert_eq!(read_tournament("tournament-2.toml"), tournament);
    // The configuration that an arena of version 0.1 has stored means the same.
    assert_eq!(read_tournament("tournament-1.toml"), tournament);
}

#[test]
fn jobs() {
    let jobs: Vec<Job> = both_ways("job-1.jsonl");
    assert_eq!(jobs[0].names(), ["one", "two"]);
    let rules: Vec<_> =
        jobs.iter().map(|job| (job.rules.resign, job.rules.draw_offers, job.rules.ponder)).collect();
    assert_eq!(rules, [(true, true, false), (false, false, true)]);
}

#[test]
fn records() {
    let records: Vec<Record> = both_ways("record-1.jsonl");
    // Without the version of the form, as an arena of version 0.1 wrote them.
    let before: Vec<Record> =
        text("record-0.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(before, records[..before.len()]);
    // The principal variation came later, without a new version: it may be missing.
    assert_eq!(records[2].moves[0].principal_variation.as_deref(), Some("a1a2 b8b7"));
    // So did what the second edition of the protocol allows.
    let Record { ponder, reason, moves, .. } = &records[3];
    assert_eq!((*ponder, reason.as_str()), (true, "agreement"));
    assert_eq!((moves[0].draw, moves[1].ponder_hit, moves[0].stats["cuts"]), (true, true, -3));
}

#[test]
fn events() {
    let events: Vec<Event> = both_ways("events-1.jsonl");
    let kinds: Vec<String> =
        events.iter().map(|event| serde_json::to_value(event).unwrap()["event"].to_string()).collect();
    let mut different = kinds.clone();
    different.dedup();
    assert_eq!(different.len(), 9, "one of each kind: {kinds:?}");
}

#[test]
fn forms_of_a_later_arena_are_refused() {
    let later = |name: &str| {
        let text = text(name);
        let line = text.lines().next().unwrap().to_owned();
        line.replacen("version\":1", "version\":7", 1)
    };
    let words = "format version 7 is not supported";
    let error = serde_json::from_str::<Job>(&later("job-1.jsonl")).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    let error = serde_json::from_str::<Record>(&later("record-1.jsonl")).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let tournament = text("tournament-2.toml").replace("format-version = 2", "format-version = 7");
    fs::write(folder.path().join("tournament.toml"), tournament).unwrap();
    let error = store::read_tournament(engine_proto::Games::built_in(), folder.path()).unwrap_err();
    assert!(error.contains(words), "{error}");
}
