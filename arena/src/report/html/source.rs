//! The journals of results folders, as a page needs them: what can be read is handed on, and what cannot is said in words.
//! Takes no lock, for a journal only grows, and changes nothing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use super::words::counted;
use crate::results::{
    BadLine, JournalReader, MATCHES_JSONL, PROVENANCE, Provenance, TOURNAMENT, read_tournament,
};
use crate::schedule::planning;
use crate::tournament::Record;
use crate::tournament::TimeControl;

/// A results folder, but for its matches.
#[derive(Clone, Debug)]
pub struct Folder {
    /// The name of the tournament, or of the folder where that is not known.
    pub name: String,
    /// Each engine's time control by its name; empty where the configuration cannot be read.
    pub time_controls: HashMap<String, TimeControl>,
    /// Whether results decided which matches were played, or how many.
    pub depends_on_results: bool,
    /// The builds and runs that its matches are of; empty where that is not known.
    pub provenance: Provenance,
    /// What a reader must know of it, in words.
    pub notes: Vec<String>,
}

/// Reads the folder at `path` and hands each of its matches to `take`, once, in the order of the journal.
///
/// # Errors
/// If there is no journal, or the system does not let it be read.
pub fn read(path: &Path, mut take: impl FnMut(Record)) -> Result<Folder, ReportError> {
    let journal_path = path.join(MATCHES_JSONL);
    let failed = |error| ReportError::Unreadable { path: journal_path.clone(), error };
    let mut lines = JournalReader::open(&journal_path).map_err(failed)?;
    let mut folder = folder(path);
    let mut seen = HashSet::new();
    let mut unknown_games: BTreeMap<String, u64> = BTreeMap::new();
    let mut note = |text: String| folder.notes.push(format!("{}: {text}", shown_name(path)));
    while let Some(line) = lines.next_line().map_err(failed)? {
        match line.record() {
            Ok(record) if record.white == record.black => {
                note(format!("match {}: an engine plays against itself; it is left out", record.number));
            }
            Ok(record) if seen.insert(record.number) => take(record),
            Ok(record) => {
                note(format!("match {} is there twice: its first record counts", record.number));
            }
            Err(BadLine::Torn) => note(format!(
                "line {} of {MATCHES_JSONL} is torn, as a kill in mid-write leaves it, and is left out; \
                 `arena run` plays its match again",
                line.number
            )),
            Err(BadLine::UnknownGame { game }) => *unknown_games.entry(game).or_default() += 1,
            Err(BadLine::Wrong(what)) => {
                note(format!("line {} of {MATCHES_JSONL} is left out: {what}", line.number));
            }
        }
    }
    for (game, n) in unknown_games {
        note(format!(
            "left out {} of the game `{}`, which this arena does not know; a newer one may",
            counted(n, "match", "matches"),
            engine_proto::fen::shown(&game)
        ));
    }
    Ok(folder)
}

/// The name and the configuration, as far as they are known.
fn folder(path: &Path) -> Folder {
    let (mut name, mut time_controls, mut notes) = (None, HashMap::new(), Vec::new());
    let mut depends_on_results = false;
    match read_tournament(path) {
        Ok(tournament) => {
            depends_on_results = planning::depends_on_results(&tournament);
            time_controls = tournament
                .engines
                .iter()
                .map(|engine| (engine.name.clone(), engine.time_control.clone()))
                .collect();
            name = Some(tournament.name);
        }
        Err(_) => notes.push(format!(
            "{}: {TOURNAMENT} cannot be read, so clocks are not shown; `arena verify` says why",
            shown_name(path)
        )),
    }
    let provenance = Provenance::read(path).unwrap_or_else(|_| {
        notes.push(format!(
            "{}: {PROVENANCE} cannot be read, so builds are not shown; `arena verify` says why",
            shown_name(path)
        ));
        Provenance::default()
    });
    let name = name.unwrap_or_else(|| shown_name(path));
    Folder { name, time_controls, depends_on_results, provenance, notes }
}

/// The last part of a path: where a folder lies is nobody's business who is given the page.
fn shown_name(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned()
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A journal is not there or cannot be read.
    #[error("cannot read `{}`: {error}; give a results folder of `arena run`", path.display())]
    Unreadable {
        /// The journal.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The page cannot be written.
    #[error("cannot write `{}`: {error}; name another file with `--output`", path.display())]
    Unwritable {
        /// The page.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Its parts cannot be put together.
    #[error("the page cannot be made: {0}")]
    Template(#[from] askama::Error),
}

impl ReportError {
    /// Whether the folders are to blame, and not the page's file.
    pub const fn is_input(&self) -> bool {
        matches!(self, Self::Unreadable { .. })
    }
}
