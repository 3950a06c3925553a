//! From a configuration to the schedule of its matches and to their openings. It reads files of openings and starts nothing.

use engine_proto::GameId;

use crate::config::{self, Config, Format, Game, SeparatedKeys, Stop};
use crate::referee::TimeControl;
use crate::schedule::openings::{self, Openings, OpeningsError, Source};
use crate::schedule::stop::{Precision, Question, Rule, Separated, SprtRule};
use crate::schedule::{
    AdaptiveSettings, CostUnit, Course, Pairing, Plan, Schedule, Seeds, gauntlet, round_robin,
};

/// The course of the tournament `config`, none of it played yet.
pub fn course(config: &Config) -> Course {
    let adaptive = (config.tournament.format == Format::Adaptive).then(|| AdaptiveSettings {
        most_pairs: config.adaptive.matches.as_ref().map_or(u32::MAX, |matches| *matches.get_ref() / 2),
        floor: *config.adaptive.floor.get_ref(),
        batch: *config.adaptive.batch.get_ref(),
        unit: cost_unit(config),
    });
    Course::new(plan(config), names(config), adaptive, rules(&config.stop, config))
}

/// Whether results say which pairs of the tournament `config` are played, or how many: see [`Course::depends_on_results`].
pub fn depends_on_results(config: &Config) -> bool {
    config.tournament.format == Format::Adaptive || !rules(&config.stop, config).is_empty()
}

/// The schedule of the tournament `config`.
pub fn schedule(config: &Config) -> Schedule {
    Schedule { plan: plan(config), names: names(config) }
}

/// The names of the contenders, by index.
pub fn names(config: &Config) -> Vec<String> {
    config.engines.iter().map(|engine| engine.name.get_ref().clone()).collect()
}

/// All matches of the tournament `config`. An engine without a list of games plays all.
///
/// # Panics
/// If there are more than can be numbered: see [`check_size`].
pub fn plan(config: &Config) -> Plan {
    let games: Vec<_> = config.games_to_play().iter().map(Game::game).collect();
    let (pairings, rounds) = pairings(config, &games);
    Plan::with_rounds(games, pairings, rounds)
}

/// More matches than can be numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tournament has {n_matches} matches, and at most {} can be played: lower `pairs`", u32::MAX)]
pub struct TooManyMatches {
    n_matches: u64,
}

/// Checks that the matches of `config` can be numbered.
///
/// # Errors
/// If there are too many.
pub fn check_size(config: &Config) -> Result<(), TooManyMatches> {
    let games: Vec<_> = config.games_to_play().iter().map(Game::game).collect();
    let n_pairs: u64 = pairings(config, &games).1.into_iter().map(u64::from).sum();
    let n_matches = 2 * n_pairs;
    if u32::try_from(n_matches).is_ok() { Ok(()) } else { Err(TooManyMatches { n_matches }) }
}

/// Who meets whom in which of the `games`, and in how many rounds. An engine without a list of games plays all.
pub fn pairings(config: &Config, games: &[GameId]) -> (Vec<Pairing>, Vec<u32>) {
    let plays = |contender: usize, game: usize| {
        let listed = config.engines[contender].games.as_ref();
        listed.is_none_or(|listed| listed.get_ref().iter().any(|name| name.0 == games[game]))
    };
    let tournament = &config.tournament;
    let pairings = match tournament.format {
        Format::RoundRobin | Format::Adaptive => round_robin(config.engines.len(), games.len(), plays),
        Format::Gauntlet => {
            let is_seed: Vec<_> = config.engines.iter().map(|engine| tournament.is_seed(engine)).collect();
            let seeds = if tournament.seeds_meet { Seeds::Meet } else { Seeds::Apart };
            gauntlet(&is_seed, seeds, games.len(), plays)
        }
    };
    let names = |contenders: [usize; 2]| contenders.map(|idx| config.engines[idx].name.get_ref().as_str());
    let rounds = pairings
        .iter()
        .map(|pairing| config.n_pairs(names(pairing.contenders), games[pairing.game_idx]))
        .collect();
    (pairings, rounds)
}

/// The openings of each game, one a round; none is drawn yet.
///
/// # Errors
/// If a file of openings cannot be read, or it is easy to see that there are fewer openings than rounds.
pub fn openings(config: &Config) -> Result<Vec<Openings>, OpeningsError> {
    config
        .games_to_play()
        .iter()
        .map(|game| {
            let fens = match &game.openings {
                Some(path) => openings::read_file(game.game(), path.get_ref())?,
                None => Vec::new(),
            };
            let source = Source {
                game: game.game(),
                start: game.start.as_ref().map(|start| start.get_ref().clone()),
                fens,
                plies: game.n_opening_plies(),
                seed: config.tournament.seed,
            };
            source.openings(config.n_most_pairs(game.game()) as usize)
        })
        .collect()
}

/// The rules that end the tournament. What an unchecked configuration has no sense in, is no rule.
fn rules(stop: &Stop, config: &Config) -> Vec<Rule> {
    let sprt = stop.sprt.as_ref().and_then(|keys| {
        let [first, second] = config.engines.as_slice() else { return None };
        let names = [first, second].map(|engine| engine.name.get_ref().clone());
        let test = SprtRule::new(names, keys.hypotheses().ok()?, *keys.batch.get_ref());
        Some(Rule::Sprt(Box::new(test)))
    });
    let precision =
        stop.precision.as_ref().map(|keys| Rule::Precision(Precision::new(*keys.elo.get_ref(), keys.scope)));
    let separated = stop
        .separated
        .as_ref()
        .and_then(|keys| Some(Rule::Separated(Separated::new(question(keys)?, config.engines.len()))));
    [sprt, precision, separated].into_iter().flatten().collect()
}

fn question(keys: &SeparatedKeys) -> Option<Question> {
    Some(match keys.question.get_ref() {
        config::Question::Best => Question::Best,
        config::Question::Order => Question::Order,
        config::Question::Top => Question::Top(*keys.n.as_ref()?.get_ref()),
        config::Question::Above => {
            let [first, second] = keys.engines.as_ref()?.get_ref().as_slice() else { return None };
            Question::Above([first, second].map(|name| name.get_ref().clone()))
        }
    })
}

/// Where no time limits any engine, what matches cost is counted in plies: they are the same in every run.
fn cost_unit(config: &Config) -> CostUnit {
    let is_timed = config.engines.iter().any(|engine| {
        let control = TimeControl::of(&config.limits, engine.limits.as_ref(), &config.timeouts);
        control.base.is_some() || control.move_time.is_some()
    });
    if is_timed { CostUnit::Seconds } else { CostUnit::Plies }
}
