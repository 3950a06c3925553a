//! The results folder. `matches.jsonl` is the primary data: one line for each finished match, written at once. A line
//! never changes, except for the numbers of match and pair. All other files can be made from it.

mod casual;
mod folder;
mod identity;
mod journal;
mod lookup;
mod merge;
mod played_builds;
mod problems;
mod provenance;
mod reader;
mod replay;
pub mod result_files;
mod set_aside;
mod sort;
mod stored;
mod syncing;
mod tally;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

pub use casual::Casual;
use config::difference::difference;
use engine_proto::Games;
pub use folder::move_aside;
use host::closest::path_meant;
use host::files::sync_folder;
use host::lock::Lock;
use host::output::{remove_incomplete, write_whole};
pub use identity::tournament_id;
pub use lookup::{Found, find_match};
pub use merge::{Merge, MergeError, Tolerance};
use model::{Build, CsvRow, Event, Record, Reporter, Run, SetAside, Tournament};
pub use played_builds::PlayedBuilds;
pub use problems::problems;
pub use provenance::Provenance;
pub use reader::{BadLine, JournalReader, Line};
pub use replay::{Replay, ReplayError};
use schedule::openings::Openings;
use schedule::planning;
use schedule::{MatchNumbers, Numbering, Plan, Schedule};
pub use set_aside::{add_set_aside, read_set_aside};
pub use stored::{Rows, open_stored};

use folder::{Opened, locked, open_locked};
use journal::{cut_torn_line, read_records, rearrange, write_line};
use sort::sort_csv;
use stored::read_stored;
use syncing::Syncing;
pub use tally::{Different, Tally};

/// The journal: one line for each match.
pub const MATCHES_JSONL: &str = "matches.jsonl";
/// The table of matches.
pub const MATCHES_CSV: &str = "matches.csv";
/// The table of ratings, one row for each engine and scope.
pub const RATINGS_CSV: &str = "ratings.csv";
/// The table of times, one row for each engine.
pub const TIMING_CSV: &str = "timing.csv";
/// The journal of matches that were set aside.
pub const SET_ASIDE: &str = "matches.set-aside.jsonl";
/// The workers that were set aside.
pub const SET_ASIDE_WORKERS: &str = "workers.set-aside.jsonl";
/// The tournament as it was run.
pub const TOURNAMENT: &str = "tournament.toml";
/// The builds and runs of the matches.
pub const PROVENANCE: &str = "provenance.json";
/// The id of the tournament for workers on other machines.
pub const TOURNAMENT_ID: &str = "tournament-id";
/// The folder of the engines' standard error.
pub const LOGS: &str = "logs";
/// The folder of the files that sandboxed engines write.
pub const SCRATCH: &str = "scratch";

/// Why there is a table to write to.
const OPEN: &str = "no match ends after the tournament";

/// The columns of the table of matches; the last one only if the tournament has several limits.
const COLUMNS: [&str; 12] = [
    "match", "pair", "game", "opening", "white", "black", "result", "reason", "plies", "white_ms",
    "black_ms", "limits",
];

/// The columns of the table of matches of a tournament.
pub fn columns(tournament: Option<&Tournament>) -> &'static [&'static str] {
    let has_limits = tournament.is_some_and(|tournament| !tournament.limits.is_empty());
    &COLUMNS[..COLUMNS.len() - usize::from(!has_limits)]
}

/// An open results folder. It is locked: only one arena can open it.
#[derive(Debug)]
pub struct Results {
    folder: PathBuf,
    /// The games of its matches.
    games: Games,
    opened: Opened,
    journal: File,
    syncing: Syncing,
    /// `None` after the end: some systems do not replace a table that is open.
    csv: Option<csv::Writer<File>>,
    /// The number of matches that were set aside on opening.
    n_set_aside: u32,
    /// The old journal after it was replaced. Its lock keeps out an arena that has opened it before.
    _replaced: Option<File>,
    _lock: Lock,
}

impl Results {
    /// Opens or creates the folder of a tournament. A line that an interrupted run left incomplete is removed.
    /// `openings` are those of the tournament's games. Matches get the numbers of the current schedule. Matches that
    /// are no longer part of it, or that are to be played again, are set aside. [`Self::restore`] returns the others.
    ///
    /// # Errors
    /// If the folder contains matches of another tournament, is in use, or cannot be read or written.
    pub fn open(folder: &Path, wanted: &Wanted<'_>, openings: &mut [Openings]) -> Result<Self, ResultsError> {
        let logs = folder.join(LOGS);
        fs::create_dir_all(&logs).map_err(io_error("create the folder", &logs))?;
        let path = folder.join(MATCHES_JSONL);
        let (mut journal, lock) = open_locked(folder, &path)?;
        cut_torn_line(&mut journal, &path).map_err(io_error("repair", &path))?;
        let (numbering, mut tournament) = numbering(folder, &journal, wanted)?;
        let (mut n_set_aside, mut replaced) = (0, None);
        if let Some(numbering) = numbering {
            let mut is_as_scheduled = true;
            let mut played = PlayedBuilds::default();
            let mut last_pair = 0;
            let has_holes = read_records(&tournament.known_games, &journal, &path, |record| {
                let number = wanted.number(&numbering, &record, openings);
                is_as_scheduled &= number == Some((record.number, record.pair));
                if let Some((_, pair)) = number {
                    played.add(&record);
                    last_pair = last_pair.max(pair);
                }
                Ok(())
            })?;
            wanted.check_builds(folder, &played)?;
            if has_holes || !is_as_scheduled {
                let number = |record: &Record| wanted.number(&numbering, record, openings);
                let (new, n) = rearrange(&tournament.known_games, folder, &journal, &lock, number)?;
                n_set_aside = n;
                replaced = Some(std::mem::replace(&mut journal, new));
            }
            let [wanted_pairs, n_pairings] = [wanted.tournament.pairs, wanted.plan.pairings().len() as u32];
            if wanted_pairs < tournament.pairs {
                tournament.pairs = wanted_pairs.max(last_pair.div_ceil(n_pairings.max(1)));
            }
        }
        Ok(Self { n_set_aside, _replaced: replaced, ..Self::opened(folder, &tournament, journal, lock)? })
    }

    /// Opens or creates the folder of a tournament without a plan: its matches keep their numbers, and all count but those of the
    /// workers that were set aside. A line that an interrupted run left incomplete is removed.
    ///
    /// # Errors
    /// If the folder is in use, or cannot be read or written.
    pub fn open_without_plan(
        folder: &Path,
        tournament: &Tournament,
        set_aside: &[SetAside],
    ) -> Result<Self, ResultsError> {
        let logs = folder.join(LOGS);
        fs::create_dir_all(&logs).map_err(io_error("create the folder", &logs))?;
        let path = folder.join(MATCHES_JSONL);
        let (mut journal, lock) = open_locked(folder, &path)?;
        cut_torn_line(&mut journal, &path).map_err(io_error("repair", &path))?;
        let (mut n_set_aside, mut replaced) = (0, None);
        if !set_aside.is_empty() {
            let counts = |record: &Record| {
                set_aside.iter().all(|worker| record.worker.as_ref() != Some(&worker.worker))
            };
            let mut all_count = true;
            read_records(&tournament.known_games, &journal, &path, |record| {
                all_count &= counts(&record);
                Ok::<(), ResultsError>(())
            })?;
            if !all_count {
                let number = |record: &Record| counts(record).then_some((record.number, record.pair));
                let (new, n) = rearrange(&tournament.known_games, folder, &journal, &lock, number)?;
                n_set_aside = n;
                replaced = Some(std::mem::replace(&mut journal, new));
            }
        }
        Ok(Self { n_set_aside, _replaced: replaced, ..Self::opened(folder, tournament, journal, lock)? })
    }

    /// The folder with its journal, whose lines are as they should be.
    fn opened(
        folder: &Path,
        tournament: &Tournament,
        journal: File,
        lock: Lock,
    ) -> Result<Self, ResultsError> {
        let opened = Opened::new(folder).map_err(io_error("open", folder))?;
        let own = [MATCHES_JSONL, MATCHES_CSV, TOURNAMENT, PROVENANCE, TOURNAMENT_ID];
        remove_incomplete(folder, |name| own.contains(&name));
        write_tournament(folder, tournament)?;
        let csv_path = folder.join(MATCHES_CSV);
        let csv = new_csv(&csv_path, tournament).map_err(io_error("write", &csv_path))?;
        let syncing = Syncing::start(&journal).map_err(io_error("open", &folder.join(MATCHES_JSONL)))?;
        sync_folder(folder).map_err(io_error("write", folder))?;
        Ok(Self {
            folder: folder.to_owned(),
            games: tournament.known_games.clone(),
            opened,
            journal,
            syncing,
            csv: Some(csv),
            n_set_aside: 0,
            _replaced: None,
            _lock: lock,
        })
    }

    /// Passes each match of earlier runs to `take`, once, and writes the table of matches again.
    ///
    /// # Errors
    /// The errors of `take`, and if the folder cannot be read or written.
    pub fn restore<E: From<ResultsError>>(
        &mut self,
        mut take: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let path = self.folder.join(MATCHES_JSONL);
        let csv_path = self.folder.join(MATCHES_CSV);
        let mut finished = MatchNumbers::default();
        let csv = self.csv.as_mut().expect(OPEN);
        read_records(&self.games, &self.journal, &path, |record| {
            if finished.insert(record.number) {
                csv.serialize(CsvRow::from(&record))
                    .map_err(|error| E::from(io_error("write", &csv_path)(error.into())))?;
                take(record)?;
            }
            Ok::<(), E>(())
        })?;
        csv.flush().map_err(|error| io_error("write", &csv_path)(error).into())
    }

    /// The number of matches that were set aside on opening.
    pub const fn n_set_aside(&self) -> u32 {
        self.n_set_aside
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Records the start of a run with these builds.
    ///
    /// # Errors
    /// If the data of earlier runs cannot be read, or the file cannot be written.
    pub fn begin_run(&self, run: Run, builds: Vec<Build>) -> Result<(), ResultsError> {
        let mut provenance = Provenance::read(&self.folder)?;
        provenance.add(run, builds);
        provenance.write(&self.folder)?;
        sync_folder(&self.folder).map_err(io_error("write", &self.folder))
    }

    /// Writes a match: in the journal completely or not at all.
    fn write(&mut self, record: &Record) -> io::Result<()> {
        write_line(&mut self.journal, record)?;
        self.syncing.note_write()?;
        let csv = self.csv.as_mut().expect(OPEN);
        csv.serialize(CsvRow::from(record)).map_err(io::Error::from)?;
        csv.flush()
    }
}

impl Reporter for Results {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::MatchFinished { record } => {
                self.opened.check(&self.journal)?;
                self.write(record)
            }
            // Matches finish in any order; the final table is sorted.
            Event::Ended { n_finished, .. } => {
                self.opened.check(&self.journal)?;
                self.syncing.finish()?;
                if let Some(mut csv) = self.csv.take() {
                    csv.flush()?;
                }
                sort_csv(&self.folder.join(MATCHES_CSV), *n_finished as usize)
            }
            Event::Begun { .. }
            | Event::Restored { .. }
            | Event::MatchBegun { .. }
            | Event::Moved(_)
            | Event::Decided { .. }
            | Event::Warning { .. }
            | Event::Workers { .. }
            | Event::Stopping { .. } => Ok(()),
        }
    }
}

/// The tournament that a folder is opened for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The tournament, with the known games of each engine.
    pub tournament: &'a Tournament,
    /// The schedule.
    pub plan: &'a Plan,
    /// The engines whose matches are played again.
    pub replayed: &'a [String],
    /// The workers that were set aside, whose matches are played again.
    pub set_aside: &'a [SetAside],
    /// The builds that will play, if known.
    pub builds: &'a [Build],
    /// The engines whose matches of older builds are kept.
    pub accepted: &'a [String],
}

impl Wanted<'_> {
    /// The numbers of match and pair in the schedule, if the record counts.
    fn number(
        &self,
        numbering: &Numbering,
        record: &Record,
        openings: &mut [Openings],
    ) -> Option<(u32, u32)> {
        let is_replayed = [&record.white, &record.black].into_iter().any(|name| self.replayed.contains(name));
        let is_set_aside = self.set_aside.iter().any(|worker| record.worker.as_ref() == Some(&worker.worker));
        if is_replayed || is_set_aside { None } else { numbering.find(record, openings) }
    }

    /// Checks that each engine is the build that played its last match in `folder`, or that the user accepts the
    /// change.
    fn check_builds(&self, folder: &Path, played: &PlayedBuilds) -> Result<(), ResultsError> {
        let is_other = |build: &&Build| played.last(&build.engine).is_some_and(|played| played != build.id);
        let is_accepted = |build: &&Build| self.accepted.contains(&build.engine);
        let others: Vec<_> =
            self.builds.iter().filter(is_other).filter(|build| !is_accepted(build)).collect();
        if others.is_empty() {
            return Ok(());
        }
        let provenance = Provenance::read(folder)?;
        let changes = others.into_iter().map(|build| {
            let last = played.last(&build.engine).unwrap_or_default();
            let before = provenance.build(&build.engine, last);
            ChangedBuild {
                engine: build.engine.clone(),
                before: before.map_or_else(|| last.to_owned(), Build::in_words),
                now: build.in_words(),
                files: before.map(|before| before.files_unlike(build).join(", ")).unwrap_or_default(),
            }
        });
        Err(ResultsError::OtherBuilds { folder: folder.to_owned(), changes: changes.collect() })
    }
}

/// Passes each match in `folder` that counts for a tournament to `earlier`, with its number in the folder, which is
/// not changed. `openings` are those of the tournament's games.
///
/// # Errors
/// As for [`Results::open`].
pub fn finished(
    folder: &Path,
    wanted: &Wanted<'_>,
    openings: &mut [Openings],
    mut earlier: impl FnMut(&Record),
) -> Result<(), ResultsError> {
    let path = folder.join(MATCHES_JSONL);
    let mut finished = MatchNumbers::default();
    let journal = match open_stored(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened.map_err(io_error("open", &path))?,
    };
    let _lock = locked(folder, &path, || Lock::to_read(&journal, &path))?;
    let (Some(numbering), _) = numbering(folder, &journal, wanted)? else { return Ok(()) };
    let mut played = PlayedBuilds::default();
    read_records(&wanted.tournament.known_games, &journal, &path, |mut record| {
        if let Some((number, pair)) = wanted.number(&numbering, &record, openings)
            && finished.insert(number)
        {
            (record.number, record.pair) = (number, pair);
            played.add(&record);
            earlier(&record);
        }
        Ok(())
    })?;
    wanted.check_builds(folder, &played)
}

/// Writes the tournament of a results folder.
///
/// # Errors
/// If it cannot be written. The old file is unchanged then.
pub fn write_tournament(folder: &Path, tournament: &Tournament) -> Result<(), ResultsError> {
    let path = folder.join(TOURNAMENT);
    write_whole(&path, |file| file.write_all(config::stored::write(tournament).as_bytes()))
        .map_err(io_error("write", &path))
}

/// These games and those of the tournament of a results folder whose rules are a program. It may only be run if it is among
/// these games: the folder may come from somebody else.
pub fn known_games(games: &Games, folder: &Path) -> Games {
    let text = read_stored(&folder.join(TOURNAMENT));
    text.map_or_else(|_| games.clone(), |text| config::stored::games(games, &text))
}

/// The tournament of a results folder, which may name these games and its own. Folders of older versions of the arena contain the
/// configuration instead.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read_tournament(games: &Games, folder: &Path) -> Result<Tournament, String> {
    let path = folder.join(TOURNAMENT);
    let words = |error: &dyn std::fmt::Display| {
        format!("cannot read its configuration `{}`: {error}", path.display())
    };
    let text = read_stored(&path).map_err(|error| words(&error))?;
    config::stored::read(games, &text, folder).map_err(|error| words(&error))
}

/// The numbers that the folder's matches should have, and the tournament that they belong to. Fails if they belong to
/// another tournament. No numbers if the folder has no matches.
fn numbering(
    folder: &Path,
    journal: &File,
    wanted: &Wanted<'_>,
) -> Result<(Option<Numbering>, Tournament), ResultsError> {
    let path = folder.join(MATCHES_JSONL);
    let mut tournament = wanted.tournament.clone();
    if journal.metadata().map_err(io_error("read", &path))?.len() == 0 {
        return Ok((None, tournament));
    }
    let earlier = check_same_tournament(folder, &tournament)?;
    // Existing matches are kept if the number of pairs was reduced. If pairings have separate numbers of pairs, a
    // reduction changes the numbers of the matches: surplus matches are set aside.
    if tournament.pairings.is_empty() && tournament.pairs < earlier.pairs {
        tournament.pairs = earlier.pairs;
        let schedule = planning::schedule(&tournament);
        return Ok((Some(Numbering::new(schedule, planning::schedule(&earlier))), tournament));
    }
    let schedule = Schedule { plan: wanted.plan.clone(), names: tournament.names() };
    Ok((Some(Numbering::new(schedule, planning::schedule(&earlier))), tournament))
}

fn new_csv(path: &Path, tournament: &Tournament) -> io::Result<csv::Writer<File>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(File::create(path)?);
    writer.write_record(columns(Some(tournament)))?;
    writer.flush()?;
    Ok(writer)
}

/// The folder's tournament, if its matches would be the same in `tournament`.
fn check_same_tournament(folder: &Path, tournament: &Tournament) -> Result<Tournament, ResultsError> {
    let different =
        |difference: String| ResultsError::OtherTournament { folder: folder.to_owned(), difference };
    let found = read_tournament(&tournament.known_games, folder).map_err(different)?;
    match difference(&found, tournament).or_else(|| other_rounds(&found, tournament)) {
        None => Ok(found),
        Some(difference) => Err(different(difference)),
    }
}

/// What changes the rounds of a tournament whose rounds follow from one another.
fn other_rounds(found: &Tournament, wanted: &Tournament) -> Option<String> {
    let parts =
        |tournament: &Tournament| (tournament.names(), tournament.pairs, planning::schedule(tournament));
    (wanted.format.has_rounds() && parts(found) != parts(wanted)).then(|| {
        "  other engines, games or `pairs`, which would change the rounds that were played already".to_owned()
    })
}

/// Why a results folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// Another arena uses it.
    #[error("another arena is writing to `{}`; wait until it ends, or give another folder with `--results`", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// It contains another tournament.
    #[error(
        "`{}` holds matches of another configuration:\n{difference}\ngive another folder with `--results`, or move the old matches aside with `--fresh`",
        folder.display()
    )]
    OtherTournament {
        /// The folder.
        folder: PathBuf,
        /// The lines that differ.
        difference: String,
    },
    /// It has matches of a tournament, and is asked for those of a person.
    #[error("`{}` holds matches of a tournament; give another folder with `--results`", folder.display())]
    Scheduled {
        /// The folder.
        folder: PathBuf,
    },
    /// It has matches of a player with the same name.
    #[error("`{}` has matches of another player with the name `{name}`: {other}; give {remedy}, or another folder with `--results`", folder.display())]
    SameName {
        /// The folder.
        folder: PathBuf,
        /// The name.
        name: String,
        /// Who has it.
        other: String,
        /// How to get another name.
        remedy: &'static str,
    },
    /// Engines changed since they played the matches.
    #[error("{}", other_builds(folder, changes))]
    OtherBuilds {
        /// The folder.
        folder: PathBuf,
        /// The engines.
        changes: Vec<ChangedBuild>,
    },
    /// The record of builds cannot be read.
    #[error(
        "cannot read `{}`: {reason}; restore the file, or move it away (the matches count without it)",
        path.display()
    )]
    BadProvenance {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A line of the journal cannot be read.
    #[error("`{}`, line {line}: {reason}; correct the line, or move the folder aside with `--fresh`", path.display())]
    BadLine {
        /// The journal.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no journal to read.
    #[error("{}; give a results folder of `arena run`", no_journal(path, error))]
    NoJournal {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The system returned an error.
    #[error("cannot {what} `{}`: {error}", path.display())]
    Io {
        /// The operation.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// An engine whose program changed since it played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedBuild {
    /// The engine's name.
    pub engine: String,
    /// The build that played last, in words.
    pub before: String,
    /// The current build, in words.
    pub now: String,
    /// The paths of the files that differ, if known.
    pub files: String,
}

fn other_builds(folder: &Path, changes: &[ChangedBuild]) -> String {
    let what = match changes {
        [ChangedBuild { engine, .. }] => format!("the program of engine `{engine}` has changed"),
        _ => format!("the programs of {} engines have changed", changes.len()),
    };
    let lines = changes.iter().map(|ChangedBuild { engine, before, now, files }| {
        let files = if files.is_empty() { String::new() } else { format!("; changed files: {files}") };
        format!("  {engine}: build {before} played the matches, the present build is {now}{files}")
    });
    let options = |option: &str| {
        let option = |change: &ChangedBuild| format!("{option} {}", as_one_word(&change.engine));
        changes.iter().map(option).collect::<Vec<_>>().join(" ")
    };
    format!(
        "{what} since the matches in `{}` were played:\n{}\nplay these matches again with `{}`, keep them with `{}`, or move all matches aside with `--fresh`",
        folder.display(),
        lines.collect::<Vec<_>>().join("\n"),
        options("--replay"),
        options("--accept-changed")
    )
}

/// Why a folder's journal cannot be opened, in the words of a user who named the folder.
pub fn no_journal(journal: &Path, error: &io::Error) -> String {
    let folder = journal.parent().unwrap_or(journal);
    match error.kind() {
        io::ErrorKind::NotFound if !folder.exists() => {
            format!("there is no folder `{}`{}", folder.display(), path_meant(folder))
        }
        io::ErrorKind::NotFound => {
            format!("`{}` has no `{MATCHES_JSONL}`{}", folder.display(), meant_instead(folder))
        }
        io::ErrorKind::NotADirectory => format!("`{}` is not a folder", folder.display()),
        _ => format!("cannot read `{}`: {error}", journal.display()),
    }
}

/// What was probably meant instead of a folder without a journal, for the end of a message: its table of results, or the newest
/// results folder in it; empty without any.
pub(crate) fn meant_instead(folder: &Path) -> String {
    let table = folder.join(MATCHES_CSV);
    if table.is_file() {
        return format!(
            " (its `{}`, without moves, is read by `arena report`, `arena rate` and `arena compare`)",
            table.display()
        );
    }
    let journals =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path().join(MATCHES_JSONL));
    let newest = journals.filter_map(|it| Some((it.metadata().ok()?.modified().ok()?, it))).max();
    let newest = newest.as_ref().and_then(|(_, journal)| journal.parent());
    newest.map_or_else(String::new, |meant| format!(" (did you mean `{}`?)", meant.display()))
}

/// A name or path as one word of a shell.
pub fn as_one_word(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "-_.+/".contains(c));
    if is_plain { name.to_owned() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

fn io_error(what: &'static str, path: &Path) -> impl Fn(io::Error) -> ResultsError {
    let path = path.to_owned();
    move |error| ResultsError::Io { what, path: path.clone(), error }
}
