//! `arena pgn`: prints the matches of results folders as PGN, for other programs. It changes nothing.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use engine_proto::{GameId, Games};

use super::journal::each_match;
use crate::exit::CommandError;
use report::Working;
use schedule::pgn;
use store::read_tournament;
use store::result_files::ReadError;

const EXAMPLES: &str = "\
Examples:
  arena pgn results/duel > duel.pgn              Write all matches to a file
  arena pgn results/league --game chess960       Print the matches of one game";

/// Print matches as PGN
///
/// Prints the matches in the order in which they ended. Chess and Chess960 are written in standard algebraic notation, other
/// games in the spelling of their moves with the tag `Variant`. A comment after each move has the evaluation of its engine,
/// the depth, and the time. The tag `Date` is the day on which the match ended, `Round` the pair, `GameId` the match, and
/// `Termination` the reason.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct PgnArgs {
    /// Results folders
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// Print only this game (repeatable)
    #[arg(long, value_name = "GAME", value_parser = super::arguments::game_parser(Games::built_in()), hide_possible_values = true)]
    pub game: Vec<GameId>,
}

/// Prints the matches.
///
/// # Errors
/// If a folder cannot be read, or `out` cannot be written.
pub fn run(games: &Games, args: &PgnArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let _working = (!io::stdout().is_terminal()).then(|| Working::on("writing PGN"));
    let mut seen = BTreeSet::new();
    for folder in &args.folders {
        let folder_name = || folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let tournament = read_tournament(games, folder).ok();
        let event = tournament.as_ref().map_or_else(folder_name, |tournament| tournament.name.clone());
        let games = store::known_games(games, folder);
        each_match(&games, folder, |record| {
            seen.insert(record.game.id().to_owned());
            if args.game.is_empty() || args.game.contains(&record.game) {
                pgn::write(out, &games, record, &event, tournament.as_ref())?;
            }
            Ok(())
        })?;
    }
    match args.game.iter().find(|game| !seen.contains(game.id())) {
        Some(game) => Err(ReadError::unknown("game", game.id(), &seen).into()),
        None => Ok(()),
    }
}
