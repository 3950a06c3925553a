//! Scores of pairs. All pairs from one opening count as one, with their mean: engines that repeat their moves say nothing new there, and
//! of engines that vary them, the mean is nearer to the truth than one pair.

use std::collections::HashMap;

use super::pair_sequence::OrderedPair;
use super::pentanomial::{Moments, PAIR_SCORES, Pentanomial};

/// How often each score, 0 to 1, is there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// Each score with its number, which may be a fraction; the lowest score first.
    counts: Vec<(f64, f64)>,
    /// Whether one of them is the mean of several pairs, which vary more.
    pub(super) has_means: bool,
}

impl Scores {
    /// Those of pairs of which each counts.
    pub(super) fn of_pairs(pairs: &Pentanomial) -> Self {
        let mut scores = Self::default();
        PAIR_SCORES.into_iter().zip(pairs.by_score()).for_each(|(score, count)| scores.add(score, count));
        scores
    }

    /// Adds a score so many times.
    pub(super) fn add(&mut self, score: f64, count: f64) {
        match self.counts.binary_search_by(|(known, _)| known.total_cmp(&score)) {
            Ok(place) => self.counts[place].1 += count,
            Err(place) if 0.0 < count => self.counts.insert(place, (score, count)),
            Err(_) => {}
        }
    }

    /// Adds all of `other`.
    pub(super) fn extend(&mut self, other: &Self) {
        other.iter().for_each(|(score, count)| self.add(score, count));
        self.has_means |= other.has_means;
    }

    /// The same from the other engine's view.
    pub(super) fn swapped(&self) -> Self {
        let counts = self.iter().map(|(score, count)| (1.0 - score, count)).rev().collect();
        Self { counts, ..*self }
    }

    /// Each score with its number.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (f64, f64)> + Clone {
        self.counts.iter().copied()
    }

    /// The number of scores.
    pub(super) fn n(&self) -> f64 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// The number of scores above or below one half.
    pub(super) fn decided(&self) -> u64 {
        self.iter().filter(|(score, _)| (score - 0.5).abs() > 1e-9).map(|(_, count)| count as u64).sum()
    }

    /// Their moments; there must be a score.
    pub(super) fn moments(&self) -> Moments {
        Moments::of(&self.iter())
    }
}

/// The scores of openings whose pairs come one by one.
#[derive(Clone, Debug, Default)]
pub struct OpeningScores {
    /// By the hash of the opening.
    places: HashMap<u64, usize>,
    /// The sum of the scores of each opening's pairs, and their number.
    sums: Vec<(f64, f64)>,
}

impl OpeningScores {
    /// Those of these pairs.
    pub fn of(pairs: &[OrderedPair]) -> Self {
        let mut scores = Self::default();
        for pair in pairs {
            scores.count(pair);
        }
        scores
    }

    /// Counts a pair. One without an opening counts by itself.
    pub fn count(&mut self, pair: &OrderedPair) {
        let next = self.sums.len();
        let place = pair.opening.map_or(next, |opening| *self.places.entry(opening).or_insert(next));
        if place == next {
            self.sums.push((0.0, 0.0));
        }
        self.sums[place].0 += pair.outcome.score();
        self.sums[place].1 += 1.0;
    }

    /// The mean score of each opening's pairs.
    pub fn scores(&self) -> Scores {
        let mut scores =
            Scores { has_means: self.sums.iter().any(|(_, n_pairs)| 1.0 < *n_pairs), ..Scores::default() };
        self.sums.iter().for_each(|(sum, n_pairs)| scores.add(sum / n_pairs, 1.0));
        scores
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::pentanomial::PairOutcome::{self, DrawDraw, LossDraw, LossLoss, WinDraw, WinWin};
    use crate::{Confidence, HeadToHead};

    /// 50 openings, each played 10 times, 500 times: at least 93 % of the intervals contain the true score, of engines that repeat their
    /// moves and of those that do not; of the latter, they are at most a third wider than if each pair counts (of as many openings, the pseudo-pair is as much as 10 pairs).
    #[test]
    fn the_interval_holds_where_openings_are_played_again() {
        const CHANCES: [(PairOutcome, f64); 5] =
            [(LossLoss, 0.1), (LossDraw, 0.15), (DrawDraw, 0.3), (WinDraw, 0.25), (WinWin, 0.2)];
        let truth: f64 = CHANCES.iter().map(|(outcome, chance)| chance * outcome.score()).sum();
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut outcome = || {
            let mut left = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            let is_it = |(_, chance): &&(PairOutcome, f64)| {
                left -= chance;
                left < 0.0
            };
            CHANCES.iter().find(is_it).map_or(WinWin, |(outcome, _)| *outcome)
        };
        for repeats in [true, false] {
            let (mut n_held, mut width, mut width_by_pairs) = (0, 0.0, 0.0);
            for _ in 0..500 {
                let (mut openings, mut counts) = (OpeningScores::default(), Pentanomial::default());
                for opening in 0..50 {
                    let first = outcome();
                    for place in 0..10 {
                        let outcome = if repeats { first } else { outcome() };
                        openings.count(&OrderedPair { place, outcome, opening: Some(opening) });
                        counts.count(outcome);
                    }
                }
                let found = HeadToHead::of_scores(&openings.scores(), Confidence::default()).unwrap();
                assert_eq!(found.normalized_elo, None);
                let by_pairs = HeadToHead::new(&counts, Confidence::default()).unwrap().score;
                n_held += u32::from((found.score.low..=found.score.high).contains(&truth));
                width += found.score.high - found.score.low;
                width_by_pairs += by_pairs.high - by_pairs.low;
            }
            assert!(465 <= n_held, "{repeats}: {n_held} of 500");
            assert!(repeats || width < width_by_pairs * 4.0 / 3.0, "{width} {width_by_pairs}");
        }
    }
}
