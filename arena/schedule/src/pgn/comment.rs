//! What a comment of PGN says of the move before it.

use std::collections::VecDeque;

use engine_proto::Side;
use engine_proto::proto::Score;

/// What engines and people say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// What the engine that moved thinks, in its view.
    pub score: Option<Score>,
    /// The depth of that, in plies.
    pub depth: Option<u32>,
    /// The time of the move, in microseconds.
    pub time_us: Option<u64>,
    /// The score, its depth, the time and what fastchess writes behind it, as far as they are there, as they are written.
    pub claim: String,
    /// What a person says.
    pub words: String,
}

impl Comment {
    /// A comment that begins with a score of an engine in the form of the arena, fastchess and Cute Chess, `+0.31/9 0.012s` or `-M4`, or
    /// does not. Commands such as `[%clk 0:01]` are left out. A number before words is a score only with its depth: people write `+1.5
    /// would be too much`, too.
    pub fn read(comment: &str) -> Self {
        let plain = without_commands(comment).replace('{', "(").replace('}', ")");
        let mut words: VecDeque<&str> = plain.split_whitespace().collect();
        let mut told = Self::default();
        let is_alone = words.get(1).is_none_or(|next| time_us(next).is_some());
        if let Some(word) = words.front().filter(|first| is_alone || first.contains('/')) {
            let (value, depth) = word.trim_end_matches(',').split_once('/').unwrap_or((word, ""));
            told.score = claim(value);
            told.depth = depth.parse().ok().filter(|depth| 0 < *depth && told.score.is_some());
        }
        let mut claim: Vec<&str> = Vec::new();
        if told.score.is_some() {
            claim.extend(words.pop_front());
        }
        told.time_us = words.front().and_then(|first| time_us(first));
        if told.time_us.is_some() {
            claim.extend(words.pop_front());
        }
        let rest = words.make_contiguous().join(" ");
        let words = if told.time_us.is_some() { without_fields(&rest) } else { &rest };
        claim.push(&rest[..rest.len() - words.len()]);
        claim.join(" ").trim_end_matches([',', ' ']).clone_into(&mut told.claim);
        words.clone_into(&mut told.words);
        told
    }
}

/// What follows the fields of fastchess, such as `n=1234, nps=9000, pv="e4 e5", White mates`.
fn without_fields(text: &str) -> &str {
    let Some((name, value)) = text.split_once('=') else { return text };
    if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_lowercase()) {
        return text;
    }
    let end = match value.strip_prefix('"') {
        Some(quoted) => quoted.find('"').map(|end| end + 2),
        None => value.find(','),
    };
    end.map_or("", |end| without_fields(value[end..].trim_start_matches([',', ' '])))
}

/// Why the match ended, if the last comment says so as Cute Chess and fastchess do: `White mates`, `+0.02/9 0.1s, Draw by adjudication:
/// SyzygyTB`. The words are those of the arena, or of the tag `Termination`.
pub fn reason(comment: &str) -> Option<&'static str> {
    const REASONS: [(&str, &str); 13] = [
        ("mates", "checkmate"),
        ("resigns", "resign"),
        ("loses on time", "time forfeit"),
        ("makes an illegal move", "illegal move"),
        ("disconnects", "disconnected"),
        ("connection stalls", "stalled connection"),
        ("wins by adjudication", "adjudication"),
        ("adjudication", "adjudication"),
        ("agreement", "agreement"),
        ("stalemate", "stalemate"),
        ("3-fold repetition", "repetition"),
        ("fifty moves rule", "quiet"),
        ("insufficient mating material", "insufficient-material"),
    ];
    let told = Comment::read(comment).words;
    let what = told.split(':').next()?.trim_end_matches('.');
    let said = ["White's ", "Black's ", "White ", "Black ", "Draw by "]
        .iter()
        .find_map(|who| what.strip_prefix(who))?;
    REASONS.iter().find(|(words, _)| *words == said).map(|(_, reason)| *reason)
}

/// The value of a comment in the form of lichess, and its depth if it has one, as it is written: `-1.2,20`.
pub fn written_evaluation(comment: &str) -> Option<&str> {
    values(comment, "eval").map(|value| value.trim_end_matches(','))
}

/// What a comment in the form of lichess says that the position, in which `to_move` is to move, is worth for White, and the depth of that:
/// `[%eval 0.31]`, `[%eval -1.2,20]`, or `[%eval #-4]` for a mate by Black in four moves, which are plies here.
pub fn evaluation(comment: &str, to_move: Side) -> Option<(Score, Option<u32>)> {
    let told = values(comment, "eval")?;
    let (value, depth) = told.split_once(',').unwrap_or((told, ""));
    let depth = depth.parse().ok();
    let Some(moves) = value.strip_prefix('#') else { return Some((Score::Centi(hundredths(value)?), depth)) };
    let plies = |moves: u32, winner| moves.saturating_mul(2).saturating_sub(u32::from(to_move == winner));
    let score = match moves.strip_prefix('-') {
        Some(moves) => Score::Loss(plies(moves.parse().ok()?, Side::Black)),
        None => Score::Win(plies(moves.parse().ok()?, Side::White)),
    };
    Some((score, depth))
}

/// The time left on the clock of who moved, in milliseconds, such as `[%clk 0:01:30.5]`; less than a day.
pub fn clock_ms(comment: &str) -> Option<u64> {
    let parts = command(comment, "clk")?.split(':').map(|part| part.parse::<f64>().ok());
    let seconds = parts.reduce(|larger, part| Some(60.0 * larger? + part?))??;
    (0.0..86_400.0).contains(&seconds).then_some((1000.0 * seconds) as u64)
}

/// The first value of a command in a comment, such as `[%best Nf3]`.
pub fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    values(comment, name)?.split(',').next()
}

fn values<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = comment.split_once(&format!("[%{name} "))?;
    rest.split([']', ' ']).next()
}

fn without_commands(comment: &str) -> String {
    let (mut plain, mut rest) = (String::new(), comment);
    while let Some((before, command)) = rest.split_once("[%") {
        plain.extend([before, " "]);
        rest = command.split_once(']').map_or("", |(_, after)| after);
    }
    plain + rest
}

/// The time of an engine, such as `0.012s`.
fn time_us(word: &str) -> Option<u64> {
    let seconds = word.trim_end_matches(',').strip_suffix('s')?.parse::<f64>().ok()?;
    Some((1e6 * seconds) as u64)
}

/// A score such as `+0.31` or `-M4`.
fn claim(value: &str) -> Option<Score> {
    let size = value.trim_start_matches(['+', '-']);
    if let Some(plies) = size.strip_prefix('M') {
        let plies = plies.parse().ok()?;
        return Some(if value.starts_with('-') { Score::Loss(plies) } else { Score::Win(plies) });
    }
    let is_number = size.starts_with(|first: char| first.is_ascii_digit());
    if is_number && size.contains('.') { Some(Score::Centi(hundredths(value)?)) } else { None }
}

fn hundredths(value: &str) -> Option<i32> {
    let score = value.parse::<f64>().ok().filter(|score| score.abs() < 1e6)?;
    Some((100.0 * score).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_fastchess_are_no_words() {
        let fields = "tl=59.512s, n=1234, sd=14, nps=9000, pv=\"e4 e5\"";
        for (comment, words) in [
            (format!("+0.31/9 0.500s, {fields}"), ""),
            (format!("-M4/9 0.500s, {fields}, Draw by 3-fold repetition"), "Draw by 3-fold repetition"),
            ("a=b is odd".to_owned(), "a=b is odd"),
            ("+0.31/9 0.500s, White mates".to_owned(), "White mates"),
        ] {
            assert_eq!(Comment::read(&comment).words, words, "{comment}");
        }
        // A text that is saved again has them.
        for (comment, claim) in [
            (&*format!("+0.31/9 0.104s, {fields}, White mates"), &*format!("+0.31/9 0.104s, {fields}")),
            ("0.1s, n=3", "0.1s, n=3"),
            ("+0.31/9 0.104s, White mates", "+0.31/9 0.104s"),
            ("-M4, nice", ""),
            ("1.50/0", "1.50/0"),
            ("2s", "2s"),
        ] {
            assert_eq!(Comment::read(comment).claim, claim, "{comment}");
        }
        assert_eq!(reason(&format!("0.00/1 0.1s, {fields}, Draw by stalemate")), Some("stalemate"));
    }
}
