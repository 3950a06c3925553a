//! How every screen writes a rating: the number with its interval, or a rough number with its bound.

use ratings::{EstimateKind, Rating, Status, signed};

/// With at least this half width, Elo, tenths say nothing.
pub(super) const WIDE: f64 = 10.0;

/// A number and what is known about it, such as `+34` and `± 12`, or `≈ -615` and `(below -310)`. Either can be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Number {
    /// The number, with `≈` if it is rough.
    pub value: String,
    /// Half the width of the interval, the bound in brackets, or why there is neither.
    pub error: String,
}

impl Number {
    /// The rating or estimate of an engine.
    pub fn of(rating: &Rating) -> Self {
        let Some(estimate) = rating.estimate else {
            return Self { value: rating.status.to_string(), error: String::new() };
        };
        if rating.rough_zero {
            return Self { value: format!("≈ {}", signed(estimate, 0)), error: "(0 is rough)".to_owned() };
        }
        match (rating.estimate_kind, rating.low, rating.high) {
            (EstimateKind::Rating, Some(low), Some(high)) => Self::with_error(estimate, 0.5 * (high - low)),
            (EstimateKind::Rating, ..) => {
                Self { value: signed(estimate, 0), error: format!("({})", rating.status) }
            }
            // What the prior makes of the results may lie beyond what is sure.
            (EstimateKind::Regularised, Some(low), None) if estimate < low => Self::bound('≥', low),
            (EstimateKind::Regularised, None, Some(high)) if high < estimate => Self::bound('≤', high),
            (EstimateKind::Regularised, low, high) => {
                let error = match (low, high, rating.status) {
                    (_, _, Status::Alone | Status::ColourDecides) => format!("({})", rating.status),
                    // Who stands at the end of a chain has a rank all the same.
                    (_, _, Status::NotComparable) if rating.rank_low.is_none() => {
                        format!("({})", rating.status)
                    }
                    (Some(low), Some(high), _) => format!("({} to {})", signed(low, 0), signed(high, 0)),
                    (Some(low), None, _) => format!("(above {})", signed(low, 0)),
                    (None, Some(high), _) => format!("(below {})", signed(high, 0)),
                    (None, None, _) => String::new(),
                };
                Self { value: format!("≈ {}", signed(estimate, 0)), error }
            }
        }
    }

    fn bound(sign: char, elo: f64) -> Self {
        Self { value: format!("{sign} {}", signed(elo, 0)), error: String::new() }
    }

    /// A number with half the width of its interval; with 0, as an anchor has it, without an error.
    pub fn with_error(elo: f64, half_width: f64) -> Self {
        match half_width {
            0.0 => Self { value: signed(elo, 1), error: String::new() },
            _ if half_width < WIDE => Self { value: signed(elo, 1), error: format!("± {half_width:.1}") },
            _ => Self { value: signed(elo, 0), error: format!("± {half_width:.0}") },
        }
    }

    /// Both parts on one line.
    pub fn text(&self) -> String {
        format!("{} {}", self.value, self.error).trim_end().to_owned()
    }

    /// The same, wide enough for `±` to be in one column if the widest error has `error_width` columns.
    pub fn aligned(&self, error_width: usize) -> String {
        let Self { value, error } = self;
        if error.starts_with('±') { format!("{value} {error:<error_width$}") } else { self.text() }
    }
}

/// The number of columns of the widest `± 12` of these numbers.
pub fn error_width<'a>(numbers: impl IntoIterator<Item = &'a Number>) -> usize {
    let errors = numbers.into_iter().map(|number| &number.error).filter(|error| error.starts_with('±'));
    errors.map(|error| error.chars().count()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_need_an_error_below_ten() {
        let text = |elo, half_width| Number::with_error(elo, half_width).text();
        assert_eq!(text(34.24, 3.96), "+34.2 ± 4.0");
        assert_eq!(text(-34.24, 11.8), "-34 ± 12");
        assert_eq!(text(-0.3, 385.2), "0 ± 385");
        assert_eq!(text(2500.0, 0.0), "+2500.0");
    }
}
