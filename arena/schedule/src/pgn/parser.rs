//! A streaming PGN parser: tags, a fingerprint of the moves, and the moves with their comments if they are wanted. Variations
//! are skipped. It knows no rules.

use std::io::BufRead;

use ratings::MoveListBuilder;

use super::PgnError;

/// The maximum length of a tag's value or of a word of the moves; longer ones are not PGN.
const MOST_BYTES: usize = 1 << 20;
/// The maximum number of a game's tags: all are compared with each new one.
const MOST_TAGS: usize = 1000;
/// The length from which on no more is kept of a comment behind a move, nor another one.
const MOST_OF_COMMENT: usize = 1000;
/// The tags that start every game: if one occurs again, another game starts.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// One game.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// The number of its first line, from 1.
    pub line: u64,
    /// In the order of the file.
    pub tags: Vec<Tag>,
    /// The fingerprint of the moves.
    pub moves: MoveListBuilder,
    /// The moves as they are written, if the parser keeps them, with marks such as `?!`.
    pub words: Vec<String>,
    /// The comments before them.
    pub introduction: String,
    /// The comments behind each of them.
    pub comments: Vec<String>,
    /// The last comment behind the last move; some programs say there how the match ended.
    pub last_comment: String,
    /// The result after the moves.
    pub result: Option<String>,
    has_moves: bool,
}

/// A tag, such as `[White "Stockfish"]`.
#[derive(Clone, Debug)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its line, from 1.
    pub line: u64,
}

/// The games of a file, one by one.
pub struct Parser<R> {
    input: R,
    keeps_moves: bool,
    line: u64,
    is_line_start: bool,
    /// The first tag of the next game, if it ended the last one.
    next_tag: Option<Tag>,
}

impl Game {
    /// The first tag `name`.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && !self.has_moves
    }

    /// Whether a tag `name` belongs to the next game: this game has moves or this tag already, or it is complete and
    /// an empty line followed.
    fn ends_before(&self, name: &str, is_after_empty_line: bool) -> bool {
        let is_complete = ["White", "Black", "Result"].iter().all(|&needed| self.tag(needed).is_some());
        (ROSTER.contains(&name) && self.tag(name).is_some()) || (is_complete && is_after_empty_line)
    }

    fn add_word(&mut self, word: &[u8], is_kept: bool) {
        let numberless = without_number(word);
        let mv = numberless.trim_ascii_end();
        let end =
            mv.iter().rposition(|byte| !matches!(byte, b'!' | b'?' | b'+' | b'#')).map_or(0, |last| last + 1);
        let mv = &mv[..end];
        if mv.is_empty() || mv.starts_with(b"$") || mv == b"e.p." {
            if let (Some(mark), Some(last)) = (mark(word), self.words.last_mut()) {
                last.push_str(mark);
            }
            return;
        }
        if is_kept {
            // In other games than chess, these signs can be part of a move.
            self.words.push(String::from_utf8_lossy(numberless.trim_ascii_end()).into_owned());
            self.comments.push(String::new());
        }
        if mv.starts_with(b"0-0") {
            let letters: Vec<u8> = mv.iter().map(|&byte| if byte == b'0' { b'O' } else { byte }).collect();
            self.moves.add(&letters);
        } else {
            self.moves.add(mv);
        }
        self.has_moves = true;
        self.last_comment.clear();
    }
}

impl<R: BufRead> Parser<R> {
    /// A parser that does not keep the moves.
    pub const fn new(input: R) -> Self {
        Self { input, keeps_moves: false, line: 1, is_line_start: true, next_tag: None }
    }

    /// A parser that keeps the moves.
    pub fn with_moves(input: R) -> Self {
        Self { keeps_moves: true, ..Self::new(input) }
    }

    /// The next game; `None` after the last one.
    ///
    /// # Errors
    /// If the file cannot be read, is not PGN, or is incomplete.
    pub fn next_game(&mut self) -> Result<Option<Game>, PgnError> {
        let mut game = Game { line: self.line, ..Game::default() };
        if let Some(tag) = self.next_tag.take() {
            game.line = tag.line;
            game.tags.push(tag);
        }
        let mut n_line_ends = 0;
        loop {
            let is_line_start = self.is_line_start;
            let Some(byte) = self.peek()? else {
                if game.has_moves && game.result.is_none() {
                    return Err(self.torn());
                }
                return Ok((!game.is_empty()).then_some(game));
            };
            if game.is_empty() {
                game.line = self.line;
            }
            match byte {
                b'%' if is_line_start => self.skip_line()?,
                b';' => self.skip_line()?,
                b'{' => {
                    let comment = self.comment()?;
                    // What stands before the tags is about the match before, or about the file.
                    let has_introduction = self.keeps_moves && !game.tags.is_empty();
                    let introduction = has_introduction.then_some(&mut game.introduction);
                    let place = game.comments.last_mut().or(introduction);
                    if let Some(place) = place.filter(|place| place.len() < MOST_OF_COMMENT) {
                        place.extend([comment.as_str(), " "]);
                    }
                    game.last_comment = comment;
                }
                b'(' => self.skip_variation()?,
                // Skips a byte order mark, and closing brackets without an opening one.
                0xef | 0xbb | 0xbf | b')' | b'}' | b']' => self.skip()?,
                b'[' if game.has_moves => return Ok(Some(game)),
                b'[' => {
                    let tag = self.tag()?;
                    if game.ends_before(&tag.name, 1 < n_line_ends) {
                        self.next_tag = Some(tag);
                        return Ok(Some(game));
                    }
                    if game.tags.len() == MOST_TAGS {
                        return Err(Self::wrong(tag.line, "more than 1000 tags of one game"));
                    }
                    game.tags.push(tag);
                    n_line_ends = 0;
                }
                _ if byte.is_ascii_whitespace() => {
                    n_line_ends += usize::from(byte == b'\n');
                    self.skip()?;
                }
                _ => {
                    let word = self.word()?;
                    let result = RESULTS.into_iter().find(|result| result.as_bytes() == word);
                    match result {
                        None => game.add_word(&word, self.keeps_moves),
                        // A repeated result does not start another game.
                        Some(_) if game.is_empty() => {}
                        Some(result) => {
                            game.result = Some(result.to_owned());
                            return Ok(Some(game));
                        }
                    }
                }
            }
        }
    }

    /// `[Name "value"]`. In the value, `\"` and `\\` stand for `"` and `\`; a quote that does not end the tag stands
    /// for itself.
    fn tag(&mut self) -> Result<Tag, PgnError> {
        let line = self.line;
        self.skip()?;
        self.skip_spaces()?;
        let mut name = Vec::new();
        while let Some(byte) = self.peek()?
            && (byte.is_ascii_alphanumeric() || byte == b'_')
        {
            self.push(&mut name, byte)?;
        }
        let name = String::from_utf8_lossy(&name).into_owned();
        self.skip_spaces()?;
        if name.is_empty() || self.peek()? != Some(b'"') {
            return Err(if self.peek()?.is_none() {
                self.torn()
            } else {
                Self::wrong(line, "a tag is `[Name \"value\"]`")
            });
        }
        self.skip()?;
        let mut value = Vec::new();
        loop {
            let Some(byte) = self.peek()? else { return Err(self.torn()) };
            match byte {
                b'\n' => return Err(Self::wrong(line, &format!("the tag `{name}` is not closed"))),
                b'\\' => {
                    self.skip()?;
                    if !matches!(self.peek()?, Some(b'"' | b'\\')) {
                        value.push(b'\\');
                    } else if let Some(escaped) = self.peek()? {
                        self.push(&mut value, escaped)?;
                    }
                }
                b'"' => {
                    let length = value.len();
                    self.push(&mut value, byte)?;
                    while let Some(space @ (b' ' | b'\t')) = self.peek()? {
                        self.push(&mut value, space)?;
                    }
                    if self.peek()? == Some(b']') {
                        self.skip()?;
                        value.truncate(length);
                        return Ok(Tag { name, value: text(value), line });
                    }
                }
                _ => self.push(&mut value, byte)?,
            }
        }
    }

    /// A word of the moves: it ends at a space, a comment, a variation or a tag.
    fn word(&mut self) -> Result<Vec<u8>, PgnError> {
        let mut word = Vec::new();
        while let Some(byte) = self.peek()?
            && !byte.is_ascii_whitespace()
            && !matches!(byte, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';')
        {
            self.push(&mut word, byte)?;
        }
        Ok(word)
    }

    /// A comment without its brackets, or its beginning.
    fn comment(&mut self) -> Result<String, PgnError> {
        let mut comment = Vec::new();
        self.skip()?;
        loop {
            let byte = self.peek()?.ok_or_else(|| self.torn())?;
            self.skip()?;
            match byte {
                b'}' => return Ok(text(comment)),
                _ if comment.len() < MOST_OF_COMMENT => comment.push(byte),
                _ => {}
            }
        }
    }

    /// A variation, with the variations and comments in it.
    fn skip_variation(&mut self) -> Result<(), PgnError> {
        let mut depth = 0u64;
        loop {
            match self.peek()? {
                None => return Err(self.torn()),
                Some(b'{') => {
                    self.comment()?;
                }
                Some(b';') => self.skip_line()?,
                Some(byte) => {
                    depth = match byte {
                        b'(' => depth + 1,
                        b')' => depth - 1,
                        _ => depth,
                    };
                    self.skip()?;
                    if depth == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn skip_line(&mut self) -> Result<(), PgnError> {
        while self.peek()?.is_some_and(|byte| byte != b'\n') {
            self.skip()?;
        }
        Ok(())
    }

    fn skip_spaces(&mut self) -> Result<(), PgnError> {
        while let Some(b' ' | b'\t') = self.peek()? {
            self.skip()?;
        }
        Ok(())
    }

    /// Appends `byte`, the next one, to `bytes`.
    fn push(&mut self, bytes: &mut Vec<u8>, byte: u8) -> Result<(), PgnError> {
        if bytes.len() == MOST_BYTES {
            return Err(Self::wrong(self.line, "a word of more than a million letters"));
        }
        bytes.push(byte);
        self.skip()
    }

    fn peek(&mut self) -> Result<Option<u8>, PgnError> {
        let bytes = self.input.fill_buf().map_err(PgnError::Read)?;
        Ok(bytes.first().copied())
    }

    fn skip(&mut self) -> Result<(), PgnError> {
        if let Some(byte) = self.peek()? {
            self.is_line_start = byte == b'\n';
            self.line += u64::from(self.is_line_start);
            self.input.consume(1);
        }
        Ok(())
    }

    const fn torn(&self) -> PgnError {
        PgnError::Torn { line: self.line }
    }

    fn wrong(line: u64, problem: &str) -> PgnError {
        PgnError::Wrong { line, problem: problem.to_owned() }
    }
}

/// The mark of a move that stands behind it on its own, as such or as a number (the PGN standard, 10).
fn mark(word: &[u8]) -> Option<&'static str> {
    let marks = ["!", "?", "!!", "??", "!?", "?!"];
    marks
        .into_iter()
        .zip(1..)
        .find(|(mark, number)| word == mark.as_bytes() || word == format!("${number}").as_bytes())
        .map(|(mark, _)| mark)
}

/// Removes the numbers of `12.e4` and `12...e5`.
fn without_number(word: &[u8]) -> &[u8] {
    let n_digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &word[n_digits..];
    if rest.is_empty() {
        return rest;
    }
    let n_dots = rest.iter().take_while(|&&byte| byte == b'.').count();
    if n_dots == 0 { word } else { &rest[n_dots..] }
}

/// Older programs write Latin-1, in which every byte is a character, and which is almost never valid UTF-8.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}
