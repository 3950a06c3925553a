//! The environment of an engine on its way through the supervisor and the launcher. These must not obey it: with
//! `LD_PRELOAD`, they would run code of the engine outside of its sandbox.

use std::ffi::{OsStr, OsString};

/// Before the names of the engine's variables, so that they mean nothing to the arena's own processes.
const PREFIX: &str = "ARENA_ENGINE_";

/// The name of an engine's variable on its way.
pub fn carried(name: &OsStr) -> OsString {
    let mut carried = OsString::from(PREFIX);
    carried.push(name);
    carried
}

/// Whether a variable makes the loader of programs, or the C library, load other code.
pub fn steers_loader(name: &str) -> bool {
    ["LD_", "DYLD_"].iter().any(|prefix| name.starts_with(prefix))
        || ["GCONV_PATH", "GLIBC_TUNABLES"].contains(&name)
}

/// Gives the engine its own variables, and no others.
#[cfg(target_os = "linux")]
pub(super) fn give(engine: &mut std::process::Command) {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let own = |(name, value): (OsString, OsString)| {
        let name = name.as_bytes().strip_prefix(PREFIX.as_bytes())?;
        Some((OsString::from_vec(name.to_vec()), value))
    };
    engine.env_clear().envs(std::env::vars_os().filter_map(own));
}
