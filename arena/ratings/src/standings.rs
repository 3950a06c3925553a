//! The ratings as data, for tables, files and pages. Types only: other files fill them in.

use std::collections::BTreeMap;
use std::fmt;

use nalgebra::DMatrix;
use serde::{Serialize, Serializer};

use super::confidence::Confidence;
use super::head_to_head::HeadToHead;
use super::joint::JointRatings;
use super::note::Note;
use super::settings::{Anchor, OpeningsMeant, Validity};

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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scope {
    /// [`OVERALL`] or the game's id.
    pub name: String,
    /// The number of matches.
    pub matches: u64,
    /// The number of copies: matches with the same moves as another one of the same pairing, opening and sides.
    pub copies: u64,
    /// The engines, sorted by pool, then by [`Rating::estimate`] with the strongest first.
    pub engines: Vec<Rating>,
    /// The number of the mean of the first pool's core. Every interval is that of the difference to this mean, unless
    /// the ratings are relative to an anchor.
    pub core_mean: f64,
    /// In a table of two engines: their pairs, from the view of the first one. They decide which one is stronger.
    pub head_to_head: Option<HeadToHead>,
    /// How many more pairs of the first two engines may be enough to rank them, in each game; `None` if they are
    /// ranked, or if their pairs do not show it.
    pub more_pairs: Option<u64>,
    /// The first-player advantage in Elo. `None` overall, and if the matches do not determine it.
    pub first_player: Option<Measure>,
    /// The draw rate between equal engines, 0 to 1. `None` overall, and if the matches do not determine it.
    pub draw_rate: Option<Measure>,
    /// The effective number of openings that several pairings share; 0 if there are none, and overall.
    pub openings: f64,
    /// The measured variance relative to that of independent matches. `None` overall, and if nothing is fitted.
    pub phi: Option<Phi>,
    /// How well the ratings explain the results of the pairings. `None` overall, if nothing is fitted, and without
    /// [`Checks`](super::settings::Checks).
    pub fit: Option<FitQuality>,
    /// How much of the differences between pairings the ratings explain. `None` overall, with fewer than 20 pairs in
    /// some pairing, and without all [`Checks`](super::settings::Checks).
    pub transitivity: Option<Transitivity>,
    /// The covariance of the ratings in the first pool, if there are ratings.
    pub covariance: Option<Covariance>,
    /// How far ratings agree between games. Only overall, with at least two games.
    pub general: Option<General>,
    /// Whether the ratings of the first pool are relative to the anchor.
    pub is_anchored: bool,
    /// Warnings and explanations for the reader.
    pub notes: Vec<Note>,
}

impl Scope {
    /// What the pairs of the only two engines say, from the view of `first`.
    pub fn lead_of(&self, first: &str) -> Option<HeadToHead> {
        let found = self.head_to_head.as_ref()?;
        Some(if self.engines.first()?.engine == first { found.clone() } else { found.swapped() })
    }

    /// Whether more than two engines started.
    pub(super) fn has_more_than_two(&self) -> bool {
        self.engines.iter().filter(|rating| rating.status != Status::Absent).count() > 2
    }

    /// Sets [`Rating::rough_zero`] of all ratings.
    pub(super) fn mark_rough_zeros(&mut self) {
        // The number of numbers in each pool, and how many of them have an interval.
        let mut pools: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
        for rating in self.engines.iter().filter(|rating| rating.estimate.is_some()) {
            let [n, n_known] = pools.entry(rating.pool).or_default();
            (*n, *n_known) = (*n + 1, *n_known + usize::from(rating.has_interval()));
        }
        let is_rough = |pool| match pools.get(&pool) {
            Some([n, n_known]) => !(self.is_anchored && pool == 1) && 2 * n_known <= *n,
            None => false,
        };
        for rating in &mut self.engines {
            rating.rough_zero = rating.has_interval() && is_rough(rating.pool);
        }
    }
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
    /// The number that the table is sorted by, Elo: the rating if there is one, otherwise an estimate that is finite for
    /// every engine (see [`EstimateKind`]). 0 is the mean of the pool's engines, or given by the anchor. `None` if the
    /// engine never started, or met nobody of its pool overall.
    pub estimate: Option<f64>,
    /// The kind of `estimate`.
    pub estimate_kind: EstimateKind,
    /// The rating in Elo, on the scale of `estimate`. `None` without a two-sided rating.
    pub elo: Option<f64>,
    /// The lower end of the interval. `None` if it is unbounded or there is no rating.
    pub low: Option<f64>,
    /// The upper end of the interval. `None` if it is unbounded or there is no rating.
    pub high: Option<f64>,
    /// Whether the interval says little of the difference to 0: at least half of the pool's numbers, of which 0 is the mean,
    /// have none. It is that of the difference to the mean of the others.
    pub rough_zero: bool,
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
    /// The number of fitted pairs in which one side scored more; overall, in all games. `None` if nothing is fitted.
    pub decided: Option<u64>,
    /// The number of fitted pairs: all except those against engines with a perfect score; overall, in all games.
    /// `None` if nothing is fitted.
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

/// What an estimate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EstimateKind {
    /// The rating: the most likely value.
    Rating,
    /// The most likely value after about one more match for each engine, half won. It is a rough number, shown
    /// with `≈`: an interval around it would be wrong too often. What can be claimed is the bound.
    Regularised,
}

impl EstimateKind {
    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rating => "rating",
            Self::Regularised => "regularised",
        }
    }
}

/// How much of the differences between the payoffs of pairings the ratings explain: shares, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Transitivity {
    /// The share that the ratings explain. The rest is cyclic, or particular to pairings.
    pub share: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
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

/// The difference of two ratings, Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatrixCell {
    /// The estimate.
    pub difference: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// Its standard error.
    pub se: f64,
    /// LOS: 1 minus the one-sided p-value, 0 to 1.
    pub los: f64,
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
    /// Everything about the difference of the row's engine from the column's, added together with `p_stronger`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differences: Option<Vec<Vec<MatrixCell>>>,
    /// The same with all that differences are made of, by place.
    #[serde(skip)]
    pub(super) ratings: JointRatings,
    /// The covariance for what needs one matrix and no quantile.
    #[serde(skip)]
    pub(super) joint: DMatrix<f64>,
}

/// What the games have in common, and how far they differ.
///
/// An engine's rating in a game is its general strength, plus a deviation in this game, plus an error: R_gi = μ_i +
/// u_gi + e_gi with u ~ N(0, τ²). General strength is the expected rating in a game not yet played, so its errors are
/// wider than those of the overall mean. Engines that do not play all games are included.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct General {
    /// τ: the standard deviation, in Elo, of an engine's rating from game to game beyond the ratings' own errors.
    /// It includes differences of scale: see [`GameSlope`].
    pub spread: f64,
    /// The lower end of the 95 % interval of τ, in Elo. If it is 0, no difference between games was found.
    pub spread_low: f64,
    /// The upper end of the 95 % interval of τ, in Elo.
    pub spread_high: f64,
    /// Cochran's Q: the weighted squared deviations under the assumption that the games do not differ.
    pub q: f64,
    /// Degrees of freedom of Q.
    pub freedom: usize,
    /// The p-value of Q.
    pub p: Option<f64>,
    /// I²: the part of the deviations that is not due to the errors of the ratings, 0 to 1.
    pub inconsistency: f64,
    /// The general strengths, by name. Engines without an interval yet are left out (see
    /// [`crate::Validity::AnyTime`]).
    pub engines: Vec<GeneralRating>,
    /// The rating spread of each game relative to the others; empty if fewer than two engines are rated in every game.
    pub slopes: Vec<GameSlope>,
    /// The deviation of each engine in each game from its overall rating; empty in the same case.
    pub deviations: Vec<GameDeviation>,
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
    /// The best estimate of its rating in each game that rates it: the game's own rating, shrunk towards general
    /// strength.
    pub games: Vec<GameGuess>,
}

/// The best estimate of an engine's rating in one game, in Elo.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameGuess {
    /// The game's id.
    pub game: String,
    /// The estimate.
    pub elo: f64,
}

/// The rating spread of a game relative to the others: above 1, ratings are farther apart in this game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameSlope {
    /// The game's id.
    pub game: String,
    /// The slope of its ratings against the mean of the other games' ratings. The error of this mean biases it towards
    /// 0.
    pub slope: f64,
    /// Its standard error.
    pub se: f64,
    /// Whether it differs significantly from 1, after Holm's correction for the number of games, at 5 %.
    pub differs: bool,
}

/// The deviation of an engine's rating in a game from its overall rating.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameDeviation {
    /// The game's id.
    pub game: String,
    /// The engine's name.
    pub engine: String,
    /// The rating in the game minus the overall rating, each relative to the engines' mean, in Elo.
    pub elo_difference: f64,
    /// The deviation in standard errors.
    pub z: f64,
    /// Whether the deviation is significant, after Holm's correction for the number of engines and games, at 5 %: the
    /// engine is a specialist for this game, or the opposite.
    pub is_specialist: bool,
}

impl Rating {
    /// Whether its interval has both ends.
    pub fn has_interval(&self) -> bool {
        self.low.is_some() && self.high.is_some()
    }

    /// A two-sided interval around `elo`; none if it is too early for half its width, in standard errors, to be known.
    pub(super) fn set_interval(&mut self, elo: f64, standard_error: f64, half_width: Option<f64>) {
        let reach = half_width.map(|half_width| half_width * standard_error);
        self.status = if reach.is_some() { Status::Bounded } else { Status::TooEarly };
        self.elo = Some(elo);
        (self.estimate, self.estimate_kind) = (self.elo, EstimateKind::Rating);
        self.low = reach.map(|reach| elo - reach);
        self.high = reach.map(|reach| elo + reach);
        self.se = reach.map(|_| standard_error);
    }
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
