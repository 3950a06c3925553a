//! Measures by simulation what the choice of pairs saves: the matches until the ratings are known, compared with random pairs
//! and with the rule of CGOS (an opponent that is near in rating, plus noise).

use std::time::Instant;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use crate::facts::Count;
use crate::pairing::{Meeting, Member, Pairing, Rules};
use ratings::{Design, FinishedMatch, MatchResult, Tally};

/// Elo of a natural unit.
const UNIT: f64 = 173.717_792_761_247_1;
/// The first player's advantage, in Elo.
const FIRST: f64 = 30.0;
/// The number of openings of a game, which are played again.
const N_OPENINGS: u32 = 500;
/// Half of the width of the noise of CGOS's rule, in Elo.
const NOISE: f64 = 200.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    League,
    Random,
    Cgos,
}

struct World {
    elo: Vec<f64>,
    names: Vec<String>,
    random: ChaCha8Rng,
    tally: Tally,
    n_pairs: u32,
}

impl World {
    fn new(elo: Vec<f64>, seed: u64) -> Self {
        let names = (0..elo.len()).map(|idx| format!("engine {idx:03}@0")).collect();
        Self { elo, names, random: ChaCha8Rng::seed_from_u64(seed), tally: Tally::new(), n_pairs: 0 }
    }

    /// From 0 to 1.
    fn chance(&mut self) -> f64 {
        self.random.next_u64() as f64 / u64::MAX as f64
    }

    fn any(&mut self) -> usize {
        self.random.next_u64() as usize % self.elo.len()
    }

    fn play(&mut self, game: &str, [first, second]: [usize; 2], mut tell: impl FnMut(&FinishedMatch<'_>)) {
        self.n_pairs += 1;
        let (pair, opening) = (self.n_pairs.to_string(), (self.n_pairs % N_OPENINGS).to_string());
        for [white, black] in [[first, second], [second, first]] {
            let x = (self.elo[white] - self.elo[black] + FIRST) / UNIT;
            let wins = self.chance() < 1.0 / (1.0 + (-x).exp());
            let result = if wins { MatchResult::WhiteWins } else { MatchResult::BlackWins };
            let [white, black] = [white, black].map(|idx| self.names[idx].clone());
            let played = FinishedMatch {
                pair: Some(&pair),
                opening: Some(&opening),
                ..FinishedMatch::new(game, &white, &black, result)
            };
            self.tally.add(&played).unwrap();
            tell(&played);
        }
    }

    /// The ratings, with the true mean.
    fn ratings(&self) -> Vec<f64> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let design = Design::new(&self.tally, "game", &names);
        let rated: Vec<f64> = (0..names.len()).map(|idx| design.elo(idx)).collect();
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
        let shift = mean(&self.elo) - mean(&rated);
        rated.into_iter().map(|elo| elo + shift).collect()
    }

    /// The root of the mean squared error of the ratings, in Elo.
    fn error(&self) -> f64 {
        let errors = self.ratings().into_iter().zip(&self.elo).map(|(rated, elo)| (rated - elo).powi(2));
        (errors.sum::<f64>() / self.elo.len() as f64).sqrt()
    }
}

fn members(world: &World, n_anchors: usize, games: &[&str]) -> Pairing {
    let rules = Rules { owner: "house".to_owned(), newcomer_pairs: 4, same_owner: 0.0 };
    let mut pairing = Pairing::new(rules, games.iter().map(|game| (*game).to_owned()));
    for (idx, name) in world.names.iter().enumerate() {
        let is_anchor = idx % (world.names.len() / n_anchors) == 0;
        let member = Member {
            name: name.clone(),
            owner: "house".to_owned(),
            is_anchor,
            plays: vec![true; games.len()],
        };
        let idx = pairing.know(member);
        pairing.set_active(idx, true);
    }
    pairing
}

/// The matches until the error is that of intervals of ± 30 Elo.
fn matches_until(rule: Rule, elo: &[f64], seed: u64) -> u32 {
    const WANTED: f64 = 30.0 / 1.96;
    let mut world = World::new(elo.to_vec(), seed);
    let mut pairing = members(&world, 5, &["game"]);
    let mut rated = vec![0.0; elo.len()];
    let mut next_look = 4 * elo.len() as u32;
    loop {
        let pair = match rule {
            Rule::League => pairing.next().expect("all may meet").members,
            Rule::Random => loop {
                let pair = [world.any(), world.any()];
                if pair[0] != pair[1] {
                    break pair;
                }
            },
            Rule::Cgos => {
                let one = world.any();
                let wanted = rated[one] + NOISE * 2.0_f64.mul_add(world.chance(), -1.0);
                let far = |other: &usize| (rated[*other] - wanted).abs();
                let others = (0..elo.len()).filter(|other| *other != one);
                [one, others.min_by(|a, b| far(a).total_cmp(&far(b))).expect("there are others")]
            }
        };
        world.play("game", pair, |played| pairing.add(0, played));
        if next_look <= world.n_pairs {
            if world.error() <= WANTED {
                return 2 * world.n_pairs;
            }
            rated = world.ratings();
            next_look += (next_look / 20).max(10);
        }
    }
}

fn ladder(n: usize, step: f64) -> Vec<f64> {
    (0..n).map(|idx| step * idx as f64).collect()
}

fn mean_matches(rule: Rule, elo: &[f64], seeds: u64) -> f64 {
    let sum: u32 = (1..=seeds).map(|seed| matches_until(rule, elo, seed)).sum();
    f64::from(sum) / seeds as f64
}

#[test]
fn fewer_matches_than_with_random_pairs() {
    let elo = ladder(10, 120.0);
    let [own, random] = [Rule::League, Rule::Random].map(|rule| mean_matches(rule, &elo, 2));
    assert!(own < 0.9 * random, "{own} {random}");
}

/// `cargo test --release -p league --lib -- --ignored --nocapture what_the_choice_saves`
#[test]
#[ignore = "takes minutes"]
fn what_the_choice_saves() {
    for (n, step) in [(20, 30.0), (20, 100.0), (40, 50.0)] {
        let elo = ladder(n, step);
        let [own, random, cgos] =
            [Rule::League, Rule::Random, Rule::Cgos].map(|rule| mean_matches(rule, &elo, 10));
        println!(
            "{n} engines, {step} Elo apart, to within ± 30 Elo: league {own:.0} matches, random pairs {random:.0} ({:.0} % more), \
             CGOS {cgos:.0} ({:.0} % more)",
            100.0 * (random / own - 1.0),
            100.0 * (cgos / own - 1.0)
        );
    }
}

/// The processor time of all threads so far, which other programs do not change.
fn processor_s() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").expect("Linux has it").flatten();
    let used = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    });
    used.sum::<f64>() / 1e9
}

/// `cargo test --release -p league --lib -- --ignored --nocapture what_a_large_league_costs`
#[test]
#[ignore = "a measurement: in release"]
fn what_a_large_league_costs() {
    const GAMES: [&str; 5] = ["push", "push-push", "tower-push", "four-towers", "tower-of-power"];
    let mut world = World::new(ladder(300, 8.0), 1);
    let mut pairing = members(&world, 10, &GAMES);
    let (mut choosing, mut longest) = (0.0, 0.0_f64);
    let table = |world: &World| {
        let (begun, used) = (Instant::now(), processor_s());
        let standings = Count::standings(&world.tally);
        report::tables::write_csv(&standings, &[], std::io::sink()).unwrap();
        let took = processor_s() - used;
        println!(
            "a table of {} builds, {} matches: {took:.2} s of processor time, {:.2} s on the clock",
            standings.scopes[0].engines.len(),
            2 * world.n_pairs,
            begun.elapsed().as_secs_f64()
        );
    };
    for n in 1..=50_000 {
        let used = processor_s();
        let Meeting { game, members } = pairing.next().expect("all may meet");
        let took = processor_s() - used;
        (choosing, longest) = (choosing + took, longest.max(took));
        world.play(GAMES[game], members, |played| pairing.add(game, played));
        if n % 10_000 == 0 {
            println!(
                "{:.0} us of processor time a choice on average, {:.0} ms the longest",
                1e6 * choosing / f64::from(n),
                1e3 * longest
            );
            table(&world);
        }
    }
}
