//! What each engine needs for a match, and the slots of the tournament, from the configuration and the engines'
//! greetings.

use super::PrepareError;
use super::cores::Cores;
use super::slots::{Needs, Slots};
use crate::tournament::{Resources, Tournament};

/// What each engine needs for a match, in order. `defaults` are the engines' own numbers of threads.
///
/// # Errors
/// If an engine uses more threads by itself than the tournament has processors.
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

/// The slots for the `n_matches` remaining matches, pinned if this is wanted and possible, with warnings for the user.
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
