//! `arena probe`: the rules at the service of other programs, a line in and a line of JSON out.

use std::io::{self, BufRead, Write};

use clap::Args;
use engine_proto::fen::shown;
use engine_proto::{FenError, GameId, GameWork, Play, Position};
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
    #[arg(hide_possible_values = true, value_parser = super::arguments::game_parser())]
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
pub fn run(args: &ProbeArgs, mut input: impl BufRead, out: &mut dyn Write) -> io::Result<()> {
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
    game.with(Line(line)).unwrap_or_else(|error| Answer::Error { error })
}

/// One line of the input.
struct Line<'a>(&'a str);

impl GameWork for Line<'_> {
    type Output = Result<Answer, Problem>;

    fn run<P: Position>(self) -> Self::Output {
        let (start, moves) = match self.0.split_once(" moves") {
            Some((start, moves)) if moves.is_empty() || moves.starts_with(' ') => (start, moves),
            _ => (self.0, ""),
        };
        let start = if start == "startpos" { Ok(P::startpos()) } else { start.parse::<P>() };
        let mut play = Play::new(start?);
        for mv in moves.split_ascii_whitespace() {
            play_on(&mut play, mv)?;
        }
        let mut legal = Vec::new();
        play.position().legal_moves(&mut legal);
        let mut legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
        legal.sort_unstable();
        Ok(Answer::Position {
            fen: play.position().to_string(),
            side: play.position().side_to_move().letter().to_string(),
            legal,
            end: play.end().map(|end| EndOf {
                winner: end.winner.map_or_else(|| "draw".to_owned(), |side| side.letter().to_string()),
                reason: end.reason,
            }),
        })
    }
}

/// Plays a move by the game's own rules. `repetition` and `quiet` end a game, but their position has legal moves: see
/// CONVENTIONS.md, section "The end of a game".
fn play_on<P: Position>(play: &mut Play<P>, text: &str) -> Result<(), Problem> {
    let refused = |reason: String| Problem { field: "moves", reason };
    if let Some(end) = play.position().end() {
        return Err(refused(format!("the game is over: {end}; no move can follow, `{}` does", shown(text))));
    }
    let mv = play.position().parse_move(text);
    let mv = mv.ok_or_else(|| refused(format!("illegal move `{}`", shown(text))))?;
    play.play_unchecked(mv);
    Ok(())
}

impl From<FenError> for Problem {
    fn from(error: FenError) -> Self {
        Self { field: error.field, reason: error.reason }
    }
}
