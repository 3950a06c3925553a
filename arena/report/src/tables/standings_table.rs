//! The standings as text of at most 80 columns, without colour.

use std::io::{self, Write};

use super::notes::in_words;
use super::text::{counted, cut_middle, name_width, percent, shown, signed, write_wrapped};
use super::verdict::verdict;
use ratings::{FitMethod, OpeningsMeant, Rating, Scope, Standings, Status, Validity};

const ENGINE_WIDTH: usize = 20;
/// The column of forfeits with the space before it. The column of names is narrower by this width.
const FORFEITS_WIDTH: usize = 9;
const PAIRS_WIDTH: usize = 9;
const RATING_WIDTH: usize = 17;
/// The column of the errors; it aligns the `±`.
const ERROR_WIDTH: usize = 5;
/// Padding for a bound, which has no decimals and no `±`.
const BESIDE_ERROR: usize = ".0 ± ".len() - 1 + ERROR_WIDTH;

/// The last column, which compares an engine with the next one in the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Next {
    /// The probability that it is stronger.
    #[default]
    Probability,
    /// LOS: 1 minus the p-value of a one-sided test.
    Los,
}

/// Writes one table per scope, with a heading and notes. `columns` is the width of the terminal, if there is one.
///
/// With a single game, there is no overall table, because it would be the same.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_table_with(
    standings: &Standings,
    next: Next,
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let scopes = shown_scopes(standings);
    for scope in scopes {
        write_scope(scope, next, columns, out)?;
        writeln!(out)?;
    }
    if !scopes.is_empty() {
        write_wrapped(&legend(standings, next), "", out)?;
    }
    Ok(())
}

/// Writes the end of a run, with the most important things last: the games, the legend, the findings of the stop rules,
/// the overall table, and the answer in one sentence.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_end_of_run(
    standings: &Standings,
    findings: &str,
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some((overall, games)) = shown_scopes(standings).split_first() else { return Ok(()) };
    let next = Next::default();
    for game in games {
        write_scope(game, next, columns, out)?;
        writeln!(out)?;
    }
    write_wrapped(&legend(standings, next), "", out)?;
    writeln!(out)?;
    if !findings.is_empty() {
        writeln!(out, "{}\n", findings.trim_end())?;
    }
    write_scope(overall, next, columns, out)?;
    if let Some(verdict) = verdict(standings) {
        writeln!(out)?;
        write_wrapped(&verdict, "", out)?;
    }
    Ok(())
}

impl Next {
    /// The heading of the column.
    pub(super) const fn head(self) -> &'static str {
        match self {
            Self::Probability => "P>next",
            Self::Los => "LOS",
        }
    }

    /// A cell of the column.
    pub(super) fn cell(self, rating: &Rating) -> String {
        let fraction = match self {
            Self::Probability => rating.p_stronger_next,
            Self::Los => rating.los_next,
        };
        fraction.map_or(String::new(), percent)
    }
}

/// The scopes; with a single game, without the overall one, which is the same.
pub fn shown_scopes(standings: &Standings) -> &[Scope] {
    match standings.scopes.as_slice() {
        [_, game] => std::slice::from_ref(game),
        scopes => scopes,
    }
}

/// Explains the columns and signs of a table.
pub fn legend(standings: &Standings, next: Next) -> String {
    let percent = 100.0 * standings.confidence.fraction();
    let mut legend = match standings.validity {
        Validity::FixedSize => {
            format!("± is the {percent} % interval, valid if the number of matches was fixed beforehand.")
        }
        Validity::AnyTime => format!(
            "± is approximate and valid at any time, for one engine at a time: with a probability of about {percent} %, the \
             interval of an engine always contains the true value, however often you look. Ranks follow from these \
             intervals."
        ),
        Validity::AnyTimeAll => format!(
            "± is approximate and valid at any time, for all engines of a table together: with a probability of about \
             {percent} %, all intervals always contain the true values, however often you look. Ranks follow from these \
             intervals."
        ),
    };
    legend += match standings.openings {
        OpeningsMeant::Similar => {
            " ± also covers the choice of openings: how much the numbers would change with other openings of the same kind. \
             `arena rate --these-openings` gives the error for exactly these openings."
        }
        OpeningsMeant::These => " ± is for exactly these openings; it says nothing about other openings.",
    };
    legend += " Each rank range alone has this confidence, not all of them together. Pairs: the decided pairs, in which one engine \
               scored more than the other, of all pairs that the rating uses; a single number counts all pairs.";
    if standings.scopes.iter().any(|scope| fit(scope).is_some()) {
        legend +=
            " fit: the p-value of a test whether the ratings explain the results; below 0.05, they do not.";
    }
    if standings.scopes.iter().any(|scope| scope.first_player.is_some()) {
        legend += " first player: the advantage of moving first, in Elo.";
    }
    legend += match next {
        Next::Probability => {
            " P>next is the probability that an engine is stronger than the next one. It takes into account that engines are \
             usually close to each other in strength."
        }
        Next::Los => {
            " LOS (likelihood of superiority) is 1 minus the p-value of a one-sided test. A high value means that such a lead \
             over the next engine would be rare between equal engines. It is not the probability that the engine is \
             stronger, and needs a fixed number of matches."
        }
    };
    if let Some(anchor) =
        standings.anchor.as_ref().filter(|_| standings.scopes.iter().any(|it| it.is_anchored))
    {
        let engine = shown(&anchor.engine);
        legend += &format!(
            " Ratings are relative to {engine}, which is set to {}; each ± is that of the difference from it.",
            signed(anchor.elo)
        );
    }
    legend
}

fn write_scope(scope: &Scope, next: Next, columns: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    write_wrapped(&heading(scope), "", out)?;
    let has_forfeits = scope.engines.iter().any(|rating| rating.forfeits != 0);
    let names = scope.engines.iter().map(|rating| rating.engine.as_str());
    let width = name_width(names, engine_width(has_forfeits), columns);
    let n_pools = scope.engines.iter().map(|rating| rating.pool).max().unwrap_or(0);
    for pool in 1..=n_pools {
        if n_pools != 1 {
            writeln!(out, "pool {pool} of {n_pools}, on a separate scale")?;
        }
        write_columns(width, has_forfeits, next, out)?;
        for rating in scope.engines.iter().filter(|rating| rating.pool == pool) {
            write_engine(rating, width, has_forfeits, next, out)?;
        }
    }
    for note in in_words(&scope.notes) {
        write_wrapped(&format!("- {}", shown(&note)), "  ", out)?;
    }
    Ok(())
}

/// The heading of a scope.
fn heading(scope: &Scope) -> String {
    format!("{}: {}", shown(&scope.name), heading_facts(scope))
}

/// The facts about a scope as a whole.
pub(super) fn heading_facts(scope: &Scope) -> String {
    let first_player = scope.first_player.map(|advantage| {
        let half_width = 0.5 * (advantage.high - advantage.low);
        format!("first player {} ± {half_width:.1}", signed(advantage.value))
    });
    let draw_rate = scope.draw_rate.map(|rate| format!("equal engines draw {}", percent(rate.value)));
    let matches = counted(scope.matches, "match", "matches");
    let facts = [Some(matches), first_player, draw_rate, openings(scope), fit(scope)];
    facts.into_iter().flatten().collect::<Vec<String>>().join(", ")
}

/// The effective number of openings that several pairings share.
pub fn openings(scope: &Scope) -> Option<String> {
    let rounded = scope.openings.round() as u64;
    (0 < rounded).then(|| counted(rounded, "shared opening", "shared openings"))
}

/// How well the ratings explain the pairings: the p-value of the test.
pub fn fit(scope: &Scope) -> Option<String> {
    const FEW: f64 = 0.01;
    let is_rated = scope.engines.iter().any(|rating| rating.status == Status::Bounded);
    let fit = scope.fit.as_ref().filter(|_| is_rated)?;
    let simulated = if fit.method == FitMethod::Simulated { " (simulated)" } else { "" };
    let p = fit.p?;
    Some(if p < FEW { format!("fit p<{FEW}{simulated}") } else { format!("fit p={p:.2}{simulated}") })
}

fn write_columns(width: usize, has_forfeits: bool, next: Next, out: &mut dyn Write) -> io::Result<()> {
    let (rank, engine, rating, matches) = ("Rank", "Engine", "Rating", "Matches");
    let forfeits = if has_forfeits { format!("{:>FORFEITS_WIDTH$}", "Forfeits") } else { String::new() };
    writeln!(
        out,
        "{rank:>7}  {engine:<width$} {rating:>RATING_WIDTH$} {matches:>8}{forfeits} {:>6} {:>PAIRS_WIDTH$} {:>6}",
        "Score",
        "Pairs",
        next.head()
    )
}

fn write_engine(
    rating: &Rating,
    width: usize,
    has_forfeits: bool,
    next: Next,
    out: &mut dyn Write,
) -> io::Result<()> {
    let forfeits = if has_forfeits { format!("{:>FORFEITS_WIDTH$}", rating.forfeits) } else { String::new() };
    let line = format!(
        "{:>7}  {:<width$} {:>RATING_WIDTH$} {:>8}{forfeits} {:>6} {:>PAIRS_WIDTH$} {:>6}",
        ranks(rating),
        cut_middle(&shown(&rating.engine), width),
        estimate(rating),
        rating.matches,
        share(rating, rating.score),
        pairs(rating),
        next.cell(rating),
    );
    writeln!(out, "{}", line.trim_end())
}

fn engine_width(has_forfeits: bool) -> usize {
    if has_forfeits { ENGINE_WIDTH - FORFEITS_WIDTH } else { ENGINE_WIDTH }
}

/// A share of an engine's matches; empty without matches.
pub(super) fn share(rating: &Rating, fraction: f64) -> String {
    if rating.matches == 0 { String::new() } else { percent(fraction) }
}

/// `17/24`: decided pairs of the pairs that the rating uses; all pairs if the rating does not use pairs.
pub fn pairs(rating: &Rating) -> String {
    match (rating.decided, rating.fitted) {
        (Some(decided), Some(fitted)) => format!("{}/{}", short(decided), short(fitted)),
        _ => short(rating.pairs),
    }
}

/// Numbers from 10,000 in thousands: `12k`.
fn short(count: u64) -> String {
    if count < 10_000 { count.to_string() } else { format!("{}k", count / 1000) }
}

/// The share of draws in an engine's matches.
pub(super) fn draw_share(rating: &Rating) -> f64 {
    if rating.matches == 0 { 0.0 } else { rating.draws as f64 / rating.matches as f64 }
}

/// `3`, or `2-5` if the order is not certain.
pub(super) fn ranks(rating: &Rating) -> String {
    match (rating.rank_low, rating.rank_high) {
        (Some(low), Some(high)) if low == high => low.to_string(),
        (Some(low), Some(high)) => format!("{low}-{high}"),
        _ => String::new(),
    }
}

/// `+34.2 ± 11.8`, a bound without an error, or the reason why there is no rating.
pub(super) fn estimate(rating: &Rating) -> String {
    match (rating.status, rating.elo, rating.low, rating.high) {
        (_, Some(elo), Some(low), Some(high)) => {
            format!("{} ± {:<ERROR_WIDTH$.1}", signed(elo), 0.5 * (high - low))
        }
        (Status::TooEarly, Some(elo), ..) => format!("{} too early", signed(elo)),
        (_, Some(_), Some(low), None) => format!("> {low:+.0}{:BESIDE_ERROR$}", ""),
        (_, Some(_), None, Some(high)) => format!("< {high:+.0}{:BESIDE_ERROR$}", ""),
        (Status::Alone, ..) => "reference".to_owned(),
        (Status::ColourDecides, ..) => "same side won all".to_owned(),
        (Status::SomeGames { rated, of }, ..) => format!("rated in {rated} of {of}"),
        (status, ..) => status.to_string(),
    }
}
