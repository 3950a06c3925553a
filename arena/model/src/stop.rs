//! Stop rules: when a tournament ends before all its matches are played, and what a rule found.

use std::fmt;

use ratings::{EloModel, Hypotheses};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When the tournament ends before all its matches are played. The first fulfilled rule ends it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StopRules {
    /// Sequential tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtRule>,
    /// A limit on the width of the rating intervals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionRule>,
    /// A question about the order of the engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separated: Option<Question>,
    /// Whether in an earlier run results decided which of the stored matches were played, or how many. No key of the tournament
    /// file: the results folder keeps it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub earlier: bool,
    /// The test that the matches were begun for, if they continue without one. No key of the tournament file, either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_sprt: Option<SprtRule>,
}

impl StopRules {
    /// Whether there is no rule, and was none.
    pub const fn is_empty(&self) -> bool {
        self.has_none_now() && !self.earlier
    }

    /// Whether there is no rule, whatever there was.
    pub const fn has_none_now(&self) -> bool {
        self.sprt.is_none() && self.precision.is_none() && self.separated.is_none()
    }

    /// The test that the matches were begun for.
    pub fn test(&self) -> Option<&SprtRule> {
        self.sprt.as_ref().or(self.first_sprt.as_ref())
    }
}

/// Sequential tests of two hypotheses about a strength difference: of the first and the second engine, or in a gauntlet with one
/// seed of each other engine and the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtRule {
    /// The first hypothesis, in Elo.
    pub elo0: f64,
    /// The second hypothesis, in Elo.
    pub elo1: f64,
    /// The probability that the second hypothesis is accepted although the first is true.
    pub alpha: f64,
    /// The probability that the first hypothesis is accepted although the second is true.
    pub beta: f64,
    /// The Elo scale of the hypotheses.
    pub model: EloModelKey,
    /// The number of pairs between two looks at the results.
    pub batch: u64,
    /// The names of the limits under which the tests are made in turn, each of them only if the one before accepts the second
    /// hypothesis; empty for one test under all limits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
}

impl SprtRule {
    /// What the test decides between, with its error rates; `None` if these cannot be tested.
    pub fn hypotheses(&self) -> Option<Hypotheses> {
        Hypotheses::new(self.model.into(), self.elo0, self.elo1, self.alpha, self.beta).ok()
    }
}

/// Ends the tournament when every rating's interval is narrow enough.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrecisionRule {
    /// The largest half width of an interval, in Elo.
    pub elo: f64,
    /// The ratings that must be narrow enough.
    pub scope: Scope,
}

/// The ratings that a rule applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The overall ratings.
    #[default]
    Overall,
    /// The ratings of every game.
    Games,
}

/// A question about the order of the engines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Which engine is the strongest?
    Best,
    /// Which engines are the strongest? Their number is given, their order does not matter.
    Top(usize),
    /// What is the order of all engines?
    Order,
    /// Which of these two is stronger?
    Above([String; 2]),
}

/// The Elo scale of a hypothesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(rename = "EloModel"))]
pub enum EloModelKey {
    /// Normalized Elo: the score above one half in units of its standard deviation
    #[default]
    Normalized,
    /// Elo as usual: the logistic curve of the expected score
    Logistic,
}

impl From<EloModelKey> for EloModel {
    fn from(key: EloModelKey) -> Self {
        match key {
            EloModelKey::Normalized => Self::Normalized,
            EloModelKey::Logistic => Self::Logistic,
        }
    }
}

/// The reason for the end of a tournament, and the number of pairs that it is based on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The rule.
    pub rule: RuleName,
    /// The number of pairs that the decision is based on, in the order in which they started.
    pub n_pairs: u32,
    /// The finding, in words.
    pub answer: String,
}

/// A stop rule, named by its key in `[stop]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleName {
    /// A sequential test.
    Sprt,
    /// A limit on the width of the rating intervals.
    Precision,
    /// A question about the order of the engines.
    Separated,
}

impl fmt::Display for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sprt => "sprt",
            Self::Precision => "precision",
            Self::Separated => "separated",
        })
    }
}
