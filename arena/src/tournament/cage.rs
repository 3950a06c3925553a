//! What an engine's process may use and do.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Size;

/// What an engine's process may use and do. The default is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Cage {
    /// Address space of each of its processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Size>,
    /// Processes and threads that it may have at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// Processor time that each of its processes may use.
    #[serde(with = "humantime_serde", skip_serializing_if = "Option::is_none")]
    pub cpu_time: Option<Duration>,
    /// Files and pipes that each of its processes may have open at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_files: Option<u32>,
    /// The processors that it may run on, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_affinity: Option<Vec<u32>>,
    /// Its niceness, -20 to 19.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nice: Option<i32>,
    /// The arena's environment variables that it is given; `None` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment_allow: Option<Vec<String>>,
    /// Whether it is shut off from the network, from the files of others, and from other processes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sandbox: bool,
    /// Files and folders that it may read in a sandbox.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<PathBuf>,
}

impl Cage {
    /// Whether it keeps the engine from nothing.
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}
