//! How long ratings take. Not run by default: `cargo test -p arena --release --test rating_speed -- --ignored --nocapture`.

#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use arena::rate::{Format, RateArgs, run};
use arena::rating::Confidence;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A file as the arena writes it: pairs from openings of their own.
fn matches(n_matches: usize, n_engines: u64, n_games: u64) -> String {
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let mut csv = String::from("match,game,white,black,result,pair,opening,plies,seconds\n");
    for pair in 0..n_matches / 2 {
        let first = generator.next_u64() % n_engines;
        let second = (first + 1 + generator.next_u64() % (n_engines - 1)) % n_engines;
        let game = generator.next_u64() % n_games;
        for (number, (white, black)) in [(first, second), (second, first)].into_iter().enumerate() {
            let uniform = (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let chance = 1.0 / (1.0 + ((black as f64 - white as f64) * -0.05).exp());
            let result = if uniform < 0.2 {
                "1/2-1/2"
            } else if uniform < 0.2 + 0.8 * chance {
                "1-0"
            } else {
                "0-1"
            };
            let id = 2 * pair + number;
            writeln!(
                csv,
                "{id},game-{game},engine-{white},engine-{black},{result},p{pair:06},game-{game}-o{pair:05},57,1.234"
            )
            .unwrap();
        }
    }
    csv
}

fn fastest(n_matches: usize, n_engines: u64, n_games: u64) -> Duration {
    const RUNS: u32 = 5;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("matches.csv");
    fs::write(&file, matches(n_matches, n_engines, n_games)).unwrap();
    let args = RateArgs {
        files: vec![file],
        format: Format::Table,
        games: Vec::new(),
        engines: Vec::new(),
        confidence: Confidence::default(),
        anchor: None,
        anytime: false,
        bootstrap: None,
        output: None,
    };
    let time = |_| {
        let start = Instant::now();
        let mut out = Vec::new();
        run(&args, &mut out).unwrap();
        start.elapsed()
    };
    (0..RUNS).map(time).min().unwrap_or_default()
}

#[test]
#[ignore = "measures time"]
fn fifty_thousand_matches_of_sixty_engines_in_five_games() {
    let time = fastest(50_000, 60, 5);
    println!("50,000 matches of 60 engines in 5 games, file to table: {time:.3?}");
    assert!(cfg!(debug_assertions) || time < Duration::from_millis(150));
}

#[test]
#[ignore = "measures time"]
fn a_million_matches() {
    let time = fastest(1_000_000, 60, 1);
    println!("1,000,000 matches of 60 engines in 1 game, file to table: {time:.3?}");
    assert!(cfg!(debug_assertions) || time < Duration::from_millis(1200));
}

#[test]
#[ignore = "measures time"]
fn a_thousand_engines() {
    let time = fastest(200_000, 1_000, 1);
    println!("200,000 matches of 1,000 engines in 1 game, file to table: {time:.3?}");
}
