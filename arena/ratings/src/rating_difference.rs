//! Differences of two ratings with their errors: of two engines in one table, or of one engine in two tables. It uses
//! standings and fits nothing.

use std::collections::BTreeMap;

use serde::Serialize;

use super::confidence::{Confidence, probability_below};
use super::intervals::{Evidence, Variance};
use super::joint::{Difference, JointRatings};
use super::standings::Scope;
use super::stronger::Strengths;

/// The difference of two ratings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingDifference {
    /// The difference in Elo.
    pub elo: f64,
    /// The lower end of its interval, in Elo.
    pub low: f64,
    /// The upper end of its interval, in Elo.
    pub high: f64,
    /// Its standard error, in Elo.
    pub se: f64,
    /// LOS: 1 minus the one-sided p-value, 0 to 1. It is not the probability of being stronger.
    pub los: f64,
    /// Whether too few pairs were decided for a reliable result.
    pub is_few: bool,
}

impl RatingDifference {
    /// The rating of `first` minus that of `second` in `scope`. `None` unless both have a two-sided rating in the same
    /// pool. The error comes from their covariance, not from the two intervals.
    pub fn of_engines(scope: &Scope, first: &str, second: &str, confidence: Confidence) -> Option<Self> {
        RatingDifferences::of(scope)?.between(first, second, confidence)
    }

    /// Whether the difference is significant: the interval excludes 0, and enough pairs were decided.
    pub fn is_sure(&self) -> bool {
        !self.is_few && (0.0 < self.low || self.high < 0.0)
    }

    fn new(difference: Difference, confidence: Confidence) -> Self {
        let se = difference.standard_error(confidence);
        let half_width = confidence.half_width(difference.evidence.freedom) * se;
        Self {
            elo: difference.elo,
            low: difference.elo - half_width,
            high: difference.elo + half_width,
            se,
            los: difference.los(confidence),
            is_few: difference.evidence.is_few,
        }
    }
}

/// The differences of all engines of a scope: the same as [`RatingDifference::of_engines`], but faster for many
/// engines.
pub struct RatingDifferences<'a>(Named<'a>);

impl<'a> RatingDifferences<'a> {
    /// The differences in `scope`. `None` if there are no ratings to compare.
    pub fn of(scope: &'a Scope) -> Option<Self> {
        Named::new(scope).map(Self)
    }

    /// The rating of `first` minus that of `second`. `None` unless both have a two-sided rating in the same pool.
    pub fn between(&self, first: &str, second: &str, confidence: Confidence) -> Option<RatingDifference> {
        let (first, second) = (self.0.places.get(first)?, self.0.places.get(second)?);
        Some(RatingDifference::new(self.0.ratings.difference(*first, *second), confidence))
    }
}

/// The probability that `first` is stronger than `second`, 0 to 1, if the differences in `scope` are typical. `None` unless both have a two-sided rating in the same pool.
pub(super) fn p_stronger(scope: &Scope, first: &str, second: &str) -> Option<f64> {
    let covariance = scope.covariance.as_ref()?;
    let place = |engine| covariance.engines.iter().position(|name| name == engine);
    let (first, second) = (place(first)?, place(second)?);
    Some(Strengths::new(&covariance.ratings.elo, covariance.joint.clone())?.is_stronger(first, second))
}

/// An engine's ratings in two tables, on one scale.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingChange {
    /// The engine.
    pub engine: String,
    /// Its rating in the old table, in Elo relative to the mean of the engines of both tables.
    pub old: f64,
    /// Its rating in the new table, in Elo relative to the mean of the same engines.
    pub new: f64,
    /// The new rating minus the old one. The tables must be independent: variances are added.
    pub change: RatingDifference,
    /// The two-sided p-value of the change.
    pub p: f64,
    /// Whether it is significant at 5 % for all changes of the comparison together, by Holm's procedure, and enough
    /// pairs were decided.
    pub is_significant: bool,
}

impl RatingChange {
    /// The changes of all engines with a two-sided rating in both scopes, the greatest rise first. Empty for fewer
    /// than two engines: ratings are relative, so the change of a single one is always 0.
    pub fn between(old: &Scope, new: &Scope, confidence: Confidence) -> Vec<Self> {
        let (Some(old), Some(new)) = (Named::new(old), Named::new(new)) else { return Vec::new() };
        let common: Vec<&str> =
            old.places.keys().copied().filter(|name| new.places.contains_key(name)).collect();
        if common.len() < 2 {
            return Vec::new();
        }
        let (old, new) = (old.centred_on(&common), new.centred_on(&common));
        let change = |(place, name): (usize, &&str)| {
            // Each error has the width that it needs by itself.
            let se = new.standard_error(place, confidence).hypot(old.standard_error(place, confidence));
            let difference = Difference {
                elo: new.elo[place] - old.elo[place],
                variance: Variance { pairs: se * se, openings: None },
                evidence: Evidence { widening: 1.0, ..new.evidence[place].less(old.evidence[place]) },
            };
            Self {
                engine: (*name).to_owned(),
                old: old.elo[place],
                new: new.elo[place],
                change: RatingDifference::new(difference, confidence),
                p: two_sided(difference, confidence),
                is_significant: false,
            }
        };
        let mut changes: Vec<Self> = common.iter().enumerate().map(change).collect();
        changes.sort_by(|a, b| b.change.elo.total_cmp(&a.change.elo).then_with(|| a.engine.cmp(&b.engine)));
        changes
    }
}

/// The ratings of a scope that can be compared, by the engines' names.
struct Named<'a> {
    ratings: JointRatings,
    places: BTreeMap<&'a str, usize>,
}

impl<'a> Named<'a> {
    fn new(scope: &'a Scope) -> Option<Self> {
        let covariance = scope.covariance.as_ref()?;
        let elo_of = |engine: &String| {
            scope.engines.iter().find(|rating| &rating.engine == engine).and_then(|rating| rating.elo)
        };
        let elo = covariance.engines.iter().map(elo_of).collect::<Option<_>>()?;
        Some(Self {
            ratings: JointRatings { elo, ..covariance.ratings.clone() },
            places: covariance
                .engines
                .iter()
                .enumerate()
                .map(|(place, name)| (name.as_str(), place))
                .collect(),
        })
    }

    fn centred_on(&self, names: &[&str]) -> JointRatings {
        let places: Vec<usize> = names.iter().map(|name| self.places[name]).collect();
        self.ratings.centred_on(&places)
    }
}

fn two_sided(difference: Difference, confidence: Confidence) -> f64 {
    let se = difference.standard_error(confidence);
    if se <= 0.0 {
        return 1.0;
    }
    2.0 * probability_below(-(difference.elo / se).abs(), difference.evidence.freedom)
}
