//! The matches of a results folder, for commands that read them all.

use std::io;
use std::path::Path;

use engine_proto::Games;

use crate::exit::CommandError;
use model::Record;
use store::{JournalReader, MATCHES_JSONL, no_journal};

/// Calls `take` with each match of the folder, which are of these games, in the order in which they ended.
///
/// # Errors
/// If the folder is not a results folder, a match cannot be read, or `take` fails.
pub fn each_match(
    games: &Games,
    folder: &Path,
    mut take: impl FnMut(&Record) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let path = folder.join(MATCHES_JSONL);
    let unreadable = |error: io::Error| {
        CommandError::input(format!("{}; give a results folder of `arena run`", no_journal(&path, &error)))
    };
    let mut journal = JournalReader::open(&path).map_err(unreadable)?;
    while let Some(line) = journal.next_line().map_err(unreadable)? {
        // The arena may be writing it.
        if !line.is_whole() {
            break;
        }
        let record = line.record(games).map_err(|error| {
            CommandError::input(format!("`{}`, line {}: {error}", path.display(), line.number))
        })?;
        take(&record)?;
    }
    Ok(())
}
