//! Openings of whole tournaments: when they are drawn, and what happens when there are too few.

use std::fs;

use crate::common::tournament::{Ended, Tournament, printed, said};
use engine_proto::GameId;

const ENGINES: [(&str, &str); 2] = [("one", "good"), ("two", "good")];
/// One of the 8 first moves lets a side force the end.
const SEVEN: &str = "[limits]\nnodes = 1\nmax-plies = 2\n[[game]]\nid = \"push-push\"\n\
                     start = \"7/3*3/3C3/7/7/2c4/7 w - - 5 40\"\nopening-plies = 1\n";

/// To draw a million openings of each game takes an hour.
#[test]
fn a_tournament_of_a_million_pairs_begins_at_once() {
    let head = "[tournament]\npairs = 1_000_000\nconcurrency = 2\n[limits]\nnodes = 1\n\
                [stop.sprt]\nelo0 = 0\nelo1 = 50\nbatch = 2\n";
    let cup = Tournament::new(head, &[("good", "good"), ("weak", "weak-100")]);
    let dry = cup.run(&["--dry-run"]).succeeds();
    let n_matches = 2 * 1_000_000 * GameId::BUILT_IN.len();
    assert!(printed(&dry).contains(&format!("at most {} matches", ratings::count(n_matches as u64))));
    cup.run(&["--no-report"]).succeeds();
    let n_played = cup.rows("results/cup").len();
    assert!(n_played < 500, "{n_played}");
    // Decided is decided: the same command goes through the results and plays nothing more.
    cup.run(&["--no-report"]).succeeds();
    assert_eq!(cup.rows("results/cup").len(), n_played);
}

#[test]
fn too_few_openings_are_said_before_the_first_match_where_that_is_easy_to_see() {
    for (game, pairs, message) in [
        (
            "id = \"tower-push\"\nstart = \"5x5\"\nopening-plies = 1\n",
            "14",
            "only 13 different openings were found for `tower-push`",
        ),
        (
            "id = \"four-towers\"\nopening-plies = 0\n",
            "2",
            "only 1 different openings were found for `four-towers`",
        ),
        (
            "id = \"push-push\"\nopenings = \"two.txt\"\n",
            "3",
            "only 2 different openings were found for `push-push`",
        ),
    ] {
        let cup = Tournament::new(&format!("[limits]\nnodes = 1\n[[game]]\n{game}"), &ENGINES);
        let openings = "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0\nabcdcba/7/7/3*3/7/2C4/AB1DCBA b 3c2 - 1 1\n";
        fs::write(cup.path("two.txt"), openings).unwrap();
        for args in [&["--pairs", pairs][..], &["--pairs", pairs, "--dry-run"]] {
            cup.run(args).fails(3).says(message);
            assert!(!cup.path("results/cup/matches.jsonl").exists(), "nothing was played");
        }
    }
}

#[test]
fn openings_that_run_out_stop_the_tournament_and_lose_nothing() {
    for concurrency in [1, 2] {
        let head = format!("[tournament]\npairs = 8\nconcurrency = {concurrency}\n{SEVEN}");
        let cup = Tournament::new(&head, &ENGINES);
        // The same is decided again whenever it is gone on with.
        for _ in 0..2 {
            let output = cup
                .run(&["--no-report"])
                .fails(3)
                .says("stopped after 14 of 16 matches, all of which are stored: only 7 different openings");
            assert!(printed(&output).contains("one"), "the standings so far are printed");
            let rows = cup.rows("results/cup");
            assert_eq!(rows.iter().map(|row| &row[0]).collect::<Vec<_>>().len(), 14);
        }
        cup.run(&["--no-report", "--pairs", "7"]).succeeds();
        assert_eq!(cup.rows("results/cup").len(), 14);
    }
}

#[test]
fn more_matches_than_are_possible_are_refused() {
    let cup = Tournament::new("[limits]\nnodes = 1\n", &ENGINES);
    let most = 100_000_000;
    let n_games = GameId::BUILT_IN.len() as u64;
    let pairs = most / (2 * n_games) + 1;
    let output = cup.run(&["--pairs", &pairs.to_string(), "--dry-run"]).fails(3);
    let n_matches = 2 * n_games * pairs;
    assert_eq!(
        said(&output),
        format!(
            "error: the tournament has {n_matches} matches, but at most {most} are possible; lower `pairs`\n"
        )
    );
}

/// A run that is gone on with plays from the openings that it would have played from at once.
#[test]
fn openings_are_the_same_in_one_run_and_in_many() {
    let head = "[tournament]\npairs = 1\nconcurrency = 2\n[limits]\nnodes = 1\nmax-plies = 2\n";
    let records = |cup: &Tournament| {
        let records = cup.records("results/cup").into_iter();
        records.map(|record| (record.number, record.opening)).collect::<Vec<_>>()
    };
    let whole = Tournament::new(head, &ENGINES);
    whole.run(&["--no-report", "--pairs", "5"]).succeeds();
    let parts = Tournament::new(head, &ENGINES);
    for pairs in ["1", "2", "5"] {
        parts.run(&["--no-report", "--pairs", pairs]).succeeds();
    }
    assert_eq!(records(&whole), records(&parts));
    assert_eq!(records(&whole).len(), GameId::BUILT_IN.len() * 5 * 2);
}
