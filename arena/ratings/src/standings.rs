//! The ratings as data, for tables, files and pages. This file has the types and joins the parts; the estimation is
//! done in other files.

use std::fmt;

use nalgebra::DMatrix;
use rayon::prelude::*;
use serde::{Serialize, Serializer};

use super::bootstrap::Resampled;
use super::confidence::Confidence;
use super::estimate::Estimate;
use super::general::General;
use super::intervals::Intervals;
use super::joint::JointRatings;
use super::notes::Note;
use super::settings::{Anchor, OpeningsMeant, RatingSettings, Validity};
use super::stronger::Strengths;
use super::tally::Tally;
use super::{anchoring, bootstrap, game_scope, notes, overall};

/// The name of the scope of all games together.
pub const OVERALL: &str = "overall";

/// The maximum number of engines in one game: the joint errors need memory in proportion to its square, and time in
/// proportion to its cube.
pub const MOST_ENGINES: usize = 2_000;

/// The ratings of all engines, overall and in each game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The confidence level of all intervals.
    pub confidence: Confidence,
    /// When the intervals are valid.
    pub validity: Validity,
    /// Which openings the errors refer to.
    pub openings: OpeningsMeant,
    /// The engine that the ratings are relative to, in every scope that rates it and other engines.
    pub anchor: Option<Anchor>,
    /// The number of bootstrap resamplings; `None` without a bootstrap.
    pub bootstrap: Option<u32>,
    /// [`OVERALL`] first, then the games by name; empty without matches.
    pub scopes: Vec<Scope>,
}

/// The ratings in one game, or overall.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scope {
    /// [`OVERALL`] or the game's id.
    pub name: String,
    /// The number of matches.
    pub matches: u64,
    /// The number of copies: matches with the same moves as another one of the same pairing, opening and sides.
    pub copies: u64,
    /// The engines, sorted by pool, then by rating with the strongest first.
    pub engines: Vec<Rating>,
    /// The first-player advantage in Elo. `None` overall, and if the matches do not determine it.
    pub first_player: Option<Measure>,
    /// The draw rate between equal engines, 0 to 1. `None` overall, and if the matches do not determine it.
    pub draw_rate: Option<Measure>,
    /// The effective number of openings that several pairings share; 0 if there are none, and overall.
    pub openings: f64,
    /// The measured variance relative to that of independent matches. `None` overall, and if nothing is fitted.
    pub phi: Option<Phi>,
    /// How well the ratings explain the results of the pairings. `None` overall, and if nothing is fitted.
    pub fit: Option<FitQuality>,
    /// The covariance of the ratings in the first pool, if there are ratings.
    pub covariance: Option<Covariance>,
    /// How far ratings agree between games. Only overall, with at least two games.
    pub general: Option<General>,
    /// Whether the ratings of the first pool are relative to the anchor.
    pub is_anchored: bool,
    /// Warnings and explanations for the reader.
    pub notes: Vec<Note>,
}

/// One engine's rating in one scope.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The engine's name.
    pub engine: String,
    /// The kind of rating, or why there is none.
    pub status: Status,
    /// The pool, from 1; 1 is the largest. Engines of different pools are not connected by matches and cannot be
    /// compared.
    pub pool: usize,
    /// The rating in Elo, relative to the mean of its pool's core or to the anchor. `None` if there is no estimate.
    pub elo: Option<f64>,
    /// The lower end of the interval. `None` if it is unbounded or there is no rating.
    pub low: Option<f64>,
    /// The upper end of the interval. `None` if it is unbounded or there is no rating.
    pub high: Option<f64>,
    /// The standard error in Elo. `None` if the interval has only one end or does not come from a standard error.
    pub se: Option<f64>,
    /// The standard error for exactly these openings: by pairs alone, and not widened for few decided pairs. `None`
    /// overall.
    pub se_pairs: Option<f64>,
    /// The standard error by the bootstrap: see [`Standings::add_bootstrap`].
    pub se_bootstrap: Option<f64>,
    /// Whether the prior still has a noticeable influence on the rating: too few matches.
    pub weak: bool,
    /// Matches played.
    pub matches: u64,
    /// Matches won.
    pub wins: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
    /// The number of losses by forfeit: exceeded time, a crash, an illegal move and so on.
    pub forfeits: u64,
    /// The score, 0 to 1: points divided by matches. A win is 1 point, a draw 0.5.
    pub score: f64,
    /// The number of pairs or other independent units: matches from one opening count together.
    pub pairs: u64,
    /// The number of fitted pairs in which one side scored more. `None` overall, and if nothing is fitted.
    pub decided: Option<u64>,
    /// The number of fitted pairs: all except those against engines with a perfect score. `None` overall, and if
    /// nothing is fitted.
    pub fitted: Option<u64>,
    /// Whether too few pairs were decided for a reliable result. No rank range is given then.
    pub few: bool,
    /// The effective number of openings that it shares with other pairings; 0 if there are none, and overall.
    pub openings: f64,
    /// The best possible rank in its pool: 1 + the number of engines that are significantly stronger.
    pub rank_low: Option<usize>,
    /// The worst possible rank in its pool: the number of engines that are not significantly weaker, including itself.
    pub rank_high: Option<usize>,
    /// LOS over the next engine of the list: 1 minus the one-sided p-value, 0 to 1. It is not the probability of being
    /// stronger.
    pub los_next: Option<f64>,
    /// The probability of being stronger than the next engine of the list, 0 to 1. `None` if one of the two has no
    /// two-sided rating.
    pub p_stronger_next: Option<f64>,
}

/// The kind of an engine's rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// An estimate with a two-sided interval.
    Bounded,
    /// An estimate without an interval, because it is too early for one that is valid at any time: see
    /// [`Validity::AnyTime`].
    TooEarly,
    /// It won every match against the core: the rating has only a lower bound.
    Above,
    /// It lost every match against the core: the rating has only an upper bound.
    Below,
    /// It has no match against the core, so that it has no place on its scale.
    NotComparable,
    /// It started in none of its matches, so that none of them is rated.
    Absent,
    /// It is the only engine of its core: the others are rated relative to it.
    Alone,
    /// Every match was drawn: equal engines, with an interval that becomes smaller with more matches.
    OnlyDraws,
    /// The same side won every match, so that nothing is known about strength.
    ColourDecides,
    /// Overall only: it is not rated in all games, so that there is no overall rating.
    SomeGames {
        /// The number of games in which it has a two-sided rating.
        rated: usize,
        /// The number of games that were played.
        of: usize,
    },
}

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// The estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The standard error.
    pub se: f64,
}

/// The measured variance of pairs relative to that of independent matches, for each kind of estimate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Phi {
    /// For strength. Significantly below 1: swapping the sides saved the part `1 - strength` of the matches.
    pub strength: f64,
    /// For the first-player advantage.
    pub first_player: f64,
    /// For the draw rate.
    pub draw: f64,
    /// The part of the matches that swapping the sides saved, with its interval. Below 0, it cost matches.
    pub saved: Measure,
}

/// How well the ratings explain the results of the pairings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitQuality {
    /// Chi-squared: Σ (points - expected)² / variance over the pairings.
    pub chi_squared: f64,
    /// The degrees of freedom: pairings minus fitted parameters.
    pub freedom: usize,
    /// The p-value: the probability of at least this chi-squared if the ratings explain everything. `None` without
    /// degrees of freedom.
    pub p: Option<f64>,
    /// How the p-value was computed.
    pub method: FitMethod,
    /// How far pairings deviate from the ratings beyond chance: a standard deviation in Elo.
    pub spread: f64,
    /// The |z| from which a pairing is named. Only 1 of 20 tables that fit the model has such a pairing.
    pub named_from: f64,
    /// Cycles: three engines of which each beats the next, and the last one beats the first, by their own pairs.
    /// Significant for all pairings of the game together.
    pub cycles: Vec<[String; 3]>,
    /// Every fitted pairing.
    pub pairings: Vec<PairingFit>,
}

/// The result of one pairing and its expectation by the ratings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingFit {
    /// The engine that comes first by name.
    pub first: String,
    /// The other engine.
    pub second: String,
    /// The number of matches.
    pub matches: u64,
    /// The points of the first engine.
    pub points: f64,
    /// The expected points of the first engine.
    pub expected: f64,
    /// The deviation in standard errors. `None` if only this pairing determines the ratings, so that it cannot
    /// deviate.
    pub z: Option<f64>,
    /// Whether it is named: see [`FitQuality::named_from`].
    pub is_named: bool,
}

/// How the p-value of a lack of fit was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FitMethod {
    /// With the chi-squared distribution.
    ChiSquared,
    /// By simulation from the fitted probabilities, because some pairings expect few points.
    Simulated,
}

/// A covariance matrix, Elo².
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Covariance {
    /// The engines of the rows and columns.
    pub engines: Vec<String>,
    /// The rows. The diagonal has the square of each engine's standard error.
    pub values: Vec<Vec<f64>>,
    /// The degrees of freedom of each engine; `None` if the normal distribution applies. A difference uses the smaller
    /// of two.
    pub freedom: Vec<Option<f64>>,
    /// The number of clusters of each engine; overall, that of the game with the fewest.
    pub clusters: Vec<u64>,
    /// The probability that the row's engine is stronger than the column's: see [`Standings::add_probabilities`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_stronger: Option<Vec<Vec<f64>>>,
    /// The same with all that differences are made of, by place.
    #[serde(skip)]
    pub(super) ratings: JointRatings,
    /// The covariance for what needs one matrix and no quantile.
    #[serde(skip)]
    pub(super) joint: DMatrix<f64>,
}

impl Standings {
    /// Rates all matches of `tally`. Each game should have at most [`MOST_ENGINES`] engines. The result does not
    /// depend on the order of the matches.
    pub fn new(tally: &Tally, settings: &RatingSettings) -> Self {
        let RatingSettings { confidence, ref anchor, validity, openings } = *settings;
        let estimates = estimates(tally, settings);
        let intervals = Intervals { confidence, validity, n_engines: 1 };
        let games: Vec<Scope> =
            estimates.par_iter().map(|estimate| game_scope::scope(estimate, intervals)).collect();
        let overall = overall::scope(&estimates, &games, intervals, anchor.as_ref());
        let mut scopes: Vec<Scope> = overall.into_iter().chain(games).collect();
        for scope in &mut scopes {
            let intervals = intervals.of_engines(scope.engines.len());
            if let Some(anchor) = anchor {
                anchoring::anchor_scope(scope, anchor, intervals);
            }
            scope.notes.extend(notes::too_early(&scope.engines));
        }
        Self { confidence, validity, openings, anchor: anchor.clone(), bootstrap: None, scopes }
    }

    /// Computes the probability that each engine is stronger than each other one: [`Covariance::p_stronger`]. This is
    /// slow for hundreds of engines, and is not done for more than 500.
    pub fn add_probabilities(&mut self) {
        for covariance in self.scopes.iter_mut().filter_map(|scope| scope.covariance.as_mut()) {
            let n = covariance.engines.len();
            let strengths = Strengths::new(&covariance.ratings.elo, &covariance.joint);
            covariance.p_stronger = strengths.map(|strengths| {
                let of = |one: usize, other: usize| {
                    if one == other { 0.5 } else { strengths.is_stronger(one, other) }
                };
                (0..n).map(|one| (0..n).map(|other| of(one, other)).collect()).collect()
            });
        }
    }

    /// Adds a remark about all matches: to the overall scope, or to the only game.
    pub fn add_remark(&mut self, text: &str) {
        let n_meant = if self.scopes.len() == 2 { 2 } else { 1 };
        for scope in self.scopes.iter_mut().take(n_meant) {
            scope.notes.push(Note::Remark { text: text.to_owned() });
        }
    }

    /// Whether `engine` started in none of its matches of the scope.
    pub fn is_absent(&self, scope: &str, engine: &str) -> bool {
        let scope = self.scopes.iter().find(|one| one.name == scope);
        let rating = scope.and_then(|scope| scope.engines.iter().find(|rating| rating.engine == engine));
        rating.is_some_and(|rating| rating.status == Status::Absent)
    }

    /// Checks the standard errors by the bootstrap. The clusters of each game of `tally`, which must be the tally of
    /// these standings, are resampled `times` times with replacement and rated. Sets [`Rating::se_bootstrap`] and adds
    /// notes. The result does not depend on the number of threads.
    pub fn add_bootstrap(&mut self, tally: &Tally, times: u32) {
        let settings = RatingSettings {
            confidence: self.confidence,
            openings: self.openings,
            ..RatingSettings::default()
        };
        let estimates = estimates(tally, &settings);
        let resampled: Vec<Option<Resampled<'_>>> =
            (0..).zip(&estimates).map(|(game, estimate)| Resampled::new(estimate, game, times)).collect();
        for scope in &mut self.scopes {
            let games: Vec<&Resampled<'_>> = estimates
                .iter()
                .zip(&resampled)
                .filter(|(estimate, _)| [OVERALL, &estimate.results.game].contains(&scope.name.as_str()))
                .filter_map(|(_, resampled)| resampled.as_ref())
                .collect();
            bootstrap::compare(scope, &games, self.anchor.as_ref(), times);
        }
        self.bootstrap = Some(times);
    }
}

impl Rating {
    /// A two-sided interval around `elo`; none if it is too early for half its width, in standard errors, to be known.
    pub(super) fn set_interval(&mut self, elo: f64, standard_error: f64, half_width: Option<f64>) {
        let reach = half_width.map(|half_width| half_width * standard_error);
        self.status = if reach.is_some() { Status::Bounded } else { Status::TooEarly };
        self.elo = Some(elo);
        self.low = reach.map(|reach| elo - reach);
        self.high = reach.map(|reach| elo + reach);
        self.se = reach.map(|_| standard_error);
    }
}

fn estimates(tally: &Tally, settings: &RatingSettings) -> Vec<Estimate> {
    let estimate = |results| Estimate::new(results, settings.confidence, settings.openings);
    tally.results().into_par_iter().map(estimate).collect()
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Bounded => "bounded",
            Self::TooEarly => "too early",
            Self::Above => "above",
            Self::Below => "below",
            Self::NotComparable => "not comparable",
            Self::Absent => "absent",
            Self::Alone => "alone",
            Self::OnlyDraws => "only draws",
            Self::ColourDecides => "colour decides",
            Self::SomeGames { rated, of } => return f.pad(&format!("{rated} of {of} games")),
        };
        f.pad(text)
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
