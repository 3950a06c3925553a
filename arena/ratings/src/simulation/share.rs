//! The frequency of an event in simulated tournaments, with its error.

use serde::Serialize;

/// A fraction of simulated cases with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The fraction, 0 to 1.
    pub value: f64,
    /// The standard error because of the limited number of simulated tournaments; never 0.
    pub se: f64,
}

/// Cases of one tournament: those that fulfil a condition, and all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cases {
    pub fulfilled: u32,
    pub all: u32,
}

impl Cases {
    /// Counts one case.
    pub(super) fn count(&mut self, is_fulfilled: bool) {
        self.fulfilled += u32::from(is_fulfilled);
        self.all += 1;
    }

    /// One case.
    pub(super) fn one(is_fulfilled: bool) -> Self {
        Self { fulfilled: u32::from(is_fulfilled), all: 1 }
    }
}

impl Share {
    /// The share of all cases of all tournaments. `None` without cases.
    ///
    /// The cases of one tournament depend on the same matches; tournaments are independent. The error is that of a
    /// ratio of sums over tournaments, with two additional tournaments: one that fulfils a case, and one that does not.
    /// So it is never 0.
    pub(super) fn of(tournaments: impl Iterator<Item = Cases> + Clone) -> Option<Self> {
        let (mut fulfilled, mut all, mut n_tournaments) = (0.0, 0.0, 0.0);
        for cases in tournaments.clone().filter(|cases| 0 < cases.all) {
            fulfilled += f64::from(cases.fulfilled);
            all += f64::from(cases.all);
            n_tournaments += 1.0;
        }
        if all == 0.0 {
            return None;
        }
        let value = fulfilled / all;
        let case = all / n_tournaments;
        let mut squares = case * case * (value * value + (1.0 - value) * (1.0 - value));
        for cases in tournaments {
            squares += (f64::from(cases.fulfilled) - value * f64::from(cases.all)).powi(2);
        }
        Some(Self { value, se: squares.sqrt() / all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_case_each_is_binomial() {
        let share = Share::of((0..1000).map(|number| Cases::one(number % 5 == 0))).unwrap();
        assert!((share.value - 0.2).abs() < 1e-12);
        assert!((share.se - (0.2_f64 * 0.8 / 1000.0).sqrt()).abs() < 1e-4, "{share:?}");
    }

    #[test]
    fn cases_that_agree_count_once() {
        let cases = (0..1000).map(|number| Cases { fulfilled: if number % 5 == 0 { 8 } else { 0 }, all: 8 });
        let share = Share::of(cases).unwrap();
        assert!((share.se - (0.2_f64 * 0.8 / 1000.0).sqrt()).abs() < 1e-4, "{share:?}");
    }

    #[test]
    fn never_is_not_known_exactly() {
        let share = Share::of((0..100).map(|_| Cases::one(false))).unwrap();
        assert!(share.value == 0.0 && 0.005 < share.se, "{share:?}");
        assert_eq!(Share::of(std::iter::empty()), None);
    }
}
