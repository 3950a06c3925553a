//! Quantiles and tail probabilities of distributions.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use statrs::distribution::{ChiSquared, Continuous, ContinuousCDF, Normal, StudentsT};

/// The confidence level of intervals: a fraction between 0 and 1, both excluded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence(f64);

/// From this number of degrees of freedom on, Student's quantile is that of the normal distribution with small
/// corrections; below, it needs a few more of Newton's steps.
const LARGE_FREEDOM: f64 = 200.0;

/// The minimum degrees of freedom of the error of a rating.
pub(super) const FEWEST_FREEDOM: f64 = 3.0;

/// A number that is not a confidence level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a confidence level: a number above 0 and below 1, such as 0.95")]
pub struct NotAConfidence {
    /// The number as given.
    pub text: String,
}

impl Confidence {
    /// The confidence level `fraction`.
    ///
    /// # Errors
    /// If it is not between 0 and 1.
    pub fn new(fraction: f64) -> Result<Self, NotAConfidence> {
        if 0.0 < fraction && fraction < 1.0 {
            return Ok(Self(fraction));
        }
        Err(NotAConfidence { text: fraction.to_string() })
    }

    /// The confidence level as a fraction.
    pub const fn fraction(self) -> f64 {
        self.0
    }

    /// The probability outside an interval on one side.
    pub(super) fn tail(self) -> f64 {
        0.5 * (1.0 - self.0)
    }

    /// Half the width of an interval in standard errors: the quantile of Student's t with `freedom` degrees of
    /// freedom; of the normal distribution if `freedom` is infinite.
    pub fn half_width(self, freedom: f64) -> f64 {
        let at = 1.0 - self.tail();
        let normal = Normal::standard().inverse_cdf(at);
        match student(freedom) {
            Some(student) if freedom < LARGE_FREEDOM => {
                quantile(&student, at, nearly_normal(normal, freedom))
            }
            _ => nearly_normal(normal, freedom),
        }
    }
}

impl Confidence {
    /// The minimum of [`Confidence::half_width`], and its maximum from [`FEWEST_FREEDOM`] degrees of freedom on.
    pub(super) fn half_widths(self) -> [f64; 2] {
        [f64::INFINITY, FEWEST_FREEDOM].map(|freedom| self.half_width(freedom))
    }
}

/// The `at` quantile of `student`, by Newton's steps: one from 20 degrees of freedom on, a few below. The distribution
/// function is concave above 0, so the steps do not overshoot from below.
fn quantile(student: &StudentsT, at: f64, first: f64) -> f64 {
    const MOST_STEPS: usize = 50;
    const TOLERANCE: f64 = 1e-7;
    let mut quantile = first;
    for _ in 0..MOST_STEPS {
        let step = (at - student.cdf(quantile)) / student.pdf(quantile);
        let next = quantile + step;
        // From far above, a step may lead below the middle.
        quantile = if next <= 0.0 { 0.5 * quantile } else { next };
        if step.abs() <= TOLERANCE * quantile {
            break;
        }
    }
    quantile
}

impl Default for Confidence {
    fn default() -> Self {
        Self(0.95)
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Confidence {
    type Err = NotAConfidence;

    fn from_str(text: &str) -> Result<Self, NotAConfidence> {
        let unusable = || NotAConfidence { text: games::fen::shown(text) };
        Self::new(text.parse().map_err(|_| unusable())?).map_err(|_| unusable())
    }
}

impl Serialize for Confidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

/// The probability that Student's t with `freedom` degrees of freedom is below `at`; normal if they are infinite.
pub(super) fn probability_below(at: f64, freedom: f64) -> f64 {
    match student(freedom) {
        Some(student) => student.cdf(at),
        None => Normal::standard().cdf(at),
    }
}

/// The probability that a chi-squared variable with `freedom` degrees of freedom exceeds `at`; `None` if `freedom` is
/// 0.
pub(super) fn chi_squared_above(at: f64, freedom: f64) -> Option<f64> {
    ChiSquared::new(freedom).ok().map(|chi_squared| chi_squared.sf(at))
}

/// The `probability` quantile of the standard normal distribution.
pub(super) fn probability_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// The `probability` quantile of chi-squared with `freedom` degrees of freedom; 0 if `freedom` is 0.
pub(super) fn chi_squared_quantile(probability: f64, freedom: f64) -> f64 {
    ChiSquared::new(freedom).map_or(0.0, |chi_squared| chi_squared.inverse_cdf(probability))
}

/// Student's quantile from the `normal` one: exact to seven digits with 200 degrees of freedom, and to more with more
/// (M. Abramowitz and I. A. Stegun, *Handbook of Mathematical Functions*, 26.7.5).
fn nearly_normal(normal: f64, freedom: f64) -> f64 {
    let square = normal * normal;
    let first = (square + 1.0) / 4.0;
    let second = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let third = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    normal * (1.0 + (first + (second + third / freedom) / freedom) / freedom)
}

fn student(freedom: f64) -> Option<StudentsT> {
    if freedom.is_infinite() {
        return None;
    }
    StudentsT::new(0.0, 1.0, freedom).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles from the usual printed tables.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        let level = Confidence::default();
        for (freedom, quantile) in [
            (1.0, 12.7062),
            (19.0, 2.093_024),
            (20.0, 2.085_963),
            (28.0, 2.048_407),
            (120.0, 1.979_930),
            (199.0, 1.971_957),
            (200.0, 1.971_896),
            (1e4, 1.960_201),
            (1e6, 1.959_966),
            (f64::INFINITY, 1.959_964),
        ] {
            let found = level.half_width(freedom);
            assert!((found / quantile - 1.0).abs() < 1e-6, "{freedom}: {found}");
            assert!((probability_below(found, freedom) - 0.975).abs() < 1e-6, "{freedom}: {found}");
        }
        assert!((Confidence::new(0.99).unwrap().half_width(10.0) - 3.169_273).abs() < 1e-6);
    }

    #[test]
    fn a_few_steps_are_enough() {
        for fraction in [0.5, 0.9, 0.95, 0.99, 0.999] {
            let level = Confidence::new(fraction).unwrap();
            for freedom in [1.0, 2.0, 3.0, 5.5, 12.0, 20.0, 21.0, 30.0, 77.0, 199.0] {
                let exact = student(freedom).unwrap().inverse_cdf(1.0 - level.tail());
                let error = level.half_width(freedom) / exact - 1.0;
                assert!(error.abs() < 1e-6, "{fraction} {freedom}: {error}");
            }
        }
    }

    #[test]
    fn tails_are_those_of_the_tables() {
        assert!((probability_below(2.085_963, 20.0) - 0.975).abs() < 1e-7);
        assert!((probability_below(-1.644_854, f64::INFINITY) - 0.05).abs() < 1e-7);
        assert!((chi_squared_above(3.841_459, 1.0).unwrap() - 0.05).abs() < 1e-7);
        assert_eq!(chi_squared_above(1.0, 0.0), None);
    }

    #[test]
    fn a_level_is_inside_0_and_1() {
        assert_eq!("0.9".parse::<Confidence>(), Confidence::new(0.9));
        for text in ["0", "1", "95", "-0.5", "NaN", "x", ""] {
            assert_eq!(text.parse::<Confidence>().unwrap_err().text, text);
        }
    }
}
