//! What proofs on simulated matches share: tournaments of one game, whose engines have numbers as names.

#![allow(dead_code, reason = "each test file uses its own part")]

use ratings::simulation::{Conditions, Meeting, Openings, SimulatedGame, SimulatedTournament};

/// Every engine meets every other in this number of pairs, each with an opening of its own.
pub fn round_robin(strengths: &[f64], pairs: u32, conditions: Conditions, seed: u64) -> SimulatedTournament {
    let n = strengths.len();
    let meetings = (0..n)
        .flat_map(|first| (first + 1..n).map(move |second| Meeting { engines: [first, second], pairs }))
        .collect();
    let strengths = strengths.to_vec();
    let game = SimulatedGame { name: "game".to_owned(), conditions, strengths, meetings };
    tournament(n, vec![game], seed)
}

/// A tournament of these games.
pub fn tournament(n_engines: usize, games: Vec<SimulatedGame>, seed: u64) -> SimulatedTournament {
    let engines = (0..n_engines).map(|engine| format!("engine-{engine:02}")).collect();
    SimulatedTournament { engines, games, openings: Openings::Own, seed }
}

/// The engine's number in its name.
pub fn index(engine: &str) -> usize {
    engine["engine-".len()..].parse().expect("a number")
}

/// Strengths from `ends` down to minus that.
pub fn ladder(n_engines: usize, ends: f64) -> Vec<f64> {
    let last = (n_engines - 1) as f64;
    (0..n_engines).map(|engine| ends * (1.0 - 2.0 * engine as f64 / last)).collect()
}

pub fn percent(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of as f64
}
