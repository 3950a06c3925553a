//! Replies: lines from an engine to the arena. The receiver decides whether a reply was expected.

use std::fmt;

use super::words::{split_word, write_text};
use super::{InfoLine, LineError, OptionSpec};
use crate::{End, Side};

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
    /// `option`: declares an option.
    Option(OptionSpec),
    /// `ugiok`: the end of the answer to `ugi`.
    UgiOk,
    /// `readyok`.
    ReadyOk,
    /// `info`: the progress of the search.
    Info(InfoLine<'a>),
    /// `bestmove`: the move as the engine spelled it.
    BestMove(&'a str),
    /// `response`: the answer to `query`.
    Response(Answer),
}

/// The answer to a `query`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// `true` or `false`.
    Truth(bool),
    /// `p1win` or `p2win`.
    Win(Side),
    /// `draw`.
    Draw,
    /// `none`: the game is not over.
    NoResult,
}

impl<'a> Reply<'a> {
    /// Parses a line.
    ///
    /// # Errors
    /// [`LineError::Unknown`] for a line that is to be ignored; [`LineError::Malformed`] for a `bestmove` without a
    /// move, an invalid `option`, or a `response` with an unknown answer. An `info` is never malformed: invalid parts
    /// are skipped. Additional words at the end of a line are ignored.
    pub fn parse(line: &'a str) -> Result<Self, LineError> {
        let (word, rest) = split_word(line);
        match word {
            "info" => Ok(Self::Info(InfoLine::parse(rest))),
            "bestmove" => match split_word(rest).0 {
                "" => Err(LineError::malformed("bestmove", "the move is missing")),
                mv => Ok(Self::BestMove(mv)),
            },
            "readyok" => Ok(Self::ReadyOk),
            "response" => Answer::parse(split_word(rest).0).map(Self::Response),
            "id" => match split_word(rest) {
                ("name", text) => Ok(Self::IdName(text.trim_ascii())),
                ("author", text) => Ok(Self::IdAuthor(text.trim_ascii())),
                ("version", text) => Ok(Self::IdVersion(text.trim_ascii())),
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
            Self::IdName(name) => {
                f.write_str("id name")?;
                write_text(f, name)
            }
            Self::IdAuthor(author) => {
                f.write_str("id author")?;
                write_text(f, author)
            }
            Self::IdVersion(version) => {
                f.write_str("id version")?;
                write_text(f, version)
            }
            Self::Option(spec) => spec.fmt(f),
            Self::UgiOk => f.write_str("ugiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove(mv) => write!(f, "bestmove {mv}"),
            Self::Response(answer) => write!(f, "response {answer}"),
        }
    }
}

impl Answer {
    /// The answer to `query result` for this end; `none` if the game is not over.
    pub const fn result(end: Option<End>) -> Self {
        match end {
            Some(End { winner: Some(side), .. }) => Self::Win(side),
            Some(End { winner: None, .. }) => Self::Draw,
            None => Self::NoResult,
        }
    }

    fn parse(word: &str) -> Result<Self, LineError> {
        match word {
            "true" => Ok(Self::Truth(true)),
            "false" => Ok(Self::Truth(false)),
            "p1win" => Ok(Self::Win(Side::White)),
            "p2win" => Ok(Self::Win(Side::Black)),
            "draw" => Ok(Self::Draw),
            "none" => Ok(Self::NoResult),
            _ => Err(LineError::malformed("response", "not an answer to any query")),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truth(true) => "true",
            Self::Truth(false) => "false",
            Self::Win(Side::White) => "p1win",
            Self::Win(Side::Black) => "p2win",
            Self::Draw => "draw",
            Self::NoResult => "none",
        })
    }
}
