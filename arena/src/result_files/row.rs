//! One match as a file of results tells it, whatever the file's format. Types only: files are read beside.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::error::ReadError;
use ratings::{Ending, MoveList};

/// PGN's word for a match that has no result.
pub(super) const UNFINISHED: &str = "*";

/// What is told of one match.
pub(super) struct Row<'r> {
    pub game: &'r str,
    pub white: &'r str,
    pub black: &'r str,
    /// The ids of White's and Black's build, where they are told.
    pub builds: [Option<&'r str>; 2],
    pub result: &'r str,
    /// Named alike for the matches of one pair, in this file.
    pub pair: Option<&'r str>,
    pub opening: Option<&'r str>,
    /// What tells the match from all others of its tournament.
    pub id: Option<&'r str>,
    pub moves: Option<MoveList>,
    pub ending: Ending,
    /// Its place in the order in which the matches began, where that is not the order of the rows.
    pub number: Option<u32>,
    pub place: Place,
}

/// What a match is told in.
pub(super) trait Source {
    /// The error that the value of `field` can't be right.
    fn wrong(&self, field: Field, problem: String) -> ReadError;

    /// A fingerprint of all that is told; none where that is too little to know the match again by.
    fn content(&self) -> Option<u64>;
}

/// What every match needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Game,
    White,
    Black,
    Result,
}

/// Where a match is told.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The offset in bytes where the line is not exact, which a CSV reader's count is not where lines are empty or end
    /// in CR LF; line ends may still precede the row.
    pub byte: Option<u64>,
}

/// Takes the matches of a file, one by one.
pub(super) type Take<'t> = dyn FnMut(&Row<'_>, &dyn Source) -> Result<(), ReadError> + 't;

impl Place {
    /// The exact line, from 1. Errors are rare, so the file at `path` is read once more rather than every line counted
    /// twice.
    pub(super) fn line_number(self, path: &Path) -> u64 {
        let Some(first_byte) = self.byte else { return self.line };
        let count = || -> io::Result<u64> {
            let mut line = 1;
            let mut is_before = true;
            for (offset, byte) in BufReader::new(File::open(path)?).bytes().enumerate() {
                let byte = byte?;
                is_before = is_before && (offset as u64) < first_byte;
                if !is_before && !matches!(byte, b'\n' | b'\r') {
                    return Ok(line);
                }
                line += u64::from(byte == b'\n');
            }
            // What can't be read twice, such as a pipe, ends here.
            Ok(self.line)
        };
        count().unwrap_or(self.line)
    }
}

/// With a million matches, two of them share a fingerprint in one of thirty million files.
pub(super) fn fingerprint(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
