//! One rating over all games: the mean of the games' ratings, each game with the same weight. Matches of different
//! games are never pooled in one fit.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::confidence::Confidence;
use super::estimate::Estimate;
use super::game_scope::{covariance, fill, unrated};
use super::general;
use super::intervals::{Evidence, FEWEST_DECIDED, Intervals};
use super::joint::{JointRatings, centred};
use super::notes;
use super::ranking::{Row, rank};
use super::results::{Absent, ResultCounts};
use super::settings::Anchor;
use super::standings::{OVERALL, Rating, Scope, Status};
use super::stronger::Strengths;

/// The scope over all games; `None` without games. With one game, it is a copy of the game's scope.
///
/// M_i = Σ R_gi / G with the covariance Σ Cov_g / G², every R_g centred on the engines that are rated in all G games.
/// The played games are all games of interest, so their differences are not an error of the mean.
pub(super) fn scope(
    estimates: &[Estimate],
    games: &[Scope],
    intervals: Intervals,
    anchor: Option<&Anchor>,
) -> Option<Scope> {
    match games {
        [] => None,
        [game] => {
            let mut overall = game.clone();
            OVERALL.clone_into(&mut overall.name);
            Some(overall)
        }
        _ => Some(over_many(estimates, games, intervals, anchor)),
    }
}

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
    fn strengths(&self) -> Option<Strengths> {
        Strengths::new(&self.joint.elo, &self.joint_covariance)
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
    counts: Vec<(ResultCounts, u64)>,
}

fn over_many(
    estimates: &[Estimate],
    games: &[Scope],
    intervals: Intervals,
    anchor: Option<&Anchor>,
) -> Scope {
    let combined = Combined::new(estimates);
    let intervals = intervals.of_engines(combined.names.len());
    let mean = combined.mean(intervals.confidence);
    let engines = ratings(&combined, games, mean.as_ref(), intervals);
    let general = general::general(&combined, mean.as_ref(), intervals, anchor);
    let absent = absent(estimates, &combined.names);
    let mut notes =
        notes::of_overall(&combined, mean.as_ref(), &engines, general.as_ref().map_err(|&reason| reason));
    notes.extend(notes::absent(&absent));
    let absent =
        absent.iter().map(|absent| unrated(&absent.engine, Status::Absent, ResultCounts::default(), 0));
    Scope {
        name: OVERALL.to_owned(),
        matches: estimates.iter().map(|estimate| estimate.results.matches()).sum(),
        copies: estimates.iter().map(|estimate| estimate.results.copies).sum(),
        engines: engines.into_iter().chain(absent).collect(),
        first_player: None,
        draw_rate: None,
        openings: 0.0,
        phi: None,
        fit: None,
        covariance: mean.map(|mean| {
            covariance(&mean.joint, mean.joint_covariance, &combined.names, intervals.confidence)
        }),
        general: general.ok(),
        is_anchored: false,
        notes,
    }
}

/// The engines that never started in any of their games: not in the `names` of those that played.
fn absent(estimates: &[Estimate], names: &[String]) -> Vec<Absent> {
    let mut matches: BTreeMap<&str, u64> = BTreeMap::new();
    for absent in estimates.iter().flat_map(|estimate| &estimate.results.absent) {
        *matches.entry(&absent.engine).or_default() += absent.matches;
    }
    matches
        .into_iter()
        .filter(|(engine, _)| names.binary_search_by(|name| name.as_str().cmp(engine)).is_err())
        .map(|(engine, matches)| Absent { engine: engine.to_owned(), matches })
        .collect()
}

impl Combined {
    fn new(estimates: &[Estimate]) -> Self {
        let played = estimates.iter().flat_map(|estimate| &estimate.results.engines);
        let mut indices: BTreeMap<&str, usize> = played.map(|name| (name.as_str(), 0)).collect();
        for (index, value) in indices.values_mut().enumerate() {
            *value = index;
        }
        let mut counts = vec![(ResultCounts::default(), 0); indices.len()];
        for results in estimates.iter().map(|estimate| &estimate.results) {
            let pairs = super::results::clusters_of(results.engines.len(), &results.pairings);
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

    fn mean(&self, confidence: Confidence) -> Option<Mean> {
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

fn ratings(combined: &Combined, games: &[Scope], mean: Option<&Mean>, intervals: Intervals) -> Vec<Rating> {
    let joint = mean.map(|mean| &mean.joint);
    let reference = if joint.is_none() { reference(games) } else { None };
    let mut rows: Vec<Row> = combined
        .counts
        .iter()
        .enumerate()
        .map(|(engine, &(counts, pairs))| {
            let status = Status::SomeGames { rated: combined.n_rated(engine), of: combined.games.len() };
            let mut rating = unrated(&combined.names[engine], status, counts, pairs);
            if let Some(joint) = joint
                && let Some(place) = joint.place_of(engine)
            {
                fill(&mut rating, joint, place, intervals);
            } else if reference == Some(combined.names[engine].as_str()) {
                rating.status = Status::Alone;
            } else if (joint.is_some() || reference.is_some())
                && let Some([elo, low, high]) = indication(combined, games, joint, &rating.engine)
            {
                (rating.elo, rating.low, rating.high) = (elo, low, high);
            }
            Row { engine, rating }
        })
        .collect();
    let strengths = mean.and_then(Mean::strengths);
    rank(&mut rows, joint, strengths.as_ref(), intervals);
    rows.into_iter().map(|row| row.rating).collect()
}

/// The engine that the others are rated relative to, in every game.
fn reference(games: &[Scope]) -> Option<&str> {
    let mut engines = games.iter().map(|game| {
        let alone = |rating: &&Rating| rating.pool == 1 && rating.status == Status::Alone;
        game.engines.iter().find(alone).map(|rating| rating.engine.as_str())
    });
    let first = engines.next()??;
    engines.all(|engine| engine == Some(first)).then_some(first)
}

/// The overall estimate of an engine without a two-sided rating in some game: the mean of its ratings and bounds in all
/// games, on the scale of the others' mean. An end that is unbounded in one game is unbounded. `None` if a game has no
/// information about it.
///
/// Each game's one-sided bound has the full confidence, so their mean is a conservative bound for the mean.
fn indication(
    combined: &Combined,
    games: &[Scope],
    joint: Option<&JointRatings>,
    engine: &str,
) -> Option<[Option<f64>; 3]> {
    let share = 1.0 / games.len() as f64;
    let mut sums = [Some(0.0); 3];
    for game in games {
        let rating = game.engines.iter().find(|rating| rating.engine == engine && rating.pool == 1)?;
        // The others are rated relative to an engine that is alone: its rating is 0 without an error.
        let is_reference = rating.status == Status::Alone;
        let own = |value: Option<f64>| if is_reference { Some(0.0) } else { value };
        let elo = own(rating.elo)?;
        let centre = joint.map_or(0.0, |joint| {
            let is_common = |rating: &&Rating| {
                joint.engines.iter().any(|&common| combined.names[common] == rating.engine)
            };
            let common: Vec<f64> =
                game.engines.iter().filter(is_common).filter_map(|rating| rating.elo).collect();
            common.iter().sum::<f64>() / common.len() as f64
        });
        for (sum, value) in sums.iter_mut().zip([Some(elo), own(rating.low), own(rating.high)]) {
            *sum = sum.zip(value).map(|(sum, value)| sum + share * (value - centre));
        }
    }
    Some(sums)
}
