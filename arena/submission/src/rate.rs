//! Limits on how often somebody may do something.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// So many are remembered at most. Whoever comes in addition has to wait.
const MOST_REMEMBERED: usize = 10_000;

/// Allows each one a number of times at once, and again after a while.
#[derive(Debug)]
pub struct Rate<K> {
    most: u32,
    /// After this time, each may do it once more.
    pause: Duration,
    /// When each has all its times again.
    full_at: HashMap<K, Instant>,
}

impl<K: Hash + Eq> Rate<K> {
    /// `most` times in `period`, for each.
    pub fn new(most: u32, period: Duration) -> Self {
        Self { most, pause: period / most.max(1), full_at: HashMap::new() }
    }

    /// Counts one time of `who`; or returns how long it has to wait.
    pub fn take(&mut self, who: K, now: Instant) -> Result<(), Duration> {
        if MOST_REMEMBERED <= self.full_at.len() {
            self.full_at.retain(|_, full_at| now < *full_at);
            if MOST_REMEMBERED <= self.full_at.len() && !self.full_at.contains_key(&who) {
                return Err(self.pause);
            }
        }
        let full_at = self.full_at.get(&who).map_or(now, |full_at| now.max(*full_at)) + self.pause;
        match (full_at - now).checked_sub(self.pause * self.most) {
            Some(wait) if !wait.is_zero() => Err(wait),
            _ => {
                self.full_at.insert(who, full_at);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_at_once_and_the_next_after_a_pause() {
        let mut rate = Rate::new(3, Duration::from_secs(30));
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        assert!((0..3).all(|_| rate.take("one", at(0)).is_ok()));
        assert_eq!(rate.take("one", at(0)), Err(Duration::from_secs(10)));
        assert_eq!(rate.take("one", at(4)), Err(Duration::from_secs(6)));
        assert_eq!(rate.take("other", at(4)), Ok(()));
        assert_eq!(rate.take("one", at(10)), Ok(()));
        assert_eq!(rate.take("one", at(10)), Err(Duration::from_secs(10)));
        assert!((0..3).all(|_| rate.take("one", at(1000)).is_ok()));
        assert!(rate.take("one", at(1000)).is_err());
    }

    #[test]
    fn strangers_do_not_fill_the_memory() {
        let mut rate = Rate::new(1, Duration::from_secs(60));
        let begun = Instant::now();
        for who in 0..MOST_REMEMBERED + 9 {
            assert_eq!(rate.take(who, begun).is_ok(), who < MOST_REMEMBERED, "{who}");
        }
        assert_eq!(rate.full_at.len(), MOST_REMEMBERED);
        assert!(rate.take(MOST_REMEMBERED, begun + Duration::from_secs(61)).is_ok());
        assert_eq!(rate.full_at.len(), 1);
    }
}
