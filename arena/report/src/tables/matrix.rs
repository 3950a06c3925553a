//! The probabilities that each engine is stronger than each other engine, as text of at most 80 columns, or as CSV.

use std::io::{self, Write};

use super::standings_csv::decimals;
use super::standings_table::shown_scopes;
use super::text::{cut, shown, write_wrapped};
use model::escape;
use ratings::{Confidence, RatingDifferences, Scope, Standings};

const NAME_WIDTH: usize = 20;
/// Number of columns per block.
const MOST_COLUMNS: usize = 10;

/// Writes one matrix per scope, with the strongest engine first; many engines need several matrices below each other.
///
/// The probabilities must have been added to the standings.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_matrix(standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    for scope in shown_scopes(standings) {
        writeln!(out, "{}", shown(&scope.name))?;
        let engines = Compared::all(scope);
        if engines.is_empty() {
            write_wrapped("- no two engines can be compared, or there are more than 500", "  ", out)?;
        }
        for first in (0..engines.len()).step_by(MOST_COLUMNS) {
            let columns = &engines[first..engines.len().min(first + MOST_COLUMNS)];
            let heads: Vec<String> =
                (first..first + columns.len()).map(|place| (place + 1).to_string()).collect();
            writeln!(out, "{:>25}{}", "", cells(&heads))?;
            for (place, row) in engines.iter().enumerate() {
                let values: Vec<String> = columns.iter().map(|column| row.cell(column)).collect();
                let cells = cells(&values);
                let line =
                    format!("{:>4} {:<NAME_WIDTH$}{cells}", place + 1, cut(&shown(row.engine), NAME_WIDTH));
                writeln!(out, "{}", line.trim_end())?;
            }
        }
        writeln!(out)?;
    }
    write_wrapped(
        "Probability, in percent, that the engine of the row is stronger than the engine of the column, if differences in \
         this table are typical.",
        "",
        out,
    )
}

/// Writes the differences of all pairs of engines as CSV with the columns
/// `scope,engine,opponent,difference,low,high,se,los,p_stronger`: Elo with two decimals, fractions of 1 with four.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_matrix_csv(standings: &Standings, confidence: Confidence, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "scope",
        "engine",
        "opponent",
        "difference",
        "low",
        "high",
        "se",
        "los",
        "p_stronger",
    ])?;
    for scope in &standings.scopes {
        let Some(differences) = RatingDifferences::of(scope) else { continue };
        let engines = Compared::all(scope);
        for one in &engines {
            for other in engines.iter().filter(|other| other.place != one.place) {
                let Some(it) = differences.between(one.engine, other.engine, confidence) else { continue };
                let mut fields = vec![scope.name.clone(), one.engine.to_owned(), other.engine.to_owned()];
                fields.extend([it.elo, it.low, it.high, it.se].map(|elo| decimals(Some(elo), 2)));
                fields.extend(
                    [it.los, one.p_stronger[other.place]].map(|fraction| decimals(Some(fraction), 4)),
                );
                csv.write_record(escape::cells(fields))?;
            }
        }
    }
    csv.flush()
}

fn cells(texts: &[String]) -> String {
    texts.iter().fold(String::new(), |line, text| format!("{line} {text:>4}"))
}

/// An engine that can be compared with others of its scope.
struct Compared<'a> {
    engine: &'a str,
    /// Its index in the covariance.
    place: usize,
    /// By the indices of the others.
    p_stronger: &'a [f64],
}

impl<'a> Compared<'a> {
    /// In the order of the ratings.
    fn all(scope: &'a Scope) -> Vec<Self> {
        let Some(covariance) = &scope.covariance else { return Vec::new() };
        let Some(matrix) = &covariance.p_stronger else { return Vec::new() };
        let of_engine = |engine: &'a str| {
            let place = covariance.engines.iter().position(|name| name == engine)?;
            Some(Self { engine, place, p_stronger: &matrix[place] })
        };
        scope.engines.iter().filter_map(|rating| of_engine(&rating.engine)).collect()
    }

    /// The probability that it is stronger than the other engine, in percent; empty for itself.
    fn cell(&self, other: &Self) -> String {
        if self.place == other.place {
            return "-".to_owned();
        }
        match 100.0 * self.p_stronger[other.place] {
            p if p < 0.5 => "<1".to_owned(),
            p if 99.5 <= p => ">99".to_owned(),
            p => format!("{p:.0}"),
        }
    }
}
