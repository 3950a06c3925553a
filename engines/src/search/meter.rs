//! Counts a search's positions and ends it at its limits. It never exceeds the node limit.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use engine_proto::sdk::Search;

/// The limits of one search, shared by its threads.
#[derive(Debug)]
pub struct Budget<'a> {
    search: &'a Search,
    /// The maximum number of positions.
    limit: u64,
    /// The number of positions handed out to threads.
    given: AtomicU64,
    over: AtomicBool,
}

/// One thread's count of positions.
#[derive(Debug)]
pub struct Meter<'a> {
    budget: &'a Budget<'a>,
    /// The number of positions left before the budget is asked again.
    allowance: u64,
    stopped: bool,
}

/// The number of positions handed out at once, so that the clock is read about every millisecond in the slowest game.
const BLOCK: u64 = 64;

impl<'a> Budget<'a> {
    /// The budget for the limits of `search`.
    pub fn new(search: &'a Search) -> Self {
        Self { search, limit: search.node_limit(), given: AtomicU64::new(0), over: AtomicBool::new(false) }
    }

    /// The same budget with at most `nodes` positions.
    #[must_use]
    pub fn at_most(mut self, nodes: u64) -> Self {
        self.limit = self.limit.min(nodes);
        self
    }

    /// The limits and the way to report.
    pub const fn search(&self) -> &'a Search {
        self.search
    }

    /// Ends the search for all threads.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Takes up to [`BLOCK`] positions from the budget; 0 if the search must end.
    fn take(&self) -> u64 {
        if self.over.load(Ordering::Relaxed) || self.search.must_stop() {
            return 0;
        }
        let mut given = self.given.load(Ordering::Relaxed);
        loop {
            let block = BLOCK.min(self.limit.saturating_sub(given));
            match self.given.compare_exchange_weak(given, given + block, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => return block,
                Err(changed) => given = changed,
            }
        }
    }
}

impl<'a> Meter<'a> {
    /// A counter at zero.
    pub const fn new(budget: &'a Budget<'a>) -> Self {
        Self { budget, allowance: 0, stopped: false }
    }

    /// Counts one position. Returns false if the search must end: the position must not be visited then.
    pub fn count(&mut self) -> bool {
        if self.allowance == 0 {
            self.allowance = self.budget.take();
            if self.allowance == 0 {
                self.stopped = true;
                return false;
            }
        }
        self.allowance -= 1;
        true
    }

    /// Whether a position has been refused.
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// The positions visited by all threads, including those that other threads have reserved.
    pub fn nodes(&self) -> u64 {
        self.budget.given.load(Ordering::Relaxed) - self.allowance
    }

    /// The budget that this counts for.
    pub const fn budget(&self) -> &'a Budget<'a> {
        self.budget
    }
}
