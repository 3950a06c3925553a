//! `arena rate`: files in, tables or an error that says where and what out.

use std::fs;
use std::path::PathBuf;

use arena::commands::arguments::Format;
use arena::commands::rate::{RateArgs, run};
use arena::exit::{CommandError, Exit, Failure};
use clap::Parser;
use proptest::prelude::*;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: RateArgs,
}

/// Files in a folder of their own, `0.csv`, `1.csv` and so on.
struct Files {
    folder: tempfile::TempDir,
    args: RateArgs,
}

impl Files {
    fn new(contents: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = contents.iter().enumerate().map(|(number, content)| {
            let path = folder.path().join(format!("{number}.csv"));
            fs::write(&path, content).unwrap();
            path
        });
        let mut args = Cli::parse_from(["rate", "some.csv", "--format", "csv"]).args;
        args.files = files.collect();
        Self { folder, args }
    }

    fn run(&self) -> Result<String, CommandError> {
        let mut out = Vec::new();
        run(engine_proto::Games::built_in(), &self.args, &mut out).map(|()| String::from_utf8(out).unwrap())
    }

    /// The error's text, with `FOLDER` for the folder.
    fn error(&self) -> String {
        let text = self.run().unwrap_err().to_string();
        text.replace(&self.folder.path().display().to_string(), "FOLDER")
    }
}

fn rate(contents: &[&str]) -> Result<String, CommandError> {
    Files::new(contents).run()
}

const PLAIN: &str = "game,white,black,result,pair\n\
    push,A,B,1-0,1\n\
    push,B,A,1/2-1/2,1\n\
    push,A,B,0-1,2\n\
    push,B,A,1-0,2\n";

#[test]
fn files_of_any_make_tell_the_same() {
    let expected = rate(&[PLAIN]).unwrap();
    assert_eq!(expected.lines().count(), 5, "{expected}");
    let in_many_ways = [
        PLAIN.replace('\n', "\r\n"),
        format!("\u{feff}{PLAIN}"),
        PLAIN.trim_end().to_owned(),
        PLAIN.replace('\n', "\n\n"),
        PLAIN.replace(",A,", ", \"A\" ,").replace(", \"A\" ,", ",\"A\","),
        PLAIN.replace(',', " , "),
        PLAIN.replace("game,white,black,result,pair", "Game,White,Black,Result,pair_id"),
        "black,time,opening,game,result,pair,white\n\
         B,3,,push,1-0,1,A\n\
         A,4,,push,1/2-1/2,1,B\n\
         B,,,push,0-1,2,A\n\
         A,,,push,1-0,2,B\n"
            .to_owned(),
    ];
    for content in &in_many_ways {
        assert_eq!(rate(&[content]).unwrap(), expected, "{content}");
    }
}

#[test]
fn quoted_names_may_hold_anything() {
    let content =
        "game,white,black,result\npush,\"A, the \"\"first\"\"\",B,1-0\npush,B,\"A, the \"\"first\"\"\",1-0\n";
    let ratings = rate(&[content]).unwrap();
    assert!(ratings.contains("push,\"A, the \"\"first\"\"\",,-inf,inf,"), "{ratings}");
}

#[test]
fn rows_and_files_come_in_any_order() {
    let (header, rows) = PLAIN.split_once('\n').unwrap();
    let mut reversed: Vec<&str> = rows.lines().rev().collect();
    let expected = rate(&[PLAIN]).unwrap();
    assert_eq!(rate(&[&format!("{header}\n{}\n", reversed.join("\n"))]).unwrap(), expected);
    reversed.rotate_left(1);
    assert_eq!(rate(&[&format!("{header}\n{}\n", reversed.join("\n"))]).unwrap(), expected);

    let other = PLAIN.replace("push", "tower-push").replace("A,", "C,");
    assert_eq!(rate(&[PLAIN, &other]).unwrap(), rate(&[&other, PLAIN]).unwrap());
}

/// Two files with a pair `1` each have two pairs of that name.
#[test]
fn pairs_of_different_files_do_not_mix() {
    let pairs = |ratings: &str| ratings.lines().nth(1).unwrap().split(',').nth(13).unwrap().to_owned();
    assert_eq!(pairs(&rate(&[PLAIN]).unwrap()), "2");
    let other_order =
        PLAIN.replace("push,A,B,1-0,1\npush,B,A,1/2-1/2,1\n", "push,B,A,1/2-1/2,1\npush,A,B,1-0,1\n");
    assert_eq!(pairs(&rate(&[PLAIN, &other_order]).unwrap()), "4");
}

const WITH_IDS: &str = "match,game,white,black,result\n1,push,A,B,1-0\n2,push,B,A,1-0\n";

#[test]
fn a_match_told_twice_counts_once() {
    let other_order = "match,game,white,black,result\n2,push,B,A,1-0\n1,push,A,B,1-0\n";
    let mut files = Files::new(&[WITH_IDS, other_order]);
    assert_eq!(files.run().unwrap(), rate(&[WITH_IDS]).unwrap());
    files.args.format = Format::Table;
    let table = files.run().unwrap();
    assert!(table.contains("- 2 matches given several times and counted once\n"), "{table}");
}

#[test]
fn a_match_told_differently_is_refused() {
    let files = Files::new(&[WITH_IDS, &WITH_IDS.replace("2,push,B,A,1-0", "2,push,B,A,0-1")]);
    assert_eq!(
        files.error(),
        "match `2` differs between FOLDER/1.csv, line 3, and FOLDER/0.csv, line 3; \
         if these are two matches, remove the column `match`"
    );
}

#[test]
fn matches_of_two_folders_with_the_same_numbers_are_different_matches() {
    const HEAD: &str = "match,game,white,black,result,plies,white_ms,black_ms\n";
    let [first, second] =
        ["1,push,A,B,1-0,40,7,9\n", "1,push,A,B,1-0,41,7,9\n"].map(|row| format!("{HEAD}{row}"));
    let mut files = Files::new(&[]);
    for (folder, table) in [("one", &first), ("two", &second), ("copy", &second)] {
        let folder = files.folder.path().join(folder);
        fs::create_dir(&folder).unwrap();
        // The content of a copy is not the same, so it is read.
        let end = if folder.ends_with("copy") { "2,push,B,A,1-0,40,7,9\n" } else { "" };
        fs::write(folder.join("matches.csv"), format!("{table}{end}")).unwrap();
        files.args.files.push(folder.join("matches.csv"));
    }
    files.args.format = Format::Table;
    let table = files.run().unwrap();
    assert!(table.starts_with("push: 3 matches"), "{table}");
    assert!(table.contains("- 1 match given several times and counted once\n"), "{table}");
    assert!(
        table.contains("- 1 match with a number that a different match of another folder has"),
        "{table}"
    );
}

#[test]
fn tournaments_that_number_alike_are_told_apart() {
    let row = |white: &str, black: &str, opening: &str| format!("1,push,{white},{black},1-0,{opening}\n");
    let head = "match,game,white,black,result,opening\n";
    let first = format!("{head}{}", row("A", "B", "o1"));
    for other in [row("A", "C", "o1"), row("B", "A", "o1"), row("A", "B", "o2")] {
        let second = format!("{head}{other}");
        let both = rate(&[&first, &second]).unwrap();
        let of_push = both.lines().filter(|line| line.starts_with("push,"));
        let played: u64 = of_push.map(|line| line.split(',').nth(5).unwrap().parse::<u64>().unwrap()).sum();
        assert_eq!(played, 4, "two matches of two engines each: {both}");
    }
}

#[test]
fn unfinished_matches_do_not_count() {
    let content = format!("{PLAIN}push,A,B,*,3\n");
    let mut files = Files::new(&[&content]);
    assert_eq!(files.run().unwrap(), rate(&[PLAIN]).unwrap());
    files.args.format = Format::Table;
    assert!(files.run().unwrap().contains("- 1 match without a result (`*`) not counted\n"));
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("", "FOLDER/0.csv is empty; its first line must name the columns: white, black, result"),
        ("game,white,black,result\n", "no finished matches in FOLDER/0.csv"),
        ("game,white,black,result", "no finished matches in FOLDER/0.csv"),
        (
            "game,white,result\n",
            "FOLDER/0.csv: no column `black`; the columns are `game`, `white`, `result`; name the right one with `--columns black=NAME`",
        ),
        (
            "push,A,B,1-0\n",
            "FOLDER/0.csv: no column `white`, `black`, `result`; the columns are `push`, `A`, `B`, `1-0`; name the right one with `--columns white=NAME`",
        ),
        (
            "game,white,black,result,pair,pair_id\n",
            "FOLDER/0.csv: the columns `pair`, `pair_id` have the same meaning; remove all but one",
        ),
        (
            "game,white,black,result\npush,A,B,1-0\npush,B,A,2-0\n",
            "FOLDER/0.csv, line 3, column `result`: `2-0` is not a result: `1-0`, `0-1` or `1/2-1/2`, or White's points `1`, `0` or `0.5`",
        ),
        (
            "game,white,black,result\r\n\r\npush,A,B,1-0\r\n\r\npush,B,A,\r\n",
            "FOLDER/0.csv, line 5, column `result`: `` is not a result: `1-0`, `0-1` or `1/2-1/2`, or White's points `1`, `0` or `0.5`",
        ),
        (
            "\u{feff}game,white,black,result\npush,A,B,x\n",
            "FOLDER/0.csv, line 2, column `result`: `x` is not a result: `1-0`, `0-1` or `1/2-1/2`, or White's points `1`, `0` or `0.5`",
        ),
        (
            "game,white,black,result\npush,A,,1-0\n",
            "FOLDER/0.csv, line 2, column `black`: the name is missing; complete or delete the line",
        ),
        (
            "game,white,black,result\npush,A,A,1-0\n",
            "FOLDER/0.csv, line 2, column `black`: engine `A` plays against itself",
        ),
        (
            "game,white,black,result\npush,A,B\npush,A,B,1-0\n",
            "FOLDER/0.csv, line 2: 3 values for 4 columns; correct the line, and quote values that contain a separator",
        ),
        (
            "game,white,black,result\npush,A,B,1-0,7\n",
            "FOLDER/0.csv, line 2: 5 values for 4 columns; correct the line, and quote values that contain a separator",
        ),
    ];
    for (content, message) in cases {
        assert_eq!(Files::new(&[content]).error(), message, "{content}");
    }
}

#[test]
fn a_torn_last_line_is_named() {
    let message = "FOLDER/0.csv, line 5: the last line is incomplete; complete or delete it";
    for torn in ["push", "push,", "push,B,A,1", "push,B,A,1/2-1/", "push,B,\"A"] {
        let whole: Vec<&str> = PLAIN.lines().take(4).collect();
        let content = format!("{}\n{torn}", whole.join("\n"));
        assert_eq!(Files::new(&[&content]).error(), message, "{content}");
    }
}

/// Only the last value can be torn: another one is wrong for reasons of its own.
#[test]
fn a_last_line_without_end_is_not_always_torn() {
    let content = "game,white,black,result,pair\npush,A,B,1:0,7";
    assert_eq!(
        Files::new(&[content]).error(),
        "FOLDER/0.csv, line 2, column `result`: `1:0` is not a result: `1-0`, `0-1` or `1/2-1/2`, or White's points `1`, `0` or `0.5`"
    );
}

#[test]
fn what_is_not_utf8_is_named() {
    let files = Files::new(&[""]);
    fs::write(&files.args.files[0], b"game,white,black,result\npush,A,\xff,1-0\n").unwrap();
    assert_eq!(files.error(), "FOLDER/0.csv, line 2, column `black`: `\u{fffd}` is not UTF-8");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let mut files = Files::new(&[]);
    files.args.files = vec![files.folder.path().join("none.csv")];
    assert!(files.error().starts_with("cannot read FOLDER/none.csv: "), "{}", files.error());
}

const TWO_GAMES: &str = "game,white,black,result\n\
    push,Alpha,Beta,1-0\n\
    push,Beta,Alpha,1-0\n\
    push,Gamma,Alpha,1/2-1/2\n\
    tower-push,Alpha,Beta,1-0\n\
    tower-push,Beta,Alpha,1/2-1/2\n";

#[test]
fn a_game_can_be_picked() {
    let mut files = Files::new(&[TWO_GAMES]);
    files.args.games = vec!["push".to_owned()];
    let ratings = files.run().unwrap();
    assert!(ratings.contains("\npush,") && !ratings.contains("tower-push"), "{ratings}");
    files.args.games = vec!["pusch".to_owned()];
    assert_eq!(files.error(), "no game is named `pusch` in these files; did you mean `push`?");
}

#[test]
fn an_engine_can_be_picked_and_keeps_its_rating() {
    let mut files = Files::new(&[TWO_GAMES]);
    let all = files.run().unwrap();
    files.args.engines = vec!["Gamma".to_owned()];
    let ratings = files.run().unwrap();
    assert_eq!(ratings.lines().count(), 3, "{ratings}");
    let line_of = |ratings: &str| {
        let line = ratings.lines().find(|line| line.starts_with("push,Gamma,")).unwrap();
        let fields: Vec<String> = line.split(',').map(str::to_owned).collect();
        (fields[..14].to_vec(), fields[15].clone())
    };
    assert_eq!(line_of(&ratings), line_of(&all));
    files.args.engines = vec!["Delta".to_owned()];
    assert_eq!(
        files.error(),
        "no engine is named `Delta` in these files; there are `Alpha`, `Beta`, `Gamma`"
    );
    files.args.engines = vec!["Alhpa".to_owned()];
    assert_eq!(files.error(), "no engine is named `Alhpa` in these files; did you mean `Alpha`?");
}

#[test]
fn json_has_everything_and_only_numbers() {
    let mut files = Files::new(&[TWO_GAMES]);
    files.args.format = Format::Json;
    let json: serde_json::Value = serde_json::from_str(&files.run().unwrap()).unwrap();
    assert_eq!(json["scopes"][0]["name"], "overall");
    assert_eq!(json["scopes"][1]["covariance"]["values"].as_array().unwrap().len(), 3);
    assert_eq!(json["scopes"][1]["engines"][0]["status"], "bounded");
    assert_eq!(json["confidence"], 0.95);
}

#[test]
fn arguments() {
    let args = Cli::parse_from(["rate", "a.csv", "b.csv", "--game", "push", "--confidence", "0.9"]).args;
    assert_eq!(args.files, [PathBuf::from("a.csv"), PathBuf::from("b.csv")]);
    assert_eq!((args.format, args.confidence.fraction() < 0.91), (Format::Table, true));
    assert!(Cli::try_parse_from(["rate"]).is_err());
    let error = Cli::try_parse_from(["rate", "a.csv", "--confidence", "95"]).err().unwrap().to_string();
    assert!(error.contains("`95` is not a confidence level: a number above 0 and below 1"), "{error}");
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for format in [Format::Table, Format::Csv, Format::Json] {
        let mut files = Files::new(&[PLAIN]);
        files.args.format = format;
        let error = run(engine_proto::Games::built_in(), &files.args, &mut Full).unwrap_err();
        assert_eq!(error.exit(), Exit::Output, "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_file_makes_it_panic(
        has_header in any::<bool>(),
        pieces in proptest::collection::vec("[ -~\\r\\n\"]{0,6}|,|\n|1-0|0-1|1/2-1/2|push|\u{feff}|\\PC", 0..60),
    ) {
        let header = if has_header { "match,game,white,black,result,pair\n" } else { "" };
        let files = Files::new(&[&format!("{header}{}", pieces.concat())]);
        if let Err(error) = files.run() {
            prop_assert!(!error.to_string().contains(['\n', '\r']), "{}", error);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_pgn_makes_it_panic(
        pieces in proptest::collection::vec(
            "\\[White \"A\"\\]\n|\\[Black \"B\"\\]\n|\\[Result \"1-0\"\\]\n|[ -~\\r\\n]{0,4}|1-0|\\{|\\}|\\(|\\)|\\*|\\PC|\n\n|e4 ", 0..40),
    ) {
        let mut files = Files::new(&[]);
        files.args.files = vec![files.folder.path().join("r.pgn")];
        fs::write(&files.args.files[0], pieces.concat()).unwrap();
        if let Err(error) = files.run() {
            prop_assert!(!error.to_string().contains(['\n', '\r']), "{}", error);
        }
    }
}

/// 25 pairs of A against B, of which A wins 5 clearly.
fn twenty_five_pairs() -> String {
    let mut content = "game,white,black,result,pair\n".to_owned();
    for pair in 0..25 {
        let second = if pair % 5 == 0 { "0-1" } else { "1-0" };
        content += &format!("push,A,B,1-0,{pair}\npush,B,A,{second},{pair}\n");
    }
    content
}

#[test]
fn an_anchor_is_said_in_every_format() {
    let mut files = Files::new(&[&twenty_five_pairs()]);
    files.args.anchor = Some("B=2500".parse().unwrap());
    let csv = files.run().unwrap();
    assert!(csv.lines().any(|line| line.starts_with("push,B,2500.00,2500.00,2500.00,")), "{csv}");
    files.args.format = Format::Table;
    let table = files.run().unwrap().replace('\n', " ");
    assert!(
        table.contains("± 95 % if the number of matches was fixed; relative to B, set to +2500;"),
        "{table}"
    );
    files.args.format = Format::Json;
    let json: serde_json::Value = serde_json::from_str(&files.run().unwrap()).unwrap();
    assert_eq!(json["anchor"], serde_json::json!({"engine": "B", "elo": 2500.0}));
    assert_eq!(json["scopes"][1]["is_anchored"], true);
    assert_eq!(json["scopes"][1]["covariance"]["values"][1], serde_json::json!([0.0, 0.0]));
}

#[test]
fn an_unknown_anchor_is_refused_with_the_names_that_are_there() {
    let mut files = Files::new(&[PLAIN]);
    files.args.anchor = Some("C=0".parse().unwrap());
    assert_eq!(files.error(), "`--anchor`: no engine is named `C`; the engines in these files are `A`, `B`");
}

#[test]
fn intervals_for_any_time_are_wider_and_come_later() {
    let mut files = Files::new(&[&twenty_five_pairs()]);
    let fields = |csv: &str| csv.lines().nth(1).unwrap().split(',').map(str::to_owned).collect::<Vec<_>>();
    let fixed_size = fields(&files.run().unwrap());
    files.args.anytime = true;
    let any_time = fields(&files.run().unwrap());
    assert_eq!(any_time[2], fixed_size[2]);
    let low = |fields: &[String]| fields[3].parse::<f64>().unwrap();
    assert!(low(&any_time) < low(&fixed_size), "{any_time:?}");
    assert_eq!(any_time[14], "", "no LOS holds at any time");
    files.args.format = Format::Table;
    assert!(files.run().unwrap().contains("Intervals: 95 % at any time; columns: `arena rate --help`"));

    let mut early = Files::new(&[PLAIN]);
    early.args.anytime = true;
    let fields = fields(&early.run().unwrap());
    assert_eq!((fields[3].as_str(), fields[4].as_str(), fields[15].as_str()), ("-inf", "inf", "too early"));
    early.args.format = Format::Table;
    assert!(early.run().unwrap().contains(" too early "), "{:?}", early.run());
}

#[test]
fn resampled_errors_stand_beside_the_others() {
    let mut files = Files::new(&[&twenty_five_pairs()]);
    let resampled = |csv: &str| csv.lines().nth(1).unwrap().split(',').nth(17).unwrap().to_owned();
    assert_eq!(resampled(&files.run().unwrap()), "");
    files.args.bootstrap = Some(100);
    let se: f64 = resampled(&files.run().unwrap()).parse().unwrap();
    assert!(0.0 < se);
    files.args.format = Format::Table;
    assert!(files.run().unwrap().contains("- standard errors by formula, and by 100 resamples: A "));
}
