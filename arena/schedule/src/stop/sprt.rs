//! Sequential tests as a stop rule, around the test of [`ratings`]: one for each candidate. Each counts only the pairs of its own
//! two engines.

use super::finding::{TestState, summary};
use crate::FinishedPair;
use model::{Decided, RuleName};
use ratings::{
    Confidence, ConfidenceSequence, Hypotheses, LEAST_BATCH_PAIRS, Pentanomial, Sprt, SprtVerdict,
    elo_of_score, expected_pairs,
};

/// The tests of all candidates. They end the tournament when all of them are decided.
#[derive(Clone, Debug)]
pub struct SprtTests(Vec<SprtTest>);

impl SprtTests {
    /// The tests, which are about different pairs of engines.
    pub const fn new(tests: Vec<SprtTest>) -> Self {
        Self(tests)
    }

    /// Adds the next pair. Returns the decision of its test, if it ends with this pair.
    pub(super) fn add(&mut self, pair: &FinishedPair<'_>) -> Option<Decided> {
        let test = self.0.iter_mut().find(|test| test.is_open(pair.engines))?;
        let answer = test.add(pair)?;
        Some(Decided { rule: RuleName::Sprt, n_pairs: test.pairs.pairs() as u32, answer })
    }

    /// Whether a test needs more pairs of these engines.
    pub(super) fn needs(&self, engines: [&str; 2]) -> bool {
        self.0.iter().any(|test| test.is_open(engines))
    }

    /// The answer of all tests, if all are decided.
    pub(super) fn answer(&self) -> Option<String> {
        if self.verdict() == SprtVerdict::Undecided {
            return None;
        }
        match self.0.as_slice() {
            [test] => Some(test.answer(test.verdict())),
            tests => Some(summary(&tests.iter().map(SprtTest::state).collect::<Vec<_>>())),
        }
    }

    /// The verdict of all tests: undecided as long as one of them is, H1 if any candidate has passed.
    pub(super) fn verdict(&self) -> SprtVerdict {
        let is_any = |verdict| self.0.iter().any(|test| test.verdict() == verdict);
        [SprtVerdict::Undecided, SprtVerdict::H1]
            .into_iter()
            .find(|verdict| is_any(*verdict))
            .unwrap_or(SprtVerdict::H0)
    }

    pub(super) fn tests(&self) -> &[SprtTest] {
        &self.0
    }

    /// The rule in words, with its expected duration, if a test has at most `most_pairs`.
    pub(super) fn prospect(&self, most_pairs: impl Fn([&str; 2]) -> u32) -> String {
        let most = |test: &SprtTest| most_pairs(test.engines.each_ref().map(String::as_str));
        let Some(test) = self.0.first() else { return "sprt: no engine is tested".to_owned() };
        test.prospect(self.0.len(), self.0.iter().map(most).max().unwrap_or_default())
    }
}

/// A test in progress, with an interval that is valid at any time.
#[derive(Clone, Debug)]
pub struct SprtTest {
    engines: [String; 2],
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
            hypotheses,
            test: Sprt::new(hypotheses, batch),
            batch,
            pairs: Pentanomial::default(),
            sequence: ConfidenceSequence::new(Confidence::default()),
        }
    }

    /// Adds the next pair. Returns the answer if the test ends with it.
    fn add(&mut self, pair: &FinishedPair<'_>) -> Option<String> {
        let outcome = pair.outcome_of(&self.engines[0]);
        self.pairs.count(outcome);
        self.sequence.add(outcome.score());
        let verdict = self.test.add(outcome);
        (verdict != SprtVerdict::Undecided).then(|| self.answer(verdict))
    }

    /// Whether it needs more pairs of these engines, in any order.
    fn is_open(&self, engines: [&str; 2]) -> bool {
        self.verdict() == SprtVerdict::Undecided
            && engines.iter().all(|name| self.engines.iter().any(|engine| engine == name))
    }

    fn verdict(&self) -> SprtVerdict {
        self.test.decision().map_or(SprtVerdict::Undecided, |decision| decision.verdict)
    }

    pub(super) fn state(&self) -> TestState {
        TestState {
            engines: self.engines.clone(),
            verdict: self.verdict(),
            n_pairs: self.pairs.pairs(),
            llr: self.hypotheses.log_likelihood_ratio(&self.pairs),
            bounds: self.hypotheses.bounds(),
        }
    }

    /// Whether it has decided, after how many of its pairs, and what.
    pub(super) fn outcome(&self) -> String {
        let n_pairs = self.pairs.pairs();
        match self.test.decision() {
            Some(decision) => format!("decided after {n_pairs} pairs: {}", self.answer(decision.verdict)),
            None => format!("undecided after {n_pairs} pairs"),
        }
    }

    pub(super) fn findings(&self) -> Vec<String> {
        let [lower, upper] = self.hypotheses.bounds();
        let ratio = self.hypotheses.log_likelihood_ratio(&self.pairs);
        let [elo0, elo1] = self.hypotheses.elo();
        let Pentanomial { ll, ld, dd, wl, wd, ww } = self.pairs;
        let [first, second] = &self.engines;
        let mut lines = vec![
            format!(
                "LLR {ratio:.2}, bounds {lower:.2} and {upper:.2}, for {elo0} against {elo1} {} Elo",
                self.hypotheses.model()
            ),
            format!("{first}'s pairs: {ll} LL, {ld} LD, {dd} DD, {wl} WL, {wd} WD, {ww} WW"),
        ];
        if let Some(interval) = self.sequence.interval()
            && self.pairs.pairs() != 0
        {
            let [low, high] = interval.map(elo_of_score);
            let elo = elo_of_score(self.pairs.mean_score());
            lines.push(format!(
                "{first} - {second}: {elo:+.1} Elo, biased if the test stopped on its result; {low:+.1} to {high:+.1} \
                 is the 95 % interval, valid at any time"
            ));
        }
        lines
    }

    fn prospect(&self, n_tests: usize, most_pairs: u32) -> String {
        let (tests, each) = match n_tests {
            1 => ("sprt".to_owned(), ""),
            n => (format!("{n} tests by sprt"), " each"),
        };
        let [elo0, elo1] = self.hypotheses.elo();
        let expected =
            [elo0, 0.5 * (elo0 + elo1), elo1].map(|elo| expected_pairs(&self.hypotheses, elo).ceil());
        let [at0, between, at1] = expected;
        let is_far_below = 2.0 * f64::from(most_pairs) < at0.min(at1);
        format!(
            "{tests} ({elo0} against {elo1} {} Elo): about {at0} pairs{each} are expected if the difference is {elo0}, {at1} if it is \
             {elo1}, and {between} if it is {}{}{}",
            self.hypotheses.model(),
            0.5 * (elo0 + elo1),
            if is_far_below {
                format!(
                    "; with at most {most_pairs} pairs{each}, the test will probably stay undecided: raise `pairs`"
                )
            } else {
                String::new()
            },
            raised_batch(self.batch).map_or(String::new(), |raised| format!("; {raised}"))
        )
    }

    fn answer(&self, verdict: SprtVerdict) -> String {
        let [elo0, elo1] = self.hypotheses.elo();
        let model = self.hypotheses.model();
        let [first, second] = &self.engines;
        let fits = |elo: f64, other: f64| {
            format!(
                "a lead of {first} over {second} of {elo} {model} Elo fits the results better than one of {other}"
            )
        };
        match verdict {
            SprtVerdict::H1 => format!("H1: {}", fits(elo1, elo0)),
            SprtVerdict::H0 => format!("H0: {}", fits(elo0, elo1)),
            SprtVerdict::Undecided => "undecided".to_owned(),
        }
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
