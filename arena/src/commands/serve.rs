//! `arena serve`: shows tournaments in a browser, finished or running. It reads results folders and changes nothing.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use engine_proto::Games;

use crate::exit::{CommandError, Exit};
use live::site;
use live::watch::{Watch, WatchError};
use model::escape::escaped;
use runner::conduct::{Signals, StopRequests};

const EXAMPLES: &str = "\
Examples:
  arena serve results/quick                    Watch a tournament
  arena serve results/old results/new          Show two tournaments together
  arena serve results/quick --address 0.0.0.0:8080
                                               Let other machines watch";

/// Watch a tournament in the browser
///
/// Prints an address to open in a browser, and serves until Ctrl-C. The page shows standings, results and faults as they are
/// written to the results folders, and a replay of every match. The tournament may be running, on this machine or on several.
/// `arena run --serve` also shows the matches that are being played.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ServeArgs {
    /// Results folders, as `arena run` writes them
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// Address, port or both [default: this machine, free port]
    ///
    /// Everybody who can reach the address and knows its secret path can watch. The connection is not encrypted.
    #[arg(long, value_name = "ADDR", value_parser = site::address, default_value = "127.0.0.1:0", hide_default_value = true)]
    pub address: SocketAddr,
}

/// Goes on serving a tournament that has ended until the user stops it.
///
/// # Errors
/// If the system does not tell of signals.
pub fn until_stopped(watch: &Watch) -> io::Result<()> {
    let _ = writeln!(io::stderr(), "serving until Ctrl-C: {}", watch.url());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        Signals::listen()?.next().await;
        Ok(())
    })
}

/// Serves the pages until the user stops it.
///
/// # Errors
/// If a folder cannot be read, or the server cannot be started.
pub fn run(games: &Games, args: &ServeArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut signals = Signals::listen()?;
        let watch = Watch::start(games, args.address, &args.folders, None).map_err(|error| {
            let exit = if let WatchError::Folder(_) = error { Exit::Input } else { Exit::Output };
            CommandError::new(exit, error)
        })?;
        for warning in watch.warnings() {
            writeln!(io::stderr(), "warning: {}", escaped(warning))?;
        }
        writeln!(out, "{}", watch.url())?;
        out.flush()?;
        signals.next().await;
        Ok(())
    })
}
