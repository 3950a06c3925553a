//! A tournament as the commands `run` and `tune` play it: its arguments, its results folder, its reporters and its pools.
//! Which matches are played is the choice of a scheduler.

mod dry_run;
mod ending;
mod error;
mod machine_args;
#[cfg(feature = "nats")]
mod machines;
mod page;
mod play;
mod ready;

use live::watch::Watch;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

pub use error::Error;
use live::site;
pub use machine_args::{MachineArgs, WorkersArgs};
pub use play::{Played, Standings, all_matches};
use ratings::SprtVerdict;
pub use ready::Ready;
use schedule::Shard;

/// How a tournament is played
#[derive(Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate switch")]
pub struct PlayingArgs {
    /// Folder for the results
    ///
    /// Default: `results` of the tournament file, or else `results/<name>`.
    #[arg(long, value_name = "FOLDER")]
    pub results: Option<PathBuf>,
    /// Start over; move old results to `<folder>.1`
    #[arg(long)]
    pub fresh: bool,
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
    /// Show the tournament in a browser while it runs
    ///
    /// Prints an address to open, the same when the tournament continues. Without ADDR, only this machine can open it. ADDR is an address, a port or both, such as
    /// `--serve=0.0.0.0:8080`: then everybody who can reach it and knows its secret path can watch. The connection is not
    /// encrypted.
    #[arg(long, value_name = "ADDR", value_parser = site::address, num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:0")]
    pub serve: Option<SocketAddr>,
    /// Write a protocol log of each match here
    ///
    /// One file per match, with the time of each line.
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub log: Option<PathBuf>,
    /// Check everything and estimate the time
    ///
    /// Builds the engines, starts each of them once, and prints the schedule. No match is played, and nothing is written to
    /// the results folder.
    #[arg(long)]
    pub dry_run: bool,
    /// Hide the progress output
    #[arg(long, short, hide_short_help = true)]
    pub quiet: bool,
    /// Print the times of each engine at the end
    ///
    /// The same numbers are always written to `timing.csv`.
    #[arg(long, hide_short_help = true)]
    pub timing: bool,
}

/// What a command plays, apart from the tournament.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The arguments.
    pub playing: &'a PlayingArgs,
    /// Where the matches are played, if not here.
    pub machines: &'a MachineArgs,
    /// The engines whose matches are played again.
    pub replayed: &'a [String],
    /// The part of the tournament that is played, if it is not all.
    pub shard: Option<Shard>,
}

/// Writes a text to standard output.
pub type Tell<'a> = dyn FnMut(&str) -> io::Result<()> + 'a;

/// The end of a tournament.
#[derive(Debug, Default)]
pub struct Finished {
    /// What the sequential tests of the tournament have found, if it has any.
    pub test: Option<SprtVerdict>,
    /// Where it is still watched, if the user wants that.
    pub watch: Option<Watch>,
}
