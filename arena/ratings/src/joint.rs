//! Ratings on one scale with their joint error: intervals, differences, LOS. All numbers are in Elo.

use nalgebra::DMatrix;

use super::confidence::{Confidence, probability_below};
use super::intervals::{Evidence, Intervals, Variance};
use super::scale::Scale;
use super::shared_openings::OpeningCovariance;
use super::stronger::Strengths;

/// Ratings that can be compared with each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JointRatings {
    /// The engines' indices, ascending; all other data are in this order.
    pub engines: Vec<usize>,
    /// The ratings; their mean is 0.
    pub elo: Vec<f64>,
    /// The ratings' covariance by pairs, Elo².
    pub covariance: DMatrix<f64>,
    /// The same by openings, if pairings share some.
    pub by_opening: Option<OpeningCovariance>,
    /// The degrees of freedom and the clusters of each rating's error.
    pub evidence: Vec<Evidence>,
    /// The ratio of the variances by openings to those by pairs, for all ratings of the game together; at least 1.
    pub inflation: f64,
}

/// The difference of two ratings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub elo: f64,
    pub variance: Variance,
    pub evidence: Evidence,
}

/// Covariances by (θ.., α, δ).
#[derive(Clone, Copy)]
pub(super) struct ParameterCovariance<'a> {
    pub by_pairs: &'a DMatrix<f64>,
    pub by_opening: Option<&'a OpeningCovariance>,
}

impl JointRatings {
    /// The ratings of `engines` relative to their mean, from strengths and covariances of the parameters.
    ///
    /// With R = K·g·(θ - mean θ), the derivatives are K·g·(e_i - 1/n) by θ and -R·d0 by δ.
    pub(super) fn new(
        engines: Vec<usize>,
        strengths: &[f64],
        scale: Scale,
        covariance: ParameterCovariance<'_>,
        evidence: Vec<Evidence>,
    ) -> Self {
        let n = engines.len();
        let mean = engines.iter().map(|&engine| strengths[engine]).sum::<f64>() / n as f64;
        let elo: Vec<f64> = engines.iter().map(|&engine| scale.elo(strengths[engine] - mean)).collect();
        let delta = strengths.len() + 1;
        let slopes: Vec<f64> = elo.iter().map(|elo| scale.slope_with_draw(*elo)).collect();
        // With the derivatives, J·P·Jᵀ, without products of matrices.
        let of_ratings = |parameters: &DMatrix<f64>| {
            let with_draw: Vec<f64> = engines.iter().map(|&engine| parameters[(engine, delta)]).collect();
            let mean = with_draw.iter().sum::<f64>() / n as f64;
            let mixed =
                |one: usize, other: usize| slopes[one] * scale.elo_per_unit * (with_draw[other] - mean);
            let draws = |one: usize, other: usize| slopes[one] * slopes[other] * parameters[(delta, delta)];
            centred(parameters, &engines).map_with_location(|one, other, centred| {
                scale.elo_per_unit.powi(2) * centred
                    + mixed(one, other)
                    + mixed(other, one)
                    + draws(one, other)
            })
        };
        let by_opening = covariance.by_opening.map(|it| it.map(of_ratings));
        let covariance = of_ratings(covariance.by_pairs);
        Self { engines, elo, covariance, by_opening, evidence, inflation: 1.0 }
    }

    /// The same ratings for some of the engines, given by their indices here, relative to their mean.
    pub(super) fn centred_on(&self, places: &[usize]) -> Self {
        let n = places.len() as f64;
        let elo: Vec<f64> = places.iter().map(|&place| self.elo[place]).collect();
        let mean = elo.iter().sum::<f64>() / n;
        Self {
            engines: places.iter().map(|&place| self.engines[place]).collect(),
            elo: elo.iter().map(|elo| elo - mean).collect(),
            covariance: centred(&self.covariance, places),
            by_opening: self.by_opening.as_ref().map(|it| it.map(|covariance| centred(covariance, places))),
            evidence: places.iter().map(|&place| self.evidence[place]).collect(),
            inflation: self.inflation,
        }
    }

    /// The same ratings relative to the engine at `anchor`, whose rating is 0 without an error.
    pub(super) fn relative_to(&self, anchor: usize) -> Self {
        Self {
            elo: self.elo.iter().map(|elo| elo - self.elo[anchor]).collect(),
            covariance: relative(&self.covariance, anchor),
            by_opening: self.by_opening.as_ref().map(|it| it.map(|covariance| relative(covariance, anchor))),
            evidence: self.evidence.iter().map(|it| it.less(self.evidence[anchor])).collect(),
            ..self.clone()
        }
    }

    /// The index of `engine` here, if it is rated.
    pub(super) fn place_of(&self, engine: usize) -> Option<usize> {
        self.engines.binary_search(&engine).ok()
    }

    /// The standard error of the rating at the index `place`.
    pub(super) fn standard_error(&self, place: usize, confidence: Confidence) -> f64 {
        self.variance(place).standard_error(self.evidence[place], confidence)
    }

    /// The variance of the rating at the index `place`.
    pub(super) fn variance(&self, place: usize) -> Variance {
        self.variance_of(|covariance| covariance[(place, place)])
    }

    /// The rating at `place` minus that at `other`.
    pub(super) fn difference(&self, place: usize, other: usize) -> Difference {
        Difference {
            elo: self.elo[place] - self.elo[other],
            variance: self.variance_of(|covariance| {
                covariance[(place, place)] + covariance[(other, other)] - 2.0 * covariance[(place, other)]
            }),
            evidence: self.evidence[place].less(self.evidence[other]),
        }
    }

    /// The distribution of the engines' strengths. `None` for fewer than two engines.
    pub(super) fn strengths(&self) -> Option<Strengths> {
        Strengths::new(&self.elo, self.joint_covariance())
    }

    /// The covariance with each engine's own standard error on the diagonal.
    pub(super) fn own_covariance(&self, confidence: Confidence) -> DMatrix<f64> {
        let scale = |place: usize| {
            let by_pairs = self.covariance[(place, place)].max(0.0).sqrt();
            if by_pairs == 0.0 { 1.0 } else { self.standard_error(place, confidence) / by_pairs }
        };
        self.scaled(&(0..self.engines.len()).map(scale).collect::<Vec<_>>())
    }

    /// One covariance of all ratings together, for computations that need a matrix and no quantile.
    pub(super) fn joint_covariance(&self) -> DMatrix<f64> {
        let factor = self.inflation.sqrt();
        self.scaled(&self.evidence.iter().map(|it| factor * it.widening).collect::<Vec<_>>())
    }

    fn scaled(&self, scales: &[f64]) -> DMatrix<f64> {
        let n = self.engines.len();
        DMatrix::from_fn(n, n, |row, column| scales[row] * scales[column] * self.covariance[(row, column)])
    }

    fn variance_of(&self, quadratic: impl Fn(&DMatrix<f64>) -> f64) -> Variance {
        let openings = self.by_opening.as_ref().map(|it| [quadratic(&it.alone), quadratic(&it.shared)]);
        Variance { pairs: quadratic(&self.covariance), openings }
    }
}

impl OpeningCovariance {
    /// Both parts transformed.
    fn map(&self, onto: impl Fn(&DMatrix<f64>) -> DMatrix<f64>) -> Self {
        Self { alone: onto(&self.alone), shared: onto(&self.shared) }
    }
}

/// The covariance of the numbers at `places` minus their mean.
pub(super) fn centred(covariance: &DMatrix<f64>, places: &[usize]) -> DMatrix<f64> {
    let n = places.len() as f64;
    let part =
        DMatrix::from_fn(places.len(), places.len(), |row, column| covariance[(places[row], places[column])]);
    let row_means: Vec<f64> = part.row_iter().map(|row| row.sum() / n).collect();
    let whole_mean = row_means.iter().sum::<f64>() / n;
    DMatrix::from_fn(places.len(), places.len(), |row, column| {
        part[(row, column)] - row_means[row] - row_means[column] + whole_mean
    })
}

/// The covariance of the numbers minus that at `anchor`.
fn relative(covariance: &DMatrix<f64>, anchor: usize) -> DMatrix<f64> {
    DMatrix::from_fn(covariance.nrows(), covariance.ncols(), |row, column| {
        // Exactly 0, without a rounding error.
        if row == anchor || column == anchor {
            return 0.0;
        }
        covariance[(row, column)] + covariance[(anchor, anchor)]
            - covariance[(row, anchor)]
            - covariance[(anchor, column)]
    })
}

impl Difference {
    /// The standard error.
    pub(super) fn standard_error(self, confidence: Confidence) -> f64 {
        self.variance.standard_error(self.evidence, confidence)
    }

    /// Whether it is significantly above 0. Never if few matches were decided. `half_widths` are those of the confidence:
    /// exact quantiles are slow.
    pub(super) fn is_sure(self, intervals: Intervals, half_widths: [f64; 2]) -> bool {
        if self.elo <= 0.0 || self.evidence.is_few {
            return false;
        }
        let Some(floor) = intervals.least_half_width(self.evidence) else { return false };
        // The minimum and the maximum of the half width in Elo.
        let [by_pairs, by_openings] = [self.variance.pairs, self.variance.shown_by_openings(self.evidence)]
            .map(|it| it.max(0.0).sqrt() * self.evidence.widening);
        let [least, most] = half_widths;
        if self.elo <= floor.max(least) * by_pairs {
            return false;
        }
        if (floor.max(most) * by_pairs).max(most.max(floor * most / least) * by_openings) < self.elo {
            return true;
        }
        let standard_error = self.standard_error(intervals.confidence);
        intervals.half_width(self.evidence).is_some_and(|width| width * standard_error < self.elo)
    }

    /// The likelihood of superiority: 1 minus the one-sided p-value. It is not a posterior probability.
    pub(super) fn los(self, confidence: Confidence) -> f64 {
        let standard_error = self.standard_error(confidence);
        if standard_error <= 0.0 {
            return 0.5;
        }
        probability_below(self.elo / standard_error, self.evidence.freedom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Validity;

    /// The bounds that save exact quantiles change no answer.
    #[test]
    fn a_difference_is_sure_if_its_interval_is_above_zero() {
        let confidence = Confidence::default();
        let mut n_sure = [0; 2];
        for validity in [Validity::FixedSize, Validity::AnyTime, Validity::AnyTimeAll] {
            let intervals = Intervals { confidence, validity, n_engines: 12 };
            for (freedom, clusters) in [(9.0, 10), (19.0, 20), (60.0, 61), (5000.0, 5001)] {
                for (openings, by_opening) in
                    [(0.0, None), (4.0, Some([3.0, 1.0])), (900.0, Some([0.1, 9.0]))]
                {
                    let evidence =
                        Evidence { freedom, clusters, decided: 10, openings, widening: 1.1, is_few: false };
                    let variance = Variance { pairs: 4.0, openings: by_opening };
                    for elo in (-4..80).map(|step| f64::from(step) * 0.25) {
                        let difference = Difference { elo, variance, evidence };
                        let expected = intervals.half_width(evidence).is_some_and(|width| {
                            0.0 < elo && width * difference.standard_error(confidence) < elo
                        });
                        let is_sure = difference.is_sure(intervals, confidence.half_widths());
                        assert_eq!(is_sure, expected, "{difference:?} {intervals:?}");
                        n_sure[usize::from(is_sure)] += 1;
                    }
                }
            }
        }
        assert!(n_sure.iter().all(|n| 500 < *n), "{n_sure:?}");
    }
}
