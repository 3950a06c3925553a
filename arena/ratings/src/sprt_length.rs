//! The expected length of a sequential test, computed by an approximation before any match is played.

use super::scale::ELO_PER_UNIT;
use super::sprt::{DEFAULT_BATCH_PAIRS, EloModel, Hypotheses};

/// The standard deviation of a pair's score if both matches are decided and independent. Pairs with draws, or whose
/// opening decides both matches, have a smaller one.
const MOST_DEVIATION: f64 = 0.353_553_390_593_273_8;

/// The mean distance of a random walk beyond a bound at its end, in standard deviations of a step (D. Siegmund,
/// *Sequential Analysis*, 1985).
const OVERSHOOT: f64 = 0.583;

/// The approximate number of pairs of a test of `hypotheses` if the true difference is `elo`, on the scale of its
/// model. For the logistic model it is an upper bound, for pairs of decided, independent matches.
///
/// The log likelihood ratio is approximated by a Brownian motion between two bounds (A. Wald, *Sequential Analysis*,
/// 1947): with effects t in standard deviations of a pair's score, its drift is (t1 - t0)(t - (t0 + t1)/2) per pair,
/// and its variance (t1 - t0)².
pub fn expected_pairs(hypotheses: &Hypotheses, elo: f64) -> f64 {
    let [null, alternative] = hypotheses.elo().map(|elo| effect(hypotheses.model(), elo));
    let truth = effect(hypotheses.model(), elo);
    let step = alternative - null;
    // A test that checks only after whole batches ends beyond its bounds.
    let beyond = OVERSHOOT * step * (DEFAULT_BATCH_PAIRS as f64).sqrt();
    let [lower, upper] = hypotheses.bounds();
    let [lower, upper] = [lower - beyond, upper + beyond];
    let drift = step * (truth - 0.5 * (null + alternative));
    let variance = step * step;
    // Near a drift of zero, the formula below divides zero by zero.
    if (2.0 * drift / variance * upper.max(-lower)).abs() < 1e-6 {
        return -lower * upper / variance;
    }
    let exponent = -2.0 * drift / variance;
    let up = ((exponent * lower).exp() - 1.0) / ((exponent * lower).exp() - (exponent * upper).exp());
    (up * upper + (1.0 - up) * lower) / drift
}

/// A difference in standard deviations of a pair's score.
fn effect(model: EloModel, elo: f64) -> f64 {
    match model {
        EloModel::Normalized => 2f64.sqrt() * elo / (2.0 * ELO_PER_UNIT),
        EloModel::Logistic => (1.0 / (1.0 + (-elo / ELO_PER_UNIT).exp()) - 0.5) / MOST_DEVIATION,
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::pentanomial::{EngineResult, PairOutcome};
    use crate::sprt::{DEFAULT_BATCH_PAIRS, Sprt, SprtVerdict};

    #[test]
    fn tests_take_about_as_long_as_expected() {
        let hypotheses = Hypotheses::new(EloModel::Logistic, 0.0, 40.0, 0.05, 0.05).unwrap();
        let mut generator = ChaCha8Rng::seed_from_u64(5);
        for elo in [0.0, 20.0, 40.0] {
            let score = 1.0 / (1.0 + (-elo / ELO_PER_UNIT).exp());
            let mut result = || {
                let draw = generator.next_u64() as f64 / u64::MAX as f64;
                if draw < score { EngineResult::Win } else { EngineResult::Loss }
            };
            let n_tests = 300;
            let mut n_pairs = 0;
            for _ in 0..n_tests {
                let mut test = Sprt::new(hypotheses, DEFAULT_BATCH_PAIRS);
                while test.add(PairOutcome::of(result(), result())) == SprtVerdict::Undecided {}
                n_pairs += test.decision().unwrap().pairs;
            }
            let mean = n_pairs as f64 / f64::from(n_tests);
            let expected = expected_pairs(&hypotheses, elo);
            assert!((mean / expected - 1.0).abs() < 0.15, "{elo}: {mean} {expected}");
        }
    }

    #[test]
    fn halfway_is_the_limit_of_its_neighbours() {
        let hypotheses = Hypotheses::new(EloModel::Normalized, 0.0, 5.0, 0.05, 0.05).unwrap();
        let [below, at, above] = [2.499, 2.5, 2.501].map(|elo| expected_pairs(&hypotheses, elo));
        assert!((below / at - 1.0).abs() < 1e-3 && (above / at - 1.0).abs() < 1e-3, "{below} {at} {above}");
    }
}
