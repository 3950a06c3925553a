//! An interval with its estimate, as places on an axis.

use serde::Serialize;

use super::axis::Axis;

/// An interval with its estimate: positions in percent.
#[derive(Debug, Serialize)]
pub struct Whisker {
    /// The lower end.
    pub low: String,
    /// The upper end.
    pub high: String,
    /// The estimate; `None` if there is only a bound.
    pub dot: Option<String>,
    /// The side on which the interval is open.
    pub open: Open,
}

/// Whether an interval has two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Open {
    /// Both ends are known.
    No,
    /// There is no lower end.
    Below,
    /// There is no upper end.
    Above,
}

/// The interval from the lower end over the estimate to the upper end on this axis.
pub fn whisker([low, dot, high]: [Option<f64>; 3], axis: &Axis) -> Whisker {
    Whisker {
        low: axis.at(low.unwrap_or(f64::NEG_INFINITY)),
        high: axis.at(high.unwrap_or(f64::INFINITY)),
        dot: dot.map(|elo| axis.at(elo)),
        open: match (low, high) {
            (None, _) => Open::Below,
            (_, None) => Open::Above,
            _ => Open::No,
        },
    }
}
