//! One page that shows a whole tournament: a file that a browser opens from disk, with every match to replay. It is made of
//! records only; no engine is started, and nothing is loaded from anywhere when it is read.
//!
//! Rust counts, rates and replays by the rules; the templates hold the markup; the scripts draw what is asked for, from data in
//! the page, and know no rules. Names, comments and what engines wrote are text, never markup: the templates escape them, the
//! scripts set them as text, and the page's policy lets no script run but its own.

mod assets;
mod axis;
mod board;
mod distribution;
mod engine_figures;
mod engines_view;
mod game_figures;
mod games_view;
mod match_table;
mod page;
mod pairings;
mod provenance_view;
mod replayed;
mod series_view;
mod source;
mod standings_view;
mod tournament;
mod whisker;
mod words;

use std::path::{Path, PathBuf};

use crate::output::write_whole;
pub use source::ReportError;
use tournament::Tournament;

/// The page's name in a results folder.
pub const REPORT_HTML: &str = "report.html";

/// Writes the page of the tournaments in the results folders `folders` to the file `output`, whole or not at all. Gives
/// what the page says of matches that it does not show.
///
/// # Errors
/// If a journal is not there or cannot be read, or the file cannot be written.
pub fn write(folders: &[PathBuf], output: &Path) -> Result<Vec<String>, ReportError> {
    let tournament = Tournament::read(folders)?;
    let notes = tournament.notes();
    let page = page::render(tournament)?;
    write_whole(output, |file| file.write_all(page.as_bytes()))
        .map_err(|error| ReportError::Unwritable { path: output.to_owned(), error })?;
    Ok(notes)
}
