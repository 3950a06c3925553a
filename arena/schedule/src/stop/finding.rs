//! What a stop rule has found so far, for the terminal and the pages.

use std::fmt;

use model::RuleName;
use ratings::SprtVerdict;

/// What a stop rule has found so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: RuleName,
    /// Whether it has decided, after how many pairs, and what.
    pub answer: String,
    /// The state of a sequential test.
    pub test: Option<TestState>,
    /// The figures, one line each.
    pub details: Vec<String>,
}

/// The state of a sequential test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestState {
    /// The engines: the test is about the lead of the first one.
    pub engines: [String; 2],
    /// The verdict.
    pub verdict: SprtVerdict,
    /// The number of pairs.
    pub n_pairs: u64,
    /// The log likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at or below the first ratio, H1 at or above the second one.
    pub bounds: [f64; 2],
}

/// The text of the terminal.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.rule, self.answer)?;
        self.details.iter().try_for_each(|line| writeln!(f, "  {line}"))
    }
}

/// The verdict with its figures; with `#`, without the names of the engines.
impl fmt::Display for TestState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engines: [first, second], verdict, n_pairs, llr, bounds: [lower, upper] } = self;
        if !f.alternate() {
            write!(f, "{first} against {second}: ")?;
        }
        let verdict = match verdict {
            SprtVerdict::H0 => "H0 accepted",
            SprtVerdict::H1 => "H1 accepted",
            SprtVerdict::Undecided => "undecided",
        };
        write!(f, "{verdict} after {n_pairs} pairs, LLR {llr:.2} ({lower:.2}, {upper:.2})")
    }
}
