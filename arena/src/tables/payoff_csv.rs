//! The payoffs as CSV, one line for every two engines in each order. Writes to whatever it is given; opens no file.

use std::io::{self, Write};

use super::standings_csv::decimals;
use ratings::GamePayoffs;

/// Writes the payoffs with the columns `game,engine,opponent,clusters,matches,score,se,payoff`, fractions of 1 with six decimals.
/// What is unknown is empty.
///
/// # Errors
/// If `out` can't be written.
pub fn write_payoffs(games: &[GamePayoffs], out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["game", "engine", "opponent", "clusters", "matches", "score", "se", "payoff"])?;
    for game in games {
        for it in &game.payoffs {
            let counts = [it.clusters, it.matches].map(|count| count.to_string());
            let numbers = [it.score, it.se, it.payoff].map(|number| decimals(number, 6));
            let names = [&game.game, &it.engine, &it.opponent].map(Clone::clone);
            csv.write_record(names.iter().chain(&counts).chain(&numbers))?;
        }
    }
    csv.flush()
}
