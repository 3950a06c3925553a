//! `arena league`: plays a standing rating list that engines join and leave, writes its pages, and sends engines to it.

mod key;
mod submit;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use engine_proto::Games;

use crate::commands::arguments::MANY_MACHINES;
#[cfg(not(feature = "nats"))]
use crate::commands::left_out::LeftOut;
use crate::exit::{CommandError, Exit};
use crate::paint::painted;
use crate::tournament::WorkersArgs;
use config::ConfigError;
use league::{Ended, Error, FILE, Settings, page};
use live::site;
use model::escape::escaped;

const EXAMPLES: &str = "\
Examples:
  arena league ladder                          Start or continue a league
  arena league list ladder                     Print its table
  arena league export ladder --to public_html  Write its pages for a web host";

/// Play a league that engines join and leave
///
/// The folder is the league: `league.toml` has its games and limits, and each file in `engines` is an engine. Engines join when
/// their file appears, rest when it is removed, and play as a new build when their program or their options change. What is
/// wrong with an engine is written beside its file. The league plays until Ctrl-C; the same command continues it. See
/// `arena/docs/league.md`.
#[derive(Args, Clone, Debug)]
#[command(
    after_long_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    mut_arg("nats", |arg| arg.help_heading(MANY_MACHINES).hide_short_help(true)),
)]
pub struct LeagueArgs {
    /// What to do instead of playing
    #[command(subcommand)]
    pub command: Option<LeagueCommand>,
    /// The folder of the league
    #[arg(required = true)]
    pub folder: Option<PathBuf>,
    /// Number of matches to play at once
    ///
    /// Default: `concurrency` of `league.toml`, or else the number of cores, one less if there are more than two.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Show the league in a browser while it runs
    ///
    /// Prints addresses to open. Without ADDR, only this machine can open them. ADDR is an address, a port or both, such as
    /// `--serve=0.0.0.0:8080`. The connection is not encrypted.
    #[arg(long, value_name = "ADDR", value_parser = site::address, num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:0")]
    pub serve: Option<SocketAddr>,
    /// Stop after this number of matches
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true)]
    pub matches: Option<u32>,
    /// Time between two tables
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = crate::commands::arguments::limits::duration, hide_short_help = true)]
    pub table_every: Duration,
    /// Print only the table at the end
    #[arg(long, short)]
    pub quiet: bool,
    /// Where workers are found, if they play, too
    #[command(flatten)]
    pub workers: WorkersArgs,
}

/// What to do instead of playing.
#[derive(Clone, Debug, Subcommand)]
pub enum LeagueCommand {
    /// Write the pages of a league for a web host
    ///
    /// `index.html` is the list, `engine` has a page for each engine, `match` the replays that these pages list, and
    /// `ratings.csv` has all ratings. The league may be running.
    Export {
        /// The folder of the league
        folder: PathBuf,
        /// The folder for the pages
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
    /// Print the table of a league, or the builds of an engine
    ///
    /// The league may be running.
    List {
        /// The folder of the league
        folder: PathBuf,
        /// The engine whose builds are listed, in the order in which they joined
        engine: Option<String>,
    },
    #[expect(missing_docs, reason = "it is documented where its arguments are")]
    Key(key::KeyArgs),
    #[expect(missing_docs, reason = "it is documented where its arguments are")]
    Submit(submit::SubmitArgs),
    /// Print the secret link of an owner
    ///
    /// It follows the address that `--serve` prints, and shows what the owner's engines write to standard error.
    Link {
        /// The folder of the league
        folder: PathBuf,
        /// The owner's name, as in the engines' files
        owner: String,
    },
}

/// Plays the league, or does what the command says.
///
/// # Errors
/// If it cannot be played, or its results cannot be read or written.
pub fn run(games: &Games, args: &LeagueArgs, out: &mut dyn Write) -> Result<Exit, CommandError> {
    match &args.command {
        Some(LeagueCommand::Key(args)) => return key::run(args, out).map(|()| Exit::Done),
        Some(LeagueCommand::Submit(args)) => return submit::run(args, out).map(|()| Exit::Done),
        _ => {}
    }
    if let Some(LeagueCommand::Export { folder, to }) = &args.command {
        let to = std::path::absolute(to).map_err(|error| CommandError::new(Exit::Output, error))?;
        enter(folder)?;
        let league = league::read(games, None).map_err(failed)?;
        let snapshot = league::snapshot(&league).map_err(failed)?;
        let tournament = &league.tournament;
        let n_engines =
            page::export(&tournament.known_games, &snapshot, &tournament.name, &tournament.results, &to)
                .map_err(failed)?;
        writeln!(out, "{}: pages of {n_engines} engines", to.join("index.html").display())?;
        return Ok(Exit::Done);
    }
    if let Some(LeagueCommand::List { folder, engine }) = &args.command {
        enter(folder)?;
        let snapshot = league::snapshot(&league::read(games, None).map_err(failed)?).map_err(failed)?;
        let text = match engine {
            Some(engine) => snapshot.history_text(engine).ok_or_else(|| {
                let engines: Vec<&str> = snapshot.lines().iter().map(|line| line.engine).collect();
                CommandError::input(format!(
                    "no engine `{engine}` has played in this league; these have: {}",
                    engines.join(", ")
                ))
            })?,
            None => snapshot.text(usize::MAX),
        };
        write!(out, "{}", painted(&escaped(&text)))?;
        return Ok(Exit::Done);
    }
    if let Some(LeagueCommand::Link { folder, owner }) = &args.command {
        enter(folder)?;
        let league = league::read(games, None).map_err(failed)?;
        writeln!(out, "{}", league::link(&league, owner).map_err(failed)?)?;
        return Ok(Exit::Done);
    }
    #[cfg(not(feature = "nats"))]
    if args.workers.nats.nats.is_some() {
        return Err(CommandError::usage(LeftOut::nats("`--nats`")));
    }
    let folder = args.folder.as_deref().expect("clap requires it");
    enter(folder)?;
    let settings = Settings {
        games: games.clone(),
        folder: folder.to_owned(),
        concurrency: args.concurrency,
        #[cfg(feature = "nats")]
        machines: args.workers.nats.access().map(|access| league::Machines {
            access,
            priority: args.workers.priority,
            lease: args.workers.lease,
        }),
        serve: args.serve,
        most_matches: args.matches,
        table_every: args.table_every,
        is_quiet: args.quiet,
    };
    let Ended { table, was_stopped } = league::play(&settings).map_err(failed)?;
    write!(out, "{}", painted(&escaped(&table)))?;
    if was_stopped {
        writeln!(io::stderr(), "stopped; the same command continues")?;
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}

/// Everything of a league is relative to its folder.
fn enter(folder: &Path) -> Result<(), CommandError> {
    if !folder.join(FILE).is_file() {
        return Err(CommandError::input(format!(
            "there is no league in `{}`: write a file `{FILE}` with the table `[league]`; see `arena/docs/league.md`",
            folder.display()
        )));
    }
    std::env::set_current_dir(folder)
        .map_err(|error| CommandError::input(format!("cannot enter `{}`: {error}", folder.display())))
}

fn failed(error: Error) -> CommandError {
    let exit = match &error {
        Error::Config(error) => Exit::of_config(error),
        Error::Openings(_)
        | Error::Journal { .. }
        | Error::Roster { .. }
        | Error::Key { .. }
        | Error::NoOwner { .. } => Exit::Input,
        Error::Anchor { .. } | Error::Strangers { .. } => Exit::Engines,
        #[cfg(feature = "nats")]
        Error::Machines(league::MachinesError::Refused(_)) => Exit::Usage,
        #[cfg(feature = "nats")]
        Error::Machines(_) => Exit::Output,
        Error::Results(_) | Error::Conduct(_) | Error::Watch(_) | Error::Refused(_) | Error::Write { .. } => {
            Exit::Output
        }
    };
    match error {
        // It is shown with its place.
        Error::Config(error @ ConfigError::Wrong { .. }) => CommandError::new(exit, error),
        error => CommandError::new(exit, error),
    }
}
