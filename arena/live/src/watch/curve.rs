//! How the log likelihood ratios of sequential tests went, from pair to pair. A long test has as many points as a short one.

use schedule::Course;
use schedule::stop::{Finding, TestState};
use serde::Serialize;

/// The maximum number of points of a curve; beyond it, every second one is forgotten.
const MOST_POINTS: usize = 200;

/// The curves of a folder's tests, as far as its journal was read.
#[derive(Debug)]
pub struct Curves {
    tests: Vec<Curve>,
    n_matches: u64,
    /// A look at the tests is taken after this number of matches.
    step: u64,
}

/// The curve of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The engines, and the limits if the test counts only the pairs under them.
    title: String,
    /// The numbers of pairs, ascending.
    pairs: Vec<u64>,
    /// The log likelihood ratios after them.
    llr: Vec<f64>,
    /// Those at which the test accepts H0 and H1.
    bounds: [f64; 2],
}

impl Default for Curves {
    fn default() -> Self {
        Self { tests: Vec::new(), n_matches: 0, step: 1 }
    }
}

impl Curves {
    /// A match more was counted.
    pub fn add(&mut self, course: &Course) {
        self.n_matches += 1;
        if !self.n_matches.is_multiple_of(self.step) {
            return;
        }
        for test in course.findings().iter().filter_map(|finding| finding.test.as_ref()) {
            let fresh = Curve::of(test);
            match self.tests.iter_mut().find(|curve| curve.title == fresh.title) {
                Some(curve) => curve.add(test),
                None => self.tests.push(fresh),
            }
        }
        if self.tests.iter().any(|curve| MOST_POINTS < curve.pairs.len()) {
            self.tests.iter_mut().for_each(Curve::thin);
            self.step *= 2;
        }
    }

    /// The curves up to what the tests have found now.
    pub fn up_to(&self, findings: &[Finding]) -> Vec<Curve> {
        let whole = |test: &TestState| {
            let fresh = Curve::of(test);
            let mut curve =
                self.tests.iter().find(|curve| curve.title == fresh.title).cloned().unwrap_or(fresh);
            curve.add(test);
            curve
        };
        findings.iter().filter_map(|finding| finding.test.as_ref()).map(whole).collect()
    }
}

impl Curve {
    fn of(test: &TestState) -> Self {
        let [first, second] = &test.engines;
        let limits = test.limits.as_ref().map_or(String::new(), |name| format!(" under {name}"));
        Self {
            title: format!("{first} against {second}{limits}"),
            pairs: vec![0],
            llr: vec![0.0],
            bounds: test.bounds,
        }
    }

    fn add(&mut self, test: &TestState) {
        if self.pairs.last().is_none_or(|last| *last < test.n_pairs) {
            self.pairs.push(test.n_pairs);
            self.llr.push((100.0 * test.llr).round() / 100.0);
        }
    }

    fn thin(&mut self) {
        self.pairs = self.pairs.iter().copied().step_by(2).collect();
        self.llr = self.llr.iter().copied().step_by(2).collect();
    }
}

#[cfg(test)]
mod tests {
    use model::{EloModelKey, Record, SprtRule, StopRules, Tournament, samples};
    use ratings::MatchResult;
    use schedule::planning;

    use super::*;

    #[test]
    fn a_long_test_has_few_points_from_its_start_to_its_last_pair() {
        let rule = SprtRule {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModelKey::Logistic,
            batch: 8,
            limits: Vec::new(),
        };
        let stop = StopRules { sprt: Some(rule), ..StopRules::default() };
        let tournament = Tournament { stop, ..samples::tournament(&["one", "two"], 2000) };
        let mut course = planning::course(&tournament);
        let mut curves = Curves::default();
        for number in 1..=2400 {
            let (white, black) = if number % 2 == 1 { ("one", "two") } else { ("two", "one") };
            // A won pair, and a lost one.
            let is_white = [1, 0].contains(&(number % 4));
            let result = if is_white { MatchResult::WhiteWins } else { MatchResult::BlackWins };
            let (white, black) = (white.to_owned(), black.to_owned());
            course.add(&Record {
                number,
                pair: number.div_ceil(2),
                white,
                black,
                result,
                ..samples::record()
            });
            curves.add(&course);
            let all = curves.up_to(&course.findings());
            let [Curve { pairs, llr, .. }] = all.as_slice() else { panic!("{all:?}") };
            assert!(pairs.len() <= MOST_POINTS + 2 && pairs.len() == llr.len());
            assert_eq!((pairs[0], pairs.last()), (0, Some(&u64::from(number / 2))));
        }
        let all = curves.up_to(&course.findings());
        assert!(all[0].pairs.is_sorted() && MOST_POINTS / 2 <= all[0].pairs.len());
        assert_eq!(all[0].title, "one against two");
    }
}
