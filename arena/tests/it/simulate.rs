//! `arena simulate` as a user types it: what it prints, what it finds, and what it says to arguments that do not fit.

use crate::common::tournament::{Ended, said};
use std::ops::Range;
use std::process::{Command, Output};

use serde_json::Value;

fn simulate(args: &str, threads: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_arena"))
        .arg("simulate")
        .args(args.split_whitespace())
        .env("RAYON_NUM_THREADS", threads)
        .output()
        .unwrap()
}

fn printed(args: &str) -> String {
    simulate(args, "2").text()
}

fn json(args: &str) -> Value {
    serde_json::from_str(&printed(&format!("{args} --format json"))).unwrap()
}

/// Arguments that do not fit end with code 2 and one message that has all the `parts`.
#[track_caller]
fn check_refused(args: &str, parts: &[&str]) {
    let output = simulate(args, "2");
    let message = said(&output);
    assert_eq!(output.status.code(), Some(2), "{args}: {message}");
    assert!(parts.iter().all(|part| message.contains(part)), "{args}: {message}");
    assert!(output.stdout.is_empty());
}

const TWO: &str = "--engine new=60 --engine old=0 --tournaments 100";

#[test]
fn a_table_for_a_terminal() {
    let text = printed(
        "--engine new=60 --engine old=0 --engine base=-200 --games 2 --pairs 10 --tournaments 200 --seconds 20 --concurrency 2",
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let args = format!("{TWO} --games 2 --pairs 5 --format json");
    let [one, three] = ["1", "3"].map(|threads| simulate(&args, threads).stdout);
    assert!(!one.is_empty());
    assert_eq!(one, three);
    assert_ne!(one, simulate(&format!("{args} --seed 2"), "1").stdout);
}

#[test]
fn more_pairs_are_more_exact() {
    let width = |pairs: u32| {
        let answer = json(&format!("{TWO} --pairs {pairs}"));
        assert_eq!(answer["matches"], 2 * pairs);
        answer["forecast"]["scopes"][0]["engines"][0]["half_width"]["median"].as_f64().unwrap()
    };
    let (few, many) = (width(25), width(100));
    assert!((1.8..2.2).contains(&(few / many)), "four times as many pairs: {few}, {many}");
}

#[test]
fn the_pairs_that_a_precision_needs() {
    let answer = json(&format!("{TWO} --precision 25 --chance 0.5"));
    let pairs = answer["needed"]["pairs"].as_u64().unwrap();
    assert_eq!(answer["pairs"].as_u64(), Some(pairs));
    let [low, high] = ["low", "high"].map(|end| answer["needed"][end].as_u64().unwrap());
    assert!(low <= pairs && pairs <= high, "{low} {pairs} {high}");
    let width = answer["forecast"]["scopes"][0]["engines"][0]["half_width"]["median"].as_f64().unwrap();
    assert!((24.0..25.2).contains(&width), "{width}");
}

#[test]
fn the_pairs_that_tell_two_engines_apart() {
    // Whichever is named first.
    for separate in ["new,old", "old,new"] {
        let answer = json(&format!("{TWO} --separate {separate}"));
        assert_eq!(answer["aim"]["separate"]["engines"], serde_json::json!(["new", "old"]));
        let apart =
            answer["forecast"]["scopes"][0]["engines"][0]["apart_from_next"]["value"].as_f64().unwrap();
        assert!((0.8..0.95).contains(&apart), "{apart}");
    }
    let text = printed(&format!("{TWO} --separate new,old"));
    assert!(
        text.contains("  in 8")
            && text.contains(" of such tournaments, it is clear that new is stronger than old"),
        "{text}"
    );
}

#[test]
fn a_gauntlet_has_fewer_matches() {
    let engines = "--engine a=0 --engine b=10 --engine c=20 --engine d=30 --pairs 2 --tournaments 10";
    assert_eq!(json(engines)["matches"], 6 * 2 * 2);
    assert_eq!(json(&format!("{engines} --gauntlet a"))["matches"], 3 * 2 * 2);
}

#[test]
fn as_csv() {
    let text = printed(&format!("{TWO} --games 2 --pairs 5 --format csv"));
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("scope,engine,matches,rating,half_width,"));
    let scopes: Vec<&str> = lines.map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(scopes, ["overall", "overall", "game-01", "game-01", "game-02", "game-02"]);
}

/// The share of tournaments that a rule ends with an answer that has `part`, and the mean number of pairs.
#[track_caller]
fn check_stop(args: &str, part: &str, shares: Range<f64>, pairs: Range<f64>) {
    let stop = &json(&format!("{args} --tournaments 300"))["stop"];
    let answers = stop["answers"].as_array().unwrap();
    let share = |answer: &&Value| answer[1].as_f64().unwrap();
    let has_part = |answer: &&Value| answer[0].as_str().is_some_and(|text| text.contains(part));
    let found: f64 = answers.iter().filter(has_part).map(|answer| share(&answer)).sum();
    let all: f64 = answers.iter().map(|answer| share(&answer)).sum();
    assert!((all - 1.0).abs() < 1e-9, "{stop}");
    assert!(shares.contains(&found), "{args}: {found} of {stop}");
    assert!(pairs.contains(&stop["mean_pairs"].as_f64().unwrap()), "{args}: {stop}");
}

#[test]
fn what_a_stop_rule_does() {
    let two = |elo: u32| format!("--engine new={elo} --engine old=0");
    // Normalized Elo is at least Elo: 100 is clearly more than 40, and 0 is 0. Both risks are 5 %.
    let sprt = "--pairs 2000 --stop sprt=0,40";
    check_stop(&format!("{} {sprt}", two(100)), "H1: ", 0.95..1.01, 8.0..100.0);
    check_stop(&format!("{} {sprt}", two(0)), "H0: ", 0.92..1.0, 50.0..400.0);
    // Intervals of ± 30 take about as many pairs, whoever is stronger.
    check_stop(&format!("{} --pairs 500 --stop precision=30", two(20)), "30", 1.0..1.01, 20.0..400.0);
    let apart = "--pairs 200 --stop separated=new,old";
    check_stop(&format!("{} {apart}", two(200)), "new", 0.95..1.01, 8.0..60.0);
    // At any time, equals are told apart in 5 % of the tournaments at most: in 300, two standard deviations more.
    check_stop(&format!("{} {apart}", two(0)), "", 0.0..0.075, 180.0..201.0);
    // Without `--pairs`, a test is simulated to its end, and the rest with as many pairs.
    let open = format!("{} --stop sprt=0,40", two(100));
    check_stop(&open, "H1: ", 0.95..1.01, 41.0..100.0);
    let answer = json(&open);
    let mean = answer["stop"]["mean_pairs"].as_f64().unwrap();
    assert_eq!(answer["pairs"].as_u64(), Some(mean.ceil() as u64));
    let undecided = printed(&format!("{} --pairs 8 --stop separated=best", two(0)));
    assert!(undecided.contains("no rule ended it; raise `--pairs`"), "{undecided}");
    let text = printed(&format!("{TWO} --pairs 50 --stop separated=best"));
    assert!(text.contains("stop rule: the tournament ends after "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn the_stop_rule_of_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("planned.toml");
    let text = "[tournament]\npairs = 40\n\n[limits]\nmovetime = \"1s\"\n\n[stop]\nprecision = { elo = 60 }\n\n\
                [[game]]\nid = \"push\"\n\n\
                [[engine]]\nname = \"one\"\ncommand = \"no/such/program\"\nbuild = [\"true\"]\n\n\
                [[engine]]\nname = \"two\"\ncommand = \"no/such/program\"\nbuild = [\"true\"]\n";
    std::fs::write(&path, text).unwrap();
    let config = path.to_str().unwrap();
    let [own, other] =
        ["", " --stop precision=200"].map(|stop| json(&format!("{config}{stop} --tournaments 50")));
    let pairs = |answer: &Value| answer["stop"]["mean_pairs"].as_f64().unwrap();
    assert!(pairs(&other) < pairs(&own), "the option takes the place of the rule: {other} {own}");
    assert_eq!(json(TWO)["stop"], Value::Null);
}

#[test]
fn a_configuration_with_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("planned.toml");
    let results = folder.path().join("results");
    let text = format!(
        "[tournament]\npairs = 3\nconcurrency = 2\nresults = {results:?}\n\n[limits]\nmovetime = \"1s\"\n\n\
         [[game]]\nid = \"push\"\n\n[[game]]\nid = \"tower-push\"\n\n\
         [[engine]]\nname = \"one\"\ncommand = \"no/such/program\"\nbuild = [\"true\"]\n\n\
         [[engine]]\nname = \"two\"\ncommand = \"no/such/program\"\nbuild = [\"true\"]\ngames = [\"push\"]\n\n\
         [[engine]]\nname = \"three\"\ncommand = \"no/such/program\"\nbuild = [\"true\"]\n"
    );
    std::fs::write(&path, text).unwrap();
    let config = path.to_str().unwrap();
    let answer = json(&format!("{config} --strength one=100 --tournaments 20"));
    // Three pairings in one game, one in the other.
    assert_eq!(answer["matches"], 4 * 3 * 2);
    assert_eq!(answer["concurrency"], 2);
    // Matches of 36 and of 48 plies, a second each.
    assert_eq!(answer["match_time"], serde_json::json!({"seconds": 39.0, "basis": "limits"}));
    let names: Vec<&str> = answer["forecast"]["scopes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scope| scope["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["overall", "push", "tower-push"]);
    assert!(!results.exists(), "it writes nothing");
    check_refused(
        &format!("{config} --strength ones=100"),
        &["`--strength`", "`ones`", "did you mean `one`?"],
    );
    check_refused(
        &format!("{config} --separate one,two"),
        &["`--separate`", "takes engines that play all games"],
    );
    check_refused(
        &format!("{config} --separate one,three"),
        &["have the same strength", "`--strength NAME=ELO`"],
    );
}

#[test]
fn arguments_that_do_not_fit() {
    check_refused("", &["too few engines; give a configuration, or at least two engines"]);
    check_refused("--engine a=0", &["too few engines; give a configuration, or at least two engines"]);
    check_refused("--engine a --engine b=0", &["'a' for '--engine", "as in `new=30`"]);
    check_refused("--engine a=0 --engine a=1", &["`--engine` names the engine `a` twice"]);
    check_refused(&format!("{TWO} --draws 30"), &["'30' for '--draws", "from 0 to 0.95"]);
    check_refused(&format!("{TWO} --gauntlet nex"), &["`--gauntlet`", "did you mean `new`?"]);
    check_refused(&format!("{TWO} --gauntlet new --gauntlet old"), &["no two engines meet"]);
    check_refused(&format!("{TWO} --separate new"), &["`--separate` takes two names", "it has 1"]);
    check_refused(&format!("{TWO} --separate new,odl"), &["`--separate`", "did you mean `old`?"]);
    check_refused(&format!("{TWO} --separate new,new"), &["have the same strength"]);
    check_refused(&format!("{TWO} --separate new,old --pairs 3"), &["--separate", "--pairs"]);
    check_refused(&format!("{TWO} --stop best"), &["'best' for '--stop", "`separated=best`"]);
    check_refused(&format!("{TWO} --stop sprt=5,0"), &["`--stop sprt`"]);
    check_refused(&format!("{TWO} --engine base=0 --stop sprt=0,5"), &["takes two engines; there are 3"]);
    check_refused(&format!("{TWO} --stop separated=top-2"), &["below that of the engines, 2"]);
    check_refused(&format!("{TWO} --stop separated=nex,old"), &["`--stop separated`", "did you mean `new`?"]);
    check_refused("--engine a=0 --engine b=0 --strength a=3", &["`--strength`", "`--engine`"]);
}
