//! Whether the statements in addition to the ratings are true: P(stronger), lack of fit, named pairings and cycles, normalized Elo, intervals
//! at any time. On simulated matches; not run by default. Its output is kept in `results/coverage/claims.txt`:
//!
//! `cargo test -p ratings --release --test claims -- --ignored --nocapture --test-threads 1`

#![expect(clippy::print_stdout, reason = "the tables are what it is for")]
#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

mod common;

use common::{index, ladder, percent, round_robin};
use ratings::simulation::{Conditions, Toss};
use ratings::{
    Confidence, EngineResult, HeadToHead, PairOutcome, Pentanomial, RatingSettings, Standings, Validity,
};
use rayon::prelude::*;

const USUAL: Conditions = Conditions { draw_rate: 0.3, first_player: 40.0, openings: 0.0 };

/// How often P(stronger) and LOS name the stronger of two engines, compared with what they say. P(stronger) may say at
/// most `tolerance` too much. Where differences and errors are of the same size, shrinkage is too modest, by its definition.
fn check_probabilities(spread: f64, tolerance: f64) {
    const TOURNAMENTS: u64 = 400;
    const ENGINES: usize = 8;
    let said: Vec<(f64, f64, bool)> = (0..TOURNAMENTS)
        .into_par_iter()
        .flat_map_iter(|number| {
            let mut toss = Toss::new(31, number);
            let strengths: Vec<f64> = (0..ENGINES).map(|_| spread * toss.normal()).collect();
            let tally = round_robin(&strengths, 10, USUAL, 32 + number).play(0);
            let mut standings = Standings::new(&tally, &RatingSettings::default());
            standings.add_probabilities();
            let scope = standings.scopes[1].clone();
            let covariance = scope.covariance.clone().unwrap();
            let differences = ratings::RatingDifferences::of(&scope).unwrap();
            let mut said = Vec::new();
            for (row, one) in covariance.engines.iter().enumerate() {
                for (column, other) in covariance.engines.iter().enumerate().filter(|&(it, _)| it != row) {
                    let p = covariance.p_stronger.as_ref().unwrap()[row][column];
                    let los = differences.between(one, other, Confidence::default()).unwrap().los;
                    said.push((p, los, strengths[index(other)] < strengths[index(one)]));
                }
            }
            said
        })
        .collect();
    for (what, of) in [("P", (|it| it.0) as fn(&(f64, f64, bool)) -> f64), ("LOS", |it| it.1)] {
        let favourites: Vec<(f64, bool)> =
            said.iter().map(|it| (of(it), it.2)).filter(|it| 0.5 <= it.0).collect();
        let mut line = format!("{spread:>5} {what:<4}");
        for (least, most) in [(0.5, 1.01), (0.5, 0.7), (0.7, 0.85), (0.85, 0.975), (0.975, 1.01)] {
            let those: Vec<&(f64, bool)> =
                favourites.iter().filter(|it| (least..most).contains(&it.0)).collect();
            let mean = 100.0 * those.iter().map(|it| it.0).sum::<f64>() / those.len() as f64;
            let truth = percent(those.iter().filter(|it| it.1).count(), those.len());
            line += &format!("  {mean:>3.0} -> {truth:>3.0} ({:>5})", those.len());
            if what == "P" && (least, most) == (0.5, 1.01) {
                assert!(mean - truth <= tolerance, "{spread}: {mean} said, {truth} true");
                assert!(truth - mean <= 5.0, "{spread}: {mean} said, {truth} true");
            }
        }
        println!("{line}");
    }
}

#[test]
#[ignore = "see the head of this file"]
fn p_stronger_is_a_probability() {
    println!(
        "\nstrengths' sd, what is said -> how often it is true, % (pairs of engines): all, 50-70, 70-85, 85-97.5, above"
    );
    check_probabilities(120.0, 4.0);
    check_probabilities(30.0, 4.0);
    check_probabilities(10.0, 8.0);
}

/// Sound tables of which it is said that ratings do not explain them, or that name a pairing or a cycle.
fn check_sound(name: &str, strengths: &[f64], pairs: u32) {
    const TOURNAMENTS: u64 = 1000;
    let seen: Vec<[bool; 3]> = (0..TOURNAMENTS)
        .into_par_iter()
        .map(|number| {
            let tally = round_robin(strengths, pairs, USUAL, 77).play(number);
            let standings = Standings::new(&tally, &RatingSettings::default());
            let fit = standings.scopes[1].fit.as_ref().unwrap();
            [
                fit.p.is_some_and(|p| p < 0.05),
                fit.pairings.iter().any(|it| it.is_named),
                !fit.cycles.is_empty(),
            ]
        })
        .collect();
    let share = |what: usize| percent(seen.iter().filter(|it| it[what]).count(), seen.len());
    println!("{name:<44} {:>5.1} {:>5.1} {:>5.1}", share(0), share(1), share(2));
    assert!(share(0) <= 6.0 && share(1) <= 7.5 && share(2) <= 1.0, "{name}");
}

#[test]
#[ignore = "see the head of this file"]
fn sound_tables_are_found_sound() {
    println!(
        "\nsound tables of which is said, %: ratings do not explain them, a pairing stands out, there is a cycle"
    );
    check_sound("13 engines from +800 to -800, 4 pairs each", &ladder(13, 800.0), 4);
    check_sound("13 engines from +600 to -600, 4 pairs each", &ladder(13, 600.0), 4);
    check_sound("8 engines from +120 to -120, 10 pairs each", &ladder(8, 120.0), 10);
    check_sound("8 equal engines, 10 pairs each", &[0.0; 8], 10);
}

/// Intervals of equal engines, looked at after every round of pairs, one for each pairing, up to `last`. An engine that has
/// no interval yet misses nothing.
fn check_any_time(n_engines: usize, draw_rate: f64, last: u32, validity: Validity) {
    const RUNS: u64 = 1000;
    let settings = RatingSettings { validity, ..RatingSettings::default() };
    let conditions = Conditions { draw_rate, ..USUAL };
    let missed: Vec<Vec<bool>> = (0..RUNS)
        .into_par_iter()
        .map(|number| {
            let mut missed = vec![false; n_engines];
            // The first rounds of a longer run are the run with fewer rounds.
            for pairs in 1..=last {
                let tally = round_robin(&vec![0.0; n_engines], pairs, conditions, 55).play(number);
                for rating in &Standings::new(&tally, &settings).scopes[1].engines {
                    let is_missed =
                        rating.low.is_some_and(|low| 0.0 < low) || rating.high.is_some_and(|high| high < 0.0);
                    missed[index(&rating.engine)] |= is_missed;
                }
            }
            missed
        })
        .collect();
    let of_one = percent(missed.iter().flatten().filter(|&&it| it).count(), RUNS as usize * n_engines);
    let of_any = percent(missed.iter().filter(|run| run.contains(&true)).count(), RUNS as usize);
    let (name, demanded) = match validity {
        Validity::AnyTimeAll => ("--anytime-all", of_any),
        _ => ("--anytime", of_one),
    };
    println!("{name:<14} {n_engines:>7} {:>5.0} {last:>6} {of_one:>10.1} {of_any:>10.1}", 100.0 * draw_rate);
    assert!(
        demanded <= 5.0,
        "{name}, {n_engines} engines, {draw_rate} drawn: {demanded} %, at most 5 demanded"
    );
}

#[test]
#[ignore = "see the head of this file"]
fn intervals_at_any_time_hold_where_most_matches_are_drawn() {
    println!("\nequal engines, looked at after every pair of each pairing: ever missed, %");
    println!(
        "{:<14} {:>7} {:>5} {:>6} {:>10} {:>10}",
        "intervals", "engines", "draws", "rounds", "one engine", "any engine"
    );
    for draw_rate in [0.9, 0.6, 0.3] {
        check_any_time(2, draw_rate, 120, Validity::AnyTime);
    }
    check_any_time(6, 0.9, 30, Validity::AnyTime);
    check_any_time(6, 0.9, 30, Validity::AnyTimeAll);
    check_any_time(6, 0.3, 30, Validity::AnyTimeAll);
}

/// The coverage of normalized Elo's interval for pairs of independent matches.
fn check_normalized_elo(elo: f64, n_pairs: u32) {
    use EngineResult::{Draw, Loss, Win};
    const RUNS: u64 = 2000;
    let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    // Draws become rarer with the difference, as in the model.
    let draw = 1.2 * score * (1.0 - score);
    let [win, loss] = [score - 0.5 * draw, 1.0 - score - 0.5 * draw];
    let variance = 0.5 * (win + 0.25 * draw - score * score);
    let truth = (score - 0.5) / (2.0 * variance).sqrt() * 800.0 / 10f64.ln();
    let held: Vec<bool> = (0..RUNS)
        .into_par_iter()
        .filter_map(|number| {
            let mut toss = Toss::new(91, number);
            let mut pairs = Pentanomial::default();
            let mut result = || {
                let drawn = toss.uniform();
                if drawn < win {
                    Win
                } else if drawn < win + loss {
                    Loss
                } else {
                    Draw
                }
            };
            for _ in 0..n_pairs {
                pairs.count(PairOutcome::of(result(), result()));
            }
            let found = HeadToHead::new(&pairs, Confidence::default())?.normalized_elo?;
            Some((found.value - truth).abs() <= 1.96 * found.se)
        })
        .collect();
    let share = percent(held.iter().filter(|&&held| held).count(), held.len());
    println!("{elo:>5} {n_pairs:>6} {share:>6.1}");
    assert!((93.0..=97.0).contains(&share), "{elo} {n_pairs}: {share}");
}

#[test]
#[ignore = "see the head of this file"]
fn normalized_elo_has_honest_errors() {
    println!("\nnormalized Elo: true Elo, pairs, intervals that hold the truth, %");
    for elo in [0.0, 100.0, 200.0, 300.0] {
        for n_pairs in [30, 100, 300, 1000] {
            check_normalized_elo(elo, n_pairs);
        }
    }
}
