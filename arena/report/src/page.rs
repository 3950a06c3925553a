//! The page that a command writes to the results folder at its end, and where it and the tables are.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use engine_proto::Games;

use super::{html, message};
use store::{MATCHES_CSV, RATINGS_CSV};

/// The page holds every move: of more matches it takes seconds to make, and a browser long to open.
const MOST_MATCHES: u32 = 10_000;

/// Writes the page of a results folder with this number of matches of these games, and gives its path. The results are safe by then, so
/// that a page that cannot be written is no failure: it is said on standard error.
pub fn write_page(games: &Games, folder: &Path, n_matches: u32) -> Option<PathBuf> {
    if MOST_MATCHES < n_matches {
        let text = format!(
            "no report is written for more than {MOST_MATCHES} matches; to write it, run `arena report {}`",
            folder.display()
        );
        let _ = writeln!(io::stderr(), "{}", message(&text));
        return None;
    }
    let page = folder.join(html::REPORT_HTML);
    if let Err(error) = html::write(games, &[folder.to_owned()], &[], &page) {
        let again = "all results are stored; to write it again, run `arena report`";
        let text = format!("warning: the report was not written: {error}; {again}");
        let _ = writeln!(io::stderr(), "{}", message(&text));
        return None;
    }
    Some(page)
}

/// Where the page, if there is one, and the tables of a results folder are: a line for each.
pub fn paths(folder: &Path, page: Option<PathBuf>) -> String {
    let page = page.map(|page| format!("Report: {}\n", page.display())).unwrap_or_default();
    let [matches, ratings] = [MATCHES_CSV, RATINGS_CSV].map(|table| folder.join(table));
    format!("{page}Tables: {}\n        {}\n", matches.display(), ratings.display())
}
