//! The report page: one HTML file that shows a whole tournament, with a replay of every match. It is made from records
//! only: no engine is started, and the page loads nothing.
//!
//! Rust counts, rates, and replays by the rules; the templates contain the markup; the scripts draw on demand from
//! data in the page, and know no rules. Names, comments and output of engines are text, never markup: the templates
//! escape them, the scripts set them as text, and the Content-Security-Policy allows no other scripts.

mod answer_view;
mod assets;
mod axis;
mod board;
mod changes_view;
mod copied_command;
mod distribution;
mod engine_figures;
mod engines_view;
mod file_facts;
mod game_figures;
mod games_view;
mod heat_maps;
mod history;
mod match_table;
mod page;
mod pairings;
pub mod parts;
mod played_game;
mod provenance_view;
mod reasons;
mod replayed;
mod rule_pictures;
mod rules_view;
mod series_view;
mod single;
mod source;
mod standings_view;
mod stop_view;
pub mod terms;
mod tournament;
pub(crate) mod tuned_page;
mod whisker;
mod words;
mod worker_figures;

use std::path::{Path, PathBuf};

use engine_proto::Games;
use host::output::write_whole;
pub use reasons::in_words as reason_in_words;
pub use source::{ReportError, progress};
use store::result_files::ColumnName;
use tournament::Tournament;

/// The file name of the page in a results folder.
pub const REPORT_HTML: &str = "report.html";

/// Writes the page of the tournaments in `paths`, whose games are these and their own, to the file `output`, completely or not at all: results folders, and files
/// of other tools, whose tables may have other names for their `columns`. Returns the page's notes on matches that it does
/// not show.
///
/// # Errors
/// If an input does not exist or cannot be read, or the file cannot be written.
pub fn write(
    games: &Games,
    paths: &[PathBuf],
    columns: &[ColumnName],
    output: &Path,
) -> Result<Vec<String>, ReportError> {
    let tournament = Tournament::read(games, paths, columns)?;
    let mut notes = tournament.notes();
    notes.extend(tournament.note_on_cut().map(|(text, id)| format!("{text}match {id}")));
    let page = page::render(tournament)?;
    write_whole(output, |file| file.write_all(page.as_bytes()))
        .map_err(|error| ReportError::Unwritable { path: output.to_owned(), error })?;
    Ok(notes)
}
