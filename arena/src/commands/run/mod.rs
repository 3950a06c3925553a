//! `arena run`: plays a tournament and prints its standings.

mod configuration;
mod without_file;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;
use engine_proto::Games;

use crate::commands::arguments::{MANY_MACHINES, SEVERAL_MACHINES};
pub use crate::tournament::{Error, Finished, Tell};
use crate::tournament::{MachineArgs, PlayingArgs, Run, all_matches};
use live::watch::Watch;
use schedule::Shard;
use without_file::WithoutFile;

const EXAMPLES: &str = "\
Examples:
  arena run configs/quick.toml             Play a tournament, or continue it
  arena run configs/quick.toml --dry-run   Check it and estimate the time
  arena run --engine ./new --engine ./old --games push --nodes 500
                                           Play without a tournament file";

/// Play a tournament
///
/// The results folder stores each match as soon as it is finished. The same command continues a tournament that was
/// stopped. Ctrl-C finishes the matches that are being played; a second Ctrl-C ends them at once.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES, mut_arg("nats", |arg| arg.help_heading(MANY_MACHINES).hide_short_help(true)))]
pub struct RunArgs {
    /// The tournament file (TOML)
    pub config: Option<PathBuf>,
    /// How it is played
    #[command(flatten)]
    pub playing: PlayingArgs,
    /// Play this engine's matches again (repeatable)
    ///
    /// The old matches are moved to `matches.set-aside.jsonl`.
    #[arg(hide_short_help = true, long, value_name = "NAME", conflicts_with = "fresh")]
    pub replay: Vec<String>,
    /// Retire an engine after this number of its own faults
    ///
    /// Its remaining matches are forfeited. Default: `max-faults` of the tournament file, or else never.
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_faults: Option<u32>,
    /// Play only this part of the tournament, such as `3/8`
    ///
    /// Each of several machines plays one part, with its own results folder. `arena merge` joins the folders.
    #[arg(long, value_name = "K/N", help_heading = SEVERAL_MACHINES, hide_short_help = true, conflicts_with = "replay")]
    pub shard: Option<Shard>,
    /// Tell by the exit code what `--sprt` or `[stop.sprt]` has found
    ///
    /// 0 if the test accepts H1, 10 if it accepts H0, 11 if it is undecided, or if most matches of the two engines were forfeited.
    /// Of several tests: 11 if any is undecided, or else 0 if any accepts H1, or else 10.
    #[arg(long, hide_short_help = true, conflicts_with = "dry_run")]
    pub exit_code: bool,
    /// Keep the page of `--serve` after the end, until Ctrl-C
    ///
    /// In a terminal, a page that is open at the end is kept without it.
    #[arg(long, hide_short_help = true, requires = "serve")]
    pub keep_serving: bool,
    /// Where the matches are played, if not here
    #[command(flatten)]
    pub machines: MachineArgs,
    /// A tournament without a file
    #[command(flatten)]
    pub without_file: WithoutFile,
}

/// Plays the tournament, whose games are these and its own, and tells its standings.
///
/// # Errors
/// If it cannot be played, or its results cannot be written; [`Error::Interrupted`] if the user stopped it, with all
/// finished matches written.
pub fn run(games: &Games, args: &RunArgs, tell: &mut Tell<'_>) -> Result<Finished, Error> {
    let source = configuration::source(args)?;
    let tournament = configuration::tournament(games, args, &source)?;
    if args.without_file.print_config {
        tell(source.text())?;
        return Ok(Finished::default());
    }
    if tournament.tune.is_some() {
        return Err(Error::Usage(format!(
            "`{}` tunes an engine: run it with `arena tune`",
            source.path().display()
        )));
    }
    if args.exit_code && tournament.stop.sprt.is_none() {
        return Err(Error::Usage(
            "`--exit-code` needs a sequential test: `--sprt`, or `[stop.sprt]` in the tournament file"
                .to_owned(),
        ));
    }
    let run =
        Run { playing: &args.playing, machines: &args.machines, replayed: &args.replay, shard: args.shard };
    let runtime = run.begin(&tournament)?;
    if args.playing.dry_run {
        let (text, ()) = run.dry_run(tournament, &runtime, &source, |_| (), |(), _| ())?;
        tell(&text)?;
        return Ok(Finished::default());
    }
    let mut played = run.play(&tournament, &runtime, &source, &all_matches)?;
    let stays = |watch: &Watch| args.keep_serving || is_attended() && watch.is_seen();
    let watch = played.watch.take().filter(stays);
    Ok(Finished { watch, ..played.finish(&run, tell)? })
}

/// Whether somebody at a terminal can end this.
fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}
