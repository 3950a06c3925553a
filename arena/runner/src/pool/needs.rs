//! What each engine needs for a match, and the slots of the tournament, from the configuration and the engines'
//! greetings.

use std::sync::Arc;

use super::PrepareError;
use super::cores::Cores;
use super::preflight::ThreadsOption;
use super::slots::{Needs, Slots};
use model::{Resources, Tournament};

/// Sets the option `Threads` of each engine that would use more threads by default than the tournament has processors, or
/// half of them, if engines think at the same time. Returns a warning for each.
pub fn grant_threads(tournament: &mut Tournament, options: &[Option<ThreadsOption>]) -> Vec<String> {
    let all = tournament.resources.cores;
    let (cores, which) = if tournament.rules.ponder {
        ((all / 2).max(1), "half of the processors of the tournament (`cores`, `ponder = true`)")
    } else {
        (all, "the number of processors of the tournament (`cores`)")
    };
    let mut warnings = Vec::new();
    for (engine, option) in tournament.engines.iter_mut().zip(options) {
        let Some(ThreadsOption { name, default, least }) = option else { continue };
        if engine.n_threads().is_some() || *default <= cores || cores < *least {
            continue;
        }
        Arc::make_mut(engine).options.insert(name.clone(), cores.to_string());
        warnings.push(format!(
            "engine `{}` would use {default} threads by default, so the arena sets its option `{name}` to {cores}, \
             {which}",
            engine.name
        ));
    }
    warnings
}

/// What each engine needs for a match, in order. `options` are the engines' own options `Threads`, and `ponders` says
/// which engines think on their opponents' time.
///
/// # Errors
/// If an engine uses more threads by itself than the tournament has processors, or two engines that may meet use more
/// together and one of them ponders.
pub fn needs(
    tournament: &Tournament,
    options: &[Option<ThreadsOption>],
    ponders: &[bool],
) -> Result<Vec<Needs>, PrepareError> {
    let cores = tournament.resources.cores;
    let mut problems = Vec::new();
    let mut needs = Vec::new();
    for ((engine, option), &ponders) in tournament.engines.iter().zip(options).zip(ponders) {
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
        needs.push(Needs { cores: threads, memory, ponders });
    }
    if problems.is_empty() {
        problems.extend(too_wide_pair(tournament, &needs));
    }
    if problems.is_empty() { Ok(needs) } else { Err(PrepareError::Engines { problems }) }
}

/// The problem of two engines that may meet, but need more processors together than there are.
fn too_wide_pair(tournament: &Tournament, needs: &[Needs]) -> Option<String> {
    if needs.iter().all(|needs| !needs.ponders) {
        return None;
    }
    let (names, cores) = (tournament.names(), tournament.resources.cores);
    let needed = |one: usize, other: usize| Needs::of_match([needs[one], needs[other]]).cores;
    let mut pairs = (0..names.len()).flat_map(|one| (one + 1..names.len()).map(move |other| (one, other)));
    let (one, other) = pairs.find(|&(one, other)| {
        cores < needed(one, other) && tournament.may_meet(&names[one], &names[other])
    })?;
    Some(format!(
        "a match of `{}` and `{}` needs {} processors, because engines think on their opponents' time \
         (`ponder = true`), but the tournament has only {cores}; lower `threads`, raise `cores` in `[tournament]`, or \
         set `ponder = false`",
        names[one],
        names[other],
        needed(one, other)
    ))
}

/// The slots for the `n_matches` remaining matches, pinned if this is wanted and possible, with warnings for the user.
pub fn slots(resources: &Resources, needs: &[Needs], n_matches: usize) -> (Slots, Option<String>) {
    let n_places = usize::from(resources.concurrency).min(resources.cores as usize).min(n_matches);
    let memory = resources.memory.map_or(u64::MAX, |memory| memory.bytes);
    let all = Needs { cores: resources.cores, memory, ponders: false };
    let is_pinned = host::machine::processors::CAN_PIN && resources.pin && 0 < n_places;
    let mut slots = Slots::new(n_places, all, is_pinned.then(Cores::nothing));
    let warning = slots.widen(widest_match(needs));
    (slots, warning)
}

/// The largest number of processors that a match of two of these engines needs.
pub fn widest_match(needs: &[Needs]) -> u32 {
    let widest = needs.iter().map(|needs| needs.cores).max().unwrap_or(1);
    let ponders = needs.iter().any(|needs| needs.ponders);
    if ponders { widest.saturating_mul(2) } else { widest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Format, samples};

    #[test]
    fn engines_that_ponder_need_processors_together() {
        let mut tournament = samples::tournament(&["one", "two", "three"], 1);
        tournament.resources.cores = 4;
        let option = |default| Some(ThreadsOption { name: "Threads".to_owned(), default, least: 1 });
        let problem = |tournament: &Tournament, threads: [u32; 3], ponders: [bool; 3]| {
            needs(tournament, &threads.map(option), &ponders).err().map(|error| error.to_string())
        };
        assert_eq!(problem(&tournament, [4, 4, 1], [false; 3]), None);
        assert_eq!(problem(&tournament, [2, 2, 2], [true; 3]), None);
        let found = problem(&tournament, [2, 2, 3], [false, true, false]).unwrap();
        assert!(found.contains("`two` and `three` needs 5 processors"), "{found}");
        assert!(problem(&tournament, [2, 2, 3], [true, false, false]).is_some());
        // Those two do not meet.
        tournament.format = Format::Gauntlet { seeds: vec!["one".to_owned()], seeds_meet: false };
        assert_eq!(problem(&tournament, [1, 2, 3], [false, true, false]), None);
    }
}
