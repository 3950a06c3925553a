//! What each engine needs for a match, and the slots of the tournament, from the configuration and the engines'
//! greetings.

use std::sync::Arc;

use super::PrepareError;
use super::cores::Cores;
use super::preflight::ThreadsOption;
use super::slots::{Needs, Slots};
use crate::tournament::{Resources, Tournament};

/// Sets the option `Threads` of each engine that would use more threads by default than the tournament has processors.
/// Returns a warning for each.
pub fn grant_threads(tournament: &mut Tournament, options: &[Option<ThreadsOption>]) -> Vec<String> {
    let cores = tournament.resources.cores;
    let mut warnings = Vec::new();
    for (engine, option) in tournament.engines.iter_mut().zip(options) {
        let Some(ThreadsOption { name, default, least }) = option else { continue };
        if engine.n_threads().is_some() || *default <= cores || cores < *least {
            continue;
        }
        Arc::make_mut(engine).options.insert(name.clone(), cores.to_string());
        warnings.push(format!(
            "engine `{}` would use {default} threads by default, so the arena sets its option `{name}` to {cores}, the \
             number of processors of the tournament (`cores`)",
            engine.name
        ));
    }
    warnings
}

/// What each engine needs for a match, in order. `options` are the engines' own options `Threads`.
///
/// # Errors
/// If an engine uses more threads by itself than the tournament has processors.
pub fn needs(tournament: &Tournament, options: &[Option<ThreadsOption>]) -> Result<Vec<Needs>, PrepareError> {
    let cores = tournament.resources.cores;
    let mut problems = Vec::new();
    let mut needs = Vec::new();
    for (engine, option) in tournament.engines.iter().zip(options) {
        let default = option.as_ref().map(|option| option.default);
        let threads = engine.n_threads().or(default).unwrap_or(1).max(1);
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
