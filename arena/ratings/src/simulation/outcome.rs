//! The standings of one simulated tournament compared with the true values. [`super::forecast`] sums them up.

use super::share::Cases;
use super::tournament::SimulatedTournament;
use super::truth::Truth;
use crate::confidence::Confidence;
use crate::rating_difference::RatingDifferences;
use crate::standings::{Measure, Rating, Scope, Standings, Status};

/// The results of one tournament, by scope: `overall` first, then the games in the order of the tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub(super) scopes: Vec<ScopeOutcome>,
}

/// The results of one scope.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ScopeOutcome {
    /// By engine, in the order of the tournament; `None` for those that do not play.
    pub engines: Vec<Option<EngineOutcome>>,
    /// Two-sided intervals of ratings, and those that contain the truth.
    pub ratings: Cases,
    /// Intervals of differences of two-sided ratings, and those that contain the truth.
    pub differences: Cases,
    /// Intervals of the first player's advantage, and those that contain the truth; none over several games.
    pub first_player: Cases,
    /// Intervals of the draw rate of equal engines, and those that contain the truth; none over several games.
    pub draw_rate: Cases,
    /// All engines, and those whose one-sided bound is wrong.
    pub missed_bounds: Cases,
}

/// The results of a scope for one engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EngineOutcome {
    /// Half the width of its interval, Elo, if it has two sides.
    pub half_width: Option<f64>,
    /// Whether its interval contains the truth, if it has two sides.
    pub is_held: Option<bool>,
    /// Whether its rank is certain.
    pub has_sure_rank: bool,
    /// Whether it is significantly stronger than the engine that truly comes next; `None` for the last one.
    pub is_apart: Option<bool>,
}

impl Outcome {
    /// Compares `standings` with the tournament `of`, whose games have the pseudo-true ratings `truths`. `orders` has
    /// each scope's engines, the strongest first.
    pub(super) fn new(
        of: &SimulatedTournament,
        truths: &[Truth],
        orders: &[Vec<usize>],
        standings: &Standings,
    ) -> Self {
        let named = |name: &str| standings.scopes.iter().find(|scope| scope.name == name);
        let overall = standings.scopes.first().map(|scope| (scope, truths));
        let games = of
            .games
            .iter()
            .zip(truths)
            .map(|(game, truth)| Some((named(&game.name)?, std::slice::from_ref(truth))));
        let scopes = std::iter::once(overall)
            .chain(games)
            .zip(orders)
            .map(|(scope, order)| match scope {
                Some((scope, truths)) => {
                    View::new(&of.engines, scope, truths, standings.confidence).outcome(order)
                }
                None => ScopeOutcome { engines: vec![None; of.engines.len()], ..ScopeOutcome::default() },
            })
            .collect();
        Self { scopes }
    }

    /// The widest interval overall, Elo. `None` if an interval does not have two sides.
    pub(super) fn widest(&self) -> Option<f64> {
        let mut engines = self.scopes.first()?.engines.iter().flatten().peekable();
        engines.peek()?;
        engines.map(|engine| engine.half_width).try_fold(0.0, |widest: f64, width| Some(widest.max(width?)))
    }
}

/// A scope with its engines by index.
pub(super) struct View<'a> {
    /// By engine.
    ratings: Vec<Option<&'a Rating>>,
    /// Whether the interval of the first player's advantage contains the truth.
    holds_first_player: Option<bool>,
    /// Whether the interval of the draw rate contains the truth.
    holds_draw_rate: Option<bool>,
    /// By engine: whether its rating has two ends.
    is_rated: Vec<bool>,
    differences: Option<RatingDifferences<'a>>,
    confidence: Confidence,
    /// By engine: the pseudo-true rating relative to the mean that the ratings are relative to.
    truths: Vec<Option<f64>>,
}

impl<'a> View<'a> {
    pub(super) fn new(names: &[String], scope: &'a Scope, truths: &[Truth], confidence: Confidence) -> Self {
        let index_of = |name: &String| names.iter().position(|other| other == name);
        let mut ratings = vec![None; names.len()];
        for rating in &scope.engines {
            if let Some(engine) = index_of(&rating.engine) {
                ratings[engine] = Some(rating);
            }
        }
        let rated = scope.covariance.iter().flat_map(|covariance| &covariance.engines);
        let centre: Vec<usize> = rated.filter_map(index_of).collect();
        let of_game = |measure: Option<Measure>, truth: fn(&Truth) -> f64| match truths {
            [only] => measure.map(|it| it.low <= truth(only) && truth(only) <= it.high),
            _ => None,
        };
        let holds_first_player = of_game(scope.first_player, Truth::first_player);
        let holds_draw_rate = of_game(scope.draw_rate, Truth::draw_rate);
        // Where a core is one engine, the bounds are relative to it.
        let alone = scope.engines.iter().filter(|rating| rating.status == Status::Alone && rating.pool == 1);
        let origin = if centre.is_empty() {
            alone.filter_map(|it| index_of(&it.engine)).collect()
        } else {
            centre.clone()
        };
        let truth = |engine| Some(scope.core_mean + mean_truth(truths, engine, &origin)?);
        let truths = (0..names.len()).map(truth).collect();
        let is_rated = (0..names.len()).map(|engine| centre.contains(&engine)).collect();
        Self {
            ratings,
            holds_first_player,
            holds_draw_rate,
            is_rated,
            differences: RatingDifferences::of(scope),
            confidence,
            truths,
        }
    }

    fn outcome(&self, order: &[usize]) -> ScopeOutcome {
        let mut outcome = ScopeOutcome { engines: vec![None; self.ratings.len()], ..ScopeOutcome::default() };
        if let Some(is_held) = self.holds_first_player {
            outcome.first_player.count(is_held);
        }
        if let Some(is_held) = self.holds_draw_rate {
            outcome.draw_rate.count(is_held);
        }
        for (place, &engine) in order.iter().enumerate() {
            let Some(rating) = self.ratings[engine] else { continue };
            let two_sides =
                rating.low.zip(rating.high).filter(|_| self.is_rated[engine]).map(|(low, high)| [low, high]);
            let is_held =
                two_sides.zip(self.truths[engine]).map(|([low, high], truth)| low <= truth && truth <= high);
            if let Some(is_held) = is_held {
                outcome.ratings.count(is_held);
            }
            outcome.missed_bounds.count(two_sides.is_none() && self.misses(engine, rating));
            for &other in &order[place + 1..] {
                if let (Some((difference, half_width)), Some(truth)) =
                    (self.difference(engine, other), self.true_difference(engine, other))
                {
                    outcome.differences.count((difference - truth).abs() <= half_width);
                }
            }
            outcome.engines[engine] = Some(EngineOutcome {
                half_width: two_sides.map(|[low, high]| 0.5 * (high - low)),
                is_held,
                has_sure_rank: rating.rank_low.is_some() && rating.rank_low == rating.rank_high,
                is_apart: order.get(place + 1).map(|&next| self.is_stronger(engine, next)),
            });
        }
        outcome
    }

    /// Whether `one` is significantly stronger than `other`: by the error of the difference, otherwise if the intervals
    /// are disjoint.
    pub(super) fn is_stronger(&self, one: usize, other: usize) -> bool {
        if let Some((difference, half_width)) = self.difference(one, other) {
            return half_width < difference;
        }
        let (Some(rating), Some(beside)) = (self.ratings[one], self.ratings[other]) else { return false };
        match (ends(rating), ends(beside)) {
            (Some([low, _]), Some([_, high])) => rating.pool == beside.pool && high < low,
            _ => false,
        }
    }

    /// The rating of `one` minus that of `other`, and half the width of the interval of this difference.
    fn difference(&self, one: usize, other: usize) -> Option<(f64, f64)> {
        let (one, other) = (self.ratings[one]?, self.ratings[other]?);
        let between = self.differences.as_ref()?.between(&one.engine, &other.engine, self.confidence)?;
        Some((between.elo, between.high - between.elo))
    }

    fn true_difference(&self, one: usize, other: usize) -> Option<f64> {
        Some(self.truths[one]? - self.truths[other]?)
    }

    /// Whether the engine's one-sided bound is wrong.
    fn misses(&self, engine: usize, rating: &Rating) -> bool {
        let (Some(truth), Some([low, high])) = (self.truths[engine], ends(rating)) else { return false };
        truth < low || high < truth
    }
}

/// The ends of the rating's interval, infinite without a bound. `None` if it cannot be compared.
fn ends(rating: &Rating) -> Option<[f64; 2]> {
    match rating.status {
        Status::NotComparable | Status::Absent | Status::SomeGames { .. } => None,
        // The others are rated relative to it.
        Status::Alone => rating.estimate.map(|elo| [elo, elo]),
        _ => Some([rating.low.unwrap_or(f64::NEG_INFINITY), rating.high.unwrap_or(f64::INFINITY)]),
    }
}

/// The mean over the games of the engine's pseudo-true rating relative to the mean of the engines `centre`. `None`
/// unless all of them play all games.
pub(super) fn mean_truth(truths: &[Truth], engine: usize, centre: &[usize]) -> Option<f64> {
    if centre.is_empty() {
        return None;
    }
    let mut sum = 0.0;
    for truth in truths {
        sum += truth.relative_to(engine, centre)?;
    }
    Some(sum / truths.len() as f64)
}
