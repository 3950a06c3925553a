//! A limit on how often something happens, for all visitors together.

use std::sync::Mutex;
use std::time::Instant;

/// Allows a number of requests at once, and a number per second.
#[derive(Debug)]
pub struct Rate {
    per_second: f64,
    /// The number that may happen now, and when it was counted.
    left: Mutex<(f64, Instant)>,
}

impl Rate {
    /// So many requests in each second; twice as many at once.
    pub fn per_second(per_second: f64) -> Self {
        Self { per_second, left: Mutex::new((2.0 * per_second, Instant::now())) }
    }

    /// Whether one more may happen now.
    pub fn takes_one(&self) -> bool {
        let now = Instant::now();
        let mut left = self.left.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let earned = self.per_second * now.saturating_duration_since(left.1).as_secs_f64();
        *left = ((left.0 + earned).min(2.0 * self.per_second), now);
        if left.0 < 1.0 {
            return false;
        }
        left.0 -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_at_once_and_no_more() {
        // The test is over before another one is earned.
        let rate = Rate { per_second: 1e-9, left: Mutex::new((3.0, Instant::now())) };
        // More than are ever kept are not taken over.
        assert!(!rate.takes_one());
        let rate = Rate::per_second(2.0);
        assert_eq!((0..4).filter(|_| rate.takes_one()).count(), 4);
    }
}
