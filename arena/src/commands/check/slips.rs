//! Common mistakes of authors: the probable mistake, judged by the engine's output. It guesses; the checks decide.

use engine_proto::proto::first_word;

use super::finding::Awaited;
use super::rules::{self, Rule};
use host::closest::closest;

/// The probable mistake, the remedy, and the rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub text: String,
    pub rule: Rule,
}

/// The output of an engine that did not contain the expected answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Output<'a> {
    /// Its lines.
    pub lines: &'a [String],
    /// The text after them without a line end.
    pub unfinished: &'a str,
    /// Lines that came only after its input was closed.
    pub fell_out: &'a [String],
}

/// Why an answer may not have come.
pub fn of_silence(awaited: Awaited, output: Output<'_>) -> Option<Hint> {
    let word = awaited.word()?;
    if first_word(output.unfinished) == word {
        let text = format!("`{word}` came without a line end; end every line with `\\n`");
        return Some(Hint { text, rule: rules::LINE_END });
    }
    if output.fell_out.iter().any(|line| first_word(line) == word) {
        return Some(unflushed(awaited, word));
    }
    let mut all = output.lines.iter().chain(output.fell_out).map(String::as_str).chain([output.unfinished]);
    // The word itself may have come earlier, as an earlier answer.
    let line = all.rfind(|line| is_like(line, word) && line.trim() != word)?;
    let text = match (word, first_word(line)) {
        ("ugiok", "uciok") => {
            "it wrote `uciok` instead of `ugiok`; if this is a UCI engine, add `--protocol uci`".to_owned()
        }
        _ => format!("it wrote `{line}` instead of `{word}`"),
    };
    let rule = match awaited {
        Awaited::Greeting => rules::GREET,
        Awaited::Ready | Awaited::ReadyInSearch => rules::READY,
        Awaited::Move | Awaited::MoveAfterStop | Awaited::End => rules::BEST_MOVE,
    };
    Some(Hint { text, rule })
}

fn unflushed(awaited: Awaited, word: &str) -> Hint {
    match awaited {
        // The end of its input also ends a search.
        Awaited::Move | Awaited::MoveAfterStop => Hint {
            text: format!(
                "`{word}` came only after the input was closed: the engine does not flush its output after this line, or it searched until then"
            ),
            rule: if awaited == Awaited::Move { rules::FLUSH } else { rules::STOP },
        },
        _ => Hint {
            text: format!(
                "`{word}` came only after the input was closed: it was written but not flushed, or the engine was that slow; flush the output after every line, or raise `--timeout`"
            ),
            rule: rules::FLUSH,
        },
    }
}

/// Whether a line begins with a variant of `word`.
fn is_like(line: &str, word: &str) -> bool {
    const ALIKE: f64 = 0.85;
    let words: Vec<String> = line.split_whitespace().take(2).map(squashed).collect();
    let first = words.first().map_or("", String::as_str);
    words.concat() == word || ALIKE <= strsim::jaro_winkler(first, word)
}

/// The legal move that the text after `bestmove` means, if only its spelling is wrong.
pub fn meant_move<'a>(text: &str, legal: &'a [String]) -> Option<&'a str> {
    let first = squashed(first_word(text));
    let all = squashed(text);
    legal.iter().map(String::as_str).find(|mv| {
        let mv = squashed(mv);
        mv == first || mv == all
    })
}

/// The legal move with the spelling nearest to `mv`.
pub fn nearest_move<'a>(mv: &str, legal: &'a [String]) -> Option<&'a str> {
    closest(mv, legal.iter().map(String::as_str))
}

/// The letters and digits of a text, in lower case.
fn squashed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(awaited: Awaited, lines: &[&str], unfinished: &str, fell_out: &[&str]) -> Option<(String, Rule)> {
        let owned = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        let (lines, fell_out) = (owned(lines), owned(fell_out));
        let output = Output { lines: &lines, unfinished, fell_out: &fell_out };
        of_silence(awaited, output).map(|hint| (hint.text, hint.rule))
    }

    #[test]
    fn why_an_answer_did_not_come() {
        use Awaited::{End, Greeting, Move, MoveAfterStop, Ready};
        let check = |awaited, lines: &[&str], unfinished, fell_out: &[&str], words: &str, rule| {
            let (text, found) = hint(awaited, lines, unfinished, fell_out).unwrap();
            assert!(text.contains(words), "{text}");
            assert_eq!(found, rule, "{text}");
        };
        check(Greeting, &["id name x", "uciok"], "", &[], "add `--protocol uci`", rules::GREET);
        check(Greeting, &["UGIOK"], "", &[], "instead of `ugiok`", rules::GREET);
        check(Ready, &["ready ok"], "", &[], "it wrote `ready ok`", rules::READY);
        check(Ready, &["ready-ok."], "", &[], "it wrote `ready-ok.`", rules::READY);
        check(Ready, &[], "readyok", &["readyok"], "without a line end", rules::LINE_END);
        assert_eq!(hint(Ready, &["readyok"], "", &[]), None, "an earlier answer");
        check(Ready, &[], "", &["info depth 1", "readyok"], "flush the output", rules::FLUSH);
        check(
            Move,
            &["info depth 1", "bestmove: c1c2"],
            "",
            &[],
            "it wrote `bestmove: c1c2`",
            rules::BEST_MOVE,
        );
        check(Move, &["best move c1c2"], "", &[], "it wrote `best move c1c2`", rules::BEST_MOVE);
        check(Move, &[], "", &["bestmove c1c2"], "or it searched until then", rules::FLUSH);
        check(MoveAfterStop, &[], "", &["bestmove c1c2"], "or it searched until then", rules::STOP);

        assert_eq!(hint(Greeting, &["id name Best", "option name Hash"], "", &[]), None);
        assert_eq!(hint(Move, &["info depth 3 score cp 1", "readyok"], "", &[]), None);
        assert_eq!(hint(End, &["bye"], "", &[]), None);
        assert_eq!(hint(Ready, &[], "", &[]), None);
    }

    #[test]
    fn moves_that_were_meant() {
        let legal = ["a1a2", "c1c2", "c1xd2"].map(str::to_owned);
        for (text, mv) in
            [("c1-c2", "c1c2"), ("C1C2", "c1c2"), ("c1 c2", "c1c2"), ("c1:xd2 ponder a1a2", "c1xd2")]
        {
            assert_eq!(meant_move(text, &legal), Some(mv), "{text}");
        }
        for text in ["c1c3", "", "(none)", "a2"] {
            assert_eq!(meant_move(text, &legal), None, "{text}");
        }
        assert_eq!(nearest_move("c1c3", &legal), Some("c1c2"));
        assert_eq!(nearest_move("resign", &legal), None);
    }
}
