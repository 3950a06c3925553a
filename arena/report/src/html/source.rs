//! Reads the journals of results folders for a page. What cannot be read becomes a note. It takes no lock, because a
//! journal only grows, and changes nothing.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine_proto::Games;

use super::copied_command::{Readers, last_part};
use super::file_facts::FileFacts;
use super::words::{count, counted};
use host::closest::path_meant;
use model::Record;
use model::{Engine, TimeControl};
use ratings::FinishedMatch;
use schedule::stop::Finding;
use schedule::{Course, RoundTable, planning};
use store::result_files::{ColumnName, ReadError, Reader, Told};
use store::{
    BadLine, JournalReader, MATCHES_CSV, MATCHES_JSONL, PROVENANCE, Provenance, TOURNAMENT, read_tournament,
};

/// A results folder without its matches.
#[derive(Clone, Debug)]
pub struct Folder {
    /// The name of the tournament; the folder's name if it is not known.
    pub name: String,
    /// How commands name it.
    pub path: String,
    /// The values of `--referee` for commands, by game.
    pub referees: BTreeMap<String, String>,
    /// The games as the ratings count them, in the order of the tournament; empty if it cannot be read.
    pub games: Vec<String>,
    /// The engines; empty if the tournament cannot be read.
    pub engines: Vec<Arc<Engine>>,
    /// Whether results decided which matches were played, or how many.
    pub depends_on_results: bool,
    /// What the stop rules found.
    pub findings: Vec<Finding>,
    /// Whether all pairs of its plan are finished, and no stop rule has decided.
    pub is_at_limit: bool,
    /// If matches are missing, although no stop rule has decided: how many there are of how many.
    pub unfinished: Option<String>,
    /// The standings or the bracket, and the meetings, of a format with rounds.
    pub rounds: Vec<RoundTable>,
    /// The builds and runs of its matches; empty if they are not known.
    pub provenance: Provenance,
    /// What a file of another tool says of all its matches.
    pub file_facts: Option<FileFacts>,
    /// Problems that the reader should know.
    pub notes: Vec<String>,
}

impl Folder {
    /// How long an engine may think under these limits, which are named if there are several; `None` if it is not known.
    pub fn time_control(&self, engine: &str, limits: Option<&str>) -> Option<&TimeControl> {
        let engine = self.engines.iter().find(|one| one.name == engine)?;
        Some(engine.time_control_under(limits))
    }
}

/// Reads the folder at `path`, with matches of these games, and passes each of its matches to `take`, once, in the order of the journal.
///
/// # Errors
/// If the journal does not exist or cannot be read.
pub fn read(games: &Games, path: &Path, mut take: impl FnMut(Record)) -> Result<Folder, ReportError> {
    let journal_path = path.join(MATCHES_JSONL);
    let failed = |error| ReportError::Unreadable { path: journal_path.clone(), error };
    let mut lines = JournalReader::open(&journal_path).map_err(failed)?;
    let (mut folder, mut course) = folder(games, path);
    let mut seen = HashSet::new();
    let mut unknown_games: BTreeMap<String, u64> = BTreeMap::new();
    let mut note = |text: String| folder.notes.push(format!("{}: {text}", last_part(path)));
    while let Some(line) = lines.next_line().map_err(failed)? {
        match line.record(games) {
            Ok(record) if record.white == record.black => {
                note(format!("match {} is not shown: an engine plays against itself", record.number));
            }
            Ok(record) if seen.insert(record.number) => {
                if let Some(course) = &mut course {
                    course.add(&record);
                }
                take(record);
            }
            Ok(record) => {
                note(format!("match {} is stored twice: the first record is shown", record.number));
            }
            Err(BadLine::Torn) => note(format!(
                "line {} of {MATCHES_JSONL} is not shown: it is incomplete, because a run was killed while writing it; \
                 `arena run` plays its match again",
                line.number
            )),
            Err(BadLine::UnknownGame { game }) => *unknown_games.entry(game).or_default() += 1,
            Err(BadLine::Wrong(what)) => {
                note(format!("line {} of {MATCHES_JSONL} is not shown: {what}", line.number));
            }
        }
    }
    if let Some(course) = course {
        (folder.findings, folder.rounds) = (course.findings(), course.tables());
        folder.is_at_limit = course.is_over() && course.decided().is_none();
        folder.unfinished = (!course.is_over()).then(|| {
            let most = if course.depends_on_results() { "at most " } else { "" };
            of_planned(course.n_finished().into(), most, course.most_matches().into())
        });
    }
    for (game, n) in unknown_games {
        note(format!(
            "{} of the unknown game `{}` not shown; a newer version of the arena may know it",
            counted(n, "match", "matches"),
            engine_proto::fen::shown(&game)
        ));
    }
    Ok(folder)
}

/// What the stop rules of the results folder at `path`, which may also be one of its tables of `n_matches` matches, have found,
/// and how many matches of how many there are, if some are missing; nothing of either if it is no results folder.
pub fn progress(games: &Games, path: &Path, n_matches: u64) -> (Vec<Finding>, Option<String>) {
    let is_table =
        [MATCHES_CSV, MATCHES_JSONL].map(|name| Some(OsStr::new(name))).contains(&path.file_name());
    let folder = path.parent().filter(|_| is_table).map(|folder| folder.join("."));
    let path = folder.as_deref().unwrap_or(path);
    let tournament = path.is_dir().then(|| read_tournament(games, path));
    let Some(Ok(tournament)) = tournament else { return (Vec::new(), None) };
    if planning::depends_on_results(&tournament) {
        let read = read(games, path, |_| {});
        return read.map(|folder| (folder.findings, folder.unfinished)).unwrap_or_default();
    }
    let planned = planning::schedule(&tournament).plan.n_matches().into();
    (Vec::new(), (n_matches < planned).then(|| of_planned(n_matches, "", planned)))
}

/// `12 of 40 matches`.
fn of_planned(n_matches: u64, most: &str, planned: u64) -> String {
    format!("{} of {most}{}", count(n_matches), counted(planned, "match", "matches"))
}

/// Reads the file of another tool at `path` and passes each of its matches to `take`, with what else it says of them.
///
/// # Errors
/// If it cannot be read or is invalid.
pub fn read_file(
    games: &Games,
    path: &Path,
    columns: &[ColumnName],
    mut take: impl FnMut(&FinishedMatch<'_>, Told<'_>),
) -> Result<Folder, ReportError> {
    let mut file_facts = FileFacts::default();
    let mut tell = |played: &FinishedMatch<'_>, told: Told<'_>| {
        file_facts.add(&told);
        take(played, told);
    };
    let mut reader = Reader::new(games, &[]).with_columns(columns).telling(&mut tell);
    reader.read(path)?;
    let told = reader.finish();
    told.check(&[path.to_owned()])?;
    let name = last_part(path);
    Ok(Folder {
        notes: told.notes.into_iter().map(|note| format!("{name}: {}", note.text)).collect(),
        name,
        path: Readers::Anybody.path(path),
        referees: BTreeMap::new(),
        games: Vec::new(),
        engines: Vec::new(),
        depends_on_results: false,
        findings: Vec::new(),
        is_at_limit: false,
        unfinished: None,
        rounds: Vec::new(),
        provenance: Provenance::default(),
        file_facts: Some(file_facts),
    })
}

/// The name, the tournament and its course, if they can be read.
fn folder(games: &Games, path: &Path) -> (Folder, Option<Course>) {
    let (mut name, mut played, mut engines, mut notes) = (None, Vec::new(), Vec::new(), Vec::new());
    let (mut depends_on_results, mut course) = (false, None);
    let mut referees = BTreeMap::new();
    match read_tournament(games, path) {
        Ok(tournament) => {
            depends_on_results = planning::depends_on_results(&tournament);
            played = tournament.rated_games();
            engines.clone_from(&tournament.engines);
            referees = Readers::Anybody.referees(&tournament);
            course = Some(planning::course(&tournament));
            name = Some(tournament.name);
        }
        Err(_) => notes.push(format!(
            "{}: {TOURNAMENT} cannot be read, so clocks are not shown; `arena verify` says why",
            last_part(path)
        )),
    }
    let provenance = Provenance::read(path).unwrap_or_else(|_| {
        notes.push(format!(
            "{}: {PROVENANCE} cannot be read, so builds are not shown; `arena verify` says why",
            last_part(path)
        ));
        Provenance::default()
    });
    let name = name.unwrap_or_else(|| last_part(path));
    let path = Readers::Anybody.path(path);
    let (findings, rounds) = (Vec::new(), Vec::new());
    let folder = Folder {
        name,
        path,
        referees,
        games: played,
        engines,
        depends_on_results,
        findings,
        is_at_limit: false,
        unfinished: None,
        rounds,
        provenance,
        file_facts: None,
        notes,
    };
    (folder, course)
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// An input does not exist.
    #[error("cannot find `{}`{}; give a results folder of `arena run`, a CSV or a PGN file", path.display(), path_meant(path))]
    Missing {
        /// The input.
        path: PathBuf,
    },
    /// A journal does not exist or cannot be read.
    #[error("{}; give a results folder of `arena run`", store::no_journal(path, error))]
    Unreadable {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A file of another tool is wrong.
    #[error(transparent)]
    File(#[from] ReadError),
    /// The page cannot be written.
    #[error("cannot write `{}`: {error}; name another file with `--output`", path.display())]
    Unwritable {
        /// The page.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// A template failed.
    #[error("cannot make the page: {0}")]
    Template(#[from] askama::Error),
}

impl ReportError {
    /// Whether the error is in the folders, and not in the page's file.
    pub const fn is_input(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::Unreadable { .. } | Self::File(_))
    }
}
