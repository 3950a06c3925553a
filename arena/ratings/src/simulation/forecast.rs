//! What to expect of a tournament: outcomes of simulated ones put together. Sums only; nothing is simulated here.

use serde::Serialize;

use super::outcome::{EngineOutcome, Outcome, ScopeOutcome};
use super::share::{Cases, Share};
use super::simulator::Simulator;
use crate::confidence::Confidence;
use crate::standings::OVERALL;

/// What to expect of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// The confidence level of the intervals.
    pub confidence: Confidence,
    /// How many tournaments were simulated.
    pub tournaments: u32,
    /// `overall` first, then the games; of a single game, that alone.
    pub scopes: Vec<ScopeForecast>,
}

/// What to expect in one game, or overall.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScopeForecast {
    /// `overall` or the game.
    pub name: String,
    /// How many matches it rests on.
    pub matches: u64,
    /// The engines, the strongest first; overall those that play all games.
    pub engines: Vec<EngineForecast>,
    /// How often a rating's two-sided interval holds the truth.
    pub ratings_held: Option<Share>,
    /// How often the interval of the difference of two ratings holds the truth.
    pub differences_held: Option<Share>,
    /// How often the interval of the first player's advantage holds the truth. None over several games.
    pub first_player_held: Option<Share>,
    /// How often the interval of the draw rate between equals holds the truth. None over several games.
    pub draw_rate_held: Option<Share>,
    /// How often an engine has a one-sided bound and the truth is beyond it.
    pub bounds_missed: Option<Share>,
}

/// What to expect of one engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineForecast {
    /// The engine's name.
    pub engine: String,
    /// The rating that endlessly many matches would lead to, Elo, relative to the mean of the scope's engines.
    pub rating: f64,
    /// Half the width of its two-sided intervals. None if it never had one.
    pub half_width: Option<HalfWidths>,
    /// How often its rank was sure.
    pub sure_rank: Share,
    /// How often it was surely stronger than the next of the list. None for the last one.
    pub apart_from_next: Option<Share>,
    /// How often its two-sided interval holds the truth. None if it never had one.
    pub held: Option<Share>,
    /// How often it had no two-sided interval: perfect scores, most often.
    pub one_sided: Share,
}

/// Half the widths of an engine's intervals, Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HalfWidths {
    /// As wide or less in half of the tournaments.
    pub median: f64,
    /// As wide or less in 5 % of the tournaments.
    pub low: f64,
    /// As wide or less in 95 % of the tournaments.
    pub high: f64,
}

impl Simulator {
    /// What to expect of the tournament, from simulating `tournaments` of it.
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
        let last = widths.len().checked_sub(1)?;
        let at = |fraction: f64| widths[(fraction * last as f64).round() as usize];
        Some(Self { median: at(0.5), low: at(0.05), high: at(0.95) })
    }
}
