//! Replacement for attempts to escape on systems without sandboxes.

use std::path::Path;

use super::{Attempt, Confinement};

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
