//! Moves in the order of their spellings, which does not depend on how a game lists its moves.

use std::fmt::{self, Write};
use std::ops::Range;

/// Finds moves by the order of their spellings. It reuses its memory.
#[derive(Default)]
pub(crate) struct Spellings {
    /// All spellings, concatenated.
    text: String,
    /// The place of each spelling in the text, and the index of its move.
    places: Vec<(Range<usize>, usize)>,
}

impl Spellings {
    /// The index of the move whose spelling is the `nth`, from 0, in the order of bytes.
    pub(crate) fn nth(&mut self, moves: &[impl fmt::Display], nth: usize) -> usize {
        let Self { text, places } = self;
        text.clear();
        places.clear();
        for (idx, mv) in moves.iter().enumerate() {
            let begin = text.len();
            write!(text, "{mv}").expect("a String takes all");
            places.push((begin..text.len(), idx));
        }
        let text = text.as_bytes();
        let by_text = |(one, _): &(Range<usize>, usize), (other, _): &(Range<usize>, usize)| {
            text[one.clone()].cmp(&text[other.clone()])
        };
        places.select_nth_unstable_by(nth, by_text).1.1
    }
}

/// Whether `item` is displayed as exactly `text`. It does not allocate.
pub(crate) fn is_spelled(item: &impl fmt::Display, text: &str) -> bool {
    struct Rest<'a>(&'a str);
    impl fmt::Write for Rest<'_> {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            self.0 = self.0.strip_prefix(part).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let mut rest = Rest(text);
    fmt::write(&mut rest, format_args!("{item}")).is_ok() && rest.0.is_empty()
}
