//! General strength: what the games have in common, and how far they differ. Uses the games' ratings with their errors,
//! never their matches.

use nalgebra::DMatrix;
use serde::Serialize;

use super::confidence::chi_squared_above;
use super::intervals::{Evidence, Intervals};
use super::joint::JointRatings;
use super::meta_analysis::{Meta, Solution};
use super::notes::NoGeneralStrength;
use super::overall::{Combined, Mean};
use super::settings::Anchor;

/// With more engines than this the matrices take seconds.
const MOST_ENGINES: usize = 200;
/// A rating this many standard errors from the engine's mean is worth a word.
const SPECIALIST_ERRORS: f64 = 3.0;

/// What the games have in common, and where they differ.
///
/// An engine's rating in a game is its general strength, a deviation that is the game's own, and an error:
/// R_gi = μ_i + u_gi + e_gi with u ~ N(0, τ²). General strength is what to expect in a game not yet played, so its
/// errors are wider than those of the overall mean; it takes engines that miss games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct General {
    /// τ: the standard deviation, in Elo, of an engine's rating from game to game beyond the ratings' own errors.
    /// It takes in differences of scale as well: see [`GameSlope`].
    pub spread: f64,
    /// Cochran's Q: the games' weighted squared deviations if they had everything in common.
    pub q: f64,
    /// Degrees of freedom of Q.
    pub freedom: usize,
    /// The chance of so large a Q if the games had everything in common.
    pub p: Option<f64>,
    /// I²: the part of the deviations that isn't the ratings' error, 0 to 1.
    pub inconsistency: f64,
    /// General strength, by name. Engines whose error can't be told yet at any time are left out.
    pub engines: Vec<GeneralRating>,
    /// How far each game stretches the overall ratings; empty if nobody is rated in every game.
    pub slopes: Vec<GameSlope>,
    /// Engines with a game that they play clearly better or worse than the others; empty likewise.
    pub specialists: Vec<Specialist>,
}

/// An engine's general strength, Elo.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GeneralRating {
    /// The engine's name.
    pub engine: String,
    /// The estimate.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The standard error.
    pub se: f64,
    /// The best guess at its rating in each game that rates it: the game's own rating, drawn towards the general one.
    pub games: Vec<GameGuess>,
}

/// The best guess at an engine's rating in one game, Elo.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameGuess {
    /// The game's id.
    pub game: String,
    /// The guess.
    pub elo: f64,
}

/// How far a game stretches the overall ratings: above 1 the engines are farther apart in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameSlope {
    /// The game's id.
    pub game: String,
    /// The slope of its ratings on the overall ones.
    pub slope: f64,
}

/// An engine with a game that it plays clearly better or worse than the others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Specialist {
    /// The engine's name.
    pub engine: String,
    /// The game's id.
    pub game: String,
    /// The rating there less the overall rating, each relative to the engines' mean, Elo: more than three standard errors
    /// from 0.
    pub elo_difference: f64,
}

/// The general strength over `combined`; the error says in plain words why there is none.
pub(super) fn general(
    combined: &Combined,
    mean: Option<&Mean>,
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
    let solution = meta.solve(spread);
    let guesses: Vec<Vec<f64>> = (0..games.len()).map(|game| meta.guesses(game, &solution)).collect();
    // Ratings here are relative to the anchor where the overall ones are.
    let anchor = anchor.and_then(|anchor| {
        let engine = combined.names.binary_search(&anchor.engine).ok()?;
        mean?.joint.place_of(engine)?;
        Some((engine, engines.binary_search(&engine).ok()?, anchor.elo))
    });
    let measurer = Measurer {
        solution: &solution,
        freedom: freedom as f64,
        intervals,
        anchor: anchor.map(|(_, index, elo)| (index, elo)),
    };
    let evidence = |index: usize| evidence(&ratings, engines[index]);
    let rate = |index: usize| {
        let clusters = anchor.map_or(u64::MAX, |(_, anchor, _)| evidence(anchor)).min(evidence(index));
        let [elo, low, high, se] = measurer.measure(index, clusters)?;
        let guess = |((game, joint), guesses): (&(&str, &JointRatings), &Vec<f64>)| {
            let shift = anchor.and_then(|(anchor, _, elo)| Some(elo - guesses[joint.place_of(anchor)?]));
            let elo = guesses[joint.place_of(engines[index])?] + shift.unwrap_or(0.0);
            Some(GameGuess { game: (*game).to_owned(), elo })
        };
        let engine = combined.names[engines[index]].clone();
        let games = games.iter().zip(&guesses).filter_map(guess).collect();
        Some(GeneralRating { engine, elo, low, high, se, games })
    };
    Ok(General {
        spread,
        q: in_common.squares,
        freedom,
        p: chi_squared_above(in_common.squares, freedom as f64),
        inconsistency: ((in_common.squares - freedom as f64) / in_common.squares).max(0.0),
        engines: (0..engines.len()).filter_map(rate).collect(),
        slopes: mean.map(|mean| slopes(combined, mean)).unwrap_or_default(),
        specialists: mean.map(|mean| specialists(combined, mean)).unwrap_or_default(),
    })
}

/// The clusters of `engine` in the game that rates it by the fewest.
fn evidence(games: &[&JointRatings], engine: usize) -> u64 {
    games.iter().filter_map(|joint| Some(joint.evidence[joint.place_of(engine)?].clusters)).min().unwrap_or(0)
}

/// From common values to numbers with errors.
struct Measurer<'a> {
    solution: &'a Solution,
    freedom: f64,
    intervals: Intervals,
    /// The anchor's index and rating, Elo.
    anchor: Option<(usize, f64)>,
}

impl Measurer<'_> {
    /// Elo, the ends of its interval, and the standard error; none where it is too early.
    fn measure(&self, index: usize, clusters: u64) -> Option<[f64; 4]> {
        let (elo, variance) = match self.anchor {
            Some((anchor, elo)) if anchor == index => return Some([elo, elo, elo, 0.0]),
            Some((anchor, elo)) => (
                self.solution.elo[index] - self.solution.elo[anchor] + elo,
                self.solution.difference_variance(index, anchor),
            ),
            None => (self.solution.elo[index], self.solution.variance(index)),
        };
        // Deviations that τ does not account for widen the errors; they never narrow them.
        let inflation = (self.solution.squares / self.freedom).max(1.0);
        let se = (inflation * variance).max(0.0).sqrt();
        let half_width = self.intervals.half_width(Evidence { freedom: self.freedom, clusters })? * se;
        Some([elo, elo - half_width, elo + half_width, se])
    }
}

fn slopes(combined: &Combined, mean: &Mean) -> Vec<GameSlope> {
    let overall = &mean.joint.elo;
    let squares: f64 = overall.iter().map(|elo| elo * elo).sum();
    if squares == 0.0 {
        return Vec::new();
    }
    combined
        .games
        .iter()
        .zip(&mean.games)
        .map(|(game, joint)| {
            let products: f64 = joint.elo.iter().zip(overall).map(|(elo, overall)| elo * overall).sum();
            GameSlope { game: game.clone(), slope: products / squares }
        })
        .collect()
}

/// The games are independent, so Var(R_g - M) = (1 - 1/G)² Var(R_g) + Σ Var(R_h) / G² over the other games h.
fn specialists(combined: &Combined, mean: &Mean) -> Vec<Specialist> {
    let n_games = mean.games.len() as f64;
    let variance = |covariance: &DMatrix<f64>, place: usize| covariance[(place, place)];
    let mut specialists = Vec::new();
    for (place, &engine) in mean.joint.engines.iter().enumerate() {
        for (game, joint) in combined.games.iter().zip(&mean.games) {
            let own = variance(&joint.covariance, place);
            let of_difference = (1.0 - 2.0 / n_games) * own + variance(&mean.joint.covariance, place);
            let elo_difference = joint.elo[place] - mean.joint.elo[place];
            if SPECIALIST_ERRORS * of_difference.max(0.0).sqrt() < elo_difference.abs() {
                specialists.push(Specialist {
                    engine: combined.names[engine].clone(),
                    game: game.clone(),
                    elo_difference,
                });
            }
        }
    }
    specialists
}
