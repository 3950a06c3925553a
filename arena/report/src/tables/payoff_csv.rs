//! The payoffs as CSV, two lines for each pair of engines, one from the view of each.

use std::io::{self, Write};

use super::standings_csv::decimals;
use model::escape::cells;
use ratings::GamePayoffs;

/// Writes the payoffs with the columns `game,engine,opponent,clusters,matches,score,se,payoff`, fractions of 1 with six decimals.
/// Unknown values are empty.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_payoffs(games: &[GamePayoffs], out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["game", "engine", "opponent", "clusters", "matches", "score", "se", "payoff"])?;
    for game in games {
        for it in &game.payoffs {
            let counts = [it.clusters, it.matches].map(|count| count.to_string());
            let numbers = [it.score, it.se, it.payoff].map(|number| decimals(number, 6));
            let names = [&game.game, &it.engine, &it.opponent].map(Clone::clone);
            csv.write_record(cells(names.iter().chain(&counts).chain(&numbers)))?;
        }
    }
    csv.flush()
}
