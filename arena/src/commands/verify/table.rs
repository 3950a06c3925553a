//! Checks that `matches.csv` has the same matches as the journal. It keeps only a few bytes of each match.

use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use csv::StringRecord;

use super::{Place, Report};
use crate::exit::CommandError;
use model::{CsvRow, Record, Tournament};
use store::{Rows, columns, open_stored};

/// The matches of the journal by number.
#[derive(Debug)]
pub struct Table {
    matches: HashMap<u32, Seen>,
    /// The table's columns.
    columns: &'static [&'static str],
}

#[derive(Debug)]
struct Seen {
    line: u64,
    offset: u64,
    row: u64,
    is_in_table: bool,
}

impl Table {
    /// The table of a folder with this tournament, if it is known, without matches.
    pub fn new(tournament: Option<&Tournament>) -> Self {
        Self { matches: HashMap::new(), columns: columns(tournament) }
    }

    /// Adds a match of the journal. Returns the line of an earlier match with the same number.
    pub fn add(&mut self, record: &Record, line: u64, offset: u64) -> Option<u64> {
        if let Some(earlier) = self.matches.get(&record.number) {
            return Some(earlier.line);
        }
        let row = fingerprint(&row(record));
        self.matches.insert(record.number, Seen { line, offset, row, is_in_table: false });
        None
    }

    /// Reports every row of the table at `path` that differs from its match in `journal`, and every match without a
    /// row.
    ///
    /// # Errors
    /// If the journal cannot be read, or a problem cannot be reported.
    pub fn compare(
        mut self,
        path: &Path,
        journal: &File,
        report: &mut Report<'_>,
    ) -> Result<(), CommandError> {
        let mut journal = BufReader::new(journal);
        let mut reader = csv::ReaderBuilder::new();
        let mut rows = match open_stored(path) {
            Ok(file) => reader.has_headers(false).flexible(true).from_reader(Rows::new(file)),
            Err(error) => return Ok(report.problem(&Place::file(path), error)?),
        };
        let mut found = StringRecord::new();
        for idx in 0_u64.. {
            let place = Place { path, line: Some(idx + 1), number: None };
            rows.get_mut().begin_row();
            match rows.read_record(&mut found) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    report.problem(&place, error)?;
                    continue;
                }
            }
            let place = Place { line: found.position().map(csv::Position::line).or(place.line), ..place };
            if idx == 0 {
                if !found.iter().eq(self.columns.iter().copied()) {
                    let columns = self.columns.join(",");
                    report.problem(&place, format_args!("the header is not `{columns}`"))?;
                }
                continue;
            }
            let number = found.get(0).and_then(|text| text.parse().ok());
            let Some(seen) = number.and_then(|number| self.matches.get_mut(&number)) else {
                let shown = engine_proto::fen::shown(found.get(0).unwrap_or_default());
                report.problem(&place, format_args!("match `{shown}` is not in `matches.jsonl`"))?;
                continue;
            };
            let place = Place { number, ..place };
            if seen.is_in_table {
                report.problem(&place, "duplicate row")?;
            }
            seen.is_in_table = true;
            if seen.row != fingerprint(&found) {
                let recorded = row_at(&mut journal, seen.offset)?;
                report.problem(&place, difference(self.columns, [&found, &recorded], seen.line))?;
            }
        }
        let mut missing: Vec<u32> =
            self.matches.iter().filter(|(_, seen)| !seen.is_in_table).map(|(number, _)| *number).collect();
        missing.sort_unstable();
        for number in missing {
            report.problem(&Place { path, line: None, number: Some(number) }, "the match has no row")?;
        }
        Ok(())
    }
}

/// The expected row of a match in the table.
fn row(record: &Record) -> StringRecord {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(CsvRow::from(record)).expect("a row is numbers and texts");
    let bytes = writer.into_inner().expect("a Vec takes all");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes.as_slice());
    reader.records().next().expect("one row was written").expect("it is UTF-8")
}

fn fingerprint(row: &StringRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    row.iter().for_each(|field| field.hash(&mut hasher));
    hasher.finish()
}

/// The row of the match whose line begins at `offset`.
fn row_at(journal: &mut BufReader<&File>, offset: u64) -> io::Result<StringRecord> {
    journal.seek(SeekFrom::Start(offset))?;
    let mut line = Vec::new();
    journal.read_until(b'\n', &mut line)?;
    Ok(row(&serde_json::from_slice(&line)?))
}

fn difference(columns: &[&str], [found, recorded]: [&StringRecord; 2], line: u64) -> String {
    if found.len() != recorded.len() {
        return format!("{} columns instead of {}", found.len(), recorded.len());
    }
    let differing = columns.iter().zip(found.iter().zip(recorded.iter())).filter(|(_, (a, b))| a != b);
    let texts: Vec<_> = differing
        .map(|(column, (found, recorded))| {
            format!(
                "`{column}` is `{}`, but `{recorded}` in `matches.jsonl`",
                engine_proto::fen::shown(found)
            )
        })
        .collect();
    format!("{} (line {line})", texts.join("; "))
}
