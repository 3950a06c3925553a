//! When a tournament ends before all its matches are played: the rules as values, and what one of them has found.

use std::fmt;

use clap::ValueEnum;
use ratings::EloModel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When the tournament ends before all its matches are played. The first rule that is fulfilled ends it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StopRules {
    /// A sequential test of two engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtRule>,
    /// Intervals narrow enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionRule>,
    /// An order that is settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separated: Option<Question>,
}

impl StopRules {
    /// Whether there is no rule.
    pub const fn is_empty(&self) -> bool {
        self.sprt.is_none() && self.precision.is_none() && self.separated.is_none()
    }
}

/// A sequential test of two hypotheses on how much stronger the first engine is than the second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtRule {
    /// The first hypothesis, Elo.
    pub elo0: f64,
    /// The second hypothesis, Elo.
    pub elo1: f64,
    /// The chance that the second hypothesis is accepted where the first is true.
    pub alpha: f64,
    /// The chance that the first hypothesis is accepted where the second is true.
    pub beta: f64,
    /// What Elo means in the hypotheses.
    pub model: EloModelKey,
    /// The test looks after each batch of this number of pairs.
    pub batch: u64,
}

/// Every rating has an interval narrow enough.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrecisionRule {
    /// The greatest half width, Elo.
    pub elo: f64,
    /// The ratings that it looks at.
    pub scope: Scope,
}

/// The ratings that a rule looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The ratings over all games.
    #[default]
    Overall,
    /// The ratings of every game.
    Games,
}

/// A question about the engines' order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Which engine is the strongest?
    Best,
    /// Which are the strongest, this number of them, in any order?
    Top(usize),
    /// What is the order of all engines?
    Order,
    /// Which of these two is stronger?
    Above([String; 2]),
}

/// What an Elo difference of a hypothesis means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "EloModel")]
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

/// What ended a tournament, and after how many pairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The rule.
    pub rule: RuleName,
    /// The pairs that it was decided by, in the order in which they were begun.
    pub n_pairs: u32,
    /// What was found, in words.
    pub answer: String,
}

/// A rule that ends a tournament, by its key in `[stop]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleName {
    /// A sequential test.
    Sprt,
    /// Intervals narrow enough.
    Precision,
    /// An order that is settled.
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
