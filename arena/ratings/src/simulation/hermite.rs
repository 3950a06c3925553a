//! Means over the standard normal distribution, by the Gauss-Hermite rule.

use nalgebra::{DMatrix, SymmetricEigen};

/// The rule with `n` points: nodes, and weights that sum to 1. It is exact for polynomials of degree 2n - 1.
///
/// The nodes are the eigenvalues of the recurrence's matrix, the weights the squares of the eigenvectors' first
/// components (G. H. Golub and J. H. Welsch, *Calculation of Gauss quadrature rules*, Mathematics of Computation 23,
/// 1969).
pub(super) fn gauss_hermite(n: usize) -> Vec<(f64, f64)> {
    let mut recurrence = DMatrix::zeros(n, n);
    for degree in 1..n {
        let beside = (degree as f64).sqrt();
        recurrence[(degree - 1, degree)] = beside;
        recurrence[(degree, degree - 1)] = beside;
    }
    let SymmetricEigen { eigenvectors, eigenvalues } = SymmetricEigen::new(recurrence);
    (0..n).map(|point| (eigenvalues[point], eigenvectors[(0, point)].powi(2))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moments of the standard normal distribution: 1, 0, 1, 0, 3, 0, 15, 0, 105.
    #[test]
    fn moments_are_those_of_the_normal_distribution() {
        let rule = gauss_hermite(41);
        for (power, moment) in [1.0, 0.0, 1.0, 0.0, 3.0, 0.0, 15.0, 0.0, 105.0].into_iter().enumerate() {
            let found: f64 = rule.iter().map(|(place, weight)| weight * place.powi(power as i32)).sum();
            assert!((found - moment).abs() < 1e-10, "{power}: {found}");
        }
    }

    #[test]
    fn three_points_are_where_the_tables_have_them() {
        let mut rule = gauss_hermite(3);
        rule.sort_by(|one, other| one.0.total_cmp(&other.0));
        for ((place, weight), (expected, of)) in
            rule.into_iter().zip([(-(3f64.sqrt()), 1.0 / 6.0), (0.0, 2.0 / 3.0), (3f64.sqrt(), 1.0 / 6.0)])
        {
            assert!((place - expected).abs() < 1e-12 && (weight - of).abs() < 1e-12, "{place} {weight}");
        }
    }
}
