//! `arena schema`: the JSON schema of tournament configurations.

use std::io::{self, Write};

/// Prints the schema.
///
/// # Errors
/// Those of `out`.
pub fn run(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", config::schema())
}
