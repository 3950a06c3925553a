//! The sizes of SPSA's steps. They shrink as in fishtest and OpenBench; see J. C. Spall, "Implementation of the
//! simultaneous perturbation algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic
//! Systems 34 (1998).

/// How fast the gain shrinks.
const ALPHA: f64 = 0.602;
/// How fast the distance of the compared values shrinks.
const GAMMA: f64 = 0.101;
/// The share of all points after which the gain begins to shrink.
const STABILITY: f64 = 0.1;
/// What a point of score moves an option by at the end, in steps: `R_end` of fishtest and OpenBench. It is five times
/// their 0.002, because the mean of many values is the answer, not the last one.
const GAIN_AT_END: f64 = 0.01;

/// How far the values of a point, from 0, of `n_points` are moved up and down, for an option with this step.
pub fn distance(n_points: u32, point: u32, step: f64) -> f64 {
    step * (f64::from(n_points) / f64::from(point + 1)).powf(GAMMA)
}

/// What a point of score moves the option by.
pub fn gain(n_points: u32, point: u32, step: f64) -> f64 {
    let before = STABILITY * f64::from(n_points);
    let shrunk = ((before + f64::from(n_points)) / (before + f64::from(point + 1))).powf(ALPHA);
    GAIN_AT_END * step * step * shrunk / distance(n_points, point, step)
}
