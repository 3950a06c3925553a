//! One rating over all games: the mean of the games' ratings, each game with the same weight. Matches of different
//! games are never pooled in one fit.

use std::collections::BTreeMap;

use super::combined::{Combined, Mean};
use super::estimate::Estimate;
use super::game_scope::{covariance, fill, unrated};
use super::general;
use super::intervals::Intervals;
use super::met::FirstTwo;
use super::notes;
use super::ranking::{Basis, Row, rank};
use super::results::{Absent, ResultCounts};
use super::settings::Anchor;
use super::standings::{OVERALL, Rating, Scope, Status};

/// The scope over all games; `None` without games. With one game, it is a copy of the game's scope.
///
/// M_i = Σ R_gi / G with the covariance Σ Cov_g / G², every R_g centred on the engines that are rated in all G games.
/// The played games are all games of interest, so their differences are not an error of the mean.
pub(super) fn scope(
    estimates: &[Estimate],
    games: &[Scope],
    intervals: Intervals,
    anchor: Option<&Anchor>,
) -> Option<Scope> {
    match games {
        [] => None,
        [game] => {
            let mut overall = game.clone();
            OVERALL.clone_into(&mut overall.name);
            Some(overall)
        }
        _ => Some(over_many(estimates, games, intervals, anchor)),
    }
}

fn over_many(
    estimates: &[Estimate],
    games: &[Scope],
    intervals: Intervals,
    anchor: Option<&Anchor>,
) -> Scope {
    let combined = Combined::new(estimates);
    let intervals = intervals.of_engines(combined.names.len());
    let mean = combined.mean(intervals.confidence);
    let mut engines = ratings(estimates, &combined, games, mean.as_ref(), intervals);
    let first_two = FirstTwo::new(estimates, &engines, intervals.confidence);
    let head_to_head = first_two.rank_two(&mut engines, intervals);
    let core_mean = core_mean(&combined, games, mean.as_ref());
    let general = general::general(&combined, mean.as_ref(), core_mean, intervals, anchor);
    let absent = absent(estimates, &combined.names);
    let mut notes =
        notes::of_overall(&combined, mean.as_ref(), &engines, general.as_ref().map_err(|&reason| reason));
    notes.extend(notes::absent(&absent));
    let absent =
        absent.iter().map(|absent| unrated(&absent.engine, Status::Absent, ResultCounts::default(), 0));
    let mut scope = Scope {
        name: OVERALL.to_owned(),
        core_mean,
        more_pairs: None,
        head_to_head,
        matches: estimates.iter().map(|estimate| estimate.results.matches()).sum(),
        copies: estimates.iter().map(|estimate| estimate.results.copies).sum(),
        engines: engines.into_iter().chain(absent).collect(),
        first_player: None,
        draw_rate: None,
        openings: 0.0,
        phi: None,
        fit: None,
        transitivity: None,
        covariance: mean.map(|mean| {
            covariance(&mean.joint, mean.joint_covariance, &combined.names, intervals.confidence)
        }),
        general: general.ok(),
        is_anchored: false,
        notes,
    };
    scope.more_pairs = first_two.more_pairs(&scope, intervals.confidence);
    scope
}

/// The engines that never started in any of their games: not in the `names` of those that played.
fn absent(estimates: &[Estimate], names: &[String]) -> Vec<Absent> {
    let mut matches: BTreeMap<&str, u64> = BTreeMap::new();
    for absent in estimates.iter().flat_map(|estimate| &estimate.results.absent) {
        *matches.entry(&absent.engine).or_default() += absent.matches;
    }
    matches
        .into_iter()
        .filter(|(engine, _)| names.binary_search_by(|name| name.as_str().cmp(engine)).is_err())
        .map(|(engine, matches)| Absent { engine: engine.to_owned(), matches })
        .collect()
}

fn ratings(
    estimates: &[Estimate],
    combined: &Combined,
    games: &[Scope],
    mean: Option<&Mean>,
    intervals: Intervals,
) -> Vec<Rating> {
    let joint = mean.map(|mean| &mean.joint);
    let core_mean = core_mean(combined, games, mean);
    let reference = if joint.is_none() { reference(games) } else { None };
    let mut rows: Vec<Row> = combined
        .counts
        .iter()
        .enumerate()
        .map(|(engine, &(counts, pairs))| {
            let status = Status::SomeGames { rated: combined.n_rated(engine), of: combined.games.len() };
            let mut rating = unrated(&combined.names[engine], status, counts, pairs);
            rating.decided = sum(games, &rating.engine, |rating| rating.decided);
            rating.fitted = sum(games, &rating.engine, |rating| rating.fitted);
            if let Some(joint) = joint
                && let Some(place) = joint.place_of(engine)
            {
                fill(&mut rating, joint, place, core_mean, intervals);
                return Row { engine, rating };
            }
            rating.estimate = estimate(games, &rating.engine);
            if reference == Some(rating.engine.as_str()) {
                rating.status = Status::Alone;
            } else if joint.is_some() || reference.is_some() {
                [rating.low, rating.high] = ends(games, &rating.engine);
            }
            Row { engine, rating }
        })
        .collect();
    let basis = Basis { joint, estimates, names: &combined.names, intervals };
    rank(&mut rows, &basis, || mean?.strengths());
    rows.into_iter().map(|row| row.rating).collect()
}

/// The sum over the games in which the engine has this number; `None` if there are none.
fn sum(games: &[Scope], engine: &str, number: impl Fn(&Rating) -> Option<u64>) -> Option<u64> {
    let ratings = games.iter().filter_map(|scope| scope.engines.iter().find(|one| one.engine == engine));
    ratings.filter_map(number).reduce(|one, other| one + other)
}

/// The number of the mean of the engines that are rated in every game, so that the overall numbers are the means of the
/// games' numbers.
fn core_mean(combined: &Combined, games: &[Scope], mean: Option<&Mean>) -> f64 {
    let of_first = mean.and_then(|mean| {
        let first = &combined.names[*mean.joint.engines.first()?];
        Some(estimate(games, first)? - mean.joint.elo.first()?)
    });
    of_first.unwrap_or(0.0)
}

/// The engine that the others are rated relative to, in every game.
fn reference(games: &[Scope]) -> Option<&str> {
    let mut engines = games.iter().map(|game| {
        let alone = |rating: &&Rating| rating.pool == 1 && rating.status == Status::Alone;
        game.engines.iter().find(alone).map(|rating| rating.engine.as_str())
    });
    let first = engines.next()??;
    engines.all(|engine| engine == Some(first)).then_some(first)
}

/// The mean of the engine's numbers in the games in which it is in the largest pool; `None` without such a game.
fn estimate(games: &[Scope], engine: &str) -> Option<f64> {
    let numbers: Vec<f64> = games.iter().filter_map(|game| in_game(game, engine)?.estimate).collect();
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The ends of the overall rating of an engine without an interval in some game: the means of the games' ends. An end that
/// is unbounded in one game is unbounded.
///
/// Each game's one-sided bound has the full confidence, so their mean is a conservative bound for the mean.
fn ends(games: &[Scope], engine: &str) -> [Option<f64>; 2] {
    // The others are rated relative to an engine that is alone: its number has no error.
    let own = |rating: &Rating| match rating.status {
        Status::Alone => [rating.estimate; 2],
        _ => [rating.low, rating.high],
    };
    let mean = |end: usize| {
        let ends = games.iter().map(|game| own(in_game(game, engine)?)[end]);
        Some(ends.sum::<Option<f64>>()? / games.len() as f64)
    };
    [mean(0), mean(1)]
}

fn in_game<'a>(game: &'a Scope, engine: &str) -> Option<&'a Rating> {
    game.engines.iter().find(|rating| rating.engine == engine && rating.pool == 1)
}
