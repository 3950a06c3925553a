//! The journal of a results folder, line by line, however long it is. All who read matches read them here. It changes
//! nothing, and decides nothing about lines that are no matches.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::path::Path;

use engine_proto::GameId;
use serde::Deserialize;

use crate::tournament::Record;

/// Reads lines into one buffer.
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
    /// Its number, from 1.
    pub number: u64,
    /// Where it begins, in bytes from the file's beginning.
    pub offset: u64,
    /// What it contains, its end included.
    bytes: &'a [u8],
}

/// Why a line is no match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLine {
    /// The line has no end: its arena was killed, or has not written all of it yet.
    #[error("the line is incomplete")]
    Torn,
    /// The match is of a game that this arena does not know.
    #[error("unknown game `{}`", engine_proto::fen::shown(game))]
    UnknownGame {
        /// The game.
        game: String,
    },
    /// The line is no match in JSON.
    #[error("{0}")]
    Wrong(String),
}

impl JournalReader<BufReader<File>> {
    /// Reads the journal at `path`.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::new(BufReader::new(File::open(path)?)))
    }
}

impl<'f> JournalReader<BufReader<&'f File>> {
    /// Reads an open journal from its beginning.
    ///
    /// # Errors
    /// If it cannot be read from its beginning.
    pub fn rewound(mut journal: &'f File) -> io::Result<Self> {
        journal.rewind()?;
        Ok(Self::new(BufReader::new(journal)))
    }
}

impl<R: BufRead> JournalReader<R> {
    /// Reads from where `reader` is.
    pub const fn new(reader: R) -> Self {
        Self { reader, bytes: Vec::new(), offset: 0, n_read: 0 }
    }

    /// The next line.
    ///
    /// # Errors
    /// Those of the file.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let offset = self.offset;
        self.bytes.clear();
        self.offset += self.reader.read_until(b'\n', &mut self.bytes)? as u64;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        self.n_read += 1;
        Ok(Some(Line { number: self.n_read, offset, bytes: &self.bytes }))
    }

    /// The number of lines so far.
    pub const fn n_read(&self) -> u64 {
        self.n_read
    }
}

impl<'a> Line<'a> {
    /// The match.
    ///
    /// # Errors
    /// If the line is none that this arena can read.
    pub fn record(&self) -> Result<Record, BadLine> {
        self.parse().map_err(|bad| match bad {
            BadLine::Wrong(_) => self.unknown_game().map_or(bad, |game| BadLine::UnknownGame { game }),
            bad => bad,
        })
    }

    /// As much of the match as `T` has keys.
    ///
    /// # Errors
    /// If the line is none, or lacks one of the keys.
    pub fn parse<T: Deserialize<'a>>(&self) -> Result<T, BadLine> {
        if !self.is_whole() {
            return Err(BadLine::Torn);
        }
        serde_json::from_slice(self.text()).map_err(|error| BadLine::Wrong(without_line_number(&error)))
    }

    /// Whether the line has an end.
    pub fn is_whole(&self) -> bool {
        self.bytes.last() == Some(&b'\n')
    }

    /// The line without white space, and without the mark that some editors put at the beginning of a file.
    pub fn text(&self) -> &'a [u8] {
        self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self.bytes).trim_ascii()
    }

    /// The game of a record, where this arena does not know it.
    fn unknown_game(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Named {
            game: String,
        }
        let Named { game } = serde_json::from_slice(self.text()).ok()?;
        game.parse::<GameId>().is_err().then_some(game)
    }
}

/// What is wrong, without the number that the line has in itself, which is always 1.
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
        let other_game = MATCH.replace("push-push", "chess");
        let journal = format!("\u{feff}{MATCH}\r\n\n{other_game}\n{{}}\n{MATCH}");
        let mut reader = JournalReader::new(journal.as_bytes());
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!((line.number, line.offset, line.record().unwrap().number), (1, 0, 7));
        assert!(reader.next_line().unwrap().unwrap().text().is_empty());
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!(line.record(), Err(BadLine::UnknownGame { game: "chess".to_owned() }));
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!(line.record(), Err(BadLine::Wrong("missing field `match`".to_owned())));
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!(line.record(), Err(BadLine::Torn));
        assert_eq!(line.offset as usize, journal.len() - MATCH.len());
        assert!(reader.next_line().unwrap().is_none());
        assert_eq!(reader.n_read(), 5);
    }
}
