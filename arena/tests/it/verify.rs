//! `arena verify` as a user runs it: a folder that is as it was left, and folders that somebody has meddled with.

use std::fs;
use std::process::{Command, Output};

use crate::common::tournament::{Ended, Tournament, arena, printed, said};
use model::CsvRow;

const SMALL: &str = "[tournament]\npairs = 2\nconcurrency = 2\n[limits]\nnodes = 10\nmax-plies = 40\n";

fn verify(cup: &Tournament, folders: &[&str]) -> Output {
    cup.arena(&[&["verify"], folders].concat())
}

/// The folder is whole: exit code 0 and a line that says so.
fn holds(cup: &Tournament, n_matches: usize) {
    let output = verify(cup, &["results/cup"]);
    assert_eq!(printed(&output), format!("results/cup: {n_matches} matches, no problems\n"));
    assert!(output.status.success());
}

#[test]
fn what_was_left_holds() {
    let cup = Tournament::new(SMALL, &[("one", "good"), ("two, the second", "good"), ("three", "good")]);
    cup.run(&[]).succeeds();
    let n_matches = 3 * 2 * 2 * engine_proto::GameId::BUILT_IN.len();
    holds(&cup, n_matches);
    // The same folder with fewer pairs wanted than it holds, and with more.
    cup.run(&["--pairs", "1"]).succeeds();
    holds(&cup, n_matches);
    cup.run(&["--pairs", "3"]).succeeds();
    holds(&cup, n_matches / 2 * 3);
}

#[test]
fn faults_and_forfeits_hold() {
    let head = "[tournament]\nconcurrency = 2\n[limits]\nmovetime = \"100ms\"\nmax-plies = 10\n\
                [timeouts]\nstart = \"500ms\"\n[[game]]\nid = \"push-push\"\n";
    let modes = ["good", "move-hang", "move-exit", "move-illegal", "ready-exit", "start-exit", "move-empty"];
    let cup = Tournament::new(head, &modes.map(|mode| (mode, mode)));
    cup.run(&[]).succeeds();
    let rows = cup.rows("results/cup");
    for reason in ["time", "crash", "illegal-move", "start-failure", "protocol-error"] {
        assert!(rows.iter().any(|row| row[7] == reason), "{reason}");
    }
    holds(&cup, rows.len());
}

#[test]
fn whatever_was_changed_is_found() {
    let head = format!("{SMALL}[[game]]\nid = \"push-push\"\n");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good")]);
    cup.run(&["--concurrency", "1"]).succeeds();
    let journal = cup.path("results/cup/matches.jsonl");
    let table = cup.path("results/cup/matches.csv");
    let config = cup.path("results/cup/tournament.toml");
    let originals = [&journal, &table, &config].map(|path| fs::read_to_string(path).unwrap());
    let [lines, rows, _] = &originals;
    let second = lines.lines().nth(1).unwrap();
    let without_second = lines.replace(&format!("{second}\n"), "");
    let row_of_second = rows.lines().nth(2).unwrap();

    // A file, what is made of it, and the words that name the place.
    let cases = [
        (
            &journal,
            lines.replacen("\"side\":\"w\"", "\"side\":\"b\"", 1),
            "matches.jsonl:1: match 1: ply 1: `side` is wrong",
        ),
        (
            &journal,
            lines.replacen("\"match\":2", "\"match\":1", 1),
            "matches.jsonl:2: match 1: duplicate of the match in line 1",
        ),
        (
            &journal,
            lines.replacen("\"match\":2", "\"match\":9", 1),
            "matches.jsonl:2: match 9: unscheduled match; the last match of the schedule is 4",
        ),
        (
            &journal,
            lines.replacen("\"white\":\"one\"", "\"white\":\"six\"", 1),
            "match 1: `white` is `six`, but `one` in the schedule",
        ),
        (&journal, format!("{lines}{{\n"), "matches.jsonl:5: cannot read the match"),
        (&journal, lines[..lines.len() - 10].to_owned(), "matches.jsonl:4: the line is incomplete"),
        (
            &journal,
            lines.replace(second, "?"),
            "match 2 of the schedule is missing\nresults/cup/matches.csv:3: match `2` is not in `matches.jsonl`\nresults/cup: 3 matches, 2 problems, not finished (1 match missing)\n",
        ),
        (
            &journal,
            without_second,
            "matches.jsonl: match 2 of the schedule is missing; the command that played the others plays them, too",
        ),
        (&journal, String::new(), "matches.jsonl: matches 1 to 4 of the schedule are missing"),
        (&table, rows.replace(row_of_second, "2,1"), "matches.csv:3: match 2: 2 columns instead of 11"),
        (
            &table,
            rows.replacen(",one,two,", ",two,one,", 1),
            "matches.csv:2: match 1: `white` is `two`, but `one` in `matches.jsonl`; `black`",
        ),
        (&table, format!("{rows}{row_of_second}\n"), "matches.csv:6: match 2: duplicate row"),
        (
            &table,
            format!("{rows}77{row_of_second}\n"),
            "matches.csv:6: match `772` is not in `matches.jsonl`",
        ),
        (
            &table,
            rows.replace(&format!("{row_of_second}\n"), ""),
            "matches.csv: match 2: the match has no row",
        ),
        (&table, rows.replacen("match,", "mtch,", 1), "matches.csv:1: the header is not `match,pair,"),
        (&config, originals[2].replace("seed = 1", "seed = 2"), "match 1: `opening` is"),
        (&config, "rubbish".to_owned(), "tournament.toml: cannot read its configuration"),
    ];
    for (path, meddled, words) in cases {
        fs::write(path, meddled).unwrap();
        let output = verify(&cup, &["results/cup"]);
        assert!(printed(&output).contains(words), "{words}: {}", printed(&output));
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        for (path, original) in [&journal, &table, &config].into_iter().zip(&originals) {
            fs::write(path, original).unwrap();
        }
    }
    holds(&cup, 4);

    verify(&cup, &["results/cup", "no/such/folder"]).fails(3).says("there is no folder `no/such/folder`");
}

/// 26 of 360 matches ended by a crash, all on one of three workers.
#[test]
fn a_worker_with_far_more_faults_than_the_others_is_named() {
    let head = "[tournament]\npairs = 180\nconcurrency = 2\n[limits]\nnodes = 10\nmax-plies = 4\n\
                [[game]]\nid = \"push-push\"\n";
    let cup = Tournament::new(head, &[("one", "good"), ("two", "good")]);
    cup.run(&["-q", "--no-report"]).succeeds();
    let journal = cup.path("results/cup/matches.jsonl");
    let mut records = cup.records("results/cup");
    let mut write = |crashing: Option<u32>| {
        for record in &mut records {
            let worker = record.pair % 3;
            record.worker = Some(format!("w{worker}"));
            let is_first = record.number % 2 == 1;
            let has_crashed = crashing.is_none_or(|crashing| worker == crashing);
            if is_first && record.pair <= 78 && has_crashed {
                (record.result, record.reason) = (ratings::MatchResult::BlackWins, "crash".to_owned());
            }
        }
        let lines: String =
            records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect();
        fs::write(&journal, lines).unwrap();
        let mut table = csv::Writer::from_path(cup.path("results/cup/matches.csv")).unwrap();
        for record in &records {
            table.serialize(CsvRow::from(record)).unwrap();
        }
        table.flush().unwrap();
    };
    write(Some(1));
    let output = verify(&cup, &["results/cup"]);
    assert_eq!(
        printed(&output),
        "results/cup: warning: worker `w1` differs from the others: 21.7 % of its matches end by a crash or another fault of \
         an engine, 7.2 % in the same pairings on all workers\n\
         results/cup: 360 matches, no problems\n"
    );
    assert!(output.status.success());
    // An engine that crashes everywhere.
    write(None);
    holds(&cup, 360);
}

/// The results that come with the project.
#[test]
fn the_reference_holds() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../results/reference");
    let output = arena(".", &["verify", folder]).succeeds();
    let n_matches = fs::read_to_string(format!("{folder}/matches.csv")).unwrap().lines().count() - 1;
    let expected = format!("{n_matches} matches, no problems\n");
    assert!(printed(&output).ends_with(&expected), "{}", printed(&output));
}

/// A device, a pipe that nobody writes to, or a file of holes in the place of a file: one error, and no waiting for ever.
#[cfg(target_os = "linux")]
#[test]
fn what_never_ends_is_not_read() {
    type Make = fn(&std::path::Path);
    let head = format!("{SMALL}[[game]]\nid = \"push-push\"\n");
    let cup = Tournament::new(&head, &[("one", "good"), ("two", "good")]);
    cup.run(&[]).succeeds();
    let folder = cup.path("results/cup");
    let arena = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        let output =
            command.args(words).arg(&folder).current_dir(cup.folder.path()).output().unwrap().fails(3);
        printed(&output) + &said(&output)
    };
    let link: Make = |path| std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    let pipe: Make = |path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let holes: Make = |path| fs::File::create(path).unwrap().set_len(1 << 40).unwrap();
    let lines = "matches.jsonl";
    for (name, make, problem) in [
        ("matches.csv", link, "not a regular file"),
        ("matches.csv", pipe, "not a regular file"),
        ("matches.csv", holes, "a row is longer than"),
        (lines, link, "not a regular file"),
        (lines, pipe, "not a regular file"),
        (lines, holes, "a line is longer than"),
        ("tournament.toml", pipe, "not a regular file"),
        ("tournament.toml", holes, "the file is longer than"),
    ] {
        let path = folder.join(name);
        let original = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        make(&path);
        let commands: &[&[&str]] = if name == lines {
            &[&["verify"], &["pgn"], &["merge", "--results", "both"]]
        } else {
            &[&["verify"]]
        };
        for words in commands {
            let said = arena(words);
            assert!(said.contains(problem), "{name}: {words:?}: {said}");
        }
        fs::remove_file(&path).unwrap();
        fs::write(&path, original).unwrap();
    }
}
