//! Series of checkpoints for the page's templates: differences with their intervals. It estimates nothing.

use super::axis::Axis;
use super::whisker::{Whisker, whisker};
use super::words::with_error;
use ratings::{RatingDifference, Series, Standings, checkpoints};

/// A series in one scope.
#[derive(Debug)]
pub struct SeriesView {
    /// The first checkpoint.
    pub first: String,
    /// The scale of the drawings.
    pub axis: Axis,
    /// The later ones, in their order.
    pub steps: Vec<StepView>,
    /// Checkpoints without a rating, in words.
    pub unrated: Option<String>,
}

/// One checkpoint.
#[derive(Debug)]
pub struct StepView {
    /// Its name.
    pub engine: String,
    /// Its rating minus that of the first one, and minus that of the previous one.
    pub differences: [DifferenceView; 2],
}

/// One difference.
#[derive(Debug)]
pub struct DifferenceView {
    /// With its interval.
    pub text: String,
    /// Where it is drawn.
    pub whisker: Whisker,
}

/// The series of all engines whose names differ only in a number, in every scope.
pub fn all(standings: &Standings) -> Vec<Series> {
    let Some(scope) = standings.scopes.first() else { return Vec::new() };
    let names = scope.engines.iter().map(|rating| rating.engine.as_str());
    checkpoints(names).iter().flat_map(|engines| Series::of(standings, engines)).collect()
}

impl SeriesView {
    /// The view of `series`.
    pub fn new(series: &Series) -> Self {
        let differences = series.steps.iter().flat_map(|step| [step.since_first, step.since_previous]);
        let axis = Axis::around(differences.flat_map(|it| [it.low, it.high]));
        let view = |it: RatingDifference| DifferenceView {
            text: with_error(it.elo, 0.5 * (it.high - it.low)),
            whisker: whisker([Some(it.low), Some(it.elo), Some(it.high)], &axis),
        };
        let step = |step: &ratings::SeriesStep| StepView {
            engine: step.engine.clone(),
            differences: [step.since_first, step.since_previous].map(view),
        };
        Self {
            first: series.first.clone(),
            steps: series.steps.iter().map(step).collect(),
            unrated: (!series.unrated.is_empty())
                .then(|| format!("No interval: {}", series.unrated.join(", "))),
            axis,
        }
    }
}
