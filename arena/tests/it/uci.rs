//! Chess engines that speak UCI, as real processes: the fake one always, those of Debian where they are installed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::fake_engine;
use crate::common::tournament::{Ended, Tournament, arena, printed};
use model::Record;

/// The records of a tournament, in order, after it was played without a fault.
fn play(tournament: &Tournament) -> Vec<Record> {
    tournament.run(&["--log", "protocol"]).succeeds();
    let records = tournament.records("results/cup");
    assert!(records.iter().all(|record| record.evidence.is_none()), "no engine is at fault: {records:#?}");
    records
}

/// The lines that were sent to this engine in a match.
fn sent(tournament: &Tournament, number: u32, engine: &str) -> Vec<String> {
    let text = fs::read_to_string(tournament.path(&format!("protocol/match-{number:06}.log"))).unwrap();
    let of_engine = |line: &str| {
        let (_, line) = line.trim_start().split_once(' ')?;
        line.strip_prefix(engine)?.strip_prefix(" > ").map(str::to_owned)
    };
    text.lines().filter_map(of_engine).collect()
}

const CHESS: &str =
    "[limits]\nbase = \"60s\"\nincrement = \"1s\"\nmax-plies = 40\n[[game]]\nid = \"chess\"\n";

#[test]
fn chess_engines_play_without_a_word_about_their_protocol() {
    let cup = Tournament::new(&format!("{CHESS}opening-plies = 0\n"), &[("one", "uci"), ("two", "uci")]);
    let records = play(&cup);
    assert_eq!(records.len(), 2);
    for record in &records {
        assert!(
            record.moves.iter().all(|mv| mv.depth == Some(1) && mv.nodes == Some(20)),
            "bounds and lines without a score do not count"
        );
        // The engine says `mate 3`, in moves of one side.
        assert_eq!(record.moves[0].score.as_deref(), Some("win 5"));
        assert_eq!(record.moves[0].nodes, Some(20));
    }
    let lines = sent(&cup, 1, "one");
    for expected in [
        "ucinewgame",
        "setoption name UCI_Chess960 value false",
        "setoption name UCI_Opponent value none none computer two",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}: {lines:#?}");
    }
    let first = lines.iter().position(|line| line.starts_with("position")).unwrap();
    assert_eq!(lines[first], "position startpos");
    assert!(
        lines[first + 1].starts_with("go wtime 60000 btime 60000 winc 1000 binc 1000"),
        "{}",
        lines[first + 1]
    );
    arena(cup.folder.path(), &["verify", "results/cup"]).succeeds();
}

#[test]
fn castling_in_either_spelling_is_played() {
    let head = "[limits]\nnodes = 1\nmax-plies = 6\n[[game]]\nid = \"chess\"\n\
                start = \"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1\"\nopening-plies = 0\n\
                [[game]]\nid = \"chess960\"\nopening-plies = 0\n\
                start = \"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1\"\n";
    let cup = Tournament::new(head, &[("one", "uci"), ("two", "uci")]);
    for record in play(&cup) {
        let castled: Vec<&str> = record.moves[..2].iter().map(|mv| mv.mv.as_str()).collect();
        let expected = if record.game.id() == "chess" { ["e1g1", "e8g8"] } else { ["e1h1", "e8h8"] };
        assert_eq!(castled, expected, "{}", record.game);
    }
}

#[test]
fn engines_of_both_protocols_meet_engines_of_each() {
    let head = "[limits]\nnodes = 1\nmax-plies = 4\n[[game]]\nid = \"chess\"\n[[game]]\nid = \"push-push\"\n";
    let engines = [("u1", "uci"), ("u2", "uci"), ("g1", "good"), ("g2", "good")];
    let records = play(&Tournament::new(head, &engines));
    let games: Vec<(&str, bool)> =
        records.iter().map(|record| (record.game.id(), record.white.starts_with('u'))).collect();
    assert_eq!(games.len(), 4, "each protocol plays one game, in one pair");
    assert!(games.iter().all(|(game, is_uci)| (*game == "chess") == *is_uci), "{games:?}");
}

#[test]
fn pondering_in_uci() {
    let head = format!("[tournament]\nponder = true\ncores = 4\npin = false\n{CHESS}opening-plies = 0\n");
    let cup = Tournament::new(&head, &[("one", "uci"), ("two", "uci")]);
    let records = play(&cup);
    assert!(records.iter().any(|record| record.moves.iter().any(|mv| mv.ponder_hit)));
    let lines = sent(&cup, 1, "one");
    assert!(lines.iter().any(|line| line.starts_with("go ponder wtime")), "{lines:#?}");
    assert!(lines.iter().any(|line| line == "ponderhit"), "{lines:#?}");
}

#[test]
fn an_engine_that_answers_neither_is_absent() {
    let head = format!("[timeouts]\nstart = \"300ms\"\n{CHESS}");
    let cup = Tournament::new(&head, &[("one", "uci"), ("two", "uci"), ("mute", "uci-quiet")]);
    cup.run(&[]).says("engine `mute` did not say `ugiok` or `uciok` within 300ms");
    // The key names the protocol, so that nothing else is tried.
    cup.add("protocol = \"uci\"");
    cup.run(&["--results", "other"]).says("engine `mute` did not say `uciok` within 300ms");
}

#[test]
fn the_check_speaks_uci() {
    let engine = fake_engine();
    let engine = engine.to_str().unwrap();
    let output = arena(".", &["check", "--protocol", "uci", engine, "uci"]).succeeds();
    let report = printed(&output);
    assert!(report.contains("`uciok` after"), "{report}");
    let output = arena(".", &["check", "--protocol", "uci", "--timeout", "300ms", engine, "good"]).fails(6);
    assert!(printed(&output).contains("no `uciok` within 300ms"));
    // In chess, its protocol is the one that it answers.
    let found = |mode| arena(".", &["check", "--game", "chess", "--only", "quit", engine, mode]);
    assert!(printed(&found("uci").succeeds()).contains("`uciok` after"));
    found("good").fails(4).says("does not list the game `chess` in its option `Game`");
}

/// What UCI does not promise, or no match needs, is no failure.
#[test]
fn an_engine_that_only_plays_passes_the_check() {
    let engine = fake_engine();
    let args =
        ["check", "--json", "--protocol", "uci", "--timeout", "1s", engine.to_str().unwrap(), "uci-plain"];
    let output = arena(".", &args).succeeds();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let warned: Vec<&str> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["verdict"] == "warn")
        .map(|check| check["check"].as_str().unwrap())
        .collect();
    for check in ["isready-thinking", "nodes", "white-space", "quit-thinking"] {
        assert!(warned.contains(&check), "{check}: {warned:?}");
    }
    assert_eq!(report["failed"], 0);
}

/// Engines that play well pass.
#[test]
fn engines_of_debian_pass_the_check() {
    let names = ["stockfish", "fairy-stockfish", "ethereal-chess", "toga2", "glaurung", "gnuchess"];
    for engine in names.iter().filter_map(|name| installed(name)) {
        let mut args = vec!["check", "--protocol", "uci", "--timeout", "5s", engine.to_str().unwrap()];
        if engine.ends_with("gnuchess") {
            args.extend(["--", "--uci"]);
        }
        arena(".", &args).succeeds();
    }
}

#[test]
fn engines_of_debian() {
    let found: Vec<PathBuf> =
        ["stockfish", "fairy-stockfish"].iter().filter_map(|name| installed(name)).collect();
    let [one, rest @ ..] = found.as_slice() else {
        eprintln!("left out: neither `stockfish` nor `fairy-stockfish` is installed");
        return;
    };
    let other = rest.first().unwrap_or(one);
    let engine = |name: &str, program: &Path| {
        format!("[[engine]]\nname = \"{name}\"\ncommand = {}\n", toml::Value::from(program.to_str().unwrap()))
    };
    let cup = Tournament::new("", &[]);
    let games = "[[game]]\nid = \"chess\"\n[[game]]\nid = \"chess960\"\nopening-plies = 0\n";
    let config = format!(
        "[limits]\nnodes = 500\nmax-plies = 60\n{games}{}{}",
        engine("one", one),
        engine("other", other)
    );
    fs::write(cup.path("cup.toml"), config).unwrap();
    let records = play(&cup);
    assert_eq!(records.len(), 4);
    for record in &records {
        assert!(record.moves.iter().all(|mv| mv.score.is_some() && mv.depth.is_some()), "{record:#?}");
    }
}

/// A program on `PATH`, or where Debian puts games.
fn installed(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&paths).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[test]
fn the_wrong_protocol_is_named_at_once() {
    let head = "[limits]\nnodes = 10\n[[game]]\nid = \"push\"\n";
    let cup = Tournament::new(head, &[("one", "slip-uciok"), ("two", "good")]);
    let why = "engine `one` did not say `ugiok`: it said `uciok`: in games other than chess, a UCI engine needs `protocol = \"uci\"`";
    cup.run(&[]).fails(4).says(why);
    let head = format!("{head}[timeouts]\nstart = \"300ms\"\n");
    let cup = Tournament::new(&head, &[("one", "uci"), ("two", "good")]);
    cup.run(&[]).fails(4).says(
        "did not say `ugiok` within 300ms; it said `Unknown command: 'ugi'. Type help for more information.`; if this is a UCI engine, it needs `protocol = \"uci\"`, or on a command line the game `chess`",
    );
}
