//! Text helpers for all tables: counts, escaped names, wrapped lines.

use std::borrow::Cow;
use std::io::{self, Write};

use console::measure_text_width;
use model::escape::escaped_line;
use ratings::count;

/// The width of all tables, in columns.
pub const WIDTH: usize = 80;

/// The width of tables and texts in a terminal with this many `columns`; files and pipes have none.
pub fn width(columns: Option<usize>) -> usize {
    columns.map_or(WIDTH, |columns| columns.min(WIDTH))
}

/// A fraction as `64.3%`, in a column of six.
pub fn percent(fraction: f64) -> String {
    format!("{:.1}%", 100.0 * fraction)
}

/// A probability as [`percent`], which is never certain: `>99.9%`, `<0.1%`.
pub fn probability(p: f64) -> String {
    const LEAST: f64 = 0.001;
    const MOST: f64 = 0.999;
    match p {
        p if MOST < p => format!(">{}", percent(MOST)),
        p if p < LEAST => format!("<{}", percent(LEAST)),
        p => percent(p),
    }
}

/// `1 match`, `1,200 matches`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// Names come from outside: control characters, line ends and changes of direction are escaped.
pub fn shown(name: &str) -> String {
    escaped_line(name).into_owned()
}

/// The text with a capital first letter.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// `text`, or its beginning with an ellipsis.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().nth(width).is_none() {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// `text`, or its beginning and its end with an ellipsis between them: names often differ only at their ends.
pub fn cut_middle(text: &str, width: usize) -> String {
    let n = text.chars().count();
    if n <= width {
        return text.to_owned();
    }
    let n_end = (width - 1) / 2;
    let begin = text.chars().take(width - 1 - n_end);
    begin.chain(['…']).chain(text.chars().skip(n - n_end)).collect()
}

/// The width of a column of `names`, at least `least`, in a table that is [`WIDTH`] columns wide if the names take `most`. A
/// wider terminal gives its columns to the names. Files and pipes have no `columns`, and names are not cut.
pub fn name_width<'a>(
    names: impl IntoIterator<Item = &'a str>,
    least: usize,
    most: usize,
    columns: Option<usize>,
) -> usize {
    let longest = names.into_iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let most = columns.map_or(usize::MAX, |columns| most + columns.saturating_sub(WIDTH));
    longest.clamp(least.min(most), most)
}

/// Writes `text` in lines of at most [`WIDTH`] columns, with `indent` from the second line on. Multiple spaces are
/// kept, and a word that is longer than a line is cut.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_wrapped(text: &str, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    write_wrapped_in(WIDTH, text, indent, out)
}

/// The same in lines of this `width`.
pub(super) fn write_wrapped_in(
    width: usize,
    text: &str,
    indent: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let longest = width.saturating_sub(indent.chars().count()).max(1);
    let words = words(text).map(|it| if it.contains(' ') { it.into() } else { cut(it, longest).into() });
    writeln!(out, "{}", wrapped(words, indent, width))
}

/// The words of a text. What stands in backticks is one, so that it can be copied.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_paired = text.matches('`').count().is_multiple_of(2);
    let mut is_code = false;
    text.split(move |c| {
        is_code ^= is_paired && c == '`';
        c == ' ' && !is_code
    })
}

/// A message in lines of a terminal with this many `columns`, which would break it inside words; else as it is. The rest of a line
/// is indented further than its beginning. A word that is longer than a line, such as a path, is not cut.
pub fn message(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else { return text.to_owned() };
    let lines = text.lines().map(|line| {
        let indent = " ".repeat(2 + line.len() - line.trim_start_matches(' ').len());
        wrapped(words(line).map(Cow::Borrowed), &indent, columns)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// These words in lines of at most this `width`.
pub(super) fn wrapped<'a>(
    mut words: impl Iterator<Item = Cow<'a, str>>,
    indent: &str,
    width: usize,
) -> String {
    let mut text = words.next().unwrap_or_default().into_owned();
    let mut n_columns = measure_text_width(&text);
    for word in words {
        let n_chars = measure_text_width(&word);
        if width < n_columns + 1 + n_chars {
            text.push('\n');
            text.push_str(indent);
            n_columns = indent.chars().count();
        } else {
            text.push(' ');
            n_columns += 1;
        }
        text.push_str(&word);
        n_columns += n_chars;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_in_the_middle() {
        for (text, width, cut) in [
            ("short", 5, "short"),
            ("alpha-beta-level-9", 10, "alpha…el-9"),
            ("alpha-beta-level-9", 9, "alph…el-9"),
            ("größer-als-dies", 7, "grö…ies"),
        ] {
            assert_eq!(cut_middle(text, width), cut);
        }
    }

    #[test]
    fn a_message_breaks_between_words() {
        let text = "match 3 (push): a loses, crash; see `arena show /a/path 3`\nand more";
        let shown = "match 3 (push): a\n  loses, crash; see\n  `arena show /a/path 3`\nand more";
        assert_eq!(message(text, Some(21)), shown);
        assert_eq!(message(text, None), text);
        assert_eq!(message("  push  of two", Some(8)), "  push \n    of\n    two");
    }

    #[test]
    fn no_probability_is_certain() {
        let shown = [0.0, 0.0004, 0.001, 0.5, 0.999, 0.9995, 1.0].map(probability);
        assert_eq!(shown, ["<0.1%", "<0.1%", "0.1%", "50.0%", "99.9%", ">99.9%", ">99.9%"]);
    }

    #[test]
    fn names_get_the_columns_of_a_wider_terminal() {
        let names = ["short", "a-name-of-thirty-characters-ab"];
        for (columns, width) in [(Some(40), 20), (Some(80), 20), (Some(85), 25), (Some(200), 30), (None, 30)]
        {
            assert_eq!(name_width(names, 6, 20, columns), width, "{columns:?}");
        }
        assert_eq!(name_width(["short"], 6, 20, None), 6);
    }
}
