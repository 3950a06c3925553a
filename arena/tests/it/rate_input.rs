//! What `arena rate` reads, good and bad, and where it writes: PGN, journals, folders, files without sense.

use crate::common::tournament::{Ended, arena, printed, said};
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

/// Files in a folder of their own, which the command is started in.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new<C: AsRef<[u8]>>(files: &[(&str, C)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        Self(folder)
    }

    fn arena(&self, args: &[&str]) -> Output {
        arena(self.0.path(), args)
    }

    fn rate(&self, args: &[&str]) -> Result<String, String> {
        let output = self.arena(&[&["rate"], args].concat());
        if output.status.success() {
            return Ok(printed(&output));
        }
        assert!(output.stdout.is_empty(), "{args:?}");
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        Err(said(&output).trim_end().trim_start_matches("error: ").to_owned())
    }

    fn table(&self, args: &[&str]) -> String {
        let table = self.rate(args).unwrap();
        for line in table.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        table
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.rate(&[args, &["--format", "json"]].concat()).unwrap()).unwrap()
    }
}

fn rate_csv(content: impl AsRef<[u8]>) -> Result<String, String> {
    Folder::new(&[("r.csv", content)]).rate(&["r.csv"])
}

fn rate_pgn(content: impl AsRef<[u8]>) -> Result<String, String> {
    Folder::new(&[("r.pgn", content)]).rate(&["r.pgn", "--format", "csv"])
}

/// As cutechess-cli and fastchess write it.
const PGN: &str = "[Event \"test\"]\n[Round \"1\"]\n[White \"Ä \\\"1\\\"\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\
    [FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n[SetUp \"1\"]\n\n\
    1. e4 {+0.31/12 0.5s} e5 $1 2. Nf3! (2. f4 {[gambit] (} exf4 (2... d5)) 2... Nc6 ; [not a tag]\n\
    3. O-O {White wins} 1-0\n\n\
    [Event \"test\"]\n[Round \"1\"]\n[White \"B\"]\n[Black \"Ä \\\"1\\\"\"]\n[Result \"1/2-1/2\"]\n\
    [FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. d4 1/2-1/2\n\n\
    [Event \"test\"]\n[Round \"2\"]\n[White \"B\"]\n[Black \"Ä \\\"1\\\"\"]\n[Result \"*\"]\n\n1. c4 *\n";

#[test]
fn pgn_says_the_same_as_a_table() {
    let table =
        "game,white,black,result,opening\nchess,\"Ä \"\"1\"\"\",B,1-0,o\nchess,B,\"Ä \"\"1\"\"\",1/2-1/2,o\n";
    let folder = Folder::new(&[("r.pgn", PGN), ("r.csv", table)]);
    let expected = folder.rate(&["r.csv", "--format", "csv"]).unwrap();
    assert!(expected.contains("chess,\"Ä \"\"1\"\"\","), "{expected}");
    assert_eq!(folder.rate(&["r.pgn", "--format", "csv"]).unwrap(), expected);
    assert!(folder.table(&["r.pgn"]).contains("- 1 match without a result (`*`) not counted\n"));
}

#[test]
fn pgn_of_any_make_tells_the_same() {
    let expected = rate_pgn(PGN).unwrap();
    let latin: Vec<u8> = PGN.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    assert!(std::str::from_utf8(&latin).is_err());
    let in_many_ways = [
        PGN.replace('\n', "\r\n").into_bytes(),
        format!("\u{feff}{PGN}").into_bytes(),
        PGN.replace("\n\n[", "\n[").into_bytes(),
        PGN.replace("\n\n", "\n").into_bytes(),
        PGN.replace("[Black", "% [White \"nobody\"]\n[Black").into_bytes(),
        PGN.replace("\\\"1\\\"", "\"1\"").into_bytes(),
        PGN.replace("1. e4", "1.e4").replace("1-0\n\n", "1-0 {again} 1-0\n").into_bytes(),
        latin,
    ];
    for content in in_many_ways {
        assert_eq!(rate_pgn(&content).unwrap(), expected, "{}", String::from_utf8_lossy(&content));
        // Without its name's ending it is known by its first bytes.
        let folder = Folder::new(&[("games.txt", &content)]);
        assert_eq!(folder.rate(&["games.txt", "--format", "csv"]).unwrap(), expected);
    }
}

#[test]
fn variants_are_games_of_their_own() {
    let game =
        |variant: &str| format!("{variant}[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n");
    let content = ["", "[Variant \"Standard\"]\n", "[Variant \"atomic\"]\n"].map(game).concat();
    let json = Folder::new(&[("r.pgn", content)]).json(&["r.pgn"]);
    let games: Vec<(&str, u64)> = json["scopes"].as_array().unwrap()[1..]
        .iter()
        .map(|scope| (scope["name"].as_str().unwrap(), scope["matches"].as_u64().unwrap()))
        .collect();
    assert_eq!(games, [("atomic", 1), ("chess", 2)]);
}

#[test]
fn games_without_moves_are_told_apart() {
    let game = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n";
    for between in ["", "\n", "*\n"] {
        let content = format!("{game}{between}{game}");
        // A `*` behind the tags says that the match has no result.
        let matches = if between == "*\n" { 1 } else { 2 };
        let json = Folder::new(&[("r.pgn", content)]).json(&["r.pgn"]);
        assert_eq!(json["scopes"][1]["matches"], matches, "{between:?}");
    }
}

#[test]
fn errors_in_pgn_say_where_and_what() {
    let tags = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n";
    let cases = [
        (
            tags.replace("1-0", "2-0") + "1. e4 1-0\n",
            "r.pgn, line 3, tag `Result`: `2-0` is not a result: `1-0`, `0-1` or `1/2-1/2`",
        ),
        (
            tags.replace("1-0", "3-0") + "1. e4 *\n",
            "r.pgn, line 3, tag `Result`: `3-0` is not a result: `1-0`, `0-1` or `1/2-1/2`",
        ),
        (format!("{tags}1. e4 0-1\n"), "r.pgn, line 3, tag `Result`: `1-0` here, but `0-1` after the moves"),
        (
            tags.replace("\"B\"", "\"A\"") + "1-0",
            "r.pgn, line 2, tag `Black`: engine `A` plays against itself",
        ),
        (tags.replace("\"B\"", "\"?\"") + "1-0", "r.pgn, line 2, tag `Black`: a name is missing"),
        (
            "[White \"A\"]\n[Result \"1-0\"]\n\n1-0\n".to_owned(),
            "r.pgn, line 1: a match without the tag `Black`",
        ),
        ("1. e4 e5 1-0\n".to_owned(), "r.pgn, line 1: a match without the tag `White`"),
        ("[White \"A]\n".to_owned(), "r.pgn, line 1: the tag `White` is not closed"),
        ("[White A]\n".to_owned(), "r.pgn, line 1: a tag is `[Name \"value\"]`"),
        ("[A \"\"]\n".repeat(1001), "r.pgn, line 1001: more than 1000 tags of one game"),
        (String::new(), "no finished matches in r.pgn"),
    ];
    for (content, message) in cases {
        assert_eq!(rate_pgn(&content).unwrap_err(), message, "{content}");
    }
    for torn in
        ["1. e4 e", "1. e4 {a comment", "1. e4 (1. d4", "1. e4 1-0\n\n[Whi", "1. e4 1-0\n\n[White \"A"]
    {
        let message = rate_pgn(format!("{tags}{torn}")).unwrap_err();
        assert!(message.contains(": the last line is incomplete"), "{torn}: {message}");
    }
}

#[test]
fn copies_count_as_one_cluster_and_are_named() {
    let head = "game,white,black,result,pair,moves\n";
    let rows = |moves: [&str; 4]| {
        let [a, b, c, d] = moves;
        format!("{head}push,A,B,1-0,1,{a}\npush,B,A,1/2-1/2,1,{b}\npush,A,B,1-0,2,{c}\npush,B,A,1-0,2,{d}\n")
    };
    let pairs = |content: String| {
        let json = Folder::new(&[("r.csv", content)]).json(&["r.csv"]);
        let scope = &json["scopes"][1];
        (scope["engines"][0]["pairs"].as_u64().unwrap(), scope["copies"].as_u64().unwrap())
    };
    assert_eq!(pairs(rows(["a", "b", "c", "d"])), (2, 0));
    assert_eq!(pairs(rows(["a", "b", "a", "d"])), (1, 1));
    // With the sides swapped the same moves are no copy, and no moves are none.
    assert_eq!(pairs(rows(["a", "b", "c", "a"])), (2, 0));
    assert_eq!(pairs(rows(["", "b", "", "d"])), (2, 0));
    assert_eq!(pairs(rows(["a", "b", "a", "d"]).replace(",1,", ",,").replace(",2,", ",,")), (3, 1));
    let folder =
        Folder::new(&[("r.csv", rows(["a", "b", "a", "d"])), ("none.csv", rows(["a", "b", "c", "d"]))]);
    let table = folder.table(&["r.csv"]);
    assert!(table.contains("- 1 match is a copy of another one and adds no information"), "{table}");
    // A comparison counts pairs, and says it.
    let compared = |file| String::from_utf8(folder.arena(&["compare", file]).stdout).unwrap();
    let told = compared("r.csv");
    assert!(
        told.contains("- 1 match is a copy of another one: pairs count copies again; `arena rate`"),
        "{told}"
    );
    // An interval without ends is not too narrow; one of matches without pairs is.
    assert!(!table.contains("too narrow"), "{table}");
    let many = "push,A,B,1-0,,a\npush,B,A,1/2-1/2,,b\n".repeat(20);
    let folder = Folder::new(&[("r.csv", head.to_owned() + &many)]);
    let table = folder.table(&["r.csv"]);
    assert!(table.contains("but the lead counts\n  them, so its interval may be too narrow"), "{table}");
    assert!(!compared("none.csv").contains("copy"));
}

#[test]
fn the_moves_of_pgn_tell_copies() {
    let game = |moves: &str| format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n");
    let content = ["1. e4 {0.1s} e5", "1.e4! e5 {0.2s}", "1. e4 c5"].map(game).concat();
    let json = Folder::new(&[("r.pgn", content)]).json(&["r.pgn"]);
    assert_eq!(
        (&json["scopes"][1]["copies"], &json["scopes"][1]["engines"][0]["pairs"]),
        (&1.into(), &2.into())
    );
}

#[test]
fn forfeits_are_losses_that_are_counted() {
    let mut content = "game,white,black,result,reason\n".to_owned();
    for (result, reason) in
        [("1-0", "crash"), ("1-0", "illegal-move"), ("0-1", "goal"), ("1/2-1/2", "time"), ("0-1", "time")]
    {
        writeln!(content, "push,Anna,Berta,{result},{reason}").unwrap();
    }
    let folder = Folder::new(&[("r.csv", &content)]);
    let table = folder.table(&["r.csv"]);
    assert!(table.contains(" Matches Forfeits  Score "), "{table}");
    assert!(table.contains("many forfeits, which count as losses: Berta (2 of 5);"), "{table}");
    let csv = folder.rate(&["r.csv", "--format", "csv"]).unwrap();
    let forfeits = |engine: &str| {
        let line = csv.lines().find(|line| line.starts_with(&format!("push,{engine},"))).unwrap();
        line.split(',').nth(16).unwrap().to_owned()
    };
    assert!(csv.lines().next().unwrap().contains(",status,forfeits,se_bootstrap,"));
    assert_eq!([forfeits("Anna"), forfeits("Berta")], ["1", "2"]);
    let without = Folder::new(&[(
        "r.csv",
        content.replace(",crash", ",goal").replace("illegal-move", "goal").replace(",time", ",goal"),
    )]);
    assert!(!without.table(&["r.csv"]).contains("orfeit"));

    let pgn = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\n1. e4 1-0\n";
    let json = Folder::new(&[("r.pgn", pgn)]).json(&["r.pgn"]);
    let engines = json["scopes"][1]["engines"].as_array().unwrap();
    let of = |name: &str| engines.iter().find(|rating| rating["engine"] == name).unwrap()["forfeits"].clone();
    assert_eq!([of("A"), of("B")], [0, 1]);
}

/// The reasons of the games' own rules are no forfeits.
#[test]
fn no_rule_of_a_game_is_a_forfeit() {
    use ratings::Ending;
    let output = arena(".", &["games"]);
    let words = printed(&output);
    assert!(words.contains("checkmate"), "{words}");
    for reason in words.split(|letter: char| !letter.is_alphanumeric() && letter != '-') {
        assert_eq!(Ending::of_reason(reason), Ending::Played, "{reason}");
    }
    for reason in ["time", "illegal-move", "Rules infraction", "stalled_connection"] {
        assert_eq!(Ending::of_reason(reason), Ending::Forfeited, "{reason}");
    }
    assert_eq!(Ending::of_reason("retired"), Ending::Retired);
}

/// A line of the journal as the arena writes it.
fn journal_line(number: u32, pair: u32, white: &str, black: &str, result: &str) -> String {
    format!(
        "{{\"match\":{number},\"pair\":{pair},\"game\":\"push\",\"opening\":\"o{pair}\",\"white\":\"{white}\",\"black\":\"{black}\",\
         \"result\":\"{result}\",\"reason\":\"goal\",\"plies\":1,\"white_ms\":0,\"black_ms\":0,\"end\":\"e\",\
         \"moves\":[{{\"move\":\"m{number}\",\"side\":\"w\",\"time_us\":1}}]}}\n"
    )
}

fn journal() -> [String; 4] {
    [
        journal_line(1, 1, "A", "B", "1-0"),
        journal_line(2, 1, "B", "A", "1/2-1/2"),
        journal_line(3, 2, "A", "B", "0-1"),
        journal_line(4, 2, "B", "A", "1-0"),
    ]
}

#[test]
fn a_results_folder_is_its_journal() {
    let table = "match,pair,game,opening,white,black,result\n1,1,push,o1,A,B,1-0\n2,1,push,o1,B,A,1/2-1/2\n\
                 3,2,push,o2,A,B,0-1\n4,2,push,o2,B,A,1-0\n";
    let folder = Folder::new(&[("matches.jsonl", journal().concat()), ("matches.csv", table.to_owned())]);
    let expected = folder.rate(&["matches.csv", "--format", "csv"]).unwrap();
    for files in [&["."][..], &["matches.jsonl"], &[".", "matches.jsonl"], &[".", "matches.csv"]] {
        assert_eq!(folder.rate(&[files, &["--format", "csv"]].concat()).unwrap(), expected, "{files:?}");
    }
    // A copy may have the table alone.
    fs::create_dir(folder.0.path().join("copy")).unwrap();
    fs::copy(folder.0.path().join("matches.csv"), folder.0.path().join("copy/matches.csv")).unwrap();
    assert_eq!(folder.rate(&["copy", "--format", "csv"]).unwrap(), expected);
    fs::create_dir(folder.0.path().join("empty")).unwrap();
    assert_eq!(
        folder.rate(&["empty"]).unwrap_err(),
        "empty is a folder without `matches.jsonl`; give a results folder, or CSV, PGN or `matches.jsonl` files"
    );
    fs::create_dir(folder.0.path().join("empty/cup")).unwrap();
    fs::write(folder.0.path().join("empty/cup/matches.jsonl"), "").unwrap();
    assert!(folder.rate(&["empty"]).unwrap_err().contains(" (did you mean `empty/cup`?); "));
}

/// Matches end in any order; a comparison takes pairs in the order of the schedule.
#[test]
fn a_journal_may_be_in_any_order() {
    let [a, b, c, d] = journal();
    let folder =
        Folder::new(&[("1.jsonl", [&*a, &b, &c, &d].concat()), ("2.jsonl", [&*d, &b, &c, &a].concat())]);
    let compared = |file: &str| {
        folder.arena(&["compare", file, "--engines", "A,B", "--format", "json", "--batch", "1"]).stdout
    };
    assert!(!compared("1.jsonl").is_empty());
    assert_eq!(compared("1.jsonl"), compared("2.jsonl"));
    assert_eq!(folder.rate(&["1.jsonl"]), folder.rate(&["2.jsonl"]));
}

#[test]
fn a_torn_or_wrong_journal_line() {
    let torn = journal().concat() + "{\"match\":5,\"pa";
    let table = Folder::new(&[("matches.jsonl", torn)]).table(&["matches.jsonl"]);
    assert!(table.contains("push: 4 matches"), "{table}");
    assert!(table.contains("- matches.jsonl: the last line is incomplete and not counted\n"), "{table}");
    let error = Folder::new(&[("m.jsonl", "{\"match\":1}\n")]).rate(&["m.jsonl"]).unwrap_err();
    assert!(error.starts_with("m.jsonl, line 1: invalid match: missing field"), "{error}");
}

const ROWS: &str = "game,white,black,result,pair\npush,A,B,1-0,1\npush,A,B,1-0,1\npush,B,A,1-0,2\n";

#[test]
fn a_file_counts_once_and_a_repeated_row_twice() {
    let folder = Folder::new(&[("a.csv", ROWS), ("b.csv", ROWS)]);
    assert!(folder.table(&["a.csv"]).contains("push: 3 matches"));
    let twice = folder.table(&["a.csv", "./a.csv"]);
    assert!(
        twice.contains("push: 3 matches") && twice.contains("- ./a.csv is given twice and read once\n"),
        "{twice}"
    );
    let copied = folder.table(&["a.csv", "b.csv"]);
    assert!(copied.contains("- b.csv has the same content as a.csv and is read once\n"), "{copied}");
}

#[test]
fn a_file_that_has_grown_is_noticed() {
    let mut old = "game,white,black,result,pair\n".to_owned();
    for pair in 0..6 {
        write!(old, "push,A,B,1-0,{pair}\npush,B,A,1/2-1/2,{pair}\n").unwrap();
    }
    let new = format!("{old}push,A,B,0-1,6\n");
    let other = old.replace("1-0", "0-1");
    let folder = Folder::new(&[("old.csv", old), ("new.csv", new), ("other.csv", other)]);
    let note = "all 12 matches of old.csv have an equal row in new.csv and are counted twice";
    for files in [["old.csv", "new.csv"], ["new.csv", "old.csv"]] {
        let table = folder.table(&files);
        assert!(table.contains(note) && table.contains("push: 25 matches"), "{table}");
    }
    assert!(!folder.table(&["old.csv", "other.csv"]).contains("counted twice"));
}

#[test]
fn senseless_files_are_named() {
    let cases: [(&[u8], &str); 5] = [
        (
            b"\x7fELF\0\0\0\0",
            "r.csv is not a text file; give CSV, PGN or `matches.jsonl` files, and decompress them first",
        ),
        (
            b"game,white,black,result\npush,A,B,NaN\n",
            "r.csv, line 2, column `result`: `NaN` is not a result: `1-0`, `0-1` or `1/2-1/2`, or White's points `1`, `0` or `0.5`",
        ),
        (
            b"game,white,black,result\npush,A,B,inf\n",
            "r.csv, line 2, column `result`: `inf` is not a result: `1-0`, `0-1` or `1/2-1/2`, or White's points `1`, `0` or `0.5`",
        ),
        (
            b"game,white,black,result\npush,NaN,NaN,1-0\n",
            "r.csv, line 2, column `black`: engine `NaN` plays against itself",
        ),
        (b"game,white,black,result\npush,A,B,*\n", "no finished matches in r.csv"),
    ];
    for (content, message) in cases {
        assert_eq!(rate_csv(content).unwrap_err(), message);
    }
    let many_columns = "x,".repeat(1000);
    assert!(rate_csv(many_columns).unwrap_err().len() < 300);
}

/// What the ratings cannot tell is said in words, in 80 columns.
#[test]
fn lopsided_results_have_words_and_no_false_numbers() {
    let head = "game,white,black,result\n";
    let twice = |rows: &str| format!("{head}{rows}{rows}");
    let cases = [
        (format!("{head}push,A,B,1-0\n"), "First: A, 1 of 1 point"),
        (twice("push,A,B,1/2-1/2\npush,B,A,1/2-1/2\n"), "every match between rated engines was drawn"),
        (twice("push,A,B,1-0\npush,B,A,1-0\n"), "the first player won every match"),
        (twice("push,A,B,0-1\npush,B,A,0-1\n"), "the second player won every match"),
        (twice("push,A,B,1-0\npush,B,A,0-1\n"), "so the bounds are relative to"),
        (twice("push,A,B,1-0\npush,B,A,1/2-1/2\npush,C,D,1-0\npush,D,C,1-0\n"), ": never met the others"),
        (twice("push,NaN,inf,1-0\npush,inf,NaN,1-0\npush,-inf,NaN,1/2-1/2\n"), "matches"),
    ];
    for (content, words) in cases {
        let folder = Folder::new(&[("r.csv", &content)]);
        let table = folder.table(&["r.csv"]);
        assert!(table.contains(words), "{words}: {table}");
        let json = folder.json(&["r.csv"]);
        for engine in json["scopes"][1]["engines"].as_array().unwrap() {
            assert!(engine["elo"].is_null() || engine["elo"].as_f64().unwrap().is_finite(), "{engine}");
        }
    }
}

/// What cannot be meant is counted as it is given, and said once with its number.
#[test]
fn pairs_and_names_that_cannot_be_meant_are_said() {
    let head = "game,white,black,result,pair\n";
    let said = |rows: &str| {
        Folder::new(&[("r.csv", &format!("{head}{rows}"))]).table(&["r.csv"]).replace("\n  ", " ")
    };
    let table = said("push,A,B,1-0,1\npush,A,B,0-1,1\npush,B,A,1-0,2\npush,A,B,1/2-1/2,2\n");
    assert!(table.contains("- 1 pair has the same sides in all matches"), "{table}");
    let table = said("push,A,B,1-0,1\npush,B,A,0-1,1\npush,A,B,0-1,1\n");
    assert!(table.contains("- 1 pair has more than two matches"), "{table}");
    let table = said("push,new,old,1-0,1\npush,old,New,0-1,1\npush,New,old,*,2\n");
    assert!(table.contains("- New and new differ only in case"), "{table}");
    assert!(table.contains("- 1 match without a result (`*`) not counted"), "{table}");
}

/// Without swapped sides, nobody knows what the first move does; with next to no matches, an engine has no place.
#[test]
fn what_the_schedule_lacks_is_said() {
    let head = "game,white,black,result,pair\n";
    let said = |rows: &str| {
        let folder = Folder::new(&[("r.csv", &format!("{head}{rows}"))]);
        folder.table(&["r.csv"]).replace("\n  ", " ")
    };
    let result = |pair: u32| if pair.is_multiple_of(4) { "0-1" } else { "1-0" };
    let row = |pair| format!("push,A,B,{},{pair}\n", result(pair));
    let same_sides: String = (1..=12).map(row).collect();
    let table = said(&same_sides);
    assert!(table.contains("- A always moved first against B; swap the sides\n"), "{table}");
    assert!(table.contains("- no match was repeated with swapped sides: every match counts"), "{table}");
    let in_game = |game: &str| -> String {
        let pair = |pair| format!("{game},A,B,{0},{pair}\n{game},B,A,0-1,{pair}\n", result(pair));
        let played: String = (1..=40).map(pair).collect();
        format!("{played}{game},S,A,1-0,41\n{game},A,S,0-1,41\n")
    };
    let reason = "- S: no rank, because no other engine is known to be weaker or stronger; play more\n";
    let table = said(&in_game("push"));
    assert!(table.contains("   (1)  S ") && table.contains(reason), "{table}");
    let table = said(&(in_game("push") + &in_game("chess")));
    assert!(table.split("overall: ").nth(1).unwrap().contains(reason), "{table}");
}

/// Some programs give the two matches of a pair different rounds: their opening joins them.
#[test]
fn matches_of_different_rounds_are_paired_by_their_opening() {
    let game = |round: &str, white: &str, black: &str, result: &str| {
        format!(
            "[Event \"e\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
             [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n{result}\n\n"
        )
    };
    let pgn = game("1.1", "A", "B", "1-0") + &game("1.2", "B", "A", "1-0");
    let folder = Folder::new(&[("r.pgn", &pgn)]);
    let table = folder.table(&["r.pgn"]);
    assert!(!table.contains("without a partner"), "{table}");
    let out = folder.arena(&["compare", "r.pgn", "--engines", "A,B"]);
    let text = printed(&out);
    assert!(text.contains("chess: 1 pair\n"), "{text}");
}

#[test]
fn names_of_any_kind() {
    let long = "ä".repeat(10_000);
    let names = [long.as_str(), "a, \"b\"", "\u{1b}[31m\u{7}", "\u{202e}txt", "@all|`x`\\"];
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(["game", "white", "black", "result"]).unwrap();
    for (index, white) in names.iter().enumerate() {
        for (other, black) in names.iter().enumerate().filter(|&(other, _)| other != index) {
            csv.write_record([long.as_str(), white, black, ["1-0", "0-1", "1/2-1/2"][(index + other) % 3]])
                .unwrap();
        }
    }
    let folder = Folder::new(&[("r.csv", csv.into_inner().unwrap())]);
    // In a pipe names are written in full.
    let table = folder.rate(&["r.csv"]).unwrap();
    assert!(!table.contains(['\u{1b}', '\u{202e}']) && table.contains("\\u{1b}[31m\\u{7}"), "{table}");
    let markdown = folder.rate(&["r.csv", "--format", "markdown"]).unwrap();
    assert!(markdown.contains("| <code>&#64;all&#124;&#96;x&#96;&#92;</code> |"), "{markdown}");
    assert!(markdown.contains("| `a, \"b\"` |") && !markdown.contains('\u{1b}'), "{markdown}");
    let json = folder.json(&["r.csv"]);
    assert_eq!(json["scopes"][1]["name"].as_str(), Some(long.as_str()));
}

#[test]
fn rows_in_any_order_give_the_same_bytes() {
    let data = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/ratings/tests/data/A.csv")).unwrap();
    let (header, rows) = data.split_once('\n').unwrap();
    let mut backwards: Vec<&str> = rows.lines().rev().collect();
    backwards.rotate_left(777);
    let folder =
        Folder::new(&[("a.csv", data.clone()), ("b.csv", format!("{header}\n{}\n", backwards.join("\n")))]);
    for format in ["table", "markdown", "csv", "json"] {
        let [one, other] = ["a.csv", "b.csv"].map(|file| folder.rate(&[file, "--format", format]).unwrap());
        assert_eq!(one, other, "{format}");
    }
}

#[test]
fn too_many_engines_are_refused_with_words() {
    let mut content = "game,white,black,result\n".to_owned();
    for engine in 0..10_000 {
        // Nobody meets itself: 6 times a number is never odd.
        writeln!(content, "push,e{engine},e{},1-0", (engine * 7 + 1) % 10_000).unwrap();
    }
    let message = rate_csv(content).unwrap_err();
    assert!(message.starts_with("10000 engines in the game `push`, but at most 2000 engines"), "{message}");
}

#[test]
fn output_goes_to_a_file_whole() {
    let folder = Folder::new(&[("r.csv", ROWS), ("old.md", "old\n")]);
    let printed = folder.rate(&["r.csv", "--format", "markdown"]).unwrap();
    assert_eq!(folder.rate(&["r.csv", "--format", "markdown", "--output", "old.md"]).unwrap(), "");
    assert_eq!(fs::read_to_string(folder.0.path().join("old.md")).unwrap(), printed);
    let compare = ["compare", "r.csv", "--engines", "A,B"];
    let compared = folder.arena(&compare).stdout;
    folder.arena(&[&compare[..], &["--output", "new.txt"]].concat()).succeeds();
    assert_eq!(fs::read(folder.0.path().join("new.txt")).unwrap(), compared);
    folder.arena(&[&compare[..], &["--format", "markdown"]].concat()).succeeds();
    let refused = folder.arena(&["rate", "r.csv", "--output", "none/x"]).fails(5);
    assert!(said(&refused).starts_with("error: cannot write `none/x`: "));
}

/// The shell forbids files above no bytes, which is as good as a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = Folder::new(&[("r.csv", ROWS), ("old.txt", "old\n")]);
    let script = format!(
        "trap '' XFSZ; ulimit -f 0; exec '{}' rate r.csv --output old.txt",
        env!("CARGO_BIN_EXE_arena")
    );
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.0.path()).output().unwrap();
    let message = said(&output);
    assert_eq!(output.status.code(), Some(5), "{message}");
    assert!(
        message.starts_with("error: cannot write `old.txt`: ") && message.lines().count() == 1,
        "{message}"
    );
    assert_eq!(fs::read_to_string(folder.0.path().join("old.txt")).unwrap(), "old\n");
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 2, "nothing else is left");
}

/// All pairs of engines, and LOS for who asks for it.
#[test]
fn every_two_engines_are_compared() {
    let folder = Folder::new(&[("r.csv", CHECKPOINTS)]);
    let matrix = folder.table(&["r.csv", "--matrix"]);
    assert_eq!(
        matrix.lines().filter(|line| line.contains('-') && line.starts_with("   ")).count(),
        3,
        "{matrix}"
    );
    let json = folder.json(&["r.csv"]);
    let p = json["scopes"][1]["covariance"]["p_stronger"][0][1].as_f64().unwrap();
    let csv = folder.rate(&["r.csv", "--matrix", "--format", "csv"]).unwrap();
    let row = csv.lines().find(|line| line.starts_with("push,base,step-1000,")).unwrap();
    assert!(row.ends_with(&format!(",{p:.4}")), "{csv}\n{p}");
    let [plain, los] = [&["r.csv"][..], &["r.csv", "--los"]].map(|args| folder.table(args));
    assert!(plain.contains(" P>next\n") && !plain.contains("LOS"), "{plain}");
    assert!(los.contains("    LOS\n"), "{los}");
}

/// An engine that is the only one in all games has a number overall and no interval: there is nobody to compare it with.
#[test]
fn a_sole_engine_has_no_overall_interval() {
    let one_in_common = "game,white,black,result\n\
        g1,A,B,1-0\ng1,B,A,1-0\ng1,B,A,1/2-1/2\ng2,A,C,1-0\ng2,C,A,1-0\ng2,A,C,1/2-1/2\n";
    let one_reference = "game,white,black,result\ng1,A,B,1-0\ng1,B,A,0-1\ng2,A,B,1-0\ng2,B,A,0-1\n";
    for (content, shown) in [(one_in_common, "≈ 0"), (one_reference, "(alone)")] {
        let folder = Folder::new(&[("r.csv", content)]);
        let table = folder.table(&["r.csv"]);
        let (_, overall) = table.split_once("overall: ").unwrap();
        let row = overall.lines().find(|line| line.contains(" A ")).unwrap();
        assert!(row.contains(shown) && !row.contains('±'), "{table}");
        let csv = folder.rate(&["r.csv", "--format", "csv"]).unwrap();
        assert!(csv.contains("overall,A,,,,"), "{csv}");
    }
}

#[test]
fn what_is_no_file_of_results_is_named_with_those_that_are() {
    let folder = Folder::new(&[
        ("t.toml", "[tournament]\n"),
        ("noted", "[tournament]\npairs = 1\n"),
        ("tag", "[ White  \"A\"]\n"),
    ]);
    let kinds = "give a results folder, or CSV, PGN or `matches.jsonl` files";
    assert_eq!(
        folder.rate(&["t.toml"]).unwrap_err(),
        format!("t.toml is a configuration, not a file of results; {kinds}")
    );
    assert_eq!(
        folder.rate(&["noted"]).unwrap_err(),
        format!("noted begins with `[`, but not with a PGN tag; {kinds}")
    );
    assert!(!folder.rate(&["tag"]).unwrap_err().contains(kinds), "PGN, though a wrong one");
}

/// A file with holes may be longer than the memory.
#[cfg(unix)]
#[test]
fn a_file_without_end_is_refused() {
    // The holes come after what is read to recognise the format.
    let blank = " ".repeat(1 << 20);
    let folder = Folder::new(&[
        ("r.csv", format!("game,white,black,result\npush,A,B,1-0{blank}")),
        ("r.jsonl", format!("{{\"match\":1,{blank}")),
    ]);
    for (name, problem) in [("r.csv", "a row is longer than"), ("r.jsonl", "a line is longer than")] {
        let file = fs::OpenOptions::new().append(true).open(folder.0.path().join(name)).unwrap();
        file.set_len(1 << 40).unwrap();
        let error = folder.rate(&[name]).unwrap_err();
        assert!(error.contains(name) && error.contains(problem), "{name}: {error}");
    }
}

/// The same matches, as other tools export them.
#[test]
fn tables_of_other_tools_are_read() {
    let plain = "game,white,black,result\ngame,A,B,1-0\ngame,B,A,1/2-1/2\ngame,B,A,1-0\n";
    let expected = Folder::new(&[("r.csv", plain)]).rate(&["r.csv", "--format", "csv"]).unwrap();
    for (content, columns) in [
        ("white;black;result\nA;B;1\nB;A;0.5\nB;A;1\n", None),
        ("white;black;result\nA;B;1,0\nB;A;0,5\nB;A;1\n", None),
        ("White\tBlack\tResult\nA\tB\t1-0\nB\tA\t1/2\nB\tA\t1\n", None),
        ("\u{feff}\"White\";\"Black\";\"Result\"\r\n\"A\";\"B\";\"1-0\"\r\nB;A;0.5-0.5\r\nB;A;1\r\n", None),
        ("result,player1,player2\n1,A,B\n0.5,B,A\n1,B,A\n", Some("white=player1,black=player2")),
    ] {
        let folder = Folder::new(&[("r.csv", content)]);
        let columns: Vec<String> = columns.iter().map(|columns| format!("--columns={columns}")).collect();
        let args: Vec<&str> =
            ["r.csv", "--format", "csv"].into_iter().chain(columns.iter().map(String::as_str)).collect();
        assert_eq!(folder.rate(&args).as_ref(), Ok(&expected), "{content}");
    }
    let error = Folder::new(&[("r.csv", plain)]).rate(&["r.csv", "--columns", "white=player1"]).unwrap_err();
    assert!(error.contains("player1"), "{error}");
    Folder::new(&[("r.csv", plain)]).arena(&["rate", "r.csv", "--columns", "colour=white"]).fails(2);
}

const CHECKPOINTS: &str = "game,white,black,result,opening\n\
    push,step-200,step-1000,1-0,1\npush,step-1000,step-200,1-0,1\n\
    push,step-1000,base,1-0,1\npush,base,step-1000,1/2-1/2,1\n\
    push,base,step-200,1-0,2\npush,step-200,base,1-0,2\n";

#[test]
fn payoffs_and_series_are_printed() {
    let folder = Folder::new(&[("r.csv", CHECKPOINTS)]);
    let payoffs = folder.rate(&["r.csv", "--payoff", "--format", "csv"]).unwrap();
    assert_eq!(payoffs.lines().count(), 1 + 6, "{payoffs}");
    assert!(payoffs.contains("push,base,step-1000,1,2,0.250000,"), "{payoffs}");
    let json = folder.json(&["r.csv", "--payoff"]);
    assert_eq!(json[0]["payoffs"].as_array().unwrap().len(), 6, "{json}");
    assert!(folder.table(&["r.csv", "--payoff"]).contains("  step-1000            base "));
    let table = folder.table(&["r.csv", "--series"]);
    let place = |text: &str| table.find(text).unwrap();
    assert!(place("minus step-200") < place("step-1000"), "{table}");
    let csv = folder.rate(&["r.csv", "--series=base,step-200,step-1000", "--format", "csv"]).unwrap();
    assert_eq!(csv.lines().filter(|line| line.starts_with("push,")).count(), 2, "{csv}");
    assert!(folder.rate(&["r.csv", "--series=base,none"]).unwrap_err().contains("none"));
    let these = folder.json(&["r.csv", "--these-openings"]);
    assert_eq!(these["openings"], "these");
    assert_eq!(folder.json(&["r.csv", "--anytime-all"])["validity"], "any-time-all");
    assert!(folder.json(&["r.csv"])["scopes"][1]["covariance"]["p_stronger"][0][1].is_f64());
}
