//! Instructions for a launcher: resolved paths and plain numbers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use model::{Cage, Size, Tier};

/// The processes and threads of an engine in a sandbox, unless the configuration says otherwise.
const FEW_PROCESSES: u32 = 256;

/// Limits and sandbox of an engine's process. The default restricts nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Address space of each process, and memory of its control group, in bytes.
    pub memory: Option<u64>,
    /// Maximum number of processes and threads at the same time.
    pub processes: Option<u32>,
    /// Processor time of each process, in seconds.
    pub cpu_seconds: Option<u64>,
    /// Open files of each process.
    pub open_files: Option<u32>,
    /// The processors to run on.
    pub cpu_affinity: Option<Vec<u32>>,
    /// Niceness, -20 to 19.
    pub nice: Option<i32>,
    /// The sandbox.
    pub sandbox: Option<Sandbox>,
    /// Where its control group is made; `None` if it gets none.
    pub home: Option<Home>,
}

/// A control group in which the arena makes one for each engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Home {
    /// Its folder.
    pub path: PathBuf,
    /// Whether the groups in it limit the number of processes, too, and not only the memory.
    pub counts_processes: bool,
}

/// The exceptions of a sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// What it prevents.
    pub tier: Tier,
    /// The folder that may be written to, an absolute path.
    pub scratch: PathBuf,
    /// Additional paths that may be read, absolute.
    pub readable: Vec<PathBuf>,
    /// Whether the network may be used. Only for builds: with it, an engine could ask another program for its moves.
    pub network: bool,
}

impl Confinement {
    /// The instructions for `cage`. `scratch` is the folder that a sandboxed engine may write to; `directory` is the
    /// configured working folder.
    pub fn new(cage: &Cage, scratch: &Path, directory: Option<&Path>) -> Self {
        let sandbox = cage.sandbox.map(|tier| Sandbox {
            tier,
            scratch: absolute(scratch),
            readable: cage.readable.iter().map(PathBuf::as_path).chain(directory).map(absolute).collect(),
            network: false,
        });
        Self {
            memory: cage.memory.map(|memory| memory.bytes),
            processes: cage.processes,
            cpu_seconds: cage.cpu_time.map(whole_seconds),
            open_files: cage.open_files,
            cpu_affinity: cage.cpu_affinity.clone(),
            nice: cage.nice,
            sandbox,
            home: None,
        }
    }

    /// The maximum number of processes and threads at the same time; `None` for no limit. A sandbox always has one.
    pub fn most_processes(&self) -> Option<u32> {
        self.processes.or_else(|| self.sandbox.as_ref().map(|_| FEW_PROCESSES))
    }

    /// Whether a control group counts its processes.
    pub fn has_counting_group(&self) -> bool {
        self.home.as_ref().is_some_and(|home| home.counts_processes)
    }

    /// Whether nothing is restricted.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The limits that may end a process, in words; empty if there are none.
    pub fn limits_in_words(&self) -> String {
        let mut limits = Vec::new();
        if let Some(bytes) = self.memory {
            limits.push(format!("{} of memory", Size { bytes }));
        }
        if let Some(processes) = self.processes {
            limits.push(if processes == 1 {
                "1 process".to_owned()
            } else {
                format!("{processes} processes")
            });
        }
        if let Some(seconds) = self.cpu_seconds {
            limits.push(format!("{seconds} s of processor time"));
        }
        if let Some(files) = self.open_files {
            limits.push(format!("{files} open files"));
        }
        if self.sandbox.is_some() {
            limits.push("a sandbox".to_owned());
        }
        limits.join(", ")
    }

    /// As one argument of a command line.
    pub(super) fn to_argument(&self) -> Result<String, String> {
        serde_json::to_string(self)
            .map_err(|error| format!("{error}; rename the current folder and the folders in it"))
    }
}

fn whole_seconds(time: Duration) -> u64 {
    time.as_secs().saturating_add(u64::from(0 < time.subsec_nanos()))
}

/// The absolute path. Fails if the current folder no longer exists.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
