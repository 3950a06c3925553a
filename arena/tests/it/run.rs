//! `arena run` as a user runs it: the program itself, with real engine processes, in a folder of its own.

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::tournament::{Ended, Tournament, arena, printed, said, with_open_files};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

const SMALL: &str = "[tournament]\npairs = 2\nconcurrency = 2\n[limits]\nnodes = 10\nmax-plies = 40\n";

#[test]
fn a_round_robin_over_all_games() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good"), ("three, the third", "good")]);
    cup.run(&[]).succeeds();
    let rows = cup.rows("results/cup");
    let n_games = engine_proto::GameId::BUILT_IN.len();
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
    let records = cup.records("results/cup");
    assert_eq!(records.len(), rows.len());
    for record in records {
        assert_eq!(record.moves.len(), record.plies as usize);
        let mut play = engine_proto::Games::built_in().play(record.game, &record.opening).unwrap();
        record.moves.iter().for_each(|mv| play.play(&mv.mv).unwrap());
        assert_eq!(play.fen(), record.end);
        assert_eq!(play.end().map_or("move-cap", |end| end.reason), record.reason);
    }
    assert!(cup.path("results/cup/tournament.toml").exists());
}

#[test]
fn the_same_matches_whatever_the_concurrency() {
    let head = SMALL.replace("concurrency = 2", "cores = 5");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good"), ("three", "good")]);
    cup.run(&["--results", "alone", "--concurrency", "1"]).succeeds();
    cup.run(&["--results", "crowd", "--concurrency", "5"]).succeeds();
    assert_eq!(without_times(cup.rows("alone")), without_times(cup.rows("crowd")));
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good"), ("three", "good")]);
    cup.run(&["--results", "whole"]).succeeds();
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
    cup.run(&["--results", "killed"]).succeeds();
    let again = cup.rows("killed");
    assert!(0 < n_kills);
    assert_eq!(without_times(again), without_times(whole));
}

/// The long proof: 100 times `SIGKILL`, at moments drawn by a seed, in the start and between or in writes. After every tenth kill the last line is cut short as
/// well, at a place drawn like that, as if the power had failed in mid-write. It takes minutes:
/// `cargo it run::a_run_killed --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_run_killed_a_hundred_times_is_as_if_nothing_had_been() {
    const N_KILLS: u32 = 100;
    let seed = std::env::var("KILL_SEED").ok().map_or(1, |seed| seed.parse().unwrap());
    println!("KILL_SEED={seed}");
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let head = SMALL.replace("pairs = 2", "pairs = 60");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good"), ("three", "good")]);
    let timed = |folder: &str| {
        let begun = Instant::now();
        cup.run(&["--results", folder]).succeeds();
        begun.elapsed()
    };
    let whole_time = timed("whole");
    let start_time = timed("whole");
    let whole = without_times(cup.rows("whole"));

    let (mut n_kills, mut n_cut, mut n_rounds, mut n_in_play) = (0, 0, 0, 0);
    while n_kills < N_KILLS {
        n_rounds += 1;
        let folder = format!("killed-{n_rounds}");
        let journal = cup.path(&folder).join("matches.jsonl");
        while n_kills < N_KILLS {
            let mut command = cup.command(&["--results", &folder]);
            let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
            let before = length(&journal);
            let longest = if n_kills % 2 == 0 {
                start_time
            } else {
                // Every other one while matches are being played and written.
                while length(&journal) <= before && child.try_wait().unwrap().is_none() {
                    std::thread::sleep(Duration::from_micros(200));
                }
                whole_time / 100
            };
            std::thread::sleep(Duration::from_micros(generator.next_u64() % longest.as_micros() as u64));
            child.kill().unwrap();
            if child.wait().unwrap().success() {
                break;
            }
            n_kills += 1;
            n_in_play += u32::from(before < length(&journal));
            if n_kills % 10 == 0 && cut_last_line(&journal, generator.next_u64()) {
                n_cut += 1;
            }
        }
        timed(&folder);
        assert_eq!(without_times(cup.rows(&folder)), whole);
        assert!(fs::read_to_string(&journal).unwrap().ends_with('\n'));
        let numbers: Vec<u32> = cup.records(&folder).iter().map(|record| record.number).collect();
        assert_eq!(numbers, (1..=whole.len() as u32).collect::<Vec<_>>(), "each match exactly once");
    }
    assert!(N_KILLS / 3 < n_in_play);
    println!(
        "{n_kills} kills, {n_in_play} of them after new matches, {n_cut} lines cut short, {n_rounds} tournaments of {} matches",
        whole.len()
    );
}

/// Of a file, in bytes; 0 if there is none.
fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

/// Cuts the last line of a file at a place that `draw` says; whether there was one.
fn cut_last_line(path: &Path, draw: u64) -> bool {
    let Ok(mut bytes) = fs::read(path) else { return false };
    let Some((_, rest)) = bytes.split_last() else { return false };
    let begin = rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |idx| idx + 1);
    let length = bytes.len() - begin;
    bytes.truncate(begin + (draw % length as u64) as usize);
    fs::write(path, bytes).unwrap();
    true
}

/// The rows less the columns of times.
fn without_times(rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    rows.into_iter().map(|mut row| row.drain(..9).collect()).collect()
}

#[test]
fn a_torn_line_is_played_again() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good")]);
    cup.run(&[]).succeeds();
    let journal = cup.path("results/cup/matches.jsonl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 100]).unwrap();
    let output = cup.run(&[]).succeeds();
    let n_matches = 2 * 2 * engine_proto::GameId::BUILT_IN.len();
    output.says(format!("{} of them finished before", n_matches - 1));
    assert_eq!(cup.rows("results/cup").len(), n_matches);
}

#[test]
fn another_tournament_does_not_mix_in() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good")]);
    cup.run(&["--fresh"]).succeeds();
    assert!(!cup.path("results/cup.1").exists(), "there was nothing to move aside");
    let before = cup.rows("results/cup");
    cup.edit("nodes = 10", "nodes = 11");

    cup.run(&[])
        .fails(5)
        .says("- engine `one`: time-control.nodes = 10")
        .says("+ engine `one`: time-control.nodes = 11");

    cup.run(&["--fresh"]).succeeds().says("the old results are in `results/cup.1`");
    assert_eq!(cup.rows("results/cup.1"), before, "the old matches lie aside unchanged");
    assert_eq!(cup.rows("results/cup").len(), cup.rows("results/cup.1").len());

    // More pairs are the same tournament, only longer.
    cup.run(&["--pairs", "3"]).succeeds();
    assert_eq!(cup.rows("results/cup").len(), 3 * 2 * engine_proto::GameId::BUILT_IN.len());

    // After fewer pairs, the others still count.
    let n_more = 2 * engine_proto::GameId::BUILT_IN.len();
    cup.run(&["--pairs", "2"])
        .succeeds()
        .says(format!("{n_more} earlier matches beyond this schedule will count, too"));
}

/// A tournament whose matches under way do not end by themselves, once it plays.
fn endless() -> (Tournament, Child) {
    let head = SMALL.replace("nodes = 10", "movetime = \"10s\"");
    let cup = Tournament::new(&head, &[("one", "move-hang"), ("two", "good")]);
    let child = cup.command(&[]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    cup.wait_for("results/cup/tournament.toml");
    std::thread::sleep(Duration::from_millis(400));
    (cup, child)
}

#[cfg(unix)]
#[test]
fn one_interrupt_lets_matches_finish_two_abort_them_as_does_terminate() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, n) in [(Signal::INT, 2), (Signal::TERM, 1)] {
        let (cup, mut child) = endless();
        let pid = Pid::from_child(&child);
        if n == 2 {
            kill_process(pid, signal).unwrap();
            std::thread::sleep(Duration::from_millis(200));
            assert!(child.try_wait().unwrap().is_none(), "it waits for the matches under way");
        }
        kill_process(pid, signal).unwrap();
        let output = child.wait_with_output().unwrap().fails(130);
        let output =
            output.says("(2 more had begun, and will be played again); to continue, run the same command");
        assert!(!printed(&output).contains("Tables: "), "{}", printed(&output));
        let is_waiting = said(&output).contains("finishing 2 matches; press Ctrl-C again to abort");
        assert_eq!(is_waiting, n == 2, "{}", said(&output));
        assert_eq!(cup.rows("results/cup").len(), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_tournament_that_goes_on_has_no_numbers_that_say_nothing() {
    use rustix::process::{Pid, Signal, kill_process};
    let head = SMALL.replace("pairs = 2", "pairs = 6") + "[[game]]\nid = \"push-push\"\n";
    // Ctrl-C in a terminal also ends the program at the other end of a pipe.
    for is_read in [true, false] {
        let cup = Tournament::new(&head, &[("one", "slow-5"), ("two", "slow-5")]);
        let mut child = cup.command(&[]).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        cup.wait_for("results/cup/matches.jsonl");
        while fs::read_to_string(cup.path("results/cup/matches.jsonl")).unwrap().is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.stdout = child.stdout.filter(|_| is_read);
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let again = "to continue, run the same command again";
        let output = child.wait_with_output().unwrap().fails(130).says(again);
        let stopped = printed(&output);
        assert_eq!(stopped.contains("  Score  Matches\n"), is_read, "{stopped}");
        assert_eq!(stopped.contains("\n\nToo early for a verdict: push-push ("), is_read, "{stopped}");
        assert!(!stopped.to_lowercase().contains("undecided"), "{stopped}");
        let page = || fs::read_to_string(cup.path("results/cup/report.html")).unwrap();
        let early = "<p class=\"verdict\"><bdi>Too early for a verdict";
        let needed = "of at least 10 decided pairs.";
        assert!(page().contains(early) && page().contains(needed) && page().contains("\"own\":null"));
        let over = cup.run(&[]).text();
        assert!(over.contains("\nundecided between one and two") && !over.contains("Too early"), "{over}");
        assert!(!page().contains(early));
    }
}

/// The report of a tournament with a few of its matches names every game, and says that it is not finished.
#[test]
fn the_report_of_an_unfinished_tournament_keeps_every_game() {
    let head = "[tournament]\npairs = 12\n[limits]\nnodes = 10\nmax-plies = 10\n[[game]]\nid = \"push\"\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("two", "weak-50"), ("three", "weak-50")]);
    cup.run(&[]).succeeds();
    let journal = cup.path("results/cup/matches.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    let of_game = |game: &str, most| {
        let name = format!("\"game\":\"{game}\"");
        lines.split_inclusive('\n').filter(move |line| line.contains(&name)).take(most).collect::<String>()
    };
    fs::write(&journal, of_game("push", usize::MAX) + &of_game("push-push", 6)).unwrap();
    let page = || {
        let report =
            Command::new(env!("CARGO_BIN_EXE_arena")).arg("report").arg(cup.path("results/cup")).output();
        assert!(report.unwrap().status.success());
        fs::read_to_string(cup.path("results/cup/report.html")).unwrap()
    };
    let early = page();
    assert!(early.contains("<b>Ratings by game</b>"));
    assert_eq!(early.matches("<span class=\"sub\">too early</span>").count(), 3);
    let said =
        early.split_once("Push Push · Too early for ratings: no engine has 10 decided pairs.").unwrap().1;
    let said = said.split("</bdi>").next().unwrap();
    assert!(said.starts_with(" one has the best score so far: ") && said.ends_with(" matches."), "{said}");
    // If it is too early in all games, nothing speaks of ratings, of intervals, or of the pairs that ratings use.
    fs::write(&journal, of_game("push", 5) + &of_game("push-push", 5)).unwrap();
    let early = page();
    let (_, view) = early.split_once("<section id=\"standings\"").unwrap();
    let (view, _) = view.split_once("<span class=\"basis\">").unwrap();
    let said = view.replace("Too early for ratings", "").to_lowercase();
    for word in ["rating", "interval", "pairs</abbr>", "swapped", "between games"] {
        assert!(!said.contains(word), "{word}: {said}");
    }
    assert!(!early.contains("<h3>Worst losses</h3>"));
    // With most of them, there is a verdict.
    let most = lines.lines().count() - 2;
    fs::write(&journal, lines.split_inclusive('\n').take(most).collect::<String>()).unwrap();
    assert!(page().contains(" The tournament is not finished.</bdi>"));
    fs::write(&journal, &lines).unwrap();
    assert!(!page().contains(" The tournament is not finished."));
}

#[cfg(unix)]
#[test]
fn an_engine_that_does_not_start_forfeits() {
    let head = format!("{SMALL}[timeouts]\nstart = \"300ms\"\n");
    let cup = Tournament::new(&head, &[("one", "good"), ("absent", "start-hang"), ("two", "good")]);
    let output = cup
        .run(&[])
        .succeeds()
        // On a busy machine, it says how long it does not count.
        .says("engine `absent` did not say `ugiok` within 300ms")
        .says("; if this is a UCI engine, it");
    let rows = cup.rows("results/cup");
    for row in &rows {
        let forfeited = row[4] == "absent" || row[5] == "absent";
        assert_eq!(row[7] == "start-failure", forfeited, "{row:?}");
        if forfeited {
            assert_eq!(row[6], if row[4] == "absent" { "0-1" } else { "1-0" });
        }
    }

    // It is absent from every table, and its matches are counted in none.
    let n_games = engine_proto::GameId::BUILT_IN.len();
    let table = printed(&output);
    let rows = |words: &[&str]| {
        table.lines().filter(|line| line.split_whitespace().eq(words.iter().copied())).count()
    };
    assert_eq!(rows(&["absent", "absent", "0"]), 1, "{table}");
    assert_eq!(rows(&vec!["absent"; 1 + n_games]), 1, "{table}");
    let note = format!("absent: never started; {} matches are not counted", 2 * 2 * 2 * n_games);
    assert!(table.contains(&note) && table.matches("never started").count() == 1, "{table}");
    let ratings = fs::read_to_string(cup.path("results/cup/ratings.csv")).unwrap();
    assert!(ratings.contains("\noverall,absent,,,,0,0,0,0,0.0000,,,,0,,absent,0,"), "{ratings}");
    assert!(ratings.contains("\noverall,one,"), "{ratings}");
    let rate = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["rate", "results/cup", "--format", "json"])
        .current_dir(cup.folder.path())
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&rate.stdout).unwrap();
    for scope in json["scopes"].as_array().unwrap() {
        for engine in scope["engines"].as_array().unwrap() {
            assert_eq!(engine["status"] == "absent", engine["engine"] == "absent", "{engine}");
            let n_matches = match (engine["engine"].as_str(), scope["name"].as_str()) {
                (Some("absent"), _) => 0,
                (_, Some("overall")) => 2 * 2 * n_games,
                _ => 2 * 2,
            };
            assert_eq!(engine["matches"], n_matches, "{engine}");
        }
    }
    let report = fs::read_to_string(cup.path("results/cup/report.html")).unwrap();
    assert!(report.contains("<td class=\"number rating\" data-value=\"\">absent"));
}

#[test]
fn a_tournament_in_which_nothing_can_be_played_is_an_error() {
    let head = format!(
        "{SMALL}[[game]]\nid = \"push\"\n[[game]]\nid = \"push-push\"\n[timeouts]\nstart = \"300ms\"\n"
    );
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good"), ("absent", "start-exit")]);
    cup.edit("name = \"one\"", "name = \"one\"\ngames = [\"push\"]");
    cup.edit("name = \"two\"", "name = \"two\"\ngames = [\"push-push\"]");
    for args in [&[][..], &["--dry-run"]] {
        let output = cup.run(args).fails(4);
        for words in
            ["nothing to play", "`one` plays push\n", "`two` plays push-push\n", "`absent` does not start: "]
        {
            assert!(said(&output).contains(words), "{args:?}: {words}: {}", said(&output));
        }
        assert_eq!(output.stdout, b"");
        assert!(!cup.path("results/cup/matches.csv").exists());
    }
    // `absent` has left its log, and nothing else is there.
    let left: Vec<_> =
        fs::read_dir(cup.path("results/cup")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["logs"]);
}

#[test]
fn a_run_in_which_nothing_can_be_played_leaves_no_folder() {
    let head = format!("{SMALL}[[game]]\nid = \"push\"\n[[game]]\nid = \"push-push\"\n");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good")]);
    cup.edit("name = \"one\"", "name = \"one\"\ngames = [\"push\"]");
    cup.edit("name = \"two\"", "name = \"two\"\ngames = [\"push-push\"]");
    cup.run(&[]).says("nothing to play");
    assert!(!cup.path("results/cup").exists());
}

#[test]
fn the_end_of_a_run_is_a_screen() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good"), ("three", "good")]);
    let output = cup.run(&[]);
    let printed = printed(&output);
    let lines: Vec<&str> = printed.lines().collect();
    let overall = lines.iter().position(|line| line.starts_with("overall: ")).unwrap();
    // The ratings in all games are one table, also on the first screen.
    let games = lines.iter().position(|line| line.starts_with("Rating in  ")).unwrap();
    assert!(games < overall, "{printed}");
    assert!(lines.len() - games < 32 && lines.len() - overall < 24, "{printed}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{printed}");
    let paths = [
        "Report: results/cup/report.html",
        "Tables: results/cup/matches.csv",
        "        results/cup/ratings.csv",
    ];
    assert_eq!(lines[lines.len() - 3..], paths);
    assert!(
        lines[overall..].iter().any(|line| line.contains("strongest") || line.starts_with("Undecided")),
        "{printed}"
    );
    // Times are told on request only, and always written.
    output.says_not("mean");
    assert!(cup.path("results/cup/timing.csv").exists());
    cup.run(&["--timing"]).says("one: ").says(" moves, mean ");
}

#[test]
fn an_engine_that_does_not_start_is_told_of_once() {
    let cup = Tournament::new(
        &format!("{SMALL}[timeouts]\nstart = \"300ms\"\n"),
        &[("one", "good"), ("absent", "start-hang"), ("two", "good")],
    );
    let output = cup.run(&[]);
    let told = said(&output);
    let faults: Vec<&str> = told.lines().filter(|line| line.contains("absent lo")).collect();
    let [lines @ .., total] = faults.as_slice() else { panic!("{told}") };
    let n_faults = cup.rows("results/cup").len() * 2 / 3;
    assert!(n_faults > 10, "{told}");
    // Then powers of ten.
    assert_eq!(lines.len(), 2, "{told}");
    assert!(lines[1].ends_with(": absent loses, did not start (10 times so far)"), "{told}");
    // How to see the evidence is said once.
    assert_eq!(told.matches("; see `arena show ").count(), 1, "{told}");
    let begin = ": absent loses, did not start (more of these are only counted); see ";
    let (place, see) = lines[0].split_once(begin).unwrap();
    let number = place.strip_prefix("match ").unwrap().split(' ').next().unwrap();
    assert_eq!(see, format!("`arena show results/cup {number}`"));
    assert_eq!(*total, format!("absent lost {n_faults} matches: did not start"));
    // The command shows the evidence.
    cup.arena(&["show", "results/cup", number]).prints("did not say `ugiok` within 300ms");
}

#[test]
fn an_engine_with_a_single_fault_is_in_the_summary() {
    // The fault comes with an engine's third move, which only White makes.
    let head =
        "[tournament]\npairs = 1\n[limits]\nnodes = 10\nmax-plies = 5\n[[game]]\nid = \"four-towers\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("sloppy", "move-illegal")]);
    let told = said(&cup.run(&[]));
    assert!(told.contains(" (four-towers): sloppy loses, illegal move (a1a1a1); see `arena show "), "{told}");
    assert!(told.contains("\nsloppy lost 1 match: illegal move\n"), "{told}");
    cup.arena(&["pgn", "results/cup", "--game", "push"]).fails(3).says("four-towers");
    // A run that continues counts those of the earlier one, too.
    cup.run(&["--pairs", "2"]).says("\nsloppy lost 2 matches: illegal move\n");
    let number = cup.rows("results/cup").iter().position(|row| row[7] == "illegal-move").unwrap() + 1;
    cup.arena(&["show", "results/cup", &number.to_string()]).prints("  refused: illegal move\n");
}

/// Each message names the place and what to do.
#[test]
fn messages_name_the_remedy() {
    let cup = Tournament::new("", &[]);
    let arena = |args: &[&str]| said(&cup.arena(args));
    let engines = "[[engine]]\nname = \"a\"\ncommand = \"/bin/cat\"\n[[engine]]\nname = \"b\"\ncommand = \"/bin/cat\"\n";
    fs::write(cup.path("mine.toml"), format!("[timeouts]\nstart = \"300ms\"\n{engines}")).unwrap();
    let told = arena(&["run", "mine.tml"]);
    assert!(told.contains("did you mean `mine.toml`?"), "{told}");
    let told = arena(&["run", "mine.toml"]);
    assert!(
        told.contains("mine.toml:5:") && told.contains("`arena check /bin/cat` shows what is wrong"),
        "{told}"
    );
    fs::create_dir_all(cup.path("results/mine")).unwrap();
    let told = arena(&["rate", "results/mime"]);
    assert!(told.contains("did you mean results/mine?"), "{told}");
    for args in [&["report", "results/mime"][..], &["show", "resluts/mine", "1"], &["export", "results/mime"]]
    {
        let told = arena(args);
        assert!(told.contains("(did you mean `results/mine`?)"), "{told}");
    }
    fs::write(cup.path("script"), "").unwrap();
    fs::write(cup.path("script.toml"), engines.replacen("/bin/cat", "./script", 1)).unwrap();
    for args in [&["run", "script.toml"][..], &["check", "./script"]] {
        let told = said(&cup.arena(args).fails(4));
        assert!(told.contains("is not executable") && told.contains("run `chmod +x ./script`"), "{told}");
    }
    fs::write(cup.path("notes.md"), "some words\n".repeat(50)).unwrap();
    let told = arena(&["run", "notes.md"]);
    assert_eq!(told, "error: `notes.md` is not a tournament file: it is not TOML\n");
    assert_eq!(arena(&["run", "results"]), "error: `results` is a folder, not a tournament file\n");
    cup.arena(&["run", "--engine", "a=./none", "--engine", "b=/bin/cat", "--games", "push"]).fails(4);
    let told = arena(&["run", "--engine", "sh", "--engine", "sh"]);
    assert!(told.contains("on the command line, write `NAME=COMMAND`"), "{told}");
}

#[test]
fn a_run_without_a_file() {
    let cup = Tournament::new("", &[]);
    let engine = common::fake_engine();
    let [one, two] = ["one", "two"].map(|name| format!("{name}={} good", engine.display()));
    let run = |args: &[&str]| cup.arena(&[&["run", "--engine", &one, "--engine", &two], args].concat());
    let options = ["--games", "push", "--nodes", "10", "--pairs", "2", "--option", "Hash=16"];
    let config = run(&[&options[..], &["--print-config"]].concat()).text();
    assert!(config.contains("[engine-defaults.options]\nHash = 16\n"), "{config}");
    assert!(!cup.path("results").exists());

    run(&options).succeeds().says_not("[[engine]]");
    fs::create_dir(cup.path("configs")).unwrap();
    fs::write(cup.path("configs/fast.toml"), &config).unwrap();
    cup.arena(&["run", "fast.toml"]).fails(3).says("did you mean `configs/fast.toml`?");
    assert_eq!(cup.rows("results/one-vs-two").len(), 4);

    // The file that was printed is the same tournament: it has no match left to play.
    fs::write(cup.path("cup.toml"), &config).unwrap();
    cup.run(&[]).succeeds().says("4 of them finished before");

    for (args, code, words) in [
        (
            &["cup.toml"][..],
            2,
            "is for a run without a tournament file; write it in the file as `[[engine]]`, or leave the file out",
        ),
        (&["--games", "psuh"], 3, "did you mean `push`?"),
        (&["--movetime", "soon"], 2, "`soon` is not a duration"),
        (&["--movetime", "50ms", "--tc", "10"], 2, "cannot be used with"),
        (&["--option", "Hahs=1"], 4, "did you mean `Hash`?"),
        (&["--option", "Hash"], 2, "NAME=VALUE"),
    ] {
        run(args).fails(code).says(words);
    }
    cup.arena(&["run", "--engine", "sh"]).fails(2).says("at least two engines");
    cup.arena(&["run", "--nodes", "10"]).fails(2);
}

#[test]
fn what_cannot_begin_says_why() {
    let none = Tournament::new(SMALL, &[("one", "start-exit"), ("two", "good")]);
    none.run(&[]).fails(4).says("last words");

    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good")]);
    let config = fs::read_to_string(cup.path("cup.toml")).unwrap();
    let with = |line: &str| fs::write(cup.path("cup.toml"), format!("{config}{line}\n")).unwrap();
    for (line, code, words) in [
        ("options = { Hahs = 16 }", 4, "error: engine `two` has no option `Hahs`\n  --> cup.toml:16:13\n"),
        ("options = { Hahs = 16 }", 4, "help: did you mean `Hash`?"),
        ("options = { Hash = 1000 }", 4, "a whole number from 1 to 64"),
        ("build = [\"false\"]", 4, "cannot build engine `two`: `false`"),
        ("comand = \"x\"", 3, "did you mean `command`?"),
    ] {
        with(line);
        cup.run(&[]).fails(code).says(words);
    }
    arena(".", &["rnu"]).fails(2);
}

#[test]
#[cfg(unix)]
fn a_script_without_interpreter_is_an_error_that_names_both() {
    use std::os::unix::fs::PermissionsExt;
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good")]);
    let script = cup.folder.path().join("script");
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let config = cup.folder.path().join("cup.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{text}\n[[engine]]\nname = \"three\"\ncommand = \"./script\"\n")).unwrap();
    let output = cup.run(&[]).fails(4);
    assert_eq!(
        said(&output),
        "error: engine `three`: the interpreter `/no/such/interpreter` of `./script` does not exist; install it, or correct \
         the first line of the script\n"
    );
}

#[test]
fn two_arenas_do_not_share_a_folder() {
    let (cup, mut first) = endless();
    for args in [&[][..], &["--fresh"]] {
        cup.run(args).fails(5).says("another arena is writing");
    }
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(cup.path("results/cup/tournament.toml").exists() && !cup.path("results/cup.1").exists());
}

/// Whoever moves the folder of a running tournament does not get files of one run in two folders.
#[test]
fn a_folder_that_is_moved_ends_the_run() {
    let head = SMALL.replace("nodes = 10", "movetime = \"1s\"");
    let cup = Tournament::new(&head, &[("one", "move-hang"), ("two", "good")]);
    let child = cup.command(&[]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    // The last file that is written before the first match.
    cup.wait_for("results/cup/provenance.json");
    fs::rename(cup.path("results/cup"), cup.path("results/moved")).unwrap();
    fs::create_dir(cup.path("results/cup")).unwrap();
    child.wait_with_output().unwrap().fails(5).says("`results/cup` was moved or replaced during the run");
    assert_eq!(fs::read_dir(cup.path("results/cup")).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_deleted_ends_the_run_and_nothing_is_said_to_be_stored() {
    let head = SMALL.replace("nodes = 10", "movetime = \"1s\"");
    let cup = Tournament::new(&head, &[("one", "move-hang"), ("two", "good")]);
    let child = cup.command(&[]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    cup.wait_for("results/cup/provenance.json");
    fs::remove_dir_all(cup.path("results/cup")).unwrap();
    child
        .wait_with_output()
        .unwrap()
        .fails(5)
        .says("was deleted during the run, and its matches with it")
        .says_not("are stored");
}

/// `ulimit -f` sends a signal that ends programs without a word.
#[test]
#[cfg(target_os = "linux")]
fn the_limit_of_the_size_of_files_is_told_and_the_run_continues_with_a_higher_one() {
    let cup = Tournament::new(&SMALL.replace("pairs = 2", "pairs = 30"), &[("one", "good"), ("two", "good")]);
    Command::new("sh")
        .args(["-c", "ulimit -f 24; exec \"$0\" run cup.toml"])
        .arg(env!("CARGO_BIN_EXE_arena"))
        .current_dir(cup.folder.path())
        .output()
        .unwrap()
        .fails(5)
        .says("raise the limit of the size of files (`ulimit -f`)");
    cup.run(&[]).succeeds();
}

#[test]
fn openings_without_an_end_are_refused() {
    for (openings, why) in [("/dev/zero", "it is not a file"), ("large.epd", "it has more than 1 GiB")] {
        let head = format!("{SMALL}[[game]]\nid = \"push-push\"\nopenings = \"{openings}\"");
        let cup = Tournament::new(&head, &[("one", "good"), ("two", "good")]);
        let large = fs::File::create(cup.path("large.epd")).unwrap();
        // Without its bytes on the disk.
        large.set_len(100 << 30).unwrap();
        let output = cup.run(&[]).fails(3);
        let words = format!("cannot read the openings `{openings}`: {why}");
        output.says(&words);
    }
}

#[test]
fn a_name_that_a_spreadsheet_would_obey_is_refused() {
    let cup = Tournament::new(SMALL, &[("=1+2", "good"), ("two", "good")]);
    cup.run(&[]).fails(3).says("must not begin with `=`, `+`, `-` or `@`");
}

/// The configurations that come with the project are read and right.
#[test]
fn the_configurations_of_the_project_are_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let mut n_read = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // The game of `own-game.toml` is a program: `own_game.rs` plays it.
        if path.extension().is_some_and(|extension| extension == "toml") && !path.ends_with("own-game.toml") {
            let config = config::load(engine_proto::Games::built_in(), &path)
                .unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(Some(config.name.as_str()), path.file_stem().unwrap().to_str());
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
    Command::new("sh")
        .current_dir(cup.folder.path())
        .args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\" run cup.toml", env!("CARGO_BIN_EXE_arena")])
        .stdin(Stdio::null())
        .output()
        .unwrap()
        .fails(5)
        .says("all earlier matches are stored");
    cup.run(&[]).succeeds().says("of them finished before");
    let rows = cup.rows("results/cup");
    let numbers: Vec<usize> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(numbers, (1..=2 * 2 * engine_proto::GameId::BUILT_IN.len()).collect::<Vec<_>>());
}

#[test]
fn a_dry_run_tells_all_and_leaves_nothing() {
    let head = format!("{SMALL}[[game]]\nid = \"push-push\"\n").replace("nodes = 10", "movetime = \"1s\"");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good"), ("three", "good")]);
    let dry = |args: &[&str]| printed(&cup.run(&[&["--dry-run"], args].concat()).succeeds());
    let text = dry(&[]);
    assert!(!cup.path("results").exists());
    insta::assert_snapshot!(text);

    // What was played counts as finished, and how long it took is known.
    cup.run(&["--pairs", "1"]).succeeds();
    let journal = fs::read(cup.path("results/cup/matches.jsonl")).unwrap();
    let text = dry(&[]);
    assert!(text.contains("12 matches, 6 of them finished before"), "{text}");
    assert!(text.contains("6 matches: estimated from the finished matches"), "{text}");
    assert!(dry(&["--pairs", "1"]).contains("time: none, because all matches are finished"));
    assert!(dry(&["--fresh"]).starts_with("cup: 3 engines, 12 matches\n"));
    assert_eq!(fs::read(cup.path("results/cup/matches.jsonl")).unwrap(), journal);

    // "And 1 more" would take the line of that one.
    let names = ["one", "two", "three", "four", "five", "six", "seven"].map(|name| (name, "good"));
    let many = printed(&Tournament::new(&head, &names).run(&["--dry-run"]).succeeds());
    assert_eq!(many.matches(" - ").count(), 21, "{many}");
    assert!(!many.contains("more pairing"), "{many}");

    // What a real run refuses is refused.
    cup.edit("movetime = \"1s\"", "movetime = \"2s\"");
    cup.run(&["--dry-run"]).fails(5);
    cup.edit("movetime = \"2s\"", "movetime = \"1s\"");
    cup.add("options = { Hahs = 16 }");
    cup.run(&["--dry-run"]).fails(4);
}

/// The user has too few processes for all engines: nobody has lost by that, nothing hangs, and nothing is lost.
#[cfg(target_os = "linux")]
#[test]
fn too_few_processes_are_no_fault_of_an_engine() {
    assert_shortages_are_told(false, "good");
}

#[cfg(target_os = "linux")]
#[test]
fn too_few_processes_are_no_fault_of_an_engine_in_a_sandbox() {
    assert_shortages_are_told(true, "good");
}

#[cfg(target_os = "linux")]
#[test]
fn too_few_threads_are_no_fault_of_an_engine() {
    assert_shortages_are_told(false, "start-reader");
}

/// Runs a tournament with each of many limits of processes.
#[cfg(target_os = "linux")]
fn assert_shortages_are_told(is_sandboxed: bool, mode: &str) {
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    // The kernel counts the processes of a user.
    let has_thread = mode != "good";
    let user = 64_990 + u32::from(is_sandboxed) + 2 * u32::from(has_thread);
    let head = SMALL.replace("concurrency = 2", "concurrency = 3\ncores = 6\npin = false");
    let engines = ["one", "two", "three"];
    let cup = Tournament::new(&head, &[]);
    let is_root = rustix::process::geteuid().is_root();
    for (name, from) in [("arena", env!("CARGO_BIN_EXE_arena").into()), ("engine", common::fake_engine())] {
        common::copy_program(from, cup.path(name));
    }
    let config = engines
        .map(|name| format!("[[engine]]\nname = \"{name}\"\ncommand = \"./engine\"\nargs = [\"{mode}\"]\n"))
        .concat();
    let cage = if is_sandboxed { "[cage]\nsandbox = \"basic\"\n" } else { "" };
    fs::write(cup.path("cup.toml"), format!("{head}{cage}{config}")).unwrap();
    fs::set_permissions(cup.folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    if is_root {
        chown(cup.folder.path(), Some(user), Some(user)).unwrap();
    }
    let limits = [(500, "--dry-run")].into_iter().chain((3..30).map(|most| (most, "--quiet")));
    for (most, option) in limits.chain([(500, "--quiet")]) {
        let mut command = Command::new("prlimit");
        command.arg(format!("--nproc={most}")).args(["./arena", "run", "cup.toml", option]);
        command.current_dir(cup.folder.path()).stdin(Stdio::null());
        if is_root {
            command.uid(user).gid(user);
        }
        let Ok(output) = command.output() else {
            eprintln!("skipped: there is no program `prlimit`");
            return;
        };
        if option == "--dry-run" && !output.status.success() && is_sandboxed {
            eprintln!("skipped: {}", said(&output));
            return;
        }
        let is_short = output.status.code() == Some(5);
        // Not even one engine can start its thread.
        if has_thread && output.status.code() == Some(4) {
            assert!(said(&output).contains("the system allows another thread"), "{}", said(&output));
            assert!(most < 10, "{most}: {}", said(&output));
            continue;
        }
        assert!(is_short || output.status.success(), "{most}: {}", said(&output));
        assert!(!said(&output).contains("panicked"), "{most}: {}", said(&output));
        if is_short {
            let words = ["the engine is not at fault", "`ulimit -u`"];
            assert!(words.iter().any(|word| said(&output).contains(word)), "{most}: {}", said(&output));
        }
    }
    for row in cup.rows("results/cup") {
        assert!(!["start-failure", "crash", "time"].contains(&row[7].as_str()), "{row:?}");
    }
}

/// An engine that would take all processors of a large machine plays with those of the tournament.
#[test]
fn an_engine_gets_no_more_threads_than_there_are() {
    let head = format!(
        "{SMALL}\n[engine-defaults]\nenvironment = {{ FAKE_ENGINE_OPTION = \"threads type spin default 64 min 1 max 512\" }}\n"
    );
    let cup = Tournament::new(
        &head.replace("concurrency = 2", "concurrency = 2\ncores = 2"),
        &[("one", "good"), ("two", "good")],
    );
    let output = cup.run(&[]).succeeds();
    let words =
        "warning: engine `one` would use 64 threads by default, so the arena sets its option `threads` to 2";
    output.says(words);
    let log = fs::read_to_string(cup.path("results/cup/logs/one.stderr")).unwrap();
    assert!(log.contains("threads is 2\n") && !log.contains("threads is 64"), "{log}");
    cup.verifies("results/cup");
    // The setting is not a change of the configuration.
    cup.run(&[]).succeeds();
    // An engine that needs more is an error.
    cup.edit("min 1 max 512", "min 32 max 512");
    cup.run(&["--fresh"]).fails(4).says("engine `one` uses 64 threads");
}

/// The arena lacks files for all its engines: nobody has lost by that, and nothing is lost.
#[cfg(target_os = "linux")]
#[test]
fn no_more_open_files_is_no_fault_of_an_engine() {
    let engines = [("one", "good"), ("two", "good"), ("three", "good"), ("four", "good")];
    let head = SMALL.replace("concurrency = 2", "concurrency = 6\ncores = 6");
    let cup = Tournament::new(&head, &engines);
    // Enough to look at every engine once, and not for all places.
    let output = with_open_files("-n 60", &cup.command(&[])).output().unwrap().fails(5);
    let errors: Vec<_> =
        said(&output).lines().filter(|line| line.starts_with("error: ")).map(str::to_owned).collect();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("Too many open files"), "{errors:?}");
    assert!(errors[0].contains("the same command continues"), "{errors:?}");

    // The arena raises a limit that it may raise.
    assert!(with_open_files("-Sn 60", &cup.command(&["--quiet"])).status().unwrap().success());
    let rows = cup.rows("results/cup");
    assert_eq!(rows.len(), 6 * 2 * 2 * engine_proto::GameId::BUILT_IN.len());
    for row in rows {
        assert!(!["start-failure", "crash", "time"].contains(&row[7].as_str()), "{row:?}");
    }
}

/// An engine with many processes and threads does not use up the files of the arena.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_does_not_take_the_files_of_the_arena() {
    let head = SMALL.replace("concurrency = 2", "concurrency = 1");
    let cup = Tournament::new(&head, &[("one", "start-crowd"), ("two", "start-crowd")]);
    with_open_files("-n 100", &cup.command(&[])).output().unwrap().succeeds();
}

/// Stopped at the terminal while engines think: they answer meanwhile, and it is not their fault that nobody listens.
#[cfg(unix)]
#[test]
fn an_arena_that_stood_still_takes_no_time_from_engines() {
    use rustix::process::{Pid, Signal, kill_process};
    // Every third move of an engine takes 400 ms, all others none.
    let head = "[tournament]\npairs = 2\nconcurrency = 2\n[limits]\nmovetime = \"600ms\"\nmargin = \"100ms\"\n\
                max-plies = 6\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "move-late"), ("two", "move-late")]);
    let mut child = cup.command(&[]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    cup.wait_for("results/cup/matches.csv");
    std::thread::sleep(Duration::from_millis(250));
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::STOP).unwrap();
    std::thread::sleep(Duration::from_millis(1200));
    assert!(child.try_wait().unwrap().is_none());
    kill_process(pid, Signal::CONT).unwrap();
    child.wait_with_output().unwrap().succeeds();
    let reasons: Vec<_> = cup.rows("results/cup").into_iter().map(|row| row[7].clone()).collect();
    assert_eq!(reasons, ["move-cap"; 4]);
}

/// Many short stops: an engine that takes 400 ms of 500 ms has time enough.
#[cfg(target_os = "linux")]
#[test]
fn short_stops_of_the_arena_take_no_time_from_engines() {
    use rustix::process::{Pid, Signal, kill_process};
    let head = "[tournament]\nconcurrency = 2\n[limits]\nmovetime = \"500ms\"\nmargin = \"250ms\"\n\
                max-plies = 6\n[[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "move-late"), ("two", "move-late")]);
    let mut child = cup.command(&[]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let pid = Pid::from_child(&child);
    while !cup.path("results/cup/matches.csv").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    while child.try_wait().unwrap().is_none() {
        kill_process(pid, Signal::STOP).unwrap();
        std::thread::sleep(Duration::from_millis(380));
        kill_process(pid, Signal::CONT).unwrap();
        std::thread::sleep(Duration::from_millis(60));
    }
    let output = child.wait_with_output().unwrap().succeeds();
    let reasons: Vec<_> = cup.rows("results/cup").into_iter().map(|row| row[7].clone()).collect();
    assert_eq!(reasons, ["move-cap", "move-cap"], "{}", said(&output));
}

#[test]
fn an_engine_plays_the_games_that_it_is_configured_for() {
    let head = format!("{SMALL}[[game]]\nid = \"push-push\"\n[[game]]\nid = \"push\"\n");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good"), ("narrow", "good")]);
    cup.add("games = [\"push\"]");
    cup.run(&[]).succeeds();
    let rows = cup.rows("results/cup");
    let n_of = |game: &str, name: &str| {
        rows.iter().filter(|row| row[2] == game && (row[4] == name || row[5] == name)).count()
    };
    assert_eq!([n_of("push-push", "one"), n_of("push-push", "narrow")], [4, 0]);
    assert_eq!([n_of("push", "one"), n_of("push", "narrow")], [8, 8]);
    cup.verifies("results/cup");
}

#[test]
fn a_gauntlet_is_one_against_all_others() {
    let head = SMALL.replace("pairs = 2", "pairs = 2\nformat = \"gauntlet\"\nseeds = [\"new\"]");
    let head = format!("{head}[[game]]\nid = \"push-push\"\n[[game]]\nid = \"push\"\n");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good"), ("new", "good")]);
    cup.run(&[]).succeeds();
    let rows = cup.rows("results/cup");
    assert_eq!(rows.len(), 2 * 2 * 2 * 2);
    assert!(rows.iter().all(|row| (row[4] == "new") != (row[5] == "new")), "{rows:?}");
}

#[test]
fn the_conversation_of_every_match_is_kept_if_wanted() {
    let head = format!("{SMALL}[[game]]\nid = \"push-push\"\n");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "move-illegal")]);
    cup.run(&["--log", "talk"]).succeeds();
    assert_eq!(fs::read_dir(cup.path("talk")).unwrap().count(), 4);
    for row in cup.rows("results/cup") {
        let number: u32 = row[0].parse().unwrap();
        let text = fs::read_to_string(cup.path(&format!("talk/match-{number:06}.log"))).unwrap();
        let (times, lines): (Vec<u64>, Vec<&str>) = text
            .lines()
            .map(|line| line.trim_start().split_once(' ').unwrap())
            .map(|(time, line)| (time.parse::<u64>().unwrap(), line))
            .unzip();
        assert!(times.is_sorted(), "{text}");
        assert_eq!(lines[0], format!("# match {number}, push-push, White {}, Black {}", row[4], row[5]));
        assert!(lines.last().unwrap().starts_with(&format!("# {}, illegal-move `a1a1a1`", row[6])), "{text}");
        let n_moves: u32 = row[8].parse().unwrap();
        let n_asked = lines.iter().filter(|line| line.contains(" > go nodes 10")).count();
        let n_told = lines.iter().filter(|line| line.contains(" < bestmove ")).count();
        // The move that was not legal is told as well, and what is still to be read from the match before.
        assert_eq!(n_asked, n_moves as usize + 1, "{text}");
        assert!(n_asked <= n_told, "{text}");
        assert!(lines.contains(&"two < readyok") && lines.contains(&"one > uginewgame"), "{text}");
    }
    // A folder that cannot be made is said at once.
    cup.run(&["--log", "cup.toml/talk"]).fails(5);
}

#[test]
fn an_engine_that_is_at_fault_too_often_retires() {
    let head = SMALL.replace("pairs = 2\nconcurrency = 2", "pairs = 4\nconcurrency = 1\nmax-faults = 3");
    let head = format!("{head}[[game]]\nid = \"push-push\"\n");
    let engines = [("one", "good"), ("bad", "move-exit"), ("two", "good")];
    let cup = Tournament::new(&head, &engines);
    // One pair: two faults against each opponent. The run after it goes on counting.
    let reasons = |args: &[&str]| -> Vec<String> {
        let output = cup.run(args).succeeds();
        let n_warnings = said(&output).matches("engine `bad` has lost 3 matches by its own fault").count();
        assert_eq!(n_warnings, 1, "{}", said(&output));
        let rows = cup.rows("results/cup");
        let of_bad = rows.into_iter().filter(|row| row[4] == "bad" || row[5] == "bad");
        of_bad.map(|row| row[7].clone()).collect()
    };
    assert_eq!(reasons(&["--pairs", "1"]), ["crash", "crash", "crash", "retired"]);
    let all = reasons(&[]);
    assert_eq!(all[..3], ["crash"; 3]);
    assert_eq!(all[3..], ["retired"; 13]);

    // Matches of two engines that have both retired are not rated, and the others are.
    let both = Tournament::new(&head, &[("one", "good"), ("bad", "move-exit"), ("worse", "move-exit")]);
    let ended = both.run(&[]).succeeds();
    let is_void = |row: &&Vec<String>| row[6] == "1/2-1/2" && row[7] == "retired";
    let rows = both.rows("results/cup");
    let n_void = rows.iter().filter(is_void).count();
    assert!(n_void > 0, "{rows:?}");
    let note = "not counted, because both";
    for output in
        [ended, both.arena(&["rate", "results/cup"]), both.arena(&["rate", "results/cup/matches.csv"])]
    {
        let text = printed(&output);
        assert!(text.contains(&format!("push-push: {} matches", rows.len() - n_void)), "{text}");
        assert!(text.contains(note) && text.contains(&format!("- {n_void} match")), "{text}");
    }
    let ratings = fs::read_to_string(both.path("results/cup/ratings.csv")).unwrap();
    let drawn = rows.iter().filter(|row| row[6] == "1/2-1/2" && row[7] != "retired").count();
    for line in ratings.lines().filter(|line| line.starts_with("push-push,bad,")) {
        assert!(line.split(',').nth(7).unwrap().parse::<usize>().unwrap() <= drawn, "{ratings}");
    }

    // Without a number, it plays on, and that is said.
    let head = SMALL.replace("pairs = 2\nconcurrency = 2", "pairs = 8\nconcurrency = 1");
    let head = format!("{head}[[game]]\nid = \"push-push\"\n");
    let broken = Tournament::new(&head, &[("one", "good"), ("bad", "move-exit")]);
    let output = broken.run(&[]).succeeds();
    let warning = "engine `bad` has lost 10 matches in a row by its own fault";
    assert_eq!(said(&output).matches(warning).count(), 1, "{}", said(&output));
    let rows = broken.rows("results/cup");
    assert!(rows.len() == 16 && rows.iter().all(|row| row[7] == "crash"), "{rows:?}");

    // The number may be changed between two runs.
    cup.edit("max-faults = 3\n", "");
    cup.run(&["--pairs", "5"]).succeeds();
    let rows = cup.rows("results/cup");
    let (n_rows, n_crashes) = (rows.len(), rows.iter().filter(|row| row[7] == "crash").count());
    assert_eq!(n_crashes, 3 + 4);
    cup.run(&["--pairs", "6", "--max-faults", "1"]).succeeds();
    assert!(cup.rows("results/cup").iter().skip(n_rows).any(|row| row[7] == "retired"));
    cup.verifies("results/cup");
}

#[test]
fn engines_that_agree_end_a_match_if_they_are_trusted() {
    // The engine claims 7 hundredths for whoever is on the move.
    let rules =
        "[adjudication]\ndraw = { score = 7, moves = 3, after-plies = 8 }\nwin = { score = 7, moves = 1 }\n";
    let cup = Tournament::new(&format!("{SMALL}{rules}"), &[("one", "good"), ("two", "good")]);
    cup.run(&[]).succeeds();
    let rows = cup.rows("results/cup");
    let adjudicated: Vec<_> = rows.iter().filter(|row| row[7] == "adjudicated-draw").collect();
    assert!(!adjudicated.is_empty());
    assert!(adjudicated.iter().all(|row| row[6] == "1/2-1/2"));
    let shortest = adjudicated.iter().map(|row| row[8].parse::<u32>().unwrap()).min();
    assert_eq!(shortest, Some(8));
    assert!(
        rows.iter().all(|row| row[7] != "adjudicated-win"),
        "two that both see themselves win do not agree"
    );
    cup.verifies("results/cup");
}

/// All rows but the times, without the columns `match` and `pair`, in the alphabet's order.
fn matches(cup: &Tournament) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> =
        cup.rows("results/cup").into_iter().map(|mut row| row.drain(2..9).collect()).collect();
    rows.sort();
    rows
}

#[test]
fn an_engine_comes_and_another_goes() {
    let head = format!("{SMALL}[[game]]\nid = \"push-push\"\n[[game]]\nid = \"push\"\n");
    let two = Tournament::new(&head, &[("one", "good"), ("two", "good")]);
    two.run(&[]).succeeds();
    let before = two.rows("results/cup");
    assert_eq!(before.len(), 8);

    // A third engine, in front of the others: what was played stays, and only the rest is played.
    let three = Tournament::new(&head, &[("new", "good"), ("one", "good"), ("two", "good")]);
    let config = fs::read_to_string(three.path("cup.toml")).unwrap();
    fs::write(two.path("cup.toml"), &config).unwrap();
    let dry = two.run(&["--dry-run"]).text();
    assert!(dry.starts_with("cup: 3 engines, 24 matches, 8 of them finished before"), "{dry}");
    two.run(&[]).succeeds().says("24 matches, 8 of them finished before");
    let rows = two.rows("results/cup");
    for row in &before {
        assert!(rows.iter().any(|kept| kept[2..] == row[2..]), "with its times: {row:?}");
    }
    two.verifies("results/cup");
    three.run(&[]).succeeds();
    assert_eq!(matches(&two), matches(&three));

    // And one that goes takes its matches with it, but not out of the world.
    let without_one = Tournament::new(&head, &[("new", "good"), ("two", "good")]);
    fs::copy(without_one.path("cup.toml"), two.path("cup.toml")).unwrap();
    two.run(&[]).succeeds().says("16 matches no longer count");
    assert_eq!(two.rows("results/cup").len(), 8);
    let aside = fs::read_to_string(two.path("results/cup/matches.set-aside.jsonl")).unwrap();
    assert_eq!(aside.lines().count(), 16);
    assert!(aside.lines().all(|line| line.contains("\"one\"")));
    two.verifies("results/cup");
}

#[test]
fn the_matches_of_one_engine_are_played_again() {
    let head = format!("{SMALL}[[game]]\nid = \"push-push\"\n");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good"), ("three", "good")]);
    cup.run(&[]).succeeds();
    let before = cup.rows("results/cup");
    cup.run(&["--replay", "two"]).succeeds().says("12 matches, 4 of them finished before");
    let after = cup.rows("results/cup");
    assert_eq!(after.len(), before.len());
    for (old, new) in before.iter().zip(&after) {
        let is_replayed = old[4] == "two" || old[5] == "two";
        assert_eq!(old[..9], new[..9], "the engines play the same moves again");
        assert!(is_replayed || old == new, "the others keep their times");
    }
    let aside = fs::read_to_string(cup.path("results/cup/matches.set-aside.jsonl")).unwrap();
    assert_eq!(aside.lines().count(), 8);
    cup.verifies("results/cup");

    cup.run(&["--replay", "tow"]).fails(2).says("the engines are one, two, three");
}

#[test]
fn times_are_told_of_all_moves_and_made_from_the_journal_alone() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two", "good")]);
    let output = cup.run(&["--timing"]).succeeds().says("\none: ");
    #[cfg(target_os = "linux")]
    output.says("\nthe arena itself used ");
    let file = cup.path("results/cup/timing.csv");
    let text = fs::read_to_string(&file).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns: Vec<_> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(
        columns.join(","),
        "engine,moves,time_losses,mean_ms,max_ms,claimed_difference_mean_ms,claimed_difference_max_ms,arena_mean_us,arena_max_us"
    );
    let times: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(times.iter().map(|row| &row[0]).collect::<Vec<_>>(), ["one", "two"]);
    let n_moves: u64 = times.iter().map(|row| row[1].parse::<u64>().unwrap()).sum();
    let plies: u64 = cup.rows("results/cup").iter().map(|row| row[8].parse::<u64>().unwrap()).sum();
    assert_eq!(n_moves, plies);
    assert!(times.iter().all(|row| 0.0 < row[7].parse::<f64>().unwrap()));

    // Only a match's first move comes after no answer.
    for record in cup.records("results/cup") {
        let known: Vec<bool> = record.moves.iter().map(|mv| mv.arena_us.is_some()).collect();
        assert!(known.iter().enumerate().all(|(idx, known)| *known == (idx != 0)));
    }

    fs::remove_file(&file).unwrap();
    cup.run(&["--quiet"]).succeeds();
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}
