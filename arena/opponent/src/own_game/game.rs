//! A game of the user, as one of the games that a tournament knows.

use std::sync::Arc;

use engine_proto::fen::shown;
use engine_proto::{AnyGame, AnyPlay, GameInfo, PlayError};

use super::play::OwnPlay;
use super::rules::Rules;

/// A game whose rules are a program.
pub struct OwnGame(pub Arc<Rules>);

impl AnyGame for OwnGame {
    fn info(&self) -> &GameInfo {
        self.0.constants()
    }

    fn play(&self, fen: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        let position = self.0.position(fen)?;
        Ok(Box::new(OwnPlay::new(Arc::clone(&self.0), position)))
    }

    fn start(&self, name: &str, _seed: u64) -> Result<Box<dyn AnyPlay>, PlayError> {
        let start = self.info().starts.iter().find(|start| start.name == name);
        self.play(start.ok_or_else(|| PlayError::NoStart { name: shown(name) })?.fen)
    }

    fn failure(&self) -> Option<String> {
        self.0.failure().map(str::to_owned)
    }
}
