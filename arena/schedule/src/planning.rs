//! Makes the schedule and the openings of a tournament. It reads opening files and starts no processes.

use super::book;
use super::openings::{Openings, OpeningsError, Source};
use super::stop::{Precision, Rule, Separated, SprtTest, SprtTests};
use super::{
    Adaptive, AdaptiveSettings, CostUnit, Course, Knockout, KnockoutSettings, Order, Pairing, Plan, Schedule,
    Seeds, Swiss, SwissSettings, gauntlet, round_robin,
};
use model::{Format, GameSetup, StopRules, Tournament};

/// The course of the tournament before its first match.
pub fn course(tournament: &Tournament) -> Course {
    let (plan, names) = (plan(tournament), tournament.names());
    let order: Option<Box<dyn Order>> = match tournament.format {
        Format::Adaptive { matches, floor, batch } => {
            let most_pairs = matches.map_or(u32::MAX, |matches| matches / 2);
            let settings = AdaptiveSettings { most_pairs, floor, batch, unit: cost_unit(tournament) };
            Some(Box::new(Adaptive::new(&plan, &names, settings)))
        }
        Format::Swiss { rounds } => {
            let settings = SwissSettings { rounds, pairs: tournament.pairs };
            Some(Box::new(Swiss::new(&plan, &names, settings)))
        }
        Format::Knockout { tie_pairs, third_place } => {
            let settings = KnockoutSettings { pairs: tournament.pairs, tie_pairs, third_place };
            Some(Box::new(Knockout::new(&plan, &names, settings)))
        }
        Format::RoundRobin | Format::Gauntlet { .. } | Format::Free | Format::League => None,
    };
    Course::new(plan, names, order, rules(&tournament.stop, tournament))
}

/// Whether results decide which pairs are played, or how many, or did in an earlier run: intervals for a fixed number of matches
/// are not valid.
pub fn depends_on_results(tournament: &Tournament) -> bool {
    let stop = &tournament.stop;
    stop.earlier || tournament.format.follows_results() || !rules(stop, tournament).is_empty()
}

/// The schedule of the tournament.
pub fn schedule(tournament: &Tournament) -> Schedule {
    Schedule { plan: plan(tournament), names: tournament.names() }
}

/// All matches of the tournament.
///
/// # Panics
/// If there are more matches than can be numbered: see [`check_size`].
pub fn plan(tournament: &Tournament) -> Plan {
    let (pairings, rounds) = pairings(tournament);
    Plan::with_rounds(tournament.game_ids(), pairings, rounds).under(tournament.limits_names())
}

/// The maximum number of matches: their schedule takes some hundred megabytes.
const MOST_MATCHES: u64 = 100_000_000;

/// There are too many matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tournament has {n_matches} matches, but at most {MOST_MATCHES} are possible; lower `pairs`")]
pub struct TooManyMatches {
    n_matches: u64,
}

/// Checks that the tournament does not have too many matches.
///
/// # Errors
/// If there are too many.
pub fn check_size(tournament: &Tournament) -> Result<(), TooManyMatches> {
    let n_pairs: u64 = pairings(tournament).1.into_iter().map(u64::from).sum();
    let n_matches = 2 * n_pairs;
    if n_matches <= MOST_MATCHES { Ok(()) } else { Err(TooManyMatches { n_matches }) }
}

/// Who plays whom in which game under which limits, and for how many rounds.
pub fn pairings(tournament: &Tournament) -> (Vec<Pairing>, Vec<u32>) {
    let games = tournament.game_ids();
    let engines = &tournament.engines;
    let plays = |engine: usize, game: usize| engines[engine].plays(games[game]);
    let pairings = match &tournament.format {
        Format::Free | Format::League => Vec::new(),
        Format::RoundRobin | Format::Adaptive { .. } | Format::Swiss { .. } | Format::Knockout { .. } => {
            round_robin(engines.len(), games.len(), plays)
        }
        Format::Gauntlet { seeds, seeds_meet } => {
            let is_seed: Vec<_> = engines.iter().map(|engine| seeds.contains(&engine.name)).collect();
            let seeds = if *seeds_meet { Seeds::Meet } else { Seeds::Apart };
            gauntlet(&is_seed, seeds, games.len(), plays)
        }
    };
    let under = |limits_idx| pairings.iter().map(move |pairing| Pairing { limits_idx, ..*pairing });
    let pairings: Vec<Pairing> = (0..tournament.limits.len().max(1)).flat_map(under).collect();
    let rounds = pairings
        .iter()
        .map(|pairing| {
            let names = pairing.contenders.map(|idx| engines[idx].name.as_str());
            tournament.n_pairs(names, games[pairing.game_idx])
        })
        .collect();
    (pairings, rounds)
}

/// The openings of each game, one per round. None is drawn yet.
///
/// # Errors
/// If an opening file cannot be read, or clearly contains fewer openings than there are rounds.
pub fn openings(tournament: &Tournament) -> Result<Vec<Openings>, OpeningsError> {
    let of_game = |game: &GameSetup| {
        let id = game.id;
        let fens = match &game.openings {
            Some(path) => book::read(&tournament.known_games, id, path, &game.book, tournament.seed)?,
            None => Vec::new(),
        };
        let source = Source {
            games: tournament.known_games.clone(),
            game: id,
            start: game.start.clone(),
            fens,
            plies: game.opening_plies,
            repeats: game.book.repeats,
            seed: tournament.seed,
        };
        let n_skipped = game.book.skipped as usize;
        Ok(source.openings(tournament.n_most_pairs(id) as usize + n_skipped)?.after(n_skipped))
    };
    tournament.games.iter().map(of_game).collect()
}

/// The stop rules. A rule that does not fit the tournament is ignored; the configuration rejects such rules.
pub fn rules(stop: &StopRules, tournament: &Tournament) -> Vec<Rule> {
    let sprt = stop.sprt.as_ref().and_then(|rule| {
        let hypotheses = rule.hypotheses()?;
        let names = tournament.limits_names();
        let turns: Vec<(usize, &String)> = rule
            .limits
            .iter()
            .filter_map(|name| Some((names.iter().position(|one| one == name)?, name)))
            .collect();
        let of_candidate = |engines| {
            let test = SprtTest::new(engines, hypotheses, rule.batch);
            let in_turn: Vec<_> = turns.iter().map(|(idx, name)| test.clone().under(*idx, name)).collect();
            if in_turn.is_empty() { vec![test] } else { in_turn }
        };
        let tests: Vec<SprtTest> = tested(tournament).into_iter().flat_map(of_candidate).collect();
        (!tests.is_empty()).then(|| Rule::Sprt(SprtTests::new(tests)))
    });
    let precision = stop.precision.as_ref().map(|rule| Rule::Precision(Precision::new(rule.elo, rule.scope)));
    let separated = stop
        .separated
        .as_ref()
        .map(|question| Rule::Separated(Separated::new(question.clone(), tournament.engines.len())));
    [sprt, precision, separated].into_iter().flatten().collect()
}

/// Who is tested against whom: in a gauntlet with one seed every other engine against it, or else the first of two engines
/// against the second.
fn tested(tournament: &Tournament) -> Vec<[String; 2]> {
    let names = tournament.names();
    let seeds = match &tournament.format {
        Format::Gauntlet { seeds, .. } => seeds.as_slice(),
        Format::RoundRobin
        | Format::Adaptive { .. }
        | Format::Swiss { .. }
        | Format::Knockout { .. }
        | Format::Free
        | Format::League => &[],
    };
    match (seeds, names.as_slice()) {
        ([base], _) => {
            names.iter().filter(|name| *name != base).map(|name| [name.clone(), base.clone()]).collect()
        }
        (_, [first, second]) => vec![[first.clone(), second.clone()]],
        _ => Vec::new(),
    }
}

/// If time does not limit any engine, the cost of a match is counted in plies, which are the same in every run.
fn cost_unit(tournament: &Tournament) -> CostUnit {
    let is_timed = tournament.engines.iter().any(|engine| engine.time_control.is_timed());
    if is_timed { CostUnit::Seconds } else { CostUnit::Plies }
}
