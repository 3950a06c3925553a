//! Compares the ratings of engines that are in two runs. It uses standings and fits nothing.

use serde::Serialize;

use super::confidence::Confidence;
use super::holm::holm;
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
        let mut scopes: Vec<ScopeChanges> = scopes.collect();
        mark_significant(&mut scopes);
        Self { scopes, old: old.0.to_owned(), new: new.0.to_owned(), confidence, notes: Vec::new() }
    }
}

/// Marks the changes that are significant for all engines and games together. With one game, `overall` repeats it.
fn mark_significant(scopes: &mut [ScopeChanges]) {
    let n_tested = if scopes.len() == 2 { 1 } else { scopes.len() };
    let changes = || scopes.iter().take(n_tested).flat_map(|scope| &scope.engines);
    let mut significant = holm(&changes().map(|change| change.p).collect::<Vec<f64>>());
    if n_tested < scopes.len() {
        significant.extend_from_within(..);
    }
    for (change, is_significant) in scopes.iter_mut().flat_map(|scope| &mut scope.engines).zip(significant) {
        change.is_significant = is_significant && !change.change.is_few;
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
