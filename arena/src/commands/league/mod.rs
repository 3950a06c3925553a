//! `arena league`: a rating list that engines join and leave. Here: what owners of engines need.

mod key;
mod submit;

use std::io::Write;

use clap::{Args, Subcommand};

use crate::exit::CommandError;

const EXAMPLES: &str = "\
Examples:
  arena league key alice.key    Make a key, and print the line for the league
  arena league submit --to http://example.org:8080 --key alice.key my-engine
                                Send the engine in the folder `my-engine`";

/// Send engines to a league
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct LeagueArgs {
    /// What to do
    #[command(subcommand)]
    pub command: LeagueCommand,
}

/// What owners of engines do.
#[derive(Clone, Debug, Subcommand)]
#[expect(missing_docs, reason = "each is documented where its arguments are")]
pub enum LeagueCommand {
    Key(key::KeyArgs),
    Submit(submit::SubmitArgs),
}

/// Does what the arguments say.
///
/// # Errors
/// Those of the command.
pub fn run(args: &LeagueArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    match &args.command {
        LeagueCommand::Key(args) => key::run(args, out),
        LeagueCommand::Submit(args) => submit::run(args, out),
    }
}
