//! One search from the engine's view: its limits, when to stop, and where to report.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::Allotment;
use crate::proto::{Go, Info, Limits};
use crate::{Play, Position, Side};

/// The limits of one search, and the way to report to the arena. It can be shared between threads.
///
/// The SDK makes one for every `go`. Tests of an engine can make their own:
///
/// ```
/// use engine_proto::proto::Limits;
/// use engine_proto::sdk::Search;
///
/// let search = Search::with(Limits { depth: Some(4), ..Limits::default() })
///     .reporting_to(|info| assert!(info.depth <= Some(4)));
/// assert!(search.may_deepen());
/// search.stop().raise();
/// assert!(search.must_stop());
/// ```
pub struct Search {
    limits: Limits,
    begun: Instant,
    allotment: Allotment,
    stop: Stop,
    /// For a search that ponders, or did so until the opponent moved.
    ponder: Option<PonderHit>,
    draw_is_offered: bool,
    /// The moves to choose from; empty for all.
    choices: Vec<String>,
    report: Box<dyn Fn(&Info) + Send + Sync>,
}

impl Search {
    /// A search for this `go`, or with these limits, that starts now and does not report. Clocks are used as for the
    /// side that moves first, without overhead; see [`Search::with_allotment`].
    pub fn with<'a>(go: impl Into<Go<'a>>) -> Self {
        let Go { limits, ponder, draw_offer, search_moves } = go.into();
        Self {
            allotment: Allotment::new(&limits, Side::White, Duration::ZERO),
            limits,
            begun: Instant::now(),
            stop: Stop::default(),
            ponder: ponder.then(PonderHit::default),
            draw_is_offered: draw_offer,
            choices: search_moves.iter().map(ToOwned::to_owned).collect(),
            report: Box::new(|_| ()),
        }
    }

    /// The same search with other time limits.
    #[must_use]
    pub fn with_allotment(mut self, allotment: Allotment) -> Self {
        self.allotment = allotment;
        self
    }

    /// The same search, whose reports go to `report`, which may be called from any thread.
    #[must_use]
    pub fn reporting_to(mut self, report: impl Fn(&Info) + Send + Sync + 'static) -> Self {
        self.report = Box::new(report);
        self
    }

    /// The same search with the start time `begun`.
    pub(super) const fn begun_at(mut self, begun: Instant) -> Self {
        self.begun = begun;
        self
    }

    /// Whether the engine must return now: the arena sent `stop`, or the time is up, which it never is while the engine
    /// ponders. This reads the clock, so call it every few hundred positions, not at each one.
    pub fn must_stop(&self) -> bool {
        self.stop.is_raised()
            || self.allotment.hard.is_some_and(|hard| self.on_clock().is_some_and(|used| hard <= used))
    }

    /// Whether to start another, deeper iteration: enough time is left that it may finish.
    pub fn may_deepen(&self) -> bool {
        self.may_deepen_within(1.0)
    }

    /// Like [`Search::may_deepen`], for an engine that estimates how sure it is of its move: it uses `share` of the
    /// usual time for a move, where 1.0 is all of it. The hard limit always applies, and `movetime` is always used up.
    ///
    /// While the engine ponders, only `stop` ends the search. Afterwards, the usual time includes the time of pondering,
    /// and the hard limit does not.
    pub fn may_deepen_within(&self, share: f64) -> bool {
        if self.must_stop() {
            return false;
        }
        let Some(used) = self.on_clock() else { return true };
        match self.allotment {
            Allotment { soft: Some(soft), hard } if Some(soft) < hard => {
                self.begun.elapsed() < soft.mul_f64(share.max(0.0))
            }
            Allotment { soft, .. } => soft.is_none_or(|soft| used < soft),
        }
    }

    /// The time that the clock of this move has run; `None` while the engine ponders.
    fn on_clock(&self) -> Option<Duration> {
        match &self.ponder {
            None => Some(self.begun.elapsed()),
            Some(hit) => hit.0.get().map(Instant::elapsed),
        }
    }

    /// Whether the opponent offers a draw. To accept it, answer with [`super::Choice::Move`] and `draw`.
    pub const fn draw_is_offered(&self) -> bool {
        self.draw_is_offered
    }

    /// The moves to choose from: the legal moves of `play`, or those of them that `searchmoves` names, if any.
    pub fn root_moves<P: Position>(&self, play: &Play<P>) -> Vec<P::Move> {
        let mut moves = Vec::new();
        play.legal_moves(&mut moves);
        self.restrict(&mut moves);
        moves
    }

    /// Keeps of the legal moves those that `searchmoves` names. If it names none of them, it keeps all.
    pub fn restrict<M: fmt::Display>(&self, moves: &mut Vec<M>) {
        if self.chooses_freely() {
            return;
        }
        let is_named = |mv: &M| self.choices.contains(&mv.to_string());
        if moves.iter().any(is_named) {
            moves.retain(is_named);
        }
    }

    /// Whether all legal moves may be chosen: there is no `searchmoves`.
    pub const fn chooses_freely(&self) -> bool {
        self.choices.is_empty()
    }

    /// The maximum number of positions to search; `u64::MAX` without a limit.
    pub fn node_limit(&self) -> u64 {
        self.limits.nodes.unwrap_or(u64::MAX)
    }

    /// The maximum depth in plies; `u32::MAX` without a limit.
    pub fn depth_limit(&self) -> u32 {
        self.limits.depth.unwrap_or(u32::MAX)
    }

    /// The limits as the arena sent them.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The time limits of this move.
    pub const fn allotment(&self) -> Allotment {
        self.allotment
    }

    /// The time since the start of the search.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Reports the progress of the search.
    pub fn report(&self, info: &Info) {
        (self.report)(info);
    }

    /// The handle that stops this search: for tests, and for an engine with several threads.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// The handle that ends the pondering of this search; `None` if it is not one that ponders.
    pub fn ponder_hit(&self) -> Option<PonderHit> {
        self.ponder.clone()
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The moment at which the opponent played the move that an engine ponders on: `ponderhit`. Clones share one moment.
#[derive(Clone, Debug, Default)]
pub struct PonderHit(Arc<OnceLock<Instant>>);

impl PonderHit {
    /// The opponent has played the move, and the clock of the search started at `at`. Only the first call counts.
    pub fn hit(&self, at: Instant) {
        let _first = self.0.set(at);
    }
}

/// A signal to stop. Once raised, it stays raised. Clones share one signal.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Stops the search.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the search has been stopped.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stops_a_search() {
        let search = Search::with(Limits { move_time: Some(Duration::ZERO), ..Limits::default() });
        assert!(search.must_stop());
        let bounds = |soft, hard| Allotment {
            soft: Some(Duration::from_secs(soft)),
            hard: Some(Duration::from_secs(hard)),
        };
        let search = Search::with(Limits::default()).with_allotment(bounds(0, 3600));
        assert!(!search.must_stop() && !search.may_deepen());
        let search = Search::with(Limits::default()).with_allotment(bounds(1800, 3600));
        assert!(!search.must_stop() && search.may_deepen());
        assert!(!search.may_deepen_within(0.0) && search.may_deepen_within(0.5));
        let used_up = Search::with(Limits::default()).with_allotment(bounds(3600, 3600));
        assert!(used_up.may_deepen_within(0.0));
        let search = Search::with(Limits::default());
        assert!(!search.must_stop() && search.may_deepen());
        assert_eq!((search.depth_limit(), search.node_limit()), (u32::MAX, u64::MAX));
    }

    #[test]
    fn a_search_that_ponders_has_all_the_time_until_the_opponent_moves() {
        let limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
        let search = Search::with(Go { limits, ponder: true, ..Go::default() });
        assert!(!search.must_stop() && search.may_deepen());
        search.ponder_hit().unwrap().hit(Instant::now());
        assert!(search.must_stop() && !search.may_deepen());
        let search = Search::with(Go { ponder: true, ..Go::default() });
        search.stop().raise();
        assert!(search.must_stop() && !search.may_deepen());
        assert!(Search::with(limits).ponder_hit().is_none());
    }

    #[test]
    fn the_usual_time_includes_the_time_of_pondering_and_the_limit_does_not() {
        let hour = Duration::from_secs(3600);
        let mut search = Search::with(Go { ponder: true, ..Go::default() });
        search.begun = Instant::now().checked_sub(hour).unwrap();
        search.allotment = Allotment { soft: Some(hour / 2), hard: Some(hour) };
        assert!(search.may_deepen());
        search.ponder_hit().unwrap().hit(Instant::now());
        assert!(!search.must_stop() && !search.may_deepen());
        search.allotment = Allotment { soft: Some(hour), hard: Some(hour) };
        assert!(search.may_deepen(), "a time for the move is used up after the hit");
    }
}
