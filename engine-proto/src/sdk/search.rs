//! One search as the engine sees it: its limits, when to stop, where to report.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Allotment;
use crate::Side;
use crate::proto::{Info, Limits};

/// The limits of one search and the way back to the arena. Shared freely between an engine's threads.
///
/// The SDK makes one for every `go`. An engine's own tests make theirs, and listen to it if they wish:
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
    report: Box<dyn Fn(&Info) + Send + Sync>,
}

impl Search {
    /// A search that begins now and reports to nobody. Clocks count as for the side that moves first, and nothing is set
    /// aside for the way to the arena; see [`Search::with_allotment`].
    pub fn with(limits: Limits) -> Self {
        Self {
            allotment: Allotment::new(&limits, Side::White, Duration::ZERO),
            limits,
            begun: Instant::now(),
            stop: Stop::default(),
            report: Box::new(|_| ()),
        }
    }

    /// The same search with other bounds of time.
    #[must_use]
    pub fn with_allotment(mut self, allotment: Allotment) -> Self {
        self.allotment = allotment;
        self
    }

    /// The same search, its reports given to `report`, which may be called from any of the engine's threads.
    #[must_use]
    pub fn reporting_to(mut self, report: impl Fn(&Info) + Send + Sync + 'static) -> Self {
        self.report = Box::new(report);
        self
    }

    /// The same search, begun at `begun`.
    pub(super) const fn begun_at(mut self, begun: Instant) -> Self {
        self.begun = begun;
        self
    }

    /// Whether to return at once: the arena said `stop`, or the time is up. It reads the clock: ask every few hundred
    /// positions, not at each.
    pub fn must_stop(&self) -> bool {
        self.stop.is_raised() || self.allotment.hard.is_some_and(|hard| hard <= self.begun.elapsed())
    }

    /// Whether another, deeper iteration is worth beginning: there is time enough that it may be finished.
    pub fn may_deepen(&self) -> bool {
        self.may_deepen_within(1.0)
    }

    /// The same for an engine that knows how sure it is of its move: of a clock's usual time for a move it takes `share`,
    /// 1.0 being all. More than the hard bound is never taken, and `movetime`, which nothing is saved of, is used up.
    pub fn may_deepen_within(&self, share: f64) -> bool {
        let Allotment { soft, hard } = self.allotment;
        let soft = if soft < hard { soft.map(|soft| soft.mul_f64(share.max(0.0))) } else { soft };
        !self.must_stop() && soft.is_none_or(|soft| self.begun.elapsed() < soft)
    }

    /// The number of positions to search at the most; `u64::MAX` without a limit.
    pub fn node_limit(&self) -> u64 {
        self.limits.nodes.unwrap_or(u64::MAX)
    }

    /// The depth to search at the most, in plies; `u32::MAX` without a limit.
    pub fn depth_limit(&self) -> u32 {
        self.limits.depth.unwrap_or(u32::MAX)
    }

    /// The limits as the arena gave them.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The time that this move may take.
    pub const fn allotment(&self) -> Allotment {
        self.allotment
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Says how the search goes.
    pub fn report(&self, info: &Info) {
        (self.report)(info);
    }

    /// The handle that stops this search: for tests, and for an engine's threads that stop each other.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// A signal that, once raised, stays so. Its clones are one signal.
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
}
