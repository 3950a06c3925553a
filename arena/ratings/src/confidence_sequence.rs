//! An interval for the score that holds at all times at once, however often one looks and whenever one stops. Told of
//! pairs one by one; needs no model of them.
//!
//! It is the hedged betting confidence sequence (I. Waudby-Smith and A. Ramdas, *Estimating means of bounded random
//! variables by betting*, JRSS B 86, 2024): for every score m a gambler bets that the true one is higher, another that it
//! is lower. If m is true, neither grows rich; once they do, m is out.

use super::confidence::Confidence;

/// How finely scores are told apart: in cells of 0.001.
const CELLS: usize = 1000;

/// The pairs so far, and the scores that they leave possible.
#[derive(Clone, Debug)]
pub struct ConfidenceSequence {
    alpha: f64,
    n_pairs: u64,
    sum: f64,
    /// Σ (x_i - μ̂_i)², where μ̂_i is the mean up to x_i, a half added.
    squares: f64,
    /// The scores that are still possible, ascending; those between the first and the last one are too.
    possible: Vec<Wealth>,
    /// The wealth at a score of one half: what speaks against equality.
    level: Wealth,
}

/// The logarithms of what two gamblers have who bet against one score.
#[derive(Clone, Copy, Debug)]
struct Wealth {
    score: f64,
    /// Of the one who bets that the true score is higher.
    higher: f64,
    /// Of the one who bets that it is lower.
    lower: f64,
}

impl ConfidenceSequence {
    /// A sequence without pairs whose intervals hold, all of them together, with `confidence`.
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

    /// Adds the next pair, by its score for the first engine: 0 to 1.
    ///
    /// # Panics
    /// If `score` isn't from 0 to 1.
    pub fn add(&mut self, score: f64) {
        assert!((0.0..=1.0).contains(&score), "a pair's score is from 0 to 1");
        // The stake may depend on the pairs before, never on this one.
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

    /// The scores that all looks so far have left possible, 0 to 1, to the cell. None if nothing is left: that happens
    /// with a chance of 1 - confidence at most, or if the engines' strength changed on the way.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let (first, last) = (self.possible.first()?, self.possible.last()?);
        let half_cell = 0.5 / CELLS as f64;
        Some([first.score - half_cell, last.score + half_cell])
    }

    /// The evidence that the first engine is the stronger one: an e-value. If it isn't, the chance that this ever reaches
    /// some number is at most 1 in that number; 20 is like p = 0.05, at whatever time it is looked at.
    pub fn evidence_stronger(&self) -> f64 {
        self.level.higher.exp()
    }

    /// The same evidence that the first engine is the weaker one.
    pub fn evidence_weaker(&self) -> f64 {
        self.level.lower.exp()
    }
}

impl Wealth {
    const fn new(score: f64) -> Self {
        Self { score, higher: 0.0, lower: 0.0 }
    }

    /// Both bet on a pair; neither ever stakes more than half of what can be lost.
    fn bet(&mut self, stake: f64, pair_score: f64) {
        let surplus = pair_score - self.score;
        self.higher += (stake.min(0.5 / self.score) * surplus).ln_1p();
        self.lower += (-stake.min(0.5 / (1.0 - self.score)) * surplus).ln_1p();
    }
}
