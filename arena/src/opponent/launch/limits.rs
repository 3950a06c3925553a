//! Limits that the kernel keeps for each process: memory, files, processes, processors, urgency.

use rustix::process::{Resource, Rlimit, getrlimit, setpriority_process, setrlimit};
use rustix::thread::{CpuSet, sched_setaffinity};

use super::Confinement;

/// Sets processors and niceness. It comes before namespaces: a right to be more urgent does not reach into them.
pub fn set_scheduling(confinement: &Confinement) -> Result<(), String> {
    if let Some(affinity) = &confinement.cpu_affinity {
        let mut set = CpuSet::new();
        for &cpu in affinity {
            let cpu = usize::try_from(cpu).ok().filter(|cpu| *cpu < CpuSet::MAX_CPU);
            set.set(cpu.ok_or_else(|| format!("`cpu-affinity = {affinity:?}` contains no processor"))?);
        }
        sched_setaffinity(None, &set).map_err(|error| {
            format!("`cpu-affinity = {affinity:?}`: cannot use these processors: {error}")
        })?;
    }
    if let Some(nice) = confinement.nice {
        setpriority_process(None, nice).map_err(|error| {
            format!("`nice = {nice}`: {error}; only root can set a lower niceness than that of the arena")
        })?;
    }
    Ok(())
}

/// Sets what a process may use. `n_own` processes of the arena's count with the engine's.
pub fn set_limits(confinement: &Confinement, n_own: u32) -> Result<(), String> {
    let processes = confinement.processes.map(|processes| u64::from(processes) + u64::from(n_own));
    for (key, resource, limit) in [
        ("memory", Resource::As, confinement.memory),
        ("cpu-time", Resource::Cpu, confinement.cpu_seconds),
        ("open-files", Resource::Nofile, confinement.open_files.map(u64::from)),
        ("processes", Resource::Nproc, processes),
        // Not 0, which lets the kernel still pipe a core to a program: 1 is what it takes for "none at all".
        ("sandbox", Resource::Core, confinement.sandbox.as_ref().map(|_| 1)),
    ] {
        let Some(limit) = limit else { continue };
        // A limit that holds already and is lower is kept: it cannot be raised, and what was asked for holds.
        let allowed = |limit: u64| getrlimit(resource).maximum.map_or(limit, |most| most.min(limit));
        // At its limit of processor time a process gets a signal that says so, and is killed a second later.
        let beyond = u64::from(resource == Resource::Cpu);
        let maximum = allowed(limit.saturating_add(beyond));
        setrlimit(resource, Rlimit { current: Some(allowed(limit)), maximum: Some(maximum) })
            .map_err(|error| format!("`{key}`: cannot set the limit {limit}: {error}"))?;
    }
    Ok(())
}
