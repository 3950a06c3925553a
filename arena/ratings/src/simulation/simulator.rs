//! Simulates many tournaments on all processors. The result depends only on the tournament and its seed, not on the
//! number of threads.

use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;

use super::outcome::{Outcome, View, mean_truth};
use super::share::{Cases, Share};
use super::tournament::SimulatedTournament;
use super::truth::Truth;
use crate::confidence::Confidence;
use crate::settings::RatingSettings;
use crate::standings::Standings;

/// A tournament ready to be simulated.
#[derive(Clone)]
pub struct Simulator {
    tournament: SimulatedTournament,
    confidence: Confidence,
    /// By game.
    truths: Vec<Truth>,
    /// For each scope, `overall` first: the engines, the strongest first.
    orders: Vec<Vec<usize>>,
    after_each: Option<Arc<dyn Fn(u64) + Send + Sync>>,
}

impl Simulator {
    /// Computes the true ratings of `tournament`. Intervals will have this `confidence`.
    pub fn new(tournament: SimulatedTournament, confidence: Confidence) -> Self {
        let truths: Vec<Truth> = tournament.games.iter().map(Truth::of).collect();
        let orders = std::iter::once(truths.as_slice())
            .chain(truths.chunks(1))
            .map(|truths| order(tournament.engines.len(), truths))
            .collect();
        Self { tournament, confidence, truths, orders, after_each: None }
    }

    /// Calls this with 1 after each simulated tournament.
    #[must_use]
    pub fn telling(mut self, after_each: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.after_each = Some(Arc::new(after_each));
        self
    }

    /// The tournament that is simulated.
    pub fn tournament(&self) -> &SimulatedTournament {
        &self.tournament
    }

    /// How often all engines have a two-sided overall interval, and each is at most `half_width` Elo to each side.
    pub fn share_within(&self, half_width: f64, tournaments: u32) -> Share {
        let is_within = |standings: &Standings| {
            self.outcome(standings).widest().is_some_and(|widest| widest <= half_width)
        };
        self.share(tournaments, is_within)
    }

    /// How often the engine with the index `stronger` is significantly stronger overall than the other one.
    pub fn share_apart(&self, stronger: usize, weaker: usize, tournaments: u32) -> Share {
        let is_apart = |standings: &Standings| {
            standings.scopes.first().is_some_and(|scope| {
                View::new(&self.tournament.engines, scope, &self.truths, self.confidence)
                    .is_stronger(stronger, weaker)
            })
        };
        self.share(tournaments, is_apart)
    }

    /// The true overall rating of an engine in Elo, relative to the mean of the engines that play all games. `None` if
    /// it does not play all games.
    pub fn overall_rating(&self, engine: usize) -> Option<f64> {
        self.truth(0, engine)
    }

    /// The pseudo-true rating, overall in the first scope or in a game in the other ones, relative to the mean of the
    /// scope's engines.
    pub(super) fn truth(&self, scope: usize, engine: usize) -> Option<f64> {
        let truths = match scope {
            0 => self.truths.as_slice(),
            game => &self.truths[game - 1..game],
        };
        mean_truth(truths, engine, &self.orders[scope])
    }

    /// By scope, `overall` first: the engines by true strength, the strongest first.
    pub(super) fn orders(&self) -> &[Vec<usize>] {
        &self.orders
    }

    /// The confidence of the intervals.
    pub(super) fn confidence(&self) -> Confidence {
        self.confidence
    }

    pub(super) fn outcome(&self, standings: &Standings) -> Outcome {
        Outcome::new(&self.tournament, &self.truths, &self.orders, standings)
    }

    fn share(&self, tournaments: u32, fulfils: impl Fn(&Standings) -> bool + Sync) -> Share {
        let cases = self.each(tournaments, |standings| Cases::one(fulfils(standings)));
        Share::of(cases.into_iter()).unwrap_or(Share { value: 0.0, se: 1.0 })
    }

    /// The result of `look` for the standings of each tournament, in the order of the tournaments.
    pub(super) fn each<T: Send>(&self, tournaments: u32, look: impl Fn(&Standings) -> T + Sync) -> Vec<T> {
        let settings = RatingSettings::with_confidence(self.confidence);
        (0..tournaments)
            .into_par_iter()
            .map(|number| look(&Standings::new(&self.tournament.play(u64::from(number)), &settings)))
            .inspect(|_| self.after_each.iter().for_each(|tell| tell(1)))
            .collect()
    }
}

impl fmt::Debug for Simulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulator").field("tournament", &self.tournament).finish_non_exhaustive()
    }
}

/// The engines that play all the games, the strongest first.
fn order(n_engines: usize, truths: &[Truth]) -> Vec<usize> {
    let everywhere: Vec<usize> =
        (0..n_engines).filter(|&engine| truths.iter().all(|truth| truth.has(engine))).collect();
    let elo = |engine: usize| mean_truth(truths, engine, &everywhere).unwrap_or(0.0);
    let mut order = everywhere.clone();
    order.sort_by(|&one, &other| elo(other).total_cmp(&elo(one)).then(one.cmp(&other)));
    order
}
