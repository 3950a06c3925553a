//! A number for every engine of a pool, also for those that won or lost everything: a fit with a little of a match added to
//! every pairing. It gives no intervals; bounds are computed in [`super::perfect`].

use super::fit::{Counts, Fit};
use super::results::Pairing;
use super::scale::Scale;

/// The estimates of `engines`, all of one pool and ascending, in Elo relative to their mean.
///
/// Every pairing {a, b} that was played gets ½ (1/deg a + 1/deg b) pseudo-matches, deg being the number of different
/// opponents, so that each engine gets about one. Half of them are won by each engine, with each side. For two engines
/// this is Jeffreys' prior, and it takes the largest part of the bias out of strengths (D. Firth, Biometrika 80, 1993).
pub(super) fn estimates(engines: &[usize], pairings: &[Pairing]) -> Vec<f64> {
    let place = |engine: usize| engines.binary_search(&engine).ok();
    let played: Vec<(usize, usize, &Pairing)> = pairings
        .iter()
        .filter_map(|pairing| Some((place(pairing.first)?, place(pairing.second)?, pairing)))
        .collect();
    let mut opponents = vec![0.0; engines.len()];
    for &(first, second, _) in &played {
        opponents[first] += 1.0;
        opponents[second] += 1.0;
    }
    let mut counts = Vec::with_capacity(2 * played.len());
    for &(first, second, pairing) in &played {
        let pseudo = 0.125 * (1.0 / opponents[first] + 1.0 / opponents[second]);
        let cells = [(first, second, pairing.total.first_white), (second, first, pairing.total.second_white)];
        counts.extend(cells.map(|(white, black, cell)| {
            let counts = Counts::new(white, black, cell);
            Counts { wins: counts.wins + pseudo, losses: counts.losses + pseudo, ..counts }
        }));
    }
    let fit = Fit::of_counts(engines.len(), &counts);
    let scale = Scale::new(fit.davidson.draw);
    let mean = fit.strengths.iter().sum::<f64>() / engines.len() as f64;
    fit.strengths.iter().map(|strength| scale.elo(strength - mean)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MatchResult;
    use crate::results::Outcomes;

    fn pairing(first: usize, second: usize, wins: u32) -> Pairing {
        let mut total = Outcomes::default();
        for _ in 0..wins {
            total.count(true, MatchResult::WhiteWins);
            total.count(false, MatchResult::BlackWins);
        }
        Pairing::of(first, second, total)
    }

    /// Without draws and priors it would be the logarithm of the odds with half a point for each side.
    #[test]
    fn two_engines_have_the_odds_of_half_a_point_more_for_each() {
        for wins in [1, 4, 20] {
            let [first, second] = estimates(&[0, 1], &[pairing(0, 1, wins)])[..] else { panic!() };
            let matches = 2.0 * f64::from(wins);
            let odds = 173.717_8 * ((matches + 0.5) / 0.5).ln();
            assert!((first + second).abs() < 1e-9);
            // The prior and the few draws that it expects shorten the distance a little.
            assert!(first - second < odds && first - second > 0.8 * odds, "{wins}: {first} {odds}");
        }
    }

    #[test]
    fn a_ladder_of_perfect_scores_is_in_order() {
        let ladder = [pairing(3, 5, 2), pairing(5, 9, 2)];
        let [top, middle, bottom] = estimates(&[3, 5, 9], &ladder)[..] else { panic!() };
        assert!(top > middle + 100.0 && middle > bottom + 100.0 && (top + middle + bottom).abs() < 1e-9);
    }
}
