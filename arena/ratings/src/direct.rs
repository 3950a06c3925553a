//! What a pairing's own matches say of who is stronger, the ratings apart. A score test; needs the game's first-player
//! advantage and draws, no strengths.

use super::confidence::probability_below;
use super::covariance::{PSEUDO_CLUSTERS, strength_residual};
use super::estimate::Estimate;
use super::results::Pairing;

/// The likelihood that the first engine of `pairing` is superior by their own matches: Student's t of the residuals that
/// equal engines would leave, summed over clusters, each cluster's variance a blend of what it shows and the model's.
pub(super) fn direct_los(estimate: &Estimate, pairing: &Pairing) -> f64 {
    let equals = estimate.fit.davidson.chances(0.0);
    let dispersion = estimate.clustered.dispersion.strength;
    let clusters = pairing.n_clusters() as f64;
    let weight = clusters / (clusters + PSEUDO_CLUSTERS);
    let (mut surplus, mut variance) = (0.0, 0.0);
    for kind in &pairing.clusters {
        let (residual, modelled) = strength_residual(&kind.outcomes, equals);
        surplus += f64::from(kind.count) * residual;
        variance +=
            f64::from(kind.count) * (weight * residual * residual + (1.0 - weight) * dispersion * modelled);
    }
    if variance <= 0.0 {
        return 0.5;
    }
    probability_below(surplus / variance.sqrt(), clusters - 1.0 + PSEUDO_CLUSTERS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MatchResult::{self, BlackWins, Draw, WhiteWins};
    use crate::confidence::Confidence;
    use crate::tally::{FinishedMatch, Tally};

    /// The LOS of A over B in swapped pairs, each given by A's result as White and as Black.
    fn los(pairs: &[(MatchResult, MatchResult)]) -> f64 {
        let mut tally = Tally::new();
        for (number, &(as_white, as_black)) in pairs.iter().enumerate() {
            let pair = number.to_string();
            for (white, black, result) in [("A", "B", as_white), ("B", "A", as_black)] {
                let played =
                    FinishedMatch { pair: Some(&pair), ..FinishedMatch::new("push", white, black, result) };
                tally.add(&played).unwrap();
            }
        }
        let estimate = Estimate::new(tally.results().remove(0), Confidence::default());
        direct_los(&estimate, &estimate.results.pairings[0])
    }

    #[test]
    fn level_pairs_favour_nobody() {
        assert!((los(&[(WhiteWins, WhiteWins), (BlackWins, BlackWins), (Draw, Draw)]) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn who_wins_more_is_favoured_and_the_sides_are_symmetric() {
        let ahead = los(&[(WhiteWins, BlackWins), (WhiteWins, Draw), (WhiteWins, WhiteWins)]);
        let behind = los(&[(BlackWins, WhiteWins), (BlackWins, Draw), (BlackWins, BlackWins)]);
        assert!(0.8 < ahead && ahead < 1.0, "{ahead}");
        assert!((ahead + behind - 1.0).abs() < 1e-6, "{ahead} {behind}");
    }
}
