//! Perfect scores: what can be said of engines that won or lost everything against the core. One-sided bounds, no error
//! that pretends to know more.

use super::confidence::Confidence;
use super::fit::Fit;
use super::results::{Cell, Pairing};

/// Where a component outside the core stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Perfect {
    /// It won all its matches against the core.
    Above(Shift),
    /// It lost all its matches against the core.
    Below(Shift),
    /// It never met the core.
    NotComparable,
}

/// How far the component's mean is from the core's, natural units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift {
    /// The results had one chance in two: an estimate that is too high as often as too low.
    pub median: f64,
    /// The results had the chance that confidence leaves on one side.
    pub bound: f64,
}

/// A cell between the component and the core.
struct Encounter {
    /// White's strength less Black's when the shift is 0.
    strength: f64,
    /// 1 when White is of the component, -1 when Black is.
    sign: f64,
    cell: Cell,
}

impl Perfect {
    /// Where the engines of `component` stand beside those of `core`.
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

/// The shift at which the encounters' results have `probability`: by bisection, as their chance only rises (all won) or
/// only falls (all lost).
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
