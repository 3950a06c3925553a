//! One rating over all games: the mean of the games' ratings, each game with the same weight. Matches of different
//! games are never pooled in one fit.

use std::collections::BTreeMap;

use super::combined::{Combined, Mean};
use super::confidence::Confidence;
use super::estimate::Estimate;
use super::game_scope::{covariance, fill, unrated};
use super::general;
use super::graph::connected;
use super::intervals::Intervals;
use super::met::FirstTwo;
use super::notes;
use super::perfect::bound_of_mean;
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
    let of_one = intervals;
    let intervals = intervals.of_engines(combined.names.len());
    let mean = combined.mean(intervals.confidence);
    let pools = pools(estimates, &combined, games);
    let mut engines: Vec<Rating> = pools
        .iter()
        .flat_map(|pool| ratings(estimates, &combined, games, pool, mean.as_ref(), [intervals, of_one]))
        .collect();
    let first_two = FirstTwo::new(estimates, &engines, intervals.confidence);
    let head_to_head = first_two.rank_two(&mut engines, intervals);
    let core_mean = core_mean(&combined, games, &pools, mean.as_ref());
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

/// Engines that are connected by matches of any game. Numbers of different pools cannot be compared.
struct Pool {
    /// From 1; 1 is the largest.
    number: usize,
    /// Its engines, ascending.
    engines: Vec<usize>,
    /// In each game, the pool whose scale counts: the largest one with engines of this pool. 0 without one.
    scales: Vec<usize>,
}

fn pools(estimates: &[Estimate], combined: &Combined, games: &[Scope]) -> Vec<Pool> {
    let index = |name: &String| combined.names.binary_search(name).ok();
    let met = estimates.iter().map(|estimate| &estimate.results).flat_map(|results| {
        results.pairings.iter().filter_map(|it| {
            let [one, other] = [it.first, it.second].map(|engine| index(&results.engines[engine]));
            Some((one?, other?, it.total.matches()))
        })
    });
    let met: Vec<_> = met.collect();
    let new = |(place, engines): (usize, Vec<usize>)| {
        let is_in =
            |rating: &&Rating| index(&rating.engine).is_some_and(|it| engines.binary_search(&it).is_ok());
        let scale = |game: &Scope| game.engines.iter().filter(is_in).map(|rating| rating.pool).min();
        let scales = games.iter().map(|game| scale(game).unwrap_or(0)).collect();
        Pool { number: place + 1, engines, scales }
    };
    connected(combined.names.len(), &met).into_iter().enumerate().map(new).collect()
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

/// The ratings of one pool. Bounds of perfect scores have the confidence `of_one`, whatever the number of engines.
fn ratings(
    estimates: &[Estimate],
    combined: &Combined,
    games: &[Scope],
    pool: &Pool,
    mean: Option<&Mean>,
    [intervals, of_one]: [Intervals; 2],
) -> Vec<Rating> {
    let joint = mean.map(|mean| &mean.joint);
    let core_mean = core_mean(combined, games, std::slice::from_ref(pool), mean);
    let reference = if joint.is_none() { reference(games) } else { None };
    let row = |&engine: &usize| {
        let (counts, pairs) = combined.counts[engine];
        let status = Status::SomeGames { rated: combined.n_rated(engine), of: combined.games.len() };
        let rating = unrated(&combined.names[engine], status, counts, pairs);
        let mut rating = Rating { pool: pool.number, ..rating };
        rating.decided = sum(games, &rating.engine, |rating| rating.decided);
        rating.fitted = sum(games, &rating.engine, |rating| rating.fitted);
        if let Some(joint) = joint
            && let Some(place) = joint.place_of(engine)
        {
            fill(&mut rating, joint, place, core_mean, intervals);
            return Row { engine, rating };
        }
        rating.estimate = estimate(games, pool, &rating.engine);
        if reference == Some(rating.engine.as_str()) {
            rating.status = Status::Alone;
        } else if joint.is_some() || reference.is_some() {
            let end = |is_lower| end(estimates, games, &rating.engine, is_lower, of_one.confidence);
            (rating.low, rating.high) = (end(true), end(false));
        }
        Row { engine, rating }
    };
    let mut rows: Vec<Row> = pool.engines.iter().map(row).collect();
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
fn core_mean(combined: &Combined, games: &[Scope], pools: &[Pool], mean: Option<&Mean>) -> f64 {
    let of_first = mean.and_then(|mean| {
        let first = *mean.joint.engines.first()?;
        let pool = pools.iter().find(|pool| pool.engines.contains(&first))?;
        Some(estimate(games, pool, &combined.names[first])? - mean.joint.elo.first()?)
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

/// The mean of the engine's numbers in the games in which it is on the scale of `pool`; `None` without such a game.
fn estimate(games: &[Scope], pool: &Pool, engine: &str) -> Option<f64> {
    let of_game = |(game, &scale): (&Scope, &usize)| in_game(game, scale, engine)?.estimate;
    let numbers: Vec<f64> = games.iter().zip(&pool.scales).filter_map(of_game).collect();
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The lower or upper end of the overall rating of an engine without an interval in some game: the mean of the games' ends. An
/// end that is unbounded in one game is unbounded. The games in which it won everything, or lost everything, have one bound
/// together.
///
/// Each bound has the full confidence, so their mean is a conservative bound for the mean.
fn end(
    estimates: &[Estimate],
    games: &[Scope],
    engine: &str,
    is_lower: bool,
    confidence: Confidence,
) -> Option<f64> {
    let mut sum = 0.0;
    let mut perfect = Vec::new();
    for (game, estimate) in games.iter().zip(estimates) {
        let rating = in_game(game, 1, engine)?;
        match estimate.perfect(engine).filter(|it| it.perfect.is_above == is_lower) {
            Some(bound) => perfect.push(bound),
            // The others are rated relative to an engine that is alone: its number has no error.
            None if rating.status == Status::Alone => sum += rating.estimate?,
            None => sum += if is_lower { rating.low } else { rating.high }?,
        }
    }
    if !perfect.is_empty() {
        sum += perfect.len() as f64 * bound_of_mean(&perfect, confidence);
    }
    Some(sum / games.len() as f64)
}

/// The engine's rating in the pool `scale` of the game.
fn in_game<'a>(game: &'a Scope, scale: usize, engine: &str) -> Option<&'a Rating> {
    game.engines.iter().find(|rating| rating.engine == engine && rating.pool == scale)
}
