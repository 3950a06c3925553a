//! `arena show`: positions as boards on the terminal, those of a recorded match or of a FEN. It reads; nothing is changed, no
//! engine is started.

mod error;
mod recorded;

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use clap::Args;
use engine_proto::scene::terminal::{self, Signs, Style};
use engine_proto::{AnyPlay, GameId, Side};

pub use error::ShowError;

/// Show a recorded match, or a position, as boards.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// A results folder; or a game, as `arena games` lists it, to show one of its positions.
    #[arg(value_name = "FOLDER|GAME")]
    pub what: PathBuf,
    /// The number of the match in the folder, as in `matches.csv`. Prints its moves and its last position.
    #[arg(value_name = "MATCH")]
    pub number: Option<u32>,
    /// Show the position after this many moves of the match, 0 for the opening.
    #[arg(long, value_name = "N", requires = "number", conflicts_with = "play")]
    pub ply: Option<usize>,
    /// Show all positions of the match: one after the other in place on a terminal, else one below the other.
    #[arg(long, requires = "number")]
    pub play: bool,
    /// The pause between two positions of --play on a terminal.
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = humantime::parse_duration, requires = "play")]
    pub delay: Duration,
    /// The position of the game to show. Default: its default start.
    #[arg(long, conflicts_with = "number")]
    pub fen: Option<String>,
    /// The named start of the game to show, as `arena games` lists it. Push also has `8x8-S` and `6x6-S` for every seed S from
    /// 0 to 2^64 - 1.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["number", "fen"])]
    pub start: Option<String>,
    /// Look from Black's side of the board.
    #[arg(long)]
    pub flip: bool,
    /// Draw in ASCII, with the letters of FENs; so is it too where the locale is not one of UTF-8.
    #[arg(long)]
    pub ascii: bool,
}

/// Shows what is asked for.
///
/// # Errors
/// If there is no such game, match, ply or position, a folder cannot be read, and those of `out`.
pub fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<(), ShowError> {
    let style = style(args);
    let game = args.what.to_str().and_then(|id| id.parse::<GameId>().ok());
    match (args.number, game) {
        (Some(_), _) if !args.what.is_dir() => Err(ShowError::NoFolder { folder: args.what.clone() }),
        (Some(number), _) => recorded::show(args, number, style, out),
        (None, Some(game)) => show_position(game, args, style, out),
        (None, None) if args.what.is_dir() => Err(ShowError::WhichMatch { folder: args.what.clone() }),
        (None, None) => Err(ShowError::unknown_game(&args.what)),
    }
}

fn show_position(game: GameId, args: &ShowArgs, style: Style, out: &mut dyn Write) -> Result<(), ShowError> {
    let play = match (&args.fen, &args.start) {
        (Some(fen), _) => game.play(fen).map_err(ShowError::Position)?,
        (None, None) => game.startpos(),
        // What the name leaves to chance is decided by seed 1, as for `startpos`.
        (None, Some(name)) => game.start(name, 1).ok_or_else(|| ShowError::unknown_start(game, name))?,
    };
    write_position(play.as_ref(), style, out)?;
    Ok(())
}

/// The board, its FEN, and how the game is over if it is.
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
    let signs =
        if args.ascii || !is_utf8(|name| env::var(name).ok()) { Signs::Ascii } else { Signs::Unicode };
    Style {
        signs,
        has_colour: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        bottom: if args.flip { Side::Black } else { Side::White },
    }
}

/// Whether the locale is one of UTF-8, by the variables of its environment in the order in which the system reads them.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|value| !value.is_empty())
        .unwrap_or_default()
        .to_ascii_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn locales() {
        let check = |all: &str, ctype: &str, lang: &str| {
            is_utf8(|name| {
                let value = match name {
                    "LC_ALL" => all,
                    "LC_CTYPE" => ctype,
                    "LANG" => lang,
                    _ => return None,
                };
                Some(value.to_owned())
            })
        };
        assert!(check("", "", "en_US.UTF-8"));
        assert!(check("C.utf8", "C", "C"));
        assert!(check("", "de_DE.UTF-8", "C"));
        assert!(!check("C", "C.UTF-8", "C.UTF-8"));
        assert!(!check("", "POSIX", "en_US.UTF-8"));
        assert!(!check("", "", "en_US.ISO-8859-1"));
        assert!(!is_utf8(|_| None));
    }
}
