//! One search as the engine sees it: its limits, when to stop, where to report.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::proto::{Info, Limits};

/// The limits of one search and the way back to the arena. Shared freely between an engine's threads.
pub struct Search {
    limits: Limits,
    begun: Instant,
    /// No new iteration after this much time.
    soft: Option<Duration>,
    /// Stop after this much time.
    hard: Option<Duration>,
    stop: Arc<AtomicBool>,
    report: Box<dyn Fn(&Info) + Send + Sync>,
}

impl Search {
    /// Whether to return at once: the arena said `stop`, or the time is up. It reads the clock: ask every few hundred
    /// positions, not at each.
    pub fn must_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.hard.is_some_and(|hard| hard <= self.begun.elapsed())
    }

    /// Whether another, deeper iteration is worth beginning: there is time enough that it may be finished.
    pub fn may_deepen(&self) -> bool {
        !self.must_stop() && self.soft.is_none_or(|soft| self.begun.elapsed() < soft)
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

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Says how the search goes.
    pub fn report(&self, info: &Info) {
        (self.report)(info);
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("limits", &self.limits).finish_non_exhaustive()
    }
}
