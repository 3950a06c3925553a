//! The comparison of two runs as text of at most 80 columns, or as CSV.

use std::io::{self, Write};

use super::number::Number;
use super::standings_csv::decimals;
use super::text::{counted, cut_middle, shown, write_wrapped};
use model::escape::cells;
use ratings::RatingChange;
use ratings::{RunComparison, ScopeChanges, signed};

/// Which engines the tables of single games list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// Those whose rating changed significantly.
    Changed,
    /// All.
    All,
}

const ENGINE_WIDTH: usize = 23;
/// The column of the errors; it aligns the `±`.
const ERROR_WIDTH: usize = 6;

/// Writes one table per scope, the first one with all engines. With a single game, there is no overall table, because it would be the
/// same.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_run_comparison_table(
    comparison: &RunComparison,
    listed: Listed,
    out: &mut dyn Write,
) -> io::Result<()> {
    let scopes = shown_scopes(comparison);
    write_wrapped(&answer(comparison), "", out)?;
    write_wrapped(&format!("old: {}", shown(&comparison.old)), "  ", out)?;
    write_wrapped(&format!("new: {}", shown(&comparison.new)), "  ", out)?;
    for note in &comparison.notes {
        write_wrapped(&format!("- {}", shown(note)), "  ", out)?;
    }
    for (idx, scope) in scopes.iter().enumerate() {
        writeln!(out)?;
        write_scope(scope, if idx == 0 { Listed::All } else { listed }, out)?;
    }
    writeln!(out)?;
    write_wrapped(&footer(comparison), "", out)
}

/// The scopes; with a single game, without the overall one, which is the same.
pub(super) fn shown_scopes(comparison: &RunComparison) -> &[ScopeChanges] {
    match comparison.scopes.as_slice() {
        [_, game] => std::slice::from_ref(game),
        scopes => scopes,
    }
}

/// Writes the changes as CSV with the columns `scope,engine,old,new,change,low,high,se,los,p,significant`: Elo with two
/// decimals, `los` (for the new one) and `p` as fractions of 1 with four.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_run_comparison_csv(comparison: &RunComparison, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "scope",
        "engine",
        "old",
        "new",
        "change",
        "low",
        "high",
        "se",
        "los",
        "p",
        "significant",
    ])?;
    for scope in &comparison.scopes {
        for RatingChange { engine, old, new, change, p, is_significant } in &scope.engines {
            let mut fields = vec![scope.name.clone(), engine.clone()];
            let elo = [*old, *new, change.elo, change.low, change.high, change.se];
            fields.extend(elo.map(|elo| decimals(Some(elo), 2)));
            fields.extend([change.los, *p].map(|fraction| decimals(Some(fraction), 4)));
            fields.push(u8::from(*is_significant).to_string());
            csv.write_record(cells(fields))?;
        }
    }
    csv.flush()
}

/// How many ratings changed, overall or in the only game.
pub fn answer(comparison: &RunComparison) -> String {
    let Some(scope) = comparison.scopes.first().filter(|scope| !scope.engines.is_empty()) else {
        let games = if comparison.scopes.is_empty() { "" } else { "; the games below can be compared" };
        return format!("no overall comparison: fewer than two engines have an interval in both runs{games}");
    };
    let changed: Vec<String> = scope
        .engines
        .iter()
        .filter(|engine| engine.is_significant)
        .map(|RatingChange { engine, change, .. }| {
            let [elo, low, high] = [change.elo, change.low, change.high].map(|elo| signed(elo, 0));
            format!("{} {elo} ({low} to {high})", shown(engine))
        })
        .collect();
    match changed.len() {
        0 => none_changed(&comparison.scopes),
        1 => format!("1 rating changed: {} Elo", changed[0]),
        n => format!("{n} ratings changed: {} Elo", changed.join(", ")),
    }
}

/// That the first scope has no significant change, and which others have.
fn none_changed(scopes: &[ScopeChanges]) -> String {
    let changed_in: Vec<String> = scopes
        .iter()
        .skip(1)
        .map(|scope| (shown(&scope.name), n_changed(scope)))
        .filter(|(_, n)| 0 < *n)
        .map(|(name, n)| format!("{name} ({n})"))
        .collect();
    if changed_in.is_empty() {
        return "no rating changed significantly".to_owned();
    }
    format!("no overall rating changed significantly; ratings changed in {}", changed_in.join(", "))
}

fn n_changed(scope: &ScopeChanges) -> usize {
    scope.engines.iter().filter(|engine| engine.is_significant).count()
}

fn write_scope(scope: &ScopeChanges, listed: Listed, out: &mut dyn Write) -> io::Result<()> {
    let name = shown(&scope.name);
    if scope.engines.is_empty() {
        let text = format!(
            "{name}: nothing to compare, because fewer than two engines have an interval in both runs"
        );
        write_wrapped(&text, "  ", out)?;
        return Ok(());
    }
    write_wrapped(&format!("{name}: {}", summary(scope)), "  ", out)?;
    let mut engines =
        scope.engines.iter().filter(|engine| listed == Listed::All || engine.is_significant).peekable();
    if engines.peek().is_some() {
        writeln!(out, "  {:<ENGINE_WIDTH$} {:>8} {:>8} {:>17} {:>8}", "Engine", "Old", "New", "Change", "p")?;
    }
    for engine in engines {
        write_engine(engine, out)?;
    }
    if let Some(unrated) = unrated(scope) {
        write_wrapped(&format!("- {unrated}"), "  ", out)?;
    }
    Ok(())
}

/// How many engines there are, and how many differ.
pub(super) fn summary(scope: &ScopeChanges) -> String {
    let engines = counted(scope.engines.len() as u64, "engine", "engines");
    let sure = n_changed(scope);
    let differ =
        if sure == 0 { "no significant change".to_owned() } else { format!("{sure} changed significantly") };
    format!("{engines} in both runs, {differ}")
}

/// The engines that cannot be compared.
pub(super) fn unrated(scope: &ScopeChanges) -> Option<String> {
    let names: Vec<String> = scope.unrated.iter().map(|name| shown(name)).collect();
    (!names.is_empty()).then(|| format!("without an interval in one of the runs: {}", names.join(", ")))
}

/// The direction of a significant change.
pub(super) fn sure_change(engine: &RatingChange) -> &'static str {
    match engine.is_significant {
        true if engine.change.elo > 0.0 => "higher",
        true => "lower",
        false => "",
    }
}

fn write_engine(engine: &RatingChange, out: &mut dyn Write) -> io::Result<()> {
    let change = &engine.change;
    let sure = sure_change(engine);
    let number = Number::with_error(change.elo, 0.5 * (change.high - change.low));
    let line = format!(
        "  {:<ENGINE_WIDTH$} {:>8} {:>8} {:>17} {:>8.4}  {sure}",
        cut_middle(&shown(&engine.engine), ENGINE_WIDTH),
        signed(engine.old, 1),
        signed(engine.new, 1),
        number.aligned(ERROR_WIDTH),
        engine.p,
    );
    writeln!(out, "{}", line.trim_end())
}

pub(super) fn footer(comparison: &RunComparison) -> String {
    let tests: usize = shown_scopes(comparison).iter().map(|scope| scope.engines.len()).sum();
    let percent = 100.0 * comparison.confidence.fraction();
    format!(
        "Ratings are relative to the mean of the engines in both runs: if one became stronger, all others fall a little. ± is \
         the {percent} % interval of one change, for runs that share no match. p is the probability of a difference at least \
         this large between two runs of unchanged engines. A change is called significant at 5 % for all {} together (Holm's \
         procedure), so an interval without 0 is not enough.",
        counted(tests as u64, "comparison", "comparisons")
    )
}
