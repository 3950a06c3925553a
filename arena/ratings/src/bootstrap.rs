//! Checks the standard errors without their theory, by the spread of the ratings of resampled matches. It changes no
//! rating.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::estimate::Estimate;
use super::fit::Fit;
use super::joint::JointRatings;
use super::notes;
use super::results::{Outcomes, Pairing};
use super::scale::Scale;
use super::settings::Anchor;
use super::standings::Scope;

/// Any number would do; the same one gives the same resamplings.
const SEED: u64 = 1;

/// The ratings of one game's engines in every resampling.
pub(super) struct Resampled<'a> {
    names: Vec<&'a str>,
    /// By resampling and engine, Elo.
    elo: Vec<Vec<f64>>,
}

impl<'a> Resampled<'a> {
    /// Resamples the clusters of `estimate` with replacement, `times` times, and fits each resampling. The engines are
    /// those of the largest pool's core; none if they have no ratings.
    ///
    /// `game` is the number of the game: each game and resampling has its own stream of random numbers, so that the
    /// result does not depend on threads.
    pub(super) fn new(estimate: &'a Estimate, game: u32, times: u32) -> Option<Self> {
        let joint = estimate.main_ratings()?;
        let clusters = Clusters::new(estimate);
        let mut elo = vec![Vec::new(); times as usize];
        elo.par_iter_mut().enumerate().for_each(|(time, elo)| {
            let mut generator = ChaCha8Rng::seed_from_u64(SEED);
            generator.set_stream(u64::from(game) << u32::BITS | time as u64);
            *elo = clusters.resampled_ratings(joint, &mut generator);
        });
        let names = joint.engines.iter().map(|&engine| estimate.results.engines[engine].as_str()).collect();
        Some(Self { names, elo })
    }

    /// The ratings of `engines` in resampling `time`, relative to their mean; `None` if one has no rating.
    fn centred(&self, time: usize, engines: &[String]) -> Option<Vec<f64>> {
        let elo_of = |engine: &String| {
            let place = self.names.binary_search(&engine.as_str()).ok()?;
            Some(self.elo[time][place])
        };
        let elo: Vec<f64> = engines.iter().map(elo_of).collect::<Option<_>>()?;
        let mean = elo.iter().sum::<f64>() / elo.len() as f64;
        Some(elo.iter().map(|elo| elo - mean).collect())
    }
}

/// Sets the standard errors of `scope`, which is over `games`, and notes those that differ.
pub(super) fn compare(scope: &mut Scope, games: &[&Resampled<'_>], anchor: Option<&Anchor>, times: u32) {
    let Some(covariance) = &scope.covariance else { return };
    let anchor = anchor
        .filter(|_| scope.is_anchored)
        .and_then(|anchor| covariance.engines.iter().position(|engine| *engine == anchor.engine));
    let mut scatters = vec![Scatter::default(); covariance.engines.len()];
    for time in 0..times as usize {
        let Some(elo) = mean_of_games(games, time, &covariance.engines) else { return };
        let origin = anchor.map_or(0.0, |anchor| elo[anchor]);
        for (scatter, elo) in scatters.iter_mut().zip(&elo) {
            scatter.add(elo - origin);
        }
    }
    for rating in scope.engines.iter_mut().filter(|rating| rating.se.is_some()) {
        let place = covariance.engines.iter().position(|engine| *engine == rating.engine);
        rating.se_bootstrap = place.map(|place| scatters[place].standard_deviation());
    }
    let fewest_clusters = covariance.clusters.iter().copied().min().unwrap_or(0);
    scope.notes.extend(notes::bootstrap(&scope.engines, times, fewest_clusters));
}

fn mean_of_games(games: &[&Resampled<'_>], time: usize, engines: &[String]) -> Option<Vec<f64>> {
    let mut mean = vec![0.0; engines.len()];
    for game in games {
        for (mean, elo) in mean.iter_mut().zip(game.centred(time, engines)?) {
            *mean += elo / games.len() as f64;
        }
    }
    Some(mean)
}

/// The fitted clusters of one game, in the units of resampling: all clusters of an opening together if pairings share
/// openings, otherwise each cluster.
pub(super) struct Clusters<'a> {
    n_engines: usize,
    fitted: Vec<&'a Pairing>,
    /// For every cluster the index of its pairing, and its outcomes; unit by unit.
    all: Vec<(usize, Outcomes)>,
    /// The end of each unit.
    ends: Vec<usize>,
}

impl<'a> Clusters<'a> {
    pub(super) fn new(estimate: &'a Estimate) -> Self {
        let fitted = estimate.fitted();
        let mut openings: Vec<(u64, usize, usize)> = Vec::new();
        if estimate.clustered.shared.has_any() {
            for (place, pairing) in fitted.iter().enumerate() {
                openings.extend(pairing.openings.iter().map(|it| (it.opening, place, it.kind)));
            }
            openings.sort_unstable();
        }
        let mut left: Vec<Vec<u32>> =
            fitted.iter().map(|pairing| pairing.clusters.iter().map(|kind| kind.count).collect()).collect();
        let (mut all, mut ends) = (Vec::new(), Vec::new());
        for opening in openings.chunk_by(|one, other| one.0 == other.0) {
            for &(_, place, kind) in opening {
                left[place][kind] -= 1;
                all.push((place, fitted[place].clusters[kind].outcomes));
            }
            ends.push(all.len());
        }
        for (place, pairing) in fitted.iter().enumerate() {
            for (kind, &count) in pairing.clusters.iter().zip(&left[place]) {
                for _ in 0..count {
                    all.push((place, kind.outcomes));
                    ends.push(all.len());
                }
            }
        }
        Self { n_engines: estimate.results.engines.len(), fitted, all, ends }
    }

    /// The number of units.
    pub(super) fn n_units(&self) -> usize {
        self.ends.len()
    }

    /// The same number of units, drawn with replacement: the matches of each pairing.
    pub(super) fn resampled(&self, generator: &mut ChaCha8Rng) -> Vec<Pairing> {
        let blank = |pairing: &&Pairing| Pairing {
            first: pairing.first,
            second: pairing.second,
            total: Outcomes::default(),
            clusters: Vec::new(),
            openings: Vec::new(),
            has_clusters: pairing.has_clusters,
            wide_pairs: 0,
        };
        let mut pairings: Vec<Pairing> = self.fitted.iter().map(blank).collect();
        for _ in 0..self.ends.len() {
            let unit = below(self.ends.len(), generator);
            let start = unit.checked_sub(1).map_or(0, |before| self.ends[before]);
            for &(place, outcomes) in &self.all[start..self.ends[unit]] {
                pairings[place].total.add(outcomes);
            }
        }
        pairings
    }

    fn resampled_ratings(&self, joint: &JointRatings, generator: &mut ChaCha8Rng) -> Vec<f64> {
        let pairings = self.resampled(generator);
        let fit = Fit::new(self.n_engines, &pairings.iter().collect::<Vec<_>>());
        let scale = Scale::new(fit.davidson.draw);
        joint.engines.iter().map(|&engine| scale.elo(fit.strengths[engine])).collect()
    }
}

/// A uniform number below `bound`, with a bias of bound / 2⁶⁴.
fn below(bound: usize, generator: &mut ChaCha8Rng) -> usize {
    let product = u128::from(generator.next_u64()) * bound as u128;
    (product >> u64::BITS) as usize
}

/// The mean and the variance of numbers, updated by Welford's recurrence (Technometrics 4, 1962).
#[derive(Clone, Copy, Default)]
pub(super) struct Scatter {
    count: f64,
    pub mean: f64,
    squares: f64,
}

impl Scatter {
    pub(super) fn add(&mut self, number: f64) {
        self.count += 1.0;
        let before = number - self.mean;
        self.mean += before / self.count;
        self.squares += before * (number - self.mean);
    }

    pub(super) fn standard_deviation(self) -> f64 {
        (self.squares / (self.count - 1.0)).max(0.0).sqrt()
    }
}
