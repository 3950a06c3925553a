//! What the stop rules of a tournament have found, for the pages: texts and the scale of a sequential test.

use serde::Serialize;

use super::words::typeset;
use schedule::stop::Finding;

/// What a stop rule has found so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StopView {
    /// The verdict.
    pub answer: String,
    /// What to know of it.
    pub remark: Option<String>,
    /// Of a sequential test: where the bar of the log likelihood ratio begins, and its length, in percent.
    pub bar: Option<[f64; 2]>,
    /// What its two ends stand for: `H0: 0`, `H1: 5 normalized Elo`.
    pub ends: [String; 2],
    /// Where the log likelihood ratio stands, in words.
    pub place: Option<String>,
    /// Whether it is a sequential test, whose verdict is that of the tournament.
    pub is_test: bool,
    /// The figures, one line each.
    pub details: Vec<String>,
}

impl StopView {
    /// What a rule has found.
    pub fn new(finding: &Finding) -> Self {
        let Finding { rule, answer, test, details } = finding;
        let details = details.iter().map(|line| typeset(line));
        let Some(test) = test else {
            let answer = format!("{rule}: {answer}");
            return Self {
                answer,
                remark: None,
                bar: None,
                ends: Default::default(),
                place: None,
                details: details.collect(),
                is_test: false,
            };
        };
        let fit = test.fit();
        // After its end, the verdict says it.
        let is_open = fit.is_none();
        let evidence = fit.map_or_else(|| test.evidence(), |fit| format!("{}: {fit}", test.figures()));
        let [elo0, elo1] = test.hypotheses.elo();
        let ends = [format!("H0: {elo0}"), format!("H1: {elo1} {} Elo", test.hypotheses.model())];
        Self {
            answer: typeset(&test.sentence()),
            remark: None,
            bar: Some(bar(test.way())),
            ends: ends.map(|end| typeset(&end)),
            place: is_open.then(|| place(test.way())),
            details: [typeset(&evidence)].into_iter().chain(details).collect(),
            is_test: true,
        }
    }
}

/// The bar goes from 0 in the middle to the left for H0, to the right for H1.
fn bar((part, hypothesis): (f64, &str)) -> [f64; 2] {
    let length = 50.0 * part;
    [if hypothesis == "H0" { 50.0 - length } else { 50.0 }, length]
}

/// How far a log likelihood ratio is on its way.
fn place((part, hypothesis): (f64, &str)) -> String {
    format!("{:.0}\u{202f}% of the way from 0 to {hypothesis}", 100.0 * part)
}
