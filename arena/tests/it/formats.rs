//! Tournaments with rounds, as a user plays them: `swiss` and `knockout`, with real engine processes.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::site::Site;
use crate::common::tournament::{Ended, Tournament, printed};

const ONE_GAME: &str = "[limits]\nnodes = 10\nmax-plies = 20\n[[game]]\nid = \"push-push\"\n";
/// Some lose by their own fault, one crashes in every match.
const ENGINES: [(&str, &str); 7] = [
    ("alpha", "weak-30"),
    ("beta", "last"),
    ("gamma", "weak-60"),
    ("crashes", "move-exit"),
    ("delta", "good"),
    ("epsilon", "weak-20"),
    ("zeta", "weak-10"),
];
const FORMATS: [&str; 2] = ["format = \"swiss\"", "format = \"knockout\""];

fn cup(tournament: &str, more: &str, n_engines: usize) -> Tournament {
    Tournament::new(&format!("[tournament]\n{tournament}\n{more}{ONE_GAME}"), &ENGINES[..n_engines])
}

/// The standings of the rounds, as printed after those of the ratings.
fn rounds(text: &str) -> &str {
    let start = ["Swiss system: ", "Knockout: "].iter().find_map(|title| text.find(title));
    let text = &text[start.unwrap_or_else(|| panic!("no rounds: {text}"))..];
    text.split("\nReport: ").next().unwrap_or_default()
}

/// The numbers, engines and results of the matches.
fn matches(cup: &Tournament, folder: &str) -> Vec<Vec<String>> {
    cup.rows(folder).into_iter().map(|mut row| row.drain(..9).collect()).collect()
}

#[test]
fn a_swiss_tournament_of_any_size_plays_all_its_rounds() {
    for (n_engines, n_rounds) in [(2, 1), (3, 2), (4, 3), (7, 4)] {
        let cup = cup("format = \"swiss\"\nmax-faults = 1000", "", n_engines);
        let text = cup.run(&[]).text();
        assert!(text.contains(&format!("Swiss system: {n_rounds} of {n_rounds} rounds finished")), "{text}");
        assert_eq!(matches(&cup, "results/cup").len(), n_rounds * (n_engines / 2) * 2, "{n_engines} engines");
        // A round of a pair each has two points for every meeting, and two for the bye.
        let points = rounds(&text).lines().skip(2).map(|line| line.split_whitespace().nth(2).unwrap());
        let tenths: usize = points.map(|points| points.replace('.', "").parse::<usize>().unwrap()).sum();
        assert_eq!(tenths, 10 * 2 * n_rounds * n_engines.div_ceil(2), "{text}");
        cup.verifies("results/cup");
        assert!(!printed(&cup.run(&[])).is_empty(), "it has ended, and shows the same again");
        assert_eq!(rounds(&cup.run(&[]).text()), rounds(&text));
    }
}

#[test]
fn a_knockout_has_a_winner_whatever_its_size() {
    for n_engines in [2, 3, 5, 7] {
        let cup =
            cup("format = \"knockout\"\nmax-faults = 1000", "[knockout]\nthird-place = true\n", n_engines);
        let text = cup.run(&[]).text();
        let bracket = rounds(&text);
        let winner =
            bracket.lines().next().unwrap().trim_start_matches("Knockout: ").trim_end_matches(" has won");
        let last = bracket.lines().find(|line| line.trim_start().starts_with("final ")).unwrap();
        assert!(last.contains(winner) && ENGINES.iter().any(|(name, _)| *name == winner), "{bracket}");
        assert_eq!(bracket.contains("third place"), 3 < n_engines, "{bracket}");
        cup.verifies("results/cup");
    }
}

#[test]
fn level_meetings_are_played_on_and_then_the_better_seed_wins() {
    // Each engine loses with one colour by the same moves: no meeting has a winner.
    let engines = [("first", "good"), ("second", "good"), ("third", "good")];
    let head = format!("[tournament]\nformat = \"knockout\"\n[knockout]\ntie-pairs = 2\n{ONE_GAME}");
    let cup = Tournament::new(&head, &engines);
    let text = cup.run(&[]).text();
    assert!(text.contains("Knockout: first has won"), "{text}");
    assert_eq!(text.matches("2 more pairs, level, so the better seed wins").count(), 2, "{text}");
    assert_eq!(matches(&cup, "results/cup").len(), 2 * 3 * 2);
}

#[test]
fn a_killed_tournament_has_the_same_rounds() {
    for format in FORMATS {
        let cup = cup(&format!("{format}\nmax-faults = 1000"), "", 7);
        let alone = cup.run(&["--concurrency", "1", "--results", "alone"]).succeeds();
        for kill in 0..4 {
            let mut child =
                cup.command(&["--results", "crowd", "--quiet"]).stdout(Stdio::null()).spawn().unwrap();
            std::thread::sleep(std::time::Duration::from_millis(60 + 40 * kill));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let crowd = cup.run(&["--concurrency", "3", "--results", "crowd"]).succeeds();
        assert_eq!(rounds(&printed(&crowd)), rounds(&printed(&alone)));
        let sorted = |folder| {
            let mut rows = matches(&cup, folder);
            rows.sort_by_key(|row| row[0].parse::<u32>().unwrap());
            rows
        };
        assert_eq!(sorted("crowd"), sorted("alone"));
        cup.verifies("crowd");
    }
}

#[test]
fn an_engine_that_fails_stays_and_loses_by_forfeit() {
    for format in FORMATS {
        let cup = cup(&format!("{format}\nmax-faults = 1"), "", 7);
        let text = cup.run(&[]).text();
        assert!(rounds(&text).contains("crashes"), "{text}");
        let own: Vec<_> = matches(&cup, "results/cup")
            .into_iter()
            .filter(|row| row[4..6].contains(&"crashes".to_owned()))
            .collect();
        let has_won = |row: &Vec<String>| row[if row[6] == "1-0" { 4 } else { 5 }] == "crashes";
        // Of two engines that have both retired, neither wins.
        assert!(own.iter().all(|row| row[6] == "1/2-1/2" && row[7] == "retired" || !has_won(row)), "{own:?}");
        assert!(2 <= own.len() && own[0][7] == "crash", "{own:?}");
        cup.verifies("results/cup");
    }
}

#[test]
fn a_dry_run_shows_the_first_round() {
    let dry = cup("format = \"swiss\"", "", 7).run(&["--dry-run"]).text();
    for words in ["7 engines, 24 matches", "24 matches: 4 openings", "  1      zeta", "bye", "the next round"]
    {
        assert!(dry.contains(words), "no `{words}`: {dry}");
    }
    let dry = cup("format = \"knockout\"", "", 7).run(&["--dry-run"]).text();
    for words in ["at most 108 matches", "quarter-finals  1 alpha", "5 delta"] {
        assert!(dry.contains(words), "no `{words}`: {dry}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    for (tournament, more, words) in [
        (FORMATS[0], "[swiss]\nrounds = 7\n", "7 engines play at most 6 rounds"),
        (FORMATS[0], "[swiss]\nrounds = 0\n", "`rounds`"),
        (FORMATS[0], "[swiss]\nrounds = -1\n", "rounds = -1"),
        (FORMATS[0], "[swiss]\nround = 3\n", "did you mean `rounds`"),
        (
            FORMATS[0],
            "[knockout]\nthird-place = true\n",
            "`[knockout]` works only with the format `knockout`",
        ),
        (FORMATS[1], "[swiss]\nrounds = 3\n", "`[swiss]` works only with the format `swiss`"),
        (FORMATS[1], "[knockout]\ntie-pairs = \"many\"\n", "tie-pairs"),
        (FORMATS[1], "[stop.precision]\nelo = 20\n", "`[stop]` does not work with the format `knockout`"),
        (
            FORMATS[0],
            "[[pairing]]\nengines = [\"alpha\", \"beta\"]\npairs = 3\n",
            "`[[pairing]]` does not work",
        ),
        ("format = \"swis\"", "", "swiss"),
    ] {
        let cup = cup(tournament, more, 7);
        cup.run(&[]).fails(3).says(words);
        assert!(!cup.path("results").exists(), "{more}");
    }
}

#[test]
fn other_engines_would_change_the_rounds_that_were_played() {
    for format in FORMATS {
        let cup = cup(format, "", 3);
        cup.run(&[]).succeeds();
        cup.edit("name = \"beta\"", "name = \"omega\"");
        cup.run(&[]).fails(5).says("would change the rounds that were played already");
    }
}

#[test]
fn the_report_and_the_live_page_show_the_rounds() {
    for (format, title) in FORMATS.into_iter().zip(["Swiss system: 4 of 4 rounds finished", "has won"]) {
        let cup = cup(format, "", 7);
        cup.run(&[]).succeeds();
        let page = fs::read_to_string(cup.path("results/cup/report.html")).unwrap();
        assert!(page.contains(title) && page.contains("<th scope=\"col\">Opponent</th>"), "{format}");
        let site =
            Site::start(Command::new(env!("CARGO_BIN_EXE_arena")).arg("serve").arg(cup.path("results/cup")));
        let (_, _, all) = site.events(None).next().unwrap();
        assert!(all["rounds"][0]["title"].as_str().unwrap().contains(title), "{all}");
        assert!(!all["rounds"][0]["rows"].as_array().unwrap().is_empty());
        assert_eq!(all["progress"]["n_matches"], all["progress"]["n_finished"], "{all}");
    }
}
