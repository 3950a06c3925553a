//! A scale from numbers to the width of a drawing, in percent, with round marks. It draws nothing.

use serde::Serialize;

use super::words::whole;

/// A scale with its marks.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Axis {
    #[serde(skip)]
    low: f64,
    #[serde(skip)]
    high: f64,
    /// The marks, from left to right.
    pub marks: Vec<Mark>,
}

/// A mark of an axis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// Its place in percent.
    pub at: String,
    /// Its number.
    pub label: String,
}

impl Axis {
    /// A scale that includes all of `values` and 0.
    pub fn around(values: impl IntoIterator<Item = f64>) -> Self {
        const MOST_MARKS: f64 = 5.0;
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (least, most) =
            finite.fold((0.0_f64, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
        let (least, most) = if least < most { (least, most) } else { (-100.0, 100.0) };
        let step = round_step((most - least) / MOST_MARKS);
        let margin = 0.06 * (most - least);
        let (low, high) = (least - margin, most + margin);
        let mut axis = Self { low, high, marks: Vec::new() };
        axis.marks = ((low / step).ceil() as i64..=(high / step).floor() as i64)
            .map(|n| n as f64 * step)
            .map(|value| Mark { at: axis.at(value), label: whole(value) })
            .collect();
        axis
    }

    /// The position of a value in percent of the width, from 0 to 100.
    pub fn at(&self, value: f64) -> String {
        let part = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        format!("{:.2}", 100.0 * part)
    }
}

/// The smallest of 1, 2, 5, 10, ... that is at least `step`.
fn round_step(step: f64) -> f64 {
    let decade = 10_f64.powf(step.log10().floor());
    let rounded = [1.0, 2.0, 5.0].into_iter().map(|factor| factor * decade).find(|&rounded| step <= rounded);
    rounded.unwrap_or(10.0 * decade).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_values_within() {
        let axis = Axis::around([-530.0, 402.0, f64::INFINITY]);
        let labels: Vec<&str> = axis.marks.iter().map(|mark| mark.label.as_str()).collect();
        assert_eq!(labels, ["\u{2212}400", "\u{2212}200", "0", "+200", "+400"]);
        assert_eq!((axis.at(f64::NEG_INFINITY), axis.at(1e9)), ("0.00".to_owned(), "100.00".to_owned()));
        assert_eq!(axis.at(-64.0), "50.00");
    }

    #[test]
    fn no_values_are_no_trouble() {
        assert_eq!(Axis::around([]).marks.len(), 5);
    }
}
