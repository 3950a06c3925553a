//! What a stop rule has found so far, for the terminal and the pages.

use std::fmt;

use model::RuleName;
use ratings::{EloModel, Hypotheses, SprtVerdict, count, signed, with_verb};

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
    /// What it decides between.
    pub hypotheses: Hypotheses,
    /// The verdict.
    pub verdict: SprtVerdict,
    /// The number of pairs.
    pub n_pairs: u64,
    /// The number of pairs at which it looks at them next, if it is undecided.
    pub next_look: u64,
    /// The Elo difference with its interval, which is valid at any time: the estimate, the lower and the upper end.
    pub elo: Option<[f64; 3]>,
    /// What makes it doubtful.
    pub warning: Option<String>,
    /// The log likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at or below the first ratio, H1 at or above the second one.
    pub bounds: [f64; 2],
}

/// The last test of each candidate, of the tests that have begun.
pub fn reached(tests: &[TestState]) -> Vec<&TestState> {
    tests.chunk_by(|one, other| one.engines == other.engines).filter_map(<[_]>::last).collect()
}

/// The verdicts of the tests that several candidates have reached, against one engine, each with its candidates.
pub fn summary<'a>(tests: impl IntoIterator<Item = &'a TestState>) -> Vec<String> {
    let tests: Vec<&TestState> = tests.into_iter().collect();
    let verdicts = [SprtVerdict::H1, SprtVerdict::H0, SprtVerdict::Undecided].into_iter();
    let of_verdict = |verdict| {
        let of_it: Vec<&&TestState> = tests.iter().filter(|test| test.verdict == verdict).collect();
        let [first, ..] = of_it.as_slice() else { return None };
        let claim = first.relation().unwrap_or_else(|| "undecided against".to_owned());
        let names: Vec<String> = of_it.iter().map(|test| test.engines[0].clone() + &test.place()).collect();
        Some(format!("{claim} {}: {}", first.engines[1], names.join(", ")))
    };
    verdicts.filter_map(of_verdict).collect()
}

impl TestState {
    /// What the accepted hypothesis means: `A is stronger than B`. `None` while the test is undecided.
    pub fn claim(&self) -> Option<String> {
        let [first, second] = &self.engines;
        let under = self.limits.as_ref().map_or(String::new(), |name| format!(" under {name}"));
        Some(format!("{first} is {} {second}{under}", self.relation()?))
    }

    /// The verdict with the lead: `A is stronger than B: +267 (+76 to +484) Elo`.
    pub fn answer(&self) -> String {
        let [first, second] = &self.engines;
        let lead = self.lead();
        if let Some(claim) = self.claim() {
            return claim + &lead.map_or_else(String::new, |lead| format!(": {lead}"));
        }
        // Of few pairs that one engine won, the lead is no number.
        let lead = lead.filter(|_| self.elo.is_some_and(|[elo, ..]| elo.is_finite()));
        let lead = lead.map_or_else(String::new, |lead| format!(": {first} {}", with_verb(&lead)));
        format!("undecided between {first} and {second}{}{lead}", self.place())
    }

    /// The verdict with the lead, in sentences.
    pub fn sentence(&self) -> String {
        let answer = self.answer();
        // A name at the beginning stays as it is.
        match answer.strip_prefix("undecided ") {
            Some(rest) if self.claim().is_none() => format!("Undecided {rest}.{}", self.why_undecided()),
            _ => format!("{answer}.{}", self.why_decided()),
        }
    }

    /// Why a test whose interval includes 0 says which engine is stronger, if there is such an interval.
    fn why_decided(&self) -> &'static str {
        let is_of_sign =
            self.relation().is_some_and(|relation| ["stronger than", "weaker than"].contains(&&*relation));
        match self.elo {
            Some([_, low, high]) if is_of_sign && low <= 0.0 && 0.0 <= high => {
                " A test decides earlier than its interval, which still includes 0."
            }
            _ => "",
        }
    }

    /// Why an LLR beyond its bounds, or a lead whose interval excludes 0, decides nothing, if there is such.
    fn why_undecided(&self) -> String {
        match self.elo {
            _ if self.is_beyond() => format!(
                " The LLR is beyond a bound, but the test decides at its looks only: the next one is after {}.",
                counted_pairs(self.next_look)
            ),
            Some([_, low, high]) if 0.0 < low || high < 0.0 => {
                " The interval excludes 0, but the LLR decides, and is still between its bounds.".to_owned()
            }
            _ => String::new(),
        }
    }

    /// Whether an undecided test would decide if it looked now.
    fn is_beyond(&self) -> bool {
        let [lower, upper] = self.bounds;
        self.verdict == SprtVerdict::Undecided && !(lower..=upper).contains(&self.llr)
    }

    /// The difference: `A - B: +267 (+76 to +484) Elo`.
    pub fn difference(&self) -> Option<String> {
        let [first, second] = &self.engines;
        Some(format!("{first} - {second}: {}", self.lead()?))
    }

    /// The lead of the first engine: `+267 (+76 to +484) Elo`. There is none as long as its interval has no end.
    fn lead(&self) -> Option<String> {
        let elo = self.elo.filter(|[_, low, high]| low.is_finite() || high.is_finite())?;
        let is_narrow = elo[2] - elo[1] < 20.0;
        let [elo, low, high] = elo.map(|elo| signed(elo, usize::from(is_narrow)));
        Some(format!("{elo} ({low} to {high}) Elo"))
    }

    /// The state of the test: `H1 accepted after 64 pairs, LLR 2.99 (-2.94, 2.94), for 0 against 5 normalized Elo`.
    pub fn evidence(&self) -> String {
        let [elo0, elo1] = self.hypotheses.elo();
        format!("{}, for {elo0} against {elo1} {} Elo", self.figures(), self.hypotheses.model())
    }

    /// Why tables of so many pairs count more of them than the test did, if they do.
    pub fn later(&self, n_pairs: u64) -> Option<String> {
        let has_later = self.limits.is_none() && self.n_pairs < n_pairs;
        has_later
            .then(|| format!("all {n_pairs} pairs are counted here, also those that ended after the test"))
    }

    /// Which hypothesis fits the results better; `None` while the test is undecided.
    pub fn fit(&self) -> Option<String> {
        let [elo0, elo1] = self.hypotheses.elo();
        let [better, worse] = match self.verdict {
            SprtVerdict::H1 => [elo1, elo0],
            SprtVerdict::H0 => [elo0, elo1],
            SprtVerdict::Undecided => return None,
        };
        let model = self.hypotheses.model();
        Some(format!("a lead of {better} {model} Elo fits the results better than one of {worse}"))
    }

    /// The verdict with its figures: `H1 accepted after 64 pairs, LLR 2.99 (-2.94, 2.94)`. An LLR beyond its bounds decides at the
    /// next look.
    pub fn figures(&self) -> String {
        let Self { verdict, n_pairs, next_look, llr, bounds: [lower, upper], .. } = self;
        let pairs = counted_pairs(*n_pairs);
        // Not -0.00.
        let llr = (100.0 * llr).round() / 100.0 + 0.0;
        let next =
            if self.is_beyond() { format!(", next look after {}", count(*next_look)) } else { String::new() };
        format!("{} after {pairs}{next}, LLR {llr:.2} ({lower:.2}, {upper:.2})", words(*verdict))
    }

    /// How far the log likelihood ratio is on its way from 0 to the bound on its side, 0 to 1, and the hypothesis of that bound.
    pub fn way(&self) -> (f64, &'static str) {
        let [lower, upper] = self.bounds;
        if self.llr < 0.0 { ((self.llr / lower).min(1.0), "H0") } else { ((self.llr / upper).min(1.0), "H1") }
    }

    /// What a decided test has refuted: at the bound for H1, that the difference is `elo0` or less, and at that for H0, that it is
    /// `elo1` or more.
    fn relation(&self) -> Option<String> {
        let [elo0, elo1] = self.hypotheses.elo();
        let unit = match self.hypotheses.model() {
            EloModel::Logistic => "Elo",
            EloModel::Normalized => "normalized Elo",
        };
        // The interval may say more than the hypotheses.
        let is_beyond =
            |sign: f64| self.elo.is_some_and(|[_, low, high]| 0.0 < (sign * low).min(sign * high));
        match self.verdict {
            SprtVerdict::H1 if is_beyond(1.0) => Some("stronger than".to_owned()),
            SprtVerdict::H0 if is_beyond(-1.0) => Some("weaker than".to_owned()),
            SprtVerdict::H1 if elo0 >= 0.0 => Some("stronger than".to_owned()),
            SprtVerdict::H1 => Some(format!("not at least {} {unit} weaker than", -elo0)),
            SprtVerdict::H0 if elo1 > 0.0 => Some(format!("not at least {elo1} {unit} stronger than")),
            SprtVerdict::H0 => Some("weaker than".to_owned()),
            SprtVerdict::Undecided => None,
        }
    }

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
        if let Some(test) = &self.test {
            if let Some(difference) = test.difference() {
                writeln!(f, "  {difference}")?;
            }
            writeln!(f, "  {}", test.evidence())?;
        }
        self.details.iter().try_for_each(|line| writeln!(f, "  {line}"))
    }
}

/// The verdict with its figures; with `#`, without the names of the engines, and with the lead of the first one so far.
impl fmt::Display for TestState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.engines;
        match (f.alternate(), self.claim(), &self.limits) {
            (false, Some(claim), _) => write!(f, "{claim}: ")?,
            (false, None, _) => write!(f, "{first} against {second}{}: ", self.place())?,
            (true, _, Some(limits)) => write!(f, "{limits}: ")?,
            (true, _, None) => {}
        }
        f.write_str(&self.figures())?;
        match self.lead().filter(|_| f.alternate()) {
            Some(lead) => write!(f, ", {lead}"),
            None => Ok(()),
        }
    }
}

/// `1 pair`, `64 pairs`.
pub(super) fn counted_pairs(n: u64) -> String {
    format!("{} {}", count(n), if n == 1 { "pair" } else { "pairs" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_that_decides_nothing_says_why() {
        let hypotheses = Hypotheses::new(EloModel::Logistic, 0.0, 5.0, 0.05, 0.05).unwrap();
        let test = |low| TestState {
            engines: ["new", "old"].map(str::to_owned),
            limits: None,
            hypotheses,
            verdict: SprtVerdict::Undecided,
            n_pairs: 64,
            next_look: 72,
            elo: Some([126.0, low, 219.0]),
            warning: None,
            llr: 1.307,
            bounds: [-2.94, 2.94],
        };
        let lead = "Undecided between new and old: new leads by +126";
        assert_eq!(
            test(48.0).sentence(),
            format!(
                "{lead} (+48 to +219) Elo. The interval excludes 0, but the LLR decides, and is still between its bounds."
            )
        );
        assert_eq!(test(-48.0).sentence(), format!("{lead} (-48 to +219) Elo."));
        let boundless = Some([f64::INFINITY, -581.0, f64::INFINITY]);
        let sentence = TestState { elo: boundless, ..test(-48.0) }.sentence();
        assert_eq!(sentence, "Undecided between new and old.");
        let sentence = TestState { llr: 3.01, ..test(48.0) }.sentence();
        assert!(
            sentence.contains("The LLR is beyond a bound, but ")
                && sentence.ends_with("the next one is after 72 pairs.")
                && !sentence.contains("still between"),
            "{sentence}"
        );
        let figures = TestState { llr: 3.01, ..test(48.0) }.figures();
        assert_eq!(figures, "undecided after 64 pairs, next look after 72, LLR 3.01 (-2.94, 2.94)");
    }

    #[test]
    fn a_decision_says_what_it_has_refuted() {
        let cases = [
            (EloModel::Logistic, [0.0, 5.0], SprtVerdict::H1, Some("new is stronger than old")),
            (
                EloModel::Logistic,
                [0.0, 5.0],
                SprtVerdict::H0,
                Some("new is not at least 5 Elo stronger than old"),
            ),
            (
                EloModel::Normalized,
                [0.0, 5.0],
                SprtVerdict::H0,
                Some("new is not at least 5 normalized Elo stronger than old"),
            ),
            (
                EloModel::Logistic,
                [-5.0, 0.0],
                SprtVerdict::H1,
                Some("new is not at least 5 Elo weaker than old"),
            ),
            (EloModel::Logistic, [-5.0, 0.0], SprtVerdict::H0, Some("new is weaker than old")),
            (EloModel::Logistic, [0.0, 5.0], SprtVerdict::Undecided, None),
        ];
        for (model, [elo0, elo1], verdict, claim) in cases {
            let hypotheses = Hypotheses::new(model, elo0, elo1, 0.05, 0.05).unwrap();
            let engines = ["new", "old"].map(str::to_owned);
            let bounds = hypotheses.bounds();
            let test = TestState {
                engines,
                limits: None,
                hypotheses,
                verdict,
                n_pairs: 64,
                next_look: 72,
                elo: None,
                warning: None,
                llr: 0.0,
                bounds,
            };
            assert_eq!(test.claim().as_deref(), claim);
        }
    }
}
