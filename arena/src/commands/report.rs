//! `arena report`: writes one HTML page about whole tournaments. It reads results folders and writes one file.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::PathBuf;

use engine_proto::Games;

use crate::exit::{CommandError, Exit};
use model::escape::escaped_line;
use report::Working;
use report::html::{self, REPORT_HTML};
use store::result_files::ColumnName;

const EXAMPLES: &str = "\
Examples:
  arena report results/quick                         Write the page of one
  arena report results/old results/new -o both.html  Compare two tournaments
  arena report games.pgn                             Write the page of PGN";

/// Write an HTML page with standings and all matches
///
/// The page begins with the answer in a sentence and has the standings, cross tables, statistics of each game and each
/// engine, and a replay of every match. It is one file, which a browser can open from disk and which loads nothing from the
/// network. In results folders, lines that cannot be read and games that this arena does not know are left out, and the page
/// lists them. `arena run` writes the same page at its end.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ReportArgs {
    /// Results folders, CSV or PGN files; several are rated together
    ///
    /// Of two, the page also shows which ratings changed from the first to the second. Files of other tools have the columns
    /// or tags that `arena rate` reads; the matches of PGN have replays, too.
    #[arg(required = true, value_name = "FOLDER|FILE")]
    pub inputs: Vec<PathBuf>,
    /// Names of the CSV columns
    ///
    /// Separate several columns with commas: `--columns white=player1,black=player2`.
    #[arg(long, value_name = "COLUMN=NAME", value_delimiter = ',', hide_short_help = true)]
    pub columns: Vec<ColumnName>,
    /// Output file [default: `report.html` in the first folder; of a file, `FILE.html`]
    ///
    /// For a file, the default is a page with its whole name next to it: `games.pgn.html` for `games.pgn`. The page of several
    /// inputs replaces none without this option.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Writes the page. Prints its path to `out`, and a list of what it leaves out to standard error.
///
/// # Errors
/// If the page of several inputs would replace another one, if a folder has no journal, or if the file of the page or `out` cannot be written.
pub fn run(games: &Games, args: &ReportArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let first = args.inputs.first().expect("at least one is required");
    let beside = || {
        if first.is_file() {
            OsString::from_iter([first.as_os_str(), OsStr::new(".html")]).into()
        } else {
            first.join(REPORT_HTML)
        }
    };
    let output = args.output.clone().unwrap_or_else(beside);
    if args.output.is_none() && 1 < args.inputs.len() && output.exists() {
        return Err(CommandError::usage(format!(
            "`{}` exists, and may be the page of `{}` alone; name the page of several inputs with `--output`",
            output.display(),
            first.display()
        )));
    }
    let working = Working::on("writing the report");
    let notes = html::write(games, &args.inputs, &args.columns, &output).map_err(|error| {
        let exit = if error.is_input() { Exit::Input } else { Exit::Output };
        CommandError::new(exit, error)
    })?;
    drop(working);
    for note in notes {
        writeln!(io::stderr(), "note: {}", escaped_line(&note))?;
    }
    writeln!(out, "{}", output.display())?;
    Ok(())
}
