//! How the lead of two engines, and the test of it, went from pair to pair.

use ratings::{
    Confidence, ConfidenceSequence, HeadToHead, OpeningScores, OrderedPair, Pentanomial, Validity,
    elo_of_score,
};
use schedule::stop::TestState;
use serde::Serialize;

/// Fewer pairs are no curve.
const FEWEST_PAIRS: usize = 16;
/// As many as a screen can show.
const MOST_POINTS: usize = 200;

/// The lead of the first of two engines after some numbers of pairs.
#[derive(Debug, Default, Serialize)]
pub struct History {
    /// The numbers of pairs, ascending; the last one is that of all.
    pairs: Vec<usize>,
    /// The leads, in Elo, and the ends of their intervals. Infinite ones are `null`.
    elo: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    /// The log likelihood ratios of the test, as long as it went on, and its bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    llr: Option<(Vec<f64>, [f64; 2])>,
}

impl History {
    /// The history of `pairs`, from the view of `first`, which may be those of a test. `None` if they are too few.
    pub fn new(
        pairs: &[OrderedPair],
        confidence: Confidence,
        validity: Validity,
        first: &str,
        test: Option<&TestState>,
    ) -> Option<Self> {
        if pairs.len() < FEWEST_PAIRS {
            return None;
        }
        let step = pairs.len().div_ceil(MOST_POINTS);
        let mut it = Self { llr: test.map(|test| (Vec::new(), test.bounds)), ..Self::default() };
        let mut sequence = ConfidenceSequence::new(confidence);
        let (mut counts, mut openings, mut points) = (Pentanomial::default(), OpeningScores::default(), 0.0);
        for (idx, pair) in pairs.iter().enumerate() {
            let n_pairs = idx + 1;
            counts.count(pair.outcome);
            openings.count(pair);
            points += pair.outcome.score();
            if validity.is_any_time() {
                sequence.add(pair.outcome.score());
            }
            let is_end = n_pairs == pairs.len() || test.is_some_and(|test| test.n_pairs == n_pairs as u64);
            if n_pairs % step != 0 && !is_end {
                continue;
            }
            let mean = points / n_pairs as f64;
            let score = match validity {
                Validity::FixedSize => HeadToHead::of_scores(&openings.scores(), confidence)
                    .map(|HeadToHead { score, .. }| [score.value, score.low, score.high]),
                Validity::AnyTime | Validity::AnyTimeAll => {
                    sequence.found().score.map(|[low, high]| [mean, low, high])
                }
            };
            let [mean, low, high] = score.unwrap_or([mean, 0.0, 1.0]);
            it.pairs.push(n_pairs);
            it.elo.push(elo_of_score(mean).round());
            it.low.push(elo_of_score(low).round());
            it.high.push(elo_of_score(high).round());
            if let (Some((ratios, _)), Some(test)) = (&mut it.llr, test)
                && n_pairs as u64 <= test.n_pairs
            {
                let seen = if test.engines[0] == first { counts } else { counts.swapped() };
                ratios.push((100.0 * test.hypotheses.log_likelihood_ratio(&seen)).round() / 100.0);
            }
        }
        Some(it)
    }
}

#[cfg(test)]
mod tests {
    use ratings::{EloModel, Hypotheses, PairOutcome, SprtVerdict};

    use super::*;

    /// The first engine wins two of three pairs.
    fn pairs(n_pairs: usize) -> Vec<OrderedPair> {
        let outcomes = [PairOutcome::WinWin, PairOutcome::LossLoss, PairOutcome::WinDraw];
        (0..n_pairs).map(|place| OrderedPair { place, outcome: outcomes[place % 3], opening: None }).collect()
    }

    fn counted(n_pairs: usize) -> Pentanomial {
        let mut counts = Pentanomial::default();
        for pair in pairs(n_pairs) {
            counts.count(pair.outcome);
        }
        counts
    }

    #[test]
    fn a_curve_of_a_fixed_number_ends_with_the_interval_of_all_pairs() {
        let confidence = Confidence::default();
        let history = |n_pairs| History::new(&pairs(n_pairs), confidence, Validity::FixedSize, "one", None);
        assert!(history(FEWEST_PAIRS - 1).is_none());
        for n_pairs in [FEWEST_PAIRS, 401] {
            let it = history(n_pairs).unwrap();
            let found = HeadToHead::new(&counted(n_pairs), confidence).unwrap().elo;
            assert_eq!(it.pairs.last(), Some(&n_pairs));
            assert!(it.pairs.len() <= MOST_POINTS + 1 && it.pairs.is_sorted());
            let ends = [&it.elo, &it.low, &it.high].map(|ends| ends[ends.len() - 1]);
            for (end, of_all) in ends.into_iter().zip([found.value, found.low, found.high]) {
                assert!((end - of_all).abs() <= 0.5, "{end} {of_all}");
            }
            assert!(it.llr.is_none());
        }
    }

    #[test]
    fn the_curve_of_a_test_ends_with_it_and_has_its_view() {
        let hypotheses = Hypotheses::new(EloModel::Normalized, 0.0, 5.0, 0.05, 0.05).unwrap();
        let counts = counted(240);
        for (first, counts) in [("new", counts), ("old", counts.swapped())] {
            let test = TestState {
                engines: ["new".to_owned(), "old".to_owned()],
                limits: None,
                hypotheses,
                verdict: SprtVerdict::Undecided,
                n_pairs: 240,
                next_look: 248,
                elo: None,
                warning: None,
                llr: hypotheses.log_likelihood_ratio(&counts),
                bounds: hypotheses.bounds(),
            };
            let it = History::new(&pairs(601), Confidence::default(), Validity::AnyTime, first, Some(&test));
            let it = it.unwrap();
            let (ratios, _) = it.llr.unwrap();
            assert_eq!(it.pairs[ratios.len() - 1], 240);
            assert!((ratios[ratios.len() - 1] - test.llr).abs() <= 0.005, "{ratios:?}");
            // No pair makes an interval that is valid at any time wider.
            assert!(
                it.low.is_sorted() && it.high.is_sorted_by(|one, next| one >= next),
                "{it:?}",
                it = (it.low, it.high)
            );
        }
    }
}
