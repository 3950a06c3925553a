//! Reads the journal of a results folder line by line, whatever its length. All readers of matches use it. It changes
//! nothing; the caller decides about invalid lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::path::Path;

use engine_proto::Games;
use serde::Deserialize;

use super::stored::{MOST_BYTES, open_stored, too_long};
use model::Record;

/// A reader that reuses one buffer.
#[derive(Debug)]
pub struct JournalReader<R> {
    reader: R,
    bytes: Vec<u8>,
    offset: u64,
    n_read: u64,
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The line's number, from 1.
    pub number: u64,
    /// Its start in bytes from the start of the file.
    pub offset: u64,
    /// Its content, including the line end.
    bytes: &'a [u8],
}

/// Why a line is not a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLine {
    /// The line is incomplete: the arena was killed while writing it, or is still writing.
    #[error("the line is incomplete")]
    Torn,
    /// The match is of a game that this arena does not know.
    #[error("unknown game `{}`", engine_proto::fen::shown(game))]
    UnknownGame {
        /// The game.
        game: String,
    },
    /// The line is not a valid match.
    #[error("{0}")]
    Wrong(String),
}

impl JournalReader<BufReader<File>> {
    /// Reads the journal at `path`.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::new(BufReader::new(open_stored(path)?)))
    }
}

impl<'f> JournalReader<BufReader<&'f File>> {
    /// Reads an open journal from its start.
    ///
    /// # Errors
    /// If the file's start cannot be read.
    pub fn rewound(mut journal: &'f File) -> io::Result<Self> {
        journal.rewind()?;
        Ok(Self::new(BufReader::new(journal)))
    }
}

impl<R: BufRead> JournalReader<R> {
    /// Reads from the current position of `reader`.
    pub const fn new(reader: R) -> Self {
        Self { reader, bytes: Vec::new(), offset: 0, n_read: 0 }
    }

    /// The next line.
    ///
    /// # Errors
    /// If the file cannot be read, or has a line that is too long.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let offset = self.offset;
        self.bytes.clear();
        let n_bytes = self.reader.by_ref().take(MOST_BYTES).read_until(b'\n', &mut self.bytes)? as u64;
        if n_bytes == MOST_BYTES {
            return Err(too_long("a line"));
        }
        self.offset += n_bytes;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        self.n_read += 1;
        Ok(Some(Line { number: self.n_read, offset, bytes: &self.bytes }))
    }
}

impl<'a> Line<'a> {
    /// The match, which is of one of these games.
    ///
    /// # Errors
    /// If the line is not a match that this arena can read.
    pub fn record(&self, games: &Games) -> Result<Record, BadLine> {
        match self.parse::<Record>() {
            Ok(record) if games.knows(record.game) => Ok(record),
            Ok(record) => Err(BadLine::UnknownGame { game: record.game.to_string() }),
            // It may be of a later version of the arena, which has other games.
            Err(bad @ BadLine::Wrong(_)) => {
                Err(self.unknown_game(games).map_or(bad, |game| BadLine::UnknownGame { game }))
            }
            Err(bad) => Err(bad),
        }
    }

    /// The part of the match that `T` has keys for.
    ///
    /// # Errors
    /// If the line is not a match, or lacks one of the keys.
    pub fn parse<T: Deserialize<'a>>(&self) -> Result<T, BadLine> {
        if !self.is_whole() {
            return Err(BadLine::Torn);
        }
        serde_json::from_slice(self.text()).map_err(|error| BadLine::Wrong(without_line_number(&error)))
    }

    /// Whether the line is complete.
    pub fn is_whole(&self) -> bool {
        self.bytes.last() == Some(&b'\n')
    }

    /// Its end in bytes from the start of the file.
    pub const fn end(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }

    /// Whether a part of the line never reached the disk: after a power cut, file systems return zeros for it.
    pub(super) fn has_hole(&self) -> bool {
        self.bytes.contains(&0)
    }

    /// The line without white space at its ends, and without a byte order mark.
    pub fn text(&self) -> &'a [u8] {
        self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.bytes).trim_ascii()
    }

    /// The game of a record, if it is none of these.
    fn unknown_game(&self, games: &Games) -> Option<String> {
        #[derive(Deserialize)]
        struct Named {
            game: String,
        }
        let Named { game } = serde_json::from_slice(self.text()).ok()?;
        games.parse(&game).is_err().then_some(game)
    }
}

/// The message without the line number, which is always 1 here.
fn without_line_number(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH: &str = r#"{"match":7,"pair":4,"game":"push-push","opening":"o","white":"a","black":"b","result":"1-0","reason":"goal","plies":0,"white_ms":0,"black_ms":0,"end":"e","moves":[]}"#;

    #[test]
    fn lines_of_every_kind() {
        let other_game = MATCH.replace("push-push", "checkers");
        let journal = format!("\u{feff}{MATCH}\r\n\n{other_game}\n{{}}\n{MATCH}");
        let mut reader = JournalReader::new(journal.as_bytes());
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!((line.number, line.offset, line.record(Games::built_in()).unwrap().number), (1, 0, 7));
        assert!(reader.next_line().unwrap().unwrap().text().is_empty());
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!(line.record(Games::built_in()), Err(BadLine::UnknownGame { game: "checkers".to_owned() }));
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!(line.record(Games::built_in()), Err(BadLine::Wrong("missing field `match`".to_owned())));
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!(line.record(Games::built_in()), Err(BadLine::Torn));
        assert_eq!(line.offset as usize, journal.len() - MATCH.len());
        assert!(reader.next_line().unwrap().is_none());
    }
}
