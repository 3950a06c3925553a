//! What the stop rules of a tournament have found, for the pages: texts and the scale of a sequential test.

use serde::Serialize;

use schedule::stop::Finding;

/// What a stop rule has found so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StopView {
    /// The verdict.
    pub answer: String,
    /// Of a sequential test: the lower bound, the log likelihood ratio, the upper bound.
    pub llr: Option<[f64; 3]>,
    /// The figures, one line each.
    pub details: Vec<String>,
}

impl StopView {
    /// What a rule has found.
    pub fn new(finding: &Finding) -> Self {
        let Finding { rule, answer, test, details } = finding;
        let Some(test) = test else {
            return Self { answer: format!("{rule}: {answer}"), llr: None, details: details.clone() };
        };
        let [lower, upper] = test.bounds;
        Self {
            answer: test.to_string(),
            llr: Some([lower, test.llr, upper]),
            // The verdict in words goes first.
            details: std::iter::once(answer).chain(details).cloned().collect(),
        }
    }
}
