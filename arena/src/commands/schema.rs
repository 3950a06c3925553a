//! `arena schema`: the JSON schema of tournament configurations.

use std::io::{self, Write};

use engine_proto::Games;

/// Prints the schema, with these games.
///
/// # Errors
/// Those of `out`.
pub fn run(games: &Games, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", config::schema(games))
}
