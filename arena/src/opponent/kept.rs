//! The engines of one place that keep running between matches: at most one process per engine.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{EngineProcess, Session, Spawn};
use crate::tournament::Engine;

/// The maximum number of idle engines that a place keeps running.
const MOST: usize = 16;

/// Idle engines.
#[derive(Debug, Default)]
pub struct Kept {
    /// By engine name; the one that is idle longest comes first.
    idle: VecDeque<(String, Session)>,
}

impl Kept {
    /// The engine for a match, with its kept process if there is one.
    pub fn take(&mut self, engine: Arc<Engine>, spawn: Arc<Spawn>) -> EngineProcess {
        let place = self.idle.iter().position(|(name, _)| *name == engine.name);
        let session = place.and_then(|place| self.idle.remove(place)).map(|(_, session)| session);
        EngineProcess::new(engine, spawn, session)
    }

    /// Keeps the process of an engine after a match, if it can be used again.
    pub async fn keep(&mut self, engine: EngineProcess) {
        let Some((name, mut session)) = engine.into_session() else { return };
        session.log_to(None);
        self.idle.push_back((name, session));
        // The next match is often between the same two engines.
        if let Some((_, earlier)) = self.idle.iter_mut().rev().nth(2) {
            earlier.rest();
        }
        if MOST < self.idle.len()
            && let Some((_, oldest)) = self.idle.pop_front()
        {
            oldest.quit().await;
        }
    }

    /// Ends all engines with `quit`.
    pub async fn quit(self) {
        for (_, session) in self.idle {
            session.quit().await;
        }
    }
}
