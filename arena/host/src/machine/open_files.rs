//! How many files, pipes and connections the arena may have open (`ulimit -n`). Many systems give a program 1,024, and let
//! it raise that: a tournament with many engines on many processors needs more.

use std::sync::OnceLock;

/// What the arena was given when it was started, if it has raised it.
static GIVEN: OnceLock<u64> = OnceLock::new();

/// More than any tournament needs.
#[cfg(target_os = "linux")]
const MANY: u64 = 1 << 16;

/// The number of open files that the arena is allowed; `None` if there is no limit.
pub fn most_open_files() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    None
}

/// Lets the arena have as many open files as the system allows. Its supervisors give engines the limit that it was given.
#[cfg(target_os = "linux")]
pub fn raise_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(MANY).min(MANY);
    if let Some(given) = limit.current.filter(|given| *given < most)
        && setrlimit(Resource::Nofile, Rlimit { current: Some(most), ..limit }).is_ok()
    {
        let _ = GIVEN.set(given);
    }
}

/// Lets a write beyond the limit of the size of files (`ulimit -f`) fail, instead of ending the arena without a word. Must
/// be called before threads are started.
#[cfg(target_os = "linux")]
pub fn survive_large_files() {
    // Blocked, because to ignore a signal needs unsafe code. The launcher unblocks all signals for engines.
    let _ = nix::sys::signal::SigSet::from(nix::sys::signal::Signal::SIGXFSZ).thread_block();
}

/// Nothing on this system.
#[cfg(not(target_os = "linux"))]
pub const fn raise_open_files() {}

/// Nothing on this system.
#[cfg(not(target_os = "linux"))]
pub const fn survive_large_files() {}

/// The limit that the arena was given, if it has raised it.
pub fn given_open_files() -> Option<u64> {
    GIVEN.get().copied()
}
