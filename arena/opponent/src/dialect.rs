//! The two protocols on the wire. All other code writes UGI; for an engine that speaks UCI, each command is translated
//! here. What comes back needs no translation: an answer in UCI is one in UGI, apart from the end of the greeting.

use std::borrow::Cow;

use engine_proto::games::chess::Chess;
use engine_proto::proto::first_word;
use engine_proto::{AnyPlay, GameId, Position};

use model::Protocol;

/// The protocol that an engine has answered to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// UGI.
    #[default]
    Ugi,
    /// UCI.
    Uci,
}

impl Dialect {
    /// The dialect of the first line to an engine for which the configuration names `protocol`.
    pub const fn first(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Ugi | Protocol::Auto => Self::Ugi,
            Protocol::Uci => Self::Uci,
        }
    }

    /// These lines as the engine understands them. Commands that UCI does not have are left out.
    pub fn wire(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Ugi => Cow::Borrowed(text),
            Self::Uci => {
                Cow::Owned(text.split_inclusive('\n').filter_map(in_uci).collect::<Vec<_>>().concat())
            }
        }
    }

    /// The canonical spelling of the move that the engine calls `text`, if it spelled it in another way: in UCI, castling
    /// has two spellings.
    pub fn other_spelling(self, play: &dyn AnyPlay, text: &str) -> Option<String> {
        let is_of_squares = |text: &str| {
            let mut bytes = text.bytes();
            let mut is_square = || {
                let [file, rank] = [bytes.next(), bytes.next()];
                file.is_some_and(|file| file.is_ascii_lowercase())
                    && rank.is_some_and(|rank| rank.is_ascii_digit())
            };
            is_square() && is_square()
        };
        match self {
            Self::Ugi => None,
            Self::Uci => is_of_squares(text).then(|| play.read_move(text)).flatten().filter(|mv| mv != text),
        }
    }
}

/// The games that UCI knows without options: chess.
pub fn is_chess(game: GameId) -> bool {
    [GameId::CHESS, GameId::CHESS960].contains(&game)
}

/// One line with its line end, translated; `None` if UCI has no such command.
fn in_uci(line: &str) -> Option<Cow<'_, str>> {
    let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
    let translated = match first_word(line) {
        "ugi" => "uci".into(),
        "uginewgame" => "ucinewgame".into(),
        "position" => position(line),
        "go" => go(line).into(),
        "gameover" | "legalmoves" | "query" => return None,
        _ => Cow::Borrowed(line),
    };
    Some(if end.is_empty() { translated } else { translated + end })
}

/// The command `go`. An empty clock is sent as 1 ms: many engines take 0 for a search without a clock.
fn go(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').filter_map(limit).collect();
    for place in 1..words.len() {
        if words[place] == "0" && matches!(words[place - 1], "wtime" | "btime") {
            words[place] = "1";
        }
    }
    words.join(" ")
}

/// A word of `go`.
fn limit(word: &str) -> Option<&str> {
    Some(match word {
        "p1time" => "wtime",
        "p2time" => "btime",
        "p1inc" => "winc",
        "p2inc" => "binc",
        "drawoffer" => return None,
        word => word,
    })
}

/// Some engines set up `startpos` faster than a FEN, and do not expect `moves` without any.
fn position(line: &str) -> Cow<'_, str> {
    let line = line.strip_suffix(" moves").unwrap_or(line);
    let start = Chess::INFO.starts[0].fen;
    match line.strip_prefix("position fen ").and_then(|rest| rest.strip_prefix(start)) {
        Some(moves) => format!("position startpos{moves}").into(),
        None => line.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_proto::Games;

    #[test]
    fn commands_in_uci() {
        let start = Chess::INFO.starts[0].fen;
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        for (ugi, uci) in [
            ("ugi\n", "uci\n".to_owned()),
            ("uginewgame\nisready\n", "ucinewgame\nisready\n".to_owned()),
            (
                &format!("position fen {start} moves\ngo nodes 5\n"),
                "position startpos\ngo nodes 5\n".to_owned(),
            ),
            (
                &format!("position fen {start} moves e2e4 e7e5"),
                "position startpos moves e2e4 e7e5".to_owned(),
            ),
            (&format!("position fen {fen} moves e2e4\n"), format!("position fen {fen} moves e2e4\n")),
            (&format!("position fen {fen} moves\n"), format!("position fen {fen}\n")),
            (
                "go ponder p1time 100 p2time 200 p1inc 1 p2inc 2 movestogo 3 drawoffer\n",
                "go ponder wtime 100 btime 200 winc 1 binc 2 movestogo 3\n".to_owned(),
            ),
            ("go p1time 0 p2time 0 p1inc 0\n", "go wtime 1 btime 1 winc 0\n".to_owned()),
            ("gameover p1win checkmate\n", String::new()),
            ("legalmoves a1a2\ngo\n", "go\n".to_owned()),
            (
                "setoption name p1time value 3\nstop\nquit\n",
                "setoption name p1time value 3\nstop\nquit\n".to_owned(),
            ),
        ] {
            assert_eq!(Dialect::Uci.wire(ugi), uci);
            assert_eq!(Dialect::Uci.wire(&uci), uci, "nothing changes twice");
            assert_eq!(Dialect::Ugi.wire(ugi), ugi);
        }
    }

    #[test]
    fn only_moves_of_squares_have_other_spellings() {
        let castling = Games::built_in().play(GameId::CHESS, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for (text, mv) in [
            ("e1h1", Some("e1g1")),
            ("e1a1", Some("e1c1")),
            ("e1g1", None),
            ("O-O", None),
            ("Rb1", None),
            ("e1e8", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(Dialect::Uci.other_spelling(castling.as_ref(), text).as_deref(), mv, "{text}");
            assert_eq!(Dialect::Ugi.other_spelling(castling.as_ref(), text), None);
        }
    }
}
