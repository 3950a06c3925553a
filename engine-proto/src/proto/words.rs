//! Lines as words: how words, numbers and free texts are written in a line. Allocates only for owned texts.
//!
//! Words are separated by ASCII whitespace: spaces and tabs, and a remaining line end (`\r` or `
//! `), so no word contains one.

use std::borrow::Cow;
use std::fmt;
use std::str::SplitAsciiWhitespace;

/// Words of a line: a move list, a FEN or a name. It may be empty.
///
/// Two values are equal if their words are, whatever whitespace separates them. `Display` joins them with single
/// spaces.
#[derive(Clone, Copy, Default)]
pub struct Words<'a> {
    /// Without whitespace at its ends.
    text: &'a str,
}

impl<'a> Words<'a> {
    /// The words of `text`.
    pub const fn new(text: &'a str) -> Self {
        Self { text: text.trim_ascii() }
    }

    /// Whether there are no words.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The words in order.
    pub fn iter(&self) -> SplitAsciiWhitespace<'a> {
        self.text.split_ascii_whitespace()
    }

    /// The text as in the line, from the first word to the last.
    pub const fn raw(&self) -> &'a str {
        self.text
    }

    /// The words joined by single spaces; borrowed if the line already has this form.
    pub fn joined(&self) -> Cow<'a, str> {
        let mut after_space = false;
        let is_joined = self.text.bytes().all(|byte| {
            let is_good = !byte.is_ascii_whitespace() || (byte == b' ' && !after_space);
            after_space = byte == b' ';
            is_good
        });
        if is_joined { Cow::Borrowed(self.text) } else { Cow::Owned(self.to_string()) }
    }

    /// Whether the words are those of `other`; case does not matter (ASCII). Names are compared like this.
    pub fn is_named(&self, other: &str) -> bool {
        let mut others = other.split_ascii_whitespace();
        self.iter().all(|word| others.next().is_some_and(|other| word.eq_ignore_ascii_case(other)))
            && others.next().is_none()
    }
}

impl<'a> From<&'a str> for Words<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text)
    }
}

impl PartialEq for Words<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text || self.iter().eq(other.iter())
    }
}

impl Eq for Words<'_> {}

impl<'a> IntoIterator for Words<'a> {
    type Item = &'a str;
    type IntoIter = SplitAsciiWhitespace<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &Words<'a> {
    type Item = &'a str;
    type IntoIter = SplitAsciiWhitespace<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = self.iter();
        if let Some(first) = words.next() {
            f.write_str(first)?;
        }
        write_words(f, words)
    }
}

impl fmt::Debug for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// The first word of a line; empty without words. It tells the kind of a line without parsing all of it.
pub fn first_word(line: &str) -> &str {
    split_word(line).0
}

/// The first word of `text`, empty without words, and the rest.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii_start();
    text.split_at(text.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(text.len()))
}

/// Splits `text` before the first word for which `is_key` returns true; the second part is `None` without such a word.
pub(super) fn split_before(text: &str, is_key: impl Fn(&str) -> bool) -> (&str, &str) {
    let mut rest = text;
    loop {
        let (word, after) = split_word(rest);
        if word.is_empty() {
            return (text.trim_ascii(), "");
        }
        if is_key(word) {
            let (head, tail) = text.split_at(text.len() - after.len() - word.len());
            return (head.trim_ascii(), tail);
        }
        rest = after;
    }
}

/// A whole number without sign. A number that is too large counts as the largest possible one.
pub(super) fn unsigned(word: &str) -> Option<u64> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.parse().unwrap_or(u64::MAX))
}

/// Like [`unsigned`], with 32 bits.
pub(super) fn unsigned32(word: &str) -> Option<u32> {
    unsigned(word).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

/// A whole number, with `-` if negative. A number that is too large counts as the largest possible one.
pub(super) fn signed(word: &str) -> Option<i64> {
    let Some(size) = word.strip_prefix('-') else {
        return unsigned(word).map(|size| i64::try_from(size).unwrap_or(i64::MAX));
    };
    unsigned(size).map(|size| 0_i64.checked_sub_unsigned(size).unwrap_or(i64::MIN))
}

/// Writes each word with a space before it.
pub(super) fn write_words(
    f: &mut fmt::Formatter<'_>,
    words: impl IntoIterator<Item = impl fmt::Display>,
) -> fmt::Result {
    words.into_iter().try_for_each(|word| write!(f, " {word}"))
}

/// Writes a space and the text, or nothing if it is empty. A line end in it becomes a space, so that the line is not
/// broken.
pub(super) fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Ok(());
    }
    text.split('\n').try_for_each(|part| write!(f, " {part}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_compare_and_join() {
        let words = Words::new("  a1b2\t c3  \r\n");
        assert_eq!(words, Words::new("a1b2 c3"));
        assert_ne!(words, Words::new("a1b2"));
        assert_ne!(words, Words::new("A1b2 c3"));
        assert_eq!(words.to_string(), "a1b2 c3");
        assert_eq!(words.joined(), "a1b2 c3");
        assert!(matches!(Words::new(" a b ").joined(), Cow::Borrowed("a b")));
        assert!(Words::new(" \t").is_empty());
        assert!(Words::new("move  overhead").is_named("Move Overhead"));
        assert!(!Words::new("move").is_named("Move Overhead"));
        assert!(!Words::new("move overhead").is_named("Move"));
    }

    #[test]
    fn the_first_word() {
        for (line, word) in [("", ""), ("  ", ""), ("bestmove", "bestmove"), ("\tinfo depth 1", "info")] {
            assert_eq!(first_word(line), word);
        }
    }

    #[test]
    fn keys_split_a_text() {
        assert_eq!(split_before("a  b key c", |word| word == "key"), ("a  b", "key c"));
        assert_eq!(split_before("key", |word| word == "key"), ("", "key"));
        assert_eq!(split_before(" a keys ", |word| word == "key"), ("a keys", ""));
    }

    #[test]
    fn numbers_saturate() {
        assert_eq!(unsigned("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(unsigned32("4294967296"), Some(u32::MAX));
        assert_eq!(signed("-99999999999999999999999"), Some(i64::MIN));
        assert_eq!(signed("18446744073709551615"), Some(i64::MAX));
        assert_eq!(signed("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(signed("-12"), Some(-12));
        for text in ["", "-", "+1", "1.5", "0x1", "--1", "٣"] {
            assert_eq!((unsigned(text), signed(text)), (None, None), "{text}");
        }
    }
}
