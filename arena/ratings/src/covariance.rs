//! How sure the fitted parameters are: a sandwich covariance, clustered by pairs or openings. In natural units; Elo is
//! the affair of [`super::joint`].

use nalgebra::{DMatrix, Matrix3, Vector3};

use super::fit::{Fit, PRIOR_PRECISION};
use super::model::Chances;
use super::results::{Cell, Outcomes, Pairing, clusters_of};

/// Clusters' worth of trust in the model when a dispersion is estimated.
const DISPERSION_PSEUDO_CLUSTERS: f64 = 5.0;
/// Clusters' worth of trust in the model when an engine's own clusters are weighed against it.
pub(super) const PSEUDO_CLUSTERS: f64 = 20.0;
/// A cluster's leverage is taken for no more than this.
const MOST_LEVERAGE: f64 = 0.9;

/// The directions in which a cluster's residuals are summed.
const STRENGTH: usize = 0;
const FIRST_PLAYER: usize = 1;
const DRAW: usize = 2;

/// The covariance of a fit's parameters.
///
/// The two matches of a pair share their opening, so their results aren't independent; a sandwich estimator whose
/// filling sums residuals over whole clusters needs no model of that dependence (K.-Y. Liang and S. L. Zeger,
/// *Longitudinal data analysis using generalized linear models*, Biometrika 73, 1986). For two equal engines it is the
/// pentanomial variance of the pairs' scores. Each cluster's filling is a blend of what it shows and of what the model
/// says, so that it is never nothing, not even when all pairs end level.
#[derive(Clone, Debug)]
pub(super) struct Clustered {
    /// V, by (θ.., α, δ).
    pub covariance: DMatrix<f64>,
    /// The measured variance of clusters relative to the model's.
    pub dispersion: Dispersion,
    /// Each engine's number of fitted clusters.
    pub n_clusters: Vec<u64>,
}

/// Measured variance relative to that of independent matches, by direction. Below 1 in strength is what the swapped
/// pairs gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispersion {
    pub strength: f64,
    pub first_player: f64,
    pub draw: f64,
}

impl Clustered {
    /// The covariance of `fit`, which was fitted to `pairings`.
    pub(super) fn new(fit: &Fit, pairings: &[&Pairing]) -> Self {
        let n_engines = fit.strengths.len();
        let n_clusters = clusters_of(n_engines, pairings.iter().copied());
        let clusters: Vec<Cluster> = pairings.iter().flat_map(|pairing| clusters(fit, pairing)).collect();
        let dispersion = Dispersion::new(&clusters);
        let mut filling = DMatrix::from_diagonal_element(n_engines + 2, n_engines + 2, PRIOR_PRECISION);
        for cluster in &clusters {
            let fewest = n_clusters[cluster.first].min(n_clusters[cluster.second]) as f64;
            let weight = fewest / (fewest + PSEUDO_CLUSTERS);
            embed(&mut filling, cluster, cluster.count * cluster.blend(weight, dispersion));
        }
        let covariance = &fit.inverse * filling * &fit.inverse;
        Self { covariance, dispersion, n_clusters }
    }
}

impl Dispersion {
    fn new(clusters: &[Cluster]) -> Self {
        let [strength, first_player, draw] = [STRENGTH, FIRST_PLAYER, DRAW].map(|k| dispersion(clusters, k));
        Self { strength, first_player, draw }
    }
}

/// (Σ u² + 5 J̄) / (C J̄ + 5 J̄), J̄ being the mean of the model's variance.
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

/// Clusters of one kind: what they add to the filling.
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
    fn blend(&self, weight: f64, dispersion: Dispersion) -> Matrix3<f64> {
        let Dispersion { strength, first_player, draw } = dispersion;
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

/// The residual sums of a cluster and their covariance by the model. A match counts positively for the strength when
/// the first engine is White.
fn residuals(
    outcomes: &Outcomes,
    first_white: Chances,
    second_white: Chances,
) -> (Vector3<f64>, Matrix3<f64>) {
    let (ahead, ahead_model) = of_cell(outcomes.first_white, first_white, 1.0);
    let (behind, behind_model) = of_cell(outcomes.second_white, second_white, -1.0);
    (ahead + behind, ahead_model + behind_model)
}

/// The residual sum of a cluster between equals, in the direction of the first engine's strength, and its variance by the
/// model.
pub(super) fn strength_residual(outcomes: &Outcomes, equals: Chances) -> (f64, f64) {
    let (residual, model) = residuals(outcomes, equals, equals);
    (residual[STRENGTH], model[(STRENGTH, STRENGTH)])
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

/// Adds `filling` at the cluster's place: strength is +1 at its first engine and -1 at its second.
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
