//! The keys of `[stop]`, which end a tournament early, and of `[adaptive]`.

use ratings::{DEFAULT_BATCH_PAIRS, Hypotheses, HypothesesError};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(feature = "schema")]
use serde::Serialize;

use super::value::Key;
use model::{EloModelKey, Scope};

/// When the tournament ends before all its matches are played. The first rule that is fulfilled ends it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Stop {
    /// When the sequential test of each candidate has accepted one of its two hypotheses. Default: never.
    pub sprt: Option<SprtKeys>,
    /// When every rating is known to within a chosen margin. Default: never.
    pub precision: Option<PrecisionKeys>,
    /// When the ratings answer a question about the engines' order. Default: never.
    pub separated: Option<SeparatedKeys>,
}

impl Stop {
    /// Whether no rule is given.
    pub const fn is_empty(&self) -> bool {
        self.sprt.is_none() && self.precision.is_none() && self.separated.is_none()
    }
}

/// A sequential test of two hypotheses on how much stronger the first engine of the file is than the second. In a gauntlet with
/// one seed, every other engine is tested against it, and plays no more when its test is decided.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SprtKeys {
    /// The first hypothesis: the difference in Elo. Default: 0.
    pub elo0: Key<f64>,
    /// The second hypothesis: the difference in Elo. Default: 5.
    pub elo1: Key<f64>,
    /// The probability of accepting the second hypothesis if the first is true. Default: 0.05.
    pub alpha: Key<f64>,
    /// The probability of accepting the first hypothesis if the second is true. Default: 0.05.
    pub beta: Key<f64>,
    /// What Elo means in the hypotheses. Default: `normalized`.
    pub model: EloModelKey,
    /// The names of all `[[limits]]`, in the order in which a candidate is tested under them: it must pass each test to reach the next
    /// one. Default: one test of the pairs under all limits.
    pub limits: Vec<Key<String>>,
    /// The test checks the results after each batch of this number of pairs, at least 8. Default: 8.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub batch: Key<u64>,
}

impl Default for SprtKeys {
    fn default() -> Self {
        Self {
            elo0: 0.0.into(),
            elo1: 5.0.into(),
            alpha: 0.05.into(),
            beta: 0.05.into(),
            model: EloModelKey::default(),
            limits: Vec::new(),
            batch: DEFAULT_BATCH_PAIRS.into(),
        }
    }
}

impl SprtKeys {
    /// The hypotheses.
    ///
    /// # Errors
    /// If they cannot be tested.
    pub fn hypotheses(&self) -> Result<Hypotheses, HypothesesError> {
        let [elo0, elo1, alpha, beta] =
            [&self.elo0, &self.elo1, &self.alpha, &self.beta].map(|key| *key.get_ref());
        Hypotheses::new(self.model.into(), elo0, elo1, alpha, beta)
    }

    /// All that is wrong with them.
    pub fn wrong_hypotheses(&self) -> impl Iterator<Item = HypothesesError> {
        let of = |keys: &Self| keys.hypotheses().err();
        let usual = Self { model: self.model, ..Self::default() };
        let differences = Self { elo0: self.elo0.clone(), elo1: self.elo1.clone(), ..usual.clone() };
        let alpha = Self { alpha: self.alpha.clone(), ..usual.clone() };
        let beta = Self { beta: self.beta.clone(), ..usual };
        [of(&differences), of(&alpha), of(&beta)].into_iter().flatten()
    }
}

/// Every rating is known to within a chosen margin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PrecisionKeys {
    /// The margin in Elo: half the width of the widest interval.
    pub elo: Key<f64>,
    /// The ratings that must be known. Default: `overall`.
    #[serde(default)]
    pub scope: Scope,
}

/// The overall ratings answer a question about the engines' order.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SeparatedKeys {
    /// The question.
    pub question: Key<Question>,
    /// For `top`: the number of engines.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub n: Option<Key<usize>>,
    /// For `above`: the two engines, by name.
    pub engines: Option<Key<Vec<Key<String>>>>,
}

/// A question about the engines' order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// Which engine is the strongest?
    Best,
    /// Which are the `n` strongest, in any order?
    Top,
    /// What is the order of all engines?
    Order,
    /// Which of two engines, `engines`, is the stronger one?
    Above,
}

/// Settings of the format `adaptive`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct AdaptiveKeys {
    /// The tournament ends after this number of matches. Default: when `[stop]` ends it, or every pairing has played `pairs`.
    #[cfg_attr(feature = "schema", schemars(range(min = 2)))]
    pub matches: Option<Key<u32>>,
    /// Every pairing first plays this number of pairs in every game. Default: 2.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub floor: Key<u32>,
    /// The number of pairs that are chosen at once; more when many have been played. Default: 8.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub batch: Key<u32>,
}

impl Default for AdaptiveKeys {
    fn default() -> Self {
        Self { matches: None, floor: 2.into(), batch: 8.into() }
    }
}

impl AdaptiveKeys {
    /// Whether every key has its default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
