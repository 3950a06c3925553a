//! Measures by simulation what the adaptive schedule saves: the same tournament until the same question is answered,
//! as a round robin and adaptively.

use super::stop::{Precision, Rule, Separated};
use super::synthetic::World;
use model::{Question, Scope};

/// The matches and plies of all tournaments of these worlds together.
fn effort(worlds: &[World], rule: impl Fn(usize) -> Rule, adaptive: bool) -> [u64; 2] {
    let mut sum = [0; 2];
    for world in worlds {
        let mut course = world.course(20_000, adaptive, vec![rule(world.strengths.len())]);
        let begun = world.play_all(&mut course, 1);
        assert!(course.decided().is_some(), "there are pairs enough");
        sum[0] += begun.len() as u64;
        for number in begun {
            let pairing = course.plan().pairings()[course.plan().pairing_of((number - 1) / 2).0];
            sum[1] += u64::from(world.plies[pairing.game_idx]);
        }
    }
    sum
}

/// The cost of adaptive tournaments relative to round robins: matches, plies.
fn ratio(name: &str, worlds: &[World], rule: impl Fn(usize) -> Rule) -> [f64; 2] {
    let robin = effort(worlds, &rule, false);
    let adaptive = effort(worlds, &rule, true);
    let ratio = [0, 1].map(|idx| adaptive[idx] as f64 / robin[idx] as f64);
    let n = worlds.len() as u64;
    println!(
        "{name}, {n} tournaments: round robin {} matches and {} plies each, adaptive {} and {}: {:.0} % and {:.0} %",
        robin[0] / n,
        robin[1] / n,
        adaptive[0] / n,
        adaptive[1] / n,
        100.0 * ratio[0],
        100.0 * ratio[1]
    );
    ratio
}

fn worlds(elo: &[f64], plies: &[u32], n: u64) -> Vec<World> {
    (1..=n).map(|seed| World { plies: plies.to_vec(), ..World::new(elo, seed) }).collect()
}

const LADDER: [f64; 8] = [0.0, 80.0, 180.0, 300.0, 440.0, 600.0, 780.0, 980.0];

fn order(n_engines: usize) -> Rule {
    Rule::Separated(Separated::new(Question::Order, n_engines))
}

#[test]
fn adaptive_tournaments_are_shorter() {
    let [matches, _] = ratio("order of a ladder of 8", &worlds(&LADDER, &[40], 2), order);
    assert!(matches < 0.9, "{matches}");
}

/// `cargo test -p schedule --lib -- --ignored --nocapture what_adaptive_saves`
#[test]
#[ignore = "takes minutes"]
fn what_adaptive_saves() {
    let best = |n_engines| Rule::Separated(Separated::new(Question::Best, n_engines));
    let precise = |_| Rule::Precision(Precision::new(30.0, Scope::Overall));
    let n = 10;
    for (name, elo, plies) in [
        ("a ladder of 8", &LADDER[..], &[40][..]),
        ("6 close ones and 2 far away", &[0.0, 60.0, 120.0, 180.0, 240.0, 300.0, -700.0, -900.0], &[40]),
        ("5 in two games, one four times as long", &[0.0, 80.0, 160.0, 240.0, 320.0], &[20, 80]),
    ] {
        let worlds = worlds(elo, plies, n);
        ratio(&format!("order of {name}"), &worlds, order);
        ratio(&format!("best of {name}"), &worlds, best);
        ratio(&format!("± 30 for {name}"), &worlds, precise);
    }
}

/// The time of choosing a batch: `cargo test --release -p schedule --lib -- --ignored --nocapture a_choice_costs`
#[test]
#[ignore = "measures time: alone, and in release"]
fn what_a_choice_costs() {
    for (n_engines, n_games) in [(10, 5), (30, 5)] {
        let elo: Vec<f64> = (0..n_engines).map(|idx| 20.0 * f64::from(idx)).collect();
        let world = World { plies: vec![40; n_games], ..World::new(&elo, 1) };
        let mut course = world.course(100, true, Vec::new());
        let (mut n_pairs, mut longest, mut sum) = (0, 0.0_f64, 0.0);
        let most = 20_000.min(course.plan().n_matches());
        for _ in 0..most {
            let super::Next::Play(job) = course.begin_next() else { break };
            let record = world.play(&job);
            let begun = std::time::Instant::now();
            course.add(&record);
            let took = begun.elapsed().as_secs_f64();
            (longest, sum) = (longest.max(took), sum + took);
            n_pairs += job.number % 2;
        }
        println!(
            "{n_engines} engines, {n_games} games, {n_pairs} pairs: {:.1} us a match, {:.2} ms the longest",
            1e6 * sum / f64::from(most),
            1e3 * longest
        );
    }
}
