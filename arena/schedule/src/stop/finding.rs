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
    /// The name of the limits whose pairs it counts, if it does not count all.
    pub limits: Option<String>,
    /// The verdict.
    pub verdict: SprtVerdict,
    /// The number of pairs.
    pub n_pairs: u64,
    /// The log likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at or below the first ratio, H1 at or above the second one.
    pub bounds: [f64; 2],
}

/// The last test of each candidate, of the tests that have begun.
pub fn reached(tests: &[TestState]) -> Vec<&TestState> {
    tests.chunk_by(|one, other| one.engines == other.engines).filter_map(<[_]>::last).collect()
}

/// The verdicts of the tests that several candidates have reached, against one engine, in a line.
pub fn summary(tests: impl IntoIterator<Item = TestState>) -> String {
    let tests: Vec<TestState> = tests.into_iter().collect();
    let verdicts = [SprtVerdict::H1, SprtVerdict::H0, SprtVerdict::Undecided].into_iter();
    let of_verdict = |verdict| {
        let of_it = tests.iter().filter(|test| test.verdict == verdict);
        let name = |test: &TestState| test.engines[0].clone() + &test.place();
        let names: Vec<String> = of_it.map(name).collect();
        (!names.is_empty()).then(|| format!("{}: {}", words(verdict), names.join(", ")))
    };
    let base = tests.first().map_or("", |test| &test.engines[1]);
    format!("against {base}, {}", verdicts.filter_map(of_verdict).collect::<Vec<_>>().join("; "))
}

impl TestState {
    /// ` (NAME)`, if it counts only the pairs under some limits.
    fn place(&self) -> String {
        self.limits.as_ref().map_or(String::new(), |name| format!(" ({name})"))
    }
}

const fn words(verdict: SprtVerdict) -> &'static str {
    match verdict {
        SprtVerdict::H0 => "H0 accepted",
        SprtVerdict::H1 => "H1 accepted",
        SprtVerdict::Undecided => "undecided",
    }
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
        let Self { engines: [first, second], verdict, n_pairs, llr, bounds: [lower, upper], .. } = self;
        match (f.alternate(), &self.limits) {
            (false, _) => write!(f, "{first} against {second}{}: ", self.place())?,
            (true, Some(limits)) => write!(f, "{limits}: ")?,
            (true, None) => {}
        }
        let verdict = words(*verdict);
        write!(f, "{verdict} after {n_pairs} pairs, LLR {llr:.2} ({lower:.2}, {upper:.2})")
    }
}
