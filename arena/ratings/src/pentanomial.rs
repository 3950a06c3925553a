//! Counts of pairs by the results of both matches, from the view of one engine, and their moments.

use serde::Serialize;

/// The result of a match for one engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EngineResult {
    /// It lost.
    Loss,
    /// A draw.
    Draw,
    /// It won.
    Win,
}

/// The results of the two matches of a pair for one engine, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairOutcome {
    /// Two losses.
    LossLoss,
    /// A loss and a draw.
    LossDraw,
    /// Two draws.
    DrawDraw,
    /// A win and a loss: usually the opening or the side decided.
    WinLoss,
    /// A win and a draw.
    WinDraw,
    /// Two wins.
    WinWin,
}

/// Counts of pairs by outcome, from the view of one engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial {
    /// Two losses.
    pub ll: u64,
    /// A loss and a draw.
    pub ld: u64,
    /// Two draws.
    pub dd: u64,
    /// A win and a loss.
    pub wl: u64,
    /// A win and a draw.
    pub wd: u64,
    /// Two wins.
    pub ww: u64,
}

/// The possible scores of a pair: points divided by 2.
pub(super) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Mean and variance of scores. The variance is divided by the number of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moments {
    pub mean: f64,
    pub variance: f64,
}

impl EngineResult {
    /// The result from the opponent's view.
    #[must_use]
    pub const fn swapped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl PairOutcome {
    /// The outcome of a pair with the results `one` and `other`, in any order.
    pub fn of(one: EngineResult, other: EngineResult) -> Self {
        use EngineResult::{Draw, Loss, Win};
        match (one.min(other), one.max(other)) {
            (Loss, Loss) => Self::LossLoss,
            (Loss, Draw) => Self::LossDraw,
            (Loss, Win) => Self::WinLoss,
            (Draw, Draw) => Self::DrawDraw,
            (Win, Win) => Self::WinWin,
            // The smaller comes first, so these are a draw and a win.
            (Draw | Win, _) => Self::WinDraw,
        }
    }

    /// The score: points divided by 2, so 0, 0.25, 0.5, 0.75 or 1.
    pub const fn score(self) -> f64 {
        match self {
            Self::LossLoss => 0.0,
            Self::LossDraw => 0.25,
            Self::DrawDraw | Self::WinLoss => 0.5,
            Self::WinDraw => 0.75,
            Self::WinWin => 1.0,
        }
    }
}

impl Pentanomial {
    /// Counts one pair.
    pub fn count(&mut self, outcome: PairOutcome) {
        let counter = match outcome {
            PairOutcome::LossLoss => &mut self.ll,
            PairOutcome::LossDraw => &mut self.ld,
            PairOutcome::DrawDraw => &mut self.dd,
            PairOutcome::WinLoss => &mut self.wl,
            PairOutcome::WinDraw => &mut self.wd,
            PairOutcome::WinWin => &mut self.ww,
        };
        *counter += 1;
    }

    /// The number of pairs in which one engine scored more than the other.
    pub fn decided(&self) -> u64 {
        self.pairs() - self.dd - self.wl
    }

    /// Adds the pairs of `other`.
    pub(super) fn add(&mut self, other: Self) {
        self.ll += other.ll;
        self.ld += other.ld;
        self.dd += other.dd;
        self.wl += other.wl;
        self.wd += other.wd;
        self.ww += other.ww;
    }

    /// The number of pairs.
    pub const fn pairs(&self) -> u64 {
        self.ll + self.ld + self.dd + self.wl + self.wd + self.ww
    }

    /// The same pairs from the opponent's view.
    #[must_use]
    pub const fn swapped(&self) -> Self {
        Self { ll: self.ww, ld: self.wd, dd: self.dd, wl: self.wl, wd: self.ld, ww: self.ll }
    }

    /// The mean score of the pairs, 0 to 1; NaN without pairs.
    pub fn mean_score(&self) -> f64 {
        Moments::of(&PAIR_SCORES.into_iter().zip(self.by_score())).mean
    }

    /// The number of pairs with each score: 0, 0.25, 0.5, 0.75, 1.
    pub(super) fn by_score(&self) -> [f64; 5] {
        [self.ll, self.ld, self.dd + self.wl, self.wd, self.ww].map(|count| count as f64)
    }
}

impl Moments {
    /// The moments of scores with their numbers, which may be fractions, and must not all be 0.
    pub(super) fn of(scores: &(impl Iterator<Item = (f64, f64)> + Clone)) -> Self {
        let sum_of = |value: &dyn Fn(f64) -> f64| -> f64 {
            scores.clone().map(|(score, count)| count * value(score)).sum()
        };
        let total = sum_of(&|_| 1.0);
        let mean = sum_of(&|score| score) / total;
        let variance = sum_of(&|score| (score - mean).powi(2)) / total;
        Self { mean, variance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EngineResult::{Draw, Loss, Win};

    #[test]
    fn the_order_of_the_matches_does_not_matter() {
        let cases = [
            (Loss, Loss, PairOutcome::LossLoss, 0.0),
            (Loss, Draw, PairOutcome::LossDraw, 0.25),
            (Draw, Draw, PairOutcome::DrawDraw, 0.5),
            (Loss, Win, PairOutcome::WinLoss, 0.5),
            (Draw, Win, PairOutcome::WinDraw, 0.75),
            (Win, Win, PairOutcome::WinWin, 1.0),
        ];
        for (one, other, outcome, score) in cases {
            assert_eq!(PairOutcome::of(one, other), outcome);
            assert_eq!(PairOutcome::of(other, one), outcome);
            assert!((outcome.score() - score).abs() < 1e-15);
            let swapped = PairOutcome::of(one.swapped(), other.swapped());
            assert!((swapped.score() - (1.0 - score)).abs() < 1e-15);
        }
    }

    #[test]
    fn counts_and_moments() {
        let mut pairs = Pentanomial::default();
        for outcome in
            [PairOutcome::WinWin, PairOutcome::WinLoss, PairOutcome::DrawDraw, PairOutcome::LossDraw]
        {
            pairs.count(outcome);
        }
        assert_eq!(pairs, Pentanomial { ld: 1, dd: 1, wl: 1, ww: 1, ..Pentanomial::default() });
        assert_eq!(pairs.pairs(), 4);
        assert_eq!(pairs.swapped().swapped(), pairs);
        let moments = Moments::of(&PAIR_SCORES.into_iter().zip(pairs.by_score()));
        assert!((moments.mean - 0.5625).abs() < 1e-15);
        assert!((moments.variance - 0.074_218_75).abs() < 1e-15);
    }
}
