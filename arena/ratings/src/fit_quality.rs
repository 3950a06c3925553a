//! Checks whether the ratings explain every pairing: a test of lack of fit (by chi-squared or simulation), outliers,
//! and cycles. It does not change the fit.

use super::confidence::{chi_squared_above, probability_quantile};
use super::estimate::{Estimate, FitInformation};
use super::fit_simulation::{Simulated, simulate};
use super::head_to_head::los;
use super::holm::holm;
use super::results::Pairing;
use super::standings::{FitMethod, FitQuality, PairingFit};

/// A pairing with more than this share of the information on its own difference cannot deviate from it, ...
const MOST_LEVERAGE: f64 = 0.999;
/// ... and with more than this share, it deviates too easily to be named.
const MOST_NAMED: f64 = 0.9;
/// Chi-squared is inaccurate if a side of a pairing expects fewer points than this ...
const FEW_POINTS: f64 = 5.0;
/// ... and replaced by a simulation if its p-value is below this.
const DOUBTFUL: f64 = 0.2;

/// Compares every fitted pairing with its expectation.
///
/// X² = Σ (points - expected)² / (φ V), on pairings - (engines - components) degrees of freedom; V is the variance of
/// the points by the model and φ the dispersion of the clusters. The spread is the variance of the differences that, in
/// addition to the variance of the matches, explains X²: (X² - df) / Σ V (1 - h) / φ, where h is the leverage.
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
    let excess = (chi_squared - freedom as f64).max(0.0);
    let z: Vec<Option<f64>> = deviations.iter().map(|deviation| deviation.z(dispersion)).collect();
    let test = Test::new(estimate, &deviations, &z, chi_squared, freedom);
    let pairings =
        deviations.into_iter().zip(z).map(|(deviation, z)| deviation.pairing_fit(z, test.named_from));
    FitQuality {
        chi_squared,
        freedom,
        p: test.p,
        method: test.method,
        spread: if free <= 0.0 { 0.0 } else { estimate.scale.elo((excess / free).sqrt()) },
        named_from: test.named_from,
        cycles: cycles(estimate),
        pairings: pairings.collect(),
    }
}

/// The p-value, and the limit above which a pairing is named.
struct Test {
    p: Option<f64>,
    method: FitMethod,
    named_from: f64,
}

impl Test {
    fn new(
        estimate: &Estimate,
        deviations: &[Deviation],
        z: &[Option<f64>],
        chi_squared: f64,
        freedom: usize,
    ) -> Self {
        let p = chi_squared_above(chi_squared, freedom as f64);
        // Without information about strength, no pairing can deviate from it.
        let is_tested = estimate.verdict == FitInformation::Regular;
        let n_tested =
            if is_tested { deviations.iter().filter(|it| it.can_be_named()).count().max(1) } else { 1 };
        // One of twenty tables without a lack of fit has such a deviation in some pairing.
        let named_from = probability_quantile(0.5 + 0.5 * 0.95f64.powf(1.0 / n_tested as f64));
        let is_rough = deviations.iter().any(Deviation::is_rough);
        let stands_out = |(z, it): (&Option<f64>, &Deviation)| {
            it.can_be_named() && z.is_some_and(|z| z.abs() > named_from)
        };
        let is_doubtful = p.is_some_and(|p| p < DOUBTFUL) || z.iter().zip(deviations).any(stands_out);
        if !(is_rough && is_doubtful) {
            return Self { p, method: FitMethod::ChiSquared, named_from };
        }
        let Simulated { p, named_from } = simulate(estimate, chi_squared, MOST_NAMED);
        Self { p: Some(p).filter(|_| 0 < freedom), method: FitMethod::Simulated, named_from }
    }
}

/// Triples of engines of which each beats the next by their own pairs, and the last one the first; each once, beginning
/// with its first engine. The tests are at 5 % for all pairings of the game together.
pub(super) fn cycles(estimate: &Estimate) -> Vec<[String; 3]> {
    let names = &estimate.results.engines;
    let pairs: Vec<(&Pairing, f64)> = estimate
        .results
        .pairings
        .iter()
        .filter_map(|pairing| {
            let scores = pairing.scores();
            (scores.n() != 0.0).then(|| (pairing, los(&scores)))
        })
        .collect();
    let p: Vec<f64> = pairs.iter().map(|&(_, los)| 2.0 * los.min(1.0 - los)).collect();
    let mut losers_to = vec![Vec::new(); names.len()];
    for (&(pairing, los), is_sure) in pairs.iter().zip(holm(&p)) {
        if !is_sure {
            continue;
        }
        if 0.5 < los {
            losers_to[pairing.first].push(pairing.second);
        } else {
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
    /// Points minus expected points.
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

    /// Whether a side expects few points.
    fn is_rough(&self) -> bool {
        let expected = self.points - self.surplus;
        expected.min(self.matches as f64 - expected) < FEW_POINTS
    }

    /// The share of the variance that the fit leaves to the pairing. It is 0 if the fit uses all of it, which few
    /// matches can cause because the first-player advantage is fitted to them as well.
    fn free_variance(&self) -> f64 {
        self.variance * (1.0 - self.leverage).max(0.0)
    }

    /// The deviation in standard errors. `None` if the pairing alone determines the ratings, so that it cannot deviate.
    fn z(&self, dispersion: f64) -> Option<f64> {
        (self.leverage < MOST_LEVERAGE).then(|| self.surplus / (dispersion * self.free_variance()).sqrt())
    }

    fn can_be_named(&self) -> bool {
        self.leverage < MOST_NAMED
    }

    fn pairing_fit(self, z: Option<f64>, named_from: f64) -> PairingFit {
        PairingFit {
            first: self.first,
            second: self.second,
            matches: self.matches,
            points: self.points,
            expected: self.points - self.surplus,
            z,
            is_named: self.leverage < MOST_NAMED && z.is_some_and(|z| z.abs() > named_from),
        }
    }
}
