//! The report of a real tournament with clocks, in a real browser: one match of each game is stepped through to its end by the
//! page's own controls, and any error of the page's scripts fails the test. Needs Chromium and a report, so `cargo test`
//! leaves it out:
//!
//! ```sh
//! ARENA_REPORT="$PWD/results/quick/report.html" cargo it report_of_a_run:: --include-ignored
//! ```
//!
//! The path is an absolute one. The tournament has a clock and plays all games, as `configs/quick.toml` does. `CHROMIUM` names
//! another browser program.

use crate::common::browser;

use std::path::PathBuf;

use browser::Browser;
use engine_proto::GameId;
use serde_json::{Value, json};

/// What a reader sees of the match that is shown.
const SEEN: &str = "({
  title: document.getElementById('match-title').textContent,
  ply: Number(document.getElementById('ply').value),
  n_plies: Number(document.getElementById('ply').max),
  fen: document.getElementById('fen').value,
  said: document.getElementById('said').textContent,
  n_pieces: document.querySelectorAll('#board .piece').length,
  clocks: [...document.querySelectorAll('.player .clock')].map((clock) => clock.textContent),
  charts: [...document.querySelectorAll('#match .chart:has(svg) figcaption')].map((title) => title.firstChild.textContent),
})";

#[test]
#[ignore = "needs Chromium, and a report that ARENA_REPORT names"]
fn one_match_of_each_game_is_stepped_through() {
    let report = std::env::var_os("ARENA_REPORT").expect("ARENA_REPORT names the report of a run");
    let report = PathBuf::from(report);
    assert!(report.is_absolute() && report.is_file(), "there is no report at {}", report.display());

    let mut browser = Browser::start();
    browser.open(&report);
    for game in GameId::BUILT_IN {
        browser.click(".sections a[href='#matches']");
        browser.wait_for("!document.getElementById('matches').hidden");
        browser.evaluate(&format!(
            "(() => {{ const field = document.getElementById('filter').elements.game;
               field.value = {};
               field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
            json!(game.id())
        ));
        let n_matches = browser.evaluate("document.querySelectorAll('#match-list tr.match').length");
        assert_ne!(n_matches, 0, "no match of {game}");
        browser.click("#match-list tr.match a");
        browser.wait_for("!document.getElementById('match').hidden");
        step_to_the_end(&mut browser, *game);
    }
    assert_eq!(browser.errors, [""; 0]);
    let has_shown_errors = browser.evaluate("!document.getElementById('script-errors').hidden");
    assert_eq!(has_shown_errors, false);
}

/// Clicks "forward" until the match that is shown is over.
fn step_to_the_end(browser: &mut Browser, game: GameId) {
    let mut seen = browser.evaluate(SEEN);
    let n_plies = seen["n_plies"].as_u64().unwrap();
    assert!(0 < n_plies, "{game}: a match without moves: {seen}");
    for ply in 1..=n_plies {
        browser.click("[data-step=forward]");
        let before = seen;
        seen = browser.evaluate(SEEN);
        assert_eq!(browser.errors, [""; 0], "{game}: errors of the page's scripts");
        assert_eq!(seen["ply"], ply, "{game}: {seen}");
        assert_ne!(seen["fen"], before["fen"], "{game}: the position does not change: {seen}");
        assert_ne!(seen["n_pieces"], 0, "{game}: the board is empty: {seen}");
        let said = seen["said"].as_str().unwrap();
        assert!(said.starts_with("After ") && (ply != 1 || said.starts_with("After 1. ")), "{game}: {seen}");
        let is_over = ["White wins", "Black wins", "Draw"].iter().any(|result| said.contains(result));
        assert_eq!(is_over, ply == n_plies, "{game}: {seen}");
        let clocks = seen["clocks"].as_array().unwrap();
        assert!(clocks.len() == 2 && clocks.iter().all(is_clock), "{game}: no clocks: {seen}");
        let charts: Vec<_> = seen["charts"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(
            charts.ends_with(&["Remaining time", "Time per move"]),
            "{game}: no chart of the clocks: {seen}"
        );
    }
}

/// `0:12.3`, or `0:09.876` below ten seconds.
fn is_clock(text: &Value) -> bool {
    let parts = text.as_str().and_then(|text| text.split_once(':'));
    parts.is_some_and(|(minutes, seconds)| {
        let is_short = minutes == "0" && seconds.starts_with('0');
        minutes.parse::<u32>().is_ok()
            && seconds.len() == if is_short { 6 } else { 4 }
            && seconds.parse::<f64>().is_ok()
    })
}
