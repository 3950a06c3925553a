//! The time until the end of a tournament, as exactly as it is known: "about 12 min", or "10 to 25 min" while little is.

use std::fmt;
use std::time::Duration;

/// Between these times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLeft {
    least_s: f64,
    most_s: f64,
}

/// The steps in which people count time, in seconds.
const STEPS: [f64; 14] =
    [1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0, 7200.0];

impl TimeLeft {
    /// An estimate with this relative standard error; none if it is too long for anybody to wait for.
    pub fn new(estimate_s: f64, error: f64) -> Option<Self> {
        /// So many standard errors are a range in which most estimates come true.
        const ERRORS: f64 = 1.5;
        let factor = 1.0 + ERRORS * error;
        let most_s = factor * estimate_s;
        Duration::try_from_secs_f64(most_s).ok()?;
        Some(Self { least_s: estimate_s / factor, most_s })
    }

    /// What it was estimated to be.
    pub fn estimate_s(self) -> f64 {
        (self.least_s * self.most_s).sqrt()
    }
}

impl fmt::Display for TimeLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Beyond this, "about" would say too much.
        const MOST_OF_ONE: f64 = 1.6;
        let Self { least_s, most_s } = *self;
        let about = self.estimate_s();
        if most_s <= MOST_OF_ONE * least_s {
            return write!(f, "about {}", in_words(rounded(about, step(about, 10.0), f64::round).max(1.0)));
        }
        // From a minute on, a range has no seconds.
        let step_of = |seconds: f64| step(seconds, 4.0).max(if 60.0 <= seconds { 60.0 } else { 1.0 });
        let least = rounded(least_s, step_of(least_s), f64::floor);
        let most = rounded(most_s, step_of(most_s), f64::ceil);
        if least == 0.0 {
            return write!(f, "at most {}", in_words(most));
        }
        match (in_one_unit(least), in_one_unit(most)) {
            // The unit once is enough.
            (Some((least, unit)), Some((most, of_most))) if unit == of_most => {
                write!(f, "{least} to {most} {unit}")
            }
            _ => write!(f, "{} to {}", in_words(least), in_words(most)),
        }
    }
}

/// The longest step of which there are at least so many in a time.
fn step(seconds: f64, n_steps: f64) -> f64 {
    STEPS.into_iter().rev().find(|step| step * n_steps <= seconds).unwrap_or(STEPS[0])
}

fn rounded(seconds: f64, step: f64, round: fn(f64) -> f64) -> f64 {
    round(seconds / step) * step
}

/// Hours, minutes and seconds. From an hour on, seconds do not count.
const fn parts(seconds: f64) -> [u64; 3] {
    let seconds = seconds as u64;
    [seconds / 3600, seconds % 3600 / 60, if seconds < 3600 { seconds % 60 } else { 0 }]
}

/// A time that needs no second unit.
const fn in_one_unit(seconds: f64) -> Option<(u64, &'static str)> {
    match parts(seconds) {
        [0, 0, seconds] => Some((seconds, "s")),
        [0, minutes, 0] => Some((minutes, "min")),
        [hours, 0, _] => Some((hours, "h")),
        _ => None,
    }
}

fn in_words(seconds: f64) -> String {
    match (in_one_unit(seconds), parts(seconds)) {
        (Some((number, unit)), _) => format!("{number} {unit}"),
        (None, [0, minutes, seconds]) => format!("{minutes} min {seconds} s"),
        (None, [hours, minutes, _]) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_exact_as_they_are_known() {
        for (estimate_s, error, words) in [
            (0.4, 0.1, "about 1 s"),
            (8.0, 0.1, "about 8 s"),
            (47.0, 0.1, "about 48 s"),
            (94.0, 0.1, "about 1 min 35 s"),
            (754.0, 0.1, "about 13 min"),
            (4000.0, 0.0, "about 1 h 5 min"),
            (20_000.0, 0.1, "about 5 h 30 min"),
            (500_000.0, 0.1, "about 138 h"),
            (2.0, 2.0, "at most 8 s"),
            (40.0, 0.7, "18 s to 2 min"),
            (900.0, 0.5, "8 to 30 min"),
            (4000.0, 0.7, "30 min to 2 h 30 min"),
            (36_000.0, 0.5, "5 to 18 h"),
        ] {
            let left = TimeLeft::new(estimate_s, error).expect("a time");
            assert_eq!(left.to_string(), words, "{estimate_s} {error}");
        }
        assert_eq!(TimeLeft::new(f64::INFINITY, 0.1), None);
    }
}
