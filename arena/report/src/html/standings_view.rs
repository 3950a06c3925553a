//! The standings for the page's templates: texts and positions in a drawing. It estimates nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use engine_proto::Games;
use engine_proto::fen::shown;

use super::axis::Axis;
use super::played_game::PlayedGame;
use super::reasons::in_words;
use super::series_view::{self, SeriesView};
use super::whisker::{Whisker, whisker};
use super::words::{counted, percent, probability, typeset, whole};
use serde::Serialize;

use crate::tables::{
    Decides, Number, ToldNote, Verdict, draw_rate, first_player, fit, has_many_forfeits, is_early,
    many_forfeits, notes_of, openings, pairs, rank_or_place, ranks, shared_notes, shown_scopes,
    too_early_for, verdict_of,
};
use ratings::{EstimateKind, FEWEST_DECIDED, OVERALL, Rating, Scope, Standings, Status};
use schedule::stop::Finding;

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
    /// What to know or do.
    pub notes: Vec<ToldNote>,
    /// The figures behind the ratings, for those who want to know more.
    pub figures: Vec<ToldNote>,
    /// Which engine is the strongest; `None` without rated matches.
    #[serde(skip)]
    pub verdict: Option<Verdict>,
    /// Whether any engine lost by its own fault.
    #[serde(skip)]
    pub has_forfeits: bool,
    /// What decides which engine is stronger: this says which columns there are.
    pub decides: Decides,
    /// Whether there are pairs: without them and without openings, each match counts as one.
    #[serde(skip)]
    pub has_pairs: bool,
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
    /// The rank, or the place in the list in brackets.
    #[serde(skip)]
    pub rank_or_place: String,
    /// Its name.
    pub engine: String,
    /// The rating with its interval, a bound, or why there is none.
    pub rating: String,
    /// Why it has no rank, if it has none.
    pub remark: Option<String>,
    /// Whether it never started.
    #[serde(skip)]
    pub is_absent: bool,
    /// What to sort the ratings by.
    pub elo: String,
    /// The drawing, if there is an interval.
    pub whisker: Option<Whisker>,
    /// What is drawn: the lower end, the estimate and the upper end, then whether it is rough.
    #[serde(skip)]
    pub ends: String,
    /// Matches played.
    pub matches: String,
    /// Wins, draws and losses.
    pub results: String,
    /// The score in percent.
    pub score: String,
    /// Matches lost by a fault, or forfeited because it had retired.
    pub forfeits: u64,
    /// Their causes with their numbers: `crash 10, illegal move 2`.
    #[serde(skip)]
    pub causes: String,
    /// The classes of that number: it has one of its own if the results say little of the engine's strength because of it.
    #[serde(skip)]
    pub forfeits_class: &'static str,
    /// Decided pairs / all pairs.
    pub pairs: String,
    /// The probability that it is stronger than the next engine.
    pub p_stronger: String,
}

impl ScopeView {
    /// Whether there is a column of pairs: those that the ratings use. Of two engines, there are the pairs by outcome.
    pub const fn shows_pairs(&self) -> bool {
        self.has_pairs && self.decides.has_ratings()
    }

    /// Whether the lead of one of the only two engines stands in place of ratings.
    pub fn is_of_two(&self) -> bool {
        !self.decides.has_ratings() && self.pools.iter().map(|pool| pool.rows.len()).sum::<usize>() == 2
    }

    /// Names the causes of forfeits, from the reasons of an engine's faults; and says how many matches an engine that never started
    /// has forfeited: they are in no rating.
    pub fn add_causes(&mut self, reasons_of: impl Fn(&str) -> Vec<String>) {
        for row in self.pools.iter_mut().flat_map(|pool| &mut pool.rows) {
            let reasons = reasons_of(&row.engine);
            let mut causes: BTreeMap<&str, u64> = BTreeMap::new();
            for reason in &reasons {
                *causes.entry(reason).or_default() += 1;
            }
            let mut causes: Vec<_> = causes.into_iter().collect();
            causes.sort_by_key(|&(_, n)| Reverse(n));
            let named = |(reason, n)| format!("{} {}", in_words(reason), super::words::count(n));
            row.causes = causes.into_iter().map(named).collect::<Vec<_>>().join(", ");
            if !row.is_absent {
                continue;
            }
            row.forfeits = reasons.len() as u64;
            row.results = format!("{} not counted", super::words::count(row.forfeits));
            row.remark = Some("never started".to_owned());
            self.has_forfeits = true;
        }
    }
}

impl PoolView {
    /// Whether any engine is compared with the next one.
    pub fn has_next(&self) -> bool {
        self.rows.iter().any(|row| !row.p_stronger.is_empty())
    }

    /// Whether any engine has a rank.
    pub fn has_ranks(&self) -> bool {
        self.rows.iter().any(|row| !row.rank.is_empty())
    }

    /// Whether any engine has an interval or a bound to draw.
    pub fn has_plot(&self) -> bool {
        self.rows.iter().any(|row| row.whisker.is_some())
    }
}

/// All scopes; `title` gives the name of a scope. Unless the matches are all there (`is_over`), one whose ratings would say nothing yet
/// has the scores alone, as at the end of a run.
pub fn scopes(
    standings: &Standings,
    findings: &[Finding],
    is_over: bool,
    title: impl Fn(&str) -> String,
) -> Vec<ScopeView> {
    let series = series_view::all(standings);
    let shared = shared_notes(shown_scopes(standings));
    let view = |(scope, decides): (&Scope, Decides)| {
        let is_early = is_early(scope, findings, is_over);
        let decides = if is_early { Decides::Nothing } else { decides };
        // A reader sees one scope at a time.
        let shared = if scope.name == OVERALL { shared.as_slice() } else { &[] };
        let mut told = notes_of(scope, shared, decides);
        for note in told.iter_mut().flatten() {
            note.rename_games(|word| {
                let is_game = |it: &Scope| it.name == word && word != OVERALL;
                standings.scopes.iter().any(is_game).then(|| title(word))
            });
            note.text = typeset(&note.text);
        }
        let [mut notes, figures] = told;
        // The answer above the table names them, and the table their number.
        if decides == Decides::Ratings && many_forfeits(scope).is_some() {
            notes.retain(|note| note.kind != "forfeits");
        }
        ScopeView {
            verdict: if is_early {
                Some(too_early(scope))
            } else {
                so_far(verdict_of(scope, standings), is_over)
            },
            has_forfeits: scope.engines.iter().any(|rating| rating.forfeits != 0),
            decides,
            has_pairs: scope.engines.iter().any(|rating| rating.pairs < rating.matches),
            series: series
                .iter()
                .filter(|one| one.scope == scope.name && !is_early)
                .map(SeriesView::new)
                .collect(),
            name: scope.name.clone(),
            title: title(&scope.name),
            facts: if decides == Decides::Nothing { vec![n_matches(scope)] } else { facts(scope) },
            pools: pools(scope, decides),
            notes,
            figures,
        }
    };
    let scopes = shown_scopes(standings);
    scopes.iter().zip(Decides::of_all(scopes, findings)).map(view).collect()
}

/// What is missing for ratings, and who has the best score so far.
fn too_early(scope: &Scope) -> Verdict {
    let most_decided = scope.engines.iter().filter_map(|rating| rating.decided).max().unwrap_or(0);
    let why = match &scope.head_to_head {
        Some(found) => format!(": {} of at least {FEWEST_DECIDED} decided pairs", found.decided),
        None if most_decided < FEWEST_DECIDED => format!(": no engine has {FEWEST_DECIDED} decided pairs"),
        None => ": all intervals are wide".to_owned(),
    };
    let lead = match scope.engines.as_slice() {
        [first, second, ..] if second.score < first.score => {
            let matches = counted(first.matches, "match", "matches");
            let [name, score] = [shown(&first.engine), percent(first.score)];
            format!(" {name} has the best score so far: {score} of {matches}.")
        }
        _ => String::new(),
    };
    Verdict {
        answer: format!("{}{why}.{lead}", too_early_for(scope)),
        remarks: many_forfeits(scope).into_iter().collect(),
    }
}

/// Unless the matches are all there (`is_over`), the answer says so: its interval is for a fixed number of them.
fn so_far(verdict: Option<Verdict>, is_over: bool) -> Option<Verdict> {
    let mut verdict = verdict?;
    if !is_over {
        verdict.answer += " The tournament is not finished.";
    }
    Some(verdict)
}

fn n_matches(scope: &Scope) -> String {
    counted(scope.matches, "match", "matches")
}

/// What is known of a scope as a whole.
pub fn facts(scope: &Scope) -> Vec<String> {
    let mut facts = vec![n_matches(scope)];
    if let Some(advantage) = first_player(scope) {
        let half_width = 0.5 * (advantage.high - advantage.low);
        facts.push(format!("first player {} Elo", number(&Number::with_error(advantage.value, half_width))));
    }
    facts.extend(draw_rate(scope));
    facts.extend(openings(scope));
    facts.extend(fit(scope));
    facts.iter().map(|fact| typeset(fact)).collect()
}

fn pools(scope: &Scope, decides: Decides) -> Vec<PoolView> {
    // Without ratings, there are no scales to keep apart.
    let pool_of = |rating: &Rating| if decides == Decides::Nothing { 1 } else { rating.pool };
    let n_pools = scope.engines.iter().map(pool_of).max().unwrap_or(0);
    (1..=n_pools)
        .map(|pool| {
            let ratings = || scope.engines.iter().filter(move |rating| pool_of(rating) == pool);
            let ends: Vec<f64> = ratings().filter_map(drawn).flat_map(|(ends, _)| in_axis(ends)).collect();
            // Without intervals there is nothing to draw, so the axis has no marks.
            let axis = if ends.is_empty() { Axis::default() } else { Axis::around(ends) };
            let rows = ratings().map(|rating| row(scope, rating, &axis, decides)).collect();
            let matches = ratings().map(|rating| rating.matches).sum::<u64>() / 2;
            let matches = counted(matches, "match", "matches");
            let heading =
                (n_pools != 1).then(|| format!("Pool {pool} of {n_pools} (separate scale), {matches}"));
            PoolView { heading, axis, rows }
        })
        .collect()
}

fn row(scope: &Scope, rating: &Rating, axis: &Axis, decides: Decides) -> RatingView {
    let of_ranks =
        |text: String| if decides.has_ranks() { text.replace('-', "\u{2013}") } else { String::new() };
    let of_matches = |text: String| if rating.matches == 0 { String::new() } else { text };
    RatingView {
        rank: of_ranks(ranks(rating)),
        rank_or_place: of_ranks(rank_or_place(scope, rating)),
        engine: rating.engine.clone(),
        rating: number(&Number::of(rating)),
        remark: why_unranked(rating),
        is_absent: rating.status == Status::Absent,
        elo: rating.estimate.map_or(String::new(), |elo| format!("{elo:.2}")),
        ends: drawn(rating).map_or(String::new(), |(ends, is_rough)| {
            let [low, elo, high] = ends.map(|end| end.map_or(String::new(), |end| format!("{end:.2}")));
            format!("{low},{elo},{high},{}", if is_rough { "rough" } else { "" })
        }),
        whisker: drawn(rating).map(|(ends, is_rough)| Whisker { is_rough, ..whisker(ends, axis) }),
        matches: super::words::count(rating.matches),
        results: of_matches(format!("+{} ={} \u{2212}{}", rating.wins, rating.draws, rating.losses)),
        score: of_matches(percent(rating.score)),
        forfeits: rating.forfeits,
        causes: String::new(),
        forfeits_class: if has_many_forfeits(rating) { "fault-count are-many" } else { "fault-count" },
        pairs: pairs(rating).replace('-', "\u{2013}"),
        p_stronger: rating
            .p_stronger_next
            .filter(|_| decides.has_ratings())
            .map(probability)
            .unwrap_or_default(),
    }
}

/// With a minus as wide as the plus. Where there is little room, the line breaks before an error or a bound.
fn number(number: &Number) -> String {
    let [value, error] =
        [&number.value, &number.error].map(|part| part.replace('-', "\u{2212}").replace(' ', "\u{a0}"));
    format!("{value} {error}").trim_end().to_owned()
}

/// The number in whole Elo, and half the width of its interval to 0, its bound, or why there is neither.
pub fn whole_estimate(rating: &Rating) -> (String, String) {
    let text = match rating.elo.zip(rating.low).zip(rating.high) {
        Some(((elo, low), high)) if !rating.rough_zero => {
            Number { value: whole(elo), error: format!("± {:.0}", 0.5 * (high - low)) }
        }
        _ => Number::of(rating),
    };
    let Number { value, error } = text;
    (value.replace('-', "\u{2212}"), error.replace('-', "\u{2212}"))
}

/// Why an engine has no interval or no rank; `None` if it has both, or if its rating says why.
pub fn why_unranked(rating: &Rating) -> Option<String> {
    let words = match rating.status {
        Status::Above => "no point lost to rated engines",
        Status::Below => "no point against rated engines",
        Status::TooEarly => "too few matches",
        Status::SomeGames { .. } if rating.low.is_some() && rating.high.is_some() => "rough interval",
        Status::SomeGames { rated, of } if rated < of => {
            return Some(format!("interval in {rated} of {of} games"));
        }
        Status::SomeGames { .. } => "the others have no interval in all games",
        _ if rating.few && rating.rank_low.is_none() => "too few decided pairs",
        _ => return None,
    };
    Some(words.to_owned())
}

/// Lower end, estimate and upper end, and whether the estimate is rough; `None` without any. An interval is left out if the place of 0
/// is rough, and a rough estimate if it lies beyond what is sure.
fn drawn(rating: &Rating) -> Option<([Option<f64>; 3], bool)> {
    let Rating { estimate, low, high, .. } = *rating;
    if rating.rough_zero {
        return Some(([None, estimate, None], true));
    }
    let is_rough = low.is_none() || high.is_none() || rating.estimate_kind == EstimateKind::Regularised;
    let is_within = |elo: &f64| low.is_none_or(|low| low <= *elo) && high.is_none_or(|high| *elo <= high);
    let ends = [low, estimate.filter(is_within), high];
    (ends != [None; 3]).then_some((ends, is_rough))
}

/// What the axis of an interval includes. One with only one end needs room to go on beyond it.
fn in_axis(ends: [Option<f64>; 3]) -> impl Iterator<Item = f64> {
    let beyond = match ends {
        [Some(end), None, None] | [None, None, Some(end)] => Some(1.5 * end),
        _ => None,
    };
    ends.into_iter().flatten().chain(beyond)
}

/// The name of a scope for people.
pub fn title_of(games: &Games, name: &str) -> String {
    if name == OVERALL {
        return "All games".to_owned();
    }
    PlayedGame::named(games, name).name(games).into_owned()
}
