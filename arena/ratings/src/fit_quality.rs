//! Do the ratings explain every pairing? A chi-squared test of lack of fit. Uses the fit; changes nothing of it.

use super::confidence::{chi_squared_above, probability_below};
use super::direct::direct_los;
use super::estimate::Estimate;
use super::results::Pairing;
use super::standings::{FitQuality, PairingFit};

/// A pairing that makes more than this part of the information on its own difference can't deviate from it.
const MOST_LEVERAGE: f64 = 0.9;

/// Below this chance the ratings are said not to explain the pairings.
pub(super) const SIGNIFICANT: f64 = 0.05;

/// Compares every fitted pairing with its expectation.
///
/// X² = Σ (points - expected)² / (φ V), on pairings - (engines - components) degrees of freedom; V is the variance of
/// the points by the model and φ the dispersion that clusters show. The spread is what variance of the differences, beside
/// the matches' own, would make X² as large: (X² - df) / Σ V (1 - h) / φ, h being the leverage.
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
    let free: f64 = deviations.iter().map(|deviation| deviation.free_variance() / dispersion).sum();
    let p = chi_squared_above(chi_squared, freedom as f64);
    let excess = (chi_squared - freedom as f64).max(0.0);
    FitQuality {
        chi_squared,
        freedom,
        p,
        spread: if free <= 0.0 { 0.0 } else { estimate.scale.elo((excess / free).sqrt()) },
        cycles: if p.is_some_and(|p| p < SIGNIFICANT) { cycles(estimate) } else { Vec::new() },
        pairings: deviations.into_iter().map(|deviation| deviation.pairing_fit(dispersion)).collect(),
    }
}

/// The pairings that no fit of strengths explains: |z| > 3, and among those that Benjamini and Hochberg's procedure
/// keeps at a false discovery rate of 5 % (*Controlling the false discovery rate*, J. R. Statist. Soc. B 57, 1995).
pub(super) fn outliers(fit: &FitQuality) -> Vec<&PairingFit> {
    const LARGE: f64 = 3.0;
    let mut tested: Vec<(f64, &PairingFit)> = fit
        .pairings
        .iter()
        .filter_map(|pairing| Some((2.0 * probability_below(-pairing.z?.abs(), f64::INFINITY), pairing)))
        .collect();
    tested.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n_tested = tested.len() as f64;
    let n_kept = tested
        .iter()
        .enumerate()
        .rposition(|(place, (p, _))| *p <= SIGNIFICANT * (place + 1) as f64 / n_tested)
        .map_or(0, |last| last + 1);
    tested.truncate(n_kept);
    tested
        .into_iter()
        .map(|(_, pairing)| pairing)
        .filter(|pairing| pairing.z.is_some_and(|z| LARGE < z.abs()))
        .collect()
}

/// Triples of engines of which each beats the next by their own matches, each LOS above 0.95; each once, its first engine
/// first.
fn cycles(estimate: &Estimate) -> Vec<[String; 3]> {
    const SURE: f64 = 0.95;
    let names = &estimate.results.engines;
    let mut losers_to = vec![Vec::new(); names.len()];
    for pairing in estimate.fitted() {
        let los = direct_los(estimate, pairing);
        if SURE < los {
            losers_to[pairing.first].push(pairing.second);
        } else if SURE < 1.0 - los {
            losers_to[pairing.second].push(pairing.first);
        }
    }
    let mut cycles = Vec::new();
    for first in 0..names.len() {
        for &second in losers_to[first].iter().filter(|&&second| first < second) {
            for &third in losers_to[second].iter().filter(|&&third| first < third) {
                if losers_to[third].contains(&first) {
                    cycles.push([first, second, third].map(|engine| names[engine].clone()));
                }
            }
        }
    }
    cycles
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

    /// The part of the variance that the fit leaves to the pairing: nothing where it took all, which few matches can do
    /// as the first-player advantage is fitted to them as well.
    fn free_variance(&self) -> f64 {
        self.variance * (1.0 - self.leverage).max(0.0)
    }

    fn pairing_fit(self, dispersion: f64) -> PairingFit {
        let z = (self.leverage <= MOST_LEVERAGE)
            .then(|| self.surplus / (dispersion * self.free_variance()).sqrt());
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
