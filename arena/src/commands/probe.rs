//! `arena probe`: makes the rules available to other programs. It answers each line with a line of JSON.

use std::io::{self, BufRead, Write};

use clap::Args;
use engine_proto::fen::shown;
use engine_proto::{AnyGame, AnyPlay, FenError, GameId, Games, IllegalMove, PlayError};
use serde::Serialize;

const EXAMPLES: &str = "\
Examples:
  echo startpos | arena probe push-push    Print the legal moves of the start
  arena probe tower-push < positions.txt   Answer each line of a file";

/// Print the legal moves of positions as JSON
///
/// Reads lines from standard input: `<fen> [moves <m> ...]` or `startpos [moves <m> ...]`. Prints one line for each of them, with
/// the position after the moves, the side to move, the legal moves, and the end of the game if it has ended:
/// `{"fen":...,"side":"w","legal":[...],"end":null}` or `{"error":{"field":...,"reason":...}}`.
///
/// The draws `repetition` and `quiet` are reported as ends, but such a position still has its legal moves, and further moves are
/// accepted.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ProbeArgs {
    /// The game, as `arena games` lists it
    #[arg(hide_possible_values = true, value_parser = super::arguments::game_parser(Games::built_in()))]
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

/// Answers lines until the input ends.
///
/// # Errors
/// If the input cannot be read or the output cannot be written. An invalid line is answered with an error in JSON.
pub fn run(games: &Games, args: &ProbeArgs, mut input: impl BufRead, out: &mut dyn Write) -> io::Result<()> {
    let rules = games.get(args.game).map_err(io::Error::other)?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let answer = answer(rules, text.trim_end_matches(['\n', '\r']));
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)?;
        out.flush()?;
    }
}

fn answer(rules: &dyn AnyGame, line: &str) -> Answer {
    position(rules, line).unwrap_or_else(|error| Answer::Error { error })
}

fn position(rules: &dyn AnyGame, line: &str) -> Result<Answer, Problem> {
    let (start, moves) = match line.split_once(" moves") {
        Some((start, moves)) if moves.is_empty() || moves.starts_with(' ') => (start, moves),
        _ => (line, ""),
    };
    let mut play =
        if start == "startpos" { rules.start(rules.info().starts[0].name, 1)? } else { rules.play(start)? };
    for mv in moves.split_ascii_whitespace() {
        play_on(play.as_mut(), mv)?;
    }
    Ok(Answer::Position {
        fen: play.fen(),
        side: play.side_to_move().letter().to_string(),
        legal: play.position_moves(),
        end: play.end().map(|end| EndOf {
            winner: end.winner.map_or_else(|| "draw".to_owned(), |side| side.letter().to_string()),
            reason: end.reason,
        }),
    })
}

/// Plays a move by the game's own rules. `repetition` and `quiet` end a game, but their position has legal moves: see
/// CONVENTIONS.md, section "The end of a game".
fn play_on(play: &mut dyn AnyPlay, text: &str) -> Result<(), Problem> {
    if let Some(end) = play.position_end() {
        let reason = format!("the game is over before move `{}`: {end}", shown(text));
        return Err(Problem { field: "moves", reason });
    }
    Ok(play.play_on(text)?)
}

impl From<PlayError> for Problem {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Fen(FenError { field, reason }) => Self { field, reason },
            PlayError::Move(error) => error.into(),
            PlayError::Game(_) | PlayError::NoStart { .. } => {
                Self { field: "fen", reason: error.to_string() }
            }
        }
    }
}

impl From<IllegalMove> for Problem {
    fn from(error: IllegalMove) -> Self {
        Self { field: "moves", reason: error.to_string() }
    }
}
