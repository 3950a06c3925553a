//! `arena analyse` by requests.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use engine_proto::{GameId, Games};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::text;
use crate::common::fake_engine;
use crate::common::journal::{self, MadeUp};
use crate::common::site::{Events, LONGEST_WAIT, Site};

/// `arena analyse` with these arguments.
fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder).arg("analyse").args(args);
    command
}

fn engine(name: &str, mode: &str) -> [String; 2] {
    ["--engine".to_owned(), format!("{name}={} {mode}", fake_engine().display())]
}

/// A person at the page.
struct Analyst {
    site: Site,
    events: Events,
    /// All that the page was told: each part as it was told last.
    now: Value,
    _folder: TempDir,
}

impl Analyst {
    fn start(args: &[&str], engines: &[[String; 2]]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), args, engines)
    }

    fn start_in(folder: TempDir, args: &[&str], engines: &[[String; 2]]) -> Self {
        let site = Site::start(command(folder.path(), args).args(engines.iter().flatten()));
        let events = site.events(None);
        let mut analyst = Self { site, events, now: json!({}), _folder: folder };
        analyst.wait("a position", |now| now["tree"].is_object());
        analyst
    }

    /// Waits until the page shows something.
    fn wait(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) {
        let since = Instant::now();
        while !is_so(&self.now) {
            assert!(since.elapsed() < LONGEST_WAIT, "not within {LONGEST_WAIT:?}: {what}; {}", self.now);
            let next = self.events.next().unwrap_or_else(|| panic!("never: {what}; {}", self.now)).2;
            for (key, value) in next.as_object().unwrap() {
                self.now[key] = value.clone();
            }
        }
    }

    fn act(&self, action: &Value) -> u16 {
        let origin = format!("http://{}", self.site.host);
        let headers = [("Origin", origin.as_str()), ("Content-Type", "application/json")];
        self.site.ask("POST", &format!("{}act", self.site.path), &headers, &action.to_string()).0
    }

    /// Plays moves from the shown position, and waits until the page shows the last one.
    fn play(&mut self, moves: &[&str]) {
        let before = self.now["tree"]["command"].clone();
        let node = self.now["tree"]["current"].clone();
        assert_eq!(self.act(&json!({"do": "play", "node": node, "moves": moves})), 204);
        self.wait("the moves", |now| now["tree"]["command"] != before);
    }

    fn go(&mut self, node: usize) {
        self.act(&json!({"do": "go", "node": node}));
        self.wait("the position", |now| now["tree"]["current"] == node);
    }

    fn legal(&self) -> Vec<String> {
        serde_json::from_value(self.now["tree"]["legal"].clone()).unwrap()
    }
}

fn lines(now: &Value, engine: usize) -> &Value {
    &now["engines"][engine]["found"]["lines"]
}

/// Whether it searches, with something new or without.
fn searches(now: &Value, engine: usize) -> bool {
    ["searching", "quiet"].contains(&now["engines"][engine]["state"].as_str().unwrap())
}

fn first_move(now: &Value, engine: usize, line: usize) -> &Value {
    &lines(now, engine)[line]["moves"][0]
}

#[test]
fn engines_search_what_is_shown() {
    let mut analyst = Analyst::start(
        &["push-push", "--lines", "2"],
        &[engine("many", "second-analyse"), engine("one", "good"), engine("lost", "ready-exit")],
    );
    assert_eq!(analyst.now["engines"][0]["state"], "idle");
    assert_eq!(analyst.now["engines"].as_array().map(Vec::len), Some(3));
    let moves = analyst.legal();
    analyst.act(&json!({"do": "start", "engine": 0}));
    analyst.wait("two lines", |now| lines(now, 0).as_array().is_some_and(|lines| lines.len() == 2));
    analyst.wait("depth 3", |now| now["engines"][0]["found"]["depth"] == 3 && lines(now, 0)[1]["depth"] == 3);
    assert_eq!(analyst.now["engines"][0]["most_lines"], 4);
    assert_eq!([0, 1].map(|line| first_move(&analyst.now, 0, line).as_str().unwrap().to_owned()), moves[..2]);
    assert_eq!(lines(&analyst.now, 0)[0]["score"], 50);
    // A line is played into the tree, and the engine goes on with the new position. Scores are those of White.
    let line: Vec<String> = serde_json::from_value(lines(&analyst.now, 0)[1]["moves"].clone()).unwrap();
    analyst.play(&line.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(analyst.now["tree"]["current"], 3);
    let next = analyst.legal()[0].clone();
    analyst.wait("lines of the new position", |now| *first_move(now, 0, 0) == json!(next));
    let fen = analyst.now["tree"]["position"]["fen"].as_str().unwrap();
    let to_move = Games::built_in().play(GameId::PUSH_PUSH, fen).unwrap().side_to_move();
    let score = if to_move == engine_proto::Side::White { 50 } else { -50 };
    assert_eq!(lines(&analyst.now, 0)[0]["score"], score);
    // More lines; the engine has no more than four.
    analyst.act(&json!({"do": "lines", "n": 9}));
    analyst.wait("four lines", |now| lines(now, 0).as_array().is_some_and(|lines| lines.len() == 4));
    // An engine that does not start, and one without lines.
    analyst.act(&json!({"do": "start", "engine": 2}));
    analyst.wait("a failure", |now| {
        now["engines"][2]["state"] == "failed" && now["engines"][2]["is_on"] == false
    });
    assert!(analyst.now["engines"][2]["why"].as_str().unwrap().starts_with("the process ended with "));
    analyst.act(&json!({"do": "start", "engine": 1}));
    analyst.wait("the other one", |now| searches(now, 1));
    assert!(searches(&analyst.now, 0));
    // It is removed, and the others keep their numbers; added again, it begins to search. What is no number starts nothing.
    analyst.act(&json!({"do": "remove-engine", "engine": 2}));
    analyst.wait("two engines", |now| {
        now["engines"].as_array().map(Vec::len) == Some(2) && now["others"][0] == json!([2, "lost"])
    });
    analyst.act(&json!({"do": "remove-engine", "engine": 0}));
    analyst.act(&json!({"do": "add-engine", "engine": 2}));
    analyst.wait("a failure", |now| {
        now["engines"][1]["state"] == "failed" && now["engines"][1]["id"] == 2 && now["others"][0][0] == 0
    });
    assert_eq!(analyst.act(&json!({"do": "add-engine", "engine": "/bin/sh"})), 422);
    analyst.act(&json!({"do": "add-engine", "engine": 99}));
    analyst.wait("a message", |now| now["said"] == "there is no such engine");
    analyst.act(&json!({"do": "remove-engine", "engine": 1}));
    analyst.act(&json!({"do": "remove-engine", "engine": 2}));
    analyst.act(&json!({"do": "add-engine", "engine": 0}));
    analyst.wait("lines", |now| lines(now, 0).as_array().is_some_and(|lines| lines.len() == 4));
    analyst.act(&json!({"do": "stop", "engine": 0}));
    analyst.wait("the end", |now| now["engines"][0]["state"] == "idle");
    // Its lines stay.
    assert_eq!(lines(&analyst.now, 0).as_array().map(Vec::len), Some(4));
    assert_eq!(analyst.now["engines"][0]["n_lines"], 9);
}

/// A machine can be too busy for an engine to answer `stop` at once.
#[test]
fn an_engine_stops_late() {
    let mut analyst = Analyst::start(&["push"], &[engine("busy", "infinite-busy")]);
    for (action, state) in [("start", "searching"), ("stop", "stopping"), ("stop", "idle")] {
        analyst.act(&json!({"do": action, "engine": 0}));
        analyst.wait(state, |now| now["engines"][0]["state"] == state);
    }
}

/// An engine that ends in the middle of a search is said to have done so, and can be started again.
#[test]
fn an_engine_ends_while_it_searches() {
    let mut analyst = Analyst::start(&["push"], &[engine("weak", "infinite-exit")]);
    for n in 0..2 {
        assert_eq!(analyst.now["engines"][0]["found"], json!(null), "it has not searched this position");
        analyst.act(&json!({"do": "start", "engine": 0}));
        analyst.wait("a search and its failure", |now| {
            let engine = &now["engines"][0];
            engine["state"] == "failed" && engine["is_on"] == false && engine["found"].is_object()
        });
        let why = analyst.now["engines"][0]["why"].as_str().unwrap().to_owned();
        assert!(why.starts_with("the process ended with "), "{why}");
        let mv = analyst.legal()[n].clone();
        analyst.play(&[&mv]);
    }
}

#[test]
fn branches_are_kept_walked_and_removed() {
    let mut analyst = Analyst::start(&["push-push"], &[]);
    let start = analyst.now["tree"]["position"]["fen"].clone();
    let moves = analyst.legal();
    analyst.play(&[&moves[0]]);
    let reply = analyst.legal()[0].clone();
    analyst.play(&[&reply]);
    let fen = analyst.now["tree"]["position"]["fen"].clone();
    analyst.go(0);
    assert_eq!(analyst.now["tree"]["position"]["fen"], start);
    analyst.play(&[&moves[1]]);
    let rows = json!([
        [1, 0, moves[0], "w", moves[0], false, null, null, ""],
        [3, 0, moves[1], "w", moves[1], false, null, null, ""],
        [2, 1, reply, "b", reply, false, null, null, ""]
    ]);
    assert_eq!(analyst.now["tree"]["nodes"], rows);
    analyst.go(2);
    assert_eq!(analyst.now["tree"]["position"]["fen"], fen);
    assert_eq!(
        analyst.now["tree"]["command"],
        format!("position fen {} moves {} {reply}", start.as_str().unwrap(), moves[0])
    );
    // What is no move is said, and changes nothing.
    analyst.act(&json!({"do": "play", "node": 2, "moves": ["a1a1<b>"]}));
    analyst.wait("a message", |now| {
        now["said"].as_str().is_some_and(|said| said.starts_with("`a1a1<b>` is not a legal move: "))
    });
    assert_eq!(analyst.now["tree"]["nodes"], rows);
    for _ in 0..2 {
        analyst.act(&json!({"do": "undo"}));
        analyst.wait("all of it", |now| now["tree"]["nodes"] == rows && now["removed"].is_null());
        analyst.act(&json!({"do": "remove", "node": 1}));
        analyst
            .wait("the removal", |now| now["tree"]["current"] == 0 && now["removed"] == json!([moves[0], 2]));
    }
    assert_eq!(analyst.now["tree"]["nodes"], json!([[3, 0, moves[1], "w", moves[1], false, null, null, ""]]));
    analyst.act(&json!({"do": "go", "node": 2}));
    analyst.wait("a message", |now| now["said"] == "this position has been removed");
    analyst.act(&json!({"do": "comment", "node": 0, "text": "x".repeat(2001)}));
    analyst.wait("a message", |now| now["said"] == "a comment has at most 2000 characters");
    // Another position, and one that is none.
    analyst.act(&json!({"do": "set-up", "fen": fen}));
    analyst.wait("the position", |now| now["tree"]["position"]["fen"] == fen);
    assert_eq!(analyst.now["tree"]["nodes"], json!([]));
    analyst.act(&json!({"do": "set-up", "fen": "7 w"}));
    analyst
        .wait("a message", |now| now["said"].as_str().is_some_and(|said| said.contains("this is not a FEN")));
    assert_eq!(analyst.now["tree"]["position"]["fen"], fen);
    // The tree before is kept, and so is the one that it replaces if it has moves.
    assert_eq!(analyst.now["tree"]["n_earlier"], 1);
    analyst.act(&json!({"do": "restore"}));
    analyst.wait("the earlier tree", |now| {
        now["tree"]["nodes"] == json!([[3, 0, moves[1], "w", moves[1], false, null, null, ""]])
    });
    assert_eq!(analyst.now["tree"]["n_earlier"], 0);
    for n in 1..=2 {
        let fen = if n == 1 { &analyst.now["tree"]["usual_start"] } else { &fen };
        analyst.act(&json!({"do": "set-up", "fen": fen}));
        analyst
            .wait("an empty tree", |now| now["tree"]["nodes"] == json!([]) && now["tree"]["n_earlier"] == n);
        let mv = analyst.legal()[0].clone();
        analyst.play(&[&mv]);
    }
    let last = analyst.now["tree"]["nodes"].clone();
    for _ in 0..3 {
        let before = analyst.now["tree"]["nodes"].clone();
        analyst.act(&json!({"do": "restore"}));
        analyst.wait("another tree", |now| now["tree"]["nodes"] != before);
        assert_eq!(analyst.now["tree"]["n_earlier"], 2);
    }
    assert_eq!(analyst.now["tree"]["nodes"], last);
    analyst.act(&json!({"do": "set-up", "fen": fen}));
    analyst.wait("the position", |now| now["tree"]["nodes"] == json!([]));
    // Whoever comes later sees all of it.
    let mut events = analyst.site.events(None);
    let (_, kind, mut news) = events.next().unwrap();
    assert_eq!(kind, "snapshot");
    while news["tree"]["position"]["fen"] != fen {
        news = events.next().unwrap().2;
    }
}

/// Nobody waits for an answer to an engine that searches without a page.
#[cfg(unix)]
#[test]
fn engines_pause_while_nobody_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    // An engine that writes down what it is told. It starts late, and finds nothing.
    let script = "sleep 0.2; while read -r line; do echo \"$line\" >> heard; case $line in \
                  ugi) echo 'option name Game type combo default push var push'; echo ugiok;; isready) echo readyok;; \
                  stop) echo bestmove a1a2;; quit) exit;; esac; done";
    fs::write(folder.path().join("engine.sh"), script).unwrap();
    let count = |word: &str| {
        let heard = fs::read_to_string(&heard).unwrap_or_default();
        heard.lines().filter(|line| *line == word).count()
    };
    let args = ["push", "--pause-after", "0.2", "--engine", "quiet=sh engine.sh"];
    let mut analyst = Analyst::start_in(folder, &args, &[]);
    // Stopped before it has started.
    analyst.act(&json!({"do": "start", "engine": 0}));
    analyst.wait("a start", |now| now["engines"][0]["state"] == "starting");
    analyst.act(&json!({"do": "stop", "engine": 0}));
    analyst.wait("its end", |now| now["engines"][0]["state"] == "idle");
    assert_eq!(count("go infinite"), 0);
    analyst.act(&json!({"do": "start", "engine": 0}));
    analyst.wait("a search", |now| searches(now, 0));
    // The page is closed: the last one, then.
    analyst.events = analyst.site.events(None);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(count("stop"), 0, "another page is open");
    analyst.events = Events::of(analyst.site.connect());
    let wait_for = |word: &str, n: usize| {
        let since = Instant::now();
        while count(word) < n {
            assert!(since.elapsed() < LONGEST_WAIT, "the engine is never told `{word}`");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait_for("stop", 1);
    assert_eq!(count("go infinite"), 1);
    // Somebody comes back.
    analyst.events = analyst.site.events(None);
    analyst.wait("a search", |now| searches(now, 0));
    wait_for("go infinite", 2);
    assert_eq!(count("stop"), 1);
}

/// A match of a results folder is the first line of the tree.
#[test]
fn a_match_is_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let league = MadeUp { engines: &["alpha", "beta"], games: &[GameId::PUSH_PUSH], pairs: 1, max_plies: 30 };
    let records = league.records();
    fs::create_dir(folder.path().join("cup")).unwrap();
    let journal: String = records.iter().map(journal::line).collect();
    fs::write(folder.path().join("cup/matches.jsonl"), journal).unwrap();
    let record = &records[1];
    let number = record.number.to_string();
    let analyst = Analyst::start_in(folder, &["cup", &number, "--ply", "4"], &[]);
    let tree = &analyst.now["tree"];
    assert_eq!(tree["nodes"].as_array().map(Vec::len), Some(record.moves.len()));
    assert_eq!(tree["current"], 4);
    let mut play = Games::built_in().play(record.game, &record.opening).unwrap();
    for mv in &record.moves[..4] {
        play.play(&mv.mv).unwrap();
    }
    assert_eq!(tree["position"]["fen"], play.fen());
    let title = tree["title"].as_str().unwrap();
    assert!(title.starts_with(&format!("Match {number}: ")) && title.contains("alpha"), "{title}");
}

/// So is one of a file.
#[test]
fn a_file_is_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[Event \"a\"]\n1. e4 *\n[Event \"b\"]\n1. d4 (1. c4 c5) d5 2. c4 *\n[Event \"c\"]\n1. e5 *\n";
    fs::write(folder.path().join("some.pgn"), text).unwrap();
    for folder in ["cup", "of-files"].map(|name| folder.path().join(name)) {
        fs::create_dir(folder).unwrap();
    }
    for file in ["some.csv", "of-files/a.pgn", "cup/matches.csv", "cup/matches.jsonl"] {
        fs::write(folder.path().join(file), "match,white,black,result\n").unwrap();
    }
    for (args, message) in [
        (["some.csv", "3"], "`some.csv` is no PGN file; give one, or a results folder"),
        (
            ["of-files", "3"],
            "`of-files` is no results folder; give one of its files, such as `arena analyse of-files/a.pgn`",
        ),
        (
            ["cup/matches.csv", "3"],
            "`cup/matches.csv` is a part of a results folder; write `arena analyse cup 3`",
        ),
        (
            ["some.pgn", "3"],
            "match 3 of 3 is not loaded: line 2 (line 6 of the whole text): 1. `e5` is not a legal move",
        ),
        (["some.pgn", "4"], "some.pgn: there is no match 4: the file has 3"),
        (["some.pgn", "0"], "some.pgn: there is no match 0"),
    ] {
        let output = command(folder.path(), &args).output().unwrap();
        assert!(super::text(&output.stderr).contains(message), "{}", super::text(&output.stderr));
    }
    let output = command(folder.path(), &["some.pgn", "2", "--ply", "99"]).output().unwrap();
    let message = "some.pgn: match 2 has no ply 99: it has plies 0 (the opening) to ";
    assert!(super::text(&output.stderr).contains(message), "{}", super::text(&output.stderr));
    let mut analyst = Analyst::start_in(folder, &["some.pgn", "2", "--ply", "2"], &[]);
    let tree = &analyst.now["tree"];
    let Value::Object(matches) = &tree["matches"] else { panic!("{tree}") };
    assert_eq!([&tree["title"], &matches["chosen"], &matches["n"]], [&json!("b"), &json!(1), &json!(3)]);
    assert_eq!(tree["n_earlier"], 0);
    assert_eq!(tree["nodes"].as_array().map(Vec::len), Some(5));
    let fen = tree["position"]["fen"].as_str().unwrap();
    assert!(fen.starts_with("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w"), "{fen}");
    analyst.act(&json!({"do": "choose", "n": 0}));
    analyst.wait("the other match", |now| now["tree"]["title"] == "a");
    // Without a number, it begins at the start, as on the page.
    let folder = tempfile::tempdir().unwrap();
    let latin = b"[White \"M\xfcller\"]\n[Black \"b\"]\n[Variant \"Chess960\"]\n1. e4 *\n";
    fs::write(folder.path().join("latin.pgn"), latin).unwrap();
    let analyst = Analyst::start_in(folder, &["latin.pgn"], &[]);
    let tree = &analyst.now["tree"];
    assert_eq!((&tree["game_id"], &tree["players"][0]), (&json!("chess960"), &json!("Müller")));
    assert_eq!(tree["current"], 0);
    // The game is that of the match which was asked for, whatever the others are.
    let folder = tempfile::tempdir().unwrap();
    let mixed = "[Variant \"Atomic\"]\n1. e4 *\n[Variant \"Chess960\"]\n1. e4 e5 *\n";
    fs::write(folder.path().join("mixed.pgn"), mixed).unwrap();
    let mut analyst = Analyst::start_in(folder, &["mixed.pgn", "2"], &[]);
    assert_eq!(analyst.now["tree"]["game_id"], "chess960");
    analyst.act(&json!({"do": "choose", "n": 0}));
    let why = "match 1 of 2 is not loaded: Atomic is not a game of this arena";
    analyst.wait("why", |now| now["said"].as_str() == Some(why));
}

/// A match that did not end by the rules ended with the last move of its main line, also when more is added there.
#[test]
fn the_end_of_a_match_is_said() {
    let mut analyst = Analyst::start(&["push-push"], &[]);
    let mut play = Games::built_in().startpos(GameId::PUSH_PUSH).unwrap();
    let moves = [0, 1].map(|_| {
        let mv = play.legal_moves().remove(0);
        play.play(&mv).unwrap();
        mv
    });
    let said = "The match ended here, 0–1. Black wins: White resigned.";
    let start = analyst.now["tree"]["position"]["scene"]["s"].clone();
    assert_eq!(analyst.now["tree"]["before"], json!(null));
    for (head, ended) in [
        ("[Result \"0-1\"]\n[Termination \"resign\"]", json!(said)),
        ("[Result \"1-0\"]\n[Termination \"Normal\"]", json!("The match ended here, 1–0.")),
        ("[Result \"*\"]\n[Termination \"resign\"]", json!(null)),
    ] {
        let text = format!("{head}\n{}", moves.join(" "));
        analyst.act(&json!({"do": "import", "text": text, "is_from_start": true}));
        analyst.wait("the start of another tree", |now| {
            now["tree"]["current"] == 0
                && now["tree"]["nodes"].as_array().is_some_and(|nodes| nodes.len() == 2)
        });
        analyst.go(2);
        assert_eq!(analyst.now["tree"]["ended"], ended);
        analyst.go(1);
        assert_eq!(analyst.now["tree"]["ended"], json!(null));
        assert_eq!(analyst.now["tree"]["before"]["s"], start);
    }
    analyst.act(&json!({"do": "restore"}));
    analyst.act(&json!({"do": "restore"}));
    analyst.wait("the first text", |now| now["tree"]["reason"] == "resign" && now["tree"]["result"] == "0-1");
    analyst.go(2);
    assert_eq!(analyst.now["tree"]["ended"], said);
    // Its result stands below its own line only.
    let is_below = |analyst: &Analyst| analyst.now["tree"]["is_main_line_of_match"].clone();
    assert_eq!(is_below(&analyst), true);
    let next = analyst.legal().remove(0);
    analyst.play(&[&next]);
    assert_eq!(analyst.now["tree"]["ended"], json!(null));
    assert_eq!(is_below(&analyst), false);
    analyst.go(2);
    assert_eq!(analyst.now["tree"]["ended"], said);
    // Without its last position, the match has no result, until that comes back.
    let shows = |result: Value, reason: Value| {
        move |now: &Value| now["tree"]["result"] == result && now["tree"]["reason"] == reason
    };
    analyst.act(&json!({"do": "remove", "node": 1}));
    analyst.wait("no result", shows(Value::Null, Value::Null));
    analyst.act(&json!({"do": "undo"}));
    analyst.wait("the result", shows(json!("0-1"), json!("resign")));
}

/// Chess with an engine that speaks UCI, and a game whose rules are a program.
#[test]
fn other_games_and_dialects() {
    let mut chess = Analyst::start(&["chess"], &[engine("uci", "uci")]);
    chess.play(&["e2e4"]);
    chess.act(&json!({"do": "start", "engine": 0}));
    chess.wait("a search", |now| searches(now, 0));
    chess.play(&["e7e5"]);
    chess.wait("a search", |now| searches(now, 0));
    // Any usual spelling of a move is understood.
    chess.play(&["Nf3"]);
    assert_eq!(chess.now["tree"]["nodes"][2], json!([3, 2, "g1f3", "w", "Nf3", false, null, null, ""]));
    if Command::new("python3").arg("-V").output().is_err() {
        eprintln!("the game in Python is skipped: there is no python3");
        return;
    }
    let rules = concat!("hex-5=python3 ", env!("CARGO_MANIFEST_DIR"), "/../configs/own-game/hex.py");
    let mut own = Analyst::start(&["hex-5", "--referee", rules], &[]);
    own.play(&["a1", "b2"]);
    assert_eq!(own.legal().len(), 23);
    // The fake engine knows only the built-in games.
    let folder = tempfile::tempdir().unwrap();
    let [option, fake] = engine("one", "good");
    let output = command(folder.path(), &["hex-5", "--referee", rules, &option, &fake]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("engine `one` does not play hex-5"), "{}", text(&output.stderr));
    let output = command(folder.path(), &["chess", &option, &fake]).output().unwrap();
    assert!(
        text(&output.stderr).contains("does not play chess; the arena has no chess engine"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn strangers_cannot_analyse() {
    let analyst = Analyst::start(&["push"], &[]);
    let own = format!("http://{}", analyst.site.host);
    let json_type = ("Content-Type", "application/json");
    let path = format!("{}act", analyst.site.path);
    let check = |headers: &[(&str, &str)], path: &str, body: &str, status: u16| {
        assert_eq!(analyst.site.ask("POST", path, headers, body).0, status, "{headers:?} {path} {body}");
    };
    let go = "{\"do\":\"go\",\"node\":0}";
    check(&[("Origin", &own), json_type], &path, go, 204);
    check(&[("Origin", "http://evil.example"), json_type], &path, go, 403);
    check(&[json_type], &path, go, 403);
    check(&[("Origin", &own), json_type], "/0123456789abcdef0123456789abcdef/act", go, 403);
    check(&[("Origin", &own), json_type, ("Host", "evil.example")], &path, go, 421);
    for (body, status) in [("{\"do\":\"go\"}", 422), ("{\"do\":\"go\",\"node\":-1}", 422), ("x", 400)] {
        check(&[("Origin", &own), json_type], &path, body, status);
    }
    let long = json!({"do": "set-up", "fen": "x".repeat(2_200_000)}).to_string();
    check(&[("Origin", &own), json_type], &path, &long, 413);
    // An engine that is not there.
    check(&[("Origin", &own), json_type], &path, "{\"do\":\"start\",\"engine\":99}", 204);
    let refused = (0..100).filter(|_| analyst.act(&json!({"do": "go", "node": 0})) == 429).count();
    assert!(0 < refused, "too many requests are refused");
}

#[test]
fn what_cannot_be_analysed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("matches.jsonl"), "").unwrap();
    let check = |args: &[&str], code: i32, message: &str| {
        let output = command(folder.path(), args).output().unwrap();
        let said = text(&output.stderr);
        assert!(said.contains(message), "{args:?}: {said}");
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    };
    check(&["pish"], 2, "did you mean `push`?");
    check(&["."], 2, "the match number is missing; give it after the folder, as in `arena analyse . 1`");
    fs::create_dir(folder.path().join("my cup")).unwrap();
    check(&["my cup"], 2, "as in `arena analyse 'my cup' 1`");
    check(&[".", "3"], 2, "no match 3 in `.`: it has no finished match");
    check(&["nowhere", "3"], 3, "`nowhere` is not a folder");
    check(&["push", "--start", "nowhere"], 2, "push has no start `nowhere`");
    check(&["push", "--fen", "x"], 2, "this is not a FEN");
    check(&["push", "--engine", "./nothing"], 4, "cannot run the engine `./nothing`: no such file");
    let fake = fake_engine();
    let fake = |mode: &str| format!("fake={} {mode}", fake.display());
    check(&["push", "--engine", &fake("start-exit")], 4, "engine `fake` did not say `ugiok`");
    check(
        &["push", "--engine", &fake("good"), "--option", "Hahs=1"],
        4,
        "engine `fake` has no option `Hahs`; did you mean `Hash`?",
    );
    check(&["push", "--engine", &fake("good"), "--option", "Hash=99"], 4, "engine `fake`: ");
    fs::write(folder.path().join("empty.pgn"), "").unwrap();
    check(&["empty.pgn"], 2, "empty.pgn: the text is empty; give the moves of a match (such as ");
    check(&["emty.pgn"], 3, "there is no file or folder `emty.pgn` (did you mean `empty.pgn`?)");
    fs::write(folder.path().join("other.pgn"), "[Variant \"Crazyhouse\"]\n1. e4 *").unwrap();
    check(&["other.pgn"], 2, "other.pgn: Crazyhouse is not a game of this arena");
    let others = "[Variant \"Atomic\"]\n1. e4 *\n[Variant \"Crazyhouse\"]\n1. e4 *";
    fs::write(folder.path().join("others.pgn"), others).unwrap();
    check(&["others.pgn", "2"], 2, "others.pgn: match 2 of 2: Crazyhouse is not a game of this arena");
    check(&["hex-5"], 2, "for a game of your own, add `--referee \"hex-5=PROGRAM\"`");
    check(&["push", "--engine", ""], 2, "the engine is missing; give its command");
    check(&["push", "--config", "nowhere.toml"], 3, "nowhere.toml");
    check(&["push", "--lines", "0"], 2, "it must be from 1 to 10");
    let many: Vec<String> = (0..9).flat_map(|n| engine(&n.to_string(), "good")).collect();
    let many: Vec<&str> = ["push"].into_iter().chain(many.iter().map(String::as_str)).collect();
    check(&many, 2, "9 engines are too many; name at most 8 with `--engine`");
    let program = fake_engine();
    let entry = |n| format!("[[engine]]\nname = \"e{n}\"\ncommand = {program:?}\nargs = [\"start-exit\"]\n");
    let head = "[limits]\nmovetime = \"1s\"\n[[game]]\nid = \"push\"\n";
    let entries: String = (0..9).map(entry).collect();
    fs::write(folder.path().join("nine.toml"), format!("[tournament]\n{head}{entries}")).unwrap();
    check(&["push", "--config", "nine.toml"], 4, "note: using the first 8 of 9 engines");
}

/// The browser opens only at a terminal of a machine with a display. A program named `xdg-open` stands for the browser.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_opens_where_there_is_a_display() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::fs::PermissionsExt;
    use std::process::Stdio;

    use nix::pty::openpty;

    let folder = tempfile::tempdir().unwrap();
    let opener = folder.path().join("xdg-open");
    fs::write(&opener, "#!/bin/sh\necho \"$1\" > opened.new\nmv opened.new opened\n").unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::join_paths(
        std::iter::once(folder.path().to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let path = path.unwrap();
    let opened = folder.path().join("opened");
    for (args, display, is_opened) in
        [(&[][..], ":7", true), (&["--no-open"][..], ":7", false), (&[][..], "", false)]
    {
        let terminal = openpty(None, None).unwrap();
        let mut child = command(folder.path(), &["push"])
            .args(args)
            .env("PATH", &path)
            .env("DISPLAY", display)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WSL_DISTRO_NAME")
            .stdin(Stdio::null())
            .stdout(Stdio::from(terminal.slave))
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(fs::File::from(terminal.master)).lines();
        let address = lines.next().unwrap().unwrap().trim().to_owned();
        if is_opened {
            while !opened.exists() {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            assert_eq!(fs::read_to_string(&opened).unwrap().trim(), address);
            fs::remove_file(&opened).unwrap();
        }
        // It ends in order, so that whatever it opens was started before.
        Command::new("kill").arg(child.id().to_string()).status().unwrap();
        assert!(child.wait().unwrap().success());
        assert!(!opened.exists(), "{args:?} {display:?}");
    }
}
