//! A game of another package goes through the arena, the protocol and the engines, by the real programs.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::read::ZlibDecoder;
use serde_json::Value;

/// Nine openings of one ply: a pair of matches from each.
const CUP: &str = r#"
[tournament]
name = "cup"
pairs = 9
concurrency = 2
[limits]
nodes = 300
[[game]]
id = "hex"
opening-plies = 1
"#;

const ENGINES: [&str; 4] = ["random", "greedy", "alpha-beta", "mcts"];

fn arena(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hex-arena"))
        .current_dir(folder)
        .env("LC_ALL", "C")
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What the arena prints on standard output.
fn says(args: &[&str]) -> String {
    printed(&arena(Path::new("."), args))
}

#[test]
fn the_small_commands_know_the_game() {
    let games = says(&["games"]);
    assert!(
        games.contains("\nhex              Hex\n  ends by   connection, repetition, quiet (9 moves)\n"),
        "{games}"
    );
    let hex = says(&["games", "hex"]);
    assert!(hex.contains("\n  start     3x3 (default start)\n    3/3/3 w 0 0\n"), "{hex}");
    let list: Vec<Value> = serde_json::from_str(&says(&["games", "--json"])).unwrap();
    assert!(list.iter().any(|game| game["id"] == "hex"), "{list:?}");
    let rules = says(&["games", "--rules", "hex"]);
    assert!(rules.starts_with("# Hex\n") && rules.contains("\n# Conventions shared by"), "{rules}");
    let board = says(&["show", "hex", "--fen", "1Ss/1S1/sS1 b 0 5"]);
    assert!(board.contains(" 3 | .  S  s |\n 2 | .  S  . |\n 1 | s  S  . |\n"), "{board}");
    assert!(board.contains("over: White wins (connection)"), "{board}");
    let perft = says(&["perft", "hex", "--depth", "4", "--split"]);
    let nodes: Vec<&str> = perft.lines().filter_map(|line| line.split_whitespace().nth(1)).take(5).collect();
    assert_eq!(nodes, ["nodes", "9", "72", "504", "3024"]);
    assert_eq!(perft.lines().filter(|line| line.ends_with(": 336")).count(), 9, "{perft}");
    assert!(says(&["schema"]).contains("\"hex\""));
}

#[test]
fn probe_answers() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hex-arena"))
        .args(["probe", "hex"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"startpos moves b2 a1 b1 c3\n1Ss/1S1/sS1 b 0 5\n").unwrap();
    let text = printed(&child.wait_with_output().unwrap());
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["legal"], serde_json::json!(["a2", "a3", "b3", "c1", "c2"]));
    assert_eq!(answers[1]["end"], serde_json::json!({ "winner": "w", "reason": "connection" }));
}

#[test]
fn the_game_is_misspelled() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cup.toml"), config().replace("\"hex\"", "\"hax\"")).unwrap();
    let output = arena(folder.path(), &["run", "cup.toml"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && said.contains("did you mean `hex`?"), "{said}");
}

#[test]
fn an_engine_that_plays_it_passes_the_check() {
    let engine = env!("CARGO_BIN_EXE_hex-engine");
    let output = arena(Path::new("."), &["check", "--game", "hex", engine, "alpha-beta"]);
    let text = printed(&output);
    assert!(text.contains("hex: White wins (connection) after 7 moves"), "{text}");
}

#[test]
fn a_tournament() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cup.toml"), config()).unwrap();
    printed(&arena(folder.path(), &["run", "cup.toml", "--quiet"]));

    let results = folder.path().join("results/cup");
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_path(results.join("matches.csv")).unwrap().records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6 * 9 * 2);
    assert!(rows.iter().all(|row| &row[2] == "hex" && &row[7] == "connection"), "{rows:?}");
    let strong = rows
        .iter()
        .filter(|row| row.iter().any(|it| it == "alpha-beta") && row.iter().any(|it| it == "random"));
    let wins = strong.filter(|row| (&row[6] == "1-0") == (&row[4] == "alpha-beta")).count();
    assert!(14 <= wins, "alpha-beta won {wins} of 18 against random");

    printed(&arena(folder.path(), &["verify", "results/cup"]));
    printed(&arena(folder.path(), &["report", "results/cup"]));
    let page = fs::read_to_string(results.join("report.html")).unwrap();
    let replays: Vec<Value> = (0..).map_while(|place| block(&page, place)).flatten().collect();
    assert_eq!(replays.len(), rows.len());
    let board = &data(&page)["boards"][0];
    assert_eq!((&board["game"], board["squares"].as_array().unwrap().len()), (&"hex".into(), 9));
    // Each replay shows the stone of its opening, and one more after each move.
    for replay in replays {
        let changes = replay["scenes"].as_array().unwrap();
        assert_eq!(changes.len(), replay["moves"].as_array().unwrap().len() + 1, "{replay}");
        assert!(changes.iter().all(|change| change["s"].as_array().unwrap().len() == 1), "{replay}");
    }
}

fn config() -> String {
    let program = env!("CARGO_BIN_EXE_hex-engine");
    let engine =
        |kind: &str| format!("[[engine]]\nname = '{kind}'\ncommand = '{program}'\nargs = ['{kind}']\n");
    CUP.to_owned() + &ENGINES.map(engine).concat()
}

/// What the page's scripts read.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The replays in a block of the page, each with its fields; `None` after the last block.
fn block(page: &str, place: usize) -> Option<Vec<Value>> {
    let (_, rest) = page.split_once(&format!("id=\"block-{place}\">"))?;
    let bytes = BASE64.decode(rest.split_once("</script>").unwrap().0).unwrap();
    let mut json = String::new();
    ZlibDecoder::new(bytes.as_slice()).read_to_string(&mut json).unwrap();
    let fields: BTreeMap<String, Vec<Value>> = serde_json::from_str(&json).unwrap();
    let replay = |idx: usize| fields.iter().map(move |(name, values)| (name.clone(), values[idx].clone()));
    Some((0..fields["moves"].len()).map(|idx| replay(idx).collect()).collect())
}
