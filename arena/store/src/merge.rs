//! Joins results folders of one tournament, such as those of its shards. All folders are read and checked before anything
//! is written, and they are not changed.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use engine_proto::Games;

use super::folder::locked;
use super::journal::read_records;
use super::{MATCHES_JSONL, MatchNumbers, Provenance, ResultsError, io_error, open_stored, read_tournament};
use config::difference::{difference, difference_in_size};
use host::lock::Lock;
use model::{Build, Record, Tournament};
use schedule::{Plan, Schedule, planning};

/// The maximum number of conflicts and gaps that are named.
const MOST_NAMED: usize = 10;

/// Results folders that belong together.
#[derive(Debug)]
pub struct Merge {
    folders: Vec<Folder>,
    tournament: Tournament,
    schedule: Schedule,
    finished: MatchNumbers,
    provenance: Provenance,
}

/// A results folder, locked against a run.
#[derive(Debug)]
struct Folder {
    journal: File,
    path: PathBuf,
    _lock: Lock,
}

/// What to do about folders that contradict each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tolerance<'a> {
    /// The engines whose builds may differ.
    pub accepted: &'a [String],
    /// Of matches with different moves in two folders, keep those of the first.
    pub keeps_first: bool,
}

impl Merge {
    /// Reads and checks all matches of the folders. Their tournaments may name these games and their own.
    ///
    /// # Errors
    /// If a folder cannot be read or is in use, or if two folders contradict each other.
    pub fn of(games: &Games, folders: &[PathBuf], tolerance: &Tolerance<'_>) -> Result<Self, MergeError> {
        let mut merge: Option<Self> = None;
        for folder in folders {
            let tournament = read_tournament(games, folder)
                .map_err(|reason| MergeError::NoResults { folder: folder.clone(), reason })?;
            let provenance = Provenance::read(folder)?;
            let folder = Folder::open(folder)?;
            match &mut merge {
                None => {
                    merge = Some(Self {
                        folders: vec![folder],
                        schedule: planning::schedule(&tournament),
                        tournament,
                        finished: MatchNumbers::default(),
                        provenance,
                    });
                }
                Some(merge) => {
                    merge.check_tournament(&tournament, &folders[0], folder.folder())?;
                    merge.provenance.join(provenance);
                    merge.folders.push(folder);
                }
            }
        }
        let mut merge = merge.ok_or(MergeError::NoFolder)?;
        merge.finished = merge.check_matches(tolerance)?;
        Ok(merge)
    }

    /// The tournament of all folders.
    pub const fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Its matches.
    pub const fn plan(&self) -> &Plan {
        &self.schedule.plan
    }

    /// The builds and runs of all folders.
    pub const fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The number of different matches in the folders.
    pub const fn n_finished(&self) -> u32 {
        self.finished.len()
    }

    /// The matches that are in no folder, in words; none if the tournament is complete.
    pub fn gaps(&self) -> Option<String> {
        let missing = (1..=self.plan().n_matches()).filter(|number| !self.finished.contains(*number));
        let mut ranges: Vec<[u32; 2]> = Vec::new();
        for number in missing {
            match ranges.last_mut() {
                Some([_, last]) if *last + 1 == number => *last = number,
                _ => ranges.push([number, number]),
            }
        }
        let in_words = |[first, last]: &[u32; 2]| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        };
        (!ranges.is_empty()).then(|| listed(&ranges.iter().map(in_words).collect::<Vec<_>>(), ", "))
    }

    /// Passes each match to `take`, once: of the first folder that has it.
    ///
    /// # Errors
    /// The errors of `take`, and if a folder can no longer be read.
    pub fn each<E: From<ResultsError>>(
        &self,
        mut take: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut seen = MatchNumbers::default();
        for folder in &self.folders {
            read_records(&self.tournament.known_games, &folder.journal, &folder.path, |record| {
                if seen.insert(record.number) { take(record) } else { Ok(()) }
            })?;
        }
        Ok(())
    }

    fn check_tournament(&self, other: &Tournament, first: &Path, folder: &Path) -> Result<(), MergeError> {
        let lines = difference(&self.tournament, other).or_else(|| {
            let is_same = planning::schedule(other) == self.schedule;
            (!is_same).then(|| {
                let known = difference_in_size(&self.tournament, other);
                known.unwrap_or_else(|| "  other engines, games or numbers of pairs".to_owned())
            })
        });
        match lines {
            None => Ok(()),
            Some(difference) => Err(MergeError::OtherTournament {
                folders: [first.to_owned(), folder.to_owned()],
                difference,
            }),
        }
    }

    /// The numbers of all matches.
    fn check_matches(&self, tolerance: &Tolerance<'_>) -> Result<MatchNumbers, MergeError> {
        let mut numbers = MatchNumbers::default();
        let mut seen: HashMap<u32, (usize, u64)> = HashMap::new();
        let mut conflicts = Vec::new();
        let mut builds: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for (idx, folder) in self.folders.iter().enumerate() {
            read_records(&self.tournament.known_games, &folder.journal, &folder.path, |record| {
                if self.schedule.named_by(&record).is_none() {
                    let path = folder.path.clone();
                    return Err(MergeError::NotScheduled { path, number: record.number });
                }
                let (first, content) = *seen.entry(record.number).or_insert((idx, content(&record)));
                if first != idx && content != self::content(&record) {
                    conflicts.push(Conflict { number: record.number, folders: [first, idx] });
                }
                if numbers.insert(record.number) {
                    for (engine, build) in
                        [(record.white, record.white_build), (record.black, record.black_build)]
                    {
                        if let Some(build) = build {
                            builds.entry(engine).or_default().entry(build).or_insert(idx);
                        }
                    }
                }
                Ok(())
            })?;
        }
        if !conflicts.is_empty() && !tolerance.keeps_first {
            return Err(MergeError::Conflicts { conflicts: self.conflicts_in_words(&conflicts) });
        }
        builds.retain(|engine, builds| 1 < builds.len() && !tolerance.accepted.contains(engine));
        if builds.is_empty() {
            return Ok(numbers);
        }
        Err(MergeError::OtherBuilds {
            engines: builds.iter().map(|(engine, builds)| self.builds_in_words(engine, builds)).collect(),
        })
    }

    fn conflicts_in_words(&self, conflicts: &[Conflict]) -> String {
        let lines = conflicts.iter().map(|Conflict { number, folders }| {
            let [first, other] = folders.map(|idx| self.folders[idx].folder().display());
            format!("  match {number}: `{first}` and `{other}`")
        });
        listed(&lines.collect::<Vec<_>>(), "\n")
    }

    fn builds_in_words(&self, engine: &str, builds: &BTreeMap<String, usize>) -> String {
        let builds = builds.iter().map(|(id, idx)| {
            let folder = self.folders[*idx].folder().display();
            let build = self.provenance.build(engine, id);
            format!("{} in `{folder}`", build.map_or_else(|| id.clone(), Build::in_words))
        });
        format!("  engine `{engine}`: build {}", builds.collect::<Vec<_>>().join(", build "))
    }
}

impl Folder {
    fn open(folder: &Path) -> Result<Self, ResultsError> {
        let path = folder.join(MATCHES_JSONL);
        let journal = open_stored(&path).map_err(io_error("open", &path))?;
        let lock = locked(folder, &path, || Lock::to_read(&journal, &path))?;
        Ok(Self { journal, path, _lock: lock })
    }

    fn folder(&self) -> &Path {
        self.path.parent().expect("a file is in a folder")
    }
}

/// A match whose content differs in two folders, which are given by index.
struct Conflict {
    number: u32,
    folders: [usize; 2],
}

/// A fingerprint of what two records of a match have in common if both are right: all but times and builds.
fn content(record: &Record) -> u64 {
    let mut hasher = DefaultHasher::new();
    let Record { opening, result, reason, end, moves, .. } = record;
    (opening, result.to_string(), reason, end, moves.len()).hash(&mut hasher);
    for mv in moves {
        mv.mv.hash(&mut hasher);
    }
    hasher.finish()
}

/// The first of `items`, and how many more there are.
fn listed(items: &[String], separator: &str) -> String {
    let mut shown = items[..items.len().min(MOST_NAMED)].join(separator);
    if MOST_NAMED < items.len() {
        shown.push_str(&format!("{separator}and {} more", items.len() - MOST_NAMED));
    }
    shown
}

/// Why results folders cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// No folder was given.
    #[error("no results folder to merge")]
    NoFolder,
    /// A folder has no tournament.
    #[error("`{}` is not a results folder: {reason}", folder.display())]
    NoResults {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        reason: String,
    },
    /// Two folders have different tournaments.
    #[error(
        "`{}` and `{}` hold different tournaments:\n{difference}\nmerge only folders of one tournament file",
        folders[0].display(), folders[1].display()
    )]
    OtherTournament {
        /// The folders.
        folders: [PathBuf; 2],
        /// The lines that differ.
        difference: String,
    },
    /// A match is not in the schedule.
    #[error(
        "`{}`: match {number} is not in the schedule of its tournament; `arena verify` shows what is wrong with the folder",
        path.display()
    )]
    NotScheduled {
        /// The journal.
        path: PathBuf,
        /// The match.
        number: u32,
    },
    /// Matches differ in two folders.
    #[error(
        "the same match has other moves or another result in two folders:\n{conflicts}\nleave one of the folders out, or add `--keep-first` to count the match of the folder that is named first"
    )]
    Conflicts {
        /// A line for each match.
        conflicts: String,
    },
    /// Engines differ between folders.
    #[error(
        "the programs of engines differ:\n{}\nto count the builds of an engine as one, add `--accept-changed NAME`",
        engines.join("\n")
    )]
    OtherBuilds {
        /// A line for each engine.
        engines: Vec<String>,
    },
    /// A folder cannot be read or is in use.
    #[error(transparent)]
    Results(#[from] ResultsError),
}
