//! Commands: lines from the arena to an engine. The receiver decides whether a command is allowed at its time.

use std::fmt;

use super::words::{split_before, split_word, unsigned32, write_text, write_words};
use super::{Go, LineError, Words};
use crate::Side;

/// One line from the arena to an engine.
///
/// Texts are borrowed, from the line that was read or from the caller that writes. `Display` writes the canonical line
/// without a line end: use `write!` with a buffer that is reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `ugi`: asks for name and options.
    Ugi,
    /// `isready`: asks for an answer when everything before is done.
    IsReady,
    /// `setoption name <name> [value <value>]`.
    SetOption {
        /// The option's name, to compare with [`Words::is_named`].
        name: Words<'a>,
        /// The value, if given, without whitespace at its ends. The empty value is written as `<empty>`.
        value: Option<&'a str>,
    },
    /// `uginewgame`: the next position belongs to another match.
    NewGame,
    /// `position`: the position to think about.
    Position {
        /// The start.
        start: StartAt<'a>,
        /// The moves from the start.
        moves: Words<'a>,
    },
    /// `legalmoves`: all legal moves of the last position.
    LegalMoves(Words<'a>),
    /// `go`: starts to think for the side to move.
    Go(Go<'a>),
    /// `ponderhit`: the opponent played the move that the engine ponders on.
    PonderHit,
    /// `stop`: stops thinking.
    Stop,
    /// `query`: a question about the last position.
    Query(Query<'a>),
    /// `gameover`: the match is over.
    GameOver(GameOver<'a>),
    /// `quit`: ends the engine.
    Quit,
    /// `d`: shows the position. For people, not part of the protocol.
    Show,
    /// `perft <depth>`: counts move sequences. For people, not part of the protocol.
    Perft(u32),
}

/// The start of a `position`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartAt<'a> {
    /// The game's default start.
    Default,
    /// The position of this FEN.
    Fen(Words<'a>),
}

/// A question about the last position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query<'a> {
    /// Does the first player move next?
    P1Turn,
    /// Is the game over?
    GameOver,
    /// How did the game end?
    Result,
    /// The legal moves, in any order.
    LegalMoves,
    /// The number of move sequences of this length.
    Perft(u32),
    /// The FEN of the position.
    Fen,
    /// Any other question, answered by `response unknown`.
    Unknown(Words<'a>),
}

/// How a match ended: the command `gameover`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOver<'a> {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason, as it is stored in the arena's records.
    pub reason: Words<'a>,
}

impl<'a> Command<'a> {
    /// Parses a line.
    ///
    /// # Errors
    /// [`LineError::Unknown`] for a line that is to be ignored, [`LineError::Malformed`] for a known command with
    /// invalid arguments. Additional words after a command without arguments are ignored.
    pub fn parse(line: &'a str) -> Result<Self, LineError> {
        let (word, rest) = split_word(line);
        match word {
            "ugi" => Ok(Self::Ugi),
            "isready" => Ok(Self::IsReady),
            "setoption" => Self::parse_set_option(rest),
            "uginewgame" => Ok(Self::NewGame),
            "position" => Self::parse_position(rest),
            "legalmoves" => Ok(Self::LegalMoves(Words::new(rest))),
            "go" => Go::parse(rest).map(Self::Go),
            "ponderhit" => Ok(Self::PonderHit),
            "stop" => Ok(Self::Stop),
            "query" => Query::parse(rest).map(Self::Query),
            "gameover" => GameOver::parse(rest).map(Self::GameOver),
            "quit" => Ok(Self::Quit),
            "d" => Ok(Self::Show),
            "perft" => unsigned32(split_word(rest).0)
                .map(Self::Perft)
                .ok_or(LineError::malformed("perft", "a depth must follow")),
            _ => Err(LineError::Unknown),
        }
    }

    fn parse_set_option(text: &'a str) -> Result<Self, LineError> {
        let ("name", rest) = split_word(text) else {
            return Err(LineError::malformed("setoption", "`name` must follow"));
        };
        let (name, value) = split_before(rest, |word| word == "value");
        if name.is_empty() {
            return Err(LineError::malformed("setoption", "the name is missing"));
        }
        let value = value.strip_prefix("value").map(|value| match value.trim_ascii() {
            "<empty>" => "",
            value => value,
        });
        Ok(Self::SetOption { name: Words::new(name), value })
    }

    fn parse_position(text: &'a str) -> Result<Self, LineError> {
        let (kind, rest) = split_word(text);
        let (fen, moves) = split_before(rest, |word| word == "moves");
        let start = match kind {
            "startpos" if !fen.is_empty() => {
                return Err(LineError::malformed("position", "only `moves` may follow `startpos`"));
            }
            "startpos" => StartAt::Default,
            "fen" if fen.is_empty() => {
                return Err(LineError::malformed("position", "the FEN is missing"));
            }
            "fen" => StartAt::Fen(Words::new(fen)),
            _ => return Err(LineError::malformed("position", "`startpos` or `fen` must follow")),
        };
        Ok(Self::Position { start, moves: Words::new(moves.strip_prefix("moves").unwrap_or_default()) })
    }
}

impl<'a> Query<'a> {
    fn parse(text: &'a str) -> Result<Self, LineError> {
        let (word, rest) = split_word(text);
        Ok(match word {
            "" => return Err(LineError::malformed("query", "the question is missing")),
            "p1turn" => Self::P1Turn,
            "gameover" => Self::GameOver,
            "result" => Self::Result,
            "legalmoves" => Self::LegalMoves,
            "perft" => unsigned32(split_word(rest).0).map_or(Self::Unknown(Words::new(text)), Self::Perft),
            "fen" => Self::Fen,
            _ => Self::Unknown(Words::new(text)),
        })
    }
}

impl<'a> GameOver<'a> {
    fn parse(text: &'a str) -> Result<Self, LineError> {
        let (result, reason) = split_word(text);
        let winner = match result {
            "p1win" => Some(Side::White),
            "p2win" => Some(Side::Black),
            "draw" => None,
            _ => return Err(LineError::malformed("gameover", "`p1win`, `p2win` or `draw` must follow")),
        };
        Ok(Self { winner, reason: Words::new(reason) })
    }
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ugi => f.write_str("ugi"),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                let Some(value) = value else {
                    return Ok(());
                };
                f.write_str(" value")?;
                write_text(f, if value.trim_ascii().is_empty() { "<empty>" } else { value })
            }
            Self::NewGame => f.write_str("uginewgame"),
            Self::Position { start, moves } => {
                match start {
                    StartAt::Default => f.write_str("position startpos")?,
                    StartAt::Fen(fen) => write!(f, "position fen {fen}")?,
                }
                if moves.is_empty() {
                    return Ok(());
                }
                f.write_str(" moves")?;
                write_words(f, moves)
            }
            Self::LegalMoves(moves) => {
                f.write_str("legalmoves")?;
                write_words(f, moves)
            }
            Self::Go(go) => go.fmt(f),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Stop => f.write_str("stop"),
            Self::Query(query) => write!(f, "query {query}"),
            Self::GameOver(over) => over.fmt(f),
            Self::Quit => f.write_str("quit"),
            Self::Show => f.write_str("d"),
            Self::Perft(depth) => write!(f, "perft {depth}"),
        }
    }
}

impl fmt::Display for Query<'_> {
    /// Writes the words after `query`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::P1Turn => f.write_str("p1turn"),
            Self::GameOver => f.write_str("gameover"),
            Self::Result => f.write_str("result"),
            Self::LegalMoves => f.write_str("legalmoves"),
            Self::Perft(depth) => write!(f, "perft {depth}"),
            Self::Fen => f.write_str("fen"),
            Self::Unknown(words) => words.fmt(f),
        }
    }
}

impl fmt::Display for GameOver<'_> {
    /// Writes the whole line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.winner {
            Some(Side::White) => "gameover p1win",
            Some(Side::Black) => "gameover p2win",
            None => "gameover draw",
        })?;
        write_words(f, self.reason)
    }
}
