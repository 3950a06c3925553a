//! `arena import-fastchess`: turns a command line of fastchess into a tournament file. It starts nothing.

mod file;
mod words;

use std::io::Write;
use std::path::Path;

use clap::Args;
use engine_proto::Games;

use crate::exit::CommandError;

const EXAMPLES: &str = "\
Examples:
  arena import-fastchess \"$(cat match.sh)\" > duel.toml     Convert a script
  arena import-fastchess -engine cmd=a -engine cmd=b -rounds 9 -repeat
                                                         Convert options";

/// Turn a fastchess command line into a tournament file
///
/// A command line of cutechess-cli is also understood. Prints the tournament file, and on standard error why `arena run` would not
/// accept it here. Options that have no counterpart are named in comments at its top and on standard error.
/// Give the whole command line as one argument in quotes, or its words after `--`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ImportArgs {
    /// The command line, with or without `fastchess` or `cutechess-cli` at its start
    #[arg(required = true, value_name = "COMMAND_LINE", allow_hyphen_values = true, trailing_var_arg = true)]
    pub command_line: Vec<String>,
}

/// Prints the tournament file. Returns the notes about what has no counterpart.
///
/// # Errors
/// If the command line is not one of fastchess, if the file would not run here, or if `out` cannot be written.
pub fn run(games: &Games, args: &ImportArgs, out: &mut dyn Write) -> Result<Vec<String>, CommandError> {
    let words = match args.command_line.as_slice() {
        [line] => words::split(line).map_err(CommandError::usage)?,
        words => words.to_vec(),
    };
    let (file, notes) = file::file(&words).map_err(CommandError::usage)?;
    for note in &notes {
        writeln!(out, "# {note}")?;
    }
    if !notes.is_empty() {
        writeln!(out)?;
    }
    out.write_all(file.as_bytes())?;
    config::parse(games, &file, Path::new("the converted file")).map_err(|error| {
        CommandError::input(format!(
            "the converted file does not run here; correct it, or use it on the machine that has its engines and books\n{error}"
        ))
    })?;
    Ok(notes)
}
