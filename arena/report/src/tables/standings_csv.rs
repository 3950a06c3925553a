//! The standings as `ratings.csv`, one line per engine and scope.

use std::io::{self, Write};

use model::escape::cells;
use ratings::{Interval, Rating, RatingDifference, Scope, Standings, Status};
use schedule::stop::TestState;

/// The columns. Existing columns never change; new ones are appended.
const COLUMNS: [&str; 29] = [
    "scope",
    "engine",
    "elo",
    "low",
    "high",
    "matches",
    "wins",
    "draws",
    "losses",
    "score", //
    "rank_low",
    "rank_high",
    "se",
    "pairs",
    "los_next",
    "status",
    "forfeits",
    "se_bootstrap",
    "p_stronger_next",
    "se_pairs",
    "decided",
    "few",
    "openings",
    "fitted",
    "estimate",
    "estimate_kind",
    "lead",
    "lead_low",
    "lead_high",
];

/// Writes the standings as CSV with the columns
/// `scope,engine,elo,low,high,matches,wins,draws,losses,score,rank_low,rank_high,se,pairs,los_next,status,forfeits,se_bootstrap,
/// p_stronger_next,se_pairs,decided,few,openings,fitted,estimate,estimate_kind,lead,lead_low,lead_high`.
///
/// Elo has two decimals, `score`, `los_next` and `p_stronger_next` are fractions of 1 with four. An end without a bound
/// is `-inf` or `inf`. Unknown values are empty, and so is `elo` if there is only a bound; `estimate` is given
/// for every engine, `estimate_kind` is `rating` or `regularised`. The lead over the next engine is that of the verdict; if
/// results decided how many matches were played, only a sequential test of two engines, one of `tests`, has a valid one.
/// The status of an engine outside the largest pool begins with `pool 2:` and so on: its ratings are on another scale.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_csv(standings: &Standings, tests: &[TestState], out: impl Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(COLUMNS)?;
    for scope in &standings.scopes {
        // A test is about all matches of its two engines.
        let tests = if scope.matches == standings.scopes[0].matches { tests } else { &[] };
        for (idx, rating) in scope.engines.iter().enumerate() {
            let next = scope.engines.get(idx + 1);
            let lead = next.and_then(|next| lead(standings, scope, tests, [&rating.engine, &next.engine]));
            csv.write_record(cells(fields(&scope.name, rating).into_iter().chain(lead_fields(lead))))?;
        }
    }
    csv.flush()
}

/// The lead of the first of two engines that follow each other in a scope, with its interval.
fn lead(
    standings: &Standings,
    scope: &Scope,
    tests: &[TestState],
    engines: [&String; 2],
) -> Option<Interval> {
    let [first, second] = engines;
    let of_two = || tests.iter().find(|test| engines.iter().all(|engine| test.engines.contains(engine)));
    if let Some(test) = of_two().filter(|test| test.limits.is_none()) {
        let [value, low, high] = test.elo?;
        let lead = Interval { value, low, high };
        return Some(if test.engines[0] == *first { lead } else { lead.reversed() });
    }
    if standings.validity.is_any_time() {
        return None;
    }
    if let Some(found) = scope.head_to_head.as_ref().filter(|_| scope.engines.len() == 2) {
        return Some(found.elo);
    }
    let found = RatingDifference::of_engines(scope, first, second, standings.confidence)?;
    Some(Interval { value: found.elo, low: found.low, high: found.high })
}

/// The lead with its interval, in Elo; `inf` after a perfect score.
fn lead_fields(lead: Option<Interval>) -> [String; 3] {
    lead.map_or_else(Default::default, |lead| {
        [lead.value, lead.low, lead.high].map(|elo| decimals(Some(elo), 2))
    })
}

fn fields(scope: &str, rating: &Rating) -> [String; 26] {
    let has_end = rating.elo.is_some() || rating.low.is_some() || rating.high.is_some();
    let end = |end: Option<f64>, unbounded: f64| decimals(end.or(has_end.then_some(unbounded)), 2);
    let whole = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
    [
        scope.to_owned(),
        rating.engine.clone(),
        decimals(rating.elo.filter(|_| rating.status != Status::ColourDecides), 2),
        end(rating.low, f64::NEG_INFINITY),
        end(rating.high, f64::INFINITY),
        rating.matches.to_string(),
        rating.wins.to_string(),
        rating.draws.to_string(),
        rating.losses.to_string(),
        decimals(Some(rating.score), 4),
        whole(rating.rank_low),
        whole(rating.rank_high),
        decimals(rating.se, 2),
        rating.pairs.to_string(),
        decimals(rating.los_next, 4),
        if rating.pool == 1 {
            rating.status.to_string()
        } else {
            format!("pool {}: {}", rating.pool, rating.status)
        },
        rating.forfeits.to_string(),
        decimals(rating.se_bootstrap, 2),
        decimals(rating.p_stronger_next, 4),
        decimals(rating.se_pairs, 2),
        rating.decided.map_or(String::new(), |decided| decided.to_string()),
        u8::from(rating.few).to_string(),
        decimals(Some(rating.openings), 1),
        rating.fitted.map_or(String::new(), |fitted| fitted.to_string()),
        decimals(rating.estimate, 2),
        rating.estimate.map_or("", |_| rating.estimate_kind.name()).to_owned(),
    ]
}

/// `number` with this number of decimals, never `-0.00`; empty for `None`.
pub(super) fn decimals(number: Option<f64>, decimals: usize) -> String {
    let Some(number) = number else { return String::new() };
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|digit| matches!(digit, '0' | '.')) => digits.to_owned(),
        _ => text,
    }
}
