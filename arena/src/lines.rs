//! The lines of a journal, one after the other, however long the file is. What they say is for others.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

/// Reads lines into one buffer.
#[derive(Debug)]
pub struct Lines {
    reader: BufReader<File>,
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
    /// What it says, its end included.
    pub bytes: &'a [u8],
    /// Whether it has an end.
    pub is_whole: bool,
}

impl Lines {
    /// The lines of `file`, from where it is read.
    pub fn new(file: File) -> Self {
        Self { reader: BufReader::new(file), bytes: Vec::new(), offset: 0, n_read: 0 }
    }

    /// The next line.
    ///
    /// # Errors
    /// Those of the file.
    pub fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let offset = self.offset;
        self.bytes.clear();
        self.offset += self.reader.read_until(b'\n', &mut self.bytes)? as u64;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        self.n_read += 1;
        let is_whole = self.bytes.last() == Some(&b'\n');
        Ok(Some(Line { number: self.n_read, offset, bytes: &self.bytes, is_whole }))
    }

    /// The number of lines so far.
    pub const fn n_read(&self) -> u64 {
        self.n_read
    }

    /// The file, to be read elsewhere.
    pub fn into_file(self) -> File {
        self.reader.into_inner()
    }
}
