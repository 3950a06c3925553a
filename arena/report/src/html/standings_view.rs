//! The standings for the page's templates: texts and positions in a drawing. It estimates nothing.

use super::axis::Axis;
use super::series_view::{self, SeriesView};
use super::whisker::{Whisker, whisker};
use super::words::{counted, percent, signed, whole};
use serde::Serialize;

use crate::tables::{fit, in_order, in_words, openings, pairs, shown_scopes};
use ratings::{GamePayoffs, LotteryPart, OVERALL, Rating, Scope, Standings, Status};

/// One scope's standings.
#[derive(Debug, Serialize)]
pub struct ScopeView {
    /// [`OVERALL`] or the game's id.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// Facts about the whole scope, in words.
    pub facts: Vec<String>,
    /// The engines that can be compared with each other.
    pub pools: Vec<PoolView>,
    /// Warnings and explanations.
    pub notes: Vec<String>,
    /// The maximal lottery, if there are cycles.
    #[serde(skip)]
    pub lottery: Vec<LotteryView>,
    /// Series of checkpoints.
    #[serde(skip)]
    pub series: Vec<SeriesView>,
}

/// Engines that are connected by matches.
#[derive(Debug, Serialize)]
pub struct PoolView {
    /// The pool's number, if there are several.
    pub heading: Option<String>,
    /// The scale of the drawings.
    pub axis: Axis,
    /// The engines, the strongest first.
    pub rows: Vec<RatingView>,
}

/// One engine's row.
#[derive(Debug, Serialize)]
pub struct RatingView {
    /// `3`, `2-5`, or empty.
    pub rank: String,
    /// Its name.
    pub engine: String,
    /// The rating with its interval, a bound, or why there is none.
    pub rating: String,
    /// Why it has no rank, if it has none.
    pub remark: Option<String>,
    /// What to sort the ratings by.
    pub elo: String,
    /// The drawing, if there is an interval.
    pub whisker: Option<Whisker>,
    /// Matches played.
    pub matches: String,
    /// Wins, draws and losses.
    pub results: String,
    /// The score in percent.
    pub score: String,
    /// Draws in percent.
    pub draws: String,
    /// Matches lost by a fault, or forfeited because it had retired.
    pub forfeits: u64,
    /// Decided pairs / all pairs.
    pub pairs: String,
    /// The probability that it is stronger than the next engine.
    pub p_stronger: String,
}

/// An engine's share in the maximal lottery.
#[derive(Debug)]
pub struct LotteryView {
    /// Its name.
    pub engine: String,
    /// Its share.
    pub share: String,
    /// The interval of the share.
    pub interval: String,
    /// Its score against the lottery.
    pub score: String,
    /// Whether the interval starts above 1 %.
    pub is_member: bool,
}

impl LotteryView {
    fn new(part: &LotteryPart) -> Self {
        let error = part.error;
        Self {
            engine: part.engine.clone(),
            share: percent(part.mass),
            interval: format!("{} to {}", percent(error.mass_low), percent(error.mass_high)),
            score: format!("{} ± {:.1}", percent(part.score_against), 196.0 * error.score_sd),
            is_member: part.is_member(),
        }
    }
}

/// All scopes; `title` gives the name of a scope.
pub fn scopes(
    standings: &Standings,
    lotteries: &[GamePayoffs],
    title: impl Fn(&str) -> String,
) -> Vec<ScopeView> {
    let series = series_view::all(standings);
    shown_scopes(standings)
        .iter()
        .map(|scope| ScopeView {
            lottery: lotteries
                .iter()
                .filter(|game| game.game == scope.name)
                .flat_map(|game| in_order(&game.lottery))
                .map(LotteryView::new)
                .collect(),
            series: series.iter().filter(|one| one.scope == scope.name).map(SeriesView::new).collect(),
            name: scope.name.clone(),
            title: title(&scope.name),
            facts: facts(scope),
            pools: pools(scope),
            notes: in_words(&scope.notes),
        })
        .collect()
}

fn facts(scope: &Scope) -> Vec<String> {
    let mut facts = vec![counted(scope.matches, "match", "matches")];
    if let Some(advantage) = scope.first_player {
        let half_width = 0.5 * (advantage.high - advantage.low);
        facts.push(format!("first player {} ± {half_width:.1} Elo", signed(advantage.value)));
    }
    if let Some(rate) = scope.draw_rate {
        facts.push(format!("equal engines draw {}", percent(rate.value)));
    }
    facts.extend(openings(scope));
    facts.extend(fit(scope));
    facts
}

fn pools(scope: &Scope) -> Vec<PoolView> {
    let n_pools = scope.engines.iter().map(|rating| rating.pool).max().unwrap_or(0);
    (1..=n_pools)
        .map(|pool| {
            let ratings = || scope.engines.iter().filter(move |rating| rating.pool == pool);
            let ends: Vec<f64> =
                ratings().filter_map(drawn).flat_map(|[low, _, high]| [low, high]).flatten().collect();
            // Without intervals there is nothing to draw, so the axis has no marks.
            let axis = if ends.is_empty() { Axis::default() } else { Axis::around(ends) };
            let row = |rating: &Rating| row(rating, &axis);
            let rows = ratings().map(row).collect();
            let heading = (n_pools != 1).then(|| format!("Pool {pool} of {n_pools} (separate scale)"));
            PoolView { heading, axis, rows }
        })
        .collect()
}

fn row(rating: &Rating, axis: &Axis) -> RatingView {
    let of_matches = |text: String| if rating.matches == 0 { String::new() } else { text };
    RatingView {
        rank: match (rating.rank_low, rating.rank_high) {
            (Some(low), Some(high)) if low == high => low.to_string(),
            (Some(low), Some(high)) => format!("{low}\u{2013}{high}"),
            _ => String::new(),
        },
        engine: rating.engine.clone(),
        rating: estimate(rating),
        remark: why_unranked(rating),
        elo: rating.elo.map_or(String::new(), |elo| format!("{elo:.2}")),
        whisker: drawn(rating).map(|ends| whisker(ends, axis)),
        matches: super::words::count(rating.matches),
        results: of_matches(format!("+{} ={} \u{2212}{}", rating.wins, rating.draws, rating.losses)),
        score: of_matches(percent(rating.score)),
        draws: of_matches(percent(rating.draws as f64 / rating.matches as f64)),
        forfeits: rating.forfeits,
        pairs: pairs(rating),
        p_stronger: rating.p_stronger_next.map(percent).unwrap_or_default(),
    }
}

fn estimate(rating: &Rating) -> String {
    match (rating.status, rating.elo, rating.low, rating.high) {
        (_, Some(elo), Some(low), Some(high)) => format!("{} ± {:.1}", signed(elo), 0.5 * (high - low)),
        (_, Some(_), Some(low), None) => format!("> {}", signed(low)),
        (_, Some(_), None, Some(high)) => format!("< {}", signed(high)),
        (Status::SomeGames { .. }, ..) => "\u{2013}".to_owned(),
        (status, ..) => status.to_string(),
    }
}

/// The estimate in whole Elo, and half the width of its interval. A bound has no width, and what has no number has words.
pub fn whole_estimate(rating: &Rating) -> (String, String) {
    match (rating.status, rating.elo, rating.low, rating.high) {
        (_, Some(elo), Some(low), Some(high)) => (whole(elo), format!("± {:.0}", 0.5 * (high - low))),
        (_, Some(_), Some(low), None) => (format!("> {}", whole(low)), String::new()),
        (_, Some(_), None, Some(high)) => (format!("< {}", whole(high)), String::new()),
        (Status::SomeGames { .. }, ..) => ("\u{2013}".to_owned(), String::new()),
        (status, ..) => (status.to_string(), String::new()),
    }
}

/// Why an engine has only a bound, no rating or no rank; `None` if it has all, or if its rating says why.
pub fn why_unranked(rating: &Rating) -> Option<String> {
    let words = match rating.status {
        Status::Above => "no point lost to rated engines",
        Status::Below => "no point against rated engines",
        Status::Alone => "the only engine of its pool",
        Status::TooEarly => "too few matches",
        Status::SomeGames { rated, of } if rated < of => {
            return Some(format!("rated in {rated} of {of} games"));
        }
        Status::SomeGames { .. } => "the others are not rated in all games",
        _ if rating.few && rating.rank_low.is_none() => "too few decided pairs",
        _ => return None,
    };
    Some(words.to_owned())
}

/// Lower end, estimate and upper end, if there is anything to draw. The estimate is left out if there is only one end.
fn drawn(rating: &Rating) -> Option<[Option<f64>; 3]> {
    let ends = (rating.elo?, rating.low, rating.high);
    match ends {
        (_, None, None) => None,
        (elo, Some(low), Some(high)) => Some([Some(low), Some(elo), Some(high)]),
        (_, low, high) => Some([low, None, high]),
    }
}

/// The name of a scope for people.
pub fn title_of(name: &str) -> String {
    if name == OVERALL {
        return "All games".to_owned();
    }
    let game = name.parse::<engine_proto::GameId>();
    game.map_or_else(|_| name.to_owned(), |game| game.info().name.to_owned())
}
