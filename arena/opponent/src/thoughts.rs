//! What engines think while they are to move, for whoever watches: of each side of a match, the last line about its best move.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine_proto::Side;

use super::search_reports::SearchReports;
use model::referee::SearchInfo;

/// The engines that think, by match and side; clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Thoughts(Arc<Mutex<BTreeMap<(u32, Side), String>>>);

/// Where one engine says what it thinks.
#[derive(Clone, Debug)]
pub struct Thinking {
    of_all: Thoughts,
    key: (u32, Side),
}

impl Thoughts {
    /// Where the engine of this side of a match says what it thinks.
    pub fn of(&self, number: u32, side: Side) -> Thinking {
        Thinking { of_all: self.clone(), key: (number, side) }
    }

    /// What the engine of this side of a match has reported of its search; `None` if it has reported nothing, or does not search.
    pub fn now(&self, number: u32, side: Side) -> Option<SearchInfo> {
        let line = self.lock().get(&(number, side)).filter(|line| !line.is_empty())?.clone();
        Some(SearchReports::of_line(line).into_info())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(u32, Side), String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Thinking {
    /// The engine has reported this line about its best move.
    pub fn say(&self, line: &str) {
        let mut all = self.of_all.lock();
        let known = all.entry(self.key).or_default();
        known.clear();
        known.push_str(line);
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.of_all.lock().remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thought_ends_with_the_search_and_with_the_match() {
        let thoughts = Thoughts::default();
        let depth = |side| thoughts.now(3, side).map(|info| info.depth);
        let white = thoughts.of(3, Side::White);
        assert_eq!(depth(Side::White), None);
        white.say("info depth 2 score cp 5 pv a1a2");
        white.say("info depth 3 score cp 7 pv a1a2 b1b2");
        assert_eq!((depth(Side::White), depth(Side::Black)), (Some(Some(3)), None));
        white.say("");
        assert_eq!(depth(Side::White), None);
        white.say("info depth 1");
        drop(white);
        assert_eq!(depth(Side::White), None);
    }
}
