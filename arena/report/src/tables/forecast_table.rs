//! A forecast as text of at most 80 columns, without colour.

use std::io::{self, Write};

use super::number::WIDE;
use super::text::{counted, cut, percent, shown, write_wrapped};
use ratings::signed;
use ratings::simulation::Share;
use ratings::simulation::{EngineForecast, Forecast, ScopeForecast};

const ENGINE_WIDTH: usize = 20;

/// Writes one table per scope, and a legend.
///
/// Of consecutive games with the same engines and matches, only the first is shown: the others differ only by random
/// numbers.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_forecast_table(forecast: &Forecast, out: &mut dyn Write) -> io::Result<()> {
    for (place, scope) in forecast.scopes.iter().enumerate() {
        if 1 < place && is_alike(scope, &forecast.scopes[place - 1]) {
            continue;
        }
        let n_alike = forecast.scopes[place + 1..]
            .iter()
            .take_while(|other| 0 < place && is_alike(scope, other))
            .count();
        write_scope(scope, n_alike, out)?;
        writeln!(out)?;
    }
    let fraction = 100.0 * forecast.confidence.fraction();
    let footer = format!(
        "Rating: the rating after an unlimited number of matches; 0 is the mean of the engines, and unbalanced openings \
         make the measured differences smaller than the assumed ones. Interval: half the width of the {fraction} % \
         interval, as the median and the range from 5 to 95 % of the tournaments. Ranked: how often the rank is certain. \
         > next: how often the engine is certainly stronger than the next one. Covers: how often the interval contains \
         the true rating. 1-sided: how often the interval has only one end, because of a perfect score."
    );
    write_wrapped(&footer, "", out)
}

/// Whether they differ only by random numbers.
fn is_alike(one: &ScopeForecast, other: &ScopeForecast) -> bool {
    let rated = |scope: &ScopeForecast| -> Vec<(String, f64)> {
        scope.engines.iter().map(|engine| (engine.engine.clone(), engine.rating)).collect()
    };
    one.matches == other.matches && rated(one) == rated(other)
}

fn write_scope(scope: &ScopeForecast, n_alike: usize, out: &mut dyn Write) -> io::Result<()> {
    let alike = match n_alike {
        0 => String::new(),
        1 => ", and the same for the next game".to_owned(),
        n => format!(", and the same for the next {n} games"),
    };
    let matches = counted(scope.matches, "match", "matches");
    write_wrapped(&format!("{}: {matches}{alike}", shown(&scope.name)), "", out)?;
    writeln!(
        out,
        "{:<ENGINE_WIDTH$} {:>7} {:>8} {:>13} {:>6} {:>6} {:>6} {:>7}",
        "Engine", "Rating", "Interval", "5-95 %", "Ranked", "> next", "Covers", "1-sided"
    )?;
    for engine in &scope.engines {
        write_engine(engine, out)?;
    }
    if let Some(held) = scope.ratings_held {
        let differences = scope
            .differences_held
            .map_or(String::new(), |held| format!(", differences {}", with_error(held)));
        write_wrapped(
            &format!("- intervals that contain the true value: ratings {}{differences}", with_error(held)),
            "  ",
            out,
        )?;
    }
    Ok(())
}

fn write_engine(forecast: &EngineForecast, out: &mut dyn Write) -> io::Result<()> {
    let (median, range) = forecast.half_width.map_or_else(
        || ("none".to_owned(), String::new()),
        |widths| {
            let [median, low, high] = [widths.median, widths.low, widths.high].map(tenths);
            (format!("± {median}"), format!("{low}-{high}"))
        },
    );
    let share = |share: Option<Share>| share.map_or(String::new(), |share| percent(share.value));
    writeln!(
        out,
        "{:<ENGINE_WIDTH$} {:>7} {median:>8} {range:>13} {:>6} {:>6} {:>6} {:>7}",
        cut(&shown(&forecast.engine), ENGINE_WIDTH),
        signed(forecast.rating, 0),
        percent(forecast.sure_rank.value),
        share(forecast.apart_from_next),
        share(forecast.held),
        percent(forecast.one_sided.value),
    )
}

/// Half the width of an interval, with tenths only if it is narrow.
fn tenths(half_width: f64) -> String {
    if half_width < WIDE { format!("{half_width:.1}") } else { format!("{half_width:.0}") }
}

/// `95.1 ± 0.4 %`, twice the standard error.
fn with_error(share: Share) -> String {
    format!("{:.1} ± {:.1} %", 100.0 * share.value, 200.0 * share.se)
}
