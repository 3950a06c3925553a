//! A series of checkpoints as text of at most 80 columns, or as CSV.

use std::io::{self, Write};

use super::number::Number;
use super::standings_csv::decimals;
use super::text::{cut, shown, write_wrapped};
use model::escape::cells;
use ratings::{Confidence, RatingDifference, Series};

const ENGINE_WIDTH: usize = 30;

/// Writes one table per scope.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_series_table(series: &[Series], confidence: Confidence, out: &mut dyn Write) -> io::Result<()> {
    if series.is_empty() {
        return write_wrapped(
            "no two checkpoints have an interval; a checkpoint is an engine with a number in its name, or one that \
             `--series` names",
            "",
            out,
        );
    }
    for scope in series {
        writeln!(out, "{}", shown(&scope.scope))?;
        let since_first = format!("minus {}", cut(&shown(&scope.first), 16));
        writeln!(
            out,
            "  {:<ENGINE_WIDTH$} {since_first:>22} {:>22}",
            "Checkpoint", "minus the previous one"
        )?;
        for step in &scope.steps {
            let [first, previous] = [step.since_first, step.since_previous].map(difference);
            let engine = cut(&shown(&step.engine), ENGINE_WIDTH);
            writeln!(out, "  {engine:<ENGINE_WIDTH$} {first:>22} {previous:>22}")?;
        }
        if !scope.unrated.is_empty() {
            let names: Vec<String> = scope.unrated.iter().map(|name| shown(name)).collect();
            write_wrapped(&format!("- without an interval: {}", names.join(", ")), "  ", out)?;
        }
        writeln!(out)?;
    }
    let percent = 100.0 * confidence.fraction();
    let missed = 100.0 - percent;
    let legend = format!(
        "Differences in Elo. ± is the {percent} % interval of each single difference: about {missed:.0} of 100 such intervals \
         miss the true difference."
    );
    write_wrapped(&legend, "", out)
}

/// Writes the series as CSV, one line per checkpoint: Elo with two decimals.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_series_csv(series: &[Series], out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "scope",
        "engine",
        "since_first",
        "first_low",
        "first_high",
        "first_se",
        "since_previous",
        "previous_low",
        "previous_high",
        "previous_se",
    ])?;
    for scope in series {
        for step in &scope.steps {
            let mut fields = vec![scope.scope.clone(), step.engine.clone()];
            for it in [step.since_first, step.since_previous] {
                fields.extend([it.elo, it.low, it.high, it.se].map(|elo| decimals(Some(elo), 2)));
            }
            csv.write_record(cells(fields))?;
        }
    }
    csv.flush()
}

fn difference(it: RatingDifference) -> String {
    Number::with_error(it.elo, 0.5 * (it.high - it.low)).text()
}
