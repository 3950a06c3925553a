//! An interval with its estimate, as places on an axis.

use serde::Serialize;

use super::axis::Axis;

/// An interval with its estimate: positions in percent. Without an end, it goes on to the edge; without both, there is none.
#[derive(Debug, Serialize)]
pub struct Whisker {
    /// The lower end.
    pub low: Option<String>,
    /// The estimate; `None` if there is only a bound.
    pub dot: Option<String>,
    /// Whether the estimate is a rough number.
    pub is_rough: bool,
    /// The upper end.
    pub high: Option<String>,
}

/// The interval from the lower end over the estimate to the upper end on this axis.
pub fn whisker(ends: [Option<f64>; 3], axis: &Axis) -> Whisker {
    let [low, dot, high] = ends.map(|elo| elo.map(|elo| axis.at(elo)));
    Whisker { low, dot, high, is_rough: false }
}
