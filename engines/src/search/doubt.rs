//! How uncertain a search is of its move, and how much of the clock's time it should use. It reads no clock.

use super::score::Score;

/// The results of the depths searched so far.
#[derive(Clone, Debug)]
pub struct Doubt<M> {
    best: M,
    score: Score,
    /// The decrease of the score in the last depth.
    drop: Score,
    /// The number of consecutive depths with the same move.
    settled_for: u32,
}

impl<M: Copy + PartialEq> Doubt<M> {
    /// Before any depth.
    pub const fn new(best: M, score: Score) -> Self {
        Self { best, score, drop: 0, settled_for: 0 }
    }

    /// Adds a depth with the best move `best` and its `score`.
    pub fn hear(&mut self, best: M, score: Score) {
        self.settled_for = if best == self.best { self.settled_for + 1 } else { 0 };
        self.drop = self.score - score;
        (self.best, self.score) = (best, score);
    }

    /// The factor for the usual time. With an advantage of `spread`, a side scores 75 %.
    pub fn share_of_time(&self, spread: Score) -> f64 {
        /// By the number of consecutive depths with the same move.
        const BY_SETTLED: [f64; 6] = [1.8, 1.4, 1.1, 0.9, 0.75, 0.65];
        let by_settled = BY_SETTLED[(self.settled_for as usize).min(BY_SETTLED.len() - 1)];
        let lost = f64::from(self.drop) / f64::from(spread);
        by_settled * (1.0 + 2.0 * lost).clamp(0.8, 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_mind_takes_time_and_a_settled_move_saves_it() {
        let mut doubt = Doubt::new('a', 0);
        let shares: Vec<f64> = (0..7)
            .map(|_| {
                doubt.hear('a', 0);
                doubt.share_of_time(200)
            })
            .collect();
        assert!(shares.is_sorted_by(|sooner, later| sooner >= later), "{shares:?}");
        assert!(shares[6] < 1.0);
        doubt.hear('b', 0);
        assert!(1.0 < doubt.share_of_time(200));
    }

    #[test]
    fn a_falling_score_takes_time() {
        let share_after = |score| {
            let mut doubt = Doubt::new('a', 100);
            doubt.hear('a', score);
            doubt.share_of_time(200)
        };
        assert!(share_after(100) < share_after(50));
        assert!(share_after(-30_000) <= share_after(-10_000));
    }
}
