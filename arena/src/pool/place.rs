//! One place on this machine: plays one match at a time, and keeps engine processes between matches.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine_proto::Side;

use crate::opponent::{EngineProcess, Kept, Log, Shortage, Spawn};
use crate::play::play_match;
use crate::tournament::{Job, Moved, OffTurn, Record};

/// A place with its kept engines.
#[derive(Debug)]
pub struct Place {
    spawns: Arc<BTreeMap<String, Arc<Spawn>>>,
    logs: Option<PathBuf>,
    kept: Kept,
}

impl Place {
    /// A place. `spawns` says how engines are started, by name. `logs` is the folder for protocol logs; `None` for no
    /// logs.
    pub fn new(spawns: Arc<BTreeMap<String, Arc<Spawn>>>, logs: Option<PathBuf>) -> Self {
        Self { spawns, logs, kept: Kept::default() }
    }

    /// Plays a match. `on_move` is called after each move, if given.
    ///
    /// # Errors
    /// If the arena has no resources to start an engine.
    ///
    /// # Panics
    /// If an engine of the job is not in `spawns`.
    pub async fn play(
        &mut self,
        job: &Job,
        on_move: Option<&mut dyn FnMut(Moved)>,
    ) -> Result<Record, Shortage> {
        let log = self.logs.as_deref().and_then(|logs| begin_log(logs, job));
        let mut opponent = |side: Side| -> EngineProcess {
            let engine = Arc::clone(&job.player(side).engine);
            let spawn = Arc::clone(&self.spawns[&engine.name]);
            let log = log.as_ref().map(|log| log.of(&engine.name));
            self.kept.take(engine, spawn).logged_to(log).stopped_off_turn(job.off_turn != OffTurn::Allow)
        };
        let (mut white, mut black) = (opponent(Side::White), opponent(Side::Black));
        let record = play_match(job, &mut white, &mut black, on_move).await?;
        for opponent in [white, black] {
            self.kept.keep(opponent).await;
        }
        if let Some(log) = log {
            let evidence = record.evidence.as_deref().unwrap_or_default();
            let evidence = engine_proto::fen::shown(evidence);
            log.note(format_args!("{}, {} {evidence}", record.result, record.reason));
        }
        Ok(record)
    }

    /// Ends the kept engines with `quit`.
    pub async fn rest(&mut self) {
        std::mem::take(&mut self.kept).quit().await;
    }
}

/// The protocol log of a match, whose first line describes the match.
fn begin_log(logs: &Path, job: &Job) -> Option<Log> {
    let log = Log::create(&logs.join(format!("match-{:06}.log", job.number))).ok()?;
    let [white, black] = job.names();
    log.note(format_args!("match {}, {}, White {white}, Black {black}", job.number, job.game));
    Some(log)
}
