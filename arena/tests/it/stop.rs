//! Tournaments that end by their results, and the adaptive format, as a user runs them: the program itself, with real engine
//! processes, in a folder of its own.

use std::fs;
use std::process::{Output, Stdio};
use std::time::Duration;

use crate::common::tournament::{Ended, Tournament, printed, said};

const ONE_GAME: &str = "[limits]\nnodes = 10\nmax-plies = 20\n[[game]]\nid = \"push-push\"\n";
const SPRT: &str = "[stop.sprt]\nelo0 = 0\nelo1 = 100\nmodel = \"logistic\"\n";
/// One engine loses a third of its matches by its own fault, the other one a tenth.
const UNEQUAL: [(&str, &str); 2] = [("good", "weak-10"), ("bad", "weak-40")];

fn cup(tournament: &str, stop: &str, engines: &[(&str, &str)]) -> Tournament {
    Tournament::new(&format!("[tournament]\n{tournament}\n{stop}{ONE_GAME}"), engines)
}

/// What the test of the only two engines found: the verdict, which is last.
fn verdict(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    without_paths(&printed(output)).rsplit("\n\n").next().unwrap_or_default().to_owned()
}

/// The rows but for their times.
fn matches(cup: &Tournament, folder: &str) -> Vec<Vec<String>> {
    cup.rows(folder).into_iter().map(|mut row| row.drain(..9).collect()).collect()
}

/// What is printed but for the paths at its end, which name the folder.
fn without_paths(text: &str) -> &str {
    ["\nReport: ", "\nTables: "].iter().fold(text, |text, path| text.split(path).next().unwrap_or_default())
}

#[test]
fn the_exit_code_says_what_the_test_has_found() {
    let code = |cup: &Tournament| cup.run(&["--exit-code"]).status.code().unwrap();
    assert_eq!(code(&cup("pairs = 200", SPRT, &UNEQUAL)), 0);
    let [good, bad] = UNEQUAL;
    let other_way = cup("pairs = 200", SPRT, &[bad, good]);
    assert_eq!(code(&other_way), 10);
    assert_eq!(code(&other_way), 10, "of a tournament that has ended, too");
    assert!(other_way.run(&[]).status.success(), "without the option");
    assert_eq!(code(&cup("pairs = 1", SPRT, &UNEQUAL)), 11);
    let broken = cup("pairs = 200", SPRT, &[UNEQUAL[0], ("broken", "weak-90")]);
    assert_eq!(code(&broken), 11, "forfeits decide nothing");
    let told = printed(&broken.run(&[]));
    let answer = "The result comes from forfeits, not from play: broken forfeited ";
    assert!(told.contains(answer) && !told.contains("Quote") && !told.contains("losses: U"), "{told}");
    assert!(
        told.contains("\n  Mend the cause, which the report has under Engines, then play its matches"),
        "{told}"
    );
    let page = fs::read_to_string(broken.path("results/cup/report.html")).unwrap();
    assert!(
        page.contains("play its matches again (<code>arena run</code> with <code>--replay broken</code>)")
            && !page.contains("<p class=\"llr\">")
    );
    // So does the page of the two.
    assert!(page.contains(&format!("\"text\":\"{answer}")), "{page}");
    let compared = broken.arena(&["compare", "results/cup", "--engines", "good,broken", "--exit-code"]);
    assert_eq!(compared.status.code(), Some(11));
    assert!(printed(&compared).starts_with(answer), "{}", printed(&compared));
    cup("pairs = 1", "", &UNEQUAL)
        .run(&["--exit-code"])
        .fails(2)
        .says("`--exit-code` needs a sequential test: `--sprt`, or `[stop.sprt]`");
}

/// Against an engine that loses a fourth of its matches by its own fault.
const CANDIDATES: [(&str, &str); 4] =
    [("better", "weak-5"), ("base", "weak-25"), ("worse", "weak-60"), ("best", "weak-0")];

/// The number of matches of an engine in a results folder.
fn n_matches(cup: &Tournament, folder: &str, name: &str) -> usize {
    cup.rows(folder).iter().filter(|row| row[4..6].contains(&name.to_owned())).count()
}

#[test]
fn candidates_are_tested_each_against_the_base_and_leave_when_they_are_decided() {
    let gauntlet = "format = \"gauntlet\"\nseeds = [\"base\"]\npairs = 200";
    let cup = cup(gauntlet, SPRT, &CANDIDATES);
    let dry = printed(&cup.run(&["--dry-run"]));
    assert!(
        dry.contains("at most 1,200 matches")
            && dry.contains("3 tests by sprt (0 against 100 logistic Elo): about "),
        "{dry}"
    );

    let findings = |output: &Output| -> Vec<String> {
        printed(output).split("\n\n").filter(|part| part.starts_with("sprt: ")).map(str::to_owned).collect()
    };
    let alone = cup.run(&["--concurrency", "1", "--results", "alone", "--exit-code"]).succeeds();
    let (text, found) = (printed(&alone), findings(&alone));
    assert!(
        text.contains(
            "\nStronger than base: better, best. Not at least 100 Elo stronger than base:\nworse.\n"
        ),
        "{text}"
    );
    assert_eq!(found.len(), 3, "{text}");
    alone.says("H0: worse is not at least 100 Elo stronger than base (a lead of 0 logistic Elo fits the results better than one of 100); the tournament continues");
    for ((name, _), found) in CANDIDATES.iter().filter(|(name, _)| *name != "base").zip(&found) {
        let is_stronger = found.contains(&format!(": H1: {name} is stronger than base (a lead of 100 "));
        let is_not = found.contains(&format!(": H0: {name} is not at least 100 Elo stronger than base ("));
        assert!(if *name == "worse" { is_not } else { is_stronger }, "{found}");
        let n_pairs: usize = found.split(' ').nth(3).unwrap().parse().unwrap();
        assert_eq!(n_matches(&cup, "alone", name), 2 * n_pairs, "not one match more than its test takes");
    }
    cup.verifies("alone");
    let page = fs::read_to_string(cup.path("alone/report.html")).unwrap();
    assert!(
        page.contains("Stronger than base: better, best. Not at least 100 Elo stronger than base: worse."),
        "the answer"
    );
    assert!(page.contains("worse is not at least 100 Elo stronger than base: "), "each alone");

    // Killed, and with any concurrency.
    for kill in 0..3 {
        let mut child =
            cup.command(&["--results", "crowd", "--quiet"]).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60 + 40 * kill));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let crowd = cup.run(&["--concurrency", "3", "--results", "crowd"]).succeeds();
    assert_eq!(findings(&crowd), found);
    cup.verifies("crowd");

    // A match that a test needed is missed.
    let journal = cup.path("alone/matches.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, lines.split_once('\n').unwrap().1).unwrap();
    let output = cup.arena(&["verify", "alone"]);
    assert!(printed(&output).contains("match 1 of the schedule is missing"), "{}", printed(&output));

    let code =
        |cup: &Tournament, pairs: &str| cup.run(&["--exit-code", "--fresh", "--pairs", pairs]).status.code();
    assert_eq!(code(&cup, "9"), Some(11), "some undecided");
    cup.edit("\"weak-5\"", "\"weak-60\"");
    cup.edit("\"weak-0\"", "\"weak-70\"");
    assert_eq!(code(&cup, "200"), Some(10), "none is better");
}

#[test]
fn a_candidate_is_tested_first_under_the_short_limits() {
    let limits = "[[limits]]\nname = \"short\"\nnodes = 10\nmax-plies = 20\n[[limits]]\nname = \"long\"\nnodes = 20\nmax-plies = 20\n";
    let head = format!(
        "[tournament]\nformat = \"gauntlet\"\nseeds = [\"base\"]\npairs = 200\n{SPRT}limits = [\"short\", \"long\"]\n{limits}[[game]]\nid = \"push-push\"\n"
    );
    let engines = [("base", "weak-30"), ("worse", "weak-70"), ("better", "weak-5")];
    let cup = Tournament::new(&head, &engines);
    let dry = printed(&cup.run(&["--dry-run"]));
    assert!(
        dry.contains("2 tests by sprt under short, then under long (0 against 100 logistic Elo): about "),
        "{dry}"
    );

    let alone = cup.run(&["--concurrency", "1", "--results", "alone", "--exit-code"]).succeeds();
    let text = printed(&alone);
    assert!(
        text.contains(
            "\nStronger than base: better (long). Not at least 100 Elo stronger than base:\nworse (short).\n"
        ),
        "{text}"
    );
    assert!(
        text.contains(
            "better is stronger than base under long (a lead of 100 logistic Elo fits the results better than one of 0)"
        ),
        "{text}"
    );
    let records = cup.records("alone");
    let n = |name: &str, limits: &str| {
        let is_own = |record: &&model::Record| {
            [&record.white, &record.black].into_iter().any(|engine| engine == name)
                && record.limits.as_deref() == Some(limits)
        };
        records.iter().filter(is_own).count()
    };
    assert_eq!((n("worse", "long"), n("better", "short") % 16, n("better", "long") % 16), (0, 0, 0));
    assert!(n("worse", "short") > 0 && n("better", "long") > 0);
    cup.verifies("alone");

    let mut child = cup.command(&["--results", "crowd", "--quiet"]).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(150));
    child.kill().unwrap();
    child.wait().unwrap();
    let crowd = printed(&cup.run(&["--concurrency", "3", "--results", "crowd"]).succeeds());
    let tests = |text: &str| text[text.find("sprt: ").unwrap()..text.find("\noverall: ").unwrap()].to_owned();
    assert_eq!(tests(&crowd), tests(&text));
    cup.verifies("crowd");
}

#[test]
fn a_test_ends_its_tournament_alike_whatever_the_concurrency() {
    let cup = cup("pairs = 200", SPRT, &UNEQUAL);
    let alone = cup.run(&["--concurrency", "1", "--results", "alone"]);
    let found = verdict(&alone);
    assert!(
        found.starts_with("good is stronger than bad: +") && found.contains("\n  H1 accepted after "),
        "{found}"
    );
    assert!(found.contains("Quote the 95 % interval, which is valid at any time"), "{found}");
    // There is one interval, and the ratio with its bounds is there once.
    let text = printed(&alone);
    assert_eq!((text.matches("LLR ").count(), text.matches('±').count()), (1, 0), "{text}");
    assert!(said(&alone).contains("decided by `stop.sprt` after "), "{}", said(&alone));
    // Who asks later gets the same answer, and the same interval.
    let (answer, _) = found.split_once(") Elo.").unwrap();
    let answer = format!("{answer}) Elo");
    let later = printed(&cup.arena(&["rate", "alone"]));
    assert!(later.contains(&format!("\n{answer}.")) && later.contains("\n  H1 accepted after "), "{later}");
    assert_eq!(later.matches('±').count(), 0, "{later}");
    let compared = printed(&cup.arena(&["compare", "alone", "--engines", "good,bad"]));
    assert_eq!(compared.lines().next().unwrap(), answer, "{compared}");
    let (_, interval) = answer.split_once('(').unwrap();
    let (interval, _) = interval.split_once(')').unwrap();
    assert!(compared.contains(&format!(" ({interval})")) && !compared.contains("LOS"), "{compared}");
    assert!(compared.contains("Sequential test of 0 against 100 "), "{compared}");
    // Nor are there others that suppose a fixed number of pairs.
    let all = printed(&cup.arena(&["compare", "alone", "--engines", "good,bad", "--all"]));
    assert!(all.contains("e-value            stronger ") && !all.contains('±'), "{all}");
    assert!(!all.contains("ratings  ") && !all.contains("valid at any time  "), "{all}");
    // Every format has that interval.
    let csv = printed(&cup.arena(&["compare", "alone", "--engines", "good,bad", "--format", "csv"]));
    let mut csv = csv::Reader::from_reader(csv.as_bytes());
    let head = csv.headers().unwrap().clone();
    let row = csv.records().next().unwrap().unwrap();
    let of = |column: &str| &row[head.iter().position(|name| name == column).unwrap()];
    let whole = |column: &str| format!("{:+.0}", of(column).parse::<f64>().unwrap());
    assert_eq!(
        (format!("{} to {}", whole("elo_low"), whole("elo_high")).as_str(), of("los")),
        (interval, "")
    );
    let markdown = printed(&cup.arena(&["rate", "alone", "--format", "markdown"]));
    assert!(markdown.contains(&format!("\n`{answer}.")) && !markdown.contains("| Rating |"), "{markdown}");
    let rows = matches(&cup, "alone");
    let n_pairs: usize =
        found.split_once("accepted after ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
    assert_eq!((rows.len(), n_pairs % 8), (2 * n_pairs, 0), "not one match more than it takes");
    assert!(n_pairs < 200);
    cup.verifies("alone");

    // Results decided when it ended: whoever rates the folder gets the same intervals as the run.
    let rated = cup.arena(&["rate", "alone", "--format", "csv"]);
    assert_eq!(printed(&rated), fs::read_to_string(cup.path("alone/ratings.csv")).unwrap());

    let crowd = cup.run(&["--concurrency", "3", "--results", "crowd"]);
    // What the test says is the same; forfeits are counted in all matches.
    let of_test = |verdict: &str| {
        verdict.split("\n  Forfeits count as losses: bad forfeited ").next().unwrap().to_owned()
    };
    assert!(of_test(&found).len() < found.len(), "{found}");
    assert_eq!(of_test(&verdict(&crowd)), of_test(&found));
    // Those that were under way are there too, and those that were finished while an earlier pair was late.
    let crowd = matches(&cup, "crowd");
    assert!(rows.iter().all(|row| crowd.contains(row)));
    assert!(crowd.len() < 2 * 200, "it stopped");
    cup.verifies("crowd");
}

#[test]
fn what_is_decided_stays_decided() {
    let cup = cup("pairs = 200\nconcurrency = 2", SPRT, &UNEQUAL);
    // One at a time: on a busy machine others would be finished while the deciding pair is late.
    let first = cup.run(&["--concurrency", "1"]);
    let found = verdict(&first);
    let journal = fs::read(cup.path("results/cup/matches.jsonl")).unwrap();
    for more in [&[][..], &["--pairs", "300"], &["--concurrency", "3"]] {
        let again = cup.run(more);
        assert_eq!(verdict(&again), found);
        again.says("decided by `stop.sprt`");
        assert_eq!(fs::read(cup.path("results/cup/matches.jsonl")).unwrap(), journal, "nothing is played");
    }
    let dry = printed(&cup.run(&["--dry-run"]));
    assert!(dry.contains("it has ended: `stop.sprt` is fulfilled after"), "{dry}");
    assert!(dry.contains("time: none"), "{dry}");

    // Without the rule, all that is left is played, and a missing match is missing.
    cup.edit(SPRT, "");
    cup.edit("pairs = 200", "pairs = 60");
    cup.run(&["--fresh", "--pairs", "4"]).succeeds();
    assert_eq!(cup.rows("results/cup").len(), 8);
}

#[test]
fn a_plan_that_ends_first_leaves_it_undecided() {
    let cup = cup("pairs = 8\nconcurrency = 2", SPRT, &[("one", "weak-20"), ("two", "weak-20")]);
    let dry = printed(&cup.run(&["--dry-run"]));
    assert!(dry.contains("cup: 2 engines, at most 16 matches"), "{dry}");
    assert!(dry.contains("may stop earlier: sprt (0 against 100 logistic Elo): about "), "{dry}");
    assert!(
        dry.contains("; with at most 8 pairs, the test will probably stay undecided: raise `pairs`"),
        "{dry}"
    );
    let output = cup.run(&[]);
    let found = verdict(&output);
    let alike = "Both are the same program with the same options, so any difference is chance:\nundecided between one and two: one ";
    assert!(found.starts_with(alike), "{found}");
    assert!(found.contains("Elo.\n  Undecided after 8 pairs, LLR "), "{found}");
    let page = fs::read_to_string(cup.path("results/cup/report.html")).unwrap();
    assert_eq!(
        page.matches("are the same program").count(),
        2,
        "in the verdict, and in that of the two alone"
    );
    assert!(
        found.ends_with("\n  All pairs are played: to go on with the test, raise `pairs` (`--pairs`)."),
        "{found}"
    );
    output.says_not("decided by");
    assert_eq!(cup.rows("results/cup").len(), 16);
    cup.verifies("results/cup");
}

/// Kills at many moments lead to the same decision by the same matches.
#[test]
fn a_killed_test_goes_on_to_the_same_decision() {
    for (format, stop) in [("", SPRT), ("format = \"adaptive\"\n", "[adaptive]\nmatches = 200\n")] {
        let engines = [("good", "weak-10"), ("bad", "weak-40"), ("middling", "weak-25")];
        let engines = if format.is_empty() { &engines[..2] } else { &engines };
        let cup = cup(&format!("{format}pairs = 200\nconcurrency = 1"), stop, engines);
        let whole = cup.run(&["--results", "whole"]).succeeds();
        for kill in 0..6 {
            let mut command = cup.command(&["--results", "killed"]);
            let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(40 + 25 * kill));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let killed = cup.run(&["--results", "killed"]).succeeds();
        assert_eq!(matches(&cup, "killed"), matches(&cup, "whole"));
        assert_eq!(without_paths(&printed(&killed)), without_paths(&printed(&whole)));
        cup.verifies("killed");
    }
}

#[test]
fn an_adaptive_tournament_is_the_same_whatever_the_concurrency() {
    let engines = [("a", "weak-10"), ("b", "weak-15"), ("c", "weak-60"), ("d", "move-illegal")];
    let cup = cup("format = \"adaptive\"\npairs = 100", "[adaptive]\nmatches = 160\nfloor = 3\n", &engines);
    let alone = cup.run(&["--concurrency", "1", "--results", "alone"]).succeeds();
    let crowd = cup.run(&["--concurrency", "3", "--results", "crowd"]);
    assert_eq!(matches(&cup, "alone"), matches(&cup, "crowd"));
    assert_eq!(without_paths(&printed(&alone)), without_paths(&printed(&crowd)));
    assert_eq!(matches(&cup, "alone").len(), 160);
    cup.verifies("crowd");

    // No pairing is below its floor, and it is no round robin.
    let names = engines.map(|(name, _)| name);
    let meetings: Vec<usize> = (0..names.len())
        .flat_map(|one| (one + 1..names.len()).map(move |other| (one, other)))
        .map(|(one, other)| {
            let is = |row: &&Vec<String>| {
                [one, other].iter().all(|&idx| row[4..6].contains(&names[idx].to_owned()))
            };
            cup.rows("alone").iter().filter(is).count()
        })
        .collect();
    assert_eq!(meetings.iter().sum::<usize>(), 160);
    assert!(meetings.iter().all(|n| 6 <= *n), "{meetings:?}");
    assert!(meetings.iter().min().unwrap() + 4 <= *meetings.iter().max().unwrap(), "{meetings:?}");

    // A higher budget goes on from there; the plan's numbers are those of a round robin.
    cup.edit("matches = 160", "matches = 200");
    cup.run(&["--results", "alone"]).succeeds().says("200 matches, 160 of them finished before");
    cup.verifies("alone");
    cup.edit("adaptive\"\npairs = 100", "round-robin\"\npairs = 4");
    cup.edit("[adaptive]\nmatches = 200\nfloor = 3\n", "");
    cup.run(&["--results", "crowd"]).succeeds();
    assert!(48 <= cup.rows("crowd").len(), "no match that was played is lost");
}

#[test]
fn engines_may_come_to_a_tournament_that_had_ended() {
    let stop = "[adaptive]\nmatches = 60\n";
    let cup = cup("format = \"adaptive\"\npairs = 50\nconcurrency = 2", stop, &UNEQUAL);
    cup.run(&[]).succeeds();
    assert_eq!(cup.rows("results/cup").len(), 60);
    let third = [("good", "weak-10"), ("bad", "weak-40"), ("new", "weak-20")];
    let other = Tournament::new(
        &format!(
            "[tournament]\nformat = \"adaptive\"\npairs = 50\nconcurrency = 2\n[adaptive]\nmatches = 90\n{ONE_GAME}"
        ),
        &third,
    );
    fs::copy(other.path("cup.toml"), cup.path("cup.toml")).unwrap();
    cup.run(&[]).succeeds();
    let rows = cup.rows("results/cup");
    assert!(rows.iter().filter(|row| row[4] == "new" || row[5] == "new").count() >= 30, "{}", rows.len());
    cup.verifies("results/cup");
    // And played again.
    cup.run(&["--replay", "new"]).succeeds();
    cup.verifies("results/cup");
}

#[test]
fn a_match_that_a_stopped_tournament_needed_is_missed() {
    let cup = cup("pairs = 200\nconcurrency = 1", SPRT, &UNEQUAL);
    cup.run(&[]).succeeds();
    let journal = cup.path("results/cup/matches.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    let second = format!("{}\n", lines.lines().nth(1).unwrap());
    fs::write(&journal, lines.replace(&second, "")).unwrap();
    let output = cup.arena(&["verify", "results/cup"]);
    assert!(printed(&output).contains("match 2 of the schedule is missing"), "{}", printed(&output));
}

#[test]
fn a_test_does_not_continue_with_other_hypotheses_or_error_rates() {
    let cup = cup("pairs = 200", SPRT, &UNEQUAL);
    cup.run(&[]).succeeds();
    let others = |text: &str| format!("[stop.sprt]\nelo0 = 0\nelo1 = {text}\nmodel = \"logistic\"\n");
    let refuses = |from: &str, to: &str, lines: &str| {
        cup.edit(from, to);
        for option in ["--quiet", "--dry-run"] {
            cup.run(&[option]).fails(5).says(lines).says("`--results`").says("`--fresh`");
        }
    };
    refuses(SPRT, &others("20"), "  - stop.sprt.elo1 = 100.0\n  + stop.sprt.elo1 = 20.0");
    refuses(
        &others("20"),
        &others("100\nalpha = 0.1"),
        "  - stop.sprt.alpha = 0.05\n  + stop.sprt.alpha = 0.1",
    );
    // Not by way of a fixed number of pairs, either.
    cup.edit(&others("100\nalpha = 0.1"), "");
    cup.run(&["--pairs", "40"]).succeeds();
    refuses("[limits]", &format!("{}[limits]", others("20")), "  + stop.sprt.elo1 = 20.0");
    cup.edit(&others("20"), SPRT);
    cup.run(&[]).succeeds();
    cup.verifies("results/cup");
}

#[test]
fn a_test_that_continues_with_a_fixed_number_has_none() {
    let cup = cup("pairs = 200", SPRT, &UNEQUAL);
    cup.run(&[]).succeeds();
    cup.edit(SPRT, "");
    let warning = "results decided which earlier matches were played, or how many, so all intervals are those that are valid at any time";
    for pairs in ["40", "60"] {
        let continued = cup.run(&["--pairs", pairs]).succeeds().says(warning);
        assert!(printed(&continued).contains("95 % at any time"), "{}", printed(&continued));
    }
    cup.verifies("results/cup");
    let rated = printed(&cup.arena(&["rate", "results/cup"]));
    assert!(rated.contains("95 % at any time"), "{rated}");
    let fresh = cup.run(&["--pairs", "40", "--fresh"]).succeeds();
    assert!(!said(&fresh).contains(warning), "{}", said(&fresh));
    assert!(printed(&fresh).contains("95 % if the number of matches was fixed"), "{}", printed(&fresh));
}
