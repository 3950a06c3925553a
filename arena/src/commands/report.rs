//! `arena report`: writes one HTML page about whole tournaments. It reads results folders and writes one file.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Component, PathBuf};

use engine_proto::Games;

use crate::exit::{CommandError, Exit};
use model::escape::escaped_line;
use report::Working;
use report::html::{self, REPORT_HTML};
use store::result_files::ColumnName;

const EXAMPLES: &str = "\
Examples:
  arena report results/quick            Write the page of one
  arena report results/old results/new  Compare two tournaments
  arena report games.pgn                Write the page of PGN";

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
    /// inputs is named after the second one, too: `results/old/report-with-new.html` for `results/old results/new`.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Writes the page. Prints its path to `out`, and a list of what it leaves out to standard error.
///
/// # Errors
/// If a folder has no journal, or if the file of the page or `out` cannot be written.
pub fn run(games: &Games, args: &ReportArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let output = args.output.clone().unwrap_or_else(|| page_of(&args.inputs));
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

/// The page of these inputs. That of several ones has another name than the page of the first one alone.
fn page_of(inputs: &[PathBuf]) -> PathBuf {
    let (first, others) = inputs.split_first().expect("at least one is required");
    let page = if first.is_file() {
        OsString::from_iter([first.as_os_str(), OsStr::new(".html")]).into()
    } else {
        first.join(REPORT_HTML)
    };
    let Some(other) = others.first() else { return page };
    // Folders of one name differ in the rest of their paths.
    let rest = first.parent().and_then(|parent| other.strip_prefix(parent).ok()).unwrap_or(other);
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(_));
    let names = rest.components().filter(is_name).map(|part| part.as_os_str().to_string_lossy());
    let more = if others.len() == 1 { String::new() } else { format!("-and-{}-more", others.len() - 1) };
    let stem = page.file_stem().unwrap_or_default().to_string_lossy();
    page.with_file_name(format!("{stem}-with-{}{more}.html", names.collect::<Vec<_>>().join("-")))
}
