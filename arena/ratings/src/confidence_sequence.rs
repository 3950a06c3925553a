//! A confidence interval for the score that is valid at any time, however often one looks and whenever one stops.
//! Pairs are added one by one; no model of them is needed.
//!
//! It is the hedged betting confidence sequence (I. Waudby-Smith and A. Ramdas, *Estimating means of bounded random
//! variables by betting*, JRSS B 86, 2024): for every score m, one gambler bets that the true score is higher, another
//! one that it is lower. If m is the true score, neither becomes rich; if one does, m is excluded.

use super::confidence::Confidence;

/// The resolution of scores: cells of 0.001.
const CELLS: usize = 1000;

/// The pairs so far, and the scores that are still possible.
#[derive(Clone, Debug)]
pub struct ConfidenceSequence {
    alpha: f64,
    n_pairs: u64,
    sum: f64,
    /// Σ (x_i - μ̂_i)², where μ̂_i is the mean up to x_i, a half added.
    squares: f64,
    /// The scores that are still possible, ascending. They form an interval.
    possible: Vec<Wealth>,
    /// The wealth at a score of one half: the evidence against equality.
    level: Wealth,
}

/// The log wealth of the two gamblers who bet against one score.
#[derive(Clone, Copy, Debug)]
struct Wealth {
    score: f64,
    /// Of the gambler who bets that the true score is higher.
    higher: f64,
    /// Of the gambler who bets that it is lower.
    lower: f64,
}

impl ConfidenceSequence {
    /// A sequence without pairs. All its intervals together are correct with the probability `confidence`.
    pub fn new(confidence: Confidence) -> Self {
        Self {
            alpha: 1.0 - confidence.fraction(),
            n_pairs: 0,
            sum: 0.0,
            squares: 0.0,
            possible: (0..CELLS).map(|cell| Wealth::new((cell as f64 + 0.5) / CELLS as f64)).collect(),
            level: Wealth::new(0.5),
        }
    }

    /// Adds the next pair: the score of the first engine, 0 to 1.
    ///
    /// # Panics
    /// If `score` is not between 0 and 1.
    pub fn add(&mut self, score: f64) {
        assert!((0.0..=1.0).contains(&score), "a pair's score is from 0 to 1");
        // The stake may depend on earlier pairs, but not on this one.
        let time = self.n_pairs as f64 + 1.0;
        let variance = (0.25 + self.squares) / time;
        let stake = (2.0 * (2.0 / self.alpha).ln() / (variance * time * time.ln_1p())).sqrt();
        self.level.bet(stake, score);
        for wealth in &mut self.possible {
            wealth.bet(stake, score);
        }
        let ruin = (2.0 / self.alpha).ln();
        self.possible.retain(|wealth| wealth.higher.max(wealth.lower) < ruin);
        self.n_pairs += 1;
        self.sum += score;
        let mean = (0.5 + self.sum) / (time + 1.0);
        self.squares += (score - mean).powi(2);
    }

    /// The interval of scores that are still possible, 0 to 1, rounded to cells. `None` if no score is left: this
    /// happens with a probability of at most 1 - confidence, or if the strength of an engine changed.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let (first, last) = (self.possible.first()?, self.possible.last()?);
        let half_cell = 0.5 / CELLS as f64;
        Some([first.score - half_cell, last.score + half_cell])
    }

    /// The evidence that the first engine is stronger: an e-value. If it is not stronger, the probability that this
    /// value ever reaches x is at most 1/x; so 20 corresponds to p = 0.05, at any time.
    pub fn evidence_stronger(&self) -> f64 {
        self.level.higher.exp()
    }

    /// The evidence that the first engine is weaker: an e-value.
    pub fn evidence_weaker(&self) -> f64 {
        self.level.lower.exp()
    }
}

impl Wealth {
    const fn new(score: f64) -> Self {
        Self { score, higher: 0.0, lower: 0.0 }
    }

    /// Both gamblers bet on a pair. Neither stakes more than half of what it can lose.
    fn bet(&mut self, stake: f64, pair_score: f64) {
        let surplus = pair_score - self.score;
        self.higher += (stake.min(0.5 / self.score) * surplus).ln_1p();
        self.lower += (-stake.min(0.5 / (1.0 - self.score)) * surplus).ln_1p();
    }
}
