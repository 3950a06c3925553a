//! Payoffs and maximal lotteries as text of at most 80 columns, and the lotteries as CSV.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::standings_csv::decimals;
use super::text::{cut, percent, shown, write_wrapped};
use model::escape::cells;
use ratings::{GamePayoffs, LotteryPart, Payoff};

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

/// Writes one table per game: the maximal lottery, with the largest shares first.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_lottery_table(games: &[GamePayoffs], out: &mut dyn Write) -> io::Result<()> {
    const NAME: usize = 26;
    for game in games {
        writeln!(out, "{}", shown(&game.game))?;
        if game.lottery.is_empty() {
            writeln!(out, "- no two engines can be compared\n")?;
            continue;
        }
        writeln!(
            out,
            "  {:<NAME$} {:>7} {:>15}  {:>16}  Member",
            "Engine", "Share", "95 % interval", "Score against it"
        )?;
        for part in in_order(&game.lottery) {
            let LotteryPart { engine, mass, score_against, error } = part;
            let interval = format!("{} to {}", percent(error.mass_low), percent(error.mass_high));
            let score = format!("{} ± {:>4.1}%", percent(*score_against), 196.0 * error.score_sd);
            let engine = cut(&shown(engine), NAME);
            let member = if part.is_member() { "yes" } else { "" };
            let line =
                format!("  {engine:<NAME$} {:>7} {interval:>15}  {score:>16}  {member}", percent(*mass));
            writeln!(out, "{}", line.trim_end())?;
        }
        let without: BTreeSet<&str> = game
            .payoffs
            .iter()
            .map(|payoff| payoff.engine.as_str())
            .filter(|engine| game.lottery.iter().all(|part| part.engine != *engine))
            .collect();
        if !without.is_empty() {
            let names: Vec<String> = without.into_iter().map(shown).collect();
            write_wrapped(
                &format!("- not included, because they have no two-sided rating: {}", names.join(", ")),
                "  ",
                out,
            )?;
        }
        if game.cycles.is_empty() {
            write_wrapped(
                "- no cycle was found, so the ratings show the same, unless some engines are copies of each other",
                "  ",
                out,
            )?;
        }
        for [a, b, c] in &game.cycles {
            write_wrapped(&shown(&format!("- {a} beats {b}, {b} beats {c}, {c} beats {a}")), "  ", out)?;
        }
        writeln!(out)?;
    }
    write_wrapped(LOTTERY_LEGEND, "", out)
}

/// The legend of a lottery.
pub const LOTTERY_LEGEND: &str = "The maximal lottery is the mixture of engines that no engine beats: against an engine drawn with \
    these shares, no opponent scores more than 50 % on average. Copies of an engine divide its share between them. A few \
    results can change the shares a lot, so look at the intervals. Member: the interval begins above 1 %.";

/// Writes the lotteries with the columns
/// `game,engine,mass,mass_low,mass_high,mass_mean,mass_sd,score_against,score_sd,member`, fractions of 1 with six decimals.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_lotteries(games: &[GamePayoffs], out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "game",
        "engine",
        "mass",
        "mass_low",
        "mass_high",
        "mass_mean",
        "mass_sd",
        "score_against",
        "score_sd",
        "member",
    ])?;
    for game in games {
        for part in in_order(&game.lottery) {
            let error = part.error;
            let numbers = [
                part.mass,
                error.mass_low,
                error.mass_high,
                error.mass_mean,
                error.mass_sd,
                part.score_against,
                error.score_sd,
            ];
            let mut fields = vec![game.game.clone(), part.engine.clone()];
            fields.extend(numbers.map(|number| decimals(Some(number), 6)));
            fields.push(u8::from(part.is_member()).to_string());
            csv.write_record(cells(fields))?;
        }
    }
    csv.flush()
}

/// The largest shares first; equal shares by their scores, then by name.
pub fn in_order(lottery: &[LotteryPart]) -> Vec<&LotteryPart> {
    let mut parts: Vec<&LotteryPart> = lottery.iter().collect();
    parts.sort_by(|a, b| {
        b.mass
            .total_cmp(&a.mass)
            .then(b.score_against.total_cmp(&a.score_against))
            .then_with(|| a.engine.cmp(&b.engine))
    });
    parts
}
