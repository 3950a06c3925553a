//! Do the ratings explain every pairing? A chi-squared test of lack of fit. Uses the fit; changes nothing of it.

use super::confidence::chi_squared_above;
use super::estimate::Estimate;
use super::results::Pairing;
use super::standings::{FitQuality, PairingFit};

/// A pairing that makes more than this part of the information on its own difference can't deviate from it.
const MOST_LEVERAGE: f64 = 0.9;

/// Compares every fitted pairing with its expectation.
///
/// X² = Σ (points - expected)² / (φ V), on pairings - (engines - components) degrees of freedom; V is the variance of
/// the points by the model and φ the dispersion that clusters show.
pub(super) fn fit_quality(estimate: &Estimate) -> FitQuality {
    let deviations: Vec<Deviation> =
        estimate.fitted().iter().map(|pairing| Deviation::new(estimate, pairing)).collect();
    let dispersion = estimate.clustered.dispersion.strength;
    let chi_squared: f64 = deviations
        .iter()
        .map(|deviation| deviation.surplus.powi(2) / (dispersion * deviation.variance))
        .sum();
    let fitted = estimate.results.engines.len() - estimate.structure.n_components();
    let freedom = deviations.len().saturating_sub(fitted);
    let unexplained: f64 =
        deviations.iter().map(|deviation| deviation.variance * (1.0 - deviation.leverage) / dispersion).sum();
    let excess = (chi_squared - freedom as f64).max(0.0);
    FitQuality {
        chi_squared,
        freedom,
        p: chi_squared_above(chi_squared, freedom as f64),
        spread: if freedom == 0 { 0.0 } else { estimate.scale.elo((excess / unexplained).sqrt()) },
        pairings: deviations.into_iter().map(|deviation| deviation.pairing_fit(dispersion)).collect(),
    }
}

struct Deviation {
    first: String,
    second: String,
    matches: u64,
    points: f64,
    /// Points less expected points.
    surplus: f64,
    variance: f64,
    leverage: f64,
}

impl Deviation {
    fn new(estimate: &Estimate, pairing: &Pairing) -> Self {
        let fit = &estimate.fit;
        let (mut variance, mut expected) = (0.0, 0.0);
        for (white, black, cell) in pairing.cells() {
            let chances = fit.davidson.chances(fit.strengths[white] - fit.strengths[black]);
            let matches = cell.matches() as f64;
            variance += matches * chances.score_variance();
            expected += if white == pairing.first {
                matches * chances.score()
            } else {
                matches * (1.0 - chances.score())
            };
        }
        let points = pairing.total.result_counts().points();
        Self {
            first: estimate.results.engines[pairing.first].clone(),
            second: estimate.results.engines[pairing.second].clone(),
            matches: pairing.total.matches(),
            points,
            surplus: points - expected,
            variance,
            leverage: variance * fit.difference_variance(pairing.first, pairing.second),
        }
    }

    fn pairing_fit(self, dispersion: f64) -> PairingFit {
        let z = (self.leverage <= MOST_LEVERAGE)
            .then(|| self.surplus / (dispersion * self.variance * (1.0 - self.leverage)).sqrt());
        PairingFit {
            first: self.first,
            second: self.second,
            matches: self.matches,
            points: self.points,
            expected: self.points - self.surplus,
            z,
        }
    }
}
