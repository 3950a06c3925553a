//! What a reader of the standings must know, in plain words. Words only: all numbers come from elsewhere.

use super::estimate::{Estimate, Verdict};
use super::fit_quality::{SIGNIFICANT, outliers};
use super::general::{General, Specialist};
use super::intervals::FEWEST_CLUSTERS;
use super::overall::{Combined, Mean};
use super::results::Pairing;
use super::standings::{FitQuality, Rating, Status};
use super::table::cut;

/// More names than this are counted instead.
const MOST_NAMES: usize = 6;
/// Names longer than this are cut.
const NAME_WIDTH: usize = 60;
/// Below as many expected points a pairing, the test of fit is rough.
const FEW_POINTS: f64 = 5.0;
/// From so large a part of an engine's matches on, forfeits are many ...
const MANY_FORFEITS: f64 = 0.05;
/// ... if they are as many as this.
const FEWEST_FORFEITS: u64 = 2;

/// The notes on one game.
pub(super) fn of_game(estimate: &Estimate, engines: &[Rating], fit: Option<&FitQuality>) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(pools(engines));
    notes.extend(verdict(estimate));
    notes.extend(alone(engines));
    notes.extend(perfect(engines));
    notes.extend(not_comparable(engines));
    notes.extend(weak(engines));
    notes.extend(fit.map(lack_of_fit).unwrap_or_default());
    notes.extend(pairs(estimate));
    notes.extend(copies(estimate.results.copies));
    notes.extend(forfeits(engines));
    notes
}

/// The notes on all games together.
pub(super) fn of_overall(
    combined: &Combined,
    mean: Option<&Mean>,
    engines: &[Rating],
    general: Result<&General, &String>,
) -> Vec<String> {
    let mut notes = Vec::new();
    let unrated: Vec<&str> = combined
        .games
        .iter()
        .zip(&combined.ratings)
        .filter(|(_, ratings)| ratings.is_none())
        .map(|(game, _)| game.as_str())
        .collect();
    if mean.is_none() {
        notes.push(format!(
            "no overall ratings: fewer than two engines are rated in all {} games; play more matches{}",
            combined.games.len(),
            if unrated.is_empty() { String::new() } else { format!(" in {}", listed(&unrated)) },
        ));
    } else {
        let missing = with_status(engines, |status| matches!(status, Status::SomeGames { .. }));
        if !missing.is_empty() {
            notes.push(format!(
                "{}: without a two-sided rating in every game, so without a rank overall",
                listed(&missing)
            ));
        }
    }
    match general {
        Ok(general) => notes.extend(differences(general, engines)),
        Err(reason) => notes.push(reason.clone()),
    }
    notes
}

/// The note on ratings without an interval yet.
pub(super) fn too_early(engines: &[Rating]) -> Option<String> {
    let names = with_status(engines, |status| status == Status::TooEarly);
    (!names.is_empty()).then(|| {
        format!(
            "{}: too early for an interval that holds at any time; play until every engine has {FEWEST_CLUSTERS} pairs \
             in every game",
            listed(&names)
        )
    })
}

/// The notes on standard errors beside those of `times` resamplings. With few clusters the two differ for good reasons: the
/// ratings' own errors then trust the model.
pub(super) fn bootstrap(engines: &[Rating], times: u32, fewest_clusters: u64) -> Vec<String> {
    const ENOUGH_CLUSTERS: u64 = 30;
    const ALIKE: f64 = 0.15;
    let errors = |rating: &Rating| Some((rating.se?, rating.se_bootstrap?));
    let beside: Vec<String> = engines
        .iter()
        .filter_map(|rating| {
            errors(rating).map(|(se, other)| format!("{} {se:.1} ({other:.1})", rating.engine))
        })
        .collect();
    if beside.is_empty() {
        return Vec::new();
    }
    let mut notes = vec![format!("standard errors (and by {times} resamplings): {}", beside.join(", "))];
    let unlike: Vec<&str> = engines
        .iter()
        .filter(|&rating| errors(rating).is_some_and(|(se, other)| ALIKE * se < (other - se).abs()))
        .map(|rating| rating.engine.as_str())
        .collect();
    if ENOUGH_CLUSTERS <= fewest_clusters && !unlike.is_empty() {
        notes.push(format!(
            "{}: the standard error by resampling differs by more than {:.0} %, so take the intervals with care",
            listed(&unlike),
            100.0 * ALIKE,
        ));
    }
    notes
}

/// How far the games differ.
fn differences(general: &General, engines: &[Rating]) -> Vec<String> {
    let chance = general.p.map_or(String::new(), |p| format!(" ({})", chance(p)));
    let mut notes = vec![if general.p.is_some_and(|p| p < SIGNIFICANT) {
        format!("from game to game, ratings differ by {:.0} Elo beyond their errors{chance}", general.spread)
    } else {
        format!("from game to game, ratings do not differ beyond their errors{chance}")
    }];
    // A slope on ratings that are not told apart is a number without a meaning.
    let are_told_apart = engines.iter().any(|rating| rating.rank_low.is_some_and(|rank| 1 < rank));
    if !general.slopes.is_empty() && are_told_apart {
        let slopes: Vec<String> =
            general.slopes.iter().map(|slope| format!("{} {:.2}", slope.game, slope.slope)).collect();
        notes.push(format!("how far each game stretches the overall ratings: {}", slopes.join(", ")));
    }
    notes.extend(general.specialists.iter().take(MOST_NAMES).map(|specialist: &Specialist| {
        format!(
            "{}: {:+.0} Elo in {} beside its overall rating",
            specialist.engine, specialist.elo_difference, specialist.game
        )
    }));
    notes
}

fn pools(engines: &[Rating]) -> Vec<String> {
    let n_pools = engines.iter().map(|rating| rating.pool).max().unwrap_or(0);
    (2..=n_pools)
        .map(|pool| {
            let names: Vec<&str> = engines
                .iter()
                .filter(|rating| rating.pool == pool)
                .map(|rating| rating.engine.as_str())
                .collect();
            format!(
                "{} have no matches with the others, so their ratings are on a scale of their own; \
                 add a match between the pools",
                listed(&names)
            )
        })
        .collect()
}

fn verdict(estimate: &Estimate) -> Option<String> {
    match estimate.verdict {
        Verdict::Regular | Verdict::NoFit => None,
        Verdict::OnlyDraws => Some("every match that could be rated was drawn".to_owned()),
        Verdict::ColourDecides => {
            let first_wins = estimate
                .fitted()
                .iter()
                .any(|pairing| pairing.cells().iter().any(|cell| cell.2.white_wins != 0));
            let side = if first_wins { "first" } else { "second" };
            Some(format!("the {side} player won every match that could be rated: choose other openings"))
        }
    }
}

fn alone(engines: &[Rating]) -> Option<String> {
    let names = with_status(engines, |status| status == Status::Alone);
    let first = names.first()?;
    Some(format!(
        "nobody both won and lost: ratings are relative to {}; play more matches between equals",
        if names.len() == 1 { (*first).to_owned() } else { "one engine of each pool".to_owned() },
    ))
}

fn perfect(engines: &[Rating]) -> Vec<String> {
    let winners = with_status(engines, |status| status == Status::Above);
    let losers = with_status(engines, |status| status == Status::Below);
    let mut notes = Vec::new();
    if !winners.is_empty() {
        notes.push(format!(
            "{}: won every match against the others, so there is no upper bound",
            listed(&winners)
        ));
    }
    if !losers.is_empty() {
        notes.push(format!(
            "{}: lost every match against the others, so there is no lower bound",
            listed(&losers)
        ));
    }
    notes
}

fn not_comparable(engines: &[Rating]) -> Option<String> {
    let names = with_status(engines, |status| status == Status::NotComparable);
    (!names.is_empty())
        .then(|| format!("{}: no matches that would place them beside the core", listed(&names)))
}

fn weak(engines: &[Rating]) -> Option<String> {
    let names: Vec<&str> =
        engines.iter().filter(|rating| rating.weak).map(|rating| rating.engine.as_str()).collect();
    (!names.is_empty()).then(|| format!("{}: the prior still matters; play more matches", listed(&names)))
}

fn lack_of_fit(fit: &FitQuality) -> Vec<String> {
    let Some(p) = fit.p.filter(|&p| p < SIGNIFICANT) else { return Vec::new() };
    let is_rough = fit.pairings.iter().any(|pairing| {
        pairing.expected < FEW_POINTS || pairing.matches as f64 - pairing.expected < FEW_POINTS
    });
    let mut notes = vec![format!(
        "ratings do not explain all pairings (spread {:.0} Elo, {}{}): \
         a rating is the average against this schedule",
        fit.spread,
        chance(p),
        if is_rough { ", rough as some pairings have few matches" } else { "" },
    )];
    notes.extend(outliers(fit).into_iter().take(MOST_NAMES).map(|pairing| {
        format!(
            "{} scored {} of {} against {}, {:.1} expected",
            pairing.first, pairing.points, pairing.matches, pairing.second, pairing.expected
        )
    }));
    notes.extend(
        fit.cycles
            .iter()
            .take(MOST_NAMES)
            .map(|[a, b, c]| format!("{a} beats {b}, {b} beats {c}, {c} beats {a}")),
    );
    notes
}

/// What the pairs saved, and which matches have no partner.
fn pairs(estimate: &Estimate) -> Vec<String> {
    let pairings = &estimate.results.pairings;
    if !pairings.iter().any(|pairing| pairing.has_clusters) {
        return vec!["no pairs or openings given: every match counts as independent".to_owned()];
    }
    let mut notes = Vec::new();
    let singles: u64 = pairings.iter().map(single_matches).sum();
    let strength = estimate.clustered.dispersion.strength;
    let is_mostly_pairs = 2 * singles <= estimate.results.matches();
    if estimate.verdict == Verdict::Regular && is_mostly_pairs && strength < 0.995 {
        notes.push(format!("swapping the sides saved {:.0} % of the matches", 100.0 * (1.0 - strength)));
    }
    match singles {
        0 => {}
        1 => notes.push("1 match without a partner".to_owned()),
        _ => notes.push(format!("{singles} matches without a partner")),
    }
    notes
}

/// Matches that tell nothing new.
fn copies(copies: u64) -> Option<String> {
    let repeat = match copies {
        0 => return None,
        1 => "1 match repeats".to_owned(),
        _ => format!("{copies} matches repeat"),
    };
    Some(format!(
        "{repeat} the moves of another one of the same engines, sides and opening: this tells nothing new, so copies count \
         as one in the errors; play from more openings, or let the engines vary their play"
    ))
}

/// The engines whose rating is in good part one of their faults.
fn forfeits(engines: &[Rating]) -> Option<String> {
    let has_many = |rating: &&Rating| {
        FEWEST_FORFEITS <= rating.forfeits && MANY_FORFEITS * rating.matches as f64 <= rating.forfeits as f64
    };
    let names: Vec<String> = engines
        .iter()
        .filter(has_many)
        .map(|rating| {
            let engine = cut(&rating.engine, NAME_WIDTH / 2);
            format!("{engine} ({} of {})", rating.forfeits, rating.matches)
        })
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    (!names.is_empty()).then(|| {
        format!(
            "many matches forfeited: {}; forfeits (time, crash, illegal move and the like) count as losses, so these \
             ratings tell of faults as well as of play",
            listed(&names)
        )
    })
}

/// How many clusters hold a single match.
fn single_matches(pairing: &Pairing) -> u64 {
    pairing
        .clusters
        .iter()
        .filter(|kind| kind.outcomes.matches() == 1)
        .map(|kind| u64::from(kind.count))
        .sum()
}

/// `p = 0.0123`, or `p < 0.0001`.
fn chance(p: f64) -> String {
    const SMALLEST: f64 = 1e-4;
    if p < SMALLEST { format!("p < {SMALLEST}") } else { format!("p = {p:.4}") }
}

fn with_status(engines: &[Rating], is_meant: impl Fn(Status) -> bool) -> Vec<&str> {
    engines.iter().filter(|rating| is_meant(rating.status)).map(|rating| rating.engine.as_str()).collect()
}

/// `a`, `a and b`, `a, b and c`, and no more than a few.
pub(super) fn listed(names: &[&str]) -> String {
    let n_names = names.len();
    let names: Vec<String> = names.iter().take(MOST_NAMES).map(|name| cut(name, NAME_WIDTH)).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] if n_names <= MOST_NAMES => format!("{} and {last}", most.join(", ")),
        _ => {
            let shown = &names[..MOST_NAMES - 1];
            format!("{} and {} others", shown.join(", "), n_names - shown.len())
        }
    }
}
