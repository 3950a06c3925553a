//! Limits and sandbox of an engine's process.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Size;

/// Limits and sandbox of an engine's process. The default restricts nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Cage {
    /// Limit of the address space of each process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Size>,
    /// Maximum number of processes and threads at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// Limit of the processor time of each process.
    #[serde(with = "humantime_serde", skip_serializing_if = "Option::is_none")]
    pub cpu_time: Option<Duration>,
    /// Maximum number of open files and pipes of each process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_files: Option<u32>,
    /// The processors that the engine may run on, numbered from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_affinity: Option<Vec<u32>>,
    /// The niceness, -20 to 19.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nice: Option<i32>,
    /// The environment variables that the engine inherits; `None` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment_allow: Option<Vec<String>>,
    /// Whether the sandbox blocks access to the network, to other users' files and to other processes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sandbox: bool,
    /// Files and folders that the engine may read inside the sandbox.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<PathBuf>,
}

impl Cage {
    /// Whether nothing is restricted.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}
