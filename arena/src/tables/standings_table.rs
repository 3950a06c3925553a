//! The standings as text for a terminal, at most 80 columns wide. Writes to whatever it is given, without colour.

use std::io::{self, Write};

use super::notes::in_words;
use super::text::{counted, cut, percent, shown, signed, write_wrapped};
use ratings::{OpeningsMeant, Rating, Scope, Standings, Status, Validity};

const ENGINE_WIDTH: usize = 23;
/// The column of forfeits, which takes its place from the engines' names, with the space before it.
const FORFEITS_WIDTH: usize = 9;
const RATING_WIDTH: usize = 17;
/// The errors' column, so that the `±` stand below each other.
const ERROR_WIDTH: usize = 5;
/// What stands empty beside a bound, which has neither a decimal nor an error.
const BESIDE_ERROR: usize = ".0 ± ".len() - 1 + ERROR_WIDTH;

/// Writes one table a scope, each headed by its scope, its notes below.
///
/// With a single game the overall table, which would repeat it, is left out.
///
/// # Errors
/// If `out` can't be written.
pub fn write_table(standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    let scopes = shown_scopes(standings);
    for scope in scopes {
        write_scope(scope, out)?;
        writeln!(out)?;
    }
    if !scopes.is_empty() {
        write_wrapped(&legend(standings), "", out)?;
    }
    Ok(())
}

/// The scopes without an overall one that repeats the only game.
pub fn shown_scopes(standings: &Standings) -> &[Scope] {
    match standings.scopes.as_slice() {
        [_, game] => std::slice::from_ref(game),
        scopes => scopes,
    }
}

/// What the signs in a table mean.
pub fn legend(standings: &Standings) -> String {
    let percent = 100.0 * standings.confidence.fraction();
    let mut legend = match standings.validity {
        Validity::FixedSize => format!(
            "± is the {percent} % interval, valid if the number of matches was fixed beforehand. \
             P>next is the probability that an engine is stronger than the next one, given that all come from one population."
        ),
        Validity::AnyTime => format!(
            "± is approximate; for one engine at a time: about {percent} % that this engine's interval never misses, however \
             often you look. Ranks are by these intervals."
        ),
        Validity::AnyTimeAll => format!(
            "± is approximate; for all engines of a table together: about {percent} % that none of their intervals ever misses, \
             however often you look. Ranks are by these intervals."
        ),
    };
    legend += " A rank range is the claim of one engine.";
    legend += match standings.openings {
        OpeningsMeant::Similar => {
            " ± is for openings like these: how far the numbers would move if other openings of the same kind had been \
             drawn. `--these-openings` gives the error for exactly these openings."
        }
        OpeningsMeant::These => " ± is for exactly these openings, and says nothing of others.",
    };
    if let Some(anchor) =
        standings.anchor.as_ref().filter(|_| standings.scopes.iter().any(|it| it.is_anchored))
    {
        let engine = shown(&anchor.engine);
        legend += &format!(
            " Ratings are relative to {engine}, which is set to {}: each ± is that of the difference to it.",
            signed(anchor.elo)
        );
    }
    legend
}

fn write_scope(scope: &Scope, out: &mut dyn Write) -> io::Result<()> {
    write_wrapped(&heading(scope), "", out)?;
    let has_forfeits = scope.engines.iter().any(|rating| rating.forfeits != 0);
    let n_pools = scope.engines.iter().map(|rating| rating.pool).max().unwrap_or(0);
    for pool in 1..=n_pools {
        if n_pools != 1 {
            writeln!(out, "pool {pool} of {n_pools}, a scale of its own")?;
        }
        write_columns(has_forfeits, out)?;
        for rating in scope.engines.iter().filter(|rating| rating.pool == pool) {
            write_engine(rating, has_forfeits, out)?;
        }
    }
    for note in in_words(&scope.notes) {
        write_wrapped(&format!("- {}", shown(&note)), "  ", out)?;
    }
    Ok(())
}

/// The scope with what is known of it as a whole.
fn heading(scope: &Scope) -> String {
    format!("{}: {}", shown(&scope.name), heading_facts(scope))
}

/// What is known of a scope as a whole.
pub(super) fn heading_facts(scope: &Scope) -> String {
    let first_player = scope.first_player.map(|advantage| {
        let half_width = 0.5 * (advantage.high - advantage.low);
        format!("first player {} ± {half_width:.1}", signed(advantage.value))
    });
    let draw_rate = scope.draw_rate.map(|rate| format!("equals draw {}", percent(rate.value)));
    let matches = counted(scope.matches, "match", "matches");
    let facts: Vec<String> = [Some(matches), first_player, draw_rate].into_iter().flatten().collect();
    facts.join(", ")
}

fn write_columns(has_forfeits: bool, out: &mut dyn Write) -> io::Result<()> {
    let (rank, engine, rating, matches) = ("Rank", "Engine", "Rating", "Matches");
    let width = engine_width(has_forfeits);
    let forfeits = if has_forfeits { format!("{:>FORFEITS_WIDTH$}", "Forfeits") } else { String::new() };
    writeln!(
        out,
        "{rank:>7}  {engine:<width$} {rating:>RATING_WIDTH$} {matches:>8}{forfeits} {:>6} {:>6} {:>6}",
        "Score", "Draws", "P>next"
    )
}

fn write_engine(rating: &Rating, has_forfeits: bool, out: &mut dyn Write) -> io::Result<()> {
    let width = engine_width(has_forfeits);
    let forfeits = if has_forfeits { format!("{:>FORFEITS_WIDTH$}", rating.forfeits) } else { String::new() };
    let line = format!(
        "{:>7}  {:<width$} {:>RATING_WIDTH$} {:>8}{forfeits} {:>6} {:>6} {:>6}",
        ranks(rating),
        cut(&shown(&rating.engine), width),
        estimate(rating),
        rating.matches,
        share(rating, rating.score),
        share(rating, draw_share(rating)),
        rating.p_stronger_next.map_or(String::new(), percent),
    );
    writeln!(out, "{}", line.trim_end())
}

fn engine_width(has_forfeits: bool) -> usize {
    if has_forfeits { ENGINE_WIDTH - FORFEITS_WIDTH } else { ENGINE_WIDTH }
}

/// A part of an engine's matches; nothing where it has none.
pub(super) fn share(rating: &Rating, fraction: f64) -> String {
    if rating.matches == 0 { String::new() } else { percent(fraction) }
}

/// The part of an engine's matches that was drawn.
pub(super) fn draw_share(rating: &Rating) -> f64 {
    if rating.matches == 0 { 0.0 } else { rating.draws as f64 / rating.matches as f64 }
}

/// `3`, or `2-5` where the order isn't sure.
pub(super) fn ranks(rating: &Rating) -> String {
    match (rating.rank_low, rating.rank_high) {
        (Some(low), Some(high)) if low == high => low.to_string(),
        (Some(low), Some(high)) => format!("{low}-{high}"),
        _ => String::new(),
    }
}

/// `+34.2 ± 11.8`, the bound alone where there is one, or why there is no rating.
pub(super) fn estimate(rating: &Rating) -> String {
    match (rating.status, rating.elo, rating.low, rating.high) {
        (_, Some(elo), Some(low), Some(high)) => {
            format!("{} ± {:<ERROR_WIDTH$.1}", signed(elo), 0.5 * (high - low))
        }
        (Status::TooEarly, Some(elo), ..) => format!("{} too early", signed(elo)),
        (_, Some(_), Some(low), None) => format!("> {low:+.0}{:BESIDE_ERROR$}", ""),
        (_, Some(_), None, Some(high)) => format!("< {high:+.0}{:BESIDE_ERROR$}", ""),
        (status, ..) => status.to_string(),
    }
}
