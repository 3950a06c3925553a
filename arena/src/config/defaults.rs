//! The table `[engine-defaults]`: keys for every engine, as each engine takes them. Nothing after it knows of defaults.

use super::model::{Config, Engine, EngineDefaults, Limits};

impl EngineDefaults {
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
