//! `arena perft`: the number of move sequences of each length.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use engine_proto::GameId;

use crate::error::Error;

/// Count the move sequences from a position, for every length up to a depth.
#[derive(Args, Clone, Debug)]
pub struct PerftArgs {
    /// The game, as `arena games` lists it.
    #[arg(value_parser = crate::cli::game_parser())]
    pub game: GameId,
    /// The position. Default: the game's default start.
    #[arg(long)]
    pub fen: Option<String>,
    /// The longest sequences to count.
    #[arg(long, default_value_t = 3)]
    pub depth: u32,
    /// Split the last count by the first move.
    #[arg(long)]
    pub split: bool,
}

/// Prints the counts.
///
/// # Errors
/// If the position is not a FEN of the game, and those of `out`.
pub fn perft(args: &PerftArgs, out: &mut dyn Write) -> Result<(), Error> {
    let play = match &args.fen {
        Some(fen) => args.game.play(fen).map_err(|error| Error::Usage(error.to_string()))?,
        None => args.game.startpos(),
    };
    writeln!(out, "{:>5} {:>16} {:>10} {:>14}", "depth", "nodes", "seconds", "nodes/s")?;
    for depth in 1..=args.depth {
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
