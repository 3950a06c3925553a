//! What the stop rules of a tournament have found, for the pages: texts and the scale of a sequential test.

use serde::Serialize;

use super::words::with_minus;
use schedule::stop::Finding;

/// What a stop rule has found so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StopView {
    /// The verdict.
    pub answer: String,
    /// Of a sequential test in progress: the lower bound, the log likelihood ratio, the upper bound.
    pub llr: Option<[f64; 3]>,
    /// Where the log likelihood ratio stands, in words.
    pub place: Option<String>,
    /// Whether it is a sequential test, whose verdict is that of the tournament.
    pub is_test: bool,
    /// The figures, one line each.
    pub details: Vec<String>,
}

impl StopView {
    /// A bound of the log likelihood ratio.
    pub fn bound(&self, value: &f64) -> String {
        with_minus(&format!("{value:+.2}"))
    }

    /// What a rule has found.
    pub fn new(finding: &Finding) -> Self {
        let Finding { rule, answer, test, details } = finding;
        let details = details.iter().map(|line| with_minus(line));
        let Some(test) = test else {
            let answer = format!("{rule}: {answer}");
            return Self { answer, llr: None, place: None, details: details.collect(), is_test: false };
        };
        let [lower, upper] = test.bounds;
        let found = test.claim().zip(test.fit());
        // After its end, the verdict says it.
        let is_open = found.is_none();
        let (answer, figures) = match found {
            Some((claim, fit)) => (claim + ".", Some(format!("{}: {fit}", test.figures()))),
            None => (test.to_string(), None),
        };
        Self {
            answer: with_minus(&answer),
            llr: is_open.then_some([lower, test.llr, upper]),
            place: is_open.then(|| place(test.llr, test.bounds)),
            details: figures.iter().map(|line| with_minus(line)).chain(details).collect(),
            is_test: true,
        }
    }
}

/// How far a log likelihood ratio is on its way from 0 to the bound on its side.
fn place(llr: f64, [lower, upper]: [f64; 2]) -> String {
    let (bound, name) = if llr < 0.0 { (lower, "H0") } else { (upper, "H1") };
    let part = (100.0 * llr / bound).round().abs();
    format!("{part}\u{202f}% of the way from 0 to {name}")
}
