//! Perfect scores: one-sided bounds for engines that won or lost everything against the core.

use super::confidence::Confidence;
use super::fit::Fit;
use super::results::{Outcomes, Pairing};

/// The relation of a component to the core, with the bound of its mean's distance from the core's in natural units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Perfect {
    /// It won all its matches against the core.
    Above(f64),
    /// It lost all its matches against the core.
    Below(f64),
    /// It never met the core.
    NotComparable,
}

/// Clusters with the same matches of an engine of the component against one of the core.
struct Encounter {
    /// The component's engine minus the core's if the shift is 0.
    strength: f64,
    /// Matches in which the component's engine was White, and in which it was Black.
    matches: [f64; 2],
    /// The number of such clusters.
    count: f64,
}

impl Perfect {
    /// The bounds for the engines of `component` relative to those of `core`.
    ///
    /// A cluster is won completely with a probability of at most its mean expected score, however its matches depend
    /// on each other and however many draws there are. So the bound, at which the product of these scores is the error
    /// probability, is exact for any number of clusters.
    pub(super) fn new(
        component: &[usize],
        core: &[usize],
        pairings: &[Pairing],
        fit: &Fit,
        confidence: Confidence,
    ) -> Self {
        let mut encounters = Vec::new();
        let mut points = 0.0;
        let is_of = |engines: &[usize], engine: usize| engines.binary_search(&engine).is_ok();
        for pairing in pairings {
            let is_first = is_of(component, pairing.first) && is_of(core, pairing.second);
            if !(is_first || is_of(core, pairing.first) && is_of(component, pairing.second)) {
                continue;
            }
            let ahead = fit.strengths[pairing.first] - fit.strengths[pairing.second];
            let oriented = |outcomes: Outcomes| if is_first { outcomes } else { outcomes.swapped() };
            points += oriented(pairing.total).result_counts().points();
            encounters.extend(pairing.clusters.iter().map(|kind| {
                let outcomes = oriented(kind.outcomes);
                Encounter {
                    strength: if is_first { ahead } else { -ahead },
                    matches: [outcomes.first_white, outcomes.second_white].map(|cell| cell.matches() as f64),
                    count: f64::from(kind.count),
                }
            }));
        }
        if encounters.is_empty() {
            return Self::NotComparable;
        }
        let is_above = points > 0.0;
        let bound = shift(&encounters, fit, is_above, confidence.tail());
        if is_above { Self::Above(bound) } else { Self::Below(bound) }
    }
}

/// The shift at which the product of the winning side's mean scores is `probability`, by bisection.
fn shift(encounters: &[Encounter], fit: &Fit, is_above: bool, probability: f64) -> f64 {
    const FARTHEST: f64 = 60.0;
    const PRECISION: f64 = 1e-12;
    let ln_probability = |shift: f64| -> f64 {
        let ln = |met: &Encounter| {
            let [white, black] = [1.0, -1.0].map(|sign| {
                let chances = fit.davidson.chances(sign * (met.strength + shift));
                // The winners' score: the component's if it won, the core's otherwise.
                if (sign > 0.0) == is_above { chances.score() } else { chances.swapped().score() }
            });
            let [as_white, as_black] = met.matches;
            met.count * ((as_white * white + as_black * black) / (as_white + as_black)).ln()
        };
        encounters.iter().map(ln).sum()
    };
    let (mut low, mut high) = (-FARTHEST, FARTHEST);
    while high - low > PRECISION {
        let middle = 0.5 * (low + high);
        if (ln_probability(middle) < probability.ln()) == is_above {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MatchResult;
    use crate::results::ClusterKind;

    /// Two engines, all pairs won: the bound is at a score of 0.025^(1/pairs), as that of the pairs themselves.
    #[test]
    fn won_pairs_bound_the_score_exactly() {
        for pairs in [1, 2, 10] {
            let mut outcomes = Outcomes::default();
            outcomes.count(true, MatchResult::WhiteWins);
            outcomes.count(false, MatchResult::BlackWins);
            let mut total = Outcomes::default();
            (0..pairs).for_each(|_| total.add(outcomes));
            let clusters = vec![ClusterKind { outcomes, count: pairs }];
            let pairing = Pairing { clusters, has_clusters: true, ..Pairing::of(0, 1, total) };
            let fit = Fit::new(2, &[]);
            let score = |shift: f64| fit.davidson.chances(shift).score();
            let expected = 0.025_f64.powf(1.0 / f64::from(pairs));
            let pairings = [pairing];
            let bound = |component: usize, core: usize| {
                Perfect::new(&[component], &[core], &pairings, &fit, Confidence::default())
            };
            let (Perfect::Above(low), Perfect::Below(high)) = (bound(0, 1), bound(1, 0)) else { panic!() };
            assert!(
                (score(low) - expected).abs() < 1e-9 && (low + high).abs() < 1e-9,
                "{pairs}: {low} {high}"
            );
        }
    }
}
