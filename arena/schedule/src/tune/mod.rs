//! Tuning of an engine's options by SPSA (simultaneous perturbation stochastic approximation): the engine plays itself
//! with all options moved at random by a step, up or down, against the opposite moves, and the options follow the
//! result. Pure: values follow from the tournament and from results, whatever the order in which matches end.

mod gains;
mod scheduler;
#[cfg(test)]
mod simulation;

use std::collections::BTreeMap;

use engine_proto::GameId;
use engine_proto::bits::mix64;

use super::planning;
use gains::{distance, gain};
use model::{FAULTS, Record, Tournament, Tune};
use ratings::MatchResult;
pub use scheduler::TuneScheduler;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Half the width of a 95 % interval, in standard deviations.
const INTERVAL: f64 = 1.96;

/// The value that tuning has found for an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The value before tuning.
    pub start: f64,
    /// The mean of the second half of the values reached.
    pub value: f64,
    /// How far chance alone would have moved it: half of a 95 % interval.
    pub chance: f64,
}

/// A tuning in progress.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// What is tuned.
    pub tune: Tune,
    /// The number of points in all.
    pub n_points: u32,
    plus: String,
    seed: u64,
    /// The number of matches with the same values.
    matches_per_point: u32,
    /// The weight of each game; their mean is 1.
    weights: BTreeMap<GameId, f64>,
    /// The values before each point whose predecessors are finished, and after the last one of them.
    iterates: Vec<Vec<f64>>,
    /// The score of the first engine less that of the second, for each finished point.
    scores: Vec<f64>,
    /// The scores of the matches, by number, in points that are not finished or come after one that is not.
    waiting: BTreeMap<u32, BTreeMap<u32, f64>>,
    /// The number of matches that were lost by a fault of the engine.
    n_faults: u32,
}

impl Tuning {
    /// The tuning of this tournament, without results.
    ///
    /// # Panics
    /// If it tunes nothing, or an option has no value to start from.
    pub fn new(tournament: &Tournament) -> Self {
        let tune = tournament.tune.clone().expect("it tunes");
        let n_points = tournament.pairs / tune.pairs_per_point;
        let plan = planning::plan(tournament);
        let games = plan.pairings().iter().map(|pairing| plan.games()[pairing.game_idx]);
        let weights: Vec<(GameId, f64)> =
            games.map(|game| (game, tune.weights.get(&game).copied().unwrap_or(1.0))).collect();
        let mean = weights.iter().map(|(_, weight)| weight).sum::<f64>() / weights.len() as f64;
        let start = tune.options.iter().map(|option| option.start.expect("the engine has started")).collect();
        Self {
            plus: tournament.engines[0].name.clone(),
            seed: tournament.seed,
            matches_per_point: 2 * weights.len() as u32 * tune.pairs_per_point,
            n_points,
            weights: weights.into_iter().map(|(game, weight)| (game, weight / mean)).collect(),
            iterates: vec![start],
            scores: Vec::new(),
            waiting: BTreeMap::new(),
            n_faults: 0,
            tune,
        }
    }

    /// The number of points that count: they and all before them are finished.
    pub const fn n_finished(&self) -> u32 {
        self.scores.len() as u32
    }

    /// The values at the start and after each point that counts, in the order of the options.
    pub fn iterates(&self) -> &[Vec<f64>] {
        &self.iterates
    }

    /// The score of the first engine less that of the second in each point that counts: the sum over its matches, with the
    /// weights of their games.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The number of matches that were lost by a fault of the engine, if it has too many.
    pub fn too_many_faults(&self) -> Option<u32> {
        (self.tune.max_faults <= self.n_faults).then_some(self.n_faults)
    }

    /// The point that this match belongs to, from 0.
    pub const fn point_of(&self, number: u32) -> u32 {
        (number - 1) / self.matches_per_point
    }

    /// Counts a match of this run or an earlier one, once.
    pub fn add(&mut self, record: &Record) {
        self.n_faults += u32::from(record.reason == "time" || FAULTS.contains(&record.reason.as_str()));
        let score = match record.result {
            MatchResult::Draw => 0.0,
            result if (result == MatchResult::WhiteWins) == (record.white == self.plus) => 1.0,
            _ => -1.0,
        };
        let point = self.waiting.entry(self.point_of(record.number)).or_default();
        point.insert(record.number, score * self.weights[&record.game]);
        // In the order of the matches: another one would round differently.
        while let Some(first) = self.waiting.first_entry()
            && (*first.key(), first.get().len() as u32) == (self.scores.len() as u32, self.matches_per_point)
        {
            let score = first.remove().values().sum();
            self.step(score);
        }
    }

    /// The values of a point, from 0, as the first and the second engine read them, in the order of the options; `None` as long
    /// as they depend on matches that are not finished.
    pub fn point(&self, point: u32) -> Option<[Vec<String>; 2]> {
        let values = self.iterates.get(point.saturating_sub(self.tune.lag) as usize)?;
        let side = |sign: f64| {
            let text = |(idx, value): (usize, &f64)| {
                let option = &self.tune.options[idx];
                let moved =
                    value + sign * self.sign(point, idx) * distance(self.n_points, point, option.step);
                // A whole number is rounded at random, the same way for both, so that its mean is the exact value.
                option.text_rounded(moved.clamp(option.min, option.max), self.fraction(point, idx))
            };
            values.iter().enumerate().map(text).collect()
        };
        Some([1.0, -1.0].map(side))
    }

    /// The values that tuning has found so far, in the order of the options.
    pub fn found(&self) -> Vec<Found> {
        let n_finished = self.iterates.len() - 1;
        let first = n_finished.div_ceil(2);
        let averaged = &self.iterates[first..];
        let n = averaged.len() as f64;
        let found = |idx: usize| {
            let value = averaged.iter().map(|values| values[idx]).sum::<f64>() / n;
            let variance = self.iterates.windows(2).enumerate().map(|(point, pair)| {
                // The share of the averaged values that come after this point.
                let share = (n_finished - point.max(first.saturating_sub(1))) as f64 / n;
                ((pair[1][idx] - pair[0][idx]) * share).powi(2)
            });
            Found { start: self.iterates[0][idx], value, chance: INTERVAL * variance.sum::<f64>().sqrt() }
        };
        (0..self.tune.options.len()).map(found).collect()
    }

    /// The names of the options, each with its value found as the engine reads it.
    pub fn answer(&self) -> Vec<(String, String)> {
        self.texts(self.found().into_iter().map(|found| found.value))
    }

    /// The same with other values.
    pub fn texts(&self, values: impl IntoIterator<Item = f64>) -> Vec<(String, String)> {
        let options = self.tune.options.iter().zip(values);
        options.map(|(option, value)| (option.name.clone(), option.text(value))).collect()
    }

    /// Whether the options have moved further than chance alone explains, at a level of 5 %.
    pub fn has_moved(&self) -> bool {
        let found = self.found().into_iter().filter(|found| found.chance > 0.0);
        let deviations = found.map(|found| (found.value - found.start) / (found.chance / INTERVAL));
        let chi_squared: f64 = deviations.map(|deviation| deviation.powi(2)).sum();
        let by_chance = ChiSquared::new(self.tune.options.len() as f64).expect("at least one option");
        by_chance.inverse_cdf(0.95) < chi_squared
    }

    /// The options follow the score of the next point.
    fn step(&mut self, score: f64) {
        let point = self.n_finished();
        let values = self.iterates.last().expect("the start");
        let next = values.iter().zip(&self.tune.options).enumerate().map(|(idx, (value, option))| {
            let by = gain(self.n_points, point, option.step) * score;
            (value + by * self.sign(point, idx)).clamp(option.min, option.max)
        });
        self.iterates.push(next.collect());
        self.scores.push(score);
    }

    /// The direction of an option in a point: 1 or -1.
    const fn sign(&self, point: u32, idx: usize) -> f64 {
        if self.random(point, idx) & 1 == 0 { 1.0 } else { -1.0 }
    }

    /// A number from 0 to below 1 for rounding.
    fn fraction(&self, point: u32, idx: usize) -> f64 {
        (self.random(point, idx) >> 11) as f64 / (1_u64 << 53) as f64
    }

    const fn random(&self, point: u32, idx: usize) -> u64 {
        mix64(mix64(self.seed ^ 0x7475_6e65 ^ ((point as u64) << 32)) ^ idx as u64)
    }
}
