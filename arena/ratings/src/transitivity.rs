//! How much of the differences between pairings the ratings explain. The rest is cyclic (A beats B, B beats C, C beats A) or
//! particular to single pairings.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use rayon::prelude::*;

use super::bootstrap::Clusters;
use super::estimate::{Estimate, FitInformation};
use super::fit::Fit;
use super::model::Davidson;
use super::payoff::{Played, quantile};
use super::results::Pairing;
use super::standings::Transitivity;

/// With fewer pairs in a pairing, its payoff is mostly noise.
const FEWEST_PAIRS: f64 = 20.0;
/// The number of resamplings, ...
const TIMES: u64 = 200;
/// ... fewer where there are more different units than this number divided by theirs: their interval is narrow anyway.
const MOST_DRAWN: u64 = 500_000;
const FEWEST_TIMES: u64 = 20;
const SEED: u64 = 13;

/// A pairing of the core.
struct Meeting {
    first: usize,
    second: usize,
    /// The variance of its payoff, ...
    variance: f64,
    /// ... and the part of it that is left after the fit.
    open: f64,
}

/// The share T / (T + max(R, 0)) for the core of the largest pool: T sums the squared deviations of the ratings' expectations
/// from ½, and R those of the payoffs from the expectations less their noise, both in units of the payoffs' variances.
///
/// The interval comes from resampled openings or pairs. Each resampling is fitted by one of Newton's steps, and has the
/// noise of its results twice. `None` with fewer than 20 pairs in some pairing, or where ratings explain everything
/// because there is only one pairing for each difference.
pub(super) fn transitivity(estimate: &Estimate) -> Option<Transitivity> {
    let core = &estimate.structure.pools.first()?.core;
    let is_core = |engine: usize| core.binary_search(&engine).is_ok();
    let fitted = estimate.fitted();
    let played: Vec<(usize, &Pairing)> = fitted
        .iter()
        .enumerate()
        .filter(|(_, it)| is_core(it.first))
        .map(|(place, &it)| (place, it))
        .collect();
    let has_enough = played.iter().all(|(_, pairing)| FEWEST_PAIRS <= pairing.scores().n());
    if estimate.verdict != FitInformation::Regular || played.len() < core.len() || !has_enough {
        return None;
    }
    let fit = &estimate.fit;
    let meetings: Vec<Meeting> = played
        .iter()
        .map(|(_, pairing)| {
            let variance = Played::new(pairing, true).se.powi(2);
            let ahead = fit.strengths[pairing.first] - fit.strengths[pairing.second];
            let information: f64 = pairing
                .cells()
                .iter()
                .map(|(white, _, cell)| {
                    let ahead = if *white == pairing.first { ahead } else { -ahead };
                    cell.matches() as f64 * fit.davidson.chances(ahead).score_variance()
                })
                .sum();
            let leverage = information * fit.difference_variance(pairing.first, pairing.second);
            let open = variance * (1.0 - leverage).max(0.0);
            Meeting { first: pairing.first, second: pairing.second, variance, open }
        })
        .collect();
    let totals = |of: &dyn Fn(usize) -> [f64; 2]| -> Vec<[f64; 2]> {
        played.iter().map(|&(place, _)| of(place)).collect()
    };
    let points = |pairing: &Pairing| {
        let counts = pairing.total.result_counts();
        [counts.points(), counts.matches() as f64]
    };
    let observed = totals(&|place| points(fitted[place]));
    let of_data = share(&meetings, &observed, &fit.strengths, fit.davidson, 1.0);
    let clusters = Clusters::new(estimate);
    let times = (MOST_DRAWN / clusters.n_different().max(1) as u64).clamp(FEWEST_TIMES, TIMES);
    let mut drawn: Vec<f64> = (0..times)
        .into_par_iter()
        .map(|time| {
            let mut generator = ChaCha8Rng::seed_from_u64(SEED);
            generator.set_stream(time);
            let pairings = clusters.resampled(&mut generator);
            let (strengths, davidson) = one_step(fit, &pairings);
            share(&meetings, &totals(&|place| points(&pairings[place])), &strengths, davidson, 2.0)
        })
        .collect();
    drawn.sort_unstable_by(f64::total_cmp);
    let [low, high] = [0.025, 0.975].map(|fraction| quantile(&drawn, fraction));
    Some(Transitivity { share: of_data, low: low.min(of_data), high: high.max(of_data) })
}

/// The share for these points and matches of the meetings, and these parameters. `noise` is the number of times that the
/// payoffs have their noise.
fn share(
    meetings: &[Meeting],
    totals: &[[f64; 2]],
    strengths: &[f64],
    davidson: Davidson,
    noise: f64,
) -> f64 {
    let (mut explained, mut rest) = (0.0, 0.0);
    for (meeting, &[points, matches]) in meetings.iter().zip(totals) {
        let expected = davidson.mean_score(strengths[meeting.first] - strengths[meeting.second]);
        let payoff = (points + 2.0 * expected) / (matches + 2.0);
        explained += (expected - 0.5).powi(2) / meeting.variance;
        rest += ((payoff - expected).powi(2) - noise * meeting.open) / meeting.variance;
    }
    if explained <= 0.0 { 1.0 } else { explained / (explained + rest.max(0.0)) }
}

/// The parameters after one of Newton's steps from `fit` towards the fit to `pairings`.
fn one_step(fit: &Fit, pairings: &[Pairing]) -> (Vec<f64>, Davidson) {
    let n = fit.strengths.len();
    let mut gradient = nalgebra::DVector::zeros(n + 2);
    for (white, black, cell) in pairings.iter().flat_map(Pairing::cells) {
        let matches = cell.matches() as f64;
        let chances = fit.davidson.chances(fit.strengths[white] - fit.strengths[black]);
        let surplus = cell.points() - matches * chances.score();
        gradient[white] += surplus;
        gradient[black] -= surplus;
        gradient[n] += surplus;
        gradient[n + 1] += f64::from(cell.draws) - matches * chances.draw;
    }
    let step = &fit.inverse * gradient;
    let strengths = fit.strengths.iter().zip(step.iter()).map(|(strength, step)| strength + step).collect();
    let Davidson { first_player, draw } = fit.davidson;
    (strengths, Davidson { first_player: first_player + step[n], draw: draw + step[n + 1] })
}
