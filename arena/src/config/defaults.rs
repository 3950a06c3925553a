//! The table `[engine-defaults]`: keys for every engine, as each engine takes them. Nothing after it knows of defaults.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::cage::Cage;
use super::model::{Config, Engine, Limits};
use super::value::OptionValue;

/// Keys for every engine. An engine's own keys take precedence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EngineDefaults {
    /// Options to set by the protocol before every match. An engine adds its own and replaces those that it gives itself.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, OptionValue>,
    /// The threads that each engine thinks with. An engine's own `threads` or option `Threads` takes precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<u32>", range(min = 1))]
    pub threads: Option<Spanned<u32>>,
    /// Environment variables to set. An engine adds its own and replaces those that it gives itself.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Limits in place of the tournament's, for engines without limits of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// What each process may use and do. Each key that an engine's own cage gives takes precedence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cage: Option<Cage>,
}

impl EngineDefaults {
    /// Whether no key is given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn apply_to(&self, engine: &mut Engine) {
        // An option is the same option in any case.
        let is_own =
            |name: &str, engine: &Engine| engine.options.keys().any(|own| own.eq_ignore_ascii_case(name));
        if engine.threads.is_none() && !is_own("Threads", engine) {
            engine.threads.clone_from(&self.threads);
        }
        let missing = self.options.iter().filter(|(name, _)| !is_own(name, engine));
        let missing: Vec<_> = missing.map(|(name, value)| (name.clone(), value.clone())).collect();
        engine.options.extend(missing);
        for (name, value) in &self.environment {
            engine.environment.entry(name.clone()).or_insert_with(|| value.clone());
        }
        engine.limits = match (engine.limits.take(), &self.limits) {
            (Some(own), Some(defaults)) => Some(own.or(defaults)),
            (own, defaults) => own.or_else(|| defaults.clone()),
        };
        engine.cage = match (engine.cage.take(), &self.cage) {
            (Some(own), Some(defaults)) => Some(own.or(defaults)),
            (own, defaults) => own.or_else(|| defaults.clone()),
        };
    }
}

impl Limits {
    /// These limits on thinking if there are any, else those of `defaults`; the margin by itself.
    fn or(self, defaults: &Self) -> Self {
        let margin = self.margin.or(defaults.margin);
        let max_plies = self.max_plies.clone().or_else(|| defaults.max_plies.clone());
        let limits = if self.names_any() { self } else { defaults.clone() };
        Self { margin, max_plies, ..limits }
    }
}

impl Config {
    /// The same with the keys of `[engine-defaults]` at each engine.
    #[must_use]
    pub(super) fn with_engine_defaults(mut self) -> Self {
        let defaults = std::mem::take(&mut self.engine_defaults);
        for engine in &mut self.engines {
            defaults.apply_to(engine);
        }
        self
    }
}
