//! Copies the keys of `[engine-defaults]` to each engine, so that no other code needs to know them.

use super::file::{Config, Engine, EngineDefaults, Limits};

impl EngineDefaults {
    fn apply_to(&self, engine: &mut Engine) {
        // Names of options are compared without case.
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
    /// These limits if there are any, else those of `defaults`. The margin has its own default.
    fn or(self, defaults: &Self) -> Self {
        let margin = self.margin.or(defaults.margin);
        let max_plies = self.max_plies.clone().or_else(|| defaults.max_plies.clone());
        let limits = if self.names_any() { self } else { defaults.clone() };
        Self { margin, max_plies, ..limits }
    }
}

impl Config {
    /// The configuration with the keys of `[engine-defaults]` copied to each engine.
    #[must_use]
    pub(super) fn with_engine_defaults(mut self) -> Self {
        let defaults = std::mem::take(&mut self.engine_defaults);
        for engine in &mut self.engines {
            defaults.apply_to(engine);
        }
        self
    }
}
