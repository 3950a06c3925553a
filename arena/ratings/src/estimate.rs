//! All estimates of one game: fit, errors, pools, perfect scores. They are numbers by index; [`super::game_scope`] adds
//! the names.

use nalgebra::DMatrix;

use super::confidence::Confidence;
use super::covariance::{Clustered, PSEUDO_CLUSTERS};
use super::fit::{Fit, PRIOR_PRECISION};
use super::graph::{Pool, Structure};
use super::intervals::{Evidence, Variance};
use super::joint::{JointRatings, ParameterCovariance};
use super::perfect::{Perfect, PerfectGame};
use super::regularised;
use super::results::{Pairing, Results};
use super::scale::Scale;
use super::settings::OpeningsMeant;

/// A rating is weak if the prior has more than this share of its variance.
const MOST_PRIOR: f64 = 0.05;

/// One game's ratings.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    /// The results that it was estimated from.
    pub results: Results,
    /// Which engines can be compared.
    pub structure: Structure,
    /// The fit to all matches inside components.
    pub fit: Fit,
    /// From natural units to Elo.
    pub scale: Scale,
    /// The fit's errors.
    pub clustered: Clustered,
    /// Which openings the errors are for.
    pub openings: OpeningsMeant,
    /// The kind of data.
    pub verdict: FitInformation,
    /// The pools, as in the structure.
    pub pools: Vec<PoolEstimate>,
}

/// Whether the fitted matches contain information about strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FitInformation {
    /// They do.
    Regular,
    /// There is no fitted match: every engine is a separate component.
    NoFit,
    /// Every fitted match was drawn.
    OnlyDraws,
    /// The same side won every fitted match.
    ColourDecides,
}

/// One pool's ratings.
#[derive(Clone, Debug)]
pub(super) struct PoolEstimate {
    /// The regularised estimates of the pool's engines in their order, Elo relative to their mean; `None` if all of them
    /// have a rating, whose mean is the same.
    pub estimates: Option<Vec<f64>>,
    /// The core's ratings; `None` if the verdict forbids them or the core is a single engine.
    pub joint: Option<JointRatings>,
    /// The bounds of the other components; `None` of one that never met the core.
    pub others: Vec<Option<Perfect>>,
    /// Engines of the core whose rating depends on the prior.
    pub weak: Vec<usize>,
}

impl Estimate {
    /// Computes all estimates from one game's results, with errors for the `openings` that are meant.
    pub(super) fn new(results: Results, confidence: Confidence, openings: OpeningsMeant) -> Self {
        let n_engines = results.engines.len();
        let structure = Structure::new(n_engines, &results.pairings);
        let fitted = fitted(&results, &structure);
        let fit = Fit::new(n_engines, &fitted);
        let mut clustered = Clustered::new(&fit, &fitted);
        if openings == OpeningsMeant::These {
            clustered.by_opening = None;
        }
        let scale = Scale::new(fit.davidson.draw);
        let verdict = FitInformation::new(&fitted);
        let mut pools: Vec<PoolEstimate> = structure
            .pools
            .iter()
            .map(|pool| PoolEstimate {
                estimates: (verdict != FitInformation::Regular || pool.core.len() != pool.engines.len())
                    .then(|| regularised::estimates(&pool.engines, &results.pairings)),
                joint: core_ratings(pool, verdict, &fit, scale, &clustered, openings),
                others: pool
                    .others
                    .iter()
                    .map(|component| Perfect::new(component, &pool.core, &results.pairings, &fit, confidence))
                    .collect(),
                weak: weak(&pool.core, &fit),
            })
            .collect();
        let inflation = inflation(&pools);
        for joint in pools.iter_mut().filter_map(|pool| pool.joint.as_mut()) {
            joint.inflation = inflation;
        }
        Self { results, structure, fit, scale, clustered, openings, verdict, pools }
    }

    /// The pairings that were fitted.
    pub(super) fn fitted(&self) -> Vec<&Pairing> {
        fitted(&self.results, &self.structure)
    }

    /// The ratings of the core of the largest pool, if there are any.
    pub(super) fn main_ratings(&self) -> Option<&JointRatings> {
        self.pools.first().and_then(|pool| pool.joint.as_ref())
    }

    /// The perfect score of `engine` against the core of the largest pool.
    pub(super) fn perfect(&self, engine: &str) -> Option<PerfectGame<'_>> {
        let engine = self.results.engines.binary_search_by(|name| name.as_str().cmp(engine)).ok()?;
        let (pool, pool_estimate) = (self.structure.pools.first()?, self.pools.first()?);
        let component = pool.others.iter().position(|it| it.binary_search(&engine).is_ok())?;
        Some(PerfectGame {
            perfect: pool_estimate.others[component].as_ref()?,
            at_zero: pool_estimate.core_mean(pool) + self.scale.elo(self.fit.strengths[engine]),
            elo_per_unit: self.scale.elo_per_unit,
        })
    }

    /// The first-player advantage in Elo, K·g·α, and its variance.
    pub(super) fn first_player(&self) -> (f64, Variance) {
        let (alpha, delta) = (self.fit.strengths.len(), self.fit.strengths.len() + 1);
        let elo = self.scale.elo(self.fit.davidson.first_player);
        let (by_alpha, by_delta) = (self.scale.elo_per_unit, self.scale.slope_with_draw(elo));
        let variance = self.variance_of(|covariance| {
            by_alpha * by_alpha * covariance[(alpha, alpha)]
                + 2.0 * by_alpha * by_delta * covariance[(alpha, delta)]
                + by_delta * by_delta * covariance[(delta, delta)]
        });
        (elo, variance)
    }

    /// δ's variance: that of the logit of the draw rate between equals.
    pub(super) fn draw_logit_variance(&self) -> Variance {
        let delta = self.fit.strengths.len() + 1;
        self.variance_of(|covariance| covariance[(delta, delta)])
    }

    /// The degrees of freedom and clusters of the first-player advantage.
    pub(super) fn first_player_evidence(&self) -> Evidence {
        let (clusters, openings) = self.all_clusters();
        let evidence = Evidence::of_game(clusters, self.clustered.n_with_winner, openings);
        self.openings.meant(evidence)
    }

    /// The degrees of freedom and clusters of the draw rate. Few decided clusters do not widen its error.
    pub(super) fn draw_evidence(&self) -> Evidence {
        Evidence { widening: 1.0, ..self.first_player_evidence() }
    }

    fn all_clusters(&self) -> (u64, f64) {
        let clusters = self.fitted().iter().map(|pairing| pairing.n_clusters()).sum();
        (clusters, self.clustered.shared.effective_in_all)
    }

    fn variance_of(&self, quadratic: impl Fn(&DMatrix<f64>) -> f64) -> Variance {
        let by_opening = self.clustered.by_opening.as_ref();
        let openings = by_opening.map(|it| [quadratic(&it.alone), quadratic(&it.shared)]);
        Variance { pairs: quadratic(&self.clustered.covariance), openings }
    }
}

impl PoolEstimate {
    /// The number of the core's mean, so that 0 is the mean of all engines of `pool`.
    pub(super) fn core_mean(&self, pool: &Pool) -> f64 {
        let of_core = |estimates: &Vec<f64>| -> f64 {
            let numbers = pool.engines.iter().zip(estimates);
            let core = numbers.filter(|(engine, _)| pool.core.binary_search(engine).is_ok());
            core.map(|(_, number)| number).sum::<f64>() / pool.core.len() as f64
        };
        self.estimates.as_ref().map_or(0.0, of_core)
    }

    /// The regularised estimate of `engine`, Elo.
    pub(super) fn of_engine(&self, pool: &Pool, engine: usize) -> Option<f64> {
        Some(self.estimates.as_ref()?[pool.engines.binary_search(&engine).ok()?])
    }
}

impl OpeningsMeant {
    /// `evidence` for these openings: the error by pairs alone.
    fn meant(self, evidence: Evidence) -> Evidence {
        match self {
            Self::Similar => evidence,
            Self::These => Evidence { widening: 1.0, ..evidence },
        }
    }
}

/// The ratio of the variances of all ratings by openings to those by pairs; at least 1.
fn inflation(pools: &[PoolEstimate]) -> f64 {
    let (mut by_openings, mut by_pairs) = (0.0, 0.0);
    for joint in pools.iter().filter_map(|pool| pool.joint.as_ref()) {
        for (place, &evidence) in joint.evidence.iter().enumerate() {
            let variance = joint.variance(place);
            by_openings += variance.shown_by_openings(evidence);
            by_pairs += variance.pairs;
        }
    }
    if by_pairs <= 0.0 { 1.0 } else { (by_openings / by_pairs).max(1.0) }
}

impl FitInformation {
    fn new(fitted: &[&Pairing]) -> Self {
        let (mut white_wins, mut draws, mut black_wins) = (0, 0, 0);
        for (_, _, cell) in fitted.iter().flat_map(|pairing| pairing.cells()) {
            white_wins += u64::from(cell.white_wins);
            draws += u64::from(cell.draws);
            black_wins += u64::from(cell.black_wins);
        }
        match (white_wins, draws, black_wins) {
            (0, 0, 0) => Self::NoFit,
            (0, _, 0) => Self::OnlyDraws,
            (_, 0, 0) | (0, 0, _) => Self::ColourDecides,
            _ => Self::Regular,
        }
    }
}

fn fitted<'a>(results: &'a Results, structure: &Structure) -> Vec<&'a Pairing> {
    results.pairings.iter().filter(|pairing| structure.is_within_component(pairing)).collect()
}

fn core_ratings(
    pool: &Pool,
    verdict: FitInformation,
    fit: &Fit,
    scale: Scale,
    clustered: &Clustered,
    openings: OpeningsMeant,
) -> Option<JointRatings> {
    if verdict != FitInformation::Regular || pool.core.len() < 2 {
        return None;
    }
    let evidence = |&engine: &usize| {
        let (clusters, decided) = (clustered.n_clusters[engine], clustered.n_decided[engine]);
        let effective = clustered.shared.effective[engine];
        openings.meant(Evidence::new(clusters, decided, effective, PSEUDO_CLUSTERS))
    };
    let evidence = pool.core.iter().map(evidence).collect();
    let covariance =
        ParameterCovariance { by_pairs: &clustered.covariance, by_opening: clustered.by_opening.as_ref() };
    Some(JointRatings::new(pool.core.clone(), &fit.strengths, scale, covariance, evidence))
}

fn weak(core: &[usize], fit: &Fit) -> Vec<usize> {
    let n = core.len() as f64;
    let mean_covariance: Vec<f64> = core
        .iter()
        .map(|&row| core.iter().map(|&column| fit.inverse[(row, column)]).sum::<f64>() / n)
        .collect();
    let mean = mean_covariance.iter().sum::<f64>() / n;
    core.iter()
        .zip(mean_covariance)
        .filter(|&(&engine, covariance)| {
            MOST_PRIOR < PRIOR_PRECISION * (fit.inverse[(engine, engine)] - 2.0 * covariance + mean)
        })
        .map(|(&engine, _)| engine)
        .collect()
}
