//! The answers of a referee program: read, and checked for what cannot be. The checks know no game.

use std::collections::HashSet;

use engine_proto::fen::shown;
use engine_proto::{End, FenError, Side};
use serde::Deserialize;

/// The maximum length of a move, in bytes.
const LONGEST_MOVE: usize = 32;

/// The answer to a question about a position.
#[derive(Deserialize)]
struct Answer {
    fen: Option<String>,
    side: Option<String>,
    legal: Option<Vec<String>>,
    end: Option<EndOf>,
    board: Option<String>,
    error: Option<Problem>,
}

#[derive(Deserialize)]
struct EndOf {
    winner: String,
    reason: String,
}

#[derive(Deserialize)]
struct Problem {
    #[serde(default)]
    field: String,
    #[serde(default)]
    reason: String,
}

/// A position as the program describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The FEN.
    pub fen: String,
    /// The side to move.
    pub side: Side,
    /// The legal moves, sorted by bytes.
    pub legal: Vec<String>,
    /// The end by the game's rules.
    pub end: Option<End>,
    /// What is drawn, in the form of a FEN's board; the board of the FEN if the program says nothing else.
    pub board: Option<String>,
}

impl Known {
    /// The position without the counters, which is what repetition compares.
    pub fn compared(&self) -> &str {
        self.fen.rsplitn(3, ' ').last().unwrap_or_default()
    }

    /// The number of moves since the last progress.
    pub fn quiet(&self) -> u32 {
        counter(&self.fen, 1).unwrap_or_default()
    }

    /// The number of moves since the start of the game.
    pub fn ply(&self) -> u32 {
        counter(&self.fen, 0).unwrap_or_default()
    }
}

fn counter(fen: &str, nth_from_end: usize) -> Option<u32> {
    let text = fen.rsplit(' ').nth(nth_from_end)?;
    (text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Reads an answer. `reason` gives the static text of a reason, if it is one of the game.
///
/// # Errors
/// [`Wrong::Answer`] if it is not one, with what is wrong; [`Wrong::Question`] if the program refuses the position.
pub fn read(line: &str, reason: impl Fn(&str) -> Option<&'static str>) -> Result<Known, Wrong> {
    let wrong = |what: String| Err(Wrong::Answer(what));
    let answer: Answer = match serde_json::from_str(line) {
        Ok(answer) => answer,
        Err(error) => return wrong(format!("it is not JSON of the expected form: {error}")),
    };
    if let Some(Problem { field, reason }) = answer.error {
        let field = if field.is_empty() { String::new() } else { format!("field `{}`: ", shown(&field)) };
        return Err(Wrong::Question(FenError::new("referee", format!("{field}{}", shown(&reason)))));
    }
    let (Some(fen), Some(side), Some(mut legal)) = (answer.fen, answer.side, answer.legal) else {
        return wrong("it lacks one of the keys `fen`, `side` and `legal`".to_owned());
    };
    if fen.split(' ').count() < 4
        || fen.split(' ').any(|field| field.is_empty() || field.contains(char::is_control))
    {
        return wrong(format!(
            "the FEN `{}` does not have the fields <board> <side> ... <quiet> <ply>, separated by single spaces",
            shown(&fen)
        ));
    }
    if counter(&fen, 0).is_none() || counter(&fen, 1).is_none() {
        return wrong(format!("the last two fields of the FEN `{}` are not numbers", shown(&fen)));
    }
    let Some(side) = Side::from_letter(&side) else {
        return wrong(format!("`side` is `{}` instead of `w` or `b`", shown(&side)));
    };
    if fen.split(' ').nth(1) != Some(&side.letter().to_string()) {
        return wrong(format!("`side` is `{}`, but the FEN is `{}`", side.letter(), shown(&fen)));
    }
    let is_word = |mv: &String| {
        !mv.is_empty()
            && mv.len() <= LONGEST_MOVE
            && !mv.contains(|c: char| c.is_whitespace() || c.is_control())
    };
    if let Some(mv) = legal.iter().find(|mv| !is_word(mv)) {
        return wrong(format!("the move `{}` is not one word of at most {LONGEST_MOVE} bytes", shown(mv)));
    }
    legal.sort_unstable();
    if let Some([twice, _]) = legal.windows(2).find(|pair| pair[0] == pair[1]) {
        return wrong(format!("the move `{}` is listed twice", shown(twice)));
    }
    let end = match answer.end {
        None => None,
        Some(EndOf { winner, reason: text }) => {
            let Some(reason) = reason(&text) else {
                return wrong(format!("the reason `{}` is not one of the game", shown(&text)));
            };
            match winner.as_str() {
                "w" => Some(End::win(Side::White, reason)),
                "b" => Some(End::win(Side::Black, reason)),
                "draw" => Some(End::draw(reason)),
                other => return wrong(format!("the winner `{}` is not `w`, `b` or `draw`", shown(other))),
            }
        }
    };
    // The draws by repetition and quiet moves are the arena's own, and leave the moves legal.
    let end = end.filter(|end| !["repetition", "quiet"].contains(&end.reason));
    match (end, legal.is_empty()) {
        (Some(_), false) => wrong("the game is over, but there are legal moves".to_owned()),
        (None, true) => wrong("there is no legal move, but the game is not over".to_owned()),
        _ => Ok(Known { fen, side, legal, end, board: answer.board }),
    }
}

/// Why an answer is not a position.
#[derive(Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The program refuses the question.
    Question(FenError),
    /// The answer cannot be.
    Answer(String),
}

/// The moves of two positions that are not in both, for a message.
pub fn difference(one: &[String], other: &[String]) -> String {
    let [one_set, other_set] = [one, other].map(|moves| moves.iter().collect::<HashSet<_>>());
    let mut moves: Vec<&str> = one_set.symmetric_difference(&other_set).map(|mv| mv.as_str()).collect();
    moves.sort_unstable();
    shown(&moves.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> Result<Known, String> {
        let reason = |text: &str| ["line", "full"].into_iter().find(|reason| *reason == text);
        read(line, reason).map_err(|wrong| match wrong {
            Wrong::Question(error) => error.to_string(),
            Wrong::Answer(what) => what,
        })
    }

    #[test]
    fn answers_are_read() {
        let known = answer(r#"{"fen":"3/3/3 w 0 4","side":"w","legal":["b1","a1"],"end":null}"#).unwrap();
        assert_eq!((known.legal.join(" ").as_str(), known.ply(), known.compared()), ("a1 b1", 4, "3/3/3 w"));
        let over = answer(r#"{"fen":"3 b 2 5","side":"b","legal":[],"end":{"winner":"w","reason":"line"}}"#)
            .unwrap();
        assert_eq!((over.end, over.quiet()), (Some(End::win(Side::White, "line")), 2));
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (line, what) in [
            ("rubbish", "it is not JSON"),
            ("{}", "lacks one of the keys"),
            (r#"{"fen":"3 w 0","side":"w","legal":["a"]}"#, "does not have the fields"),
            (r#"{"fen":"3 w 0 x","side":"w","legal":["a"]}"#, "are not numbers"),
            (r#"{"fen":"3 w 0 0","side":"b","legal":["a"]}"#, "`side` is `b`, but"),
            (r#"{"fen":"3 w 0 0","side":"white","legal":["a"]}"#, "instead of `w` or `b`"),
            (r#"{"fen":"3 w 0 0","side":"w","legal":["a b"]}"#, "not one word"),
            (r#"{"fen":"3 w 0 0","side":"w","legal":["a","a"]}"#, "listed twice"),
            (r#"{"fen":"3 w 0 0","side":"w","legal":[]}"#, "no legal move, but"),
            (
                r#"{"fen":"3 w 0 0","side":"w","legal":["a"],"end":{"winner":"w","reason":"line"}}"#,
                "is over, but",
            ),
            (
                r#"{"fen":"3 w 0 0","side":"w","legal":[],"end":{"winner":"w","reason":"luck"}}"#,
                "reason `luck`",
            ),
            (r#"{"fen":"3 w 0 0","side":"w","legal":[],"end":{"winner":"x","reason":"line"}}"#, "winner `x`"),
            (r#"{"error":{"field":"board","reason":"too long"}}"#, "field `board`: too long"),
        ] {
            let error = answer(line).unwrap_err();
            assert!(error.contains(what), "{line}: {error}");
        }
    }
}
