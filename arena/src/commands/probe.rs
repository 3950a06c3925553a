//! `arena probe`: the rules at the service of other programs, a line in and a line of JSON out.

use std::io::{self, BufRead, Write};

use clap::Args;
use engine_proto::{AnyPlay, GameId, GameWork, Play, PlayError, Position};
use serde::Serialize;

/// Answer questions about positions: reads `<fen> [moves <m> ...]` or `startpos [moves <m> ...]` from standard input, a
/// line each, and prints the position reached, its legal moves and its end as a line of JSON each.
#[derive(Args, Clone, Debug)]
pub struct ProbeArgs {
    /// The game, as `arena games` lists it.
    #[arg(value_parser = crate::cli::game_parser())]
    pub game: GameId,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Position { fen: String, side: String, legal: Vec<String>, end: Option<EndOf> },
    Error { error: Problem },
}

#[derive(Serialize)]
struct EndOf {
    winner: String,
    reason: &'static str,
}

#[derive(Serialize)]
struct Problem {
    field: &'static str,
    reason: String,
}

/// Answers until the input ends.
///
/// # Errors
/// Those of the input and the output; a line that makes no sense is answered like any other.
pub fn probe(args: &ProbeArgs, mut input: impl BufRead, out: &mut dyn Write) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let answer = answer(args.game, text.trim_end_matches(['\n', '\r']));
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)?;
        out.flush()?;
    }
}

fn answer(game: GameId, line: &str) -> Answer {
    match set_up(game, line) {
        Ok(play) => Answer::Position {
            fen: play.fen(),
            side: play.side_to_move().letter().to_string(),
            legal: play.legal_moves(),
            end: play.end().map(|end| EndOf {
                winner: end.winner.map_or_else(|| "draw".to_owned(), |side| side.letter().to_string()),
                reason: end.reason,
            }),
        },
        Err(PlayError::Fen(error)) => {
            Answer::Error { error: Problem { field: error.field, reason: error.reason } }
        }
        Err(PlayError::Move(error)) => {
            Answer::Error { error: Problem { field: "moves", reason: error.to_string() } }
        }
    }
}

fn set_up(game: GameId, line: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
    struct SetUp<'a> {
        start: &'a str,
        moves: &'a str,
    }
    impl GameWork for SetUp<'_> {
        type Output = Result<Box<dyn AnyPlay>, PlayError>;
        fn run<P: Position>(self) -> Self::Output {
            let start = if self.start == "startpos" { P::startpos() } else { self.start.parse::<P>()? };
            Ok(Box::new(Play::from_moves(start, self.moves.split_ascii_whitespace())?))
        }
    }
    let (start, moves) = match line.split_once(" moves") {
        Some((start, moves)) if moves.is_empty() || moves.starts_with(' ') => (start, moves),
        _ => (line, ""),
    };
    game.with(SetUp { start, moves })
}
