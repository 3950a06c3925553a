//! `arena run` as a user runs it: the program itself, with real engine processes, in a folder of its own.

#![expect(clippy::unwrap_used, reason = "a test that fails may panic")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::fake_engine;
use tempfile::TempDir;

const HEADER: &str = "match,pair,game,opening,white,black,result,reason,plies,white_ms,black_ms";

struct Tournament {
    folder: TempDir,
}

impl Tournament {
    /// A folder with a configuration of these engines, each a name and a mode.
    fn new(head: &str, engines: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = toml::Value::from(fake_engine().to_str().unwrap());
        let mut config = format!("{head}\n");
        for (name, mode) in engines {
            config.push_str(&format!(
                "[[engine]]\nname = \"{name}\"\ncommand = {program}\nargs = [\"{mode}\"]\n"
            ));
        }
        fs::write(folder.path().join("cup.toml"), config).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.current_dir(self.folder.path()).args(["run", "cup.toml"]).args(args).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn rows(&self, folder: &str) -> Vec<Vec<String>> {
        rows(&self.path(folder).join("matches.csv"))
    }
}

fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().next(), Some(HEADER));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const SMALL: &str = "[tournament]\npairs = 2\nconcurrency = 2\n[limits]\nnodes = 10\nmax-plies = 40\n";

#[test]
fn a_round_robin_over_all_games() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good"), ("three, the third", "good")]);
    let output = cup.run(&[]);
    assert!(output.status.success(), "{}", said(&output));
    let rows = cup.rows("results/cup");
    let n_games = engine_proto::GameId::ALL.len();
    assert_eq!(rows.len(), 3 * 2 * 2 * n_games);

    // In the order of the matches; the two of a pair from one opening, sides swapped; no opening twice in a game.
    let numbers: Vec<usize> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(numbers, (1..=rows.len()).collect::<Vec<_>>());
    let mut openings: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for pair in rows.chunks(2) {
        let [first, second] = pair else { panic!("matches come in pairs") };
        assert_eq!(first[1..4], second[1..4]);
        assert_eq!((&first[4], &first[5]), (&second[5], &second[4]));
        openings.entry(&first[2]).or_default().push(&first[3]);
        assert!(["1-0", "0-1", "1/2-1/2"].contains(&first[6].as_str()));
    }
    for (game, mut fens) in openings {
        fens.sort_unstable();
        fens.dedup();
        assert_eq!(fens.len(), 2, "{game}: {fens:?}");
    }

    // The whole matches, the configuration as it was run and the ratings lie beside.
    let lines = fs::read_to_string(cup.path("results/cup/matches.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), rows.len());
    for line in lines.lines() {
        let record: arena::record::Record = serde_json::from_str(line).unwrap();
        assert_eq!(record.moves.len(), record.plies as usize);
        let mut play = record.game.0.play(&record.opening).unwrap();
        record.moves.iter().for_each(|mv| play.play(&mv.mv).unwrap());
        assert_eq!(play.fen(), record.end);
        assert_eq!(play.end().map_or("move-cap", |end| end.reason), record.reason);
    }
    assert!(cup.path("results/cup/tournament.toml").exists());
}

#[test]
fn the_same_matches_whatever_the_concurrency() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good"), ("three", "good")]);
    let without_times = |folder: &str| -> Vec<Vec<String>> {
        cup.rows(folder).into_iter().map(|mut row| row.drain(..9).collect()).collect()
    };
    assert!(cup.run(&["--results", "alone", "--concurrency", "1"]).status.success());
    assert!(cup.run(&["--results", "crowd", "--concurrency", "5"]).status.success());
    assert_eq!(without_times("alone"), without_times("crowd"));
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good"), ("three", "good")]);
    assert!(cup.run(&["--results", "whole"]).status.success());
    let whole = cup.rows("whole");

    let mut n_kills = 0;
    loop {
        let mut child = cup
            .command(&["--results", "killed"])
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(15 + 7 * n_kills));
        // Gone already, or killed in whatever it was doing.
        child.kill().unwrap();
        if child.wait().unwrap().success() || 40 <= n_kills {
            break;
        }
        n_kills += 1;
    }
    let output = cup.run(&["--results", "killed"]);
    assert!(output.status.success(), "{}", said(&output));
    let again = cup.rows("killed");
    assert!(0 < n_kills);
    let without_times = |rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
        rows.into_iter().map(|mut row| row.drain(..9).collect()).collect()
    };
    assert_eq!(without_times(again), without_times(whole));
}

#[test]
fn a_torn_line_is_played_again() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good")]);
    assert!(cup.run(&[]).status.success());
    let journal = cup.path("results/cup/matches.jsonl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 100]).unwrap();
    let output = cup.run(&[]);
    assert!(output.status.success(), "{}", said(&output));
    let n_matches = 2 * 2 * engine_proto::GameId::ALL.len();
    assert!(
        said(&output).contains(&format!("{} of them finished before", n_matches - 1)),
        "{}",
        said(&output)
    );
    assert_eq!(cup.rows("results/cup").len(), n_matches);
}

#[test]
fn another_tournament_does_not_mix_in() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good")]);
    assert!(cup.run(&[]).status.success());
    let config = fs::read_to_string(cup.path("cup.toml")).unwrap();
    fs::write(cup.path("cup.toml"), config.replace("nodes = 10", "nodes = 11")).unwrap();

    let output = cup.run(&[]);
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(said(&output).contains("- nodes = 10"), "{}", said(&output));
    assert!(said(&output).contains("+ nodes = 11"), "{}", said(&output));

    assert!(cup.run(&["--fresh"]).status.success());
    assert_eq!(cup.rows("results/cup.1"), cup.rows("results/cup.1"));
    assert_eq!(cup.rows("results/cup").len(), cup.rows("results/cup.1").len());

    // More pairs are the same tournament, only longer.
    assert!(cup.run(&["--pairs", "3"]).status.success());
    assert_eq!(cup.rows("results/cup").len(), 3 * 2 * engine_proto::GameId::ALL.len());
}

#[cfg(unix)]
#[test]
fn one_signal_ends_the_matches_under_way_two_kill_them() {
    use rustix::process::{Pid, Signal, kill_process};
    let head = SMALL.replace("nodes = 10", "movetime = \"10s\"");
    // At its third move an engine thinks for ever: matches under way do not end by themselves.
    let cup = Tournament::new(&head, &[("one", "move-hang"), ("two", "good")]);
    let mut child = cup.command(&[]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let pid = Pid::from_child(&child);
    let begun = Instant::now();
    while !cup.path("results/cup/tournament.toml").exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the tournament does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(400));
    kill_process(pid, Signal::INT).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none(), "it waits for the matches under way");
    kill_process(pid, Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("stopping: 2 matches"), "{}", said(&output));
    assert!(said(&output).contains("the same command goes on from there"), "{}", said(&output));
    assert_eq!(cup.rows("results/cup").len(), 0);
}

#[test]
fn an_engine_that_does_not_start_forfeits() {
    let head = format!("{SMALL}[timeouts]\nstart = \"300ms\"\n");
    let cup = Tournament::new(&head, &[("one", "good"), ("absent", "start-hang"), ("two", "good")]);
    let output = cup.run(&[]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("engine `absent` did not say `ugiok` within 300ms"), "{}", said(&output));
    let rows = cup.rows("results/cup");
    for row in &rows {
        let forfeited = row[4] == "absent" || row[5] == "absent";
        assert_eq!(row[7] == "start-failure", forfeited, "{row:?}");
        if forfeited {
            assert_eq!(row[6], if row[4] == "absent" { "0-1" } else { "1-0" });
        }
    }
}

#[test]
fn what_cannot_begin_says_why() {
    let none = Tournament::new(SMALL, &[("one", "start-exit"), ("two", "good")]);
    let output = none.run(&[]);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(said(&output).contains("last words"), "{}", said(&output));

    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good")]);
    let config = fs::read_to_string(cup.path("cup.toml")).unwrap();
    let with = |line: &str| fs::write(cup.path("cup.toml"), format!("{config}{line}\n")).unwrap();
    for (line, code, words) in [
        ("options = { Hahs = 16 }", 4, "engine `two` has no option `Hahs`; did you mean `Hash`?"),
        ("options = { Hash = 1000 }", 4, "a whole number from 1 to 64"),
        ("build = [\"false\"]", 4, "cannot build engine `two`: `false`"),
        ("comand = \"x\"", 3, "did you mean `command`?"),
    ] {
        with(line);
        let output = cup.run(&[]);
        assert_eq!(output.status.code(), Some(code), "{line}: {}", said(&output));
        assert!(said(&output).contains(words), "{line}: {}", said(&output));
    }
    assert_eq!(Command::new(env!("CARGO_BIN_EXE_arena")).arg("rnu").output().unwrap().status.code(), Some(2));
}

#[test]
fn two_arenas_do_not_share_a_folder() {
    let head = SMALL.replace("nodes = 10", "movetime = \"10s\"");
    let cup = Tournament::new(&head, &[("one", "move-hang"), ("two", "good")]);
    let mut first = cup.command(&[]).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !cup.path("results/cup/tournament.toml").exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "the tournament does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = cup.run(&[]);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(5), "{}", said(&second));
    assert!(said(&second).contains("another arena is writing"), "{}", said(&second));
}

/// The configurations that come with the project are read and right.
#[test]
fn the_configurations_of_the_project_are_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let mut n_read = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let config = arena::config::load(&path).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(config.tournament.name.as_deref(), path.file_stem().unwrap().to_str());
            n_read += 1;
        }
    }
    assert!(3 <= n_read);
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good")]);
    // A limit on the size of files stands in for a full disk: writes fail in mid-line.
    let output = Command::new("sh")
        .current_dir(cup.folder.path())
        .args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\" run cup.toml", env!("CARGO_BIN_EXE_arena")])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", said(&output));
    assert!(said(&output).contains("all matches before are safe"), "{}", said(&output));
    let output = cup.run(&[]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("of them finished before"), "{}", said(&output));
    let rows = cup.rows("results/cup");
    let numbers: Vec<usize> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(numbers, (1..=2 * 2 * engine_proto::GameId::ALL.len()).collect::<Vec<_>>());
}
