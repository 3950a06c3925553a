//! Small texts that all tables are made of: signed numbers, counts, names that cannot steer a terminal, wrapped lines.

use std::io::{self, Write};

/// The width of all tables, in columns.
pub const WIDTH: usize = 80;

/// Elo with its sign and one decimal, never `-0.0`.
pub fn signed(elo: f64) -> String {
    let text = format!("{elo:+.1}");
    if text == "-0.0" { "+0.0".to_owned() } else { text }
}

/// A fraction as `64.3%`, in a column of six.
pub fn percent(fraction: f64) -> String {
    format!("{:.1}%", 100.0 * fraction)
}

/// `1 match`, `2 matches`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Names come from outside: nothing in them may steer the terminal, break the line or turn its direction.
pub fn shown(name: &str) -> String {
    let steers = |character: char| {
        character.is_control()
            || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    name.chars().map(|character| if steers(character) { '?' } else { character }).collect()
}

/// `text`, or its beginning and a dot dot dot.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().nth(width).is_none() {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// Writes `text` in lines of at most [`WIDTH`] columns, later ones after `indent`. Spaces in a row stay, and a word that is
/// longer than a line is cut.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_wrapped(text: &str, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let longest = WIDTH - indent.chars().count();
    let mut words = text.split(' ').map(|word| cut(word, longest));
    let mut line = words.next().unwrap_or_default();
    for word in words {
        if WIDTH < line.chars().count() + 1 + word.chars().count() {
            writeln!(out, "{line}")?;
            line.clear();
            line.push_str(indent);
        } else {
            line.push(' ');
        }
        line.push_str(&word);
    }
    writeln!(out, "{line}")
}
