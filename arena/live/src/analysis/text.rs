//! A tree as text: PGN in chess, and in other games the same with their moves.

use std::fmt;

use engine_proto::proto::{Command, StartAt, Words};
use engine_proto::{GameId, Games, fen};

use super::tree::{NoMove, SIGNS, Tree, Unread};
use crate::position::{has_notation, notation};
use ratings::MatchResult;
use report::html::parts::outcome;
use schedule::pgn::comment::{Comment, command, evaluation, written_evaluation};
use store::result_files::game_of_variant;

/// The greatest number of places with something wrong that are named.
const MOST_FAULTS: usize = 3;

impl Tree {
    /// The tree in a text of one match: moves in any usual spelling, with signs such as `!?` or `$5`, branches in brackets, evaluations in
    /// comments as in the arena's PGN (`+0.31/9`, of the side that moved) or as on lichess (`[%eval 0.31]`, of White), the words of comments,
    /// and tags as in PGN, of which `FEN` is the start. What follows something that cannot be read is left out, in a branch to the end of the
    /// branch, and the tree says so, with its line, also in the whole text, which has `n_before` lines before this match.
    ///
    /// # Errors
    /// If the text is none of this game, or has no move that can be read.
    pub fn read(games: &Games, game: GameId, text: &str, n_before: usize) -> Result<Self, String> {
        if let Ok(Command::Position { start, moves }) = Command::parse(text.trim()) {
            return Self::read_command(games, game, start, moves);
        }
        let tag = |name: &str| text.lines().find_map(|line| tag(line, name));
        if !can_be_match(text) {
            return Err(no_match(games, game, text, n_before));
        }
        if let Some(other) = game_of(games, text)?.filter(|other| *other != game) {
            let command = "`arena analyse FILE` opens it from a file";
            return Err(format!("this is {other}, and the page is for {game}; {command}"));
        }
        let mut tree = Self::from_fen(games, game, tag("FEN").as_deref())?;
        let players = tag("White").zip(tag("Black")).map(|(white, black)| [white, black]);
        tree.players = players.filter(|players| players.iter().any(|name| name != "?"));
        // The author of a study is not who evaluated its positions.
        let is_author = |name: &str, value: &str| name == "Annotator" && value.contains("://");
        let is_kept = |(name, value): &(String, String)| {
            !OWN_TAGS.contains(&name.as_str())
                || is_author(name, value)
                || (tree.players.is_none() && PLAYERS.contains(&name.as_str()))
        };
        tree.tags = text.lines().filter_map(any_tag).filter(is_kept).collect();
        tree.result = tag("Result").and_then(|result| result.parse().ok());
        tree.reason = tag("Termination");
        tree.annotator = tag("Annotator").filter(|name| !is_author("Annotator", name));
        let mut faults = Vec::new();
        match tree.read_moves(text, n_before, &mut faults) {
            Ok(last_result) => {
                tree.doubt = doubt(&tree, last_result);
                tree.result = tree.result.or(last_result);
                tree.mark_end_of_match();
            }
            Err(why) if tree.is_empty() => {
                return Err(if looks_like_match(text) { why } else { no_match(games, game, text, n_before) });
            }
            Err(why) => {
                tree.result = None;
                faults.push(why);
            }
        }
        if MOST_FAULTS < faults.len() {
            // The last one may end the text.
            let last = faults.len() - 1;
            faults.splice(MOST_FAULTS - 1..last, [format!("{} more", last + 1 - MOST_FAULTS)]);
        }
        let why = (!faults.is_empty()).then(|| faults.join("; "));
        tree.unread = why.map(|why| Unread { why, text: text.to_owned() });
        tree.evaluate_ends();
        Ok(tree)
    }

    /// The tree of a `position` command, as the page copies it.
    fn read_command(
        games: &Games,
        game: GameId,
        start: StartAt<'_>,
        moves: Words<'_>,
    ) -> Result<Self, String> {
        let fen = match start {
            StartAt::Default => None,
            StartAt::Fen(fen) => Some(fen.joined()),
        };
        let mut tree = Self::from_fen(games, game, fen.as_deref())?;
        for mv in moves {
            tree.play_move(mv).map_err(|error| format!("{} {error}", tree.next_number()))?;
        }
        tree.evaluate_ends();
        Ok(tree)
    }

    /// A tree with one position, as [`Tree::new`]; where a page of chess refuses one of Chess960, it says what opens it.
    ///
    /// # Errors
    /// If the FEN is not a position of the game.
    pub fn from_fen(games: &Games, game: GameId, fen: Option<&str>) -> Result<Self, String> {
        Self::new(games, game, fen).map_err(|error| match fen {
            Some(fen) if game == GameId::CHESS && Self::new(games, GameId::CHESS960, Some(fen)).is_ok() => {
                format!("this is a position of Chess960; `arena analyse chess960 --fen \"{fen}\"` opens it")
            }
            _ => error.to_string(),
        })
    }

    /// Reads the moves of a text, as far as it can; why the rest of a branch is left out goes to `faults`. Returns the result after them.
    fn read_moves(
        &mut self,
        text: &str,
        n_before: usize,
        faults: &mut Vec<String>,
    ) -> Result<Option<MatchResult>, String> {
        let mut before = 0;
        // How many branches are open in the rest of one that is left out, that one included.
        let mut n_skipped = 0_usize;
        let mut branches = Vec::new();
        // What stands at the beginning of a branch is said of its first move.
        let mut ahead: Option<Vec<String>> = None;
        let mut last_result = None;
        let mut words = words(text).into_iter().peekable();
        while let Some((line, word)) = words.next() {
            let here = |error: &dyn fmt::Display| format!("{}: {error}", line_of(line, n_before));
            if 0 < n_skipped {
                match word {
                    Word::Open => n_skipped += 1,
                    Word::Close => n_skipped -= 1,
                    _ => {}
                }
                if 0 < n_skipped {
                    continue;
                }
            }
            match word {
                Word::Result(result) if branches.is_empty() => last_result = result.parse().ok(),
                Word::Open => {
                    branches.push((self.current(), before));
                    self.go(before).map_err(|error| here(&error))?;
                    ahead = Some(Vec::new());
                }
                Word::Close => {
                    let (last, parent) = branches.pop().ok_or_else(|| here(&"a `)` has no `(` before it"))?;
                    self.go(last).map_err(|error| here(&error))?;
                    (before, ahead) = (parent, None);
                }
                Word::Comment(comment) => {
                    if let Some(ahead) = &mut ahead {
                        ahead.push(comment);
                        continue;
                    }
                    let Comment { score, words, claim, .. } = Comment::read(&comment);
                    self.add_comment(&words);
                    self.add_extras(&comment);
                    self.set_claim(score.map(|score| score.to_string()), &claim);
                    if let Some((score, _)) = evaluation(&comment, self.play().side_to_move()) {
                        let written = written_evaluation(&comment).unwrap_or_default();
                        self.evaluate_for_white(score, written, command(&comment, "best"));
                    }
                }
                Word::Move(mv) => {
                    let from = self.current();
                    // In some games, moves end with what is a sign elsewhere.
                    let marked = match words.peek() {
                        Some((_, Word::Sign(sign))) if !has_notation(self.game()) => sign.strip_prefix('!'),
                        _ => None,
                    };
                    let mut sign = "";
                    if let Some(rest) = marked
                        && self.play_move(&format!("{mv}!")).is_ok()
                    {
                        words.next();
                        sign = rest;
                    } else if let Err(error) = self.play_move(mv) {
                        let NoMove::Illegal(why) = error else { return Err(here(&error)) };
                        let why = here(&format!("{} {why}", self.next_number()));
                        if branches.is_empty() {
                            return Err(why);
                        }
                        faults.push(format!("{why}; the rest of this branch is left out"));
                        n_skipped = 1;
                        continue;
                    }
                    before = from;
                    if !sign.is_empty() {
                        self.set_sign(self.current(), sign);
                    }
                    for comment in ahead.take().unwrap_or_default() {
                        self.add_comment(&Comment::read(&comment).words);
                        self.add_extras(&comment);
                    }
                }
                // That of the start position would be of no move.
                Word::Sign(sign) if self.current() != before => self.set_sign(self.current(), sign),
                Word::Judgement(number) if ahead.is_none() => self.judge(number),
                Word::Tags(_) | Word::Result(_) | Word::Sign(_) | Word::Judgement(_) => {}
            }
        }
        Ok(last_result)
    }
}

/// A match in a text of several.
#[derive(Debug)]
pub struct Match {
    /// To choose it by: who played, and when.
    pub name: String,
    pub text: String,
    /// The number of lines before it.
    pub n_before: usize,
}

/// The matches of a file, and which one of them was asked for.
#[derive(Debug)]
pub struct Asked {
    pub(super) matches: Vec<Match>,
    pub(super) place: usize,
}

impl Asked {
    /// The match of `text` with this number.
    ///
    /// # Errors
    /// If there is no such match.
    pub fn new(text: &str, number: u32) -> Result<Self, String> {
        let (matches, number) = (matches(text), number as usize);
        let n = matches.len();
        match number.checked_sub(1).filter(|&place| place < n) {
            Some(place) => Ok(Self { matches, place }),
            None => Err(format!("there is no match {number}: the file has {n}")),
        }
    }

    /// The game that this match names, whatever the others are.
    ///
    /// # Errors
    /// If it is none of these games.
    pub fn game(&self, games: &Games) -> Result<Option<GameId>, String> {
        let Self { matches, place } = self;
        let game = game_of(games, &matches[*place].text);
        game.map_err(|why| match matches.len() {
            1 => why,
            n => format!("match {} of {n}: {why}; give the number of another one after the file", place + 1),
        })
    }
}

/// The matches of a text: one begins with tags, or with a move after the result of the one before.
pub fn matches(text: &str) -> Vec<Match> {
    // Some programs begin with a mark of the encoding, or end lines as others do not.
    let text = text.replace(['\u{feff}', '\u{200b}'], "").replace("\r\n", "\n").replace('\r', "\n");
    let start_of = |part: &str| part.as_ptr().addr() - text.as_ptr().addr();
    let mut starts = vec![0];
    let (mut depth, mut has_begun, mut has_ended) = (0_usize, false, false);
    for (_, word) in words(&text) {
        match word {
            Word::Open => depth += 1,
            Word::Close => depth = depth.saturating_sub(1),
            Word::Result(_) if depth == 0 => (has_begun, has_ended) = (true, true),
            Word::Tags(part) if has_begun => {
                starts.push(start_of(part));
                (depth, has_begun, has_ended) = (0, false, false);
            }
            Word::Move(part) => {
                starts.extend(has_ended.then(|| start_of(part)));
                (has_begun, has_ended) = (true, false);
            }
            _ => {}
        }
    }
    starts.push(text.len());
    let match_at = |start: usize, end: usize| {
        let part = &text[start..end];
        Match { name: name(part), text: part.to_owned(), n_before: text[..start].matches('\n').count() }
    };
    starts.windows(2).map(|ends| match_at(ends[0], ends[1])).collect()
}

/// Who played a match, and when.
fn name(text: &str) -> String {
    let known = |name: &str| {
        let value = text.lines().find_map(|line| tag(line, name));
        value.filter(|value| !value.starts_with('?') && value != "-")
    };
    let who = match PLAYERS.map(known) {
        // A chapter of a study.
        [None, None] => known("ChapterName").or_else(|| known("Event")).unwrap_or_else(|| "? – ?".to_owned()),
        players => players.map(|player| player.unwrap_or_else(|| "?".to_owned())).join(" – "),
    };
    let result = known("Result").unwrap_or_else(|| "*".to_owned());
    let round = known("Round").map(|round| format!(", round {round}")).unwrap_or_default();
    let date = known("Date").map(|date| format!(", {date}")).unwrap_or_default();
    format!("{who}, {result}{round}{date}")
}

/// The game that a text names, by the tag of a saved analysis or by that of PGN.
fn game_of(games: &Games, text: &str) -> Result<Option<GameId>, String> {
    let tag = |name| text.lines().find_map(|line| tag(line, name));
    let Some(named) = tag("Game").or_else(|| tag("Variant")) else { return Ok(None) };
    let known = games.parse(game_of_variant(&named));
    known.map(Some).map_err(|_| format!("{} is not a game of this arena", fen::shown(&named)))
}

/// A line of a text, also in the whole text, which has `n_before` lines before it.
fn line_of(line: usize, n_before: usize) -> String {
    match n_before {
        0 => format!("line {line}"),
        _ => format!("line {line} (line {} of the whole text)", n_before + line),
    }
}

/// The first move or result of a text, or what stands in its place, with its line.
fn first_word(text: &str) -> Option<(usize, &str)> {
    words(text).into_iter().find_map(|(line, word)| match word {
        Word::Move(word) | Word::Result(word) => Some((line, word)),
        _ => None,
    })
}

fn has_tags(text: &str) -> bool {
    text.lines().any(|line| any_tag(line).is_some())
}

/// Whether a text has tags, or begins with a result or with what can be a move.
fn can_be_match(text: &str) -> bool {
    let is_foreign = |sign: char| sign.is_control() || "<>[]\"\u{fffd}".contains(sign);
    first_word(text).is_some_and(|(_, first)| !first.contains(is_foreign)) || has_tags(text)
}

/// Whether a text has tags, or begins with what looks like a move, such as one to a square: games of a program can have others.
fn looks_like_match(text: &str) -> bool {
    let names_square = |word: &str| {
        word.as_bytes().windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_digit())
    };
    let is_like_move =
        |word: &str| names_square(word) || ["O-O", "0-0", "--"].iter().any(|start| word.starts_with(start));
    has_tags(text) || first_word(text).is_some_and(|(_, first)| !first.contains('/') && is_like_move(first))
}

/// What is wrong with a text that is no match, where, and what it has to be.
fn no_match(games: &Games, game: GameId, text: &str, n_before: usize) -> String {
    let is_binary = |sign: char| sign.is_control() && !sign.is_whitespace();
    let line = (1..).zip(text.lines()).find(|(_, line)| !line.trim().is_empty());
    let what = match first_word(text).or(line) {
        _ if text.contains(is_binary) => "this is no text".to_owned(),
        None => "the text is empty".to_owned(),
        Some((line, word)) => {
            let word = fen::shown(word).replace("\\\"", "\"");
            format!("{}: `{word}` is neither a move nor a FEN", line_of(line, n_before))
        }
    };
    let start = games.startpos(game).ok();
    let first = start.and_then(|play| Some(notation(game, play.as_ref(), play.legal_moves().first()?)));
    let such = first.map(|mv| format!("such as `1. {mv}`, or ")).unwrap_or_default();
    format!("{what}; give the moves of a match ({such}PGN), or one FEN of {game}")
}

/// What contradicts the tag with the result: that at the end of the moves, or the shown position, which is the last one.
fn doubt(tree: &Tree, last_result: Option<MatchResult>) -> Option<String> {
    let result = tree.result.or(last_result)?;
    if let Some(last) = last_result.filter(|&last| last != result) {
        return Some(format!("The tag Result says {result}, but the moves end with {last}."));
    }
    let end = tree.play().end().filter(|end| end.winner != result.winner())?;
    let sentence = outcome(tree.games(), tree.game(), end.winner, end.reason);
    Some(format!("The result is {result} in the text, but the last position says: {sentence}"))
}

/// Tags with a place of their own; those of the players only together.
const OWN_TAGS: [&str; 9] =
    ["Event", "White", "Black", "Annotator", "Game", "SetUp", "FEN", "Result", "Termination"];
const PLAYERS: [&str; 2] = ["White", "Black"];

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The title of a text, if it has one.
pub fn title(text: &str) -> Option<String> {
    const MOST: usize = 200;
    let title = text.lines().find_map(|line| tag(line, "Event"))?;
    Some(title.chars().take(MOST).collect()).filter(|title: &String| !title.is_empty())
}

/// Whether a text looks like a FEN alone: one line, which begins with the rows of a board.
pub fn is_fen(text: &str) -> bool {
    let is_board = |first: &str| {
        let has_rows = first.contains('/') && first.split('/').all(|row| !row.is_empty());
        has_rows && !first.contains([':', '<', '"']) && !RESULTS.contains(&first)
    };
    text.trim().lines().count() == 1 && text.split_whitespace().next().is_some_and(is_board)
}

/// A part of the text after the tags.
#[derive(Debug, PartialEq, Eq)]
enum Word<'a> {
    Open,
    Close,
    Comment(String),
    Move(&'a str),
    Sign(&'a str),
    Judgement(u8),
    Result(&'a str),
    /// A tag after moves.
    Tags(&'a str),
}

/// The parts of a text without its tags and numbers; each with the number of its line, or of its last one.
fn words(text: &str) -> Vec<(usize, Word<'_>)> {
    let mut words = Vec::new();
    let mut has_moves = false;
    let mut comment: Option<String> = None;
    for (n, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('%')) {
        // A comment without an end does not swallow the matches after it.
        if line.starts_with("[Event \"") {
            words.extend(comment.take().map(|said| (n, Word::Comment(said))));
        }
        if comment.is_none() && line.trim_start().starts_with('[') {
            words.extend((has_moves && any_tag(line).is_some()).then_some((n, Word::Tags(line))));
            continue;
        }
        let mut rest = line;
        loop {
            if let Some(mut said) = comment.take() {
                let Some((end, after)) = rest.split_once('}') else {
                    said.extend([rest, " "]);
                    comment = Some(said);
                    break;
                };
                words.push((n, Word::Comment(said + end)));
                rest = after;
            }
            let end = rest.find(['{', ';', '(', ')']);
            for word in rest[..end.unwrap_or(rest.len())].split_whitespace() {
                let (mv, sign) = word.split_at(word.trim_end_matches(['!', '?']).len());
                let sign = numbered(word).unwrap_or(sign);
                if RESULTS.contains(&word) {
                    words.push((n, Word::Result(word)));
                    has_moves = true;
                    continue;
                }
                words.extend(judgement(word).map(|number| (n, Word::Judgement(number))));
                if is_move(plain(mv)) {
                    words.push((n, Word::Move(plain(mv))));
                    has_moves = true;
                }
                words.extend(Some(sign).filter(|sign| !sign.is_empty()).map(|sign| (n, Word::Sign(sign))));
            }
            let Some(end) = end else { break };
            match rest.as_bytes()[end] {
                b'{' => comment = Some(String::new()),
                b'(' => words.push((n, Word::Open)),
                b')' => words.push((n, Word::Close)),
                // A comment to the end of the line.
                _ => {
                    words.push((n, Word::Comment(rest[end + 1..].to_owned())));
                    break;
                }
            }
            rest = &rest[end + 1..];
        }
    }
    words
}

/// A move without its number.
fn plain(word: &str) -> &str {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// The sign that a number of PGN stands for, such as `$5`.
fn numbered(word: &str) -> Option<&'static str> {
    let number: usize = word.strip_prefix('$')?.parse().ok()?;
    SIGNS.get(number.checked_sub(1)?).copied()
}

/// The number of PGN that judges the position or the move otherwise than by a sign of `SIGNS`; it may be written as its usual sign.
fn judgement(word: &str) -> Option<u8> {
    let number = match word {
        "=" => 10,
        "∞" => 13,
        "+=" | "⩲" => 14,
        "=+" | "⩱" => 15,
        "±" | "+/-" => 16,
        "∓" | "-/+" => 17,
        "+-" | "+−" => 18,
        "-+" | "−+" => 19,
        word => word.strip_prefix('$')?.parse().ok()?,
    };
    (SIGNS.len() < usize::from(number)).then_some(number)
}

/// Whether this can be a move, and is no sign such as `$14`, `+-` or `=`, or what old texts add to a move.
fn is_move(word: &str) -> bool {
    let has_letters = word.contains(|sign: char| sign.is_ascii_alphanumeric());
    (has_letters || word == "--") && !word.starts_with('$') && word != "e.p."
}

/// The value of the tag with this name in a line of PGN.
fn tag(line: &str, name: &str) -> Option<String> {
    any_tag(line).filter(|(found, _)| found == name).map(|(_, value)| value)
}

/// The tag in a line of PGN: its name and its value.
fn any_tag(line: &str) -> Option<(String, String)> {
    let (name, value) =
        line.trim_start_matches('\u{feff}').trim().strip_prefix('[')?.split_once(char::is_whitespace)?;
    if !name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_') {
        return None;
    }
    let mut signs = value.trim_start().strip_prefix('"')?.chars();
    let mut value = String::new();
    loop {
        match signs.next()? {
            '"' => return Some((name.to_owned(), value)),
            '\\' => value.push(signs.next()?),
            sign => value.push(sign),
        }
    }
}

/// The marks that a comment of PGN has in the form of lichess, `[%csl Ga1] [%cal Rb1d4]`, and its commands that mean nothing here.
pub fn extras(comment: &str) -> (Vec<String>, String) {
    let (mut marks, mut others, mut rest) = (Vec::new(), String::new(), comment);
    while let Some((command, after)) = rest.split_once("[%").and_then(|(_, rest)| rest.split_once(']')) {
        match command.split_once(' ') {
            Some(("eval" | "best", _)) => {}
            Some(("csl" | "cal", value)) => {
                marks
                    .extend(value.split(',').map(|mark| mark.trim().to_owned()).filter(|mark| is_mark(mark)));
            }
            _ => others.push_str(&format!(" [%{command}]")),
        }
        rest = after;
    }
    (marks, others)
}

/// Whether this is an arrow or a ring: a letter of its colour, and one square or two.
pub fn is_mark(text: &str) -> bool {
    const LONGEST: usize = 7;
    text.starts_with(['G', 'R', 'Y', 'B'])
        && text.len() <= LONGEST
        && text.chars().all(|sign| sign.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_match_goes_on_where_nobody_claims_a_draw() {
        let text = "[FEN \"8/8/8/8/8/4k3/8/R3K2R w - - 98 80\"]\n\n80. Ra2 Kd3 81. Rh3+ Ke4 82. Ra4+ Kf5 1-0";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, text, 0).expect("PGN");
        assert_eq!((tree.unread.is_none(), tree.to_json().as_array().map(Vec::len)), (true, Some(6)));
        assert!(tree.play().end().is_none());
    }

    #[test]
    fn a_copied_command_is_read() {
        let text = "position startpos moves e2e4 e7e5 g1f3\n";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, text, 0).expect("a command");
        let again =
            Tree::read(Games::built_in(), GameId::CHESS, &tree.command(), 0).expect("its own command");
        for tree in [&tree, &again] {
            assert!(tree.command().ends_with(" moves e2e4 e7e5 g1f3"), "{}", tree.command());
        }
        let error =
            |text| Tree::read(Games::built_in(), GameId::PUSH, text, 0).err().expect("no moves of Push");
        assert!(
            error("position startpos moves a1a9").starts_with("1. `a1a9`"),
            "{}",
            error("position startpos moves a1a9")
        );
        assert!(error("position fen x").contains("needs 7 fields"), "{}", error("position fen x"));
        assert!(
            error("position of mine").contains("neither a move nor a FEN"),
            "{}",
            error("position of mine")
        );
    }

    #[test]
    fn a_text_is_read() {
        let game = "[Event \"a (b\"]\n\n1. e4 {best (by test)} e5 $1 (1... c5 2. Nf3 (2. Nc3 Nc6) d6) 2.Nf3! ; fine\n*";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, game, 0).expect("PGN");
        let mut rows = tree.to_json();
        let rows = rows.as_array_mut().expect("rows");
        rows.sort_by_key(|row| row[0].as_u64());
        let rows: Vec<_> = rows.iter().map(|row| (row[1].clone(), row[4].clone())).collect();
        let expected =
            [(0, "e4"), (1, "e5"), (1, "c5"), (3, "Nf3"), (3, "Nc3"), (5, "Nc6"), (4, "d6"), (2, "Nf3")];
        assert_eq!(rows, expected.map(|(parent, words)| (json!(parent), json!(words))));
        assert_eq!((tree.current(), &tree.to_json()[3][8]), (8, &json!("fine")));
        let scored = "[White \"a \\\"b\\\"\"]\n[Black \"c\"]\n1. e4 {+0.31/9 0.012s} e5 {-M4} 2. Nf3 {1.5/3 {is\nfine} Nc6 {0.012s} 3. Bc4 {inf} Nf6 { -2.00/1}";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, scored, 0).expect("PGN");
        assert_eq!(tree.players, Some(["a \"b\"", "c"].map(str::to_owned)));
        assert_eq!((title(game), title(scored)), (Some("a (b".to_owned()), None));
        let rows = tree.to_json();
        let scores: Vec<_> = rows.as_array().expect("rows").iter().map(|row| row[6].clone()).collect();
        assert_eq!(json!(scores), json!([31, "loss 4", 150, null, null, -200]));
        let study = "[White \"a\"]\n[Site \"x \\\"y\\\"\"]\n[Date \"2026.11.??\"]\n{[%csl Ga1,x]} 1. e4 {[%clk 0:01] good [%eval 0.1] [%cal Re2e4,Gd2d4] [%emt 3]} ({[%clk 9]} 1. d4) *";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, study, 0).expect("PGN");
        assert_eq!(json!(tree.tags), json!([["White", "a"], ["Site", "x \"y\""], ["Date", "2026.11.??"]]));
        let extras = json!({ "0": [["Ga1"], "", [], ""], "1": [["Re2e4", "Gd2d4"], " [%clk 0:01] [%emt 3]", [], ""], "2": [[], " [%clk 9]", [], ""] });
        assert_eq!((tree.extras(), &tree.to_json()[0][8]), (extras, &json!("good")));
        let author = "[Annotator \"https://lichess.org/@/me\"]\n1. e4 {[%eval 0.1]} *";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, author, 0).expect("PGN");
        assert_eq!((&tree.evaluations()["by"], tree.tags.len()), (&json!(null), 1));
        let lichess = "[Annotator \"me\"]\n1. e4 { [%eval 0.17] [%clk\n0:00:30] } e5 {-0.20/3 [%eval #-4]} 2. Nf3 {[%eval x]} Nc6 {[%eval -1.234,20]} *";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, lichess, 0).expect("PGN");
        let found = json!({ "1": [17, null], "2": ["Black wins in 8 plies", null], "4": [-123, null] });
        let sides = json!({ "1": [], "2": [], "4": [] });
        let written = json!({ "1": "0.17", "2": "#-4", "4": "-1.234,20" });
        let all = json!({ "authors": ["me"], "by": "me", "found": found, "sides": sides, "others": {}, "written": written, "is_whole": true });
        assert_eq!(tree.evaluations(), all);
        assert_eq!(
            tree.extras(),
            json!({ "1": [[], " [%clk 0:00:30]", [], ""], "2": [[], "", [], "-0.20/3"] })
        );
        // A forced end that is further than any match is long.
        let far =
            Tree::read(Games::built_in(), GameId::CHESS, "1. e4 {[%eval #4000000000]}", 0).expect("PGN");
        assert_eq!(far.evaluations()["found"]["1"][0], format!("White wins in {} plies", u32::MAX));
        assert_eq!(tree.to_json()[1][6], -20);
        let marked =
            Tree::read(Games::built_in(), GameId::PUSH_PUSH, "1. c1c2! c7c6?! (1... b7b6 $6) 2. !? *", 0)
                .expect("moves");
        assert_eq!(marked.to_json().as_array().map(Vec::len), Some(3));
        let said = "{Two {moves} 1. e4! {+0.31/9 0.5s, a try} {[%clk 0:01] really} e5 $6 ({or} {rather} 1... c5!? {+1 is too much} $1) 2. Nf3 {+1.5 to nobody} Nc6 {0.1s} !! *";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, said, 0).expect("PGN");
        assert_eq!(tree.opening_comment(), "Two (moves");
        let rows = tree.to_json();
        let rows: Vec<_> = rows
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row.as_array().expect("a row")[6..].to_vec())
            .collect();
        assert_eq!(
            json!(rows),
            json!([
                [31, "!", "a try really"],
                [null, "?!", ""],
                [null, "!", "or rather +1 is too much"],
                [null, null, "+1.5 to nobody"],
                [null, "!!", ""],
            ])
        );
        let mated = "{[%eval 0.00] [%best e4]} 1. f3 {[%eval -0.5] [%best Kd3]} e5 {[%eval -0.6]} 2. g4 {[%eval #-1]} (2. a3) 2... Qh4# 0-1";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, mated, 0).expect("PGN");
        let found = json!({ "0": [0, "e4"], "1": [-50, null], "2": [-60, null], "3": ["Black wins in 1 ply", null], "5": ["Black wins in 0 plies", null] });
        assert_eq!(tree.evaluations()["found"], found);
        assert_eq!(tree.result, "0-1".parse().ok());
        for (text, doubt) in [
            ("[Result \"1-0\"]\n1. e4 1-0", None),
            ("[Result \"1-0\"]\n1. e4 *", None),
            (
                "[Result \"1-0\"]\n1. e4 (1. d4 0-1) 0-1",
                Some("The tag Result says 1-0, but the moves end with 0-1."),
            ),
            ("1. f3 e5 2. g4 Qh4# 0-1", None),
            (
                "[Result \"1-0\"]\n1. f3 e5 2. g4 Qh4#",
                Some(
                    "The result is 1-0 in the text, but the last position says: Black wins: White's king is attacked, and no move saves it (checkmate).",
                ),
            ),
        ] {
            let tree = Tree::read(Games::built_in(), GameId::CHESS, text, 0).expect("PGN");
            assert_eq!(tree.doubt.as_deref(), doubt, "{text}");
        }
        let old = "%\n1. e4 e5 $14 += 2. Nf3 Nf6 3. Ng1 ± Ng8 4. Nf3 Nf6 5. Ng1 Ng8 6. Nf3 d5 7. exd5 c5 8. dxc6 e.p. =";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, old, 0).expect("PGN");
        assert_eq!(tree.to_json().as_array().map(Vec::len), Some(15), "it goes on after a repetition");
        let short = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K -\"]\nO-O";
        assert_eq!(
            Tree::read(Games::built_in(), GameId::CHESS, short, 0).expect("PGN").to_json()[0][2],
            "e1g1"
        );
        let from = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\nO-O";
        assert_eq!(
            Tree::read(Games::built_in(), GameId::CHESS, from, 0).expect("PGN").to_json()[0][2],
            "e1g1"
        );
    }

    #[test]
    fn judgements_are_kept_as_numbers() {
        let judged = Tree::read(
            Games::built_in(),
            GameId::CHESS,
            "$10 1. e4! $14 {fine} e5 -+ $146 $0 $999 ($7 1... c5) *",
            0,
        )
        .expect("PGN");
        let rows = judged.to_json();
        assert_eq!([&rows[0][7], &rows[0][8]], [&json!("!"), &json!("fine")]);
        assert_eq!(judged.extras(), json!({ "1": [[], "", [14], ""], "2": [[], "", [19, 146], ""] }));
    }

    #[test]
    fn a_text_is_refused() {
        for (text, why) in [
            ("[White \"a\"]\n\n{a\nb} e5\n2. e5", "line 4: 1. `e5` is not a legal move"),
            ("1. ♙e5 e5", "line 1: 1. `e5` is not a legal move"),
            ("1. -- e5", "line 1: 1. `--` is a null move"),
            (") e4", "line 1: a `)` has no `(` before it"),
            ("[Game \"push\"]", "this is push, and the page is for chess; `arena analyse FILE`"),
            ("[Variant \"Fischerandom\"]", "this is chess960, and the page is for chess"),
            ("[Variant \"Crazyhouse\"]", "Crazyhouse is not a game of this arena"),
            (
                " \n",
                "the text is empty; give the moves of a match (such as `1. a3`, or PGN), or one FEN of chess",
            ),
            ("[1,2,3]", "line 1: `[1,2,3]` is neither a move nor a FEN"),
            ("\n{\n  \"id\": 1\n}", "line 2: `{` is neither a move nor a FEN"),
            ("{\"id\": {}}", "line 1: `{\"id\": {}}` is neither a move nor a FEN"),
            ("<html>", "line 1: `<html>` is neither a move nor a FEN"),
            ("# Cup\nDear all, 1. e4 wins", "line 1: `Cup` is neither a move nor a FEN"),
            ("[tournament]\npairs = 1", "line 2: `pairs` is neither a move nor a FEN"),
            ("8/8/8/8/8/8/8/8 w\n8/8/8/8/8/8/8/8 b", "or one FEN of chess"),
            ("\u{7f}ELF\u{2}", "this is no text; give the moves"),
            ("[FEN \"x\"]", "this is not a FEN"),
            (
                "[FEN \"4k3/8/8/8/8/8/8/2R1K1R1 w GC - 0 1\"]",
                "`arena analyse chess960 --fen \"4k3/8/8/8/8/8/8/2R1K1R1 w GC - 0 1\"` opens it",
            ),
        ] {
            let error = Tree::read(Games::built_in(), GameId::CHESS, text, 0).err().expect(text);
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_fen_alone_has_rows() {
        for (text, expected) in [
            ("8/8/8/8 w", true),
            (" 3s4/(ssS)7 w 0 0\n", true),
            ("1/2-1/2", false),
            ("<p>x</p>", false),
            ("https://lichess.org/x", false),
            ("/home/me/x.pgn", false),
            ("8/8 w\n8/8 b", false),
        ] {
            assert_eq!(is_fen(text), expected, "{text}");
        }
    }

    /// What follows an illegal move is left out, with the result.
    #[test]
    fn a_text_is_read_up_to_what_is_wrong() {
        let text = "[Result \"1-0\"]\n1. e4 e5 2. ♘f3 ♞c6\n3. Bb6 a6 1-0";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, text, 10).expect("four moves");
        assert_eq!((tree.to_json().as_array().map(Vec::len), tree.result()), (Some(4), None));
        let unread = tree.unread.expect("the rest");
        let why = "line 3 (line 13 of the whole text): 3. `Bb6` is not a legal move";
        assert!(unread.why.starts_with(why), "{}", unread.why);
        assert_eq!(unread.text, text);
    }

    /// An illegal move in a branch costs the rest of that branch alone.
    #[test]
    fn a_branch_is_read_up_to_what_is_wrong() {
        let text = "1. e4 e5 (1... c5 2. Ke5 (2. a3) {x} Nc6 $1) (1... Ke3 {y})\n2. Nf3 (2. d4 d5) Nc6 1-0";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, text, 0).expect("all but two branches");
        let rows = tree.to_json();
        let words: Vec<_> = rows.as_array().expect("rows").iter().map(|row| row[4].clone()).collect();
        assert_eq!(json!(words), json!(["e4", "e5", "c5", "Nf3", "d4", "Nc6", "d5"]));
        assert_eq!(tree.result(), "1-0".parse().ok());
        let why = tree.unread.expect("two branches").why;
        assert!(why.starts_with("line 1: 2. `Ke5` is not a legal move"), "{why}");
        assert!(why.contains("the rest of this branch is left out; line 1: 1... `Ke3` is"), "{why}");
        // All stand in the order of the text, also the one that ends it.
        let text = "1. e4 (1. a5) e5 (1... a4) (1... b4) 2. Ke5";
        let tree = Tree::read(Games::built_in(), GameId::CHESS, text, 0).expect("two moves");
        let why = tree.unread.expect("the rest").why;
        assert!(why.contains("; 1 more; line 1: 2. `Ke5`"), "{why}");
    }

    /// In Push, `!` at the end of a move says that a piece of its side is lost.
    #[test]
    fn a_move_may_end_with_what_is_a_sign_elsewhere() {
        // From a match of the reference tournament.
        let fen = "6r1/5pk1/8/5Pb1/8/1Rnp1N2/1K6/8 b 10001110/00000000/00000000/20200120/00000010/02100122/00100001/00000201 - 0 3 43";
        let losing = "g5f6!";
        for (sign, expected) in [("", None), ("!", Some("!")), ("?", Some("?"))] {
            let text = format!("[FEN \"{fen}\"]\n1. {losing}{sign} *");
            let tree = Tree::read(Games::built_in(), GameId::PUSH, &text, 0).expect("a move");
            let nodes = tree.to_json();
            assert_eq!(nodes[0][2], json!(losing), "{text}");
            assert_eq!(nodes[0][7], json!(expected), "{text}");
        }
    }

    #[test]
    fn the_matches_of_a_text_are_told_apart() {
        for (text, starts) in [
            ("1. e4 (1. d4 1-0) c5", vec!["1. e4"]),
            ("\u{feff}1. e4 1-0 1. d4 0-1\r\r1. c4", vec!["1. e4", "d4", "c4"]),
            (
                "[White \"a\"]\n[Black \"b\"]\n\n*\n\n[White \"c\"]\n[Round \"2\"]\n\n1. d4",
                vec!["[White \"a", "[White \"c"],
            ),
            ("1. e4 {a ( *\n\n[Event \"b\"]\n\n1. d4", vec!["1. e4", "[Event"]),
        ] {
            let found = matches(text);
            assert_eq!(found.len(), starts.len(), "{text}: {found:?}");
            assert!(found.iter().zip(&starts).all(|(one, start)| one.text.starts_with(start)), "{found:?}");
        }
        let names = matches(
            "[White \"a\"]\n[Black \"b\"]\n[Date \"????.??.??\"]\n1. e4 *\n[White \"c\"]\n[Round \"2\"]\n[Result \"1-0\"]\n*\n[Event \"x: y\"]\n[ChapterName \"y\"]\n*",
        );
        let names: Vec<_> = names.iter().map(|one| (one.name.as_str(), one.n_before)).collect();
        assert_eq!(names, [("a – b, *", 0), ("c – ?, 1-0, round 2", 4), ("y, *", 8)]);
    }
}
