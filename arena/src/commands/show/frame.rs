//! A position as lines that fit a screen: what is dispensable is left out until it does.

use console::{measure_text_width, strip_ansi_codes, truncate_str};

/// The lines of `text` that fit below each other in `rows` lines of `columns`. If there are too many, explanations go first,
/// then lines of the board without a square, then the rest of the end.
pub(super) fn fit(text: &str, rows: usize, columns: usize) -> Vec<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    if rows < lines.len() {
        let mut is_in_explanation = false;
        lines.retain(|line| {
            is_in_explanation = is_explanation(line) || is_in_explanation && is_continuation(line);
            !is_in_explanation
        });
    }
    if rows < lines.len() {
        // The first and the last border close the board.
        let borders: Vec<usize> = (0..lines.len()).filter(|&idx| is_border(lines[idx])).collect();
        let inner = borders.get(1..borders.len().saturating_sub(1)).unwrap_or_default();
        let mut idx = 0;
        lines.retain(|_| {
            idx += 1;
            !inner.contains(&(idx - 1))
        });
    }
    lines.truncate(rows);
    lines.into_iter().map(|line| cut(line, columns)).collect()
}

/// The legend of a board: its lines are indented, and begin with a word or a sign.
fn is_explanation(line: &str) -> bool {
    let plain = strip_ansi_codes(line);
    plain.starts_with("  ")
        && !plain.starts_with("   ")
        && !is_border(line)
        && plain.split_whitespace().any(|word| 2 < word.chars().filter(|c| c.is_alphabetic()).count())
}

/// A further line of an explanation that does not fit one.
fn is_continuation(line: &str) -> bool {
    strip_ansi_codes(line).starts_with("    ") && !is_border(line)
}

/// A line of the board that has no square.
fn is_border(line: &str) -> bool {
    let plain = strip_ansi_codes(line);
    !plain.trim().is_empty()
        && plain.chars().all(|c| " +-|".contains(c) || ('\u{2500}'..='\u{257f}').contains(&c))
}

fn cut(line: &str, columns: usize) -> String {
    if measure_text_width(line) <= columns {
        return line.to_owned();
    }
    truncate_str(line, columns, "…").into_owned()
}

#[cfg(test)]
mod tests {
    use engine_proto::scene::terminal::{self, Signs, Style};
    use engine_proto::{Games, Side};

    use super::*;

    #[test]
    fn every_board_fits_a_small_screen() {
        for game in Games::built_in().known() {
            for signs in [Signs::Ascii, Signs::Unicode] {
                for has_colour in [false, true] {
                    let play = Games::built_in().startpos(game).unwrap();
                    let style = Style { signs, has_colour, bottom: Side::White, stack: 1 };
                    let board = terminal::draw(&play.layout(), &play.scene(), None, style);
                    let text = format!("{board}FEN: {}\n", play.fen());
                    let lines = fit(&text, 20, 80);
                    assert!(lines.len() <= 20 && lines.iter().all(|line| measure_text_width(line) <= 80));
                    // An explanation is there as a whole or not at all: the last line before the FEN tells who moves.
                    let before_fen = &lines[lines.len() - 2];
                    assert!(
                        lines.len() == text.lines().count() || before_fen.contains(" to move"),
                        "{game}: {}",
                        lines.join("\n")
                    );
                    let is_rank = |line: &&str| {
                        strip_ansi_codes(line).trim_start().starts_with(|c: char| c.is_ascii_digit())
                    };
                    let n_ranks = |lines: Vec<&str>| lines.iter().filter(|line| is_rank(line)).count();
                    let shown = n_ranks(lines.iter().map(String::as_str).collect());
                    assert_eq!(shown, n_ranks(text.lines().collect()), "{game}: {}", lines.join("\n"));
                }
            }
        }
    }

    #[test]
    fn what_fits_is_left_alone() {
        let text = " 1 | a |\n   +---+\nWhite to move\n  + goal\nFEN: a\n";
        assert_eq!(fit(text, 5, 80).join("\n") + "\n", text);
        assert_eq!(fit(text, 4, 8), [" 1 | a |", "   +---+", "White t…", "FEN: a"]);
    }
}
