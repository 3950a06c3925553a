//! Splits a command line into words, as a shell does: quotes, backslashes, and the backslash at the end of a line.

/// The words of a command line.
///
/// # Errors
/// If a quote is not closed.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (Some('"') | None, '\\') => match chars.next() {
                Some('\n') | None => {}
                Some(next) => word.get_or_insert_default().push(next),
            },
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(format!("the quote {quote} is not closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_in_a_shell() {
        let line =
            "fastchess -engine cmd=./a name=\"my engine\" args='-x \"y\"' \\\n  -each tc=8+0.08\ta\\ b \"\"";
        let expected = [
            "fastchess",
            "-engine",
            "cmd=./a",
            "name=my engine",
            "args=-x \"y\"",
            "-each",
            "tc=8+0.08",
            "a b",
            "",
        ];
        assert_eq!(split(line).unwrap(), expected);
        assert_eq!(split("").unwrap(), Vec::<String>::new());
        assert_eq!(split("a 'b").unwrap_err(), "the quote ' is not closed");
    }
}
