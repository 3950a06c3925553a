//! The end of a run: the report page, the standings, and how to go on.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Error, RunArgs};
use crate::conduct::Ended;
use crate::output;
use crate::report::{Ratings, html};
use crate::results::{MATCHES_CSV, RATINGS_CSV};
use crate::schedule::{JobScheduler, Progress as Reached, Scheduler};

/// The page holds every move: of more matches it takes seconds to make, and a browser long to open.
const MOST_MATCHES_OF_REPORT: u32 = 10_000;

/// Writes the page of a tournament that has ended or was stopped, and gives its standings.
///
/// # Errors
/// If the tournament was stopped, or its openings ran out.
pub fn finish(
    args: &RunArgs,
    folder: &Path,
    scheduler: &JobScheduler,
    ratings: &Ratings,
    ended: Ended,
) -> Result<String, Error> {
    let Reached { n_finished: finished, n_matches: matches, is_over } = scheduler.progress();
    let report = if args.no_report { None } else { write_report(folder, finished) };
    let mut standings = ratings.text(&scheduler.findings(), output::stdout_columns());
    if let Some(report) = report {
        standings.push_str(&format!("Report: {}\n", report.display()));
    }
    standings.push_str(&format!("Tables: {}\n", folder.join(MATCHES_CSV).display()));
    standings.push_str(&format!("        {}\n", folder.join(RATINGS_CSV).display()));
    if let Some(why) = ended.too_few {
        Err(Error::OpeningsRanOut { standings, finished, matches, why })
    } else if is_over {
        Ok(standings)
    } else {
        let again = if args.replay.is_empty() {
            "the same command again"
        } else {
            "the same command without `--replay`"
        };
        Err(Error::Interrupted { standings, finished, matches, again })
    }
}

/// Writes the page of the tournament, and gives its path. The results are safe by then, so that a page that cannot be written is
/// no failure.
fn write_report(folder: &Path, n_matches: u32) -> Option<PathBuf> {
    if MOST_MATCHES_OF_REPORT < n_matches {
        let _ = writeln!(
            io::stderr(),
            "no report is written for more than {MOST_MATCHES_OF_REPORT} matches; to write it, run `arena report {}`",
            folder.display()
        );
        return None;
    }
    let page = folder.join(html::REPORT_HTML);
    if let Err(error) = html::write(&[folder.to_owned()], &page) {
        let again = "all results are stored; to write it again, run `arena report`";
        let _ = writeln!(io::stderr(), "warning: the report was not written: {error}; {again}");
        return None;
    }
    Some(page)
}
