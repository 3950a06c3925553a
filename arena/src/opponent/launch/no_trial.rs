//! Replacement for attempts to escape on systems without sandboxes.

use std::path::Path;

use super::Confinement;

/// An attempt, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What was tried, in words.
    pub what: String,
    /// Whether the system allowed it.
    pub is_allowed: bool,
}

/// The file in the folder that an engine must not touch.
pub const SECRET: &str = "secret.txt";

/// Never succeeds.
///
/// # Errors
/// Always.
pub fn attempts(
    _confinement: &Confinement,
    _program: &Path,
    _scratch: &Path,
    _outside: &Path,
    _other: u32,
) -> Result<Vec<Attempt>, String> {
    Err("this system does not support it".to_owned())
}
