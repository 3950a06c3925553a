//! The sequential test of two engines as a stop rule, around the test of [`ratings`].

use super::finding::TestState;
use crate::FinishedPair;
use ratings::{
    Confidence, ConfidenceSequence, Hypotheses, LEAST_BATCH_PAIRS, Pentanomial, Sprt, SprtVerdict,
    elo_of_score, expected_pairs,
};

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
    /// Tests how much stronger the first of the `engines` is, with a look after every `batch` pairs. The first engine
    /// is White in the first match of every pair. A batch smaller than [`LEAST_BATCH_PAIRS`] is increased to it.
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
    pub(super) fn add(&mut self, pair: &FinishedPair<'_>) -> Option<String> {
        let outcome = pair.outcome();
        self.pairs.count(outcome);
        self.sequence.add(outcome.score());
        let verdict = self.test.add(outcome);
        (verdict != SprtVerdict::Undecided).then(|| self.answer(verdict))
    }

    pub(super) fn verdict(&self) -> SprtVerdict {
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

    pub(super) fn prospect(&self, most_pairs: u32) -> String {
        let [elo0, elo1] = self.hypotheses.elo();
        let expected =
            [elo0, 0.5 * (elo0 + elo1), elo1].map(|elo| expected_pairs(&self.hypotheses, elo).ceil());
        let [at0, between, at1] = expected;
        let is_far_below = 2.0 * f64::from(most_pairs) < at0.min(at1);
        format!(
            "sprt ({elo0} against {elo1} {} Elo): about {at0} pairs are expected if the difference is {elo0}, {at1} if it is \
             {elo1}, and {between} if it is {}{}{}",
            self.hypotheses.model(),
            0.5 * (elo0 + elo1),
            if is_far_below {
                format!(
                    "; with at most {most_pairs} pairs, the test will probably stay undecided: raise `pairs`"
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
