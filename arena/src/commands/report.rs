//! `arena report`: one HTML page of whole tournaments. Reads results folders and writes one file.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::error::Error;
use crate::report::html::{self, REPORT_HTML};

/// Write a page that shows tournaments, every match to replay.
#[derive(clap::Args, Clone, Debug)]
pub struct ReportArgs {
    /// Results folders, as `arena run` leaves them; several are rated together.
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// Write the page to this file instead of `report.html` in the first folder.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Writes the page, and says to `out` where it is, and on standard error what it does not show.
///
/// # Errors
/// If a folder has no journal, and those of the page's file and of `out`.
pub fn report(args: &ReportArgs, out: &mut dyn Write) -> Result<(), Error> {
    let first = args.folders.first().expect("at least one is required");
    let output = args.output.clone().unwrap_or_else(|| first.join(REPORT_HTML));
    for note in html::write(&args.folders, &output)? {
        writeln!(io::stderr(), "note: {}", note.escape_debug())?;
    }
    writeln!(out, "{}", output.display())?;
    Ok(())
}
