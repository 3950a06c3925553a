//! The table of matches, put in their order when all have ended. It keeps where the rows are, never what they say.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use super::replace_with;

/// Rows are hardly ever far from their places: most of the time the next one is in the buffer.
const BUFFER_BYTES: usize = 256 << 10;

/// A row of the file: the order is that of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    number: u32,
    length: u32,
    begin: u64,
}

/// Puts the rows of a table in the order of the matches, and leaves it alone if they are.
///
/// # Errors
/// If the file cannot be read or written; it is then as before.
pub(super) fn sort_csv(path: &Path) -> io::Result<()> {
    let (header_bytes, mut rows) = rows(path)?;
    if rows.is_sorted() {
        return Ok(());
    }
    rows.sort_unstable();
    let mut from = BufReader::with_capacity(BUFFER_BYTES, File::open(path)?);
    replace_with(path, |file| {
        let mut to = BufWriter::with_capacity(BUFFER_BYTES, file);
        let mut place = io::copy(&mut Read::by_ref(&mut from).take(header_bytes), &mut to)?;
        for row in rows {
            from.seek_relative(row.begin.wrapping_sub(place).cast_signed())?;
            place = row.begin + io::copy(&mut Read::by_ref(&mut from).take(row.length.into()), &mut to)?;
        }
        to.flush()
    })
}

/// The length of the first line, and all rows in the order of the file.
fn rows(path: &Path) -> io::Result<(u64, Vec<Row>)> {
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(BUFFER_BYTES).from_path(path)?;
    reader.byte_headers()?;
    let header_bytes = reader.position().byte();
    let mut rows = Vec::new();
    let mut record = csv::ByteRecord::new();
    let mut begin = header_bytes;
    while reader.read_byte_record(&mut record)? {
        let end = reader.position().byte();
        let number = std::str::from_utf8(&record[0]).ok().and_then(|text| text.parse().ok());
        let number = number.unwrap_or_default();
        let length = u32::try_from(end - begin).map_err(|_| io::ErrorKind::FileTooLarge)?;
        rows.push(Row { number, length, begin });
        begin = end;
    }
    Ok((header_bytes, rows))
}
