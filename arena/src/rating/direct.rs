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
