//! Ratings for Python: matches in, the standings of the crate `ratings` out, as JSON. It computes nothing itself.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use ratings::{
    Anchor, Checks, Confidence, Ending, FinishedMatch, MatchResult, MoveList, OpeningsMeant, RatingSettings,
    Series, Standings, Tally, Validity,
};

/// Game, White, Black, result, pair, opening, moves, reason.
type Row = (String, String, String, String, Option<String>, Option<String>, Option<String>, Option<String>);

fn wrong(row: usize, error: &dyn std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("match {row}: {error}"))
}

/// Rates matches. Returns the `ratings::Standings` as JSON, and one `ratings::Series` per table for `series`.
#[pyfunction]
#[pyo3(signature = (rows, confidence, anchor, validity, these_openings, bootstrap, series))]
#[expect(clippy::too_many_arguments, reason = "called by name from Python only")]
pub fn rate_rows(
    py: Python<'_>,
    rows: Vec<Row>,
    confidence: f64,
    anchor: Option<(String, f64)>,
    validity: &str,
    these_openings: bool,
    bootstrap: u32,
    series: Vec<String>,
) -> PyResult<(String, String)> {
    let confidence = Confidence::new(confidence)
        .map_err(|error| PyValueError::new_err(format!("confidence {confidence}: {error}")))?;
    let validity = match validity {
        "fixed-size" => Validity::FixedSize,
        "any-time" => Validity::AnyTime,
        "any-time-all" => Validity::AnyTimeAll,
        _ => {
            return Err(PyValueError::new_err(format!(
                "validity `{validity}` is unknown; it is fixed-size, any-time or any-time-all"
            )));
        }
    };
    let settings = RatingSettings {
        confidence,
        anchor: anchor.map(|(engine, elo)| Anchor { engine, elo }),
        validity,
        openings: if these_openings { OpeningsMeant::These } else { OpeningsMeant::Similar },
        checks: Checks::All,
    };
    py.detach(|| {
        let tally = tally(&rows)?;
        let mut standings = Standings::new(&tally, &settings);
        standings.add_probabilities();
        if bootstrap > 0 {
            standings.add_bootstrap(&tally, bootstrap);
        }
        let differences = Series::of(&standings, &series);
        let text = |result: serde_json::Result<String>| {
            result.map_err(|error| PyValueError::new_err(format!("the ratings cannot be written: {error}")))
        };
        Ok((text(serde_json::to_string(&standings))?, text(serde_json::to_string(&differences))?))
    })
}

fn tally(rows: &[Row]) -> PyResult<Tally> {
    let mut tally = Tally::new();
    for (idx, (game, white, black, result, pair, opening, moves, reason)) in rows.iter().enumerate() {
        let result: MatchResult = result.parse().map_err(|error| wrong(idx, &error))?;
        let moves = moves.as_deref().and_then(|moves| MoveList::of(moves.split_whitespace()));
        let (pair, opening) = (pair.as_deref(), opening.as_deref());
        let ending = reason.as_deref().map_or(Ending::Played, Ending::of_reason);
        let played =
            FinishedMatch { pair, opening, moves, ending, ..FinishedMatch::new(game, white, black, result) };
        tally.add(&played).map_err(|error| wrong(idx, &error))?;
    }
    Ok(tally)
}
