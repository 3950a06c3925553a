//! How Elo and large numbers are written, everywhere.

/// Elo with its sign and this number of decimals: `+34`, `-3.4`, `+∞`. Zero is `0`.
pub fn signed(elo: f64, n_decimals: usize) -> String {
    match elo {
        f64::INFINITY => return "+∞".to_owned(),
        f64::NEG_INFINITY => return "-∞".to_owned(),
        _ => {}
    }
    let text = format!("{elo:+.n_decimals$}");
    if text.trim_matches(['+', '-', '0', '.']).is_empty() { "0".to_owned() } else { text }
}

/// A lead after the name of an engine: `leads by +34 Elo`, or `is at -3.4 Elo` if it is none.
pub fn with_verb(lead: &str) -> String {
    format!("{} {lead}", if lead.starts_with('+') { "leads by" } else { "is at" })
}

/// `1,200`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx != 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_written_in_one_way() {
        let written = [(34.24, 1), (-0.3, 0), (0.0, 1), (-0.04, 1), (10.0, 0), (f64::NEG_INFINITY, 1)]
            .map(|(elo, n_decimals)| signed(elo, n_decimals));
        assert_eq!(written, ["+34.2", "0", "0", "0", "+10", "-∞"]);
    }
}
