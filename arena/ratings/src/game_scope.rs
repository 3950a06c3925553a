//! Converts one game's estimates to its scope of the standings.

use nalgebra::DMatrix;

use super::confidence::Confidence;
use super::covariance::Dispersion;
use super::estimate::{Estimate, FitInformation, PoolEstimate};
use super::fit_quality::fit_quality;
use super::graph::Pool;
use super::intervals::Intervals;
use super::joint::JointRatings;
use super::met::FirstTwo;
use super::notes;
use super::perfect::Perfect;
use super::ranking::{Basis, Row, rank};
use super::results::{ResultCounts, clusters_of};
use super::scale::ELO_PER_UNIT;
use super::settings::Checks;
use super::standings::{Covariance, EstimateKind, Measure, Phi, Rating, Scope, Status};
use super::transitivity;

/// The scope of one game. The checks take longer than all the rest.
pub(super) fn scope(estimate: &Estimate, intervals: Intervals, checks: Checks) -> Scope {
    let intervals = intervals.of_engines(estimate.results.engines.len());
    let mut engines = ratings(estimate, intervals);
    let first_two = FirstTwo::new(std::slice::from_ref(estimate), &engines, intervals.confidence);
    let head_to_head = first_two.rank_two(&mut engines, intervals);
    let is_fitted = estimate.verdict != FitInformation::NoFit;
    let fit = (is_fitted && checks != Checks::None).then(|| fit_quality(estimate));
    let phi = is_fitted.then(|| phi(estimate, intervals.confidence));
    let transitivity = if checks == Checks::All { transitivity::transitivity(estimate) } else { None };
    let notes = notes::of_game(
        estimate,
        &engines,
        head_to_head.as_ref(),
        phi.as_ref(),
        fit.as_ref(),
        transitivity.as_ref(),
    );
    let core_mean = estimate.pools.first().map_or(0.0, |it| it.core_mean(&estimate.structure.pools[0]));
    let mut scope = Scope {
        name: estimate.results.game.clone(),
        matches: estimate.results.matches(),
        core_mean,
        head_to_head,
        copies: estimate.results.copies,
        engines,
        first_player: first_player(estimate, intervals),
        draw_rate: draw_rate(estimate, intervals),
        openings: estimate.clustered.shared.effective_in_all,
        phi,
        fit,
        transitivity,
        covariance: estimate.main_ratings().map(|joint| {
            covariance(joint, joint.joint_covariance(), &estimate.results.engines, intervals.confidence)
        }),
        notes,
        ..Scope::default()
    };
    scope.more_pairs = first_two.more_pairs(&scope, intervals.confidence);
    scope
}

/// The covariance of `joint` with the engines' names.
pub(super) fn covariance(
    joint: &JointRatings,
    joint_covariance: DMatrix<f64>,
    names: &[String],
    confidence: Confidence,
) -> Covariance {
    Covariance {
        engines: joint.engines.iter().map(|&engine| names[engine].clone()).collect(),
        values: rows(&joint.own_covariance(confidence)),
        freedom: joint.evidence.iter().map(|it| Some(it.freedom).filter(|it| it.is_finite())).collect(),
        clusters: joint.evidence.iter().map(|it| it.clusters).collect(),
        p_stronger: None,
        differences: None,
        joint: joint_covariance,
        ratings: JointRatings { engines: (0..joint.engines.len()).collect(), ..joint.clone() },
    }
}

/// A matrix row by row.
pub(super) fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// A rating with only the counts of matches.
pub(super) fn unrated(engine: &str, status: Status, counts: ResultCounts, pairs: u64) -> Rating {
    let matches = counts.matches();
    Rating {
        engine: engine.to_owned(),
        status,
        pool: 1,
        estimate: None,
        estimate_kind: EstimateKind::Regularised,
        elo: None,
        low: None,
        high: None,
        se: None,
        se_pairs: None,
        se_bootstrap: None,
        weak: false,
        matches,
        wins: counts.wins,
        draws: counts.draws,
        losses: counts.losses,
        forfeits: counts.forfeits,
        score: if matches == 0 { 0.0 } else { counts.points() / matches as f64 },
        pairs,
        decided: None,
        fitted: None,
        few: false,
        openings: 0.0,
        rank_low: None,
        rank_high: None,
        los_next: None,
        p_stronger_next: None,
        rough_zero: false,
    }
}

/// Fills in the rating at the index `place` of `joint`, whose mean has the number `mean`.
pub(super) fn fill(rating: &mut Rating, joint: &JointRatings, place: usize, mean: f64, intervals: Intervals) {
    let half_width = intervals.half_width(joint.evidence[place]);
    let standard_error = joint.standard_error(place, intervals.confidence);
    rating.set_interval(mean + joint.elo[place], standard_error, half_width);
    rating.few = joint.evidence[place].is_few;
}

fn ratings(estimate: &Estimate, intervals: Intervals) -> Vec<Rating> {
    let counts = estimate.results.result_counts();
    let pairs = clusters_of(counts.len(), &estimate.results.pairings);
    let blank = |engine: usize, pool: usize| {
        let name = &estimate.results.engines[engine];
        let rating = unrated(name, Status::NotComparable, counts[engine], pairs[engine]);
        let is_fitted = 0 < estimate.clustered.n_clusters[engine];
        let decided = is_fitted.then_some(estimate.clustered.n_decided[engine]);
        let fitted = is_fitted.then_some(estimate.clustered.n_clusters[engine]);
        let openings = estimate.clustered.shared.effective[engine];
        Row { engine, rating: Rating { pool: pool + 1, decided, fitted, openings, ..rating } }
    };
    let mut ratings = Vec::with_capacity(counts.len());
    for (number, (pool, pool_estimate)) in estimate.structure.pools.iter().zip(&estimate.pools).enumerate() {
        let core_mean = pool_estimate.core_mean(pool);
        let mut rows: Vec<Row> = pool.core.iter().map(|&engine| blank(engine, number)).collect();
        for row in &mut rows {
            rate_core(row, estimate, pool, pool_estimate, intervals);
            if row.rating.estimate.is_none() {
                row.rating.estimate = pool_estimate.of_engine(pool, row.engine);
            }
        }
        for (component, perfect) in pool.others.iter().zip(&pool_estimate.others) {
            for &engine in component {
                let mut row = blank(engine, number);
                rate_other(&mut row, estimate, perfect.as_ref(), core_mean);
                row.rating.estimate = pool_estimate.of_engine(pool, engine);
                rows.push(row);
            }
        }
        let joint = pool_estimate.joint.as_ref();
        let basis = Basis {
            joint,
            estimates: std::slice::from_ref(estimate),
            names: &estimate.results.engines,
            intervals,
        };
        rank(&mut rows, &basis, || joint?.strengths());
        ratings.extend(rows.into_iter().map(|row| row.rating));
    }
    let absent = estimate.results.absent.iter();
    ratings.extend(absent.map(|absent| unrated(&absent.engine, Status::Absent, ResultCounts::default(), 0)));
    ratings
}

fn rate_core(
    row: &mut Row,
    estimate: &Estimate,
    pool: &Pool,
    pool_estimate: &PoolEstimate,
    intervals: Intervals,
) {
    let core_mean = pool_estimate.core_mean(pool);
    let rating = &mut row.rating;
    if let Some(joint) = &pool_estimate.joint
        && let Some(place) = joint.place_of(row.engine)
    {
        fill(rating, joint, place, core_mean, intervals);
        rating.se_pairs = Some(joint.variance(place).pairs.max(0.0).sqrt());
        rating.weak = pool_estimate.weak.contains(&row.engine);
        return;
    }
    if pool.core.len() < 2 {
        rating.status = Status::Alone;
        return;
    }
    rating.elo = Some(core_mean);
    if estimate.verdict == FitInformation::OnlyDraws {
        let half_width =
            only_draws_half_width(estimate.clustered.n_clusters[row.engine], intervals.confidence);
        rating.status = Status::OnlyDraws;
        rating.low = Some(core_mean - half_width);
        rating.high = Some(core_mean + half_width);
        (rating.estimate, rating.estimate_kind) = (rating.elo, EstimateKind::Rating);
    } else {
        rating.status = Status::ColourDecides;
    }
}

/// The largest difference of engines whose `clusters` clusters were all drawn: K·ln((½ + q/2) / (½ - q/2)), where a
/// match is decided with a probability of at most q = 1 - tail^(1/clusters).
fn only_draws_half_width(clusters: u64, confidence: Confidence) -> f64 {
    let decided = 1.0 - confidence.tail().powf(1.0 / clusters as f64);
    ELO_PER_UNIT * ((0.5 + 0.5 * decided) / (0.5 - 0.5 * decided)).ln()
}

/// Adds the bound of an engine outside the core, whose mean has the number `core_mean`.
fn rate_other(row: &mut Row, estimate: &Estimate, perfect: Option<&Perfect>, core_mean: f64) {
    let strength = estimate.fit.strengths[row.engine];
    let elo = |bound: f64| Some(core_mean + estimate.scale.elo(strength + bound));
    let rating = &mut row.rating;
    let Some(Perfect { is_above, bound, .. }) = perfect else { return };
    if *is_above {
        (rating.status, rating.low) = (Status::Above, elo(*bound));
    } else {
        (rating.status, rating.high) = (Status::Below, elo(*bound));
    }
}

/// `None` if the same side won all matches: then the advantage has no upper end, and its value comes from the prior.
fn first_player(estimate: &Estimate, intervals: Intervals) -> Option<Measure> {
    if matches!(estimate.verdict, FitInformation::NoFit | FitInformation::ColourDecides) {
        return None;
    }
    let (value, variance) = estimate.first_player();
    let evidence = estimate.first_player_evidence();
    if estimate.verdict == FitInformation::OnlyDraws {
        let half_width = only_draws_half_width(evidence.clusters, intervals.confidence);
        let se = half_width / intervals.confidence.half_width(f64::INFINITY);
        return Some(Measure { value: 0.0, low: -half_width, high: half_width, se });
    }
    let se = variance.standard_error(evidence, intervals.confidence);
    let half_width = intervals.half_width(evidence)? * se;
    Some(Measure { value, low: value - half_width, high: value + half_width, se })
}

/// The interval is that of the logit, so it stays between 0 and 1.
fn draw_rate(estimate: &Estimate, intervals: Intervals) -> Option<Measure> {
    if estimate.verdict == FitInformation::NoFit {
        return None;
    }
    let evidence = estimate.draw_evidence();
    let logit_error = estimate.draw_logit_variance().standard_error(evidence, intervals.confidence);
    let half_width = intervals.half_width(evidence)? * logit_error;
    let value = estimate.scale.draw_rate;
    let moved = |logits: f64| 1.0 / (1.0 + (1.0 - value) / value * (-logits).exp());
    Some(Measure {
        value,
        low: moved(-half_width),
        high: moved(half_width),
        se: value * (1.0 - value) * logit_error,
    })
}

/// The interval of φ is that of its logarithm.
fn phi(estimate: &Estimate, confidence: Confidence) -> Phi {
    let dispersion = estimate.clustered.dispersion;
    let Dispersion { strength, strength_error, .. } = dispersion;
    let factor = (confidence.half_width(f64::INFINITY) * strength_error / strength).exp();
    Phi {
        strength,
        first_player: dispersion.first_player,
        draw: dispersion.draw,
        saved: Measure {
            value: 1.0 - strength,
            low: 1.0 - strength * factor,
            high: 1.0 - strength / factor,
            se: strength_error,
        },
    }
}
