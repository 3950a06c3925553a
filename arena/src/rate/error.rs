//! What can be wrong with files of results. Messages only; nothing is read here.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use engine_proto::fen::shown;

/// Why no ratings could be printed.
#[derive(Debug, thiserror::Error)]
pub enum RateError {
    /// A file can't be opened or read.
    #[error("cannot read {}: {source}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file without even a header.
    #[error("{} is empty: it needs a first line that names the columns, game, white, black and result among them", .file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// Columns are missing.
    #[error("{}: no column {}; the first line names {}", .file.display(), quoted(.missing), quoted(.found))]
    MissingColumns {
        /// The file.
        file: PathBuf,
        /// What is needed and not there.
        missing: Vec<String>,
        /// What is there.
        found: Vec<String>,
    },
    /// Two columns mean the same.
    #[error("{}: the columns {} mean the same; leave one", .file.display(), quoted(.columns))]
    RepeatedColumn {
        /// The file.
        file: PathBuf,
        /// The columns.
        columns: Vec<String>,
    },
    /// A line with too few or too many values.
    #[error("{}, line {line}: {found} values for {expected} columns", .file.display())]
    ValueCount {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// How many columns the first line names.
        expected: usize,
        /// How many values the line has.
        found: usize,
    },
    /// The last line breaks off.
    #[error(
        "{}, line {line}: the last line is torn, as if whoever wrote it had been interrupted; complete or delete it",
        .file.display()
    )]
    Torn {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
    },
    /// A value that can't be right.
    #[error("{}, line {line}, column `{column}`: {problem}", .file.display())]
    Value {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column's name.
        column: String,
        /// The value as it was given.
        value: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Two lines tell different things about one match.
    #[error(
        "match `{}` is told differently in {}, line {line}, and in {}, line {first_line}; if both were played, leave the column `match` out",
        shown(.id), .file.display(), .first_file.display()
    )]
    Conflict {
        /// What the column `match` says.
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
    /// There is nothing to rate.
    #[error("no finished matches in {}", listed(.files))]
    NoMatches {
        /// The files.
        files: Vec<PathBuf>,
    },
    /// A filter names what isn't there.
    #[error("no {kind} `{}` in these files{}", shown(.name), suggestion(.similar.as_ref()))]
    Unknown {
        /// `game` or `engine`.
        kind: &'static str,
        /// The name as it was given.
        name: String,
        /// What may have been meant.
        similar: Option<String>,
    },
    /// The anchor is not there.
    #[error("no engine `{}` to anchor the ratings to; these files have {}", shown(.engine), quoted(.known))]
    UnknownAnchor {
        /// The engine as it was given.
        engine: String,
        /// The engines that are there.
        known: Vec<String>,
    },
    /// The ratings can't be written.
    #[error("cannot write the ratings: {0}")]
    Write(#[source] io::Error),
}

impl RateError {
    /// The error of a filter that names none of `known`.
    pub(crate) fn unknown(kind: &'static str, name: &str, known: &BTreeSet<String>) -> Self {
        const ALIKE: f64 = 0.8;
        let similar = known
            .iter()
            .map(|known| (strsim::jaro_winkler(known, name), known))
            .filter(|&(likeness, _)| ALIKE < likeness)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, known)| known.clone());
        Self::Unknown { kind, name: name.to_owned(), similar }
    }

    /// The error of reading `file`.
    pub(super) fn read(file: &Path, source: io::Error) -> Self {
        Self::Read { file: file.to_owned(), source }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>().join(", ")
}

fn listed(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn suggestion(similar: Option<&String>) -> String {
    similar.map_or(String::new(), |similar| format!("; did you mean `{}`?", shown(similar)))
}
