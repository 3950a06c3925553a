//! Significance of many tests together, from their p-values.

/// The probability of at least one false positive is at most 5 %.
pub(super) const SIGNIFICANT: f64 = 0.05;

/// For each p-value whether it is significant at 5 % for all of them together (S. Holm, *A simple sequentially rejective multiple
/// test procedure*, Scandinavian Journal of Statistics 6, 1979).
pub(super) fn holm(p: &[f64]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&one, &other| p[one].total_cmp(&p[other]));
    let mut is_significant = vec![false; p.len()];
    for (place, &test) in order.iter().enumerate() {
        if SIGNIFICANT < p[test] * (p.len() - place) as f64 {
            break;
        }
        is_significant[test] = true;
    }
    is_significant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_counts_for_all_and_the_next_for_the_rest() {
        assert_eq!(holm(&[0.02, 0.001, 0.03, 0.6]), [false, true, false, false]);
        assert_eq!(holm(&[0.012, 0.001, 0.02, 0.04]), [true, true, true, true]);
        assert_eq!(holm(&[0.012, 0.001, 0.026, 0.01]), [true, true, true, true]);
        assert_eq!(holm(&[0.2, 0.02]), [false, true]);
        assert_eq!(holm(&[]), [] as [bool; 0]);
    }
}
