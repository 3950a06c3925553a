//! Reads lines of limited length from a stream, so that memory is bounded whatever the other side sends.

use std::io::{self, BufRead, Read as _};

/// The maximum length of a line in bytes, without its end.
pub const LINE_LIMIT: usize = 1 << 20;

/// The next item of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A line without its end.
    Text(&'a str),
    /// A line that is too long, reported as soon as this is known; the next call skips its rest.
    TooLong,
    /// A line that is not UTF-8.
    NotText,
}

/// Reads lines into one buffer. The last line of a stream does not need a line end.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    line: Vec<u8>,
    /// Whether the rest of a line that is too long must be skipped.
    is_in_long_line: bool,
}

impl<R: BufRead> LineReader<R> {
    /// A reader of the lines of `input`.
    pub const fn new(input: R) -> Self {
        Self { input, line: Vec::new(), is_in_long_line: false }
    }

    /// The next line; `None` at the end of the stream. Blocks until it is complete.
    ///
    /// # Errors
    /// The errors of the stream.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        if self.is_in_long_line {
            self.input.skip_until(b'\n')?;
            self.is_in_long_line = false;
        }
        self.line.clear();
        let longest = LINE_LIMIT + "\r\n".len();
        self.input.by_ref().take(longest as u64).read_until(b'\n', &mut self.line)?;
        let Some(last) = self.line.last() else {
            return Ok(None);
        };
        self.is_in_long_line = *last != b'\n' && self.line.len() == longest;
        let line = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LINE_LIMIT {
            return Ok(Some(Line::TooLong));
        }
        Ok(Some(std::str::from_utf8(line).map_or(Line::NotText, Line::Text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<String> {
        let mut reader = LineReader::new(input);
        let mut lines = vec![];
        while let Some(line) = reader.next_line().unwrap() {
            lines.push(match line {
                Line::Text(text) if text.len() > 100 => format!("{} bytes", text.len()),
                Line::Text(text) => text.to_owned(),
                Line::TooLong => "too long".to_owned(),
                Line::NotText => "not text".to_owned(),
            });
        }
        lines
    }

    #[test]
    fn line_ends() {
        assert!(lines(b"").is_empty());
        assert_eq!(lines(b"a\r\n\nb\rc\n d "), ["a", "", "b\rc", " d "]);
        assert_eq!(lines(b"a\n\xff\nb\n"), ["a", "not text", "b"]);
    }

    #[test]
    fn the_limit_is_exact() {
        for end in ["\n", "\r\n"] {
            let fits = "x".repeat(LINE_LIMIT) + end;
            assert_eq!(lines((fits.clone() + "next").as_bytes()), ["1048576 bytes", "next"]);
            for excess in [1, 2, 3, LINE_LIMIT] {
                let long = "x".repeat(excess) + &fits;
                assert_eq!(lines((long + "next").as_bytes()), ["too long", "next"], "{excess}");
            }
        }
    }

    #[test]
    fn a_line_without_end_is_told_at_once() {
        let mut reader = LineReader::new(io::BufReader::new(io::repeat(b'x')));
        assert_eq!(reader.next_line().unwrap(), Some(Line::TooLong));
    }
}
