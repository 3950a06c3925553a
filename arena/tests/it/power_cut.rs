//! What a power cut leaves of a journal: the writes so far, cut at any byte, or with blocks that never reached the disk.
//! The next run counts every match whose line is complete, and plays the others again.

use crate::common::is_alone;

use std::fs;
use std::path::Path;

use crate::common::tournament::{Ended, Tournament};
use schedule::planning;
use store::{self, Results, ResultsError, Wanted};

/// The disk writes whole blocks.
const BLOCK: usize = 512;

/// The journal of a small tournament, in its folder.
fn played() -> (Tournament, Vec<u8>) {
    let head = "[tournament]\npairs = 4\nconcurrency = 1\n[limits]\nnodes = 10\nmax-plies = 6\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("two", "good")]);
    cup.run(&["--no-report"]).succeeds();
    let journal = fs::read(cup.path("results/cup/matches.jsonl")).unwrap();
    assert_eq!(String::from_utf8_lossy(&journal).lines().count(), 8);
    (cup, journal)
}

/// The numbers of the matches that count when the folder is opened for the next run.
fn restored(folder: &Path) -> Vec<u32> {
    let tournament = store::read_tournament(engine_proto::Games::built_in(), folder).unwrap();
    let course = planning::course(&tournament);
    let mut openings = planning::openings(&tournament).unwrap();
    let wanted = Wanted {
        tournament: &tournament,
        plan: course.plan(),
        replayed: &[],
        set_aside: &[],
        builds: &[],
        accepted: &[],
    };
    let mut numbers = Vec::new();
    Results::open(folder, &wanted, &mut openings)
        .unwrap()
        .restore(|record| {
            numbers.push(record.number);
            Ok::<(), ResultsError>(())
        })
        .unwrap();
    numbers
}

fn check(folder: &Path, left: &[u8]) {
    fs::write(folder.join("matches.jsonl"), left).unwrap();
    let is_whole = |line: &&[u8]| line.ends_with(b"\n") && !line.contains(&0);
    let whole: Vec<u8> =
        left.split_inclusive(|byte| *byte == b'\n').filter(is_whole).flatten().copied().collect();
    let expected: Vec<u32> = String::from_utf8_lossy(&whole)
        .lines()
        .map(|line| serde_json::from_str::<model::Record>(line).unwrap().number)
        .collect();
    assert_eq!(restored(folder), expected);
    // Nothing but the complete lines is left, so that every reader understands the journal.
    assert_eq!(fs::read(folder.join("matches.jsonl")).unwrap(), whole);
}

#[test]
fn a_journal_cut_at_any_point_is_continued() {
    // A process that another test starts would keep the folder locked for a moment.
    if !is_alone("power_cut::a_journal_cut_at_any_point_is_continued") {
        return;
    }
    let (cup, journal) = played();
    let folder = cup.path("results/cup");
    for end in (0..journal.len()).step_by(41).chain([journal.len() - 1, journal.len()]) {
        check(&folder, &journal[..end]);
        // The length of the file is on the disk, but its last block is not.
        let mut left = journal[..end].to_vec();
        left.resize(end.next_multiple_of(BLOCK), 0);
        check(&folder, &left);
    }
    cup.run(&["--no-report"]).succeeds();
    assert_eq!(cup.rows("results/cup").len(), 8);
}

#[test]
fn blocks_that_did_not_reach_the_disk_are_played_again() {
    // A process that another test starts would keep the folder locked for a moment.
    if !is_alone("power_cut::blocks_that_did_not_reach_the_disk_are_played_again") {
        return;
    }
    let (cup, journal) = played();
    let folder = cup.path("results/cup");
    for start in (0..journal.len()).step_by(BLOCK) {
        let mut left = journal.clone();
        let end = (start + BLOCK).min(left.len());
        left[start..end].fill(0);
        check(&folder, &left);
    }
    cup.run(&["--no-report"]).succeeds();
    assert_eq!(cup.rows("results/cup").len(), 8);
}
