//! Sequential tests as a stop rule, around the test of [`ratings`]: one for each candidate. Each counts only the pairs of its own
//! two engines.

use super::finding::{TestState, counted_pairs, summary};
use crate::FinishedPair;
use model::{Decided, RuleName};
use ratings::{
    Confidence, ConfidenceSequence, EloModel, HeadToHead, Hypotheses, LEAST_BATCH_PAIRS, Pentanomial, Sprt,
    SprtVerdict, count, elo_of_score, expected_pairs, signed,
};

/// The tests of all candidates. A candidate may have several, under different limits: it is in the first one that it has not
/// passed. The tournament ends when every candidate has failed in a test, or passed all of them.
#[derive(Clone, Debug)]
pub struct SprtTests(Vec<SprtTest>);

impl SprtTests {
    /// The tests; those of a candidate follow each other in their order.
    pub const fn new(tests: Vec<SprtTest>) -> Self {
        Self(tests)
    }

    /// The indices of the limits under which candidates are tested in turn; empty if each has one test under all limits.
    pub(crate) fn turns(&self) -> Vec<usize> {
        let first = self.candidates().next().unwrap_or_default();
        first.iter().filter_map(|test| test.limits.as_ref().map(|(idx, _)| *idx)).collect()
    }

    /// Adds the next pair. Returns the decision of its test, if it ends with this pair.
    pub(super) fn add(&mut self, pair: &FinishedPair<'_>) -> Option<Decided> {
        if pair.is_void() {
            return None;
        }
        let test =
            self.0.iter_mut().find(|test| test.is_of(pair.engines) && test.verdict() != SprtVerdict::H1)?;
        let answer = test.add(pair)?;
        Some(Decided { rule: RuleName::Sprt, n_pairs: test.pairs.pairs() as u32, answer })
    }

    /// Whether these engines play under these limits in their present test.
    pub(super) fn needs(&self, engines: [&str; 2], limits_idx: usize) -> bool {
        self.ahead(engines).first().is_some_and(|test| test.is_under(limits_idx))
    }

    /// Whether these engines play under these limits in their present test, or may do so in a later one.
    pub(super) fn may_need(&self, engines: [&str; 2], limits_idx: usize) -> bool {
        self.ahead(engines).iter().any(|test| test.is_under(limits_idx))
    }

    /// The answer of all tests, if all are decided.
    pub(super) fn answer(&self) -> Option<String> {
        if self.verdict() == SprtVerdict::Undecided {
            return None;
        }
        let reached: Vec<&SprtTest> = self.reached().collect();
        match reached.as_slice() {
            [test] => Some(test.answer()),
            tests => {
                let states: Vec<TestState> = tests.iter().map(|test| test.state()).collect();
                Some(summary(&states).join("; "))
            }
        }
    }

    /// The verdict of all tests: undecided as long as one of them is, H1 if any candidate has passed all of its own.
    pub(super) fn verdict(&self) -> SprtVerdict {
        let is_any = |verdict| self.reached().any(|test| test.verdict() == verdict);
        let wanted = [SprtVerdict::Undecided, SprtVerdict::H1].into_iter();
        wanted.into_iter().find(|verdict| is_any(*verdict)).unwrap_or(SprtVerdict::H0)
    }

    /// The tests that have begun.
    pub(super) fn begun(&self) -> impl Iterator<Item = &SprtTest> {
        self.candidates().flat_map(|tests| &tests[..=reached(tests)])
    }

    /// The rule in words, with its expected duration, if a test of two engines under the limits with an index has at most
    /// `most_pairs`.
    pub(super) fn prospect(&self, most_pairs: impl Fn([&str; 2], Option<usize>) -> u32) -> String {
        let most = |test: &SprtTest| most_pairs(test.names(), test.limits.as_ref().map(|(idx, _)| *idx));
        let Some(tests) = self.candidates().next() else { return "sprt: no engine is tested".to_owned() };
        let limits: Vec<&str> =
            tests.iter().filter_map(|test| test.limits.as_ref().map(|(_, name)| name.as_str())).collect();
        let turns = if limits.is_empty() {
            String::new()
        } else {
            format!(" under {}", limits.join(", then under "))
        };
        let most_pairs = self.0.iter().map(most).max().unwrap_or_default();
        tests[0].prospect(self.candidates().count(), &turns, most_pairs)
    }

    /// The tests of each candidate.
    fn candidates(&self) -> impl Iterator<Item = &[SprtTest]> {
        self.0.chunk_by(|one, other| one.engines == other.engines)
    }

    /// The test that each candidate has reached.
    fn reached(&self) -> impl Iterator<Item = &SprtTest> {
        self.candidates().map(|tests| &tests[reached(tests)])
    }

    /// The present test of these engines and those after it; empty if it is decided.
    fn ahead(&self, engines: [&str; 2]) -> &[SprtTest] {
        let Some(tests) = self.candidates().find(|tests| tests[0].is_of(engines)) else { return &[] };
        let ahead = &tests[reached(tests)..];
        if ahead[0].verdict() == SprtVerdict::Undecided { ahead } else { &[] }
    }
}

/// The index of the first of a candidate's tests that it has not passed, or of the last one.
fn reached(tests: &[SprtTest]) -> usize {
    tests.iter().position(|test| test.verdict() != SprtVerdict::H1).unwrap_or(tests.len() - 1)
}

/// A test in progress, with an interval that is valid at any time.
#[derive(Clone, Debug)]
pub struct SprtTest {
    engines: [String; 2],
    /// The index and the name of the limits whose pairs it counts, if it does not count all.
    limits: Option<(usize, String)>,
    hypotheses: Hypotheses,
    test: Sprt,
    pairs: Pentanomial,
    sequence: ConfidenceSequence,
    /// The batch size as configured.
    batch: u64,
}

impl SprtTest {
    /// Tests how much stronger the first of the `engines` is, with a look after every `batch` pairs. A batch smaller than
    /// [`LEAST_BATCH_PAIRS`] is increased to it.
    pub fn new(engines: [String; 2], hypotheses: Hypotheses, batch: u64) -> Self {
        Self {
            engines,
            limits: None,
            hypotheses,
            test: Sprt::new(hypotheses, batch),
            batch,
            pairs: Pentanomial::default(),
            sequence: ConfidenceSequence::new(Confidence::default()),
        }
    }

    /// The same test, of the pairs under the limits with this index and name.
    #[must_use]
    pub fn under(self, limits_idx: usize, name: &str) -> Self {
        Self { limits: Some((limits_idx, name.to_owned())), ..self }
    }

    /// Adds the next pair. Returns the answer if the test ends with it.
    fn add(&mut self, pair: &FinishedPair<'_>) -> Option<String> {
        let outcome = pair.outcome_of(&self.engines[0]);
        self.pairs.count(outcome);
        self.sequence.add(outcome.score());
        let verdict = self.test.add(outcome);
        (verdict != SprtVerdict::Undecided).then(|| self.answer())
    }

    fn names(&self) -> [&str; 2] {
        self.engines.each_ref().map(String::as_str)
    }

    /// Whether it is about these engines, in any order.
    fn is_of(&self, engines: [&str; 2]) -> bool {
        engines.iter().all(|name| self.names().contains(name))
    }

    fn is_under(&self, limits_idx: usize) -> bool {
        self.limits.as_ref().is_none_or(|(idx, _)| *idx == limits_idx)
    }

    /// ` under NAME`, if it counts only the pairs under some limits.
    fn place(&self) -> String {
        self.limits.as_ref().map_or(String::new(), |(_, name)| format!(" under {name}"))
    }

    fn verdict(&self) -> SprtVerdict {
        self.test.decision().map_or(SprtVerdict::Undecided, |decision| decision.verdict)
    }

    pub(super) fn state(&self) -> TestState {
        TestState {
            engines: self.engines.clone(),
            limits: self.limits.as_ref().map(|(_, name)| name.clone()),
            hypotheses: self.hypotheses,
            verdict: self.verdict(),
            n_pairs: self.pairs.pairs(),
            next_look: self.test.next_look(),
            elo: self.elo(),
            warning: self.warning(),
            llr: self.hypotheses.log_likelihood_ratio(&self.pairs),
            bounds: self.hypotheses.bounds(),
        }
    }

    /// That later pairs contradict earlier ones.
    fn warning(&self) -> Option<String> {
        self.sequence.found().change.map(|change| change.to_string())
    }

    /// Whether it has decided, after how many of its pairs, and what.
    pub(super) fn outcome(&self) -> String {
        let pairs = counted_pairs(self.pairs.pairs());
        match self.test.decision() {
            Some(_) => format!("decided after {pairs}: {}", self.answer()),
            None => format!("undecided after {pairs}{}", self.place()),
        }
    }

    pub(super) fn findings(&self) -> Vec<String> {
        let Pentanomial { ll, ld, dd, wl, wd, ww } = self.pairs;
        let mut lines = vec![format!(
            "{}'s pairs: {ll} LL, {ld} LD, {dd} DD, {wl} WL, {wd} WD, {ww} WW{}",
            self.engines[0],
            self.normalized_elo().unwrap_or_default()
        )];
        lines.extend(self.warning().map(|warning| format!("Warning: {warning}")));
        let is_quoted = |[elo, low, high]: &[f64; 3]| {
            (low.is_finite() || high.is_finite())
                && (elo.is_finite() || self.verdict() != SprtVerdict::Undecided)
        };
        if let Some([_, low, high]) = self.elo().filter(is_quoted) {
            let but = if low < 0.0 && 0.0 < high && self.verdict() != SprtVerdict::Undecided {
                " and contains 0: the test only decides which of its two hypotheses fits better"
            } else {
                ""
            };
            lines.push(format!(
                "Quote the 95 % interval, which is valid at any time{but}; the estimate is biased if the test stopped on its result"
            ));
        }
        lines
    }

    /// The lead on the scale of the hypotheses, if that is not the one of the answer, without an interval: that would suppose a fixed
    /// number of pairs. `None` of pairs that all had the same score.
    fn normalized_elo(&self) -> Option<String> {
        let is_scale = self.hypotheses.model() == EloModel::Normalized;
        let found =
            HeadToHead::new(&self.pairs, Confidence::default())?.normalized_elo.filter(|_| is_scale)?;
        Some(format!("; normalized Elo {}", signed(found.value, 0)))
    }

    /// The Elo difference with its interval.
    fn elo(&self) -> Option<[f64; 3]> {
        let [low, high] = self.sequence.found().score.filter(|_| self.pairs.pairs() != 0)?;
        Some([self.pairs.mean_score(), low, high].map(elo_of_score))
    }

    fn prospect(&self, n_tests: usize, turns: &str, most_pairs: u32) -> String {
        let (tests, each) = match n_tests {
            1 => ("sprt".to_owned(), ""),
            n => (format!("{n} tests by sprt"), " each"),
        };
        let [elo0, elo1] = self.hypotheses.elo();
        let expected =
            [elo0, 0.5 * (elo0 + elo1), elo1].map(|elo| expected_pairs(&self.hypotheses, elo).ceil());
        let [at0, between, at1] = expected.map(|pairs| count(pairs as u64));
        let is_far_below = 2.0 * f64::from(most_pairs) < expected[0].min(expected[2]);
        format!(
            "{tests}{turns} ({elo0} against {elo1} {} Elo): about {at0} pairs{each} are expected if the difference is {elo0}, {at1} if it is \
             {elo1}, and {between} if it is {}{}{}{}",
            self.hypotheses.model(),
            0.5 * (elo0 + elo1),
            // In normalized Elo, draws change nothing.
            if self.hypotheses.model() == EloModel::Logistic { " (fewer with draws)" } else { "" },
            if is_far_below {
                format!(
                    "; with at most {} pairs{each}, the test will probably stay undecided: raise `pairs`",
                    count(most_pairs.into())
                )
            } else {
                String::new()
            },
            raised_batch(self.batch).map_or(String::new(), |raised| format!("; {raised}"))
        )
    }

    /// The verdict, what it means, and which hypothesis fits better.
    fn answer(&self) -> String {
        let state = self.state();
        let hypothesis = if state.verdict == SprtVerdict::H1 { "H1" } else { "H0" };
        let words = state.claim().zip(state.fit());
        words.map_or_else(
            || state.verdict.to_string(),
            |(claim, fit)| format!("{hypothesis}: {claim} ({fit})"),
        )
    }
}

/// A note for a batch size that is too small.
pub fn raised_batch(batch: u64) -> Option<String> {
    (batch < LEAST_BATCH_PAIRS).then(|| {
        format!(
            "the batch of {batch} is raised to {LEAST_BATCH_PAIRS} pairs, because a test that is evaluated more often errs more \
             often than alpha and beta allow"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 12 pairs with the mean 0.625 and the standard deviation 0.3461: 0.125 / (√2 · 0.3461) · 800 / ln 10.
    #[test]
    fn the_lead_is_also_on_the_scale_of_the_hypotheses() {
        let line = |model| {
            let hypotheses = Hypotheses::new(model, 0.0, 5.0, 0.05, 0.05).unwrap();
            let test = SprtTest::new(["new", "old"].map(str::to_owned), hypotheses, 8);
            let pairs = Pentanomial { ll: 2, dd: 3, wl: 1, wd: 2, ww: 4, ..Pentanomial::default() };
            SprtTest { pairs, ..test }.findings().remove(0)
        };
        let pairs = "new's pairs: 2 LL, 0 LD, 3 DD, 1 WL, 2 WD, 4 WW";
        assert_eq!(line(EloModel::Normalized), format!("{pairs}; normalized Elo +89"));
        assert_eq!(line(EloModel::Logistic), pairs);
    }
}
