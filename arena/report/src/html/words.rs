//! Numbers formatted for people.

use std::time::Duration;

use crate::tables::Number;
use model::TimeControl;
use ratings::signed;

pub use crate::tables::counted;
pub use ratings::count;

/// `+34 ± 12` or `−3.4 ± 1.2`, with a minus as wide as the plus.
pub fn with_error(value: f64, half_width: f64) -> String {
    Number::with_error(value, half_width).text().replace('-', "\u{2212}")
}

/// A text of the terminal as the page writes it: negative numbers have a minus as wide as the plus, `%` a narrow space before it,
/// bounds one after their sign, and no line ends between a number and its `±`.
pub fn typeset(text: &str) -> String {
    let is_sign = |idx: usize| {
        let before = text[..idx].chars().next_back();
        before.is_none_or(|c| c == ' ' || c == '(')
            && text[idx + 1..].starts_with(|c: char| c.is_ascii_digit() || c == '∞')
    };
    let shown = |(idx, c): (usize, char)| match c {
        '-' if is_sign(idx) => "\u{2212}".to_owned(),
        '<' | '>' if is_sign(idx) => format!("{c}\u{202f}"),
        _ => c.to_string(),
    };
    let text: String = text.char_indices().map(shown).collect();
    let text = text.replace(" ± ", "\u{a0}±\u{a0}");
    let mut spaced = String::with_capacity(text.len());
    for part in text.replace(" %", "%").split_inclusive('%') {
        let number = part.strip_suffix('%').filter(|it| it.ends_with(|c: char| c.is_ascii_digit()));
        spaced += &number.map_or(part.to_owned(), |number| format!("{number}\u{202f}%"));
    }
    spaced
}

/// `+34` or `−34`.
pub fn whole(value: f64) -> String {
    signed(value, 0).replace('-', "\u{2212}")
}

/// The limits of an engine: `10s + 100ms per move, 20,000 nodes`.
pub fn limits(control: &TimeControl) -> String {
    let shown = |time: Duration| humantime::format_duration(time).to_string();
    let mut parts = Vec::new();
    if let Some(base) = control.base {
        let moves = control.moves_to_go.map(|n| format!(" for {n} moves")).unwrap_or_default();
        let increment = control.increment;
        let increment =
            if increment.is_zero() { String::new() } else { format!(" + {} per move", shown(increment)) };
        parts.push(format!("{}{moves}{increment}", shown(base)));
    }
    parts.extend(control.move_time.map(|time| format!("{} per move", shown(time))));
    parts.extend(control.nodes.map(|nodes| format!("{} per move", counted(nodes, "node", "nodes"))));
    parts.extend(control.depth.map(|depth| format!("depth {depth}")));
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// A text as a part of an address, as `encodeURIComponent` of the page's scripts writes it.
pub fn in_address(text: &str) -> String {
    let mut address = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'!'
            | b'~'
            | b'*'
            | b'\''
            | b'('
            | b')' => {
                address.push(char::from(byte));
            }
            byte => address += &format!("%{byte:02X}"),
        }
    }
    address
}

/// A message as HTML: what stands between backticks, as terminals need them, is code.
pub fn prose(text: &str) -> String {
    let escaped = escaped(text);
    let parts: Vec<&str> = escaped.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escaped;
    }
    let part = |(idx, part): (usize, &&str)| {
        if idx % 2 == 0 { (*part).to_owned() } else { format!("<code>{part}</code>") }
    };
    parts.iter().enumerate().map(part).collect()
}

/// A text as HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// `86.8 %`.
pub fn percent(fraction: f64) -> String {
    format!("{:.1}\u{202f}%", 100.0 * fraction)
}

/// A probability, which is never certain: `> 99.9 %`, `< 0.1 %`.
pub fn probability(p: f64) -> String {
    let text = crate::tables::text::probability(p);
    let text = text.replace('>', ">\u{202f}").replace('<', "<\u{202f}");
    text.replace('%', "\u{202f}%")
}

/// A number with a unit's prefix: `1.24 M`.
pub fn short(value: f64) -> String {
    let (scaled, prefix) = match value {
        value if value < 1e3 => return format!("{value:.0}"),
        value if value < 1e6 => (value / 1e3, "k"),
        value if value < 1e9 => (value / 1e6, "M"),
        value => (value / 1e9, "G"),
    };
    let n_decimals = if scaled < 10.0 { 2 } else { usize::from(scaled < 100.0) };
    format!("{scaled:.n_decimals$}\u{202f}{prefix}")
}

/// A time in a suitable unit: `840 µs`, `12.3 ms`, `4.1 s`, `2 min 5 s`.
pub fn time_us(us: f64) -> String {
    let sign = if us < 0.0 { "\u{2212}" } else { "" };
    let us = us.abs();
    let text = match us {
        us if us < 999.5 => format!("{us:.0}\u{202f}µs"),
        us if us < 99_950.0 => format!("{:.1}\u{202f}ms", us / 1e3),
        us if us < 999_500.0 => format!("{:.0}\u{202f}ms", us / 1e3),
        us if us < 59_950_000.0 => format!("{:.1}\u{202f}s", us / 1e6),
        us => {
            let seconds = Duration::from_micros(us as u64).as_secs();
            match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
                (0, minutes, seconds) => format!("{minutes}\u{202f}min {seconds}\u{202f}s"),
                (hours, minutes, _) => format!("{hours}\u{202f}h {minutes}\u{202f}min"),
            }
        }
    };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(with_error(-12.34, 3.0), "\u{2212}12.3 ± 3.0");
        assert_eq!(
            [12.0, 1240.0, 86_500.0, 1.5e6, 2.441e9].map(short),
            ["12", "1.24\u{202f}k", "86.5\u{202f}k", "1.50\u{202f}M", "2.44\u{202f}G"]
        );
        assert_eq!(
            [840.0, 12_340.0, 250_000.0, 4.1e6, 125e6, 7.5e9].map(time_us),
            ["840 µs", "12.3 ms", "250 ms", "4.1 s", "2 min 5 s", "2 h 5 min"]
                .map(|text| text.replace(' ', "\u{202f}"))
                .map(|text| text.replace("min\u{202f}5", "min 5").replace("h\u{202f}5", "h 5"))
        );
        assert_eq!(typeset("+3 ± 2, LOS >99.9%"), "+3\u{a0}±\u{a0}2, LOS >\u{202f}99.9\u{202f}%");
        assert_eq!(typeset("-3 (-2.9, 1) level-9 - b"), "\u{2212}3 (\u{2212}2.9, 1) level-9 - b");
        assert_eq!(
            [0.0, 0.5, 1.0].map(probability).join(", "),
            "<\u{202f}0.1\u{202f}%, 50.0\u{202f}%, >\u{202f}99.9\u{202f}%"
        );
        assert_eq!([-0.4, -12.6, 7.4].map(whole), ["0", "\u{2212}13", "+7"]);
        assert_eq!(prose("see `a <b>` & c"), "see <code>a &lt;b&gt;</code> &amp; c");
        assert_eq!(prose("a ` b"), "a ` b");
        assert_eq!(in_address("a b/ä"), "a%20b%2F%C3%A4");
        assert_eq!(time_us(-1500.0), "\u{2212}1.5\u{202f}ms");
    }
}
