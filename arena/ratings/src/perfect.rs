//! Perfect scores: one-sided bounds for engines that won or lost everything against the core.

use super::confidence::Confidence;
use super::fit::Fit;
use super::results::{Cell, Pairing};

/// The relation of a component to the core.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Perfect {
    /// It won all its matches against the core.
    Above(Shift),
    /// It lost all its matches against the core.
    Below(Shift),
    /// It never met the core.
    NotComparable,
}

/// The distance of the component's mean from the core's, in natural units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift {
    /// The results have a probability of one half: a median-unbiased estimate.
    pub median: f64,
    /// The results have the one-sided error probability of the confidence level.
    pub bound: f64,
}

/// A cell between the component and the core.
struct Encounter {
    /// White's strength minus Black's if the shift is 0.
    strength: f64,
    /// 1 if White is in the component, -1 if Black is.
    sign: f64,
    cell: Cell,
}

impl Perfect {
    /// The estimates for the engines of `component` relative to those of `core`.
    pub(super) fn new(
        component: &[usize],
        core: &[usize],
        pairings: &[Pairing],
        fit: &Fit,
        confidence: Confidence,
    ) -> Self {
        let encounters = encounters(component, core, pairings, fit);
        let points: f64 = encounters.iter().map(Encounter::points).sum();
        if encounters.is_empty() {
            return Self::NotComparable;
        }
        let [median, bound] =
            [0.5, confidence.tail()].map(|probability| shift(&encounters, fit, probability));
        if 0.0 < points { Self::Above(Shift { median, bound }) } else { Self::Below(Shift { median, bound }) }
    }
}

impl Encounter {
    /// The component's points.
    fn points(&self) -> f64 {
        if 0.0 < self.sign { self.cell.points() } else { self.cell.matches() as f64 - self.cell.points() }
    }
}

fn encounters(component: &[usize], core: &[usize], pairings: &[Pairing], fit: &Fit) -> Vec<Encounter> {
    let is_of = |engines: &[usize], engine: usize| engines.binary_search(&engine).is_ok();
    pairings
        .iter()
        .flat_map(Pairing::cells)
        .filter(|(_, _, cell)| cell.matches() != 0)
        .filter_map(|(white, black, cell)| {
            let sign = if is_of(component, white) && is_of(core, black) {
                1.0
            } else if is_of(core, white) && is_of(component, black) {
                -1.0
            } else {
                return None;
            };
            Some(Encounter { strength: fit.strengths[white] - fit.strengths[black], sign, cell })
        })
        .collect()
}

/// The shift at which the encounters' results have `probability`, by bisection: their probability is increasing (all
/// won) or decreasing (all lost).
fn shift(encounters: &[Encounter], fit: &Fit, probability: f64) -> f64 {
    const FARTHEST: f64 = 60.0;
    const PRECISION: f64 = 1e-12;
    let ln_probability = |shift: f64| -> f64 {
        encounters
            .iter()
            .map(|met| fit.davidson.ln_likelihood(met.strength + met.sign * shift, met.cell))
            .sum()
    };
    let is_rising = ln_probability(-FARTHEST) < ln_probability(FARTHEST);
    let (mut low, mut high) = (-FARTHEST, FARTHEST);
    while PRECISION < high - low {
        let middle = 0.5 * (low + high);
        if (ln_probability(middle) < probability.ln()) == is_rising {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
