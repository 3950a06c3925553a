//! `arena show`: shows positions as boards on the terminal, from a recorded match or a FEN. It only reads, and starts
//! no engine.

mod error;
mod frame;
mod player;
mod recorded;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use clap::Args;
use engine_proto::scene::terminal::{self, Signs, Style};
use engine_proto::{AnyPlay, Games, Side};

use crate::commands::arguments::positions::{self, Source};

pub use error::ShowError;

const EXAMPLES: &str = "\
Examples:
  arena show results/quick 12             Show the moves and the end of match 12
  arena show results/quick 12 --play      Replay match 12
  arena show push --start 8x8-7 --ascii   Show a start position of a game";

/// Show a recorded match or a position as a board
///
/// With a folder and a match number: prints the moves with score, depth and time, and the last position. With a game: prints
/// a position of that game. The board marks what the last move did. The FEN is printed below. You can look at matches while
/// the tournament is still running.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ShowArgs {
    /// A results folder, or the id of a game
    #[arg(value_name = "FOLDER|GAME")]
    pub what: PathBuf,
    /// The number of the match, as in `matches.csv`
    #[arg(value_name = "MATCH")]
    pub number: Option<u32>,
    /// Show the position after this many moves
    ///
    /// 0 is the opening.
    #[arg(long, value_name = "N", requires = "number", conflicts_with = "play")]
    pub ply: Option<usize>,
    /// Replay the match
    ///
    /// On a terminal the positions are shown in place, one after the other, with these keys: Space plays and pauses, the
    /// arrow keys step, Home and End jump, F flips the board, Q quits. Elsewhere all positions are printed one below the
    /// other.
    #[arg(long, requires = "number")]
    pub play: bool,
    /// Pause between positions of --play
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = crate::commands::arguments::limits::duration, requires = "play")]
    pub delay: Duration,
    /// Show this position of the game
    #[arg(long, conflicts_with = "number")]
    pub fen: Option<String>,
    /// Show this start of the game, as `arena games` lists it
    ///
    /// Push also has the starts `8x8-S` and `6x6-S` for every seed S from 0 to 2^64 - 1.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["number", "fen"])]
    pub start: Option<String>,
    /// Draw the board from Black's side
    #[arg(long)]
    pub flip: bool,
    /// Draw in ASCII; the default when the locale is not UTF-8
    #[arg(long)]
    pub ascii: bool,
}

/// Shows what the arguments ask for.
///
/// # Errors
/// If there is no such game, match, ply or position, if a folder cannot be read, or if `out` cannot be written.
pub fn run(games: &Games, args: &ShowArgs, out: &mut dyn Write) -> Result<(), ShowError> {
    let style = style(args);
    match positions::source(games, "show", &args.what, args.number)? {
        Source::Match(folder, number) => {
            let games = &store::known_games(games, folder);
            let record = positions::record(games, folder, number, args.ply)?;
            recorded::show(games, args, &record, style, out)
        }
        Source::Game(game) => {
            let play = positions::position(games, game, args.fen.as_deref(), args.start.as_deref())?;
            Ok(write_position(play.as_ref(), style, out)?)
        }
    }
}

/// The board, its FEN, and the end of the game if it is over.
fn write_position(play: &dyn AnyPlay, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let board = terminal::draw(&play.layout(), &play.scene(), play.effects().as_ref(), style);
    write!(out, "{board}")?;
    writeln!(out, "FEN: {}", play.fen())?;
    match play.end() {
        Some(end) => writeln!(out, "over: {end}"),
        None => Ok(()),
    }
}

fn style(args: &ShowArgs) -> Style {
    let signs = if args.ascii || !host::terminal::is_utf8() { Signs::Ascii } else { Signs::Unicode };
    Style {
        signs,
        has_colour: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        bottom: if args.flip { Side::Black } else { Side::White },
        stack: 1,
    }
}
