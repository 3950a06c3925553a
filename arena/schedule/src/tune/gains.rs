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

/// The sizes of all steps of a tuning.
#[derive(Clone, Copy, Debug)]
pub struct Gains {
    n_points: f64,
}

impl Gains {
    /// For this number of points.
    pub fn new(n_points: u32) -> Self {
        Self { n_points: f64::from(n_points) }
    }

    /// How far the values of a point, from 0, are moved up and down, for an option with this step.
    pub fn step(self, point: u32, step: f64) -> f64 {
        step * (self.n_points / f64::from(point + 1)).powf(GAMMA)
    }

    /// What a point of score moves the option by.
    pub fn gain(self, point: u32, step: f64) -> f64 {
        let before = STABILITY * self.n_points;
        let shrunk = ((before + self.n_points) / (before + f64::from(point + 1))).powf(ALPHA);
        GAIN_AT_END * step * step * shrunk / self.step(point, step)
    }
}
