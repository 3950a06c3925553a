//! The files that a sandbox may read and write, enforced by the kernel's Landlock.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    Scope, path_beneath_rules,
};

use super::Sandbox;

/// The files that every program needs: libraries, interpreters, information about the system.
pub const READABLE: [&str; 16] = [
    "/bin",
    "/dev/random",
    "/dev/urandom",
    "/etc",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/opt",
    "/sbin",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/usr",
];

/// What programs need of `/proc` if it shows other processes and the network of the host.
const HARMLESS_PROC: [&str; 9] = [
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/proc/uptime",
    "/proc/version",
];

const WRITABLE: [&str; 3] = ["/dev/full", "/dev/null", "/dev/zero"];

/// The oldest usable version: before it, truncating a file did not count as writing.
const OLDEST: ABI = ABI::V3;

/// The null device.
pub fn null() -> Result<File, String> {
    let path = "/dev/null";
    OpenOptions::new().read(true).write(true).open(path).map_err(|error| format!("`{path}`: {error}"))
}

/// Restricts this process and all processes that it starts.
pub fn restrict(sandbox: &Sandbox, program: Option<&OsString>, has_own_proc: bool) -> Result<(), String> {
    let proc = if has_own_proc { &["/proc"][..] } else { &HARMLESS_PROC };
    for path in sandbox.readable.iter().chain([&sandbox.scratch]) {
        path.metadata().map_err(|error| format!("`{}`: {error}", path.display()))?;
    }
    if sandbox.scratch.is_symlink() {
        return Err(format!("`{}` is a symbolic link; remove it", sandbox.scratch.display()));
    }
    rules(sandbox, program.map(Path::new), proc).map_err(|error| match error {
        RulesetError::HandleAccesses(_) => {
            let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
            format!(
                "`sandbox` needs Landlock as in Linux 6.2 or later, but in this kernel ({}) it is missing, older or \
             disabled; to enable it, add `landlock` to the boot parameter `lsm=`",
                release.trim()
            )
        }
        other => format!("`sandbox`: cannot use Landlock: {other}"),
    })
}

fn rules(sandbox: &Sandbox, program: Option<&Path>, proc: &[&str]) -> Result<(), RulesetError> {
    // Features of later kernels are used if they exist.
    let newest = ABI::V7;
    let read = AccessFs::from_read(newest);
    let read_and_write = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate;
    // Only the program's file, because other files in its folder may be private.
    let program: Option<PathBuf> = program.map(Path::to_owned);
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(OLDEST))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(newest))?
        .scope(Scope::from_all(newest))?
        .create()?
        .add_rules(path_beneath_rules(READABLE, read))?
        .add_rules(path_beneath_rules(proc, read))?
        .add_rules(path_beneath_rules(&sandbox.readable, read))?
        .add_rules(path_beneath_rules(program, read))?
        .add_rules(path_beneath_rules(WRITABLE, read_and_write))?
        .add_rules(path_beneath_rules([&sandbox.scratch], AccessFs::from_all(newest)))?
        .restrict_self()?;
    Ok(())
}
