//! Finds the format of files of results: CSV, PGN or a journal. It looks at names and first bytes.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::error::ReadError;
use crate::{MATCHES_CSV, MATCHES_JSONL};

const BUFFER_BYTES: usize = 1 << 16;

/// An opened file of results.
pub(super) struct Input {
    pub kind: Kind,
    pub bytes: BufReader<File>,
}

/// The format of a file of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A table whose first line names the columns.
    Csv,
    /// PGN, as chess programs write it.
    Pgn,
    /// The arena's `matches.jsonl`.
    Journal,
}

/// The files read so far, to detect files that are given twice.
#[derive(Default)]
pub(super) struct FilesSeen {
    files: Vec<FileSeen>,
}

struct FileSeen {
    path: PathBuf,
    /// The identity of a file for all its names, if the system reports it.
    canonical: Option<PathBuf>,
    /// Not used for input that can be read only once, such as a pipe.
    length: Option<u64>,
}

impl Input {
    /// Opens `path`. The format is determined by the extension `.pgn` or `.jsonl`, otherwise by the first bytes: a tag
    /// starts a PGN file, `{` a journal, everything else a table.
    pub(super) fn open(path: &Path) -> Result<Self, ReadError> {
        let file = File::open(path).map_err(|error| ReadError::read(path, error))?;
        let mut bytes = BufReader::with_capacity(BUFFER_BYTES, file);
        let first = bytes.fill_buf().map_err(|error| ReadError::read(path, error))?;
        if first.contains(&0) {
            return Err(ReadError::Binary { file: path.to_owned() });
        }
        let has_ending =
            |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start();
        let not_results = |what| ReadError::NotResults { file: path.to_owned(), what };
        let kind = if has_ending("pgn") {
            Kind::Pgn
        } else if has_ending("jsonl") {
            Kind::Journal
        } else if has_ending("toml") {
            return Err(not_results("is a configuration, not a file of results"));
        } else {
            match first.first() {
                Some(b'[') if !is_tag(first) => {
                    return Err(not_results("begins with `[`, but not with a PGN tag"));
                }
                Some(b'[') => Kind::Pgn,
                Some(b'{') => Kind::Journal,
                _ => Kind::Csv,
            }
        };
        Ok(Self { kind, bytes })
    }
}

impl FilesSeen {
    /// Remembers `path`. If the same file, or a file with the same content, was read before, returns a note.
    pub(super) fn insert(&mut self, path: &Path) -> Option<String> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file);
        let new = FileSeen {
            path: path.to_owned(),
            canonical: path.canonicalize().ok(),
            length: metadata.map(|metadata| metadata.len()),
        };
        let name = new.path.display().to_string();
        for seen in &self.files {
            if seen.canonical.is_some() && seen.canonical == new.canonical {
                return Some(format!("{name} is given twice and read once"));
            }
            if seen.has_content_of(&new) {
                return Some(format!(
                    "{name} has the same content as {} and is read once",
                    seen.path.display()
                ));
            }
        }
        self.files.push(new);
        None
    }
}

impl FileSeen {
    fn has_content_of(&self, other: &Self) -> bool {
        let is_alike = self.length == other.length && self.length.is_some_and(|length| 0 < length);
        // A file that cannot be read here is reported when it is read again.
        is_alike && is_same_content(&self.path, &other.path).unwrap_or(false)
    }
}

/// The file for `path`: for a results folder, its journal, or else its table.
pub(super) fn file_of(path: &Path) -> Result<PathBuf, ReadError> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let mut files = [MATCHES_JSONL, MATCHES_CSV].map(|file| path.join(file)).into_iter();
    files.find(|file| file.is_file()).ok_or_else(|| ReadError::NoResults { folder: path.to_owned() })
}

/// Whether a text starts like a PGN tag: `[Name "`, with any spaces.
fn is_tag(text: &[u8]) -> bool {
    let Some(text) = text.strip_prefix(b"[") else { return false };
    let text = text.trim_ascii_start();
    let n_name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let (name, rest) = text.split_at(n_name);
    !name.is_empty() && rest.trim_ascii_start().first() == Some(&b'"')
}

fn is_same_content(one: &Path, other: &Path) -> io::Result<bool> {
    let [mut one, mut other] =
        [File::open(one)?, File::open(other)?].map(|file| BufReader::with_capacity(BUFFER_BYTES, file));
    loop {
        let (ours, theirs) = (one.fill_buf()?, other.fill_buf()?);
        let length = ours.len().min(theirs.len());
        if length == 0 {
            return Ok(ours.len() == theirs.len());
        }
        if ours[..length] != theirs[..length] {
            return Ok(false);
        }
        one.consume(length);
        other.consume(length);
    }
}

/// A reader that knows how its text ended.
pub(super) struct WatchedEnd<R> {
    inner: R,
    last_byte: Option<u8>,
    is_at_end: bool,
}

impl<R> WatchedEnd<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, last_byte: None, is_at_end: false }
    }

    /// Whether everything was read and the last line had no end.
    ///
    /// The CSV reader continues after a line only if this line had no end.
    pub(super) fn is_past_torn_end(&self) -> bool {
        self.is_at_end && !matches!(self.last_byte, None | Some(b'\n' | b'\r'))
    }
}

impl<R: Read> Read for WatchedEnd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.inner.read(buffer)?;
        self.is_at_end = n_read == 0;
        self.last_byte = buffer[..n_read].last().copied().or(self.last_byte);
        Ok(n_read)
    }
}
