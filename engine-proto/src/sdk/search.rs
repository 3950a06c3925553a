//! One search from the engine's view: its limits, when to stop, and where to report.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Allotment;
use crate::Side;
use crate::proto::{Info, Limits};

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
    report: Box<dyn Fn(&Info) + Send + Sync>,
}

impl Search {
    /// A search that starts now and does not report. Clocks are used as for the side that moves first, without
    /// overhead; see [`Search::with_allotment`].
    pub fn with(limits: Limits) -> Self {
        Self {
            allotment: Allotment::new(&limits, Side::White, Duration::ZERO),
            limits,
            begun: Instant::now(),
            stop: Stop::default(),
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

    /// Whether the engine must return now: the arena sent `stop`, or the time is up. This reads the clock, so call it
    /// every few hundred positions, not at each one.
    pub fn must_stop(&self) -> bool {
        self.stop.is_raised() || self.allotment.hard.is_some_and(|hard| hard <= self.begun.elapsed())
    }

    /// Whether to start another, deeper iteration: enough time is left that it may finish.
    pub fn may_deepen(&self) -> bool {
        self.may_deepen_within(1.0)
    }

    /// Like [`Search::may_deepen`], for an engine that estimates how sure it is of its move: it uses `share` of the
    /// usual time for a move, where 1.0 is all of it. The hard limit always applies, and `movetime` is always used up.
    pub fn may_deepen_within(&self, share: f64) -> bool {
        let Allotment { soft, hard } = self.allotment;
        let soft = if soft < hard { soft.map(|soft| soft.mul_f64(share.max(0.0))) } else { soft };
        !self.must_stop() && soft.is_none_or(|soft| self.begun.elapsed() < soft)
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
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("limits", &self.limits).finish_non_exhaustive()
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
}
