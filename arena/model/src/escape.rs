//! Texts of others on a terminal: nothing in them may steer the terminal, hide text or turn its direction. All output
//! for people goes through [`escaped`]. Nothing in a table of CSV may be a formula: [`cell`].

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::RangeInclusive;

/// The text with everything that a terminal would obey as `\u{..}`, except line ends and tabs.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if steers(c) { escaped.extend(c.escape_debug()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// The same for a text that is shown in one line.
pub fn escaped_line(text: &str) -> Cow<'_, str> {
    let escaped = escaped(text);
    if escaped.contains('\n') { Cow::Owned(escaped.replace('\n', "\\n")) } else { escaped }
}

/// The characters that begin a formula, or that a spreadsheet leaves out before one.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A text as a cell of CSV: in front of one that a spreadsheet would obey as a formula, there is a `'`. Numbers stay numbers.
pub fn cell(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(FORMULA) && text.len() > 1 && text.parse::<f64>().is_err();
    if is_formula { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// The fields of a row as cells of CSV.
pub fn cells(fields: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<String> {
    fields.into_iter().map(|field| cell(field.as_ref()).into_owned()).collect()
}

/// The text of a cell of CSV: the opposite of [`cell`].
pub fn of_cell(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| text.starts_with(FORMULA)).unwrap_or(cell)
}

/// Whether a terminal obeys this character: control characters, and those that change the direction of text, break
/// lines, or are not seen.
fn steers(c: char) -> bool {
    const UNSEEN: [RangeInclusive<char>; 6] = [
        '\u{61c}'..='\u{61c}',
        '\u{200e}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2066}'..='\u{206f}',
        '\u{feff}'..='\u{feff}',
        '\u{e0000}'..='\u{e007f}',
    ];
    match c {
        '\n' | '\t' => false,
        _ => c.is_control() || UNSEEN.iter().any(|range| range.contains(&c)),
    }
}

/// A stream for people: everything that is written to it is escaped.
#[derive(Debug)]
pub struct Escaping<W> {
    out: W,
    /// The start of a character whose other bytes are not written yet.
    unfinished: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    /// Writes to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, unfinished: Vec::new() }
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.unfinished);
        all.extend_from_slice(bytes);
        let mut rest = all.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.out.write_all(escaped(text).as_bytes())?;
                    break;
                }
                Err(error) => {
                    let (valid, others) = rest.split_at(error.valid_up_to());
                    let text = std::str::from_utf8(valid).expect("it is valid up to there");
                    self.out.write_all(escaped(text).as_bytes())?;
                    let Some(n_invalid) = error.error_len() else {
                        self.unfinished = others.to_vec();
                        break;
                    };
                    for byte in &others[..n_invalid] {
                        write!(self.out, "\\x{byte:02x}")?;
                    }
                    rest = &others[n_invalid..];
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for (text, shown) in [
            ("=HYPERLINK(\"http://x\")", "'=HYPERLINK(\"http://x\")"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+1+cmd", "'+1+cmd"),
            ("-x", "'-x"),
            ("\t=1", "'\t=1"),
        ] {
            assert_eq!(cell(text), shown);
            assert_eq!(of_cell(shown), text);
        }
        for same in ["-12.30", "+3", "-inf", "-", "a=b", "'quoted'", ""] {
            assert_eq!(cell(same), same);
            assert_eq!(of_cell(same), same);
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        for (text, expected) in [
            ("plain läufer 将 🙂 \"a\\b'\"\tx\ny", "plain läufer 将 🙂 \"a\\b'\"\tx\ny"),
            ("\x1b[2J\x07\r\0\u{9b}", "\\u{1b}[2J\\u{7}\\r\\0\\u{9b}"),
            ("a\u{202e}b\u{2066}c\u{200f}\u{61c}\u{feff}", "a\\u{202e}b\\u{2066}c\\u{200f}\\u{61c}\\u{feff}"),
            ("\u{2028}\u{e0041}", "\\u{2028}\\u{e0041}"),
        ] {
            assert_eq!(escaped(text), expected);
            assert_eq!(escaped(&escaped(text)), expected, "an escaped text stays as it is");
            // However the bytes are cut.
            for size in 1..text.len() {
                let mut out = Escaping::new(Vec::new());
                text.as_bytes().chunks(size).for_each(|chunk| out.write_all(chunk).unwrap());
                assert_eq!(String::from_utf8(out.out).unwrap(), expected, "{size}");
            }
        }
        assert_eq!(escaped_line("a\nb\x1b"), "a\\nb\\u{1b}");
        let mut out = Escaping::new(Vec::new());
        out.write_all(b"a\xff\xfeb\xe2").unwrap();
        out.write_all(b"x").unwrap();
        assert_eq!(out.out, b"a\\xff\\xfeb\\xe2x");
    }
}
