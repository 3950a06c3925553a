//! One rating over all games: the mean of the games' ratings, each game with the same weight. Matches of different
//! games are never pooled in one fit.

use std::collections::{BTreeMap, BTreeSet};

use super::combined::{Combined, Mean};
use super::confidence::Confidence;
use super::estimate::Estimate;
use super::game_scope::{covariance, fill, unrated};
use super::general;
use super::graph::connected;
use super::intervals::Intervals;
use super::met::FirstTwo;
use super::note::Note;
use super::notes;
use super::perfect::bound_of_mean;
use super::ranking::{Basis, Row, rank};
use super::results::{Absent, ResultCounts};
use super::settings::Anchor;
use super::standings::{OVERALL, Rating, Scope, Status};

/// The scope over all games; `None` without games. With one game, it is a copy of the game's scope. Engines that met in no game are
/// in different pools, each with the games that it played.
pub(super) fn scope(
    estimates: &[Estimate],
    games: &[Scope],
    intervals: Intervals,
    anchor: Option<&Anchor>,
) -> Option<Scope> {
    let over = |estimates: &[Estimate], games: &[Scope], engines: &[String]| match games {
        [game] => Scope { name: OVERALL.to_owned(), ..game.clone() },
        _ => over_many(estimates, games, engines, intervals, anchor),
    };
    match (games, pools(estimates).as_slice()) {
        ([], _) => None,
        (_, [] | [_]) | ([_], _) => Some(over(estimates, games, &names(estimates))),
        (_, pools) => Some(over_pools(pools, estimates, games, over)),
    }
}

/// The scope of several `pools`, each with the games that it played.
fn over_pools(
    pools: &[Vec<String>],
    estimates: &[Estimate],
    games: &[Scope],
    over: impl Fn(&[Estimate], &[Scope], &[String]) -> Scope,
) -> Scope {
    let of_pool = |(number, engines): (usize, &Vec<String>)| {
        let (estimates, games): (Vec<Estimate>, Vec<Scope>) =
            estimates.iter().zip(games).filter_map(|(one, game)| seen_by(engines, one, game)).unzip();
        let mut scope = over(&estimates, &games, engines);
        scope.engines.retain(|rating| engines.binary_search(&rating.engine).is_ok());
        scope.engines.iter_mut().for_each(|rating| rating.pool = number);
        if games.len() == 1 {
            // The table of the game says them.
            scope.notes.clear();
        }
        scope
    };
    let scopes: Vec<Scope> = (1..).zip(pools).map(of_pool).collect();
    let absent = absent(estimates);
    let ratings: Vec<Rating> = scopes
        .iter()
        .flat_map(|scope| scope.engines.clone())
        .chain(absent.iter().map(absent_rating))
        .collect();
    let is_of_engines = |note: &&Note| !note.engines.is_empty() && !["pool", "absent"].contains(&note.kind);
    let notes = scopes.iter().flat_map(|scope| &scope.notes).filter(is_of_engines).cloned();
    let notes = notes::pools(&ratings).into_iter().chain(notes::absent(&absent)).chain(notes).collect();
    let Scope { core_mean, more_pairs, covariance, general, .. } = scopes[0].clone();
    Scope {
        name: OVERALL.to_owned(),
        core_mean,
        more_pairs,
        matches: estimates.iter().map(|estimate| estimate.results.matches()).sum(),
        copies: estimates.iter().map(|estimate| estimate.results.copies).sum(),
        engines: ratings,
        covariance,
        general,
        notes,
        ..Scope::default()
    }
}

/// The names of all engines that played, sorted.
fn names(estimates: &[Estimate]) -> Vec<String> {
    let all = estimates.iter().flat_map(|estimate| &estimate.results.engines);
    all.collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

/// The engines that are connected by matches of any game, each group sorted; the largest one comes first.
fn pools(estimates: &[Estimate]) -> Vec<Vec<String>> {
    let names = names(estimates);
    let index = |name: &String| names.binary_search(name).unwrap_or_default();
    let met = estimates.iter().map(|estimate| &estimate.results).flat_map(|results| {
        results.pairings.iter().map(|it| {
            let [one, other] = [it.first, it.second].map(|engine| index(&results.engines[engine]));
            (one, other, it.total.matches())
        })
    });
    let groups = connected(names.len(), &met.collect::<Vec<_>>());
    let of_group = |group: Vec<usize>| group.into_iter().map(|engine| names[engine].clone()).collect();
    groups.into_iter().map(of_group).collect()
}

/// A game with the pool of these engines in place of the largest one; `None` if they did not play it. Of several pools, it is the
/// largest.
fn seen_by(engines: &[String], estimate: &Estimate, game: &Scope) -> Option<(Estimate, Scope)> {
    let own =
        |rating: &&Rating| engines.binary_search(&rating.engine).is_ok() && rating.status != Status::Absent;
    let pool = game.engines.iter().filter(own).map(|rating| rating.pool).min()?;
    let (mut estimate, mut game) = (estimate.clone(), game.clone());
    estimate.structure.pools.swap(0, pool - 1);
    estimate.pools.swap(0, pool - 1);
    for rating in &mut game.engines {
        rating.pool = match rating.pool {
            1 => pool,
            own if own == pool => 1,
            other => other,
        };
    }
    Some((estimate, game))
}

/// The scope of `engines`, sorted, which are connected.
fn over_many(
    estimates: &[Estimate],
    games: &[Scope],
    engines: &[String],
    intervals: Intervals,
    anchor: Option<&Anchor>,
) -> Scope {
    let combined = Combined::new(estimates);
    let of_one = intervals;
    let intervals = intervals.of_engines(combined.names.len());
    let mean = combined.mean(intervals.confidence);
    let mut engines = ratings(estimates, &combined, games, engines, mean.as_ref(), [intervals, of_one]);
    let first_two = FirstTwo::new(estimates, &engines, intervals.confidence);
    let head_to_head = first_two.rank_two(&mut engines, intervals);
    let core_mean = core_mean(&combined, games, mean.as_ref());
    let general = general::general(&combined, mean.as_ref(), core_mean, intervals, anchor);
    let absent = absent(estimates);
    let mut notes =
        notes::of_overall(&combined, mean.as_ref(), &engines, general.as_ref().map_err(|&reason| reason));
    notes.extend(notes::absent(&absent));
    let mut scope = Scope {
        name: OVERALL.to_owned(),
        core_mean,
        head_to_head,
        matches: estimates.iter().map(|estimate| estimate.results.matches()).sum(),
        copies: estimates.iter().map(|estimate| estimate.results.copies).sum(),
        engines: engines.into_iter().chain(absent.iter().map(absent_rating)).collect(),
        covariance: mean.map(|mean| {
            covariance(&mean.joint, mean.joint_covariance, &combined.names, intervals.confidence)
        }),
        general: general.ok(),
        notes,
        ..Scope::default()
    };
    scope.more_pairs = first_two.more_pairs(&scope, intervals.confidence);
    scope
}

/// The engines that never started in any of their games.
fn absent(estimates: &[Estimate]) -> Vec<Absent> {
    let has_played =
        |engine: &str| estimates.iter().any(|it| it.results.engines.iter().any(|name| name == engine));
    let mut matches: BTreeMap<&str, u64> = BTreeMap::new();
    for absent in estimates.iter().flat_map(|estimate| &estimate.results.absent) {
        *matches.entry(&absent.engine).or_default() += absent.matches;
    }
    matches
        .into_iter()
        .filter(|(engine, _)| !has_played(engine))
        .map(|(engine, matches)| Absent { engine: engine.to_owned(), matches })
        .collect()
}

fn absent_rating(absent: &Absent) -> Rating {
    unrated(&absent.engine, Status::Absent, ResultCounts::default(), 0)
}

/// The ratings of `engines`. Bounds of perfect scores have the confidence `of_one`, whatever the number of engines.
fn ratings(
    estimates: &[Estimate],
    combined: &Combined,
    games: &[Scope],
    engines: &[String],
    mean: Option<&Mean>,
    [intervals, of_one]: [Intervals; 2],
) -> Vec<Rating> {
    let joint = mean.map(|mean| &mean.joint);
    let core_mean = core_mean(combined, games, mean);
    let reference = if joint.is_none() { reference(games) } else { None };
    let has_ends = joint.is_some() || reference.is_some() || have_cores(games, engines);
    let row = |engine: usize| {
        let (counts, pairs) = combined.counts[engine];
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
        } else if has_ends {
            let end = |is_lower| end(estimates, games, &rating.engine, is_lower, of_one.confidence);
            (rating.low, rating.high) = (end(true), end(false));
        }
        Row { engine, rating }
    };
    let is_meant = |engine: &usize| engines.binary_search(&combined.names[*engine]).is_ok();
    let places = (0..combined.names.len()).filter(is_meant);
    let mut rows: Vec<Row> = places.map(row).collect();
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

/// Whether the bounds of several games are not relative to different engines: in each game to several, of which two play all games.
fn have_cores(games: &[Scope], engines: &[String]) -> bool {
    let in_all = |engine: &&String| games.iter().all(|game| in_game(game, engine).is_some());
    games.iter().all(|game| game.engines.iter().all(|rating| rating.status != Status::Alone))
        && engines.iter().filter(in_all).nth(1).is_some()
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
        let rating = in_game(game, engine)?;
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

fn in_game<'a>(game: &'a Scope, engine: &str) -> Option<&'a Rating> {
    game.engines.iter().find(|rating| rating.engine == engine && rating.pool == 1)
}
