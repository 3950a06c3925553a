//! The engines of one place that keep running between matches: at most one process per engine.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Contender, EngineProcess, Session, Spawn};
use model::Engine;

/// Idle engines.
#[derive(Debug)]
pub struct Kept {
    /// The maximum number.
    most: usize,
    /// The one that is idle longest comes first.
    idle: VecDeque<(Contender, Session)>,
}

impl Kept {
    /// Keeps at most this number.
    pub const fn at_most(most: usize) -> Self {
        Self { most, idle: VecDeque::new() }
    }

    /// The engine for a match, with its kept process if there is one. A process with other limits or other processors is
    /// ended.
    pub async fn take(&mut self, engine: Arc<Engine>, spawn: Arc<Spawn>) -> EngineProcess {
        let place = self.idle.iter().position(|(contender, _)| contender.engine.name == engine.name);
        let session = match place.and_then(|place| self.idle.remove(place)) {
            Some((earlier, session)) if earlier.spawn.confinement == spawn.confinement => Some(session),
            Some((_, session)) => {
                session.quit().await;
                None
            }
            None => None,
        };
        EngineProcess::new(engine, spawn, session)
    }

    /// Keeps the process of an engine after a match, if it can be used again.
    pub async fn keep(&mut self, engine: EngineProcess) {
        let Some((contender, mut session)) = engine.into_session() else { return };
        session.log_to(None);
        self.idle.push_back((contender, session));
        // The next match is often between the same two engines.
        if let Some((_, earlier)) = self.idle.iter_mut().rev().nth(2) {
            earlier.rest();
        }
        if self.most < self.idle.len()
            && let Some((_, oldest)) = self.idle.pop_front()
        {
            oldest.quit().await;
        }
    }

    /// Ends all engines with `quit`.
    pub async fn quit(&mut self) {
        for (_, session) in self.idle.drain(..) {
            session.quit().await;
        }
    }
}
