//! How much is taken of what others send: a number of messages for each name in each interval. Pure: it is told the time.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// The most names in an interval.
const MOST_NAMES: usize = 10_000;

/// A limit for each name.
#[derive(Debug)]
pub struct Quota {
    most: u32,
    interval: Duration,
    /// When the present interval began.
    begun: Option<Instant>,
    /// The number of messages in this interval, by name.
    counts: HashMap<String, u32>,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is taken.
    Yes,
    /// It is the last one that is taken in this interval.
    Last,
    /// It is left out.
    No,
}

impl Quota {
    /// At most this number of messages of each name in each interval.
    pub fn new(most: u32, interval: Duration) -> Self {
        Self { most, interval, begun: None, counts: HashMap::new() }
    }

    /// Counts a message of `name`.
    pub fn take(&mut self, name: &str, now: Instant) -> Taken {
        if self.begun.is_none_or(|begun| begun + self.interval <= now) {
            self.begun = Some(now);
            self.counts.clear();
        }
        if MOST_NAMES <= self.counts.len() && !self.counts.contains_key(name) {
            return Taken::No;
        }
        let n = self.counts.entry(name.to_owned()).or_default();
        *n = n.saturating_add(1);
        match (*n).cmp(&self.most) {
            std::cmp::Ordering::Less => Taken::Yes,
            std::cmp::Ordering::Equal => Taken::Last,
            std::cmp::Ordering::Greater => Taken::No,
        }
    }

    /// Whether a message of `name` is taken.
    pub fn takes(&mut self, name: &str, now: Instant) -> bool {
        self.take(name, now) != Taken::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_its_own_limit_in_each_interval() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let mut quota = Quota::new(3, second);
        let mut take = |name, at| quota.take(name, at);
        assert_eq!(
            [0; 5].map(|_| take("a", now)),
            [Taken::Yes, Taken::Yes, Taken::Last, Taken::No, Taken::No]
        );
        assert_eq!(take("b", now), Taken::Yes);
        assert_eq!(take("a", now + second), Taken::Yes);
    }

    #[test]
    fn names_are_bounded() {
        let now = Instant::now();
        let mut quota = Quota::new(1, Duration::from_secs(1));
        let n_taken = (0..2 * MOST_NAMES).filter(|idx| quota.takes(&idx.to_string(), now)).count();
        assert_eq!(n_taken, MOST_NAMES);
    }
}
