//! Limits that the kernel enforces for each process: memory, files, processes, processors, priority.

use rustix::process::{Resource, Rlimit, getrlimit, setpriority_process, setrlimit};
use rustix::system::uname;
use rustix::thread::{CpuSet, sched_setaffinity};

use super::Confinement;

/// The open files of a process in a sandbox, unless the configuration says otherwise.
const FEW_FILES: u64 = 256;

/// The signals that may wait for the processes of an engine in a sandbox.
const FEW_SIGNALS: u64 = 256;

/// The first version of Linux that counts the processes of a user namespace. Before, it counts all of the user.
pub const OWN_COUNTS: (u32, u32) = (5, 14);

/// The version of the kernel.
pub fn kernel() -> (u32, u32) {
    let name = uname();
    let mut numbers = name.release().to_str().unwrap_or_default().split(|c: char| !c.is_ascii_digit());
    let mut number = || numbers.next().and_then(|number| number.parse().ok()).unwrap_or_default();
    (number(), number())
}

/// Sets processors and niceness. Must come before namespaces, in which the right to a higher priority does not apply.
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

/// Sets the number of open files that this process and those it starts may have; they may raise it.
pub fn set_open_files(given: Option<u64>) {
    if given.is_some() {
        // A lower limit is always allowed.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: given, ..getrlimit(Resource::Nofile) });
    }
}

/// Sets the limits of a process. `n_own` processes of the arena are counted together with the engine's.
pub fn set_limits(confinement: &Confinement, n_own: u32) -> Result<(), String> {
    // Sockets and pipes hold memory of the kernel, which no other limit counts.
    let few_files = confinement.sandbox.as_ref().map(|_| FEW_FILES);
    // Before, only a limit that the user wants can hold.
    let most = if kernel() < OWN_COUNTS { confinement.processes } else { confinement.most_processes() };
    let counted = most.filter(|_| !confinement.has_counting_group());
    let processes = counted.map(|processes| u64::from(processes) + u64::from(n_own));
    for (key, resource, limit) in [
        ("memory", Resource::As, confinement.memory),
        ("cpu-time", Resource::Cpu, confinement.cpu_seconds),
        ("open-files", Resource::Nofile, confinement.open_files.map(u64::from).or(few_files)),
        ("processes", Resource::Nproc, processes),
        // Signals that wait. They are those of the user, and so of the opponent, too.
        ("sandbox", Resource::Sigpending, confinement.sandbox.as_ref().map(|_| FEW_SIGNALS)),
        // Not 0, which still allows the kernel to pipe a core dump to a program; with 1, it writes none.
        ("sandbox", Resource::Core, confinement.sandbox.as_ref().map(|_| 1)),
    ] {
        let Some(limit) = limit else { continue };
        // An existing lower limit is kept, because it cannot be raised.
        let allowed = |limit: u64| getrlimit(resource).maximum.map_or(limit, |most| most.min(limit));
        // At the limit of processor time, a process gets a signal, and is killed a second later.
        let beyond = u64::from(resource == Resource::Cpu);
        let maximum = allowed(limit.saturating_add(beyond));
        setrlimit(resource, Rlimit { current: Some(allowed(limit)), maximum: Some(maximum) })
            .map_err(|error| format!("`{key}`: cannot set the limit {limit}: {error}"))?;
    }
    Ok(())
}
