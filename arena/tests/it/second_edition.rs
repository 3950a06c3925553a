//! The protocol's second edition with real processes: resignation, agreement, pondering, numbers of the engine's own, and
//! what an engine of the first edition makes of it.

use std::collections::BTreeMap;
use std::fs;
use std::process::Output;

use crate::common::tournament::{Ended, Tournament, said};
use model::{Record, SideLetter};
use ratings::MatchResult;

/// One pair of matches of Push Push with time enough on any machine.
const HEAD: &str =
    "[limits]\nbase = \"60s\"\nmax-plies = 12\n[[game]]\nid = \"push-push\"\nopening-plies = 0\n";

/// The tournament with these keys of `[tournament]`.
fn tournament(keys: &str, engines: &[(&str, &str)]) -> Tournament {
    Tournament::new(&format!("[tournament]\n{keys}\n{HEAD}"), engines)
}

/// Plays it: what it prints, and its records.
fn play(tournament: &Tournament) -> (Output, Vec<Record>) {
    let output = tournament.run(&["--log", "protocol"]).succeeds();
    (output, tournament.records("results/cup"))
}

/// The protocol log of a match: the lines of this engine, without their times.
fn log(tournament: &Tournament, number: u32, engine: &str) -> Vec<String> {
    let path = tournament.path(&format!("protocol/match-{number:06}.log"));
    let text = fs::read_to_string(path).unwrap();
    let of_engine = |line: &str| {
        let (_, line) = line.trim_start().split_once(' ')?;
        line.strip_prefix(engine)?.strip_prefix(' ').map(str::to_owned)
    };
    text.lines().filter_map(of_engine).collect()
}

#[test]
fn a_resignation_is_a_result_like_any_other() {
    let cup = tournament("", &[("tired", "second-resign"), ("good", "good")]);
    let (_, records) = play(&cup);
    let ends: Vec<_> = records.iter().map(|it| (it.result, it.reason.as_str(), it.plies)).collect();
    assert_eq!(ends, [(MatchResult::BlackWins, "resign", 4), (MatchResult::WhiteWins, "resign", 5)]);
    assert!(records.iter().all(|record| record.evidence.is_none()));
    // Everything that reads results knows it: it is no forfeit.
    cup.verifies("results/cup");
    assert!(cup.arena(&["show", "results/cup", "1"]).text().contains("0-1, resign, after 4 plies"));
    for file in ["results/cup/matches.csv", "results/cup"] {
        let table = cup.arena(&["rate", file, "--format", "csv"]).text();
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let forfeits = rows.headers().unwrap().iter().position(|name| name == "forfeits").unwrap();
        let counts: Vec<String> = rows.records().map(|row| row.unwrap()[forfeits].to_owned()).collect();
        assert!(2 <= counts.len() && counts.iter().all(|count| count == "0"), "{table}");
    }
    let pgn = "[Event \"cup\"]\n[White \"tired\"]\n[Black \"good\"]\n[Result \"0-1\"]\n[Termination \"resign\"]\n\n0-1\n\n\
               [Event \"cup\"]\n[White \"good\"]\n[Black \"tired\"]\n[Result \"1/2-1/2\"]\n[Termination \"agreement\"]\n\n1/2-1/2\n";
    fs::write(cup.path("cup.pgn"), pgn).unwrap();
    let table = cup.arena(&["rate", "cup.pgn"]).text();
    assert!(table.contains("tired") && !table.contains("many forfeits"), "{table}");
}

#[test]
fn without_resignation_the_word_is_an_illegal_move() {
    let cup = tournament("resign = false", &[("tired", "second-resign"), ("good", "good")]);
    let (_, records) = play(&cup);
    for record in records {
        assert_eq!(record.reason, "illegal-move");
        assert!(record.evidence.unwrap().contains("(this tournament has `resign = false`)"));
    }
    cup.verifies("results/cup");
}

#[test]
fn both_engines_agree_to_a_draw() {
    let cup = tournament("", &[("one", "second-draw"), ("two", "second-draw")]);
    let (_, records) = play(&cup);
    for record in &records {
        assert_eq!(
            (record.result, record.reason.as_str(), record.plies),
            (MatchResult::Draw, "agreement", 2)
        );
        assert!(record.moves.iter().all(|mv| mv.draw));
    }
    let black = log(&cup, 1, "two");
    assert!(black.iter().any(|line| line.starts_with("> go ") && line.ends_with(" drawoffer")), "{black:?}");
    assert_eq!(black.iter().filter(|line| *line == "> gameover draw agreement").count(), 1, "{black:?}");
    cup.verifies("results/cup");
    assert!(cup.arena(&["show", "results/cup", "1"]).text().contains("draw offered"));
}

#[test]
fn one_side_alone_does_not_agree() {
    let cup = tournament("", &[("one", "second-draw"), ("two", "good")]);
    let (output, records) = play(&cup);
    assert!(records.iter().all(|record| record.reason == "move-cap"));
    assert!(!said(&output).contains("draw"), "{}", said(&output));
    // An engine of the first edition passes over what it does not know.
    assert!(log(&cup, 1, "two").iter().any(|line| line.ends_with(" drawoffer")));
}

#[test]
fn offers_that_are_not_allowed_are_ignored_with_one_warning_for_each_engine() {
    let head = HEAD.replace("opening-plies = 0", "opening-plies = 2");
    let head = format!("[tournament]\ndraw-offers = false\npairs = 2\n{head}");
    let cup = Tournament::new(&head, &[("one", "second-draw"), ("two", "second-draw")]);
    let (output, records) = play(&cup);
    assert!(records.iter().all(|record| record.reason == "move-cap"));
    assert!(log(&cup, 1, "two").iter().all(|line| !line.contains("drawoffer")));
    let text = said(&output);
    for engine in ["one", "two"] {
        let warning = format!(
            "engine `{engine}` offers a draw, which is ignored: the tournament has `draw-offers = false`"
        );
        assert_eq!(text.matches(&warning).count(), 1, "{text}");
    }
    cup.verifies("results/cup");
}

#[test]
fn an_engine_of_the_first_edition_plays_unchanged() {
    let cup = tournament("ponder = true", &[("old", "good"), ("new", "ponder-good")]);
    let (_, records) = play(&cup);
    assert!(records.iter().all(|record| record.reason == "move-cap" && record.ponder));
    let lines = log(&cup, 1, "old");
    let known = [
        "ugi",
        "quit",
        "setoption name Game",
        "uginewgame",
        "isready",
        "position fen",
        "go p1time",
        "gameover draw",
    ];
    for line in lines.iter().filter_map(|line| line.strip_prefix("> ")) {
        assert!(known.iter().any(|known| line.starts_with(known)), "{line}");
        assert!(!line.contains("ponder"), "{line}");
    }
}

#[test]
fn an_engine_ponders_and_its_clock_stands_still() {
    let cup = tournament("ponder = true\ncores = 2", &[("one", "ponder-good"), ("two", "ponder-good")]);
    let (_, records) = play(&cup);
    for record in &records {
        assert_eq!(record.reason, "move-cap");
        let hits: Vec<bool> = record.moves.iter().map(|mv| mv.ponder_hit).collect();
        assert_eq!(hits, [&[false, false][..], &[true; 10]].concat());
    }
    let lines = log(&cup, 1, "one");
    assert!(lines.contains(&"> setoption name Ponder value true".to_owned()), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("> go ponder p1time ")).count(), 5, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| *line == "> ponderhit").count(), 5, "{lines:?}");
    assert!(
        !lines.contains(&"> stop".to_owned()),
        "the reply to the last move would end the match: {lines:?}"
    );
    cup.verifies("results/cup");
}

#[test]
fn an_engine_that_guessed_wrong_is_stopped_and_asked_again() {
    let cup = tournament("ponder = true\ncores = 2", &[("one", "ponder-miss"), ("two", "ponder-chatty")]);
    let (_, records) = play(&cup);
    for record in &records {
        assert_eq!(record.reason, "move-cap", "{record:?}");
        let hits = |side| record.moves.iter().filter(move |mv| mv.side == side && mv.ponder_hit).count();
        let [one, two] = if record.white == "one" {
            [SideLetter::White, SideLetter::Black]
        } else {
            [SideLetter::Black, SideLetter::White]
        };
        // What is written while it ponders, much or little, holds nobody up.
        assert_eq!((hits(one), hits(two)), (0, 5));
    }
    let lines = log(&cup, 1, "one");
    let stops: Vec<usize> = (0..lines.len()).filter(|&idx| lines[idx] == "> stop").collect();
    assert_eq!(stops.len(), 5, "{lines:?}");
    for idx in stops {
        assert!(lines[idx + 1].starts_with("< bestmove "), "the move that nobody wants: {lines:?}");
    }
}

#[test]
fn an_offer_with_the_expected_move_needs_another_go() {
    let cup = tournament("ponder = true\ncores = 2", &[("one", "ponder-good"), ("two", "second-draw")]);
    let (_, records) = play(&cup);
    assert!(records.iter().all(|record| record.reason == "move-cap"));
    assert!(records.iter().flat_map(|record| &record.moves).all(|mv| !mv.ponder_hit));
    let lines = log(&cup, 1, "one");
    assert!(!lines.contains(&"> ponderhit".to_owned()), "{lines:?}");
    for stop in (0..lines.len()).filter(|&idx| lines[idx] == "> stop") {
        let next = lines[stop..].iter().find(|line| line.starts_with("> go ")).unwrap();
        assert!(next.ends_with(" drawoffer"), "{lines:?}");
    }
    assert!(lines.contains(&"> stop".to_owned()), "{lines:?}");
}

#[test]
fn an_option_that_cannot_be_read_is_ignored_with_a_warning() {
    let cup = tournament("", &[("odd", "slip-option"), ("good", "good")]);
    let (output, records) = play(&cup);
    assert!(records.iter().all(|record| record.reason == "move-cap"));
    output.says("engine `odd`: ignored an option that cannot be read: `option name Hash");
}

#[test]
fn an_engine_that_ends_at_gameover_is_replaced() {
    let cup = tournament("", &[("over", "second-over"), ("good", "good")]);
    let (_, records) = play(&cup);
    assert!(records.iter().all(|record| record.reason == "move-cap"), "{records:?}");
}

/// What it computes then is not for nothing.
#[test]
fn the_clock_runs_until_an_engine_has_stopped_pondering() {
    let cup = tournament("ponder = true\ncores = 2", &[("one", "ponder-late"), ("two", "good")]);
    let (_, records) = play(&cup);
    for record in &records {
        assert_eq!(record.reason, "move-cap", "{record:?}");
        let one = if record.white == "one" { SideLetter::White } else { SideLetter::Black };
        let moves: Vec<_> = record.moves.iter().filter(|mv| mv.side == one).collect();
        assert!(moves[1..].iter().all(|mv| 150_000 <= mv.time_us), "{moves:?}");
    }
    // The time that is left is sent.
    let left = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let place = words.iter().position(|word| *word == "p1time" || *word == "p2time")?;
        words[place + 1].parse::<u64>().ok()
    };
    let record = records.iter().find(|record| record.white == "one").unwrap();
    let lines = log(&cup, record.number, "one");
    let asked: Vec<u64> =
        lines.iter().filter(|line| line.starts_with("> go p1time ")).filter_map(left).collect();
    assert!(5 <= asked.len(), "{lines:?}");
    for (idx, left) in asked.iter().enumerate().skip(1) {
        assert!(*left <= 60_000 - 150 * idx as u64, "{asked:?}");
    }
    cup.verifies("results/cup");
}

#[test]
fn a_fault_while_pondering_is_judged_at_the_next_move() {
    for (mode, reason, evidence) in [
        ("ponder-early", "protocol-error", "came before `ponderhit` or `stop`"),
        ("ponder-exit", "crash", "ended with exit status: 3; the end of its standard error:\nlast words"),
    ] {
        let cup = tournament("ponder = true\ncores = 2", &[("faulty", mode), ("good", "ponder-miss")]);
        let (_, records) = play(&cup);
        assert!(records.iter().all(|record| record.reason == reason), "{mode}: {records:?}");
        for record in records {
            assert_eq!(record.loser(), Some("faulty"), "{mode}");
            assert!(record.evidence.as_ref().unwrap().contains(evidence), "{record:?}");
            // Its second move answers its first `go ponder`; it fails at the second one.
            let faulty = if record.white == "faulty" { SideLetter::White } else { SideLetter::Black };
            assert_eq!(record.moves.iter().filter(|mv| mv.side == faulty).count(), 2, "{record:?}");
        }
        cup.verifies("results/cup");
    }
}

#[test]
fn an_engine_that_does_not_answer_loses_by_the_clock_or_by_the_protocol() {
    let limits = HEAD.replace("base = \"60s\"", "movetime = \"200ms\"\nmargin = \"100ms\"");
    // At `ponderhit` and at `stop`, its clock runs. An engine that does not stop breaks the protocol.
    let no_move = "no `bestmove` within 2s after `stop` while it pondered";
    for (mode, reason, evidence) in
        [("ponder-silent", "time", "no move after"), ("ponder-mute", "protocol-error", no_move)]
    {
        let head = format!("[tournament]\nponder = true\ncores = 2\n{limits}");
        for record in play(&Tournament::new(&head, &[("silent", mode), ("other", "good")])).1 {
            assert_eq!((record.reason.as_str(), record.loser()), (reason, Some("silent")), "{record:?}");
            assert!(record.evidence.as_ref().unwrap().contains(evidence), "{record:?}");
        }
    }
}

#[test]
fn a_run_is_not_continued_with_other_rules() {
    let cup = tournament("", &[("one", "ponder-good"), ("two", "ponder-good")]);
    play(&cup);
    for key in ["ponder = true", "resign = false", "draw-offers = false"] {
        let text = fs::read_to_string(cup.path("cup.toml")).unwrap();
        let changed = text.replacen("[tournament]\n", &format!("[tournament]\n{key}\n"), 1);
        fs::write(cup.path("changed.toml"), changed).unwrap();
        let output = cup.arena(&["run", "changed.toml", "--results", "results/cup"]);
        let text = said(&output);
        assert!(!output.status.success() && text.contains(&format!("+ rules.{key}")), "{key}: {text}");
    }
}

#[test]
fn two_engines_that_ponder_need_processors_together() {
    let cup = tournament("ponder = true\ncores = 1", &[("one", "ponder-good"), ("two", "good")]);
    cup.run(&[]).says("a match of `one` and `two` needs 2 processors");
    // Without an engine that ponders, nothing changes.
    let cup = tournament("ponder = true\ncores = 1", &[("one", "good"), ("two", "good")]);
    cup.run(&[]).succeeds().says("`ponder = true` has no effect");
}

#[test]
fn numbers_of_the_engine_are_recorded_per_move() {
    let cup = tournament("", &[("one", "second-stat"), ("two", "good")]);
    let (_, records) = play(&cup);
    let of_one: Vec<_> = records[0].moves.iter().filter(|mv| mv.side == SideLetter::White).collect();
    for (n, mv) in (1..).zip(of_one) {
        assert_eq!(mv.stats, BTreeMap::from([("constant".to_owned(), -7), ("moves".to_owned(), n)]));
        assert_eq!((mv.depth, mv.nodes), (Some(1), Some(1)), "they do not hide the search");
    }
    assert!(records[0].moves.iter().filter(|mv| mv.side == SideLetter::Black).all(|mv| mv.stats.is_empty()));
    // The report sums them: 6 moves in each of the two matches, numbered from 1.
    let page = fs::read_to_string(cup.path("results/cup/report.html")).unwrap();
    let rows: Vec<&str> = page.split("<tr>").filter(|row| row.contains("<bdi>moves</bdi>")).collect();
    assert_eq!(rows.len(), 1);
    for cell in [">12<", ">42<", ">3.50<", ">6<"] {
        assert!(rows[0].contains(cell), "{cell}: {}", rows[0]);
    }
}
