//! A series of checkpoints: how the rating of each one differs from the first one and from the previous one. It makes
//! no claim about a trend.

use std::collections::BTreeMap;

use serde::Serialize;

use super::confidence::Confidence;
use super::rating_difference::{RatingDifference, RatingDifferences};
use super::standings::{Scope, Standings};

/// A series in one game, or overall.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// The scope's name.
    pub scope: String,
    /// The first engine of the series with a two-sided rating.
    pub first: String,
    /// The later engines with a two-sided rating, in order.
    pub steps: Vec<SeriesStep>,
    /// The engines of the series without a two-sided rating.
    pub unrated: Vec<String>,
}

/// One checkpoint of a series.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeriesStep {
    /// The engine.
    pub engine: String,
    /// Its rating minus that of the first one.
    pub since_first: RatingDifference,
    /// Its rating minus that of the previous one.
    pub since_previous: RatingDifference,
}

impl Series {
    /// The series of `engines`, in this order, in every scope that rates at least two of them.
    pub fn of(standings: &Standings, engines: &[String]) -> Vec<Self> {
        let of_scope = |scope| Self::of_scope(scope, engines, standings.confidence);
        standings.scopes.iter().filter_map(of_scope).collect()
    }

    fn of_scope(scope: &Scope, engines: &[String], confidence: Confidence) -> Option<Self> {
        let differences = RatingDifferences::of(scope)?;
        let rated = |engine: &&String| differences.between(engine, engine, confidence).is_some();
        let (known, unrated): (Vec<&String>, Vec<&String>) = engines.iter().partition(rated);
        let first = *known.first()?;
        let steps: Vec<SeriesStep> = known
            .windows(2)
            .filter_map(|two| {
                Some(SeriesStep {
                    engine: two[1].clone(),
                    since_first: differences.between(two[1], first, confidence)?,
                    since_previous: differences.between(two[1], two[0], confidence)?,
                })
            })
            .collect();
        (!steps.is_empty()).then(|| Self {
            scope: scope.name.clone(),
            first: first.clone(),
            steps,
            unrated: unrated.into_iter().cloned().collect(),
        })
    }
}

/// Sorts `names` by the first number in each; names without a number are left out.
pub fn in_order_of_numbers<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut numbered: Vec<(u128, &str)> =
        names.into_iter().filter_map(|name| Some((number(name)?, name))).collect();
    numbered.sort_unstable();
    numbered.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// The series in `names`: at least three names that differ only in their first number, sorted by this number.
pub fn checkpoints<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Vec<String>> {
    let mut by_stem: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for name in names {
        if let Some([before, _, after]) = around_number(name) {
            by_stem.entry((before, after)).or_default().push(name);
        }
    }
    by_stem.into_values().map(in_order_of_numbers).filter(|series| 3 <= series.len()).collect()
}

fn number(name: &str) -> Option<u128> {
    around_number(name)?[1].parse().ok()
}

/// The text before the first number, the number, and the text after it.
fn around_number(name: &str) -> Option<[&str; 3]> {
    let start = name.find(|character: char| character.is_ascii_digit())?;
    let (before, digits) = name.split_at(start);
    let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
    let (number, after) = digits.split_at(end);
    Some([before, number, after])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_has_names_that_differ_in_a_number() {
        assert_eq!(
            checkpoints(["v2", "step-1000", "alpha", "step-200", "v10", "step-50", "step-50-b"]),
            [["step-50", "step-200", "step-1000"]]
        );
    }

    #[test]
    fn names_are_sorted_by_their_number() {
        assert_eq!(
            in_order_of_numbers(["step-1000", "step-200", "best", "v20b"]),
            ["v20b", "step-200", "step-1000"]
        );
    }
}
