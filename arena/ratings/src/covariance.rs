//! The errors of the fitted parameters: sandwich covariances, clustered by pairs and by openings, in natural units.
//! [`super::joint`] converts them to Elo.

use nalgebra::{DMatrix, Matrix3, Vector3};

use super::fit::{Fit, PRIOR_PRECISION};
use super::model::Chances;
use super::results::{Cell, Outcomes, Pairing, clusters_of};
use super::shared_openings::{OpeningCovariance, SharedOpenings};

/// The weight of the model in clusters when a dispersion is estimated.
const DISPERSION_PSEUDO_CLUSTERS: f64 = 5.0;
/// The weight of the model in clusters relative to an engine's own clusters.
pub(super) const PSEUDO_CLUSTERS: f64 = 20.0;
/// The maximum leverage of a cluster.
const MOST_LEVERAGE: f64 = 0.9;

/// The directions in which a cluster's residuals are summed.
const STRENGTH: usize = 0;
const FIRST_PLAYER: usize = 1;
const DRAW: usize = 2;

/// The covariance of a fit's parameters.
///
/// The two matches of a pair share their opening, so their results are not independent. A sandwich estimator whose
/// middle part sums residuals over whole clusters needs no model of that dependence (K.-Y. Liang and S. L. Zeger,
/// *Longitudinal data analysis using generalized linear models*, Biometrika 73, 1986). For two equal engines it is the
/// pentanomial variance of the pairs' scores. The contribution of each cluster is a mixture of its own residuals and of
/// the model's variance, so that it is never 0, not even if all pairs are level.
#[derive(Clone, Debug)]
pub(super) struct Clustered {
    /// V, by (θ.., α, δ).
    pub covariance: DMatrix<f64>,
    /// The measured variance of clusters relative to the model's.
    pub dispersion: Dispersion,
    /// Each engine's number of fitted clusters.
    pub n_clusters: Vec<u64>,
    /// Each engine's number of fitted clusters in which the two sides scored differently.
    pub n_decided: Vec<u64>,
    /// The number of fitted clusters in which a match was won.
    pub n_with_winner: u64,
    /// The openings that several pairings share.
    pub shared: SharedOpenings,
    /// The same covariance clustered by opening, if openings are shared.
    pub by_opening: Option<OpeningCovariance>,
}

/// Measured variance relative to that of independent matches, by direction. Strength is below 1 because of the swapped
/// pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispersion {
    pub strength: f64,
    /// The standard error of `strength`.
    pub strength_error: f64,
    pub first_player: f64,
    pub draw: f64,
}

impl Clustered {
    /// The covariance of `fit`, which was fitted to `pairings`.
    pub(super) fn new(fit: &Fit, pairings: &[&Pairing]) -> Self {
        let n_engines = fit.strengths.len();
        let n_clusters = clusters_of(n_engines, pairings.iter().copied());
        let of_pairings: Vec<Vec<Cluster>> = pairings.iter().map(|pairing| clusters(fit, pairing)).collect();
        let dispersion = Dispersion::new(&of_pairings.concat());
        let blended = |cluster: &Cluster| {
            let fewest = n_clusters[cluster.first].min(n_clusters[cluster.second]) as f64;
            cluster.blend(fewest / (fewest + PSEUDO_CLUSTERS), dispersion)
        };
        let mut filling = DMatrix::from_diagonal_element(n_engines + 2, n_engines + 2, PRIOR_PRECISION);
        for cluster in of_pairings.iter().flatten() {
            embed(&mut filling, cluster, cluster.count * blended(cluster));
        }
        let shared = SharedOpenings::new(n_engines, pairings);
        let by_opening = shared.has_any().then(|| {
            let mut alone = filling.clone();
            for &(pairing, kind, count) in shared.kinds() {
                let cluster = &of_pairings[pairing][kind];
                embed(&mut alone, cluster, -f64::from(count) * blended(cluster));
            }
            let score = |pairing: usize, kind: usize| of_pairings[pairing][kind].score(n_engines);
            OpeningCovariance {
                alone: sandwich(&fit.inverse, &alone),
                shared: sandwich(&fit.inverse, &shared.filling(n_engines, score)),
            }
        });
        let covariance = sandwich(&fit.inverse, &filling);
        let kinds =
            || pairings.iter().flat_map(|pairing| pairing.clusters.iter().map(move |kind| (pairing, kind)));
        let mut n_decided = vec![0; n_engines];
        for (pairing, kind) in kinds().filter(|(_, kind)| kind.outcomes.is_decided()) {
            n_decided[pairing.first] += u64::from(kind.count);
            n_decided[pairing.second] += u64::from(kind.count);
        }
        let with_winner = kinds().filter(|(_, kind)| kind.outcomes.has_winner());
        let n_with_winner = with_winner.map(|(_, kind)| u64::from(kind.count)).sum();
        Self { covariance, dispersion, n_clusters, n_decided, n_with_winner, shared, by_opening }
    }
}

/// O·F·O of symmetric matrices. Zeros of F, two engines that have not met, take no time; nor does one half of the result,
/// which is that of the other half.
fn sandwich(outer: &DMatrix<f64>, filling: &DMatrix<f64>) -> DMatrix<f64> {
    let n = outer.nrows();
    let (mut product, mut whole) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
    for column in 0..n {
        let mut sum = product.column_mut(column);
        for (k, &factor) in filling.column(column).iter().enumerate().filter(|(_, factor)| **factor != 0.0) {
            sum.axpy(factor, &outer.column(k), 1.0);
        }
    }
    for column in 0..n {
        let mut sum = whole.view_range_mut(column.., column);
        for k in 0..n {
            sum.axpy(outer[(k, column)], &product.view_range(column.., k), 1.0);
        }
    }
    whole.fill_upper_triangle_with_lower_triangle();
    whole
}

impl Dispersion {
    fn new(clusters: &[Cluster]) -> Self {
        let [strength, first_player, draw] = [STRENGTH, FIRST_PLAYER, DRAW].map(|k| dispersion(clusters, k));
        Self { strength, strength_error: dispersion_error(clusters, strength), first_player, draw }
    }
}

/// √(Σ (u² - φ J)²) / (C J̄ + 5 J̄) in the direction of strength, where J̄ is the mean of the model's variance J.
fn dispersion_error(clusters: &[Cluster], dispersion: f64) -> f64 {
    let (mut count, mut squares, mut modelled) = (0.0, 0.0, 0.0);
    for cluster in clusters {
        let own = cluster.model[(STRENGTH, STRENGTH)];
        count += cluster.count;
        modelled += cluster.count * own;
        squares += cluster.count * (cluster.residual[STRENGTH].powi(2) - dispersion * own).powi(2);
    }
    if modelled <= 0.0 {
        return 0.0;
    }
    squares.sqrt() / (modelled + DISPERSION_PSEUDO_CLUSTERS * modelled / count)
}

/// (Σ u² + 5 J̄) / (C J̄ + 5 J̄), where J̄ is the mean of the model's variance.
fn dispersion(clusters: &[Cluster], direction: usize) -> f64 {
    let (mut count, mut squares, mut modelled) = (0.0, 0.0, 0.0);
    for cluster in clusters {
        count += cluster.count;
        squares += cluster.count * cluster.residual[direction].powi(2);
        modelled += cluster.count * cluster.model[(direction, direction)];
    }
    if modelled <= 0.0 {
        return 1.0;
    }
    let pseudo = DISPERSION_PSEUDO_CLUSTERS * modelled / count;
    (squares + pseudo) / (modelled + pseudo)
}

/// Clusters of one kind: their contribution to the middle part.
#[derive(Clone, Copy)]
struct Cluster {
    first: usize,
    second: usize,
    count: f64,
    /// The residual sums, inflated by their leverage.
    residual: Vector3<f64>,
    /// The model's covariance of the residual sums.
    model: Matrix3<f64>,
}

impl Cluster {
    /// Its residual sums by parameter: θ of every engine, α and δ.
    fn score(&self, n_engines: usize) -> [(usize, f64); 4] {
        [
            (self.first, self.residual[STRENGTH]),
            (self.second, -self.residual[STRENGTH]),
            (n_engines, self.residual[FIRST_PLAYER]),
            (n_engines + 1, self.residual[DRAW]),
        ]
    }

    fn blend(&self, weight: f64, dispersion: Dispersion) -> Matrix3<f64> {
        let Dispersion { strength, first_player, draw, .. } = dispersion;
        let scale = Matrix3::from_diagonal(&Vector3::new(strength, first_player, draw).map(f64::sqrt));
        weight * self.residual * self.residual.transpose() + (1.0 - weight) * scale * self.model * scale
    }
}

fn clusters(fit: &Fit, pairing: &Pairing) -> Vec<Cluster> {
    let difference = fit.strengths[pairing.first] - fit.strengths[pairing.second];
    let first_white = fit.davidson.chances(difference);
    let second_white = fit.davidson.chances(-difference);
    let variance = fit.difference_variance(pairing.first, pairing.second);
    let cluster = |outcomes: &Outcomes, count: u32| {
        let (mut residual, model) = residuals(outcomes, first_white, second_white);
        let leverage = (model[(STRENGTH, STRENGTH)] * variance).min(MOST_LEVERAGE);
        residual /= (1.0 - leverage).sqrt();
        Cluster { first: pairing.first, second: pairing.second, count: f64::from(count), residual, model }
    };
    pairing.clusters.iter().map(|kind| cluster(&kind.outcomes, kind.count)).collect()
}

/// The residual sums of a cluster and their covariance by the model. A match counts positively for strength if the
/// first engine is White.
fn residuals(
    outcomes: &Outcomes,
    first_white: Chances,
    second_white: Chances,
) -> (Vector3<f64>, Matrix3<f64>) {
    let (ahead, ahead_model) = of_cell(outcomes.first_white, first_white, 1.0);
    let (behind, behind_model) = of_cell(outcomes.second_white, second_white, -1.0);
    (ahead + behind, ahead_model + behind_model)
}

fn of_cell(cell: Cell, chances: Chances, sign: f64) -> (Vector3<f64>, Matrix3<f64>) {
    let matches = cell.matches() as f64;
    let surplus = cell.points() - matches * chances.score();
    let draws = f64::from(cell.draws) - matches * chances.draw;
    let score = matches * chances.score_variance();
    let mixed = matches * chances.score_draw_covariance();
    let draw = matches * chances.draw_variance();
    let model = Matrix3::new(
        score,
        sign * score,
        sign * mixed, //
        sign * score,
        score,
        mixed, //
        sign * mixed,
        mixed,
        draw,
    );
    (Vector3::new(sign * surplus, surplus, draws), model)
}

/// Adds `filling` at the indices of the cluster's engines: strength is +1 at the first engine and -1 at the second.
fn embed(whole: &mut DMatrix<f64>, cluster: &Cluster, filling: Matrix3<f64>) {
    let n_engines = whole.nrows() - 2;
    let places = [
        (cluster.first, STRENGTH, 1.0),
        (cluster.second, STRENGTH, -1.0),
        (n_engines, FIRST_PLAYER, 1.0),
        (n_engines + 1, DRAW, 1.0),
    ];
    for (row, i, row_sign) in places {
        for (column, j, column_sign) in places {
            whole[(row, column)] += row_sign * column_sign * filling[(i, j)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandwich_is_the_product_of_its_matrices() {
        let n = 5;
        let outer = DMatrix::from_fn(n, n, |row, column| 1.0 / (1 + row + column) as f64);
        let met = |row: usize, column: usize| row == column || row + column == n - 1;
        let filling =
            DMatrix::from_fn(n, n, |row, column| if met(row, column) { (row * column) as f64 } else { 0.0 });
        let difference = sandwich(&outer, &filling) - &outer * &filling * &outer;
        assert!(difference.abs().max() < 1e-12, "{difference}");
    }
}
