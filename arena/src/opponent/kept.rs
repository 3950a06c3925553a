//! The engines of one place that keep running between matches: at most one process an engine.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{EngineProcess, Session, Spawn};
use crate::tournament::Engine;

/// This number of idle engines keeps running for the next matches of a place.
const MOST: usize = 16;

/// Engines that wait for their next match.
#[derive(Debug, Default)]
pub struct Kept {
    /// By the engine's name, the longest unused first.
    idle: VecDeque<(String, Session)>,
}

impl Kept {
    /// The engine for a match: its process if that was kept.
    pub fn take(&mut self, engine: Arc<Engine>, spawn: Arc<Spawn>) -> EngineProcess {
        let place = self.idle.iter().position(|(name, _)| *name == engine.name);
        let session = place.and_then(|place| self.idle.remove(place)).map(|(_, session)| session);
        EngineProcess::new(engine, spawn, session)
    }

    /// Keeps the process of an engine that has played, if it may play again.
    pub async fn keep(&mut self, engine: EngineProcess) {
        let Some((name, mut session)) = engine.into_session() else { return };
        session.log_to(None);
        self.idle.push_back((name, session));
        // The next match is often one of the same two.
        if let Some((_, earlier)) = self.idle.iter_mut().rev().nth(2) {
            earlier.rest();
        }
        if MOST < self.idle.len()
            && let Some((_, oldest)) = self.idle.pop_front()
        {
            oldest.quit().await;
        }
    }

    /// Ends all engines, politely.
    pub async fn quit(self) {
        for (_, session) in self.idle {
            session.quit().await;
        }
    }
}
