//! Replies: lines from an engine to the arena. The receiver decides whether a reply was expected.

use std::fmt;

use super::words::{split_word, write_text};
use super::{InfoLine, LineError, OptionSpec, Words};
use crate::{End, Side};

/// What stands for a move in a `bestmove` by which the side to move resigns.
pub const RESIGN: &str = "resign";
/// What stands for a move in the answer to a `go` in a position without moves. It is not a move of any game.
pub const NULL_MOVE: &str = "0000";

/// One line from an engine to the arena.
///
/// Texts are borrowed from the line, except those of `option`, which are kept longer. `Display` writes the canonical
/// line without a line end. Use [`super::first_word`] to find out the kind of a line without parsing all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `id name <text>`.
    IdName(&'a str),
    /// `id author <text>`.
    IdAuthor(&'a str),
    /// `id version <text>`.
    IdVersion(&'a str),
    /// `id protocol <text>`: the edition of the protocol.
    IdProtocol(&'a str),
    /// `option`: declares an option.
    Option(OptionSpec),
    /// `ugiok`: the end of the answer to `ugi`.
    UgiOk,
    /// `readyok`.
    ReadyOk,
    /// `info`: the progress of the search.
    Info(InfoLine<'a>),
    /// `bestmove`: the move, or [`RESIGN`].
    BestMove(BestMove<'a>),
    /// `response`: the answer to `query`.
    Response(Answer<'a>),
}

/// The answer to `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove<'a> {
    /// The move as the engine spelled it, or [`RESIGN`].
    pub mv: &'a str,
    /// `ponder`: the reply that the engine expects.
    pub ponder: Option<&'a str>,
    /// `draw`: the engine offers a draw, or accepts one.
    pub draw: bool,
}

/// The answer to a `query`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<'a> {
    /// `true` or `false`.
    Truth(bool),
    /// `p1win` or `p2win`.
    Win(Side),
    /// `draw`.
    Draw,
    /// `none`: the game is not over.
    NoResult,
    /// `unknown`: the engine does not know the question.
    Unknown,
    /// Any other answer: legal moves, a number or a FEN.
    Text(Words<'a>),
}

impl<'a> Reply<'a> {
    /// Parses a line.
    ///
    /// # Errors
    /// [`LineError::Unknown`] for a line that is to be ignored; [`LineError::Malformed`] for a `bestmove` without a
    /// move, or an invalid `option`. An `info` is never malformed: invalid parts are skipped. Additional words at the end of a line are ignored.
    pub fn parse(line: &'a str) -> Result<Self, LineError> {
        let (word, rest) = split_word(line);
        match word {
            "info" => Ok(Self::Info(InfoLine::parse(rest))),
            "bestmove" => BestMove::parse(rest).map(Self::BestMove),
            "readyok" => Ok(Self::ReadyOk),
            "response" => Ok(Self::Response(Answer::parse(rest))),
            "id" => match split_word(rest) {
                ("name", text) => Ok(Self::IdName(text.trim_ascii())),
                ("author", text) => Ok(Self::IdAuthor(text.trim_ascii())),
                ("version", text) => Ok(Self::IdVersion(text.trim_ascii())),
                ("protocol", text) => Ok(Self::IdProtocol(text.trim_ascii())),
                _ => Err(LineError::Unknown),
            },
            "option" => OptionSpec::parse(rest).map(Self::Option),
            "ugiok" => Ok(Self::UgiOk),
            _ => Err(LineError::Unknown),
        }
    }
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) => write_line(f, "id name", name),
            Self::IdAuthor(author) => write_line(f, "id author", author),
            Self::IdVersion(version) => write_line(f, "id version", version),
            Self::IdProtocol(edition) => write_line(f, "id protocol", edition),
            Self::Option(spec) => spec.fmt(f),
            Self::UgiOk => f.write_str("ugiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove(best) => best.fmt(f),
            Self::Response(answer) => write_line(f, "response", &answer.to_string()),
        }
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, word: &str, text: &str) -> fmt::Result {
    f.write_str(word)?;
    write_text(f, text)
}

impl<'a> BestMove<'a> {
    /// This move, and nothing else.
    pub const fn of(mv: &'a str) -> Self {
        Self { mv, ponder: None, draw: false }
    }

    /// Parses the words after `bestmove`. Unknown words behind the move are ignored.
    fn parse(text: &'a str) -> Result<Self, LineError> {
        let (mv, mut rest) = split_word(text);
        if mv.is_empty() {
            return Err(LineError::malformed("bestmove", "the move is missing"));
        }
        let mut best = Self::of(mv);
        loop {
            let (key, after) = split_word(rest);
            rest = match key {
                "" => return Ok(best),
                "ponder" => {
                    let (mv, after) = split_word(after);
                    best.ponder = (!mv.is_empty()).then_some(mv);
                    after
                }
                "draw" => {
                    best.draw = true;
                    after
                }
                _unknown => after,
            };
        }
    }
}

impl fmt::Display for BestMove<'_> {
    /// Writes the whole line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bestmove {}", self.mv)?;
        if let Some(ponder) = self.ponder {
            write!(f, " ponder {ponder}")?;
        }
        if self.draw {
            f.write_str(" draw")?;
        }
        Ok(())
    }
}

impl<'a> Answer<'a> {
    /// The answer to `query result` for this end; `none` if the game is not over.
    pub const fn result(end: Option<End>) -> Self {
        match end {
            Some(End { winner: Some(side), .. }) => Self::Win(side),
            Some(End { winner: None, .. }) => Self::Draw,
            None => Self::NoResult,
        }
    }

    /// Parses the words after `response`. Words behind one of the fixed answers are ignored.
    fn parse(text: &'a str) -> Self {
        match split_word(text).0 {
            "true" => Self::Truth(true),
            "false" => Self::Truth(false),
            "p1win" => Self::Win(Side::White),
            "p2win" => Self::Win(Side::Black),
            "draw" => Self::Draw,
            "none" => Self::NoResult,
            "unknown" => Self::Unknown,
            _ => Self::Text(Words::new(text)),
        }
    }
}

impl fmt::Display for Answer<'_> {
    /// Writes the words after `response`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truth(true) => "true",
            Self::Truth(false) => "false",
            Self::Win(Side::White) => "p1win",
            Self::Win(Side::Black) => "p2win",
            Self::Draw => "draw",
            Self::NoResult => "none",
            Self::Unknown => "unknown",
            Self::Text(words) => return words.fmt(f),
        })
    }
}
