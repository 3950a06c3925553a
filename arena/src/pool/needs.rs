//! What each engine has of a match's needs, and the tournament's slots made of what it may take. It reads the
//! configuration and what the engines say of themselves.

use super::cores::Cores;
use super::preflight::Preflight;
use super::slots::{Needs, Slots};
use crate::config::Config;
use crate::error::Error;

/// What each engine has of a match's needs, by index.
///
/// # Errors
/// If an engine that sets its own number of threads sets more than the tournament has processors for.
pub fn needs(config: &Config, preflight: &Preflight) -> Result<Vec<Needs>, Error> {
    let cores = config.tournament.n_cores();
    let mut problems = Vec::new();
    let mut needs = Vec::new();
    for (engine, default) in config.engines.iter().zip(&preflight.threads) {
        let threads = engine.n_threads().or(*default).unwrap_or(1).max(1);
        if cores < threads {
            problems.push(format!(
                "engine `{}` thinks with {threads} threads, the default of its option `Threads`, and the tournament has \
                 {cores} processors: set the option, or `threads`, or the tournament's `cores`",
                engine.name.get_ref()
            ));
        }
        let memory = engine.cage(&config.cage).memory.map_or(0, |memory| memory.get_ref().bytes);
        needs.push(Needs { cores: threads, memory });
    }
    if problems.is_empty() { Ok(needs) } else { Err(Error::Engines { problems }) }
}

/// The slots of a tournament of which `n_matches` are still to be played, pinned if that is wanted and possible, and
/// what the user should know of that.
pub fn slots(config: &Config, needs: &[Needs], n_matches: usize) -> (Slots, Option<String>) {
    let tournament = &config.tournament;
    let n_places =
        usize::from(*tournament.concurrency.get_ref()).min(tournament.n_cores() as usize).min(n_matches);
    let all = Needs {
        cores: tournament.n_cores(),
        memory: tournament.memory.as_ref().map_or(u64::MAX, |memory| memory.get_ref().bytes),
    };
    if !cfg!(target_os = "linux") || tournament.pin == Some(false) || n_places == 0 {
        return (Slots::new(n_places, all, None), None);
    }
    let widest = needs.iter().map(|needs| needs.cores as usize).max().unwrap_or(1);
    match Cores::reserve(n_places.saturating_mul(widest).min(all.cores as usize)) {
        Ok(cores) => (Slots::new(n_places, all, Some(cores)), None),
        Err(why) => {
            let warning = format!("matches are not pinned to processors of their own (`pin`): {why}");
            (Slots::new(n_places, all, None), Some(warning))
        }
    }
}
