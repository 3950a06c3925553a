//! A game of the user, as the registry of games knows it. Its rules may be replaced by those of another tournament.

use std::sync::{Arc, PoisonError, RwLock};

use engine_proto::{AnyGame, AnyPlay, GameInfo, PlayError};

use super::play::OwnPlay;
use super::rules::Rules;

/// A game whose rules are a program.
pub struct OwnGame {
    rules: RwLock<Arc<Rules>>,
}

impl OwnGame {
    /// The game with these rules.
    pub fn new(rules: Rules) -> Self {
        Self { rules: RwLock::new(Arc::new(rules)) }
    }

    /// Its rules.
    pub fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.rules.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the rules. Plays that have begun keep theirs.
    pub fn replace(&self, rules: Rules) {
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(rules);
    }
}

impl AnyGame for OwnGame {
    fn info(&self) -> &'static GameInfo {
        self.rules().constants()
    }

    fn play(&self, fen: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        let rules = self.rules();
        let position = rules.position(fen)?;
        Ok(Box::new(OwnPlay::new(rules, position)))
    }

    fn start(&self, name: &str, _seed: u64) -> Option<Box<dyn AnyPlay>> {
        let start = self.info().starts.iter().find(|start| start.name == name)?;
        self.play(start.fen).ok()
    }

    fn failure(&self) -> Option<String> {
        self.rules().failure().map(str::to_owned)
    }
}
