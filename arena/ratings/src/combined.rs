//! The ratings of all games side by side, and their mean. It makes no claims.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::confidence::Confidence;
use super::estimate::Estimate;
use super::intervals::{Evidence, FEWEST_DECIDED};
use super::joint::{JointRatings, centred};
use super::results::{ResultCounts, clusters_of};
use super::stronger::Strengths;

/// The ratings of the engines that are rated in every game.
pub(super) struct Mean {
    /// The mean over the games, by index into the names.
    pub joint: JointRatings,
    /// The mean's covariance for computations that need one matrix and no quantile, Elo².
    pub joint_covariance: DMatrix<f64>,
    /// Each game's part.
    pub games: Vec<MeanGame>,
}

impl Mean {
    /// The distribution of the engines' strengths.
    pub(super) fn strengths(&self) -> Option<Strengths> {
        Strengths::new(&self.joint.elo, self.joint_covariance.clone())
    }
}

/// One game's ratings of the engines that are rated in every game, relative to their mean.
pub(super) struct MeanGame {
    pub ratings: JointRatings,
    /// The covariance with each engine's own standard error, Elo².
    pub own_covariance: DMatrix<f64>,
    /// The covariance for computations that need one matrix and no quantile, Elo².
    pub joint_covariance: DMatrix<f64>,
}

/// The ratings of all games, with one numbering of the engines.
pub(super) struct Combined {
    /// All engines that played, by name.
    pub names: Vec<String>,
    /// Each game's ratings, by index into the names; `None` if a game has none.
    pub ratings: Vec<Option<JointRatings>>,
    /// The games' ids.
    pub games: Vec<String>,
    /// Each engine's results and pairs in all games.
    pub counts: Vec<(ResultCounts, u64)>,
}

impl Combined {
    pub(super) fn new(estimates: &[Estimate]) -> Self {
        let played = estimates.iter().flat_map(|estimate| &estimate.results.engines);
        let mut indices: BTreeMap<&str, usize> = played.map(|name| (name.as_str(), 0)).collect();
        for (index, value) in indices.values_mut().enumerate() {
            *value = index;
        }
        let mut counts = vec![(ResultCounts::default(), 0); indices.len()];
        for results in estimates.iter().map(|estimate| &estimate.results) {
            let pairs = clusters_of(results.engines.len(), &results.pairings);
            for ((name, game_counts), pairs) in results.engines.iter().zip(results.result_counts()).zip(pairs)
            {
                let (sum, all_pairs) = &mut counts[indices[name.as_str()]];
                sum.add(game_counts);
                *all_pairs += pairs;
            }
        }
        let renumbered = |estimate: &Estimate| {
            let mut joint = estimate.main_ratings()?.clone();
            for engine in &mut joint.engines {
                *engine = indices[estimate.results.engines[*engine].as_str()];
            }
            Some(joint)
        };
        Self {
            ratings: estimates.iter().map(renumbered).collect(),
            games: estimates.iter().map(|estimate| estimate.results.game.clone()).collect(),
            counts,
            names: indices.into_keys().map(str::to_owned).collect(),
        }
    }

    /// The number of games in which `engine` is rated.
    pub(super) fn n_rated(&self, engine: usize) -> usize {
        self.ratings.iter().flatten().filter(|joint| joint.place_of(engine).is_some()).count()
    }

    /// The mean of the ratings over all games; `None` if fewer than two engines are rated in every game.
    pub(super) fn mean(&self, confidence: Confidence) -> Option<Mean> {
        let n_games = self.games.len();
        let common: Vec<usize> =
            (0..self.names.len()).filter(|&engine| self.n_rated(engine) == n_games).collect();
        if common.len() < 2 {
            return None;
        }
        let games: Vec<MeanGame> = self
            .ratings
            .iter()
            .flatten()
            .map(|joint| {
                let places: Vec<usize> = common.iter().filter_map(|&engine| joint.place_of(engine)).collect();
                MeanGame {
                    own_covariance: centred(&joint.own_covariance(confidence), &places),
                    joint_covariance: centred(&joint.joint_covariance(), &places),
                    ratings: joint.centred_on(&places),
                }
            })
            .collect();
        let share = 1.0 / n_games as f64;
        let mut elo = vec![0.0; common.len()];
        let mut covariance = DMatrix::zeros(common.len(), common.len());
        let mut joint_covariance = covariance.clone();
        for game in &games {
            for (sum, game_elo) in elo.iter_mut().zip(&game.ratings.elo) {
                *sum += share * game_elo;
            }
            covariance += share * share * &game.own_covariance;
            joint_covariance += share * share * &game.joint_covariance;
        }
        let evidence = (0..common.len()).map(|place| least_evidence(&games, place)).collect();
        let joint =
            JointRatings { engines: common, elo, covariance, by_opening: None, evidence, inflation: 1.0 };
        Some(Mean { joint, joint_covariance, games })
    }
}

/// The degrees of freedom and clusters of the mean over `games` at `place`: those of the game with the least data. The
/// mean is normally distributed, and its error is computed from the games' errors. Whether there are too few decided
/// pairs depends on all games together.
fn least_evidence(games: &[MeanGame], place: usize) -> Evidence {
    let of_games = || games.iter().map(|game| game.ratings.evidence[place]);
    let least = |of: fn(Evidence) -> u64| of_games().map(of).min().unwrap_or(0);
    let decided: u64 = of_games().map(|it| it.decided).sum();
    Evidence {
        is_few: decided < FEWEST_DECIDED,
        ..Evidence::normal(least(|it| it.clusters), least(|it| it.decided))
    }
}
