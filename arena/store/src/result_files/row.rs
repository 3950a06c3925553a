//! One match from a file of results, in any format.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::error::ReadError;
use ratings::{Ending, MoveList};
use schedule::pgn::Game;

/// The result of PGN for a match without a result.
pub(super) const UNFINISHED: &str = "*";

/// The data of one match.
pub(super) struct Row<'r> {
    pub game: &'r str,
    /// The name of the limits, if there are several.
    pub limits: Option<&'r str>,
    pub white: &'r str,
    pub black: &'r str,
    /// The ids of White's and Black's builds, if given.
    pub builds: [Option<&'r str>; 2],
    pub result: &'r str,
    /// The same value for both matches of a pair, within this file.
    pub pair: Option<&'r str>,
    pub opening: Option<&'r str>,
    /// The match's identity in its tournament.
    pub id: Option<&'r str>,
    /// A fingerprint of the length and the times of the match, if given.
    pub detail: Option<u64>,
    pub moves: Option<MoveList>,
    pub ending: Ending,
    pub told: Told<'r>,
    /// Its position in the order in which matches started, if that is not the order of the rows.
    pub number: Option<u32>,
    pub place: Place,
}

/// What a file says of a match in addition to what counts for the ratings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told<'r> {
    /// Why the match ended.
    pub reason: Option<&'r str>,
    /// The name of its opening, by the code of the Encyclopaedia of Chess Openings.
    pub named_opening: Option<&'r str>,
    /// Its number of plies.
    pub plies: Option<u32>,
    /// The time that White and Black used, in milliseconds.
    pub times_ms: Option<[u64; 2]>,
    /// The round, as it is written.
    pub round: Option<&'r str>,
    /// The day, as it is written.
    pub date: Option<&'r str>,
    /// Its place among the games of a PGN file, from 1, with its moves.
    pub pgn: Option<(u32, &'r Game)>,
}

/// The place of the match in the file.
pub(super) trait Source {
    /// The error for an invalid value of `field`.
    fn wrong(&self, field: Field, problem: String) -> ReadError;

    /// A fingerprint of the data; `None` if there is not enough data to recognise the match.
    fn content(&self) -> Option<u64>;
}

/// The required data of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Game,
    White,
    Black,
    Result,
}

/// The place of a match in a file.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The offset in bytes if the line is not exact: the CSV reader's count is wrong after empty lines or lines that
    /// end in CR LF. Line ends may precede the row.
    pub byte: Option<u64>,
}

/// Takes the matches of a file one by one.
pub(super) type Take<'t> = dyn FnMut(&Row<'_>, &dyn Source) -> Result<(), ReadError> + 't;

impl Place {
    /// The exact line, from 1. Errors are rare, so the file at `path` is read again instead of counting every line
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
            // A pipe cannot be read again.
            Ok(self.line)
        };
        count().unwrap_or(self.line)
    }
}

/// Among a million matches, two have the same fingerprint in one of thirty million files.
pub(super) fn fingerprint(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
