//! The table `[cage]` of the configuration: what an engine's process may use and do. The launcher enforces it.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
#[cfg(feature = "schema")]
use serde::{Serialize, Serializer};

use super::problem::Problem;
use super::value::{Key, Time};
use model::{Size, Tier, tier_or_bool};

/// Limits on an engine's process. Linux only, except `environment-allow`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Cage {
    /// Address space of each of its processes, and with control groups the memory of all of them together. Default: no limit.
    pub memory: Option<Key<Size>>,
    /// Processes and threads that it may have at once, itself included. Default: 256 in a sandbox, otherwise no limit.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub processes: Option<Key<u32>>,
    /// Processor time of each of its processes, in all matches together; rounded up to whole seconds. Default: no limit.
    pub cpu_time: Option<Key<Time>>,
    /// Files and pipes that each of its processes may have open at once. Default: the arena's limit.
    #[cfg_attr(feature = "schema", schemars(range(min = 8)))]
    pub open_files: Option<Key<u32>>,
    /// The processors that it may run on, from 0. Default: all.
    pub cpu_affinity: Option<Key<Vec<u32>>>,
    /// Its niceness, from -20 (most urgent) to 19. Default: the arena's niceness.
    #[cfg_attr(feature = "schema", schemars(range(min = -20, max = 19)))]
    pub nice: Option<Key<i32>>,
    /// The environment variables that it inherits from the arena, in addition to its own `environment`. Default: all; with
    /// `sandbox`, only `PATH` and `LANG`.
    pub environment_allow: Option<Vec<String>>,
    /// A sandbox, in which it has no network, writes files only to its own folder, and cannot reach other processes:
    /// `strict` also restricts what it may read; `basic` does not, and works on older systems; `true` means `strict`.
    /// Default: false.
    pub sandbox: Option<Key<SandboxKey>>,
    /// Files and folders that it may read in a sandbox, in addition to those of the system and the folder of its program.
    /// Relative to the current folder. Default: none.
    pub readable: Option<Key<Vec<PathBuf>>>,
}

/// The value of `sandbox`: a tier, or a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxKey(pub Option<Tier>);

impl<'de> Deserialize<'de> for SandboxKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        tier_or_bool(deserializer).map(Self)
    }
}

#[cfg(feature = "schema")]
impl Serialize for SandboxKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(tier) => serializer.serialize_str(tier.name()),
            None => serializer.serialize_bool(false),
        }
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for SandboxKey {
    fn schema_name() -> Cow<'static, str> {
        "Sandbox".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "enum": ["strict", "basic", true, false] })
    }
}

impl Cage {
    /// This table; `defaults` gives the keys that are missing.
    #[must_use]
    pub fn or(&self, defaults: &Self) -> Self {
        let own = self.clone();
        let defaults = defaults.clone();
        Self {
            memory: own.memory.or(defaults.memory),
            processes: own.processes.or(defaults.processes),
            cpu_time: own.cpu_time.or(defaults.cpu_time),
            open_files: own.open_files.or(defaults.open_files),
            cpu_affinity: own.cpu_affinity.or(defaults.cpu_affinity),
            nice: own.nice.or(defaults.nice),
            environment_allow: own.environment_allow.or(defaults.environment_allow),
            sandbox: own.sandbox.or(defaults.sandbox),
            readable: own.readable.or(defaults.readable),
        }
    }

    /// Adds the problems of the table to `problems`.
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        const FEWEST_FILES: u32 = 8;
        let mut wrong = |span: Range<usize>, message: String| problems.push(Problem::new(span, message));
        if let Some(memory) = self.memory.as_ref().filter(|memory| memory.get_ref().bytes == 0) {
            wrong(memory.span(), "`memory` must be more than 0".to_owned());
        }
        if let Some(processes) = self.processes.as_ref().filter(|processes| *processes.get_ref() == 0) {
            wrong(
                processes.span(),
                "`processes` must be at least 1: the engine itself is one process".to_owned(),
            );
        }
        if let Some(time) = self.cpu_time.as_ref().filter(|time| time.get_ref().0.is_zero()) {
            wrong(time.span(), "`cpu-time` must be longer than 0".to_owned());
        }
        if let Some(files) = self.open_files.as_ref().filter(|files| *files.get_ref() < FEWEST_FILES) {
            wrong(
                files.span(),
                format!("`open-files` must be at least {FEWEST_FILES}: no program starts with fewer"),
            );
        }
        if let Some(affinity) = self.cpu_affinity.as_ref().filter(|affinity| affinity.get_ref().is_empty()) {
            wrong(affinity.span(), "`cpu-affinity` must name at least one processor".to_owned());
        }
        if let Some(nice) = self.nice.as_ref().filter(|nice| !(-20..=19).contains(nice.get_ref())) {
            wrong(nice.span(), "`nice` must be from -20 to 19".to_owned());
        }
        if !host::launch::CAN_CONFINE
            && let Some(span) = self.first_of_linux()
        {
            problems.push(
                Problem::new(span, "a cage needs Linux, and this is another system")
                    .help("remove all keys of `cage` except `environment-allow`, or run the arena on Linux"),
            );
        }
    }

    /// Adds a problem for each file or folder that does not exist.
    pub(super) fn check_readable(&self, problems: &mut Vec<Problem>) {
        let Some(readable) = &self.readable else { return };
        for path in readable.get_ref().iter().filter(|path| !path.exists()) {
            let message = format!("there is no file or folder `{}`", path.display());
            problems.push(
                Problem::new(readable.span(), message).help("paths are relative to the current folder"),
            );
        }
    }

    /// The place of a key that works only on Linux.
    fn first_of_linux(&self) -> Option<Range<usize>> {
        None.or(self.memory.as_ref().map(Key::span))
            .or(self.processes.as_ref().map(Key::span))
            .or(self.cpu_time.as_ref().map(Key::span))
            .or(self.open_files.as_ref().map(Key::span))
            .or(self.cpu_affinity.as_ref().map(Key::span))
            .or(self.nice.as_ref().map(Key::span))
            .or(self.sandbox.as_ref().filter(|sandbox| sandbox.get_ref().0.is_some()).map(Key::span))
    }

    /// The files and folders of `readable`.
    pub fn readable(&self) -> impl Iterator<Item = &Path> {
        self.readable.iter().flat_map(Key::get_ref).map(PathBuf::as_path)
    }
}
