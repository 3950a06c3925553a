//! Reads, repairs and rewrites `matches.jsonl`. The caller decides which matches get other numbers, and which are
//! moved.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use engine_proto::Games;

use super::folder::locked;
use super::reader::{BadLine, JournalReader};
use super::{MATCHES_JSONL, ResultsError, SET_ASIDE, io_error};
use host::lock::Lock;
use host::output::{replace, temporary};
use model::Record;
use schedule::MatchNumbers;

/// Passes each match of a journal, which is of one of these games, to `take`. Lines that a kill or a power cut left incomplete are skipped. Returns
/// whether there are any before the last line.
pub(super) fn read_records<E: From<ResultsError>>(
    games: &Games,
    journal: &File,
    path: &Path,
    mut take: impl FnMut(Record) -> Result<(), E>,
) -> Result<bool, E> {
    let mut has_holes = false;
    let mut lines = JournalReader::rewound(journal).map_err(io_error("read", path))?;
    while let Some(line) = lines.next_line().map_err(io_error("read", path))? {
        match line.record(games) {
            Ok(record) => take(record)?,
            Err(BadLine::Torn) => break,
            Err(_) if line.has_hole() => has_holes = true,
            Err(error) => return Err(bad_line(path, line.number, &error).into()),
        }
    }
    Ok(has_holes)
}

/// The error of an invalid line.
pub(super) fn bad_line(path: &Path, line: u64, error: &BadLine) -> ResultsError {
    ResultsError::BadLine { path: path.to_owned(), line, reason: error.to_string() }
}

/// Rewrites the journal with the numbers that `number` gives, and moves the matches without one to [`SET_ASIDE`].
/// Returns the new journal and the number of moved matches. If it is interrupted at any point, every match is in one of
/// the files.
pub(super) fn rearrange(
    games: &Games,
    folder: &Path,
    journal: &File,
    lock: &Lock,
    mut number: impl FnMut(&Record) -> Option<(u32, u32)>,
) -> Result<(File, u32), ResultsError> {
    let path = folder.join(MATCHES_JSONL);
    let aside_path = folder.join(SET_ASIDE);
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    let new = temporary(&path).map_err(io_error("write", &path))?;
    locked(folder, &path, || lock.hand_over(new.as_file()))?;
    let aside = options.open(&aside_path).map_err(io_error("write", &aside_path))?;

    let (mut kept_lines, mut aside_lines) = (BufWriter::new(new.as_file()), BufWriter::new(&aside));
    let mut seen = MatchNumbers::default();
    let mut n_set_aside = 0;
    read_records(games, journal, &path, |mut record| {
        let found = number(&record).filter(|(number, _)| seen.insert(*number));
        if let Some((number, pair)) = found {
            (record.number, record.pair) = (number, pair);
            return write_line(&mut kept_lines, &record).map_err(io_error("write", &path));
        }
        n_set_aside += 1;
        write_line(&mut aside_lines, &record).map_err(io_error("write", &aside_path))
    })?;
    kept_lines.flush().and_then(|()| new.as_file().sync_all()).map_err(io_error("write", &path))?;
    aside_lines.flush().and_then(|()| aside.sync_all()).map_err(io_error("write", &aside_path))?;
    drop((kept_lines, aside_lines));
    let new = replace(new, &path).map_err(io_error("replace", &path))?;
    Ok((new, n_set_aside))
}

pub(super) fn write_line(out: &mut impl Write, record: &Record) -> io::Result<()> {
    /// More than most moves take.
    const MOVE_BYTES: usize = 200;
    let mut line = Vec::with_capacity((record.moves.len() + 5) * MOVE_BYTES);
    serde_json::to_writer(&mut line, record).map_err(io::Error::other)?;
    line.push(b'\n');
    out.write_all(&line)
}

/// A kill during a write leaves a line without an end.
pub(super) fn cut_torn_line(journal: &mut File, path: &Path) -> io::Result<()> {
    const BLOCK: u64 = 64 * 1024;
    let mut end = journal.metadata()?.len();
    let length = end;
    let mut block = Vec::new();
    while 0 < end {
        let start = end.saturating_sub(BLOCK);
        journal.seek(SeekFrom::Start(start))?;
        block.clear();
        Read::by_ref(journal).take(end - start).read_to_end(&mut block)?;
        if let Some(place) = block.iter().rposition(|&byte| byte == b'\n') {
            end = start + place as u64 + 1;
            break;
        }
        end = start;
    }
    if end < length {
        // On Windows, a file that is opened to append to cannot be cut.
        OpenOptions::new().write(true).open(path)?.set_len(end)?;
    }
    journal.seek(SeekFrom::Start(0))?;
    Ok(())
}
