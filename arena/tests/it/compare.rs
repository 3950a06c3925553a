//! `arena compare`, as a user types it: files in, tables or an error that says where and what out.

use crate::common::tournament::{Ended, arena, said};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;

/// Files in a folder of their own, which the command is started in.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        Self(folder)
    }

    fn compare(&self, args: &[&str]) -> Output {
        arena(self.0.path(), &[&["compare"], args].concat())
    }

    fn printed(&self, args: &[&str]) -> String {
        self.compare(args).text()
    }

    fn table(&self, args: &[&str]) -> String {
        let table = self.printed(args);
        for line in table.lines() {
            assert!(line.chars().count() <= 80, "{line}");
            assert_eq!(line, line.trim_end());
        }
        table
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.printed(&[args, &["--format", "json"]].concat())).unwrap()
    }

    /// The message, and the exit code.
    fn error(&self, args: &[&str]) -> (String, i32) {
        let output = self.compare(args);
        assert!(output.stdout.is_empty(), "{args:?}");
        (said(&output).trim_end().to_owned(), output.status.code().unwrap())
    }
}

fn data(file: &str) -> String {
    fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ratings/tests/data").join(file))
        .unwrap()
}

/// The matches of `A.csv` dealt to two runs, pair by pair.
fn two_runs() -> Folder {
    let all = data("A.csv");
    let (header, lines) = all.split_once('\n').unwrap();
    let mut runs = [format!("{header}\n"), format!("{header}\n")];
    for line in lines.lines() {
        let pair: usize = line.split(',').nth(4).unwrap()[1..].parse().unwrap();
        writeln!(runs[pair % 2], "{line}").unwrap();
    }
    Folder::new(&[("old.csv", &runs[0]), ("new.csv", &runs[1])])
}

const FEW: &str = "match,pair,game,opening,white,black,result\n\
    1,1,push,o1,new,old,1-0\n\
    2,1,push,o1,old,new,1/2-1/2\n\
    3,2,push,o2,new,old,1-0\n\
    4,2,push,o2,old,new,1-0\n\
    5,3,push,o1,new,old,1/2-1/2\n\
    6,3,push,o1,old,new,1/2-1/2\n\
    7,4,push,o3,new,old,1-0\n\
    8,1,tower-push,o1,new,old,0-1\n\
    9,1,tower-push,o1,old,new,1-0\n\
    10,2,tower-push,o2,new,old,*\n\
    11,2,tower-push,o2,old,new,1-0\n";

#[test]
fn two_engines_over_five_games() {
    let folder = Folder::new(&[("A.csv", &data("A.csv"))]);
    insta::assert_snapshot!(folder.table(&["A.csv", "--engines", "EngineA,EngineB"]));
}

#[test]
fn few_pairs_and_matches_without_a_partner() {
    let folder = Folder::new(&[("few.csv", FEW)]);
    insta::assert_snapshot!(folder.table(&["few.csv", "--all", "--engines", "new,old"]));
}

#[test]
fn csv_of_two_engines() {
    let folder = Folder::new(&[("few.csv", FEW)]);
    insta::assert_snapshot!(folder.printed(&["few.csv", "--engines", "new,old", "--format", "csv"]));
}

#[test]
fn two_runs_of_the_same_engines() {
    insta::assert_snapshot!(two_runs().table(&[
        "old.csv",
        "new.csv",
        "--game",
        "push",
        "--game",
        "tower-push"
    ]));
}

#[test]
fn one_game_has_one_block() {
    let folder = Folder::new(&[("few.csv", FEW)]);
    let json = folder.json(&["few.csv", "--engines", "new,old", "--game", "push"]);
    assert_eq!(json["scopes"].as_array().unwrap().len(), 1);
    assert_eq!(json["scopes"][0]["name"], "push");
    assert_eq!(json["scopes"][0]["lone_matches"], 1);
    assert_eq!(json["scopes"][0]["repeated_openings"], 1);
    assert_eq!(json["scopes"][0]["pairs"]["wd"], 1);
}

#[test]
fn the_other_engine_sees_the_mirror_image() {
    let folder = Folder::new(&[("A.csv", &data("A.csv"))]);
    let ours = folder.json(&["A.csv", "--engines", "EngineA,EngineC"]);
    let theirs = folder.json(&["A.csv", "--engines", "EngineC,EngineA"]);
    let number = |json: &Value, path: &str| json.pointer(path).unwrap().as_f64().unwrap();
    for scope in 0..6 {
        let sum = |ours_at: &str, theirs_at: &str| {
            let [ours_at, theirs_at] = [ours_at, theirs_at].map(|at| format!("/scopes/{scope}/{at}"));
            number(&ours, &ours_at) + number(&theirs, &theirs_at)
        };
        assert!((sum("head_to_head/score/low", "head_to_head/score/high") - 1.0).abs() < 1e-9);
        assert!((sum("head_to_head/los", "head_to_head/los") - 1.0).abs() < 1e-9);
        assert!((sum("any_time/score/0", "any_time/score/1") - 1.0).abs() < 1e-9);
        assert!(sum("rating/low", "rating/high").abs() < 1e-6);
        assert!((sum("rating/los", "rating/los") - 1.0).abs() < 1e-9);
    }
}

/// The ratings' difference compared with an independent implementation's.
#[test]
fn differences_of_ratings() {
    let folder = Folder::new(&[("A.csv", &data("A.csv"))]);
    let json = folder.json(&["A.csv", "--engines", "EngineA,EngineB"]);
    let mut checked = 0;
    for line in csv::Reader::from_reader(data("A.diffs.csv").as_bytes()).records().map(Result::unwrap) {
        if (&line[1], &line[2]) != ("EngineA", "EngineB") {
            continue;
        }
        let scopes = json["scopes"].as_array().unwrap();
        let rating = &scopes.iter().find(|scope| scope["name"] == line[0]).unwrap()["rating"];
        for (column, key, tolerance) in [(3, "elo", 0.01), (4, "se", 0.02), (5, "los", 1e-4)] {
            let expected: f64 = line[column].parse().unwrap();
            assert!(
                (rating[key].as_f64().unwrap() - expected).abs() < tolerance,
                "{key} {rating} {expected}"
            );
        }
        checked += 1;
    }
    assert_eq!(checked, 5);
}

#[test]
fn a_plain_difference_ends_the_test() {
    let mut matches = "game,white,black,result,pair\n".to_owned();
    for pair in 0..40 {
        let reply = if pair % 2 == 0 { "0-1" } else { "1/2-1/2" };
        writeln!(matches, "push,new,old,1-0,{pair}\npush,old,new,{reply},{pair}").unwrap();
    }
    let folder = Folder::new(&[("matches.csv", &matches)]);
    let args = ["matches.csv", "--engines", "new,old", "--elo0", "-50", "--elo1", "50"];
    let test = &folder.json(&args)["scopes"][0]["test"];
    assert_eq!(test["decision"]["verdict"], "h1");
    let after = test["decision"]["pairs"].as_u64().unwrap();
    assert!(after.is_multiple_of(8) && after < 40, "{test}");
    let table = folder.table(&args);
    assert!(
        one_line(&table).contains(&format!(
            "the results fit 50 better than -50 (values in between are not distinguished), decided after {after} pairs"
        )),
        "{table}"
    );
    let reversed = folder.table(&["matches.csv", "--engines", "old,new", "--elo0", "-50", "--elo1", "50"]);
    assert!(one_line(&reversed).contains("the results fit -50 better than 50"), "{reversed}");
    let eager = folder.table(&["matches.csv", "--engines", "new,old", "--batch", "2"]);
    assert!(one_line(&eager).contains("the batch of 2 is raised to 8 pairs"), "{eager}");
}

#[test]
fn engines_that_never_met_are_compared_by_their_ratings() {
    let matches = "game,white,black,result,pair\n\
        push,A,C,1-0,1\npush,C,A,1-0,1\npush,A,C,1/2-1/2,2\npush,C,A,0-1,2\n\
        push,B,C,1-0,1\npush,C,B,1-0,1\npush,B,C,1/2-1/2,2\npush,C,B,1-0,2\n";
    let folder = Folder::new(&[("matches.csv", matches)]);
    let args = ["matches.csv", "--engines", "A,B"];
    let json = folder.json(&args);
    assert!(0.0 < json["scopes"][0]["rating"]["elo"].as_f64().unwrap());
    assert!(json["scopes"][0]["head_to_head"].is_null());
    let table = folder.table(&args);
    assert!(table.contains("by their ratings") && table.contains("no match against each other\n"), "{table}");
    assert!(!table.contains("of the two alone"), "{table}");
    let of_two_pools = format!("{matches}push,D,E,1-0,1\npush,E,D,0-1,1\n");
    let folder = Folder::new(&[("matches.csv", &of_two_pools)]);
    let table = folder.table(&["matches.csv", "--engines", "A,D"]);
    assert!(table.starts_with("A and D cannot be compared\n"), "{table}");
    // Nothing is explained that is not there.
    assert!(
        !["Sequential test", "LOS", "interval", "Elo"].iter().any(|part| table.contains(part)),
        "{table}"
    );
}

/// What `arena rate` is sure of, the comparison is sure of, too: by the matches of the two, or by their ranks.
#[test]
fn clean_sweeps_are_compared() {
    let sweep =
        |one: &str, other: &str| format!("push,{one},{other},1-0\npush,{other},{one},0-1\n").repeat(10);
    let matches = ["game,white,black,result\n", &sweep("A", "B"), &sweep("B", "C")].concat();
    let folder = Folder::new(&[("matches.csv", &matches)]);
    for (engines, answer) in [
        ("A,B", "A is stronger than B: +∞ (+277 to +∞) Elo, by their matches\n"),
        ("C,A", "C is weaker than A, by their ranks; by how much is not known\n"),
    ] {
        let table = folder.table(&["matches.csv", "--engines", engines]);
        assert!(table.starts_with(answer), "{table}");
    }
    // Where White is always the same engine, it may be the colour.
    let folder =
        Folder::new(&[("white.csv", &format!("game,white,black,result\n{}", "push,A,B,1-0\n".repeat(10)))]);
    let table = folder.table(&["white.csv", "--engines", "A,B"]);
    assert!(table.starts_with("undecided between A and B: one of them had White more often\n"), "{table}");
}

/// What two engines have won against each other is not changed by the matches of others.
#[test]
fn the_matches_of_two_engines_decide_also_among_others() {
    let own = "push,A,B,1-0\npush,B,A,0-1\npush,A,B,1/2-1/2\npush,B,A,1-0\n".repeat(6);
    let others = "push,A,C,1-0\npush,C,A,1/2-1/2\npush,B,C,1/2-1/2\npush,C,B,1-0\n".repeat(20);
    let header = "game,white,black,result\n";
    let folder =
        Folder::new(&[("two.csv", &[header, &own].concat()), ("all.csv", &[header, &own, &others].concat())]);
    let table = |file| folder.table(&[file, "--engines", "A,B"]);
    let [two, all] = ["two.csv", "all.csv"].map(table);
    let answer = two.lines().next().unwrap();
    assert!(answer.ends_with(" Elo, by their matches"), "{two}");
    assert_eq!(all.lines().next(), Some(answer), "{all}");
    assert!(all.replace("\n  ", " ").contains("by those of all engines, A leads by"), "{all}");
}

#[test]
fn an_engine_that_never_started_is_not_compared() {
    let matches = "game,white,black,result,pair,reason\n\
                   push,A,C,1-0,1,goal\npush,C,A,1-0,1,goal\n\
                   push,A,B,1-0,2,start-failure\npush,B,A,0-1,2,start-failure\n";
    let folder = Folder::new(&[("matches.csv", matches)]);
    let args = ["matches.csv", "--engines", "A,B"];
    assert!(
        folder.json(&args)["scopes"].as_array().unwrap().iter().all(|scope| scope["head_to_head"].is_null())
    );
    let table = folder.table(&args);
    assert!(table.contains("- B never started: its matches are not counted\n"), "{table}");
}

#[test]
fn matches_that_nothing_joins_are_no_pairs() {
    let matches = "game,white,black,result\npush,A,B,1-0\npush,B,A,1-0\n";
    let folder = Folder::new(&[("matches.csv", matches)]);
    let table = folder.table(&["matches.csv", "--engines", "A,B"]);
    assert!(table.contains("- no pairs: two matches with the sides swapped are a pair if"), "{table}");
    assert!(
        table.contains("push: 2 matches without pairs\n  matches            W 1  D 0  L 1, score 50.0%\n"),
        "{table}"
    );
}

#[test]
fn exchanged_runs_exchange_the_signs() {
    let folder = two_runs();
    let changes = |files: [&str; 2]| folder.json(&files)["scopes"].as_array().unwrap().clone();
    let number = |json: &Value, at: &str| json.pointer(at).unwrap().as_f64().unwrap();
    for (forth, back) in changes(["old.csv", "new.csv"]).iter().zip(changes(["new.csv", "old.csv"])) {
        let back = back["engines"].as_array().unwrap();
        assert_eq!(back.len(), 8);
        let mut sum = 0.0;
        for engine in forth["engines"].as_array().unwrap() {
            let other = back.iter().find(|other| other["engine"] == engine["engine"]).unwrap();
            assert!((number(engine, "/change/elo") + number(other, "/change/elo")).abs() < 1e-6);
            assert!((number(engine, "/change/low") + number(other, "/change/high")).abs() < 1e-6);
            assert!((number(engine, "/p") - number(other, "/p")).abs() < 1e-9);
            sum += number(engine, "/change/elo");
        }
        assert!(sum.abs() < 1e-6, "changes are relative to the mean: {sum}");
    }
}

#[test]
fn a_run_differs_from_itself_in_nothing() {
    let folder = two_runs();
    fs::copy(folder.0.path().join("old.csv"), folder.0.path().join("copy.csv")).unwrap();
    for line in folder.printed(&["old.csv", "copy.csv", "--format", "csv"]).lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!((fields[4], fields[9]), ("0.00", "1.0000"), "{line}");
    }
}

/// An overall rating is that of its games, so runs are compared in the games that both have.
#[test]
fn games_of_one_run_are_left_out() {
    let folder = two_runs();
    let old = fs::read_to_string(folder.0.path().join("old.csv")).unwrap();
    let fewer: Vec<&str> = old.lines().filter(|line| !line.starts_with("push,")).collect();
    fs::write(folder.0.path().join("fewer.csv"), fewer.join("\n") + "\n").unwrap();
    let json = folder.json(&["fewer.csv", "new.csv"]);
    assert_eq!(json["scopes"].as_array().unwrap().len(), 5);
    assert_eq!(json["notes"][0], "left out, because only one of the runs has them: push");
}

#[test]
fn errors_say_what_and_how_to_mend_it() {
    let few_wrong = FEW.replace("6,3,push,o1,old,new,1/2-1/2", "6,3,push,o1,old,new,2-0");
    let others = "game,white,black,result\nchess,A,B,1-0\n";
    let strangers = "game,white,black,result\npush,new,C,1-0\ntower-push,new,C,1-0\n";
    let folder = Folder::new(&[
        ("few.csv", FEW),
        ("wrong.csv", &few_wrong),
        ("others.csv", others),
        ("strangers.csv", strangers),
        ("three.csv", &format!("{FEW}12,5,push,o5,old,third,1-0\n")),
    ]);
    // Only two engines played: the one that is ahead is the first.
    assert_eq!(folder.table(&["few.csv"]), folder.table(&["few.csv", "--engines", "old,new"]));
    let tested = |engines: &[&str]| folder.table(&[&["few.csv", "--elo1", "10"], engines].concat());
    assert_eq!(tested(&[]), tested(&["--engines", "old,new"]));
    let cases: [(&[&str], &str, i32); 12] = [
        (&["three.csv", "./three.csv"], "three.csv and ./three.csv are the same results; name two runs", 2),
        (
            &["three.csv"],
            "name two engines of `three.csv` with `--engines FIRST,SECOND`, or a second file; it has new, old, third",
            2,
        ),
        (
            &["few.csv", "--engines", "new"],
            "`--engines` needs two names with a comma between them, as in `--engines new,old`; it has 1",
            2,
        ),
        (
            &["few.csv", "--engines", "new,new"],
            "engine `new` cannot be compared with itself; name two engines",
            2,
        ),
        (&["few.csv", "--engines", "new,old", "--elo0", "5"], "elo0 must be below elo1: 5 is not below 5", 2),
        (
            &["few.csv", "--engines", "new,old", "--alpha", "0.7"],
            "alpha must be above 0 and below 0.5: 0.7 is not",
            2,
        ),
        (
            &["wrong.csv", "--engines", "new,old"],
            "wrong.csv, line 7, column `result`: `2-0` is not a result: `1-0`, `0-1` or `1/2-1/2`, or White's points `1`, `0` or `0.5`",
            3,
        ),
        (
            &["few.csv", "--engines", "new,olt"],
            "no engine is named `olt` in these files; did you mean `old`?",
            3,
        ),
        (
            &["few.csv", "--engines", "new,old", "--game", "pusch"],
            "no game is named `pusch` in these files; did you mean `push`?",
            3,
        ),
        (&["few.csv", "none.csv"], "cannot read none.csv: No such file or directory (os error 2)", 3),
        (&["few.csv", "others.csv"], "few.csv and others.csv have no game in common", 3),
        (
            &["few.csv", "strangers.csv"],
            "few.csv and strangers.csv have fewer than two engines in common; ratings are relative to others, so at least two must be in both",
            3,
        ),
    ];
    for (args, message, exit_code) in cases {
        assert_eq!(folder.error(args), (format!("error: {message}"), exit_code), "{args:?}");
    }
    for test in [["--elo1", "10"], ["--alpha", "0.01"], ["--model", "logistic"]] {
        let (message, exit_code) = folder.error(&[&["few.csv", "others.csv"], test.as_slice()].concat());
        assert!(message.contains("--engines") && exit_code == 2, "{message}");
    }
}

/// A table without its line breaks.
fn one_line(table: &str) -> String {
    table.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// 300 pairs in which the first engine wins one match in each, and draws the other one.
fn clear() -> String {
    let mut lines = "match,pair,game,opening,white,black,result\n".to_owned();
    for pair in 0..300 {
        writeln!(lines, "{},{pair},push,o{pair},new,old,1-0", 2 * pair + 1).unwrap();
        writeln!(lines, "{},{pair},push,o{pair},old,new,1/2-1/2", 2 * pair + 2).unwrap();
    }
    lines
}

#[test]
fn a_script_learns_from_the_exit_code_what_the_test_has_found() {
    let folder = Folder::new(&[("clear.csv", &clear()), ("few.csv", FEW)]);
    let code = |args: &[&str]| folder.compare(args).status.code().unwrap();
    for (file, engines, expected) in
        [("clear.csv", "new,old", 0), ("clear.csv", "old,new", 10), ("few.csv", "new,old", 11)]
    {
        let args = [file, "--engines", engines];
        assert_eq!(code(&[&args[..], &["--exit-code"]].concat()), expected, "{file} {engines}");
        assert_eq!(code(&args), 0, "without the option");
    }
    let (message, code) = folder.error(&["clear.csv", "few.csv", "--exit-code"]);
    assert!(code == 2 && message.contains("--engines"), "{message}");
}

#[test]
fn the_block_of_fishtest_can_be_pasted() {
    let folder = Folder::new(&[("clear.csv", &clear()), ("few.csv", FEW)]);
    let printed = folder.printed(&["clear.csv", "--engines", "new,old", "--format", "fishtest"]);
    let lines: Vec<&str> = printed.lines().collect();
    // All pairs score 3/4: 191 Elo.
    assert!(lines[0].starts_with("Elo   | 190.85 +- "), "{printed}");
    assert_eq!(lines[1], "SPRT  | new against old, push, normalized Elo");
    assert!(
        lines[2].starts_with("LLR   | ") && lines[2].ends_with(" (-2.94, 2.94) [0.00, 5.00]"),
        "{printed}"
    );
    assert_eq!(lines[3..], ["Games | N: 600 W: 300 L: 0 D: 300", "Penta | [0, 0, 0, 300, 0]"]);
    let (message, code) = folder.error(&["clear.csv", "few.csv", "--format", "fishtest"]);
    assert!(code == 2 && message.contains("add `--engines FIRST,SECOND`"), "{message}");
}
