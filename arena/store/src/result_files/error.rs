//! Errors in files of results.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use engine_proto::fen::shown;

use crate::meant_instead;
use host::closest::closest_path;
use ratings::MOST_ENGINES;

/// A path with a similar name, if there is no such file.
fn meant(path: &Path, error: &io::Error) -> String {
    if path == Path::new("-") {
        return "; standard input is /dev/stdin".to_owned();
    }
    let is_missing = error.kind() == io::ErrorKind::NotFound;
    let meant = is_missing.then(|| closest_path(path, |_| true)).flatten();
    meant.map_or_else(String::new, |meant| format!("; did you mean {}?", meant.display()))
}

/// Why files of results cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A file cannot be opened or read.
    #[error("cannot read {}: {source}{}", .file.display(), meant(.file, source))]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file without even a header.
    #[error("{} is empty; its first line must name the columns: white, black, result", .file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// A file that is not text.
    #[error("{} is not a text file; give CSV, PGN or `matches.jsonl` files, and decompress them first", .file.display())]
    Binary {
        /// The file.
        file: PathBuf,
    },
    /// A file that does not contain results.
    #[error("{} {what}; give a results folder, or CSV, PGN or `matches.jsonl` files", .file.display())]
    NotResults {
        /// The file.
        file: PathBuf,
        /// What it is instead.
        what: &'static str,
    },
    /// A folder that is not a results folder.
    #[error("{} is a folder without `matches.jsonl`{}; give a results folder, or CSV, PGN or `matches.jsonl` files", .folder.display(), meant_instead(.folder))]
    NoResults {
        /// The folder.
        folder: PathBuf,
    },
    /// A line that the arena did not write.
    #[error("{}, line {line}: invalid match: {problem}", .file.display())]
    Journal {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// A game in PGN that cannot be parsed.
    #[error("{}, line {line}: {problem}", .file.display())]
    Pgn {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// Columns are missing.
    #[error(
        "{}: no column {}; the columns are {}; name the right one with `--columns {}=NAME`",
        .file.display(), quoted(.missing), quoted(.found), .column
    )]
    MissingColumns {
        /// The file.
        file: PathBuf,
        /// The missing columns.
        missing: Vec<String>,
        /// The first of them, by the arena's name.
        column: &'static str,
        /// The columns of the file.
        found: Vec<String>,
    },
    /// Two columns have the same meaning.
    #[error("{}: the columns {} have the same meaning; remove all but one", .file.display(), quoted(.columns))]
    RepeatedColumn {
        /// The file.
        file: PathBuf,
        /// The columns.
        columns: Vec<String>,
    },
    /// A line with too few or too many values.
    #[error(
        "{}, line {line}: {found} values for {expected} columns; correct the line, and quote values that contain a separator",
        .file.display()
    )]
    ValueCount {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The number of columns in the header.
        expected: usize,
        /// The number of values in the line.
        found: usize,
    },
    /// The last line is incomplete.
    #[error(
        "{}, line {line}: the last line is incomplete; complete or delete it",
        .file.display()
    )]
    Torn {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
    },
    /// An invalid value.
    #[error("{}, line {line}, {kind} `{name}`: {problem}", .file.display())]
    Value {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The kind of place: `column`, `tag` or `key`.
        kind: &'static str,
        /// The name of the place.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Two lines contradict each other about one match.
    #[error(
        "match `{}` differs between {}, line {line}, and {}, line {first_line}; if these are two matches, remove the column `match`",
        shown(.id), .file.display(), .first_file.display()
    )]
    Conflict {
        /// The value of the column `match`.
        id: String,
        /// The file read later.
        file: PathBuf,
        /// The line there, from 1.
        line: u64,
        /// The file read first.
        first_file: PathBuf,
        /// The line there, from 1.
        first_line: u64,
    },
    /// There is no match to rate.
    #[error("no finished matches in {}", listed(.files))]
    NoMatches {
        /// The files.
        files: Vec<PathBuf>,
    },
    /// More engines than can be rated together.
    #[error(
        "{engines} engines in the game `{}`, but at most {MOST_ENGINES} engines per game can be rated; rate fewer files at a time",
        shown(.game)
    )]
    TooManyEngines {
        /// The game.
        game: String,
        /// The number of engines that play it.
        engines: usize,
    },
    /// A filter with an unknown name.
    #[error("no {kind} is named `{}` in these files; {meant}", shown(.name))]
    Unknown {
        /// `game`, `engine` or `time control`.
        kind: &'static str,
        /// The name as given.
        name: String,
        /// What may have been meant: a similar name, or the known ones.
        meant: String,
    },
}

impl ReadError {
    /// The error of a filter that is not in `known`.
    pub fn unknown(kind: &'static str, name: &str, known: &BTreeSet<String>) -> Self {
        const ALIKE: f64 = 0.8;
        let similar = known
            .iter()
            .map(|known| (strsim::jaro_winkler(known, name), known))
            .filter(|&(likeness, _)| ALIKE < likeness)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, known)| format!("did you mean `{}`?", shown(known)));
        let known: Vec<String> = known.iter().cloned().collect();
        let meant = similar.unwrap_or_else(|| format!("there are {}", quoted(&known)));
        Self::Unknown { kind, name: name.to_owned(), meant }
    }

    /// The error of reading `file`.
    pub(super) fn read(file: &Path, source: io::Error) -> Self {
        Self::Read { file: file.to_owned(), source }
    }
}

/// The first few names.
pub fn quoted(names: &[String]) -> String {
    const MOST_NAMES: usize = 12;
    let mut quoted: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| format!("`{}`", shown(name))).collect();
    if MOST_NAMES < names.len() {
        quoted.push(format!("and {} more", names.len() - MOST_NAMES));
    }
    quoted.join(", ")
}

fn listed(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}
