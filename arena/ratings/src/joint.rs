//! Ratings on one scale with their joint error: intervals, differences, chances of superiority. In Elo; knows no match.

use nalgebra::DMatrix;

use super::confidence::probability_below;
use super::intervals::{Evidence, Intervals};
use super::scale::Scale;

/// Ratings that can be compared with each other.
#[derive(Clone, Debug)]
pub(super) struct JointRatings {
    /// The engines' indices, ascending; all else is in their order.
    pub engines: Vec<usize>,
    /// The ratings; their mean is 0.
    pub elo: Vec<f64>,
    /// The ratings' covariance, Elo².
    pub covariance: DMatrix<f64>,
    /// What each rating's error rests on.
    pub evidence: Vec<Evidence>,
}

/// How much one engine is rated above another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub elo: f64,
    pub standard_error: f64,
    pub evidence: Evidence,
}

impl JointRatings {
    /// The ratings of `engines` relative to their mean, from strengths and a covariance by (θ.., α, δ).
    ///
    /// With R = K·g·(θ - mean θ), the derivatives are K·g·(e_i - 1/n) by θ and -R·d0 by δ.
    pub(super) fn new(
        engines: Vec<usize>,
        strengths: &[f64],
        scale: Scale,
        covariance: &DMatrix<f64>,
        evidence: Vec<Evidence>,
    ) -> Self {
        let n = engines.len();
        let mean = engines.iter().map(|&engine| strengths[engine]).sum::<f64>() / n as f64;
        let elo: Vec<f64> = engines.iter().map(|&engine| scale.elo(strengths[engine] - mean)).collect();
        let delta = strengths.len() + 1;
        let mut jacobian = DMatrix::zeros(n, strengths.len() + 2);
        for row in 0..n {
            for &engine in &engines {
                jacobian[(row, engine)] = -scale.elo_per_unit / n as f64;
            }
            jacobian[(row, engines[row])] += scale.elo_per_unit;
            jacobian[(row, delta)] = scale.slope_with_draw(elo[row]);
        }
        let covariance = &jacobian * covariance * jacobian.transpose();
        Self { engines, elo, covariance, evidence }
    }

    /// The same ratings of a part of the engines, given by their places here, relative to that part's mean.
    pub(super) fn centred_on(&self, places: &[usize]) -> Self {
        let n = places.len() as f64;
        let elo: Vec<f64> = places.iter().map(|&place| self.elo[place]).collect();
        let mean = elo.iter().sum::<f64>() / n;
        let part = DMatrix::from_fn(places.len(), places.len(), |row, column| {
            self.covariance[(places[row], places[column])]
        });
        let row_means: Vec<f64> = part.row_iter().map(|row| row.sum() / n).collect();
        let whole_mean = row_means.iter().sum::<f64>() / n;
        let covariance = DMatrix::from_fn(places.len(), places.len(), |row, column| {
            part[(row, column)] - row_means[row] - row_means[column] + whole_mean
        });
        Self {
            engines: places.iter().map(|&place| self.engines[place]).collect(),
            elo: elo.iter().map(|elo| elo - mean).collect(),
            covariance,
            evidence: places.iter().map(|&place| self.evidence[place]).collect(),
        }
    }

    /// The place of `engine` here, if it is rated.
    pub(super) fn place_of(&self, engine: usize) -> Option<usize> {
        self.engines.binary_search(&engine).ok()
    }

    /// The standard error of the rating at `place`.
    pub(super) fn standard_error(&self, place: usize) -> f64 {
        self.covariance[(place, place)].max(0.0).sqrt()
    }

    /// How much the engine at `place` is rated above that at `other`.
    pub(super) fn difference(&self, place: usize, other: usize) -> Difference {
        let covariance = &self.covariance;
        let variance =
            covariance[(place, place)] + covariance[(other, other)] - 2.0 * covariance[(place, other)];
        Difference {
            elo: self.elo[place] - self.elo[other],
            standard_error: variance.max(0.0).sqrt(),
            evidence: self.evidence[place].less(self.evidence[other]),
        }
    }
}

impl Difference {
    /// Whether it is above 0 for sure.
    pub(super) fn is_sure(self, intervals: Intervals) -> bool {
        intervals.half_width(self.evidence).is_some_and(|width| width * self.standard_error < self.elo)
    }

    /// The likelihood of superiority: one less the one-sided p-value of being no stronger. Not a posterior probability.
    pub(super) fn los(self) -> f64 {
        if self.standard_error <= 0.0 {
            return 0.5;
        }
        probability_below(self.elo / self.standard_error, self.evidence.freedom)
    }
}
