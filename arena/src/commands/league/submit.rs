//! `arena league submit`: sends an engine to a league.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use tempfile::NamedTempFile;

use crate::exit::{CommandError, Exit};
use host::output::CannotWrite;
use model::escape::escaped;
use submission::{Answer, Key, Manifest, SubmitError, pack, signed, submit};

const EXAMPLES: &str = "\
Examples:
  arena league submit --to http://example.org:8080 --key alice.key my-engine
  arena league submit --to http://10.0.0.7:8080 --key alice.key engine.tar.zst
  arena league submit --header --key alice.key engine.tar.zst
                                               Sign it for another program";

/// Send an engine to a league
///
/// The engine is an archive (`.tar.gz` or `.tar.zst`) with the file `engine.toml` at its root, or a folder with this file.
/// `engine.toml` has the keys `name`, `command`, `args` and `options`. What the league answers is printed.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct SubmitArgs {
    /// The archive, or the folder
    pub engine: PathBuf,
    /// The address of the league, `http://HOST:PORT`
    #[arg(long, value_name = "URL", required_unless_present = "header")]
    pub to: Option<String>,
    /// The private key that `arena league key` has made
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// Print the header that signs an archive, for a program such as `curl`, and send nothing
    ///
    /// It is good for five minutes, and for one request.
    #[arg(long, conflicts_with = "to")]
    pub header: bool,
}

/// Sends the engine, and prints the answer.
///
/// # Errors
/// If the key or the engine is wrong, the league refuses it or does not answer, and those of `out`.
pub fn run(args: &SubmitArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let key = Key::read(&args.key).map_err(CommandError::input)?;
    let Some(address) = &args.to else {
        if args.engine.is_dir() {
            let folder = args.engine.display();
            let how = format!("pack it with `tar -czf engine.tar.gz -C {folder} .`");
            return Err(CommandError::usage(format!(
                "`--header` signs an archive, and `{folder}` is a folder; {how}"
            )));
        }
        return Ok(writeln!(out, "{}", signed(&key, &args.engine).map_err(CommandError::input)?)?);
    };
    let packed = if args.engine.is_dir() { Some(packed(args)?) } else { None };
    let archive = packed.as_ref().map_or(args.engine.as_path(), NamedTempFile::path);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::refused(&error))?;
    let Answer { status, text } = runtime.block_on(submit(address, &key, archive)).map_err(|error| {
        let exit = match error {
            SubmitError::Address(_) | SubmitError::Tls(_) => Exit::Usage,
            SubmitError::Archive { .. } => Exit::Input,
            SubmitError::Connection { .. } => Exit::Output,
        };
        CommandError::new(exit, error)
    })?;
    let text = escaped(&text);
    match status {
        200..300 => Ok(writeln!(out, "{text}")?),
        // Later, the same may be accepted.
        408 | 429 | 500.. => {
            Err(CommandError::new(Exit::Output, format!("the league answers {status}: {text}")))
        }
        _ => Err(CommandError::input(format!("the league refuses the engine ({status}): {text}"))),
    }
}

/// The folder as an archive, which is removed at the end.
fn packed(args: &SubmitArgs) -> Result<NamedTempFile, CommandError> {
    let folder = args.engine.display();
    let wrong =
        |error: &dyn std::fmt::Display| CommandError::input(format!("cannot pack `{folder}`: {error}"));
    Manifest::read(&args.engine).map_err(|error| wrong(&error))?;
    let archive = NamedTempFile::new().map_err(CannotWrite::at(&std::env::temp_dir()))?;
    pack::pack(&args.engine, archive.as_file()).map_err(|error| wrong(&error))?;
    Ok(archive)
}
