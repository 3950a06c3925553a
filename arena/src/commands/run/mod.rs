//! `arena run`: plays a tournament and prints its standings.

mod configuration;
mod dry_run;
mod ending;
mod error;
mod machine_args;
#[cfg(feature = "nats")]
mod machines;
mod play;
mod ready;
mod without_file;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

#[cfg(not(feature = "nats"))]
use crate::commands::left_out::LeftOut;
pub use error::Error;
use host::output::CannotWrite;
use live::site;
use machine_args::MachineArgs;
use ratings::SprtVerdict;
use runner::pool::{PoolError, build};
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
#[command(after_long_help = EXAMPLES, mut_arg("nats", |arg| arg.help_heading("Many machines").hide_short_help(true)))]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate switch")]
pub struct RunArgs {
    /// The tournament file (TOML)
    pub config: Option<PathBuf>,
    /// Folder for the results
    ///
    /// Default: `results` of the tournament file, or else `results/<name>`.
    #[arg(long, value_name = "FOLDER")]
    pub results: Option<PathBuf>,
    /// Start over; move old results to `<folder>.1`
    #[arg(long)]
    pub fresh: bool,
    /// Play this engine's matches again (repeatable)
    ///
    /// The old matches are moved to `matches.set-aside.jsonl`.
    #[arg(long, value_name = "NAME", conflicts_with = "fresh")]
    pub replay: Vec<String>,
    /// Keep matches of this changed engine (repeatable)
    ///
    /// Without this option, a run stops if the program of an engine has changed since its last match.
    #[arg(long, value_name = "NAME", conflicts_with = "fresh", hide_short_help = true)]
    pub accept_changed: Vec<String>,
    /// Do not write `report.html` at the end
    ///
    /// A tournament of more than 10,000 matches gets no report unless you run `arena report`.
    #[arg(long, hide_short_help = true)]
    pub no_report: bool,
    /// Number of pairs per pairing and game
    ///
    /// Default: `pairs` of the tournament file, or else 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: Option<u32>,
    /// Number of matches to play at once
    ///
    /// Default: `concurrency` of the tournament file, or else the number of cores, one less if there are more than two.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Play only this part of the tournament, such as `3/8`
    ///
    /// Each of several machines plays one part, with its own results folder. `arena merge` joins the folders.
    #[arg(
        help_heading = "Matches",
        long,
        value_name = "K/N",
        hide_short_help = true,
        conflicts_with = "replay"
    )]
    pub shard: Option<Shard>,
    /// Check everything and estimate the time
    ///
    /// Builds the engines, starts each of them once, and prints the schedule. No match is played, and nothing is written to
    /// the results folder.
    #[arg(long)]
    pub dry_run: bool,
    /// Show the tournament in a browser while it runs
    ///
    /// Prints an address to open. Without ADDR, only this machine can open it. ADDR is an address, a port or both, such as
    /// `--serve=0.0.0.0:8080`: then everybody who can reach it and knows its secret path can watch. The connection is not
    /// encrypted.
    #[arg(long, value_name = "ADDR", value_parser = site::address, num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:0")]
    pub serve: Option<SocketAddr>,
    /// Write a protocol log of each match here
    ///
    /// One file per match, with the time of each line.
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub log: Option<PathBuf>,
    /// Hide the progress output
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the times of each engine at the end
    ///
    /// The same numbers are always written to `timing.csv`.
    #[arg(long, hide_short_help = true)]
    pub timing: bool,
    /// Tell by the exit code what `[stop.sprt]` has found
    ///
    /// 0 if the test accepts H1, 10 if it accepts H0, 11 if it is undecided.
    #[arg(long, hide_short_help = true, conflicts_with = "dry_run")]
    pub exit_code: bool,
    /// Where the matches are played, if not here
    #[command(flatten)]
    pub machines: MachineArgs,
    /// A tournament without a file
    #[command(flatten)]
    pub without_file: WithoutFile,
}

/// What is left to say at the end.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The text for standard output: the standings, or for a dry run the schedule.
    pub text: String,
    /// What the sequential test of the tournament has found, if it has one.
    pub test: Option<SprtVerdict>,
}

impl From<String> for Finished {
    /// Without a sequential test.
    fn from(text: String) -> Self {
        Self { text, test: None }
    }
}

/// Plays the tournament.
///
/// # Errors
/// If it cannot be played, or its results cannot be written; [`Error::Interrupted`] if the user stopped it, with all
/// finished matches written.
pub fn run(args: &RunArgs) -> Result<Finished, Error> {
    let source = configuration::source(args)?;
    if args.config.is_none() && !args.without_file.print_config {
        let _ = writeln!(io::stderr(), "{}", source.text());
    }
    let tournament = configuration::tournament(args, &source)?;
    if args.without_file.print_config {
        return Ok(source.text().to_owned().into());
    }
    if args.exit_code && tournament.stop.sprt.is_none() {
        return Err(Error::Usage(
            "`--exit-code` needs a sequential test: `[stop.sprt]` in the tournament file".to_owned(),
        ));
    }
    if args.machines.nats.nats.is_some() {
        #[cfg(feature = "nats")]
        machines::check(&tournament)?;
        #[cfg(not(feature = "nats"))]
        return Err(Error::Usage(LeftOut::nats("`--nats`").to_string()));
    }
    if !args.dry_run {
        // Before the build, so that a write error shows at once.
        std::fs::create_dir_all(&tournament.results).map_err(CannotWrite::at(&tournament.results))?;
    }
    build::build(&tournament)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(PoolError::Runtime)?;
    if args.dry_run {
        dry_run::run(args, tournament, &runtime, &source).map(Finished::from)
    } else {
        play::run(args, &tournament, &runtime, &source)
    }
}
