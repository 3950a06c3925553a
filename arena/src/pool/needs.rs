//! What each engine has of a match's needs, and the tournament's slots made of what it may take. It reads what is
//! configured and what the engines say of themselves.

use super::PrepareError;
use super::cores::Cores;
use super::slots::{Needs, Slots};
use crate::tournament::{Resources, Tournament};

/// What each engine has of a match's needs, in order. `defaults` are the threads that each sets for itself.
///
/// # Errors
/// If an engine that sets its own number of threads sets more than the tournament has processors for.
pub fn needs(tournament: &Tournament, defaults: &[Option<u32>]) -> Result<Vec<Needs>, PrepareError> {
    let cores = tournament.resources.cores;
    let mut problems = Vec::new();
    let mut needs = Vec::new();
    for (engine, default) in tournament.engines.iter().zip(defaults) {
        let threads = engine.n_threads().or(*default).unwrap_or(1).max(1);
        if cores < threads {
            problems.push(format!(
                "engine `{}` uses {threads} threads (the default of its option `Threads`), but the tournament has only \
                 {cores} processors; lower the option or `threads`, or raise `cores` in `[tournament]`",
                engine.name
            ));
        }
        let memory = engine.cage.memory.map_or(0, |memory| memory.bytes);
        needs.push(Needs { cores: threads, memory });
    }
    if problems.is_empty() { Ok(needs) } else { Err(PrepareError::Engines { problems }) }
}

/// The slots of a tournament of which `n_matches` are still to be played, pinned if that is wanted and possible, and
/// what the user should know of that.
pub fn slots(resources: &Resources, needs: &[Needs], n_matches: usize) -> (Slots, Option<String>) {
    let n_places = usize::from(resources.concurrency).min(resources.cores as usize).min(n_matches);
    let all =
        Needs { cores: resources.cores, memory: resources.memory.map_or(u64::MAX, |memory| memory.bytes) };
    if !cfg!(target_os = "linux") || !resources.pin || n_places == 0 {
        return (Slots::new(n_places, all, None), None);
    }
    let widest = needs.iter().map(|needs| needs.cores as usize).max().unwrap_or(1);
    match Cores::reserve(n_places.saturating_mul(widest).min(all.cores as usize)) {
        Ok(cores) => (Slots::new(n_places, all, Some(cores)), None),
        Err(why) => {
            let warning = format!("matches are not pinned to processors (`pin`): {why}");
            (Slots::new(n_places, all, None), Some(warning))
        }
    }
}
