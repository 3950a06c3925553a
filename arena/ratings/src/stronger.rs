//! P(stronger): the probability that one engine is stronger than another, if the strengths of a pool are normally
//! distributed. It computes probabilities from ratings and their joint covariance.

use nalgebra::{DMatrix, DVector};

use super::confidence::probability_below;
use super::meta_analysis::contrasts_of;

/// With more engines, the matrices take seconds.
pub(super) const MOST_ENGINES: usize = 500;
/// The scale of the spread's prior, a half-Cauchy distribution, Elo.
const PRIOR_SCALE: f64 = 50.0;
/// The number of equally likely spreads.
const POINTS: usize = 200;
/// Spreads with a smaller probability are ignored.
const LEAST_WEIGHT: f64 = 1e-12;
/// Elo²: the minimum variance of a difference.
const LEAST_VARIANCE: f64 = 1e-12;

/// The distribution of the strengths of one pool's engines.
///
/// Ratings y ~ N(strengths, C), strengths ~ N(unknown mean, τ²), τ half-Cauchy. Close ratings are shrunk towards each
/// other as far as their errors allow, which a p-value does not do.
pub(super) struct Strengths {
    /// E = QᵀU: from independent contrasts to engines.
    basis: DMatrix<f64>,
    /// By likely spread.
    points: Vec<Point>,
}

struct Point {
    weight: f64,
    /// The remaining variances of the contrasts, Elo².
    open: DVector<f64>,
    /// Expected strengths, Elo.
    means: DVector<f64>,
}

impl Strengths {
    /// From ratings and their covariance. `None` for fewer than two engines, and for too many.
    pub(super) fn new(elo: &[f64], covariance: &DMatrix<f64>) -> Option<Self> {
        if elo.len() < 2 || MOST_ENGINES < elo.len() {
            return None;
        }
        let contrasts = contrasts_of(elo.len());
        let eigen = (&contrasts * covariance * contrasts.transpose()).symmetric_eigen();
        let variances = eigen.eigenvalues.map(|variance| variance.max(0.0));
        let turned = eigen.eigenvectors.tr_mul(&contrasts);
        let observed = &turned * DVector::from_column_slice(elo);
        let basis = turned.transpose();
        let spreads: Vec<f64> = (0..POINTS)
            .map(|point| {
                let angle = std::f64::consts::PI * (point as f64 + 0.5) / (2.0 * POINTS as f64);
                (PRIOR_SCALE * angle.tan()).powi(2)
            })
            .collect();
        let likelihoods: Vec<f64> = spreads
            .iter()
            .map(|spread| {
                let terms = observed.iter().zip(&variances);
                -0.5 * terms.map(|(z, w)| (w + spread).ln() + z * z / (w + spread)).sum::<f64>()
            })
            .collect();
        let largest = likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = likelihoods.iter().map(|likelihood| (likelihood - largest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let points = weights
            .iter()
            .zip(spreads)
            .map(|(weight, spread)| (weight / sum, spread))
            .filter(|&(weight, _)| LEAST_WEIGHT <= weight)
            .map(|(weight, spread)| {
                let shrunk = observed.zip_map(&variances, |z, w| spread / (w + spread) * z);
                let open = variances.map(|w| spread * w / (w + spread));
                Point { weight, open, means: &basis * shrunk }
            })
            .collect();
        Some(Self { basis, points })
    }

    /// The probability that the engine at `one` is stronger than that at `other`.
    pub(super) fn is_stronger(&self, one: usize, other: usize) -> f64 {
        let squares = (self.basis.row(one) - self.basis.row(other)).map(|part| part * part);
        let probability = |point: &Point| {
            let Point { weight, open, means } = point;
            let variance = (&squares * open)[(0, 0)];
            let difference = means[one] - means[other];
            weight * probability_below(difference / variance.max(LEAST_VARIANCE).sqrt(), f64::INFINITY)
        };
        self.points.iter().map(probability).sum::<f64>().clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(elo: f64, error: f64) -> f64 {
        let covariance = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]) * (error * error);
        Strengths::new(&[elo, -elo], &covariance).unwrap().is_stronger(0, 1)
    }

    #[test]
    fn equal_ratings_favour_nobody_and_the_sides_are_symmetric() {
        assert!((two(0.0, 10.0) - 0.5).abs() < 1e-12);
        assert!((two(20.0, 10.0) + two(-20.0, 10.0) - 1.0).abs() < 1e-12);
        assert!(two(10.0, 10.0) < two(20.0, 10.0));
    }

    /// It is less extreme than 1 minus the p-value.
    #[test]
    fn close_ratings_are_drawn_together() {
        let by_p_value = probability_below(2.0, f64::INFINITY);
        assert!(two(20.0, 10.0) < by_p_value - 0.01, "{} {by_p_value}", two(20.0, 10.0));
        assert!(0.999 < two(300.0, 10.0));
    }
}
