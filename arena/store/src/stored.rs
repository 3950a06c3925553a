//! Opens the files of a results folder to read them. The folder may come from somebody else: a device or a pipe in the
//! place of a file never ends, and a file with holes is longer than the memory.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The maximum number of bytes of what is read as a whole.
pub const MOST_BYTES: u64 = 64 << 20;

/// Opens a file of a results folder.
///
/// # Errors
/// If it cannot be opened, or is no regular file.
pub fn open_stored(path: &Path) -> io::Result<File> {
    // Asked before, because a pipe that nobody writes to cannot be opened.
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
    }
}

/// The text of a file of a results folder.
///
/// # Errors
/// If it cannot be read, is no regular file, or is too long.
pub fn read_stored(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_stored(path)?.take(MOST_BYTES).read_to_string(&mut text)?;
    if text.len() as u64 == MOST_BYTES { Err(too_long("the file")) } else { Ok(text) }
}

/// What a table is read from. A row that does not end within 64 MiB is an error.
#[derive(Debug)]
pub struct Rows<R> {
    table: R,
    /// How much of a row may follow.
    room: u64,
}

impl<R> Rows<R> {
    /// The rows of `table`.
    pub const fn new(table: R) -> Self {
        Self { table, room: MOST_BYTES }
    }

    /// The table.
    pub const fn table(&self) -> &R {
        &self.table
    }

    /// Must be called before each row is read.
    pub const fn begin_row(&mut self) {
        self.room = MOST_BYTES;
    }
}

impl<R: Read> Read for Rows<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.room == 0 {
            return Err(too_long("a row"));
        }
        let n_bytes = self.table.read(buffer)?;
        self.room = self.room.saturating_sub(n_bytes as u64);
        Ok(n_bytes)
    }
}

/// That something has no end within [`MOST_BYTES`].
pub fn too_long(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("{what} is longer than {MOST_BYTES} bytes"))
}
