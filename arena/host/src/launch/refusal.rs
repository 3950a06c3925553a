//! Why a launcher does not start an engine: because of the configuration or the system, or because the arena has no
//! more processes.

use std::fmt;
use std::io;

use super::is_shortage;

/// Why the launcher does not start an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason, in words.
    pub reason: String,
    /// Whether the system has no more processes, files or memory for the arena. Not the fault of an engine.
    pub is_shortage: bool,
}

impl Refusal {
    /// Because of `error` while the launcher does `what`.
    pub fn of(what: impl fmt::Display, error: &io::Error) -> Self {
        Self { reason: format!("{what}: {error}"), is_shortage: is_shortage(error) }
    }
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self { reason, is_shortage: false }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}
