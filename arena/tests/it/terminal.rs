//! Texts of engines and of foreign results folders on a terminal: no command prints anything that a terminal obeys.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::tournament::{Ended, Tournament, arena, printed, said};

/// Clears the screen, sets the title, turns the direction of text, breaks the line.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;mine\u{7}\u{9b}31m\u{202e}reversed\u{2066}\u{2028}\u{200f}\r";

fn assert_harmless(what: &str, output: &Output) {
    for bytes in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(bytes).unwrap();
        let found = text.chars().find(|c| {
            c.is_control() && !['\n', '\t'].contains(c)
                || ['\u{202e}', '\u{2066}', '\u{2028}', '\u{200f}'].contains(c)
        });
        assert_eq!(found, None, "{what}: {text}");
    }
}

#[test]
fn a_foreign_results_folder() {
    let head = "[tournament]\n[limits]\nnodes = 10\nmax-plies = 4\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("two", "good")]);
    let output = cup.run(&[]).succeeds();
    assert_eq!(cup.rows("results/cup").len(), 2);
    assert_harmless("run", &output);
    let hostile = serde_json::to_string(HOSTILE).unwrap();
    let hostile = hostile.trim_matches('"');
    for (file, what) in [
        ("matches.jsonl", ["\"one\"", "\"move-cap\"", "push-push", "\"a1", "abcdcba"].as_slice()),
        ("tournament.toml", &["\"one\"", "push-push", "[[engines]]", "name = \"cup\""]),
        ("provenance.json", &["\"one\"", "{"]),
        ("matches.csv", &["one", "move-cap", "push-push", "match"]),
    ] {
        let path = cup.path("results/cup").join(file);
        let whole = fs::read_to_string(&path).unwrap();
        for word in what {
            for hostile in [hostile, HOSTILE] {
                fs::write(&path, whole.replacen(word, &format!("{word}{hostile}").replace("\"\\", "\\"), 2))
                    .unwrap();
                for args in [
                    &["verify", "results/cup"][..],
                    &["rate", "results/cup"],
                    &["compare", "results/cup", "one", "two"],
                    &["show", "results/cup", "1"],
                    &["report", "results/cup", "--output", "page.html"],
                    &["merge", "results/cup", "--results", "merged"],
                    &["run", "cup.toml", "--quiet"],
                ] {
                    assert_harmless(&format!("{args:?}, {file}, {word}"), &arena(cup.folder.path(), args));
                }
            }
        }
        fs::write(&path, whole).unwrap();
    }
}

/// PGN is for programs, and has every character as it is; on a terminal it is for people.
#[cfg(unix)]
#[test]
fn pgn_on_a_terminal() {
    let head = "[tournament]\nname = \"a\\u202eb\\u200f\"\n[limits]\nnodes = 10\nmax-plies = 4\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("two", "good")]);
    cup.run(&["--quiet", "--results", "cup"]).succeeds();
    let args = ["pgn", "cup"];
    let piped = arena(cup.folder.path(), &args).stdout;
    assert!(String::from_utf8(piped).unwrap().contains("[Event \"a\u{202e}b\u{200f}\"]"));
    let shown = on_a_terminal(cup.folder.path(), &args);
    assert!(shown.contains("[Event \"a\\u{202e}b\\u{200f}\"]"), "{shown}");
}

/// In its greeting, in the middle of the talk, on standard error, and as its move.
#[cfg(unix)]
#[test]
fn an_engine() {
    use std::os::unix::fs::PermissionsExt;
    let cup = Tournament::new("[limits]\nmovetime = \"200ms\"\n[[game]]\nid = \"push-push\"\n", &[]);
    let octal = HOSTILE.bytes().map(|byte| format!("\\{byte:03o}")).collect::<Vec<_>>().concat();
    let script = |id: &str, options: &str, ready: &str, go: &str| {
        format!(
            "#!/bin/sh\nprintf '{octal}\\n' >&2\nwhile read -r word rest; do case $word in\n\
             ugi) printf 'id name x{id}\\nid version {id}\\n{options}ugiok\\n';;\n\
             isready) printf '{ready}readyok\\n';;\ngo) printf '{go}\\n';;\nquit) exit;;\nesac; done\n"
        )
    };
    let game = "option name Game type combo default push-push var push-push\\n";
    for (idx, (id, options, ready, go)) in [
        (&*octal, game.to_owned(), String::new(), "bestmove a1a1".to_owned()),
        (
            "",
            format!("{game}option name {octal} type string default {octal}\\n"),
            String::new(),
            "bestmove x".to_owned(),
        ),
        ("", format!("{game}option name Bad type {octal}\\n"), String::new(), "bestmove x".to_owned()),
        ("", game.to_owned(), format!("{octal}\\n"), format!("bestmove {octal}")),
        ("", game.to_owned(), format!("info {octal}\\n"), octal.clone()),
        ("", game.to_owned(), format!("\\377{octal}\\n"), "bestmove x".to_owned()),
    ]
    .into_iter()
    .enumerate()
    {
        let path = cup.path("engine");
        fs::write(&path, script(id, &options, &ready, &go)).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        let output =
            arena(cup.folder.path(), &["check", "./engine", "--timeout", "300ms", "--game", "push-push"]);
        assert_harmless(&format!("check, engine {idx}"), &output);
        let args = [
            "run",
            "--engine",
            "./engine",
            "--engine",
            "./engine",
            "--games",
            "push-push",
            "--movetime",
            "100ms",
        ];
        let output = arena(cup.folder.path(), &args);
        assert_harmless(&format!("run, engine {idx}"), &output);
    }
}

/// What a command shows on a terminal.
#[cfg(unix)]
fn terminal() -> nix::pty::OpenptyResult {
    let size = nix::pty::Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
    nix::pty::openpty(&size, None).unwrap()
}

#[cfg(unix)]
fn on_a_terminal(folder: &Path, args: &[&str]) -> String {
    use std::io::Read;

    let terminal = terminal();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(folder).args(args).env("TERM", "xterm").env_remove("NO_COLOR");
    command.stdout(terminal.slave.try_clone().unwrap()).stderr(terminal.slave);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut shown = Vec::new();
    // Reading fails when the other side is closed.
    let _ = fs::File::from(terminal.master).read_to_end(&mut shown);
    assert!(child.wait().unwrap().success());
    String::from_utf8_lossy(&shown).into_owned()
}

#[cfg(unix)]
#[test]
fn tables_have_colours_on_a_terminal_only() {
    let head = "[limits]\nnodes = 10\nmax-plies = 4\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("two", "good")]);
    let ran = on_a_terminal(cup.folder.path(), &["run", "cup.toml"]);
    let rated = on_a_terminal(cup.folder.path(), &["rate", "results/cup"]);
    let head = |shown: &str| shown.lines().find(|line| line.contains("  Engine  ")).unwrap().to_owned();
    for shown in [&ran, &rated] {
        assert!(head(shown).starts_with("\u{1b}[1m"), "{shown}");
    }
    let plain = arena(cup.folder.path(), &["rate", "results/cup"]);
    assert_harmless("rate", &plain);
    arena(cup.folder.path(), &["rate", "results/cup", "--output", "table.txt"]);
    assert_eq!(fs::read(cup.path("table.txt")).unwrap(), plain.stdout);
}

#[cfg(unix)]
#[test]
fn a_run_shows_how_far_it_is_on_a_terminal_and_its_end_in_a_pipe() {
    let head = "[tournament]\npairs = 3\nconcurrency = 1\n[limits]\nnodes = 10\nmax-plies = 40\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "slow"), ("two", "slow")]);
    let shown = on_a_terminal(cup.folder.path(), &["run", "cup.toml"]);
    let plain = shown.replace('\r', "\n");
    let of_bar = |line: &&str| line.contains(" of 6 matches, ") && line.contains(" a minute, ");
    let bar = plain.lines().find(of_bar).unwrap_or_else(|| panic!("{shown}"));
    assert!(bar.contains(" %  ") && bar.contains(" left"), "{bar}");
    for pairing in ["playing push-push: one - two", "playing push-push: two - one"] {
        assert!(shown.contains(pairing), "{shown}");
    }
    assert!(shown.contains("6 of 6 matches in 00:00:"), "{shown}");
    // The verdict is in colour, unless colours are not wanted.
    let is_verdict = |line: &&str| line.contains("Both are the same program");
    let verdict = shown.lines().find(is_verdict).unwrap();
    assert!(verdict.starts_with("\u{1b}[1m\u{1b}[33m"), "{verdict:?}");
    let colourless =
        on_a_terminal(cup.folder.path(), &["run", "cup.toml", "--results", "other", "--color", "never"]);
    assert!(
        !colourless.contains("\u{1b}[36m")
            && !colourless.contains("\u{1b}[33m")
            && colourless.contains("playing push-push"),
        "{colourless}"
    );

    let piped = cup.run(&["--fresh"]);
    assert_harmless("run", &piped);
    let (standings, told) = (printed(&piped), said(&piped));
    assert!(!told.contains("playing"), "{told}");
    assert_eq!(standings.matches("  Engine  ").count(), 1, "{standings}");
    let last = standings.trim_end().lines().rev().skip(4).find(|line| !line.is_empty()).unwrap();
    assert!(is_verdict(&last), "{standings}");
}

/// A `^C` that the terminal writes displaces what is drawn, and a bar stays behind.
#[cfg(target_os = "linux")]
#[test]
fn a_key_that_stops_a_run_is_not_written_on_the_terminal() {
    use std::io::{Read, Write};
    use std::process::Stdio;

    let head = "[tournament]\npairs = 9\nconcurrency = 1\n[limits]\nmovetime = \"300ms\"\nmax-plies = 4\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "last"), ("two", "last")]);
    // Without the trap, some shells end with the key.
    let arena = env!("CARGO_BIN_EXE_arena");
    let command = format!("trap : INT; '{arena}' run cup.toml; stty -a | grep -oe '-*echoctl'");
    let mut child = Command::new("script")
        .current_dir(cup.folder.path())
        .args(["-qfc", &command, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut screen = child.stdout.take().unwrap();
    let (mut shown, mut bytes) = (String::new(), [0; 4096]);
    while !shown.contains("playing push-push") {
        let n = screen.read(&mut bytes).unwrap();
        assert!(0 < n, "{shown}");
        shown += &String::from_utf8_lossy(&bytes[..n]);
    }
    child.stdin.as_ref().unwrap().write_all(b"\x03").unwrap();
    screen.read_to_string(&mut shown).unwrap();
    child.wait().unwrap();
    assert!(
        shown.contains("finishing 1 match; press Ctrl-C again to abort") && !shown.contains("^C"),
        "{shown}"
    );
    // Afterwards, the terminal is as it was.
    assert!(shown.ends_with("\nechoctl\r\n"), "{shown}");
}

#[cfg(unix)]
#[test]
fn messages_break_between_words_on_a_terminal() {
    let head = "[tournament]\npairs = 2\nmax-faults = 2\nconcurrency = 1\n[limits]\nnodes = 10\nmax-plies = 9\n[[game]]\nid = \"four-towers\"\n";
    let cup =
        Tournament::new(head, &[("one", "good"), ("an-engine-that-is-at-fault-all-the-time", "move-exit")]);
    let shown = on_a_terminal(
        cup.folder.path(),
        &["run", "cup.toml", "--results", "results/a-folder-with-a-long-name"],
    );
    let plain = anstream::adapter::strip_str(&shown).to_string().replace('\r', "\n");
    // The progress fills each line with spaces.
    assert!(plain.contains(" loses, crash") && plain.contains(" lost 2 matches by  "), "{plain}");
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    for message in [
        // On a busy machine, how the first one ended may not be known yet.
        "an-engine-that-is-at-fault-all-the-time loses, crash (exit status: 3; last words)",
        "; see `arena show results/a-folder-with-a-long-name ",
        "with `--replay an-engine-that-is-at-fault-all-the-time`",
        "its remaining matches are forfeited (`max-faults`)",
    ] {
        assert!(words.contains(message), "{words}");
    }
    assert_eq!(words.matches("; see `arena show ").count(), 1, "{words}");
}

#[cfg(unix)]
#[test]
fn long_work_says_what_it_does() {
    let cores = std::thread::available_parallelism().unwrap().get();
    let tournaments = (8_000 * cores).min(1_000_000).to_string();
    let args =
        ["simulate", "--engine", "a=20", "--engine", "b=0", "--pairs", "100", "--tournaments", &tournaments];
    let shown = on_a_terminal(Path::new("."), &args);
    let words = shown.split("simulating: ").nth(1).unwrap_or_else(|| panic!("{shown}"));
    assert!(words.split_once(" %, ").is_some_and(|(share, _)| share.trim().parse::<u8>().is_ok()), "{shown}");
    let quick = on_a_terminal(
        Path::new("."),
        &["simulate", "--engine", "a=20", "--engine", "b=0", "--tournaments", "10"],
    );
    assert!(!quick.contains("simulating"), "{quick}");
}
