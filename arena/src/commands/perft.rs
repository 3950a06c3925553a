//! `arena perft`: the number of move sequences of each length.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use engine_proto::{GameId, Games};

use super::arguments::game_parser;
use crate::exit::CommandError;

const EXAMPLES: &str = "\
Examples:
  arena perft push --depth 4              Count from the default start
  arena perft tower-push --depth 2 --split
                                          Split the count by the first move";

/// Count the move sequences from a position
///
/// Prints the number of sequences of each length up to --depth. A move generator that gives the same counts is very likely
/// correct.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct PerftArgs {
    /// The game, as `arena games` lists it
    #[arg(value_parser = game_parser(Games::built_in()), hide_possible_values = true)]
    pub game: GameId,
    /// The position [default: the game's default start]
    #[arg(long)]
    pub fen: Option<String>,
    /// The length of the longest sequences to count
    #[arg(long, default_value_t = 3)]
    pub depth: u32,
    /// Split the last count by the first move
    #[arg(long)]
    pub split: bool,
}

/// Prints the counts.
///
/// # Errors
/// If the position is not a FEN of the game, or `out` cannot be written.
pub fn run(games: &Games, args: &PerftArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let play = match &args.fen {
        Some(fen) => games.play(args.game, fen)?,
        None => games.startpos(args.game)?,
    };
    writeln!(out, "{:>5} {:>16} {:>10} {:>14}", "depth", "nodes", "seconds", "nodes/s")?;
    for depth in args.depth.min(1)..=args.depth {
        let begun = Instant::now();
        let nodes = play.perft(depth);
        let seconds = begun.elapsed().as_secs_f64();
        writeln!(out, "{depth:>5} {nodes:>16} {seconds:>10.3} {:>14.0}", nodes as f64 / seconds.max(1e-9))?;
    }
    if args.split {
        let mut written = Ok(());
        play.split(args.depth, &mut |line| {
            if written.is_ok() {
                written = writeln!(out, "{line}");
            }
        });
        written?;
    }
    Ok(())
}
