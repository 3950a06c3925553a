//! Checks the standard errors without their theory, by the spread of the ratings of resampled matches. It changes no
//! rating.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
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
    /// For every cluster of a unit the index of its pairing, and its outcomes. Equal units are counted: a resampling of a
    /// million pairs is a draw for each pairing and outcome.
    units: Vec<(u32, Vec<(usize, Outcomes)>)>,
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
        let mut units = Vec::new();
        for opening in openings.chunk_by(|one, other| one.0 == other.0) {
            let mut unit = Vec::with_capacity(opening.len());
            for &(_, place, kind) in opening {
                left[place][kind] -= 1;
                unit.push((place, fitted[place].clusters[kind].outcomes));
            }
            units.push((1, unit));
        }
        for (place, pairing) in fitted.iter().enumerate() {
            let kinds = pairing.clusters.iter().zip(&left[place]).filter(|(_, count)| **count != 0);
            units.extend(kinds.map(|(kind, &count)| (count, vec![(place, kind.outcomes)])));
        }
        Self { n_engines: estimate.results.engines.len(), fitted, units }
    }

    /// The number of different units.
    pub(super) const fn n_different(&self) -> usize {
        self.units.len()
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
        let mut n_units: u64 = self.units.iter().map(|&(count, _)| u64::from(count)).sum();
        let mut n_drawn = n_units;
        for (count, unit) in &self.units {
            let times = binomial(n_drawn, f64::from(*count) / n_units as f64, generator);
            n_units -= u64::from(*count);
            n_drawn -= times;
            for &(place, outcomes) in unit {
                pairings[place].total.add_times(outcomes, times as u32);
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

/// The number of successes in `n` trials: exact where few are expected, otherwise by the normal distribution.
fn binomial(n: u64, chance: f64, generator: &mut ChaCha8Rng) -> u64 {
    const FEW: f64 = 30.0;
    if chance > 0.5 {
        return n - binomial(n, 1.0 - chance, generator);
    }
    let expected = n as f64 * chance;
    let mut uniform = || (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    if expected > FEW {
        // G. E. P. Box and M. E. Muller, Annals of Mathematical Statistics 29, 1958.
        let normal = (-2.0 * (1.0 - uniform()).ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
        let found = expected + (expected * (1.0 - chance)).sqrt() * normal;
        return (found.round().max(0.0) as u64).min(n);
    }
    let mut left = uniform();
    let mut probability = (n as f64 * (-chance).ln_1p()).exp();
    let odds = chance / (1.0 - chance);
    let mut successes = 0;
    while left >= probability && successes < n {
        left -= probability;
        probability *= odds * (n - successes) as f64 / (successes + 1) as f64;
        successes += 1;
    }
    successes
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successes_have_the_mean_and_the_variance_of_the_binomial_distribution() {
        let mut generator = ChaCha8Rng::seed_from_u64(3);
        for (n, chance) in [(1_u64, 0.3), (20, 0.05), (20, 0.95), (1000, 0.02), (1000, 0.2), (500_000, 0.7)] {
            let mut scatter = Scatter::default();
            for _ in 0..20_000 {
                scatter.add(binomial(n, chance, &mut generator) as f64);
            }
            let sd = (n as f64 * chance * (1.0 - chance)).sqrt();
            assert!((scatter.mean - n as f64 * chance).abs() < 4.0 * sd / 20_000_f64.sqrt(), "{n} {chance}");
            assert!((scatter.standard_deviation() / sd - 1.0).abs() < 0.04, "{n} {chance}");
        }
        assert_eq!([binomial(7, 0.0, &mut generator), binomial(7, 1.0, &mut generator)], [0, 7]);
    }
}
