//! The standings as a reader sees them: tables of 80 columns and `ratings.csv`.

use ratings::{Ending, FinishedMatch, RatingSettings, Standings, Tally};
use report::tables::{Next, write_csv, write_table_with};

/// A tally from lines such as `push A B 1-0`, or `push A B 1-0 x3` for as many pairs of them.
fn tally(lines: &str) -> Tally {
    let mut tally = Tally::new();
    for (index, line) in lines.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let count = words.get(4).map_or(1, |times| times.trim_start_matches('x').parse().unwrap());
        for number in 0..count {
            let pair = format!("{index}.{number}");
            tally
                .add(&FinishedMatch {
                    game: words[0],
                    white: words[1],
                    black: words[2],
                    result: words[3].parse().unwrap(),
                    pair: Some(&pair),
                    opening: None,
                    moves: None,
                    ending: Ending::Played,
                })
                .unwrap();
        }
    }
    tally
}

fn from_file(file: &str) -> Tally {
    let path = format!("{}/ratings/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut tally = Tally::new();
    for line in csv::Reader::from_path(path).unwrap().records().map(Result::unwrap) {
        tally
            .add(&FinishedMatch {
                game: &line[0],
                white: &line[1],
                black: &line[2],
                result: line[3].parse().unwrap(),
                pair: Some(&line[4]),
                opening: Some(&line[5]),
                moves: None,
                ending: Ending::Played,
            })
            .unwrap();
    }
    tally
}

fn table(tally: &Tally) -> String {
    let mut out = Vec::new();
    let standings = Standings::new(tally, &RatingSettings::default());
    write_table_with(&standings, &[], Next::default(), Some(80), &mut out).unwrap();
    let table = String::from_utf8(out).unwrap();
    for line in table.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert_eq!(line, line.trim_end());
    }
    table
}

#[test]
fn five_games() {
    insta::assert_snapshot!(table(&from_file("A.csv")));
}

#[test]
fn one_hard_case_a_game() {
    insta::assert_snapshot!(table(&from_file("C2.csv")));
}

#[test]
fn csv_of_one_hard_case_a_game() {
    let mut out = Vec::new();
    write_csv(&Standings::new(&from_file("C2.csv"), &RatingSettings::default()), &[], &mut out).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
}

#[test]
fn perfect_scores() {
    insta::assert_snapshot!(table(&tally(
        "push Alpha Beta 1-0 x6
         push Beta Alpha 1-0 x5
         push Alpha Beta 1/2-1/2 x4
         push Gamma Alpha 1-0 x10
         push Gamma Beta 1-0 x10
         push Beta Delta 1-0 x2
         push Epsilon Gamma 1-0 x1"
    )));
}

#[test]
fn groups_that_never_met() {
    insta::assert_snapshot!(table(&tally(
        "push Alpha Beta 1-0 x6
         push Beta Alpha 1-0 x4
         push Gamma Delta 1/2-1/2 x6
         push Delta Gamma 1-0 x4
         push Epsilon Gamma 0-1 x4"
    )));
}

#[test]
fn names_are_cut_and_steer_no_terminal() {
    insta::assert_snapshot!(table(&tally(
        "push an-engine-with-a-name-that-never-seems-to-end \u{1b}[31mred 1-0 x3
         push \u{1b}[31mred an-engine-with-a-name-that-never-seems-to-end 1-0 x2
         push Übermaß an-engine-with-a-name-that-never-seems-to-end 1/2-1/2"
    )));
}

/// The names take what ranks and pairs do not need.
#[test]
fn names_of_ten_characters_are_not_cut() {
    let mut lines = String::new();
    for (one, other) in
        [("py-illegal", "py-noready"), ("py-noready", "py-timeout"), ("py-illegal", "py-timeout")]
    {
        lines += &format!("push {one} {other} 1-0 x30\npush {other} {one} 1-0 x4\n");
    }
    lines += "push greedy-all py-illegal 1-0 x400\n";
    let mut tally = tally(&lines);
    let lost = FinishedMatch {
        ending: Ending::Forfeited,
        ..FinishedMatch::new("push", "py-illegal", "py-timeout", ratings::MatchResult::BlackWins)
    };
    tally.add(&lost).unwrap();
    let table = table(&tally);
    assert!(!table.contains('…') && table.contains("Forfeits") && table.contains("P>next"), "{table}");
}

#[test]
fn nothing_at_all() {
    assert_eq!(table(&Tally::new()), "");
}

#[test]
fn a_circle_that_no_rating_explains() {
    insta::assert_snapshot!(table(&tally(
        "push Paper Rock 1-0 x30
         push Rock Paper 0-1 x20
         push Rock Paper 1-0 x5
         push Rock Scissors 1-0 x30
         push Scissors Rock 0-1 x20
         push Scissors Rock 1-0 x5
         push Scissors Paper 1-0 x30
         push Paper Scissors 0-1 x20
         push Paper Scissors 1-0 x5
         push Well Paper 0-1 x9
         push Paper Well 0-1 x9
         push Well Rock 1/2-1/2 x9
         push Scissors Well 1-0 x4
         push Well Scissors 1-0 x4"
    )));
}
