//! The results folder. `matches.jsonl` is the truth: a line for each finished match, written at once and never
//! changed. All else in the folder can be made from it.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::event::{Event, Reporter};
use crate::record::{CsvRow, Record};

/// The file with a line for each match.
pub const MATCHES_JSONL: &str = "matches.jsonl";
/// The file with a row for each match.
pub const MATCHES_CSV: &str = "matches.csv";
/// The file with a row for each engine and scope.
pub const RATINGS_CSV: &str = "ratings.csv";
/// The configuration as it was run.
pub const CONFIG: &str = "tournament.toml";
/// The folder of the engines' standard errors.
pub const LOGS: &str = "logs";
/// The folder of what engines in a sandbox write.
pub const SCRATCH: &str = "scratch";

const COLUMNS: [&str; 11] = [
    "match", "pair", "game", "opening", "white", "black", "result", "reason", "plies", "white_ms", "black_ms",
];

/// An open results folder. Only one arena has it at a time.
#[derive(Debug)]
pub struct Results {
    folder: PathBuf,
    journal: File,
    csv: csv::Writer<File>,
    finished: HashSet<u32>,
}

impl Results {
    /// Opens `folder` for the tournament `config`, making it if need be. What an earlier run of the same tournament has
    /// finished is handed to `earlier`, match by match; a line that it left torn is cut off.
    ///
    /// # Errors
    /// If the folder holds matches of another configuration, is in use, or cannot be read or written.
    pub fn open(
        folder: &Path,
        config: &Config,
        mut earlier: impl FnMut(&Record),
    ) -> Result<Self, ResultsError> {
        let io_error = |what: &'static str, path: &Path| {
            let path = path.to_owned();
            move |error| ResultsError::Io { what, path, error }
        };
        let logs = folder.join(LOGS);
        fs::create_dir_all(&logs).map_err(io_error("make the folder", &logs))?;
        let journal_path = folder.join(MATCHES_JSONL);
        let mut journal = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&journal_path)
            .map_err(io_error("open", &journal_path))?;
        match journal.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ResultsError::InUse { folder: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(io_error("lock", &journal_path)(error)),
        }

        cut_torn_line(&mut journal).map_err(io_error("mend", &journal_path))?;
        let is_empty = journal.metadata().map_err(io_error("read", &journal_path))?.len() == 0;
        if !is_empty {
            check_same_tournament(folder, config)?;
        }
        let config_path = folder.join(CONFIG);
        replace(&config_path, config_text(config).as_bytes()).map_err(io_error("write", &config_path))?;

        let mut finished = HashSet::new();
        let csv_path = folder.join(MATCHES_CSV);
        let mut csv = new_csv(&csv_path).map_err(io_error("write", &csv_path))?;
        for (idx, line) in BufReader::new(&journal).lines().enumerate() {
            let line = line.map_err(io_error("read", &journal_path))?;
            let record: Record = serde_json::from_str(&line).map_err(|error| ResultsError::BadLine {
                path: journal_path.clone(),
                line: idx + 1,
                reason: error.to_string(),
            })?;
            if finished.insert(record.number) {
                csv.serialize(CsvRow::from(&record))
                    .map_err(|error| io_error("write", &csv_path)(error.into()))?;
                earlier(&record);
            }
        }
        csv.flush().map_err(io_error("write", &csv_path))?;
        Ok(Self { folder: folder.to_owned(), journal, csv, finished })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The numbers of the matches that an earlier run has finished.
    pub const fn finished(&self) -> &HashSet<u32> {
        &self.finished
    }

    /// Writes a match, whole or not at all as far as the journal goes.
    fn write(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record).map_err(io::Error::other)?;
        line.push(b'\n');
        self.journal.write_all(&line)?;
        self.csv.serialize(CsvRow::from(record)).map_err(io::Error::from)?;
        self.csv.flush()
    }
}

impl Reporter for Results {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::MatchFinished { record } => self.write(record),
            // Matches finish in whatever order; the table that is left does not show it.
            Event::Ended { .. } => {
                self.csv.flush()?;
                sort_csv(&self.folder.join(MATCHES_CSV))
            }
            Event::Begun { .. }
            | Event::MatchBegun { .. }
            | Event::Warning { .. }
            | Event::Stopping { .. } => Ok(()),
        }
    }
}

/// Moves what a folder holds to a free name beside it: `quick` to `quick.1`.
///
/// # Errors
/// If the folder cannot be moved.
pub fn move_aside(folder: &Path) -> io::Result<Option<PathBuf>> {
    if !folder.exists() {
        return Ok(None);
    }
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let free = (1..u32::MAX)
        .map(|n| folder.with_file_name(format!("{name}.{n}")))
        .find(|path| !path.exists())
        .expect("there are more numbers than folders");
    fs::rename(folder, &free)?;
    Ok(Some(free))
}

/// Writes a file whole, or leaves the old one.
///
/// # Errors
/// If it cannot be written; the old one is then as before.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let mut file = File::create(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)
}

fn new_csv(path: &Path) -> io::Result<csv::Writer<File>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(File::create(path)?);
    writer.write_record(COLUMNS)?;
    writer.flush()?;
    Ok(writer)
}

/// A kill in mid-write leaves a line without an end.
fn cut_torn_line(journal: &mut File) -> io::Result<()> {
    const BLOCK: u64 = 64 * 1024;
    let mut end = journal.metadata()?.len();
    let length = end;
    let mut block = Vec::new();
    while 0 < end {
        let start = end.saturating_sub(BLOCK);
        journal.seek(SeekFrom::Start(start))?;
        block.clear();
        Read::by_ref(journal).take(end - start).read_to_end(&mut block)?;
        if let Some(place) = block.iter().rposition(|&byte| byte == b'\n') {
            end = start + place as u64 + 1;
            break;
        }
        end = start;
    }
    if end < length {
        journal.set_len(end)?;
    }
    journal.seek(SeekFrom::Start(0))?;
    Ok(())
}

fn config_text(config: &Config) -> String {
    toml::to_string_pretty(config).expect("a configuration is TOML")
}

/// The keys that may change between two runs of one tournament: none of them changes what a match is.
fn essentials(config: &Config) -> String {
    let mut config = config.clone();
    let same = Config::default();
    config.tournament.concurrency = same.tournament.concurrency;
    config.tournament.pairs = same.tournament.pairs;
    config.tournament.results = None;
    for engine in &mut config.engines {
        engine.build.clear();
    }
    config_text(&config)
}

fn check_same_tournament(folder: &Path, config: &Config) -> Result<(), ResultsError> {
    let path = folder.join(CONFIG);
    let different =
        |difference: String| ResultsError::OtherTournament { folder: folder.to_owned(), difference };
    let text = fs::read_to_string(&path).map_err(|error| {
        different(format!("its configuration `{}` cannot be read: {error}", path.display()))
    })?;
    let earlier: Config = toml::from_str(&text).map_err(|error| {
        different(format!("its configuration `{}` cannot be read: {error}", path.display()))
    })?;
    let (earlier, now) = (essentials(&earlier), essentials(config));
    if earlier == now {
        return Ok(());
    }
    let only_in = |one: &str, other: &str, sign: char| {
        let other: HashSet<&str> = other.lines().collect();
        one.lines()
            .filter(|line| !other.contains(line))
            .map(|line| format!("  {sign} {line}"))
            .collect::<Vec<_>>()
    };
    let mut lines = only_in(&earlier, &now, '-');
    lines.extend(only_in(&now, &earlier, '+'));
    Err(different(lines.join("\n")))
}

/// Puts the rows of a finished table in the order of the matches.
fn sort_csv(path: &Path) -> io::Result<()> {
    let mut reader = csv::ReaderBuilder::new().from_path(path)?;
    let mut rows = reader.byte_records().collect::<Result<Vec<_>, _>>()?;
    let number =
        |row: &csv::ByteRecord| std::str::from_utf8(&row[0]).ok().and_then(|text| text.parse::<u32>().ok());
    rows.sort_by_key(number);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_byte_record(reader.byte_headers()?)?;
    for row in &rows {
        writer.write_byte_record(row)?;
    }
    replace(path, &writer.into_inner().map_err(csv::IntoInnerError::into_error)?)
}

/// Why a results folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// Another arena writes to it.
    #[error("another arena is writing to `{}`: wait for it, or give another folder with `--results`", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// It holds another tournament.
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
    /// A line of the journal cannot be read.
    #[error("`{}`, line {line}: {reason}; move the folder aside with `--fresh`, or mend the line", path.display())]
    BadLine {
        /// The journal.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The system refuses.
    #[error("cannot {what} `{}`: {error}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// With which file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}
