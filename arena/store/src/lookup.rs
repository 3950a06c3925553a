//! Finds one match of a folder by its number. It reads a folder that an arena may be writing to, and changes nothing.

use std::path::Path;

use engine_proto::Games;
use serde::Deserialize;

use super::journal::bad_line;
use super::reader::{BadLine, JournalReader};
use super::{MATCHES_JSONL, ResultsError, io_error};
use model::Record;

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Found {
    /// The match.
    Match(Box<Record>),
    /// Only other matches, or none.
    Nothing {
        /// The lowest and the highest number.
        numbers: Option<(u32, u32)>,
        /// Whether the last line is incomplete: the arena was killed, or is still writing it.
        is_last_torn: bool,
    },
}

/// The match with this number in `folder`, from its journal. It is of one of these games.
///
/// # Errors
/// If the journal cannot be read, or a line before the match is invalid.
pub fn find_match(games: &Games, folder: &Path, number: u32) -> Result<Found, ResultsError> {
    /// The only part of other matches that is read.
    #[derive(Deserialize)]
    struct Numbered {
        #[serde(rename = "match")]
        number: u32,
    }
    let path = folder.join(MATCHES_JSONL);
    let mut lines =
        JournalReader::open(&path).map_err(|error| ResultsError::NoJournal { path: path.clone(), error })?;
    let mut numbers: Option<(u32, u32)> = None;
    let mut is_last_torn = false;
    while let Some(line) = lines.next_line().map_err(io_error("read", &path))? {
        let bad = |error| bad_line(&path, line.number, &error);
        let Numbered { number: found } = match line.parse() {
            Ok(numbered) => numbered,
            Err(BadLine::Torn) => {
                is_last_torn = true;
                break;
            }
            Err(error) => return Err(bad(error)),
        };
        if found == number {
            return Ok(Found::Match(Box::new(line.record(games).map_err(bad)?)));
        }
        numbers = Some(numbers.map_or((found, found), |(low, high)| (low.min(found), high.max(found))));
    }
    Ok(Found::Nothing { numbers, is_last_torn })
}
