//! `arena league key`: makes the key of an owner.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::exit::CommandError;
use host::output::CannotWrite;

const EXAMPLES: &str = "\
Examples:
  arena league key alice.key                Make a key, and print the line for `league.toml`
  arena league key alice.key > alice.toml    The same, with the line in a file";

/// Make a key for sending engines to a league
///
/// The file is the private key: keep it secret. The public key is printed as a line, such as `alice = "KEY"`: the operator of
/// the league adds it to the table `[league.owners]` of `league.toml`. The name is that of the file; it may be changed.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct KeyArgs {
    /// The file for the private key; it must not exist
    pub file: PathBuf,
}

/// Writes the private key, and prints the public key.
///
/// # Errors
/// If the file exists or cannot be written, and those of `out`.
pub fn run(args: &KeyArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let public = submission::new_key(&args.file).map_err(CannotWrite::at(&args.file))?;
    let name = args.file.file_stem().map_or_else(|| "owner".into(), |stem| stem.to_string_lossy());
    let line = toml::Table::from_iter([(name.into_owned(), toml::Value::from(public.to_string()))]);
    Ok(write!(out, "{line}")?)
}
