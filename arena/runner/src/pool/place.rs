//! One place on this machine: plays one match at a time, and keeps engine processes between matches.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine_proto::{Games, Side};

use crate::play::play_match;
use model::{Job, Moved, OffTurn, Record};
use opponent::{EngineProcess, Kept, Log, Shortage, Spawn, Thoughts};

/// A place with its kept engines.
#[derive(Debug)]
pub struct Place {
    games: Games,
    logs: Option<PathBuf>,
    thoughts: Option<Thoughts>,
    kept: Kept,
}

/// How the engines of a match are started, White's first.
pub type Spawns = [Arc<Spawn>; 2];

impl Place {
    /// A place for matches of these games. `logs` is the folder for protocol logs; `None` for no logs. Keeps at most `most_kept` engines running
    /// between matches.
    pub const fn new(games: Games, logs: Option<PathBuf>, most_kept: usize) -> Self {
        Self { games, logs, thoughts: None, kept: Kept::at_most(most_kept) }
    }

    /// Lets the engines say what they think while they are to move.
    #[must_use]
    pub fn thinking_aloud(mut self, thoughts: Option<Thoughts>) -> Self {
        self.thoughts = thoughts;
        self
    }

    /// Plays a match. With `shares`, each engine, White's first, runs on its own processors. `on_move` is called after
    /// each move, if given.
    ///
    /// # Errors
    /// If the arena has no resources to start an engine.
    pub async fn play(
        &mut self,
        job: &Job,
        spawns: &Spawns,
        shares: Option<&[Vec<usize>; 2]>,
        on_move: Option<&mut dyn FnMut(Moved)>,
    ) -> Result<Record, Shortage> {
        let log = self.logs.as_deref().and_then(|logs| begin_log(logs, job));
        let mut opponents = Vec::new();
        for side in Side::ALL {
            let engine = Arc::clone(&job.player(side).engine);
            let mut spawn = Arc::clone(&spawns[side.index()]);
            if let Some(shares) = shares {
                keep_to(&mut spawn, &shares[side.index()]);
            }
            let log = log.as_ref().map(|log| log.of(&engine.name));
            let opponent = self.kept.take(engine, spawn).await;
            let opponent = opponent.logged_to(log).against(&job.player(!side).engine.name);
            let thinking = self.thoughts.as_ref().map(|thoughts| thoughts.of(job.number, side));
            let opponent = opponent.thinking_aloud(thinking);
            opponents.push(opponent.stopped_off_turn(job.off_turn != OffTurn::Allow));
        }
        let [mut white, mut black]: [EngineProcess; 2] =
            opponents.try_into().expect("each side has an engine");
        let record = play_match(&self.games, job, &mut white, &mut black, on_move).await?;
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
        self.kept.quit().await;
    }
}

/// Makes an engine run on these processors, unless its own configuration names others.
fn keep_to(spawn: &mut Arc<Spawn>, processors: &[usize]) {
    // Without a launcher, nothing can be set for the engine alone.
    if spawn.launcher.is_some() && spawn.confinement.cpu_affinity.is_none() {
        let processors = processors.iter().filter_map(|cpu| u32::try_from(*cpu).ok()).collect();
        Arc::make_mut(spawn).confinement.cpu_affinity = Some(processors);
    }
}

/// The protocol log of a match, whose first line describes the match.
fn begin_log(logs: &Path, job: &Job) -> Option<Log> {
    let log = Log::create(&logs.join(format!("match-{:06}.log", job.number))).ok()?;
    let [white, black] = job.names();
    log.note(format_args!("match {}, {}, White {white}, Black {black}", job.number, job.game));
    Some(log)
}
