//! A confidence interval for the score that is valid at any time, however often one looks and whenever one stops.
//! Pairs are added one by one; no model of them is needed.
//!
//! It is the hedged betting confidence sequence (I. Waudby-Smith and A. Ramdas, *Estimating means of bounded random
//! variables by betting*, JRSS B 86, 2024): for every score m, one gambler bets that the true score is higher, another
//! one that it is lower. If m is the true score, neither becomes rich; if one does, m is excluded.

use std::fmt;

use serde::Serialize;

use super::confidence::Confidence;

/// The resolution of scores: cells of 0.001.
const CELLS: usize = 1000;

/// The pairs so far, and the scores that are still possible.
#[derive(Clone, Debug)]
pub struct ConfidenceSequence {
    pairs: Vec<f64>,
    stakes: Stakes,
    /// The scores that are still possible, ascending. They form an interval.
    possible: Vec<Wealth>,
    /// The wealth at a score of one half: the evidence against equality.
    level: Wealth,
}

/// How much is staked on the next pair.
#[derive(Clone, Copy, Debug)]
struct Stakes {
    alpha: f64,
    n_pairs: u64,
    sum: f64,
    /// Σ (x_i - μ̂_i)², where μ̂_i is the mean up to x_i, a half added.
    squares: f64,
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
            pairs: Vec::new(),
            stakes: Stakes::new(1.0 - confidence.fraction()),
            possible: (0..CELLS).map(Wealth::of_cell).collect(),
            level: Wealth::new(0.5),
        }
    }

    /// Adds the next pair: the score of the first engine, 0 to 1.
    ///
    /// # Panics
    /// If `score` is not between 0 and 1.
    pub fn add(&mut self, score: f64) {
        assert!((0.0..=1.0).contains(&score), "a pair's score is from 0 to 1");
        let stake = self.stakes.before(score);
        self.level.bet(stake, score);
        for wealth in &mut self.possible {
            wealth.bet(stake, score);
        }
        let ruin = self.stakes.ruin();
        self.possible.retain(|wealth| wealth.higher.max(wealth.lower) < ruin);
        self.pairs.push(score);
    }

    /// The interval of scores that are still possible, 0 to 1, rounded to cells. `None` if no score is left: this
    /// happens with a probability of at most 1 - confidence, or if the strength of an engine changed.
    pub fn interval(&self) -> Option<[f64; 2]> {
        Some(ends([self.possible.first()?.score, self.possible.last()?.score]))
    }

    /// What to report. As long as nothing changes, that is [`Self::interval`], which contains the mean score. If it does not, it is that the
    /// results have changed, with the interval of all pairs without those of earlier looks, which is valid, too, and is extended to the mean.
    pub fn found(&self) -> Found {
        let mean = if self.pairs.is_empty() { 0.5 } else { self.stakes.sum / self.pairs.len() as f64 };
        let earlier = self.interval();
        if earlier.is_some_and(|[low, high]| low <= mean && mean <= high) {
            return Found { score: earlier, change: None };
        }
        let score = self.interval_now().map(|[low, high]| [low.min(mean), high.max(mean)]);
        Found { score, change: Some(Change { earlier, mean }) }
    }

    /// The scores that are possible now, whatever was possible earlier.
    fn interval_now(&self) -> Option<[f64; 2]> {
        let ruin = self.stakes.ruin();
        let cells: Vec<usize> = (0..CELLS).collect();
        // The higher a score, the poorer is who bets that the true one is higher, and the richer the other one.
        let start = cells.partition_point(|&cell| ruin <= self.wealth_of(cell).higher);
        let end = cells.partition_point(|&cell| self.wealth_of(cell).lower < ruin);
        (start < end).then(|| ends([start, end - 1].map(|cell| Wealth::of_cell(cell).score)))
    }

    fn wealth_of(&self, cell: usize) -> Wealth {
        let (mut wealth, mut stakes) = (Wealth::of_cell(cell), Stakes::new(self.stakes.alpha));
        for &score in &self.pairs {
            wealth.bet(stakes.before(score), score);
        }
        wealth
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

/// The interval from the first to the last of these cells.
fn ends([first, last]: [f64; 2]) -> [f64; 2] {
    let half_cell = 0.5 / CELLS as f64;
    [first - half_cell, last + half_cell]
}

/// The interval to report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The scores, 0 to 1. `None` if the pairs contradict every score.
    pub score: Option<[f64; 2]>,
    /// Whether later pairs contradict earlier ones.
    pub change: Option<Change>,
}

/// Results that changed while the pairs were played. As long as the engines and the machine stay what they are, this happens with a
/// probability of at most 1 - confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The scores that earlier pairs left. `None` if later pairs leave none of them.
    pub earlier: Option<[f64; 2]>,
    /// The mean score of all pairs.
    pub mean: f64,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the results changed meanwhile: ")?;
        let mean = 100.0 * self.mean;
        match self.earlier.map(|ends| ends.map(|end| 100.0 * end)) {
            Some([low, high]) => {
                write!(
                    f,
                    "earlier pairs leave a score of {low:.1} to {high:.1} %, all pairs have {mean:.1} %"
                )
            }
            None => f.write_str("no score fits both earlier and later pairs"),
        }?;
        f.write_str("; perhaps the machine was busy, or a program is another one now")
    }
}

impl Stakes {
    const fn new(alpha: f64) -> Self {
        Self { alpha, n_pairs: 0, sum: 0.0, squares: 0.0 }
    }

    /// The stake on a pair, which depends on earlier pairs, but not on this one.
    fn before(&mut self, score: f64) -> f64 {
        let time = self.n_pairs as f64 + 1.0;
        let variance = (0.25 + self.squares) / time;
        let stake = (2.0 * self.ruin() / (variance * time * time.ln_1p())).sqrt();
        self.n_pairs += 1;
        self.sum += score;
        let mean = (0.5 + self.sum) / (time + 1.0);
        self.squares += (score - mean).powi(2);
        stake
    }

    /// From this log wealth of one of them on, a score is excluded.
    fn ruin(&self) -> f64 {
        (2.0 / self.alpha).ln()
    }
}

impl Wealth {
    fn of_cell(cell: usize) -> Self {
        Self::new((cell as f64 + 0.5) / CELLS as f64)
    }

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
