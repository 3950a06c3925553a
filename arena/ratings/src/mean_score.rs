//! The score over several games if each counts the same, independent of its number of pairs.

use super::confidence::Confidence;
use super::head_to_head::{Interval, regularized};
use super::scores::Scores;

/// The mean of the games' scores with its interval, 0 to 1. Games without pairs do not count; `None` without any pair.
///
/// Each game's variance includes its pseudo-pair, so that it is never 0; the degrees of freedom are F. E.
/// Satterthwaite's (*An approximate distribution of estimates of variance components*, Biometrics Bulletin 2, 1946).
pub(super) fn mean_score(games: &[Scores], confidence: Confidence) -> Option<Interval> {
    let games: Vec<&Scores> = games.iter().filter(|scores| scores.n() != 0.0).collect();
    if games.is_empty() {
        return None;
    }
    let share = 1.0 / games.len() as f64;
    let (mut value, mut variance, mut squares_by_freedom) = (0.0, 0.0, 0.0);
    for scores in games {
        let (moments, total) = regularized(scores);
        let part = share * share * moments.variance / total;
        value += share * scores.moments().mean;
        variance += part;
        squares_by_freedom += part * part / (total - 1.0);
    }
    let freedom = variance * variance / squares_by_freedom;
    let half_width = confidence.half_width(freedom) * variance.sqrt();
    // The sum of shares may exceed 1 because of rounding.
    let value = value.min(1.0);
    Some(Interval { value, low: (value - half_width).max(0.0), high: (value + half_width).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pentanomial::{Moments, PAIR_SCORES, Pentanomial};

    fn scores(counts: [u64; 5]) -> Scores {
        let [ll, ld, wl, wd, ww] = counts;
        Scores::of_pairs(&Pentanomial { ll, ld, dd: 0, wl, wd, ww })
    }

    #[test]
    fn every_game_counts_the_same() {
        let mean = |games: &[[u64; 2]]| {
            let games: Vec<_> = games.iter().map(|&[lost, won]| scores([lost, 0, 0, 0, won])).collect();
            mean_score(&games, Confidence::default())
        };
        let swapped = mean(&[[700, 300], [4, 6]]).unwrap();
        assert_eq!(mean(&[[0; 2]]), None);
        let mean = mean(&[[300, 700], [6, 4], [0; 2]]).unwrap();
        assert!((mean.value - 0.55).abs() < 1e-12, "{mean:?}");
        assert!(mean.low < 0.4 && 0.65 < mean.high, "the few pairs decide the error: {mean:?}");
        assert!((swapped.low + mean.high - 1.0).abs() < 1e-12);
    }

    #[test]
    fn perfect_games_stay_between_0_and_1() {
        let mean = mean_score(&[0; 5].map(|_| scores([0, 0, 0, 0, 40])), Confidence::default()).unwrap();
        assert!(mean.low < 1.0 && 1.0 - 1e-12 < mean.value && mean.high <= 1.0, "{mean:?}");
    }

    /// Five games, most of them with few pairs, 2000 times: at least 94 % of the intervals contain the true mean.
    #[test]
    fn the_interval_holds_with_few_pairs() {
        use chacha20::ChaCha8Rng;
        use chacha20::rand_core::{Rng, SeedableRng};
        let chances = [[0.05, 0.1, 0.35, 0.2, 0.3], [0.0, 0.05, 0.15, 0.2, 0.6], [0.2, 0.2, 0.2, 0.2, 0.2]];
        let games = [(0, 4), (1, 4), (1, 8), (2, 15), (0, 60)];
        let truth: f64 = games
            .iter()
            .map(|&(kind, _)| 0.2 * Moments::of(&PAIR_SCORES.into_iter().zip(chances[kind])).mean)
            .sum();
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut n_held = 0;
        for _ in 0..2000 {
            let played = games.map(|(kind, n_pairs)| {
                let mut counts = [0; 5];
                for _ in 0..n_pairs {
                    let mut left = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                    let is_it = |chance: &f64| {
                        left -= chance;
                        left < 0.0
                    };
                    counts[chances[kind].iter().position(is_it).unwrap_or(4)] += 1;
                }
                scores(counts)
            });
            let mean = mean_score(&played, Confidence::default()).unwrap();
            n_held += u32::from((mean.low..=mean.high).contains(&truth));
        }
        assert!(1880 <= n_held, "{n_held} of 2000");
    }
}
