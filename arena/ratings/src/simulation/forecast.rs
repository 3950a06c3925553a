//! The forecast for a tournament: the outcomes of many simulated ones, summed up.

use serde::Serialize;

use super::outcome::{EngineOutcome, Outcome, ScopeOutcome};
use super::share::{Cases, Share};
use super::simulator::Simulator;
use crate::confidence::Confidence;
use crate::payoff::quantile;
use crate::standings::OVERALL;

/// The forecast for a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// The confidence level of the intervals.
    pub confidence: Confidence,
    /// The number of simulated tournaments.
    pub tournaments: u32,
    /// `overall` first, then the games; if there is only one game, only that.
    pub scopes: Vec<ScopeForecast>,
}

/// The forecast for one game, or overall.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScopeForecast {
    /// `overall` or the game.
    pub name: String,
    /// The number of matches.
    pub matches: u64,
    /// The engines, the strongest first; overall those that play all games.
    pub engines: Vec<EngineForecast>,
    /// How often a two-sided interval of a rating contains the true value.
    pub ratings_held: Option<Share>,
    /// How often the interval of the difference of two ratings contains the true value.
    pub differences_held: Option<Share>,
    /// How often the interval of the first-player advantage contains the true value. `None` over several games.
    pub first_player_held: Option<Share>,
    /// How often the interval of the draw rate between equal engines contains the true value. `None` over several
    /// games.
    pub draw_rate_held: Option<Share>,
    /// How often an engine has a one-sided bound and the true value is beyond it.
    pub bounds_missed: Option<Share>,
}

/// The forecast for one engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineForecast {
    /// The engine's name.
    pub engine: String,
    /// The true rating in Elo, relative to the mean of the scope's engines: the limit for infinitely many matches.
    pub rating: f64,
    /// Half the width of its two-sided intervals. `None` if it never had one.
    pub half_width: Option<HalfWidths>,
    /// How often its rank was a single number.
    pub sure_rank: Share,
    /// How often it was significantly stronger than the next engine of the list. `None` for the last one.
    pub apart_from_next: Option<Share>,
    /// How often its two-sided interval contains the true value. `None` if it never had one.
    pub held: Option<Share>,
    /// How often it had no two-sided interval, usually because of a perfect score.
    pub one_sided: Share,
}

/// Half the widths of an engine's intervals, in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HalfWidths {
    /// The median.
    pub median: f64,
    /// The 5 % quantile.
    pub low: f64,
    /// The 95 % quantile.
    pub high: f64,
}

impl Simulator {
    /// The forecast, from this number of simulated tournaments.
    pub fn forecast(&self, tournaments: u32) -> Forecast {
        let outcomes: Vec<Outcome> = self.each(tournaments, |standings| self.outcome(standings));
        Forecast::new(self, &outcomes)
    }
}

impl Forecast {
    fn new(simulator: &Simulator, outcomes: &[Outcome]) -> Self {
        let tournament = simulator.tournament();
        let overall = std::iter::once((OVERALL, tournament.matches()));
        let games = tournament.games.iter().map(|game| (game.name.as_str(), game.matches()));
        let mut scopes: Vec<ScopeForecast> = overall
            .chain(games)
            .enumerate()
            .map(|(scope, (name, matches))| {
                let seen: Vec<&ScopeOutcome> =
                    outcomes.iter().map(|outcome| &outcome.scopes[scope]).collect();
                ScopeForecast {
                    name: name.to_owned(),
                    matches,
                    engines: simulator.orders()[scope]
                        .iter()
                        .filter_map(|&engine| engine_forecast(simulator, scope, engine, &seen))
                        .collect(),
                    ratings_held: Share::of(seen.iter().map(|scope| scope.ratings)),
                    differences_held: Share::of(seen.iter().map(|scope| scope.differences)),
                    first_player_held: Share::of(seen.iter().map(|scope| scope.first_player)),
                    draw_rate_held: Share::of(seen.iter().map(|scope| scope.draw_rate)),
                    bounds_missed: Share::of(seen.iter().map(|scope| scope.missed_bounds)),
                }
            })
            .collect();
        if tournament.games.len() == 1 {
            scopes.remove(0);
        }
        Self { confidence: simulator.confidence(), tournaments: outcomes.len() as u32, scopes }
    }
}

fn engine_forecast(
    simulator: &Simulator,
    scope: usize,
    engine: usize,
    seen: &[&ScopeOutcome],
) -> Option<EngineForecast> {
    let outcomes: Vec<EngineOutcome> = seen.iter().filter_map(|scope| scope.engines[engine]).collect();
    let share = |case: &dyn Fn(&EngineOutcome) -> Option<bool>| {
        Share::of(outcomes.iter().map(|outcome| case(outcome).map_or(Cases::default(), Cases::one)))
    };
    Some(EngineForecast {
        engine: simulator.tournament().engines[engine].clone(),
        rating: simulator.truth(scope, engine)?,
        half_width: HalfWidths::of(outcomes.iter().filter_map(|outcome| outcome.half_width).collect()),
        sure_rank: share(&|outcome| Some(outcome.has_sure_rank))?,
        apart_from_next: share(&|outcome| outcome.is_apart),
        held: share(&|outcome| outcome.is_held),
        one_sided: share(&|outcome| Some(outcome.half_width.is_none()))?,
    })
}

impl HalfWidths {
    fn of(mut widths: Vec<f64>) -> Option<Self> {
        widths.sort_by(f64::total_cmp);
        let at = |fraction| quantile(&widths, fraction);
        (!widths.is_empty()).then(|| Self { median: at(0.5), low: at(0.05), high: at(0.95) })
    }
}
