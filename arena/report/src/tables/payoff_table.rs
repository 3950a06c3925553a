//! Payoffs as text of at most 80 columns.

use std::io::{self, Write};

use super::text::{cut, percent, shown, write_wrapped};
use ratings::{GamePayoffs, Payoff};

/// Writes one table per game: each engine's score against each other engine.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_payoff_table(games: &[GamePayoffs], out: &mut dyn Write) -> io::Result<()> {
    const NAME: usize = 20;
    for game in games {
        writeln!(out, "{}", shown(&game.game))?;
        writeln!(
            out,
            "  {:<NAME$} {:<NAME$} {:>5} {:>7} {:>7} {:>6} {:>6}",
            "Engine", "Opponent", "Pairs", "Matches", "Score", "±", "Payoff"
        )?;
        for it in &game.payoffs {
            let Payoff { engine, opponent, clusters, matches, score, se, payoff } = it;
            let line = format!(
                "  {:<NAME$} {:<NAME$} {clusters:>5} {matches:>7} {:>7} {:>6} {:>6}",
                cut(&shown(engine), NAME),
                cut(&shown(opponent), NAME),
                score.map_or(String::new(), percent),
                se.map_or(String::new(), |se| percent(1.96 * se)),
                payoff.map_or(String::new(), percent),
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out)?;
    }
    write_wrapped(
        "Score: share of the points of these matches, with its 95 % interval. Payoff: the score after adding one pair with the \
         result that the ratings predict; the payoffs of two engines against each other add up to 100 %.",
        "",
        out,
    )
}
