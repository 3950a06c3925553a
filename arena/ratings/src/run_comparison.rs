//! Compares the ratings of engines that are in two runs. It uses standings and fits nothing.

use serde::Serialize;

use super::confidence::Confidence;
use super::rating_difference::RatingChange;
use super::standings::{Scope, Standings};

/// The ratings of a run compared with those of an older run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunComparison {
    /// The name of the old run.
    pub old: String,
    /// The name of the new run.
    pub new: String,
    /// The confidence level of all intervals.
    pub confidence: Confidence,
    /// `overall` first, then the games of both runs by name. If there is only one game, `overall` has the same
    /// content.
    pub scopes: Vec<ScopeChanges>,
    /// Remarks about the input, as text.
    pub notes: Vec<String>,
}

/// The changes in one game, or overall.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScopeChanges {
    /// [`super::OVERALL`] or the game's id.
    pub name: String,
    /// The engines with a two-sided rating in both runs, the greatest rise first. Empty for fewer than two engines.
    pub engines: Vec<RatingChange>,
    /// Engines of both runs without a two-sided rating in one of them, by name.
    pub unrated: Vec<String>,
}

impl RunComparison {
    /// Compares the scopes that both standings have. The runs must not share matches, because their errors must be
    /// independent. Their games must be the same, otherwise `overall` has a different meaning in each.
    pub fn new([old, new]: [(&str, &Standings); 2], confidence: Confidence) -> Self {
        let scopes = old.1.scopes.iter().filter_map(|scope| {
            let other = new.1.scopes.iter().find(|other| other.name == scope.name)?;
            Some(ScopeChanges::between(scope, other, confidence))
        });
        Self {
            scopes: scopes.collect(),
            old: old.0.to_owned(),
            new: new.0.to_owned(),
            confidence,
            notes: Vec::new(),
        }
    }
}

impl ScopeChanges {
    fn between(old: &Scope, new: &Scope, confidence: Confidence) -> Self {
        let engines = RatingChange::between(old, new, confidence);
        let is_in = |scope: &Scope, name: &str| scope.engines.iter().any(|rating| rating.engine == name);
        let mut unrated: Vec<String> = old
            .engines
            .iter()
            .map(|rating| &rating.engine)
            .filter(|name| is_in(new, name) && engines.iter().all(|change| &change.engine != *name))
            .cloned()
            .collect();
        unrated.sort_unstable();
        Self { name: old.name.clone(), engines, unrated }
    }
}
