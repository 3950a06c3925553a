//! Sorts the table of matches when all have ended. It stores positions of rows, not their content.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::num::NonZeroU64;
use std::path::Path;

use host::output::write_whole;

/// Rows are seldom far from their places, so the next row is usually in the buffer.
const BUFFER_BYTES: usize = 32 << 10;

/// Sorts the rows of a table with about this number of matches by match number. A sorted table is not changed.
///
/// # Errors
/// If the file cannot be read or written, or two rows have the same number. The file is unchanged then.
pub(super) fn sort_csv(path: &Path, n_matches: usize) -> io::Result<()> {
    let mut from = BufReader::with_capacity(BUFFER_BYTES, File::open(path)?);
    let mut header = Vec::new();
    read_row(&mut from, &mut header)?;
    let Some(begins) = begins(&mut from, header.len() as u64, n_matches)? else { return Ok(()) };
    from.rewind()?;
    // The table is closed before it is replaced: some systems do not replace an open file.
    write_whole(path, move |to| {
        to.write_all(&header)?;
        let (mut place, mut row) = (0_u64, Vec::new());
        for begin in begins.into_iter().flatten() {
            let begin = begin.get();
            from.seek_relative(begin.wrapping_sub(place).cast_signed())?;
            read_row(&mut from, &mut row)?;
            to.write_all(&row)?;
            place = begin + row.len() as u64;
        }
        Ok(())
    })
}

/// The position of each match's row, by its number; `None` if the rows are sorted. `place` is the position of `from`,
/// which is at the first row.
fn begins(
    from: &mut impl BufRead,
    mut place: u64,
    n_matches: usize,
) -> io::Result<Option<Vec<Option<NonZeroU64>>>> {
    let mut begins = Vec::with_capacity(n_matches + 1);
    let (mut row, mut is_in_order) = (Vec::new(), true);
    while read_row(from, &mut row)? {
        let number = number(&row).ok_or_else(|| wrong(&row))?;
        is_in_order &= begins.len() <= number;
        if begins.len() <= number {
            begins.resize(number + 1, None);
        }
        if begins[number].replace(NonZeroU64::new(place).ok_or_else(|| wrong(&row))?).is_some() {
            return Err(wrong(&row));
        }
        place += row.len() as u64;
    }
    Ok((!is_in_order).then_some(begins))
}

/// Reads a row with its end into `row`, which is cleared first. A row has several lines if a quoted field contains
/// line ends. Returns whether there was a row.
fn read_row(from: &mut impl BufRead, row: &mut Vec<u8>) -> io::Result<bool> {
    row.clear();
    while 0 < from.read_until(b'\n', row)? {
        let is_in_quotes = row.iter().fold(false, |is_in_quotes, &byte| is_in_quotes ^ (byte == b'"'));
        if !is_in_quotes {
            break;
        }
    }
    Ok(!row.is_empty())
}

/// The match number of the row: its first field.
fn number(row: &[u8]) -> Option<usize> {
    let field = row.split(|&byte| byte == b',').next()?;
    let number: u32 = std::str::from_utf8(field).ok()?.parse().ok()?;
    Some(number as usize)
}

fn wrong(row: &[u8]) -> io::Error {
    let row = String::from_utf8_lossy(row);
    io::Error::new(io::ErrorKind::InvalidData, format!("a row without a number of its own: `{}`", row.trim()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn sorted(rows: &[&str]) -> io::Result<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("matches.csv");
        fs::write(&path, format!("match,white\n{}", rows.concat())).unwrap();
        sort_csv(&path, rows.len()).map(|()| fs::read_to_string(&path).unwrap())
    }

    #[test]
    fn rows_are_in_the_order_of_the_numbers_and_say_what_they_said() {
        let rows = ["7,last\n", "2,\"a \"\"name\"\",\n1,of two lines\"\n", "1,first\n", "4,d\n"];
        let expected = ["match,white\n", rows[2], rows[1], rows[3], rows[0]].concat();
        assert_eq!(sorted(&rows).unwrap(), expected);
    }

    #[test]
    fn far_beyond_the_buffer() {
        let name = "x".repeat(1000);
        let row = |number: u32| format!("{number},{name}\n");
        let rows: Vec<String> = (1..=1000).map(|number| row(number * 7 % 1009)).collect();
        let mut numbers: Vec<u32> = (1..=1000).map(|number| number * 7 % 1009).collect();
        numbers.sort_unstable();
        let expected: String = numbers.into_iter().map(row).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        assert!(sorted(&rows).unwrap() == format!("match,white\n{expected}"));
    }

    #[test]
    fn no_row_is_lost() {
        assert_eq!(sorted(&[]).unwrap(), "match,white\n");
        assert_eq!(sorted(&["1,a\n", "3,b\n"]).unwrap(), "match,white\n1,a\n3,b\n");
        for rows in [["2,a\n", "1,b\n", "2,c\n"], ["2,a\n", "1,b\n", "x,c\n"]] {
            assert_eq!(sorted(&rows).unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
    }
}
