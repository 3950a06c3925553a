//! `arena show` as a user runs it: boards of positions and of recorded matches, and what it says where there is nothing to show.

use crate::common::tournament::{Ended, Tournament, said};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;

fn show(folder: &Path, locale: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(folder)
        .env("LC_ALL", locale)
        .env_remove("CLICOLOR_FORCE")
        .arg("show")
        .args(args)
        .output()
        .unwrap()
}

/// A folder `results` with two matches, the first by engines with hostile names, and a third that is torn.
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let chain = json!({
        "match": 4, "pair": 2, "game": "push-push", "opening": "7/7/7/Cba*3/7/7/7 w - - 3 20",
        "white": "\u{1b}[2J\u{1b}]0;mine\u{7}", "black": "\u{202e}reversed", "result": "1-0", "reason": "crash",
        "plies": 2, "white_ms": 2, "black_ms": 0, "evidence": "signal 11\n\u{1b}[31mred",
        "end": "7/7/7/2Cba*1/7/7/7 b - - 6 23",
        "moves": [
            {"move": "a4b4", "side": "w", "time_us": 1250, "score": "cp 12", "depth": 5, "nodes": 900},
            {"move": "c4c5", "side": "b", "time_us": 40},
        ],
    });
    let stack = json!({
        "match": 5, "pair": 3, "game": "tower-of-power",
        "opening": "3sssss/4ssss/5sss/S5ss/SS5s/SSS5/SSSS4/SSSSS3 w 0 0",
        "white": "one", "black": "two", "result": "1/2-1/2", "reason": "move-cap", "plies": 1, "white_ms": 0,
        "black_ms": 0, "end": "", "moves": [{"move": "nonsense", "side": "w", "time_us": 1}],
    });
    fs::create_dir(folder.path().join("results")).unwrap();
    fs::write(folder.path().join("results/matches.jsonl"), format!("{chain}\n{stack}\n{{\"match\":6,"))
        .unwrap();
    folder
}

/// Positions of the rules pages, whose drawings are kept.
const POSITIONS: [(&str, &str); 5] = [
    ("tower-push", "x6/7/7/3T3/7/4X1x/7 w 1 1 b - 0 21"),
    ("four-towers", "1k1/6/9/8n1/6d3/9/10/10/9/6/K2 b - - N - +56* 2 2"),
    ("tower-of-power", "8/2(ssS)5/8/3(SssS)4/8/1(sS)6/8/s6(Ss) b 4 30"),
    (
        "push",
        "5prk/6nb/6p1/8/8/BP6/1N6/KRP5 b 00100102/10021010/00000200/00001002/00010010/01001000/01020122/10020000 a3 0 1 1",
    ),
    ("push-push", "abcdcba/7/7/3*3/7/2C4/AB1DCBA b 3c2 - 1 1"),
];

#[test]
fn boards_of_all_games() {
    let here = Path::new(".");
    for game in engine_proto::GameId::BUILT_IN {
        let start = show(here, "C", &[game.id()]).text();
        assert!(
            start.contains(&format!(
                "\nFEN: {}\n",
                engine_proto::Games::built_in().info(*game).unwrap().starts[0].fen
            )),
            "{start}"
        );
    }
    for (game, fen) in POSITIONS {
        let unicode = show(here, "C.UTF-8", &[game, "--fen", fen]).text();
        let ascii = show(here, "C", &[game, "--fen", fen]).text();
        assert!(ascii.is_ascii(), "{ascii}");
        assert_eq!(ascii, show(here, "C.UTF-8", &[game, "--fen", fen, "--ascii"]).text());
        assert!(unicode.contains(&format!("\nFEN: {fen}\n")), "{unicode}");
        if game == "tower-of-power" {
            let page = include_str!("../../docs/engines.md");
            assert!(page.contains(&format!("arena show {game} --fen '{fen}'\n{unicode}```\n")), "{unicode}");
        }
        insta::assert_snapshot!(game, format!("{unicode}\n{ascii}"));
    }
}

#[test]
fn starts_sides_and_colours() {
    let here = Path::new(".");
    let start = show(here, "C", &["tower-push", "--start", "5x5"]).text();
    assert!(start.starts_with("   +---------------+\n 5 | x  x  x  x  x |\n"), "{start}");
    let flipped = show(here, "C", &["tower-push", "--start", "5x5", "--flip"]).text();
    assert!(flipped.starts_with("   +---------------+\n 1 | X  X  X  X  X |\n"), "{flipped}");
    assert!(flipped.contains("\n     e  d  c  b  a\n"), "{flipped}");
    assert!(!start.contains('\x1b'));
    let coloured = show(here, "C", &["tower-push", "--color", "always"]).text();
    assert!(coloured.contains("\x1b[1;38;5;231;"), "{coloured}");
    assert!(!show(here, "C", &["push", "--color", "never"]).text().contains('\x1b'));
}

#[test]
fn every_seed_names_a_start_of_push() {
    let here = Path::new(".");
    let heights = |start: &str| {
        let board = show(here, "C", &["push", "--start", start]).text();
        let fen = board.split_once("\nFEN: ").unwrap().1.to_owned();
        fen.split(' ').nth(2).unwrap().to_owned()
    };
    // The terrain of the rules page, and seeds that its table does not list.
    assert_eq!(heights("8x8-8"), "01000010/00001020/00000000/01000100/01000011/12110002/01010000/21022010");
    let ninth = heights("8x8-9");
    assert_eq!(ninth.len(), 71);
    assert_ne!(ninth, heights("8x8-10"));
    assert_eq!(heights("6x6-18446744073709551615").len(), 41);
    for start in ["8x8-09", "8x8-18446744073709551616", "8x8-", "9x9-1"] {
        let output = show(here, "C", &["push", "--start", start]).fails(2);
        let said = said(&output);
        assert!(said.contains(&format!("push has no start `{start}`")), "{said}");
    }
}

#[test]
fn a_match() {
    let folder = recorded();
    let moves = show(folder.path(), "C.UTF-8", &["results", "4"]).text();
    insta::assert_snapshot!("match", moves);
    assert!(!moves.contains(['\x1b', '\x07', '\u{202e}']), "{moves}");

    let opening = show(folder.path(), "C", &["results", "4", "--ply", "0"]).text();
    assert!(opening.contains("\nopening; 2 plies follow\n"), "{opening}");
    assert_eq!(opening.matches("7/7/7/Cba*3/7/7/7").count(), 1, "{opening}");
    assert!(opening.contains("\n 4 | C  b  a  *  .  .  . |\n"), "{opening}");
    let first = show(folder.path(), "C", &["results", "4", "--ply", "1"]).text();
    assert!(first.contains("\nply 1 of 2: a4b4, score cp 12, depth 5, time 1.2 ms\n"), "{first}");
    assert!(first.contains("\n 4 |(.)[C]<b><a><*> .  . |\n"), "{first}");
    // Not on a terminal: all positions in order, no commands, no pauses.
    let all = show(folder.path(), "C", &["results", "4", "--play", "--delay", "1h"]).text();
    assert!(all.starts_with("match 4, pair 2, push-push\n") && !all.contains('\x1b'), "{all}");
    let plies: Vec<&str> =
        all.lines().filter(|line| line.starts_with("ply ") || line.starts_with("opening;")).collect();
    assert_eq!(plies.len(), 3, "{all}");
    assert_eq!(plies[2], "ply 2 of 2: c4c5, time 0.040 ms");
    assert_eq!(all.matches("FEN: ").count(), 3);
}

#[test]
fn a_position_is_named_once() {
    let head = "[limits]\nnodes = 10\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("bad", "move-illegal"), ("good", "good")]);
    cup.run(&["--pairs", "1"]).succeeds();
    let shown = show(cup.folder.path(), "C", &["results/cup", "1"]).text();
    assert!(shown.contains("  `a1a1a1` is not legal; legal moves: "), "{shown}");
    assert_eq!(shown.matches(&cup.records("results/cup")[0].opening).count(), 1, "{shown}");
}

#[test]
fn nothing_to_show() {
    let folder = recorded();
    let check = |args: &[&str], code: i32, message: &str| {
        let output = show(folder.path(), "C", args);
        let said = said(&output);
        assert_eq!(said.trim_end(), format!("error: {message}"), "{args:?}");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
    };
    check(&["pusch"], 2, "`pusch` is neither a game nor a results folder; did you mean `push`?");
    let ids: Vec<&str> = engine_proto::Games::built_in().ids().collect();
    let ids = ids.join(", ");
    check(
        &["x"],
        2,
        &format!(
            "`x` is neither a game nor a results folder; the games are {ids}; for a game of your own, add `--referee \"x=PROGRAM\"`"
        ),
    );
    check(&["tower-push", "--start", "7x8"], 2, "tower-push has no start `7x8`; did you mean `7x7`?");
    check(
        &["push-push", "--fen", "7 w"],
        2,
        "this is not a FEN: it needs 6 fields, separated by single spaces, and has 2; for example: `abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0`",
    );
    check(
        &["push", "--start", "9x9"],
        2,
        "push has no start `9x9`; its starts are 8x8, 6x6, default, 8x8-2, 8x8-3, 8x8-4, 8x8-5, 8x8-6, 8x8-7, 8x8-8, \
         6x6-1, 6x6-2, 6x6-3, 6x6-4, 8x8-flat, 6x6-flat, flat; `8x8-S` is a start for each seed S; `6x6-S` is a start \
         for each seed S",
    );
    check(
        &["push-push", "--fen", "7"],
        2,
        "this is not a FEN: it needs 6 fields, separated by single spaces, and has 1; for example: `abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0`",
    );
    check(
        &["results"],
        2,
        "the match number is missing; give it after the folder, as in `arena show results 1`",
    );
    check(
        &["nowhere", "1"],
        3,
        "`nowhere` is not a folder; give a results folder that `arena run` has written",
    );
    fs::create_dir(folder.path().join("results/quick")).unwrap();
    let meant = "there is no file or folder `quick` (did you mean `results/quick`?)";
    check(&["quick", "1"], 3, meant);
    check(&["quick"], 3, meant);
    for command in ["rate", "report", "verify"] {
        let arena = env!("CARGO_BIN_EXE_arena");
        let output = Command::new(arena).args([command, "quick"]).current_dir(folder.path()).output();
        let said = said(&output.unwrap());
        assert!(said.contains("did you mean ") && said.contains("results/quick"), "{said}");
    }
    check(
        &["results", "6"],
        2,
        "no match 6 in `results`: it has matches 4 to 5; its last line is incomplete, and `arena run` will play that match again",
    );
    check(&["results", "4", "--ply", "3"], 2, "match 4 has no ply 3: it has plies 0 (the opening) to 2");
    check(
        &["results", "5"],
        3,
        "match 5: ply 1: illegal move `nonsense`; `arena verify` lists all problems of the folder",
    );
    let journal = folder.path().join("results/matches.jsonl");
    fs::write(&journal, "{\"match\":4,\"game\":\"checkers\"}\n").unwrap();
    let output = show(folder.path(), "C", &["results", "4"]);
    let said = said(&output);
    assert!(said.contains("`results/matches.jsonl`, line 1:"), "{said}");
    assert_eq!(output.status.code(), Some(5));
    fs::write(&journal, "").unwrap();
    check(&["results", "4"], 2, "no match 4 in `results`: it has no finished match");
}

#[test]
fn the_board_has_one_width_in_all_positions_of_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let record = json!({
        "match": 1, "pair": 1, "game": "tower-of-power", "opening": "3sssss/4ssss/5sss/S5ss/SS5s/SSS5/SSSS4/SSSSS3 w 0 0",
        "white": "one", "black": "two", "result": "0-1", "reason": "crash", "plies": 1, "white_ms": 0, "black_ms": 0, "end": "",
        "moves": [{"move": "a1b1", "side": "w", "time_us": 1}],
    });
    fs::write(folder.path().join("matches.jsonl"), format!("{record}\n")).unwrap();
    let all = show(folder.path(), "C", &[".", "1", "--play"]).text();
    let borders: Vec<&str> = all.lines().filter(|line| line.trim_start().starts_with("+-")).collect();
    assert!(borders.len() == 4 && borders.iter().all(|border| *border == borders[0]), "{all}");
    assert!(all.contains("(SS)"), "{all}");
}

/// On a terminal of 24 lines, the keys of `--play` work, and the terminal is given back as it was.
#[cfg(target_os = "linux")]
#[test]
fn a_match_is_replayed_with_keys() {
    use std::io::{Read, Write};
    use std::process::Stdio;

    use nix::pty::{Winsize, openpty};
    use nix::sys::termios::tcgetattr;

    let folder = recorded();
    let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).unwrap();
    let before = tcgetattr(&terminal.slave).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .current_dir(folder.path())
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "xterm")
        .args(["show", "results", "4", "--play", "--delay", "1h"])
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .unwrap();
    let mut keyboard = std::fs::File::from(terminal.master);
    let mut screen = keyboard.try_clone().unwrap();
    let mut seen = String::new();
    let mut read_until = |words: &str| {
        let mut bytes = [0; 4096];
        let from = seen.len();
        while !seen[from..].contains(words) {
            let n = screen.read(&mut bytes).unwrap();
            seen += &String::from_utf8_lossy(&bytes[..n]);
        }
        seen[from..].to_owned()
    };
    let first = read_until("q quit");
    assert!(first.contains("opening; 2 plies follow") && first.contains("space pause"), "{first}");
    assert!(!first.contains("\u{1b}]0;mine"), "a name steers no terminal");
    keyboard.write_all(b"\x1b[C").unwrap();
    let second = read_until("q quit");
    assert!(second.contains("ply 1 of 2: a4b4") && second.contains("space play"), "{second}");
    keyboard.write_all(b"\x1b[F").unwrap();
    read_until("ply 2 of 2: c4c5");
    keyboard.write_all(b"\x1b[D").unwrap();
    read_until("ply 1 of 2");
    keyboard.write_all(b"q").unwrap();
    let last = read_until("\u{1b}[?1049l");
    assert!(last.contains("\u{1b}[?25h"), "the cursor is shown again");
    assert!(child.wait().unwrap().success());
    assert_eq!(tcgetattr(&terminal.slave).unwrap(), before);
}
