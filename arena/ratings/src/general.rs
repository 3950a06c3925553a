//! General strength: what an engine's ratings in all games have in common, and how far they differ. It uses the
//! ratings of the games with their errors, not the matches.

use nalgebra::{DMatrix, DVector};

use super::combined::{Combined, Mean};
use super::confidence::{chi_squared_above, probability_below};
use super::holm::holm;
use super::intervals::{Evidence, Intervals};
use super::joint::JointRatings;
use super::meta_analysis::{Meta, NoGeneralStrength, Solution};
use super::settings::Anchor;
use super::standings::{GameDeviation, GameGuess, GameSlope, General, GeneralRating};

/// With more engines, the matrices would take seconds.
const MOST_ENGINES: usize = 200;

/// The general strengths of `combined`, or why there are none. The engines that are rated in all games have the mean
/// `core_mean`, as overall.
pub(super) fn general(
    combined: &Combined,
    mean: Option<&Mean>,
    core_mean: f64,
    intervals: Intervals,
    anchor: Option<&Anchor>,
) -> Result<General, NoGeneralStrength> {
    let games: Vec<(&str, &JointRatings)> = combined
        .games
        .iter()
        .zip(&combined.ratings)
        .filter_map(|(game, ratings)| Some((game.as_str(), ratings.as_ref()?)))
        .collect();
    let mut engines: Vec<usize> = games.iter().flat_map(|(_, joint)| joint.engines.iter().copied()).collect();
    engines.sort_unstable();
    engines.dedup();
    if MOST_ENGINES < engines.len() {
        return Err(NoGeneralStrength::TooManyEngines { most: MOST_ENGINES });
    }
    let ratings: Vec<&JointRatings> = games.iter().map(|&(_, joint)| joint).collect();
    let meta = Meta::new(&engines, &ratings)?;
    let freedom = meta.freedom();
    let in_common = meta.solve(0.0);
    let spread = meta.most_likely_spread();
    // General strength has the same zero as the overall ratings: the mean of the engines that are rated in all games.
    let common: Vec<usize> = match mean {
        Some(mean) => mean.joint.engines.iter().filter_map(|it| engines.binary_search(it).ok()).collect(),
        None => (0..engines.len()).collect(),
    };
    let solution = meta.solve(spread).centred_on(&common);
    let guesses: Vec<Vec<f64>> = (0..games.len())
        .map(|game| {
            let guesses = meta.guesses(game, &solution);
            let place_of = |&index: &usize| ratings[game].place_of(engines[index]);
            let zero = mean.map_or(0.0, |_| {
                let of_common: Vec<f64> = common.iter().filter_map(place_of).map(|it| guesses[it]).collect();
                of_common.iter().sum::<f64>() / of_common.len() as f64
            });
            guesses.iter().map(|guess| guess - zero).collect()
        })
        .collect();
    // Ratings are relative to the anchor here if the overall ones are.
    let anchor = anchor.and_then(|anchor| {
        let engine = combined.names.binary_search(&anchor.engine).ok()?;
        mean?.joint.place_of(engine)?;
        Some((engine, engines.binary_search(&engine).ok()?, anchor.elo))
    });
    let measurer = Measurer {
        solution: &solution,
        freedom: freedom as f64,
        intervals,
        core_mean,
        anchor: anchor.map(|(_, index, elo)| (index, elo)),
    };
    let evidence = |index: usize| evidence(&ratings, engines[index]);
    let rate = |index: usize| {
        let own = evidence(index);
        let least = anchor.map_or(own, |(_, anchor, _)| own.less(evidence(anchor)));
        let [elo, low, high, se] = measurer.measure(index, least)?;
        let guess = |((game, joint), guesses): (&(&str, &JointRatings), &Vec<f64>)| {
            let shift = anchor.and_then(|(anchor, _, elo)| Some(elo - guesses[joint.place_of(anchor)?]));
            let elo = guesses[joint.place_of(engines[index])?] + shift.unwrap_or(core_mean);
            Some(GameGuess { game: (*game).to_owned(), elo })
        };
        let engine = combined.names[engines[index]].clone();
        let games = games.iter().zip(&guesses).filter_map(guess).collect();
        Some(GeneralRating { engine, elo, low, high, se, games })
    };
    let [spread_low, spread_high] = meta.spread_interval(intervals.confidence);
    Ok(General {
        spread,
        spread_low,
        spread_high,
        q: in_common.squares,
        freedom,
        p: chi_squared_above(in_common.squares, freedom as f64),
        inconsistency: ((in_common.squares - freedom as f64) / in_common.squares).max(0.0),
        engines: (0..engines.len()).filter_map(rate).collect(),
        slopes: mean.map(|mean| slopes(combined, mean, spread)).unwrap_or_default(),
        deviations: mean.map(|mean| deviations(combined, mean)).unwrap_or_default(),
    })
}

/// The degrees of freedom and clusters of the rating of `engine` in the game with the least data.
fn evidence(games: &[&JointRatings], engine: usize) -> Evidence {
    let of_games = || games.iter().filter_map(|joint| Some(joint.evidence[joint.place_of(engine)?]));
    let least = |of: fn(Evidence) -> u64| of_games().map(of).min().unwrap_or(0);
    Evidence::normal(least(|it| it.clusters), least(|it| it.decided))
}

/// Converts common values to numbers with errors.
struct Measurer<'a> {
    solution: &'a Solution,
    freedom: f64,
    intervals: Intervals,
    /// The number of the mean, without an anchor.
    core_mean: f64,
    /// The anchor's index and rating, Elo.
    anchor: Option<(usize, f64)>,
}

impl Measurer<'_> {
    /// Elo, the ends of its interval, and the standard error; `None` if it is too early.
    fn measure(&self, index: usize, least: Evidence) -> Option<[f64; 4]> {
        let (elo, variance) = match self.anchor {
            Some((anchor, elo)) if anchor == index => return Some([elo, elo, elo, 0.0]),
            Some((anchor, elo)) => (
                self.solution.elo[index] - self.solution.elo[anchor] + elo,
                self.solution.difference_variance(index, anchor),
            ),
            None => (self.core_mean + self.solution.elo[index], self.solution.variance(index)),
        };
        // Deviations that τ does not explain widen the errors; they never narrow them.
        let inflation = (self.solution.squares / self.freedom).max(1.0);
        let se = (inflation * variance).max(0.0).sqrt();
        let half_width = self.intervals.half_width(Evidence { freedom: self.freedom, ..least })? * se;
        Some([elo, elo - half_width, elo + half_width, se])
    }
}

/// b = x·R / x·x, where x is the mean of the other games' ratings. Its error includes the errors of both and τ, the
/// spread between games.
fn slopes(combined: &Combined, mean: &Mean, spread: f64) -> Vec<GameSlope> {
    let n_others = mean.games.len() as f64 - 1.0;
    let n_engines = mean.joint.engines.len();
    let sum = DVector::from_iterator(n_engines, mean.joint.elo.iter().map(|elo| elo * (n_others + 1.0)));
    let all: DMatrix<f64> = mean
        .games
        .iter()
        .fold(DMatrix::zeros(n_engines, n_engines), |sum, game| sum + &game.joint_covariance);
    let centring = DMatrix::identity(n_engines, n_engines)
        - DMatrix::from_element(n_engines, n_engines, 1.0 / n_engines as f64);
    let mut slopes = Vec::new();
    for (game, of_game) in combined.games.iter().zip(&mean.games) {
        let own = DVector::from_column_slice(&of_game.ratings.elo);
        let others = (&sum - &own) / n_others;
        let squares = others.norm_squared();
        if squares == 0.0 {
            return Vec::new();
        }
        let slope = others.dot(&own) / squares;
        let square = slope * slope;
        let error = &of_game.joint_covariance
            + (&all - &of_game.joint_covariance) * (square / (n_others * n_others))
            + &centring * (spread * spread * (1.0 + square / n_others));
        let se = (others.transpose() * error * &others)[(0, 0)].max(0.0).sqrt() / squares;
        slopes.push(GameSlope { game: game.clone(), slope, se, differs: false });
    }
    let p: Vec<f64> = slopes.iter().map(|it| two_sided((it.slope - 1.0) / it.se)).collect();
    for (slope, differs) in slopes.iter_mut().zip(holm(&p)) {
        slope.differs = differs;
    }
    slopes
}

/// The games are independent, so Var(R_g - M) = (1 - 1/G)² Var(R_g) + Σ Var(R_h) / G² over the other games h.
fn deviations(combined: &Combined, mean: &Mean) -> Vec<GameDeviation> {
    let n_games = mean.games.len() as f64;
    let mut deviations = Vec::new();
    for (game, of_game) in combined.games.iter().zip(&mean.games) {
        for (place, &engine) in mean.joint.engines.iter().enumerate() {
            let own = of_game.own_covariance[(place, place)];
            let variance = (1.0 - 2.0 / n_games) * own + mean.joint.covariance[(place, place)];
            let elo_difference = of_game.ratings.elo[place] - mean.joint.elo[place];
            let z = if variance <= 0.0 { 0.0 } else { elo_difference / variance.sqrt() };
            let engine = combined.names[engine].clone();
            deviations.push(GameDeviation {
                game: game.clone(),
                engine,
                elo_difference,
                z,
                is_specialist: false,
            });
        }
    }
    let p: Vec<f64> = deviations.iter().map(|it| two_sided(it.z)).collect();
    for (deviation, is_specialist) in deviations.iter_mut().zip(holm(&p)) {
        deviation.is_specialist = is_specialist;
    }
    deviations
}

fn two_sided(z: f64) -> f64 {
    2.0 * probability_below(-z.abs(), f64::INFINITY)
}
