//! The distribution nearest to the observed one among those that satisfy one condition on a mean.
//!
//! The weights p̂_i of the values u_i are observed. Among all distributions on these values whose mean is 0, the most
//! likely one is p_i = p̂_i / (1 + x u_i), where Σ p_i u_i = 0 (A. B. Owen, *Empirical Likelihood*, 2001, section 2.9).

/// Newton's method needs 4 to 8 steps; bisection, used if it leaves the bracket, about 60.
const MOST_STEPS: usize = 100;

/// The most likely distribution with mean 0 on `values`, given the observed `weights`. All weights must be above 0 and
/// sum to 1. `None` if the values are all on one side of 0, so that no mean is 0.
pub(super) fn with_mean_zero<const N: usize>(weights: &[f64; N], values: &[f64; N]) -> Option<[f64; N]> {
    let x = tilt(weights, values)?;
    Some(std::array::from_fn(|place| weights[place] / (1.0 + x * values[place])))
}

/// The x by which [`with_mean_zero`] changes the weights; `None` as there.
pub(super) fn tilt(weights: &[f64], values: &[f64]) -> Option<f64> {
    let all = || weights.iter().zip(values).map(|(&weight, &value)| [weight, value]);
    let by_value = |[_, one]: &[f64; 2], [_, other]: &[f64; 2]| one.total_cmp(other);
    let (least, most) = (all().min_by(by_value)?, all().max_by(by_value)?);
    // No probability is above 1, so 1 + x u >= p̂. At 1 + x u = 0, a step of Newton's method is as small as at the root.
    let end = |[weight, value]: [f64; 2]| (weight - 1.0) / value;
    (least[1] < 0.0 && 0.0 < most[1]).then(|| root(weights, values, [end(most), end(least)]))
}

/// The x with Σ p̂ u / (1 + x u) = 0, which is between the `ends`. There all probabilities are positive, and the sum decreases.
fn root(weights: &[f64], values: &[f64], ends: [f64; 2]) -> f64 {
    const TOLERANCE: f64 = 4.0 * f64::EPSILON;
    let [mut low, mut high] = ends;
    let mut x = 0.0;
    for _ in 0..MOST_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (weight, value) in weights.iter().zip(values) {
            let share = value / (1.0 + x * value);
            sum += weight * share;
            slope -= weight * share * share;
        }
        if 0.0 < sum {
            low = x;
        } else {
            high = x;
        }
        let newton = x - sum / slope;
        let next = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
        if (next - x).abs() <= TOLERANCE * x.abs() {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_zero_and_the_sum_one() {
        let weights = [0.001, 0.2, 0.5, 0.298, 0.001];
        for target in [0.003, 0.3, 0.5, 0.77, 0.999] {
            let values = [0.0, 0.25, 0.5, 0.75, 1.0].map(|score| score - target);
            let tilted = with_mean_zero(&weights, &values).unwrap();
            let mean: f64 = tilted.iter().zip(values).map(|(weight, value)| weight * value).sum();
            assert!(mean.abs() < 1e-9, "{target}: {mean}");
            assert!((tilted.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{target}");
            assert!(tilted.iter().all(|&weight| 0.0 < weight), "{target}");
        }
    }

    /// The first step of Newton's method leads from 0 to x = -2, where 1 + x u = 0, for the pairs 10, 35, 47, 9 and 1, among others.
    #[test]
    fn no_counts_lead_astray() {
        const MOST: u32 = 6;
        let small = (0..(MOST + 1).pow(5))
            .map(|code| [0, 1, 2, 3, 4].map(|place| code / (MOST + 1).pow(place) % (MOST + 1)));
        for counts in small.chain([[10, 35, 47, 9, 1], [1, 9, 47, 35, 10], [20, 70, 94, 18, 2]]) {
            let counts = counts.map(|count| if count == 0 { 0.001 } else { f64::from(count) });
            let total: f64 = counts.iter().sum();
            for target in [0.5, 0.507, 0.25, 0.8] {
                let values = [0.0, 0.25, 0.5, 0.75, 1.0].map(|score| score - target);
                let tilted = with_mean_zero(&counts.map(|count| count / total), &values).unwrap();
                let mean: f64 = tilted.iter().zip(values).map(|(weight, value)| weight * value).sum();
                let sum: f64 = tilted.iter().sum();
                assert!(mean.abs() < 1e-9 && (sum - 1.0).abs() < 1e-9, "{counts:?}, {target}: {mean}, {sum}");
            }
        }
    }

    #[test]
    fn values_on_one_side_have_no_mean_zero() {
        assert_eq!(with_mean_zero(&[0.5, 0.5], &[0.0, 1.0]), None);
        assert_eq!(with_mean_zero(&[0.5, 0.5], &[-2.0, -1.0]), None);
    }
}
