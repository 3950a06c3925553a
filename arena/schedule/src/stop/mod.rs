//! Stop rules: each gets the pairs in order, and reports when it is fulfilled. Pure; they do not end anything
//! themselves.

mod finding;
mod precision;
mod separated;
mod sprt;

pub use finding::{Finding, TestState};
pub use precision::Precision;
pub use separated::Separated;
pub use sprt::SprtTest;
pub use sprt::raised_batch;

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
    /// A sequential test of two engines.
    Sprt(Box<SprtTest>),
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

    /// Adds the next pair in order. A decision is final.
    pub fn add(&mut self, pair: &FinishedPair<'_>) {
        if self.decided.is_some() {
            return;
        }
        self.n_pairs += 1;
        pair.tell(&mut self.tally);
        let is_look = self.next_look <= self.n_pairs;
        if is_look {
            let step = LOOK_PAIRS.max(self.n_pairs / LOOK_GROWTH).next_multiple_of(LOOK_PAIRS);
            self.next_look = self.n_pairs + step;
        }
        for rule in &mut self.rules {
            let answer = match rule {
                Rule::Sprt(test) => test.add(pair),
                Rule::Precision(rule) if is_look => rule.look(&self.tally),
                Rule::Separated(rule) if is_look => rule.look(&self.tally),
                Rule::Precision(_) | Rule::Separated(_) => None,
            };
            if let Some(answer) = answer {
                self.decided.get_or_insert(Decided { rule: rule.name(), n_pairs: self.n_pairs, answer });
            }
        }
    }

    /// The decision, if there is one.
    pub const fn decided(&self) -> Option<&Decided> {
        self.decided.as_ref()
    }

    /// What the rules have found from all pairs so far.
    pub fn findings(&self) -> Vec<Finding> {
        let of_rule = |rule: &Rule| {
            let decided = self.decided.as_ref().filter(|decided| decided.rule == rule.name());
            Finding {
                rule: rule.name(),
                answer: match decided {
                    Some(Decided { n_pairs, answer, .. }) => {
                        format!("decided after {n_pairs} pairs: {answer}")
                    }
                    None => format!("undecided after {} pairs", self.n_pairs),
                },
                test: match rule {
                    Rule::Sprt(test) => Some(test.state()),
                    Rule::Precision(_) | Rule::Separated(_) => None,
                },
                details: match rule {
                    Rule::Sprt(test) => test.findings(),
                    Rule::Precision(rule) => rule.findings(&self.tally),
                    Rule::Separated(rule) => rule.findings(&self.tally),
                },
            }
        };
        self.rules.iter().map(of_rule).collect()
    }

    /// What the sequential test has found so far, if there is one.
    pub fn sprt(&self) -> Option<SprtVerdict> {
        self.rules.iter().find_map(|rule| match rule {
            Rule::Sprt(test) => Some(test.verdict()),
            Rule::Precision(_) | Rule::Separated(_) => None,
        })
    }

    /// The rules in words, with their expected duration, for a tournament of at most `most_pairs`.
    pub fn prospects(&self, most_pairs: u32) -> Vec<String> {
        let of_rule = |rule: &Rule| match rule {
            Rule::Sprt(test) => test.prospect(most_pairs),
            Rule::Precision(rule) => rule.prospect(&self.tally, self.n_pairs),
            Rule::Separated(rule) => rule.prospect(),
        };
        self.rules.iter().map(of_rule).collect()
    }
}

impl Rule {
    const fn name(&self) -> RuleName {
        match self {
            Self::Sprt(_) => RuleName::Sprt,
            Self::Precision(_) => RuleName::Precision,
            Self::Separated(_) => RuleName::Separated,
        }
    }
}
