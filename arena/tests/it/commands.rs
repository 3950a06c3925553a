//! The small commands, as a user types them.

use crate::common::tournament::{self, Ended, said};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use arena::cli::Cli;
use arena::exit::Exit;
use serde_json::{Value, json};

fn arena(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn printed(args: &[&str]) -> String {
    arena(args, "").text()
}

fn probe(game: &str, input: &str) -> Vec<Value> {
    let text = arena(&["probe", game], input).text();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn games() {
    // The list begins with these games; there may be more.
    const FIRST: usize = 5;
    let text = printed(&["games"]);
    insta::assert_snapshot!(text.split_inclusive("\n\n").take(FIRST).collect::<String>().trim_end());
    let list: Vec<Value> = serde_json::from_str(&printed(&["games", "--json"])).unwrap();
    let ids: Vec<&str> = engine_proto::Games::built_in().ids().collect();
    assert_eq!(list.iter().map(|game| game["id"].as_str().unwrap()).collect::<Vec<_>>(), ids);
    let blocks = text.split("\n\n").filter(|block| !block.starts_with('`'));
    let listed: Vec<&str> = blocks.map(|game| game.split_whitespace().next().unwrap()).collect();
    assert_eq!(listed, ids);
    let push = printed(&["games", "push"]);
    assert!(
        push.starts_with("push ") && push.contains("\n  start     6x6-2\n    4rk/4pn/6/6/NP4/KR4 w "),
        "{push}"
    );
    assert!(!push.contains("tower-push"), "{push}");
}

#[test]
fn the_rules_of_a_game_are_one_page_with_the_conventions() {
    let anchor = "conventions-shared-by-the-five-games";
    for game in engine_proto::Games::built_in().known() {
        let page = printed(&["games", "--rules", game.id()]);
        assert!(
            page.starts_with(&format!("# {}", engine_proto::Games::built_in().info(game).unwrap().name)),
            "{game}"
        );
        assert_eq!(page.matches("\n# Conventions shared by the five games\n").count(), 1, "{game}");
        assert!(page.contains(&format!("[CONVENTIONS.md](#{anchor})")), "{game}: no link to the conventions");
        // No link leads to a file: there is none next to a page on a terminal.
        let links = page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        for link in links.filter(|link| !link.contains("://")) {
            let heading = link.strip_prefix('#').unwrap_or_else(|| panic!("{game}: `{link}`"));
            let is_there =
                page.lines().filter(|line| line.starts_with('#')).any(|line| slug(line) == heading);
            assert!(is_there, "{game}: no heading for `{link}`");
        }
        for other in engine_proto::Games::built_in().known() {
            assert!(page.contains(&format!("`arena games --rules {other}`")), "{game}");
        }
    }
}

/// What Markdown calls a heading in links.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches(['#', ' ']).to_ascii_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// All commands, and `arena` itself with an empty name.
fn commands() -> Vec<clap::Command> {
    let arena = Cli::definition(engine_proto::Games::built_in()).name("");
    arena.get_subcommands().cloned().chain([arena.clone()]).collect()
}

/// What `arena <command> <option>` prints on a terminal of 80 columns.
fn help_of(command: &str, option: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().chain([option]).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(words).env("COLUMNS", "80").output().unwrap().text()
}

#[test]
fn help() {
    for command in commands() {
        let text = help_of(command.get_name(), "--help");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        insta::assert_snapshot!(format!("help-{}", command.get_name()).trim_end_matches('-'), text);
    }
}

#[test]
fn the_short_help_fits_a_screen() {
    for command in commands() {
        let text = help_of(command.get_name(), "-h");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        // One line is the shell's.
        assert!(text.lines().count() < 24, "{text}");
    }
}

#[test]
fn every_command_has_examples_that_are_valid() {
    for command in commands() {
        let help = command.get_after_long_help().unwrap().to_string();
        let examples =
            help.lines().skip_while(|line| *line != "Examples:").take_while(|line| !line.is_empty());
        let examples: Vec<&str> = examples.filter(|line| line.contains("arena ")).collect();
        assert!((2..=3).contains(&examples.len()), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        for example in examples {
            // What precedes `arena` or follows a redirection is for the shell, what follows two spaces is for people.
            let call = &example[example.find("arena ").unwrap()..];
            let call = call.split("  ").next().unwrap().split(['|', '<', '>']).next().unwrap();
            let parsed = Cli::definition(engine_proto::Games::built_in())
                .try_get_matches_from(call.split_whitespace());
            assert!(parsed.is_ok(), "{call}: {}", parsed.unwrap_err());
            if !command.get_name().is_empty() {
                assert_eq!(call.split_whitespace().nth(1), Some(command.get_name()), "{call}");
            }
        }
    }
}

#[test]
fn a_command_that_is_misspelled_is_suggested() {
    let output = arena(&["rnu"], "");
    let error = said(&output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("a similar subcommand exists: 'run'"), "{error}");
    let error = String::from_utf8(arena(&["xyzzy"], "").stderr).unwrap();
    assert!(!error.contains("similar"), "{error}");
    arena(&["man", "rnu"], "").fails(2);
}

#[test]
fn the_page_of_exit_codes_lists_all_of_them() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/exit-codes.md")).unwrap();
    let rows: Vec<(u8, &str)> = page
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            Some((cells.next()?.parse().ok()?, cells.next()?))
        })
        .collect();
    assert_eq!(rows, Exit::table());
    let help = help_of("", "--help");
    for (code, meaning) in Exit::table() {
        assert!(help.contains(&format!("\n  {code:<4} {meaning}\n")), "{help}");
    }
}

#[test]
fn manual_pages() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("man1");
    let listed = printed(&["man", "--output", path.to_str().unwrap()]);
    assert_eq!(listed.lines().count(), commands().len());
    for file in listed.lines() {
        let page = fs::read_to_string(file).unwrap();
        for section in [".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH EXAMPLES", ".SH \"EXIT STATUS\""] {
            assert!(page.contains(section), "{section} in {file}:\n{page}");
        }
    }
    let of_run = fs::read_to_string(path.join("arena-run.1")).unwrap();
    assert_eq!(of_run, printed(&["man", "run"]));
    assert!(of_run.contains("arena\\-run \\- Play a tournament"), "{of_run}");
    assert!(printed(&["man"]).contains("arena\\-run(1)"));
}

/// A command line of fastchess becomes a file that runs; of one that does not run here, the error says why.
#[test]
fn command_lines_of_fastchess_become_tournaments_that_run() {
    let folder = tempfile::tempdir().unwrap();
    let engines = folder.path().join("engines");
    fs::create_dir(&engines).unwrap();
    for name in ["one", "two", "three"] {
        crate::common::copy_program(crate::common::fake_engine(), engines.join(name));
    }
    fs::write(folder.path().join("book.epd"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n")
        .unwrap();
    let arena = |args: &[&str]| tournament::arena(folder.path(), args);
    let line = "fastchess -engine dir=engines cmd=./one args=uci -engine dir=engines cmd=two args=uci -engine \
                dir=engines cmd=./three args=uci -each tc=0/60.0+0.08 -tournament gauntlet -seeds 1 -openings \
                file=book.epd format=epd plies=8 -rounds 3 -repeat -startup-ms 9000 -maxmoves 6";
    let text = arena(&["import-fastchess", line]).text();
    fs::write(folder.path().join("cup.toml"), &text).unwrap();
    arena(&["run", "cup.toml", "--results", "cup"]).succeeds();
    let played = fs::read_to_string(folder.path().join("cup/matches.csv")).unwrap();
    assert_eq!(played.lines().count(), 1 + 2 * 3 * 2, "two pairings, three pairs: {played}");

    arena(&["import-fastchess", &line.replace("cmd=two", "cmd=four").replace("0/60.0", "1:00")])
        .fails(Exit::Input.code().into())
        .prints("command = \"engines/four\"")
        .prints("base = \"60s\"")
        .says("there is no program `engines/four`")
        .says("paths are relative to the current folder");
}

#[test]
fn perft() {
    let text = printed(&["perft", "tower-of-power", "--depth", "2", "--split"]);
    let nodes: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().nth(1)).take(3).collect();
    assert_eq!(nodes, ["nodes", "429", "183517"]);
    let split: u64 = text.lines().filter_map(|line| line.split_once(": ")?.1.parse::<u64>().ok()).sum();
    assert_eq!(split, 183_517);
    let of_fen = printed(&["perft", "push-push", "--fen", "7/7/7/3*3/7/7/3A3 b - - 0 81", "--depth", "3"]);
    let nodes: Vec<&str> = of_fen.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(nodes, ["nodes", "1", "5", "5"]);
    arena(&["perft", "push-push", "--fen", "rubbish"], "").fails(2);
    arena(&["perft", "checkers"], "").fails(2);
}

#[test]
fn perft_of_depth_0_is_1() {
    let nodes = |args: &[&str]| -> Vec<String> {
        let text = printed(&[&["perft", "push"], args].concat());
        text.lines().filter_map(|line| line.split_whitespace().nth(1)).map(ToOwned::to_owned).collect()
    };
    assert_eq!(nodes(&["--depth", "0"]), ["nodes", "1"]);
    assert_eq!(nodes(&["--depth", "0", "--split"]), ["nodes", "1"]);
}

#[test]
fn probe_tells_positions_moves_and_ends() {
    let answers = probe(
        "push-push",
        "7/7/7/3*3/7/7/3A3 b - - 0 81\n\
         7/7/7/3*3/7/7/3A3 b - - 0 81 moves pass\n\
         3*3/3C3/7/7/7/7/7 w - - 5 40 moves d6d7\r\n\
         7/7/7/3*3/7/7/7 w - - 0 0\n\
         startpos moves c1c2 e7d7\n",
    );
    assert_eq!(
        answers[0],
        json!({"fen": "7/7/7/3*3/7/7/3A3 b - - 0 81", "side": "b", "legal": ["pass"], "end": null})
    );
    assert_eq!(answers[1]["legal"], json!(["d1c1", "d1c2", "d1d2", "d1e1", "d1e2"]));
    assert_eq!(
        answers[2],
        json!({
            "fen": "3C3/7/7/7/7/7/7 b - w 6 41", "side": "b", "legal": [],
            "end": {"winner": "w", "reason": "goal"}
        })
    );
    assert_eq!(answers[3]["end"], json!({"winner": "draw", "reason": "material"}));
    assert_eq!(answers[4]["error"], json!({"field": "moves", "reason": "illegal move `e7d7`"}));
}

#[test]
fn repetition_and_quiet_are_ends_and_their_positions_have_legal_moves() {
    let there_and_back = "a5a6 h4h3 a6a5 h3h4 ".repeat(2);
    let answers = probe(
        "tower-of-power",
        &format!(
            "startpos\n\
             startpos moves {there_and_back}\n\
             startpos moves {there_and_back} a5a6\n\
             startpos moves {there_and_back} a5a5\n\
             4ssss/8/8/8/8/8/1s6/S7 w 99 150 moves a1a2\n\
             4ssss/8/8/8/8/8/8/S7 w 100 9\n\
             4ssss/8/8/8/8/8/8/S7 w 100 9 moves a1a2\n\
             4ssss/8/8/8/8/8/1s6/S7 w 100 9 moves a1b2\n"
        ),
    );
    assert_eq!(answers[1]["end"], json!({"winner": "draw", "reason": "repetition"}));
    assert_eq!(answers[1]["legal"], answers[0]["legal"]);
    assert_eq!(answers[2]["side"], "b");
    assert_eq!(answers[2]["end"], json!({"winner": "draw", "reason": "repetition"}));
    assert_eq!(answers[3]["error"], json!({"field": "moves", "reason": "illegal move `a5a5`"}));
    let quiet = json!({"winner": "draw", "reason": "quiet"});
    for answer in &answers[4..=6] {
        assert_eq!(answer["end"], quiet, "{answer:#}");
        assert!(!answer["legal"].as_array().unwrap().is_empty(), "{answer:#}");
    }
    // The rules' own end comes first, and progress takes the position out of `quiet`.
    assert_ne!(answers[7]["end"], quiet, "{:#}", answers[7]);
}

#[test]
fn no_move_follows_the_end_by_the_rules() {
    let answers = probe(
        "push-push",
        "3*3/3C3/7/7/7/7/7 w - - 5 40 moves d6d7 d7d6\n7/7/7/3*3/7/7/7 w - - 0 0 moves pass\n",
    );
    for (answer, end) in answers.iter().zip(["White wins (goal)", "draw (material)"]) {
        let reason = answer["error"]["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("the game is over before move `") && reason.ends_with(&format!("`: {end}")),
            "{reason}"
        );
        assert_eq!(answer["error"]["field"], "moves");
    }
}

#[test]
fn probe_answers_rubbish() {
    let mut input = b"\n\xff\xfe\nstartpos moves\nstartposmoves\nmoves\n1 2 3\n".to_vec();
    input.extend("x ".repeat(100_000).as_bytes());
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["probe", "tower-push"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    let output = child.wait_with_output().unwrap();
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let fields: Vec<_> =
        answers.iter().map(|answer| answer["error"]["field"].as_str().unwrap_or("-")).collect();
    assert_eq!(fields, ["fen", "fen", "-", "fen", "fen", "fen", "fen"]);
}

#[test]
fn every_move_list_is_sorted_by_bytes() {
    for game in engine_proto::GameId::BUILT_IN {
        let answer = probe(game.id(), "startpos\n").remove(0);
        let legal: Vec<&str> =
            answer["legal"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert!(!legal.is_empty() && legal.is_sorted(), "{game}");
    }
}

#[test]
fn schema_and_completions() {
    let schema: Value = serde_json::from_str(&printed(&["schema"])).unwrap();
    assert_eq!(schema["type"], "object");
    assert!(printed(&["completions", "bash"]).contains("probe"));
}
