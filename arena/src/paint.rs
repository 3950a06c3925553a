//! Colours for finished tables and their verdict. Where there are no colours, the writer removes them again.

use clap::builder::styling::{AnsiColor, Style};

use report::tables::ALIKE;

const HEADING: Style = Style::new().bold();
const STRONGER: Style = AnsiColor::Green.on_default();
const WEAKER: Style = AnsiColor::Red.on_default();

const UNDECIDED: Style = AnsiColor::Yellow.on_default();

/// A text with tables of standings, in colour: their headings, the ratings that clearly differ from 0, and the verdict.
pub fn painted(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_head = |line: &&str| {
        line.trim_start().trim_start_matches("Rank  ").starts_with("Engine  ")
            || line.starts_with("Rating in ")
    };
    let mut painted = String::with_capacity(text.len());
    let mut answer = None;
    for (idx, line) in lines.iter().enumerate() {
        // A long title has several lines, from an empty one to the head of its table.
        let block = lines[..idx].iter().rev().take_while(|line| !line.trim().is_empty());
        let is_by_game = block.clone().any(|line| line.starts_with("Rating in "));
        let rest = lines[idx..].iter().take_while(|line| !line.trim().is_empty());
        let is_title = !block.copied().any(|line| is_head(&line)) && rest.copied().any(|line| is_head(&line));
        // A long verdict goes on.
        let goes_on = !["\n", " ", "- ", "Report: "].iter().any(|it| line.starts_with(it));
        answer = verdict(line).or(answer.filter(|_| goes_on));
        if is_title || is_head(line) {
            let body = line.trim_end_matches('\n');
            painted += &format!("{HEADING}{body}{HEADING:#}{}", &line[body.len()..]);
        } else if let Some(style) = answer {
            let body = line.trim_end_matches('\n');
            painted += &format!("{style}{body}{style:#}{}", &line[body.len()..]);
        } else {
            // With several ratings in a line, their columns say enough.
            let coloured = if is_by_game { None } else { rating(line) };
            painted += &coloured.unwrap_or_else(|| (*line).to_owned());
        }
    }
    painted
}

/// The style of the first line of a verdict.
fn verdict(line: &str) -> Option<Style> {
    let is_of_text = line.starts_with(|c: char| c.is_whitespace() || c == '-');
    let says = |words: &[&str]| words.iter().any(|it| line.contains(it));
    if is_of_text || line.starts_with("sprt: ") {
        None
    } else if ["Undecided ", "First: ", ALIKE].iter().any(|it| line.starts_with(it))
        || says(&[" is probably the strongest engine"])
        || says(&[": undecided after "]) && says(&[" pairs, LLR "])
    {
        Some(UNDECIDED.bold())
    } else if ["Stronger than ", "Weaker than ", "Not at least "].iter().any(|it| line.starts_with(it))
        || says(&[" is the strongest engine", " is stronger than ", " is weaker than ", " is not at least "])
    {
        Some(STRONGER.bold())
    } else {
        None
    }
}

/// The line with its rating in colour; `None` if it has none, or one whose interval contains 0.
fn rating(line: &str) -> Option<String> {
    let (before, after) = line.split_once(" ± ")?;
    let start = before.rfind(' ')? + 1;
    let elo: f64 = before[start..].parse().ok().filter(|_| before[start..].starts_with(['+', '-']))?;
    let number = after.trim_start();
    let length = number.find(char::is_whitespace).unwrap_or(number.len());
    let error: f64 = number[..length].parse().ok()?;
    let end = line.len() - number.len() + length;
    let style = if elo > 0.0 { STRONGER } else { WEAKER };
    (elo.abs() > error)
        .then(|| format!("{}{style}{}{style:#}{}", &line[..start], &line[start..end], &line[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_clear_ratings_are_painted() {
        let text = "Rating in        chess       push\nmcts       +224 ± 156  +90 ± 12\n\noverall: 240 matches,\n4 games\n   Rank  Engine      Rating  Matches\n\
                    1  mcts  +224.2 ± 156.9   120\n2  beta   +9.1 ±  90.1  120\n3  greedy  -353.3 ± 172.2  120\n- a note\n\n\
                    Undecided between a and b.\nNot ranked: c.\n  To tell a from b: more\na is not at least 5 Elo stronger than b.\n\
                    - c is stronger than d\nsprt: decided after 8 pairs: H1: a is stronger than b\nReport: r\n";
        let painted = painted(text);
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), text);
        let painted: Vec<bool> = painted.lines().map(|line| line.contains('\u{1b}')).collect();
        assert_eq!(
            painted,
            [
                true, false, false, true, true, true, true, false, true, false, false, true, true, false,
                true, false, false, false
            ]
        );
    }
}
