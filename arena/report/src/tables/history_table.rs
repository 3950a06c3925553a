//! The ratings of one engine over its builds, as text of at most 80 columns or as CSV.

use std::io::{self, Write};

use super::number::Number;
use super::standings_csv::decimals;
use super::text::{cut, percent, shown, write_wrapped};
use model::escape::cells;
use ratings::{Rating, RatingDifference, Scope, Standings};

/// Columns of the plot.
const PLOT: usize = 15;
const BUILD_WIDTH: usize = 18;

/// One build of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryBuild {
    /// The name under which it is rated.
    pub name: String,
    /// Its id, and the version that it reports.
    pub build: String,
    /// The day of its first run in UTC: `2026-05-01`; empty if it is not known.
    pub first_run: String,
}

/// Writes one table for each scope that rates a build. The plot at the right shows the ratings with their intervals.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_history_table(
    engine: &str,
    builds: &[HistoryBuild],
    standings: &Standings,
    out: &mut dyn Write,
) -> io::Result<()> {
    for scope in &standings.scopes {
        let rated = rated(scope, builds);
        if rated.is_empty() {
            continue;
        }
        writeln!(out, "{}: {} over its builds", shown(&scope.name), cut(&shown(engine), 40))?;
        writeln!(
            out,
            "  {:<BUILD_WIDTH$} {:<10} {:>6} {:>6} {:>14}  plot",
            "Build", "First run", "Pairs", "Score", "Rating"
        )?;
        let ends: Vec<f64> = rated
            .iter()
            .flat_map(|(_, rating)| [rating.low, rating.high, rating.estimate])
            .flatten()
            .collect();
        let range = (
            ends.iter().copied().fold(f64::INFINITY, f64::min),
            ends.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
        for (build, rating) in &rated {
            writeln!(
                out,
                "  {:<BUILD_WIDTH$} {:<10} {:>6} {:>6} {:>14}  {}",
                cut(&shown(&build.build), BUILD_WIDTH),
                build.first_run,
                rating.pairs,
                percent(rating.score),
                Number::of(rating).text(),
                plot(rating, range).trim_end()
            )?;
        }
        let named = |at: usize| rated.get(at).map(|(build, _)| build);
        if let (Some(first), Some(last)) = (named(0), named(rated.len() - 1).filter(|_| 1 < rated.len()))
            && let Some(gained) =
                RatingDifference::of_engines(scope, &last.name, &first.name, standings.confidence)
        {
            let gained = Number::with_error(gained.elo, 0.5 * (gained.high - gained.low)).text();
            writeln!(out, "  {} minus {}: {gained}", shown(&last.build), shown(&first.build))?;
        }
        writeln!(out)?;
    }
    let percent = 100.0 * standings.confidence.fraction();
    write_wrapped(
        &format!(
            "Ratings in Elo with their {percent} % intervals, relative to the same engines in all rows."
        ),
        "",
        out,
    )
}

/// Writes the history as CSV, one line for each scope and build: Elo with two decimals.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_history_csv(builds: &[HistoryBuild], standings: &Standings, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record([
        "scope",
        "build",
        "first_run",
        "elo",
        "low",
        "high",
        "se",
        "estimate",
        "matches",
        "pairs",
        "score",
    ])?;
    for scope in &standings.scopes {
        for (build, it) in rated(scope, builds) {
            let elo = [it.elo, it.low, it.high, it.se, it.estimate].map(|elo| decimals(elo, 2));
            let mut fields = vec![scope.name.clone(), build.build.clone(), build.first_run.clone()];
            fields.extend(elo);
            fields.extend([it.matches.to_string(), it.pairs.to_string(), format!("{:.4}", it.score)]);
            csv.write_record(cells(fields))?;
        }
    }
    csv.flush()
}

/// The builds that the scope rates, in their order.
fn rated<'a>(scope: &'a Scope, builds: &'a [HistoryBuild]) -> Vec<(&'a HistoryBuild, &'a Rating)> {
    let rating = |build: &HistoryBuild| scope.engines.iter().find(|rating| rating.engine == build.name);
    builds.iter().filter_map(|build| Some((build, rating(build)?))).collect()
}

/// The rating as a point with its interval as a line, between the lowest and the highest end of all rows.
fn plot(rating: &Rating, (lowest, highest): (f64, f64)) -> String {
    let column = |elo: f64| {
        let share = if lowest < highest { (elo - lowest) / (highest - lowest) } else { 0.5 };
        (share * (PLOT - 1) as f64).round() as usize
    };
    let Some(estimate) = rating.estimate else { return String::new() };
    let (from, to) = (column(rating.low.unwrap_or(estimate)), column(rating.high.unwrap_or(estimate)));
    let mark = |at| match at {
        _ if at == column(estimate) => '●',
        _ if (from..=to).contains(&at) => '─',
        _ => ' ',
    };
    (0..PLOT).map(mark).collect()
}
