//! What the ratings say, as data for tables, files and pages. Types and the way from a tally to them; the estimation is
//! done elsewhere in this module.

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

/// The name of the scope that covers all games.
pub const OVERALL: &str = "overall";

/// The most engines that one game can have: the joint errors take memory with the square of their number, time with the cube.
pub const MOST_ENGINES: usize = 2_000;

/// The ratings of all engines, overall and in each game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The confidence level of all intervals.
    pub confidence: Confidence,
    /// When the intervals hold.
    pub validity: Validity,
    /// Which openings the errors are for.
    pub openings: OpeningsMeant,
    /// The engine that the ratings are relative to, in every scope that rates it beside the others.
    pub anchor: Option<Anchor>,
    /// How often the matches were resampled to check the standard errors; none if they were not.
    pub bootstrap: Option<u32>,
    /// `overall` first, then the games by name; nothing if there are no matches.
    pub scopes: Vec<Scope>,
}

/// The ratings in one game, or overall.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scope {
    /// [`OVERALL`] or the game's id.
    pub name: String,
    /// How many matches it rests on.
    pub matches: u64,
    /// How many of them repeat the moves of another one of the same pairing, opening and sides.
    pub copies: u64,
    /// The engines, the strongest first within each pool.
    pub engines: Vec<Rating>,
    /// The first-player advantage, Elo. None overall, and where the matches don't tell.
    pub first_player: Option<Measure>,
    /// How often equal engines draw, 0 to 1. None overall, and where the matches don't tell.
    pub draw_rate: Option<Measure>,
    /// The effective number of openings that several pairings share; 0 without any, and overall.
    pub openings: f64,
    /// Measured variance relative to that of independent matches. None overall, and where nothing is fitted.
    pub phi: Option<Phi>,
    /// How well the ratings explain the pairings' results. None overall, and where nothing is fitted.
    pub fit: Option<FitQuality>,
    /// The joint error of the ratings of the first pool, where there are ratings.
    pub covariance: Option<Covariance>,
    /// What the games have in common, and where they differ: overall, from two games on.
    pub general: Option<General>,
    /// Whether the ratings of the first pool are relative to the anchor.
    pub is_anchored: bool,
    /// What a reader must know beside the numbers.
    pub notes: Vec<Note>,
}

/// One engine's rating in one scope.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The engine's name.
    pub engine: String,
    /// What kind of rating it is.
    pub status: Status,
    /// Engines of different pools never met, not even through others, and can't be compared. 1 is the largest pool.
    pub pool: usize,
    /// The rating in Elo, relative to the mean of its pool's core or to the anchor. None where nothing can be said.
    pub elo: Option<f64>,
    /// The lower end of the interval. None if it is unbounded, or there is no rating.
    pub low: Option<f64>,
    /// The upper end of the interval. None if it is unbounded, or there is no rating.
    pub high: Option<f64>,
    /// The standard error in Elo, where the interval has two ends and comes from one.
    pub se: Option<f64>,
    /// The same for exactly these openings: by pairs alone, and as it is however few pairs were decided. None overall.
    pub se_pairs: Option<f64>,
    /// The standard error from ratings of resampled matches: see [`Standings::add_bootstrap`].
    pub se_bootstrap: Option<f64>,
    /// Whether the prior still holds the rating noticeably: too few matches.
    pub weak: bool,
    /// Matches played.
    pub matches: u64,
    /// Matches won.
    pub wins: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
    /// Those of the losses that were the engine's own fault: time, a crash, an illegal move and the like.
    pub forfeits: u64,
    /// Points as a fraction of the matches: a win counts 1, a draw a half.
    pub score: f64,
    /// Pairs, or whatever else is independent: matches from one opening count together.
    pub pairs: u64,
    /// Those of the fitted pairs in which the two sides scored differently. None overall, and where nothing was fitted.
    pub decided: Option<u64>,
    /// The fitted pairs: all but those against engines with a perfect score. None overall, and where nothing was fitted.
    pub fitted: Option<u64>,
    /// Whether too few pairs were decided for anything to be sure of: no rank range is given then.
    pub few: bool,
    /// The effective number of the openings that it shares with other pairings; 0 without any, and overall.
    pub openings: f64,
    /// The best rank in its pool that the engine may have: 1 + engines that are surely stronger.
    pub rank_low: Option<usize>,
    /// The worst rank in its pool that the engine may have: engines that are not surely weaker, itself included.
    pub rank_high: Option<usize>,
    /// LOS over the next engine of the list: 1 less the one-sided p-value, 0 to 1. It is no probability of being stronger.
    pub los_next: Option<f64>,
    /// How probable it is that it is stronger than the next engine of the list, 0 to 1. None where one of the two has no two-sided
    /// rating.
    pub p_stronger_next: Option<f64>,
}

/// What kind of rating an engine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// An estimate with two-sided errors.
    Bounded,
    /// An estimate whose error can't be told yet at any time: see [`Validity::AnyTime`].
    TooEarly,
    /// It won everything against the core: the rating has a lower bound only.
    Above,
    /// It lost everything against the core: the rating has an upper bound only.
    Below,
    /// It has no match against the core that would place it.
    NotComparable,
    /// It started in none of its matches, so none of them is rated.
    Absent,
    /// It is a core by itself: the others are rated relative to it.
    Alone,
    /// Every match was drawn: equal so far, with an interval that shrinks with the matches.
    OnlyDraws,
    /// Every match was won by the same colour: nothing is known of strength.
    ColourDecides,
    /// Overall: rated in some games only, so there is no overall rating.
    SomeGames {
        /// Games in which it has a two-sided rating.
        rated: usize,
        /// Games played by anybody.
        of: usize,
    },
}

/// An estimate with its error.
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

/// Measured variance of pairs relative to that of independent matches, by what is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Phi {
    /// For strength. Clearly below 1, swapping the sides saved `1 - strength` of the matches.
    pub strength: f64,
    /// For the first-player advantage.
    pub first_player: f64,
    /// For the draw rate.
    pub draw: f64,
    /// The part of the matches that swapping the sides saved, with its interval; below 0 it cost matches.
    pub saved: Measure,
}

/// How well the ratings explain the pairings' results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitQuality {
    /// Σ (points - expected)² / variance over the pairings.
    pub chi_squared: f64,
    /// Pairings less what was fitted to them.
    pub freedom: usize,
    /// The chance of so large a chi-squared if the ratings explained everything. None without degrees of freedom.
    pub p: Option<f64>,
    /// How p was found.
    pub method: FitMethod,
    /// How far pairings deviate from the ratings beyond chance: a standard deviation in Elo.
    pub spread: f64,
    /// A pairing stands out from this |z| on: one sound table in twenty has such a pairing.
    pub named_from: f64,
    /// Triples of engines of which each beats the next by their own pairs, and the last one the first, where this is sure for all
    /// pairings of the game together.
    pub cycles: Vec<[String; 3]>,
    /// Every fitted pairing.
    pub pairings: Vec<PairingFit>,
}

/// One pairing beside what the ratings expect of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingFit {
    /// The engine whose name comes first.
    pub first: String,
    /// The other.
    pub second: String,
    /// Their matches.
    pub matches: u64,
    /// The first engine's points.
    pub points: f64,
    /// The points that the ratings expect.
    pub expected: f64,
    /// The deviation in standard errors. None where the pairing itself makes the ratings, so that it can't deviate.
    pub z: Option<f64>,
    /// Whether it stands out: see [`FitQuality::named_from`].
    pub is_named: bool,
}

/// How the chance of a lack of fit was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FitMethod {
    /// By the chi-squared distribution.
    ChiSquared,
    /// By tables drawn from the fitted chances, as some pairings expect few points.
    Simulated,
}

/// A covariance matrix, Elo².
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Covariance {
    /// What rows and columns stand for.
    pub engines: Vec<String>,
    /// Row by row, with each engine's own standard error on the diagonal.
    pub values: Vec<Vec<f64>>,
    /// Each engine's degrees of freedom; none where the normal distribution serves. A difference has the smaller of two.
    pub freedom: Vec<Option<f64>>,
    /// How many clusters each engine's rating rests on; overall, those of the game with the fewest.
    pub clusters: Vec<u64>,
    /// How probable it is that the engine of the row is stronger than that of the column: see
    /// [`Standings::add_probabilities`].
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
    /// Rates everything in `tally`, whose games should not have more than [`MOST_ENGINES`] engines each. The same matches give the same standings to the last bit, in whatever order they
    /// were added.
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

    /// Fills in how probable it is that each engine is stronger than each other: [`Covariance::p_stronger`]. It takes a while with
    /// hundreds of engines, and there is none with more than 500.
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

    /// Adds a remark on all matches: overall, and to a single game, which stands for all.
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

    /// Checks the standard errors by the bootstrap: the clusters of each game of `tally`, which these standings are of, are
    /// drawn `times` times anew with replacement and rated. Fills in [`Rating::se_bootstrap`], and adds notes. The same
    /// matches give the same numbers, whatever the number of threads.
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
