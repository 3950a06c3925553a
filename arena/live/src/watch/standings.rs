//! The standings of the matches so far. Computing them takes time, so that it is done rarely enough.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine_proto::Games;
use ratings::{Checks, MatchResult, Note, OVERALL, RatingSettings, Scope, Standings, Tally, Validity};
use serde_json::{Value, json};

use super::curve::Curve;
use super::folder::About;
use model::Record;
use report::html::parts::{ScopeView, StopView, scopes, title_of, typeset};
use report::tables::{
    Decides, Verdict, basis, has_verdict, is_early, is_of_tests, many_forfeits, verdict, with_cautions,
};
use report::{KnownRatings, TimeLosses};
use schedule::stop::Finding;
use store::PlayedBuilds;

/// The least time between two computations.
const EVERY: Duration = Duration::from_secs(1);
/// The computations may take this part of the time.
const PART: u32 = 20;
/// The cross table and the curves of ratings have at most this number of engines.
const MOST_ENGINES: usize = 24;
/// The maximum number of points of a curve; beyond it, every second one is forgotten.
const MOST_POINTS: usize = 40;

/// The count of matches, and the standings that were computed last.
#[derive(Debug)]
pub struct LiveStandings {
    tally: Tally,
    settings: RatingSettings,
    /// By game, White and Black: White's wins, draws and losses.
    met: BTreeMap<(String, String, String), [u32; 3]>,
    /// The overall ratings after these numbers of matches, in whole Elo.
    history: Vec<(u64, BTreeMap<String, i64>)>,
    /// In the order of the tournaments.
    games: Vec<String>,
    /// The engines of the tournaments, also those that have not played yet.
    engines: BTreeSet<String>,
    /// The ratings that are shown already.
    known: KnownRatings,
    builds: PlayedBuilds,
    time_losses: TimeLosses,
    is_stale: bool,
    n_added: u64,
    /// When the next computation may be done.
    next: Instant,
    /// When they may be computed while nobody looks.
    next_unseen: Instant,
    last: Value,
    last_standings: Option<Standings>,
}

impl LiveStandings {
    pub fn new() -> Self {
        Self {
            tally: Tally::new(),
            settings: RatingSettings { checks: Checks::All, ..RatingSettings::default() },
            met: BTreeMap::new(),
            history: Vec::new(),
            games: Vec::new(),
            engines: BTreeSet::new(),
            known: KnownRatings::default(),
            builds: PlayedBuilds::default(),
            time_losses: TimeLosses::default(),
            is_stale: false,
            n_added: 0,
            next: Instant::now(),
            next_unseen: Instant::now(),
            last: Value::Null,
            last_standings: None,
        }
    }

    /// Takes note of what the folders say of their tournaments: the order of the games, the engines, and whether results decide what
    /// is played. Then the intervals hold whenever one stops.
    pub fn follow(&mut self, about: &[About]) {
        self.games = about.iter().flat_map(|one| one.games.clone()).collect();
        self.known.follow(about.iter().map(|one| Arc::clone(&one.games_of)).collect());
        for one in about {
            self.builds.add_engines(&one.engines);
            self.engines.extend(one.engines.iter().map(|engine| engine.name.clone()));
        }
        if about.iter().any(|one| one.depends_on_results) {
            self.settings.validity = Validity::AnyTime;
        }
    }

    /// Counts a match.
    pub fn add(&mut self, record: &Record, folder: usize) {
        let pair = format!("{folder} {}", record.pair);
        let game = record.rated_game();
        let played = record.finished(&game, &pair);
        // A match of an engine with itself says nothing about strength.
        if self.tally.add(&played).is_err() {
            return;
        }
        self.is_stale = true;
        self.n_added += 1;
        self.builds.add(record);
        self.time_losses.add(record);
        let result = match record.result {
            MatchResult::WhiteWins => 0,
            MatchResult::Draw => 1,
            MatchResult::BlackWins => 2,
        };
        let key = (game.into_owned(), record.white.clone(), record.black.clone());
        self.met.entry(key).or_default()[result] += 1;
    }

    /// Takes note of the ratings so far, for the curves; `new_ones` does so, too.
    pub fn mark(&mut self) {
        self.remember(&Standings::new(&self.tally, &self.settings));
    }

    /// Takes note of the ratings while nobody looks, rarely enough that it costs next to nothing.
    pub fn mark_unseen(&mut self) {
        let last = self.history.last().map_or(0, |(n, _)| *n);
        let begun = Instant::now();
        // The first viewer does not wait for what nobody saw.
        if begun < self.next_unseen || self.n_added <= last + last / MOST_POINTS as u64 {
            return;
        }
        self.mark();
        self.next_unseen = after_rest(begun);
    }

    /// The standings, if they are new, with what stop rules have found and how their tests went; the last ones are not left to a
    /// later time.
    pub fn new_ones(
        &mut self,
        games: &Games,
        (findings, curves): (&[Finding], &[Curve]),
        are_last: bool,
    ) -> Option<&Value> {
        let begun = Instant::now();
        if !self.is_stale || (begun < self.next && !are_last) {
            return None;
        }
        self.is_stale = false;
        let mut standings = Standings::new(&self.tally, &self.settings);
        standings.order_games(&self.games);
        // Of several engines, the first two that have played are not alone.
        let n_rated = standings.scopes.first().map_or(0, |overall| overall.engines.len());
        if n_rated == 2 && 2 < self.engines.len() {
            standings.scopes.iter_mut().for_each(|scope| scope.head_to_head = None);
        }
        self.remember(&standings);
        let time_losses = self.time_losses.note().map(Note::from);
        self.builds.notes().into_iter().chain(time_losses).for_each(|note| standings.add_note(note));
        let mut views = scopes(&standings, findings, true, |name| title_of(games, name));
        // Two engines alone have the same columns before their first pair as after it.
        let is_anchored = standings.scopes.iter().any(|scope| scope.is_anchored);
        if self.engines.len() == 2 && !is_anchored && !are_last {
            let undecided = views.iter_mut().filter(|view| view.decides == Decides::Ratings);
            undecided.for_each(|view| view.decides = Decides::Pairs);
        }
        self.last = json!({
            "verdict": verdict(&standings).map(|it| Verdict { answer: typeset(&it.answer), ..it }),
            "basis": basis(&standings),
            // That forfeits have made the result is known early.
            "is_early": has_verdict(&standings) && standings.scopes.first().is_some_and(|scope| self.is_early(scope, findings)),
            "is_for_fixed_number": standings.validity == Validity::FixedSize,
            "known": self.known(&views),
            "games": self.games,
            "scopes": views,
            "met": self.met_json(&standings),
            "history": self.history,
            "tests": curves,
        });
        self.next = after_rest(begun);
        self.last_standings = Some(standings);
        Some(&self.last)
    }

    /// Whether nothing can be said of all engines yet: of several, as long as none has a rating.
    fn is_early(&self, overall: &Scope, findings: &[Finding]) -> bool {
        if overall.head_to_head.is_some() || is_of_tests(findings) {
            return is_early(overall, findings, false);
        }
        !overall.engines.iter().any(|rating| self.known.has(OVERALL, &rating.engine))
    }

    /// For each table, the engines that have a rating in it.
    fn known(&self, views: &[ScopeView]) -> Vec<Vec<String>> {
        let of_view = |view: &ScopeView| {
            // A game alone stands for all, also before the others have begun.
            let scope = if views.len() == 1 { OVERALL } else { &view.name };
            let names = view.pools.iter().flat_map(|pool| &pool.rows).map(|row| row.engine.as_str());
            names.filter(|engine| self.known.has(scope, engine)).map(str::to_owned).collect()
        };
        views.iter().map(of_view).collect()
    }

    /// What stop rules have found, as the page shows it. No test says anything of the strength of an engine that only forfeits.
    pub fn stops(&self, findings: &[Finding]) -> Vec<StopView> {
        let mut stops: Vec<_> = findings.iter().map(StopView::new).collect();
        let Some(standings) = &self.last_standings else { return stops };
        let overall = standings.scopes.first();
        for stop in stops.iter_mut().filter(|stop| stop.is_test) {
            stop.answer = with_cautions(std::mem::take(&mut stop.answer), overall);
            stop.remark = overall.and_then(many_forfeits);
            if !has_verdict(standings) {
                stop.details.truncate(1);
            }
        }
        stops
    }

    /// The first two engines of the standings that were computed last.
    pub fn first_two(&self) -> Option<[&str; 2]> {
        match self.last_standings.as_ref()?.scopes.first()?.engines.as_slice() {
            [one, other, ..] => Some([&one.engine, &other.engine]),
            _ => None,
        }
    }

    /// The standings that were computed last; `null` before.
    pub const fn last(&self) -> &Value {
        &self.last
    }

    fn remember(&mut self, standings: &Standings) {
        self.known.add(standings);
        let Some(overall) = standings.scopes.first() else { return };
        if self.history.last().is_some_and(|(n, _)| *n == overall.matches) {
            return;
        }
        // A curve begins where there is a number in the table.
        let rated =
            overall.engines.iter().take(MOST_ENGINES).filter(|it| self.known.has(OVERALL, &it.engine));
        let elo = rated.filter_map(|rating| Some((rating.engine.clone(), rating.estimate?.round() as i64)));
        self.history.push((overall.matches, elo.collect()));
        if MOST_POINTS < self.history.len() {
            let mut idx = 0;
            self.history.retain(|_| {
                idx += 1;
                idx % 2 == 1
            });
        }
    }

    /// The results of every two engines; empty if there are too many.
    fn met_json(&self, standings: &Standings) -> Vec<Value> {
        let n = standings.scopes.first().map_or(0, |overall| overall.engines.len());
        let rows = self.met.iter().filter(|_| n <= MOST_ENGINES);
        rows.map(|((game, white, black), results)| json!([game, white, black, results])).collect()
    }
}

/// When the next computation may be done, after one that began at this time.
fn after_rest(begun: Instant) -> Instant {
    let now = Instant::now();
    now + EVERY.max(PART * (now - begun))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    #[test]
    fn the_curve_begins_before_the_first_viewer() {
        let mut standings = LiveStandings::new();
        for n in 1..=100 {
            standings.add(&Record { number: n, pair: n, ..samples::record() }, 0);
            // Time passes between matches.
            standings.next_unseen = Instant::now();
            standings.mark_unseen();
        }
        let shown =
            standings.new_ones(Games::built_in(), (&[], &[]), false).expect("matches were added").clone();
        let points: Vec<_> =
            shown["history"].as_array().expect("points").iter().map(|point| &point[0]).collect();
        assert_eq!((points.first(), points.last()), (Some(&&json!(1)), Some(&&json!(100))));
        assert!((10..=MOST_POINTS + 1).contains(&points.len()), "{points:?}");
    }

    #[test]
    fn the_last_standings_have_all_matches() {
        let mut standings = LiveStandings::new();
        standings.add(&Record { number: 1, pair: 1, ..samples::record() }, 0);
        let _ = standings.new_ones(Games::built_in(), (&[], &[]), false);
        standings.add(&Record { number: 2, pair: 2, ..samples::record() }, 0);
        standings.next = Instant::now() + Duration::from_secs(3600);
        assert!(standings.new_ones(Games::built_in(), (&[], &[]), false).is_none(), "it is too early");
        let last = standings.new_ones(Games::built_in(), (&[], &[]), true).expect("a match was added");
        assert_eq!(
            last["history"].as_array().and_then(|points| points.last()).map(|point| &point[0]),
            Some(&json!(2))
        );
    }
}
