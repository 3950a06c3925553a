//! P(stronger): the probability that one engine is stronger than another, if the differences between the engines of a pool
//! are like each other. It computes probabilities from ratings and their joint covariance.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use nalgebra::DMatrix;

use super::confidence::probability_below;

/// The number of normal distributions that the distribution of differences is a mixture of.
const SCALES: usize = 20;
/// The smallest standard deviation, Elo; each next one is √2 times as large.
const LEAST_SCALE: f64 = 2.5;
/// The scale of the half-Cauchy prior of the mixture, Elo: 50 for a strength, √2 times that for a difference.
const PRIOR_SCALE: f64 = 50.0 * std::f64::consts::SQRT_2;
/// With more engines, the mixture is fitted to a sample of their pairs.
const MOST_ENGINES: usize = 200;
/// The number of pairs of this sample.
const SAMPLE: usize = 20_000;
/// Elo²: the minimum variance of a difference.
const LEAST_VARIANCE: f64 = 1e-12;

/// The distribution of the differences in strength between the engines of one pool: a mixture of normal distributions
/// around 0, fitted to all differences of the ratings (adaptive shrinkage: M. Stephens, *False discovery rates: a new
/// deal*, Biostatistics 18, 2017).
///
/// Close ratings are shrunk towards each other as far as the other differences of the table suggest, which a p-value does
/// not do. Unlike one normal population, a mixture is not misled by one engine that is far away.
pub(super) struct Strengths {
    elo: Vec<f64>,
    covariance: DMatrix<f64>,
    /// The share of each scale.
    shares: [f64; SCALES],
}

impl Strengths {
    /// From ratings and their covariance. `None` for fewer than two engines.
    pub(super) fn new(elo: &[f64], covariance: DMatrix<f64>) -> Option<Self> {
        let n = elo.len();
        if n < 2 {
            return None;
        }
        let mut strengths = Self { elo: elo.to_vec(), covariance, shares: prior() };
        let rows: Vec<[f64; SCALES]> = if n <= MOST_ENGINES {
            let pairs = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
            pairs.map(|(one, other)| strengths.densities(one, other)).collect()
        } else {
            let mut generator = ChaCha8Rng::seed_from_u64(5);
            let mut below =
                |most: usize| ((u64::from(generator.next_u32()) * most as u64) >> u32::BITS) as usize;
            let mut pair = || {
                let (one, other) = (below(n), below(n - 1));
                (one, if other < one { other } else { other + 1 })
            };
            (0..SAMPLE).map(|_| pair()).map(|(one, other)| strengths.densities(one, other)).collect()
        };
        strengths.shares = fitted(&rows, n);
        Some(strengths)
    }

    /// The probability that the engine at `one` is stronger than that at `other`.
    pub(super) fn is_stronger(&self, one: usize, other: usize) -> f64 {
        let (difference, variance) = self.difference(one, other);
        let densities = self.densities(one, other);
        let weights: [f64; SCALES] = std::array::from_fn(|k| self.shares[k] * densities[k]);
        let total: f64 = weights.iter().sum();
        let part = |(weight, square): (&f64, f64)| {
            let z = difference * (square / (variance * (square + variance))).sqrt();
            weight / total * probability_below(z, f64::INFINITY)
        };
        weights.iter().zip(squares()).map(part).sum::<f64>().clamp(0.0, 1.0)
    }

    /// The difference of two ratings, and its variance.
    fn difference(&self, one: usize, other: usize) -> (f64, f64) {
        let covariance = &self.covariance;
        let variance = covariance[(one, one)] + covariance[(other, other)] - 2.0 * covariance[(one, other)];
        (self.elo[one] - self.elo[other], variance.max(LEAST_VARIANCE))
    }

    /// The density of the observed difference for each scale, up to a common factor.
    fn densities(&self, one: usize, other: usize) -> [f64; SCALES] {
        let (difference, variance) = self.difference(one, other);
        let mut logarithms = [0.0; SCALES];
        for (logarithm, square) in logarithms.iter_mut().zip(squares()) {
            let sum = square + variance;
            *logarithm = -0.5 * (sum.ln() + difference * difference / sum);
        }
        let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        logarithms.map(|logarithm| (logarithm - largest).exp())
    }
}

/// The squares of the scales.
fn squares() -> impl Iterator<Item = f64> {
    let first = LEAST_SCALE * LEAST_SCALE;
    std::iter::successors(Some(first), |square| Some(2.0 * square)).take(SCALES)
}

/// The mass of the half-Cauchy distribution around each scale, up to the geometric midpoints between neighbours.
fn prior() -> [f64; SCALES] {
    let below = |scale: f64| (scale / PRIOR_SCALE).atan() / std::f64::consts::FRAC_PI_2;
    std::array::from_fn(|k| {
        let scale = LEAST_SCALE * 2f64.powf(0.5 * k as f64);
        let low = if k == 0 { 0.0 } else { below(scale / 2f64.powf(0.25)) };
        let high = if k + 1 == SCALES { 1.0 } else { below(scale * 2f64.powf(0.25)) };
        high - low
    })
}

/// The most likely shares of the scales, by the EM algorithm. The differences of `n_engines` engines count as one less than
/// their number, because they are not independent.
fn fitted(rows: &[[f64; SCALES]], n_engines: usize) -> [f64; SCALES] {
    const MOST_STEPS: usize = 500;
    const TOLERANCE: f64 = 1e-6;
    const LANES: usize = 4;
    const { assert!(SCALES.is_multiple_of(LANES)) };
    let prior = prior();
    let weight = (n_engines - 1) as f64 / rows.len() as f64;
    let mut shares = prior;
    for _ in 0..MOST_STEPS {
        let mut sums = [0.0; SCALES];
        for row in rows {
            // In lanes, because one sum would wait for each addition.
            let mut lanes = [0.0; LANES];
            for (densities, shares) in row.chunks_exact(LANES).zip(shares.chunks_exact(LANES)) {
                for (lane, (density, share)) in lanes.iter_mut().zip(densities.iter().zip(shares)) {
                    *lane += density * share;
                }
            }
            let inverse = 1.0 / lanes.iter().sum::<f64>();
            for (sum, density) in sums.iter_mut().zip(row) {
                *sum += inverse * density;
            }
        }
        let mut next: [f64; SCALES] = std::array::from_fn(|k| weight * shares[k] * sums[k] + prior[k]);
        let total: f64 = next.iter().sum();
        next = next.map(|share| share / total);
        let change = next.iter().zip(&shares).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        shares = next;
        if change < TOLERANCE {
            break;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Independent ratings with this error.
    fn strengths(elo: &[f64], error: f64) -> Strengths {
        Strengths::new(elo, DMatrix::from_diagonal_element(elo.len(), elo.len(), error * error)).unwrap()
    }

    #[test]
    fn equal_ratings_favour_nobody_and_the_sides_are_symmetric() {
        let two = |elo: f64| strengths(&[elo, -elo], 10.0).is_stronger(0, 1);
        assert!((two(0.0) - 0.5).abs() < 1e-12);
        assert!((two(20.0) + two(-20.0) - 1.0).abs() < 1e-12);
        assert!(two(10.0) < two(20.0) && two(300.0) > 0.999);
    }

    /// It is less extreme than 1 minus the p-value.
    #[test]
    fn close_ratings_are_drawn_together() {
        let by_p_value = probability_below(40.0 / (10.0 * 2f64.sqrt()), f64::INFINITY);
        let two = strengths(&[20.0, -20.0], 10.0).is_stronger(0, 1);
        assert!(two < by_p_value - 0.002, "{two} {by_p_value}");
    }

    /// One engine far away says little about the differences between the others.
    #[test]
    fn an_outlier_does_not_make_equals_differ() {
        let mut elo: Vec<f64> = (0..8).map(|engine| 25.0 * f64::from(engine % 3 - 1)).collect();
        let equals = strengths(&elo, 25.0).is_stronger(2, 0);
        elo[7] = -1500.0;
        let with_outlier = strengths(&elo, 25.0).is_stronger(2, 0);
        assert!(equals < 0.85 && with_outlier < 0.87, "{equals} {with_outlier}");
    }

    #[test]
    fn the_prior_is_a_distribution() {
        assert!((prior().iter().sum::<f64>() - 1.0).abs() < 1e-12 && prior().iter().all(|&mass| mass > 0.0));
    }

    /// Hundreds of engines take a sample of their pairs, which gives about the same shares.
    #[test]
    fn many_engines_are_a_sample() {
        let elo = |n: i32| -> Vec<f64> { (0..n).map(|it| f64::from(it * 37 % 101) * 4.0).collect() };
        let [all, sampled] = [200, 202].map(|n| strengths(&elo(n), 25.0).is_stronger(3, 60));
        assert!((all - sampled).abs() < 0.01, "{all} {sampled}");
    }
}
