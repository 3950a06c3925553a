//! A forecast as CSV, one line per engine and scope.

use std::io::{self, Write};

use super::standings_csv::decimals;
use model::escape::cells;
use ratings::simulation::Share;
use ratings::simulation::{EngineForecast, Forecast, ScopeForecast};

/// The columns. Existing columns never change; new ones are appended.
const COLUMNS: [&str; 13] = [
    "scope",
    "engine",
    "matches",
    "rating",
    "half_width",
    "half_width_low",
    "half_width_high",
    "sure_rank",
    "apart_from_next",
    "held",
    "held_se",
    "one_sided",
    "tournaments",
];

/// Writes the forecast as CSV. Elo has two decimals, fractions have four. `matches` counts the matches of the scope.
/// Unknown values are empty.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_forecast_csv(forecast: &Forecast, out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(COLUMNS)?;
    for scope in &forecast.scopes {
        for engine in &scope.engines {
            csv.write_record(cells(fields(forecast, scope, engine)))?;
        }
    }
    csv.flush()
}

fn fields(forecast: &Forecast, scope: &ScopeForecast, engine: &EngineForecast) -> [String; 13] {
    let fraction = |share: Option<Share>| decimals(share.map(|share| share.value), 4);
    let widths = engine.half_width;
    [
        scope.name.clone(),
        engine.engine.clone(),
        scope.matches.to_string(),
        decimals(Some(engine.rating), 2),
        decimals(widths.map(|widths| widths.median), 2),
        decimals(widths.map(|widths| widths.low), 2),
        decimals(widths.map(|widths| widths.high), 2),
        fraction(Some(engine.sure_rank)),
        fraction(engine.apart_from_next),
        fraction(engine.held),
        decimals(engine.held.map(|share| share.se), 4),
        fraction(Some(engine.one_sided)),
        forecast.tournaments.to_string(),
    ]
}
