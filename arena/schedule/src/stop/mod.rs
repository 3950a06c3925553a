//! Stop rules: each gets the pairs in order, and reports when it is fulfilled. Pure; they do not end anything
//! themselves.

mod finding;
mod precision;
mod separated;
mod sprt;

pub use finding::{Finding, TestState, reached, summary};
pub use precision::Precision;
pub use separated::Separated;
pub use sprt::{SprtTest, SprtTests, raised_batch};

use super::finished_pair::FinishedPair;
use model::{Decided, RuleName};
use ratings::{SprtVerdict, Tally};

/// The rules of a tournament, and the pairs added so far.
#[derive(Clone, Debug)]
pub struct Stopping {
    rules: Vec<Rule>,
    tally: Tally,
    n_pairs: u32,
    /// The number of pairs at which the ratings are looked at next.
    next_look: u32,
    decided: Option<Decided>,
}

/// One rule.
#[derive(Clone, Debug)]
pub enum Rule {
    /// Sequential tests, one for each candidate.
    Sprt(SprtTests),
    /// A limit on the width of the rating intervals.
    Precision(Precision),
    /// A question about the order of the engines.
    Separated(Separated),
}

/// The smallest number of pairs between two looks at the ratings; later it is a hundredth of the pairs so far.
const LOOK_PAIRS: u32 = 8;
const LOOK_GROWTH: u32 = 100;

impl Stopping {
    /// The rules without pairs.
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { rules, tally: Tally::new(), n_pairs: 0, next_look: LOOK_PAIRS, decided: None }
    }

    /// Adds the next pair in order. Returns the decision that ends the tournament, or else that of a test, if this pair led to
    /// one. A decision is final.
    pub fn add(&mut self, pair: &FinishedPair<'_>) -> Option<Decided> {
        if self.decided.is_some() {
            return None;
        }
        self.n_pairs += 1;
        pair.tell(&mut self.tally);
        let is_look = self.next_look <= self.n_pairs;
        if is_look {
            let step = LOOK_PAIRS.max(self.n_pairs / LOOK_GROWTH).next_multiple_of(LOOK_PAIRS);
            self.next_look = self.n_pairs + step;
        }
        let mut of_test = None;
        for rule in &mut self.rules {
            let answer = match rule {
                Rule::Sprt(tests) => {
                    of_test = tests.add(pair);
                    tests.answer()
                }
                Rule::Precision(rule) if is_look => rule.look(&self.tally),
                Rule::Separated(rule) if is_look => rule.look(&self.tally),
                Rule::Precision(_) | Rule::Separated(_) => None,
            };
            if let Some(answer) = answer {
                self.decided.get_or_insert(Decided { rule: rule.name(), n_pairs: self.n_pairs, answer });
            }
        }
        self.decided.clone().or(of_test)
    }

    /// Whether the rules need more pairs of these engines under these limits: not if their test is decided, or under others.
    pub fn needs(&self, engines: [&str; 2], limits_idx: usize) -> bool {
        self.decided.is_none() && self.tests().is_none_or(|tests| tests.needs(engines, limits_idx))
    }

    /// Whether the rules may need more pairs of these engines under these limits, now or later.
    pub fn may_need(&self, engines: [&str; 2], limits_idx: usize) -> bool {
        self.decided.is_none() && self.tests().is_none_or(|tests| tests.may_need(engines, limits_idx))
    }

    /// The sequential tests, if there are any.
    pub fn tests(&self) -> Option<&SprtTests> {
        self.rules.iter().find_map(Rule::tests)
    }

    /// The decision, if there is one.
    pub const fn decided(&self) -> Option<&Decided> {
        self.decided.as_ref()
    }

    /// What the rules have found from all pairs so far.
    pub fn findings(&self) -> Vec<Finding> {
        let of_test = |test: &SprtTest| Finding {
            rule: RuleName::Sprt,
            answer: test.outcome(),
            test: Some(test.state()),
            details: test.findings(),
        };
        let of_ratings = |rule: &Rule, details| {
            let decided = self.decided.as_ref().filter(|decided| decided.rule == rule.name());
            let answer = match decided {
                Some(Decided { n_pairs, answer, .. }) => format!("decided after {n_pairs} pairs: {answer}"),
                None if self.n_pairs == 0 => "no pair is finished yet".to_owned(),
                None => format!("undecided after {} pairs", self.n_pairs),
            };
            vec![Finding { rule: rule.name(), answer, test: None, details }]
        };
        let of_rule = |rule: &Rule| match rule {
            Rule::Sprt(tests) => tests.begun().map(of_test).collect(),
            Rule::Precision(precision) => of_ratings(rule, precision.findings(&self.tally)),
            Rule::Separated(separated) => of_ratings(rule, separated.findings(&self.tally)),
        };
        self.rules.iter().flat_map(of_rule).collect()
    }

    /// What the sequential tests have found so far, if there are any: undecided as long as one of them is, H1 if any candidate
    /// has passed its test.
    pub fn sprt(&self) -> Option<SprtVerdict> {
        self.tests().map(SprtTests::verdict)
    }

    /// The rules in words, with their expected duration, for a tournament in which two engines play at most
    /// `most_pairs` under the limits with an index, or under all.
    pub fn prospects(&self, most_pairs: impl Fn([&str; 2], Option<usize>) -> u32) -> Vec<String> {
        let of_rule = |rule: &Rule| match rule {
            Rule::Sprt(tests) => tests.prospect(&most_pairs),
            Rule::Precision(rule) => rule.prospect(&self.tally, self.n_pairs),
            Rule::Separated(rule) => rule.prospect(),
        };
        self.rules.iter().map(of_rule).collect()
    }
}

impl Rule {
    const fn tests(&self) -> Option<&SprtTests> {
        match self {
            Self::Sprt(tests) => Some(tests),
            Self::Precision(_) | Self::Separated(_) => None,
        }
    }

    const fn name(&self) -> RuleName {
        match self {
            Self::Sprt(_) => RuleName::Sprt,
            Self::Precision(_) => RuleName::Precision,
            Self::Separated(_) => RuleName::Separated,
        }
    }
}
