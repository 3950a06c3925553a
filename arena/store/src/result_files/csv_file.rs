//! Reads a table of matches row by row. It keeps no rows, and rejects what it does not understand.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use csv::ByteRecord;
use engine_proto::fen::shown;

use super::error::ReadError;
use super::input::WatchedEnd;
use super::row::{Field, Place, Row, Source, Take, Told, fingerprint};
use crate::Rows;
use model::escape::of_cell;
use ratings::{Ending, MoveList};

/// The number of columns that every table needs, including the game, which may be missing.
const NEEDED: usize = 4;
/// The game of a table without a game column.
pub const ONLY_GAME: &str = "game";

/// A column with its name in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnName {
    column: &'static str,
    name: String,
}

/// A text that is not the name of a column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not of the form COLUMN=NAME, with one of the columns {}", ColumnName::COLUMNS.join(", "))]
pub struct NotAColumnName {
    /// The text as given.
    pub text: String,
}

impl ColumnName {
    const COLUMNS: [&str; 10] =
        ["game", "white", "black", "result", "pair", "opening", "match", "moves", "reason", "limits"];
}

impl FromStr for ColumnName {
    type Err = NotAColumnName;

    fn from_str(text: &str) -> Result<Self, NotAColumnName> {
        let unusable = || NotAColumnName { text: shown(text) };
        let (column, name) = text.split_once('=').ok_or_else(unusable)?;
        let column = Self::COLUMNS.into_iter().find(|known| *known == column.trim()).ok_or_else(unusable)?;
        if name.trim().is_empty() {
            return Err(unusable());
        }
        Ok(Self { column, name: name.trim().to_owned() })
    }
}

/// Passes the matches of a table to `take`. `renamed` has the names of columns that are not standard.
pub(super) fn read(
    path: &Path,
    input: BufReader<File>,
    renamed: &[ColumnName],
    take: &mut Take<'_>,
) -> Result<(), ReadError> {
    let mut table = Table::open(path, input, renamed)?;
    let mut record = ByteRecord::new();
    while table.next(&mut record)? {
        let line = Line { table: &table, record: &record };
        take(&line.row()?, &line)?;
    }
    Ok(())
}

/// A table that is being read.
struct Table {
    path: PathBuf,
    csv: csv::Reader<Rows<WatchedEnd<BufReader<File>>>>,
    columns: Columns,
}

/// The indices of the columns.
struct Columns {
    names: Vec<String>,
    game: Option<usize>,
    white: usize,
    black: usize,
    result: usize,
    pair: Option<usize>,
    opening: Option<usize>,
    id: Option<usize>,
    /// The columns of length and times, as the arena writes them.
    detail: Option<[usize; 3]>,
    moves: Option<usize>,
    reason: Option<usize>,
    limits: Option<usize>,
}

/// One row of the table.
struct Line<'t> {
    table: &'t Table,
    record: &'t ByteRecord,
}

impl Table {
    fn open(path: &Path, mut input: BufReader<File>, renamed: &[ColumnName]) -> Result<Self, ReadError> {
        const BUFFER_BYTES: usize = 1 << 16;
        let separator = input.fill_buf().map(separator).map_err(|error| ReadError::read(path, error))?;
        let mut csv = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(BUFFER_BYTES)
            .from_reader(Rows::new(WatchedEnd::new(input)));
        let mut header = ByteRecord::new();
        let is_there =
            csv.read_byte_record(&mut header).map_err(|error| ReadError::read(path, error.into()))?;
        if !is_there {
            return Err(ReadError::Empty { file: path.to_owned() });
        }
        let columns = Columns::new(path, &header, renamed)?;
        Ok(Self { path: path.to_owned(), csv, columns })
    }

    /// Reads the next row; returns false after the last one.
    fn next(&mut self, record: &mut ByteRecord) -> Result<bool, ReadError> {
        self.csv.get_mut().begin_row();
        let is_there =
            self.csv.read_byte_record(record).map_err(|error| ReadError::read(&self.path, error.into()))?;
        let (expected, found) = (self.columns.names.len(), record.len());
        if !is_there || found == expected {
            return Ok(is_there);
        }
        let line = Line { table: self, record };
        if self.is_torn() {
            return Err(line.torn());
        }
        Err(ReadError::ValueCount { file: self.path.clone(), line: line.number(), expected, found })
    }

    /// Whether the row just read is the last one and has no line end.
    fn is_torn(&self) -> bool {
        self.csv.get_ref().table().is_past_torn_end()
    }
}

/// The separator of the header: the first of tab, semicolon and comma that occurs.
fn separator(start: &[u8]) -> u8 {
    let head = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    [b'\t', b';'].into_iter().find(|separator| head.contains(separator)).unwrap_or(b',')
}

/// White's points, as other tools write them, as a result.
fn result_of(text: &str) -> &str {
    match text {
        "1" | "1.0" | "1,0" | "1.0-0.0" => "1-0",
        "0" | "0.0" | "0,0" | "0.0-1.0" => "0-1",
        "0.5" | ".5" | "0,5" | "1/2" | "½" | "½-½" | "0.5-0.5" | "0,5-0,5" => "1/2-1/2",
        text => text,
    }
}

impl Line<'_> {
    fn row(&self) -> Result<Row<'_>, ReadError> {
        let columns = &self.table.columns;
        let game = columns.game.map_or(Ok(ONLY_GAME), |game| self.name(game))?;
        let white = self.name(columns.white)?;
        let black = self.name(columns.black)?;
        let result = result_of(self.text(columns.result)?);
        Ok(Row {
            game,
            limits: self.optional(columns.limits)?,
            white,
            black,
            builds: [None; 2],
            result,
            pair: self.optional(columns.pair)?,
            opening: self.optional(columns.opening)?,
            id: self.optional(columns.id)?,
            detail: self.detail()?,
            moves: self.optional(columns.moves)?.and_then(|moves| MoveList::of([moves])),
            ending: self.optional(columns.reason)?.map_or(Ending::Played, Ending::of_reason),
            told: self.told()?,
            number: None,
            place: self.place(),
        })
    }

    /// What is only shown is left out where it is no number.
    fn told(&self) -> Result<Told<'_>, ReadError> {
        let reason = self.optional(self.table.columns.reason)?;
        let Some([plies, white, black]) = self.table.columns.detail else {
            return Ok(Told { reason, ..Told::default() });
        };
        let number = |column| Ok(self.text(column)?.parse().ok());
        let plies = self.text(plies)?.parse().ok();
        let times_ms = number(white)?.zip(number(black)?).map(<[u64; 2]>::from);
        Ok(Told { reason, plies, times_ms, ..Told::default() })
    }

    fn detail(&self) -> Result<Option<u64>, ReadError> {
        let Some([plies, white, black]) = self.table.columns.detail else { return Ok(None) };
        Ok(Some(fingerprint([self.text(plies)?, self.text(white)?, self.text(black)?])))
    }

    /// A name that must not be empty.
    fn name(&self, column: usize) -> Result<&str, ReadError> {
        let text = self.text(column)?;
        if text.is_empty() {
            return Err(self.wrong_in(column, "the name is missing; complete or delete the line".to_owned()));
        }
        Ok(text)
    }

    /// A value that may be missing.
    fn optional(&self, column: Option<usize>) -> Result<Option<&str>, ReadError> {
        let Some(column) = column else { return Ok(None) };
        Ok(Some(self.text(column)?).filter(|text| !text.is_empty()))
    }

    fn text(&self, column: usize) -> Result<&str, ReadError> {
        let bytes = self.record.get(column).unwrap_or_default().trim_ascii();
        std::str::from_utf8(bytes).map(of_cell).map_err(|_| {
            let value = String::from_utf8_lossy(bytes);
            let problem = format!("`{}` is not UTF-8", shown(&value));
            self.wrong_in(column, problem)
        })
    }

    fn wrong_in(&self, column: usize, problem: String) -> ReadError {
        // If the row is incomplete, so is its last value.
        if self.table.is_torn() && column + 1 == self.record.len() {
            return self.torn();
        }
        ReadError::Value {
            file: self.table.path.clone(),
            line: self.number(),
            kind: "column",
            name: shown(&self.table.columns.names[column]),
            problem,
        }
    }

    fn torn(&self) -> ReadError {
        ReadError::Torn { file: self.table.path.clone(), line: self.number() }
    }

    fn number(&self) -> u64 {
        self.place().line_number(&self.table.path)
    }

    fn place(&self) -> Place {
        self.record.position().map_or(Place { line: 1, byte: None }, |position| Place {
            line: position.line(),
            byte: Some(position.byte()),
        })
    }
}

impl Source for Line<'_> {
    fn wrong(&self, field: Field, problem: String) -> ReadError {
        let columns = &self.table.columns;
        let column = match field {
            Field::Game => columns.game.unwrap_or_default(),
            Field::White => columns.white,
            Field::Black => columns.black,
            Field::Result => {
                let problem = format!("{problem}, or White's points `1`, `0` or `0.5`");
                return self.wrong_in(columns.result, problem);
            }
        };
        self.wrong_in(column, problem)
    }

    fn content(&self) -> Option<u64> {
        (NEEDED < self.table.columns.names.len())
            .then(|| fingerprint(self.record.iter().collect::<Vec<&[u8]>>()))
    }
}

impl Columns {
    fn new(path: &Path, header: &ByteRecord, renamed: &[ColumnName]) -> Result<Self, ReadError> {
        let names: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
        let find = |meant: &[&'static str]| -> Result<Option<usize>, ReadError> {
            let named: Vec<&str> =
                renamed.iter().filter(|it| it.column == meant[0]).map(|it| it.name.as_str()).collect();
            let meant: &[&str] = if named.is_empty() { meant } else { &named };
            let found: Vec<usize> = (0..names.len())
                .filter(|&place| meant.iter().any(|meant| names[place].eq_ignore_ascii_case(meant)))
                .collect();
            if found.len() < 2 {
                return Ok(found.first().copied());
            }
            let columns = found.iter().map(|&place| names[place].clone()).collect();
            Err(ReadError::RepeatedColumn { file: path.to_owned(), columns })
        };
        // A renamed column must exist, even if it is optional.
        let absent = renamed.iter().find(|it| !names.iter().any(|name| name.eq_ignore_ascii_case(&it.name)));
        if let Some(ColumnName { column, name }) = absent {
            return Err(ReadError::MissingColumns {
                file: path.to_owned(),
                column,
                missing: vec![name.clone()],
                found: names,
            });
        }
        let needed: [_; NEEDED] =
            [find(&["game"])?, find(&["white"])?, find(&["black"])?, find(&["result"])?];
        let pair = find(&["pair", "pair_id"])?;
        let opening = find(&["opening", "opening_id"])?;
        let id = find(&["match", "match_id"])?;
        let detail = match [find(&["plies"])?, find(&["white_ms"])?, find(&["black_ms"])?] {
            [Some(plies), Some(white), Some(black)] => Some([plies, white, black]),
            _ => None,
        };
        let moves = find(&["moves"])?;
        let reason = find(&["reason"])?;
        let limits = find(&["limits"])?;
        let [game, Some(white), Some(black), Some(result)] = needed else {
            let name_of = |column: &'static str| {
                renamed.iter().find(|it| it.column == column).map_or(column, |it| it.name.as_str()).to_owned()
            };
            let missing: Vec<&'static str> = ["white", "black", "result"]
                .into_iter()
                .zip(&needed[1..])
                .filter(|(_, place)| place.is_none())
                .map(|(name, _)| name)
                .collect();
            return Err(ReadError::MissingColumns {
                file: path.to_owned(),
                column: missing[0],
                missing: missing.into_iter().map(name_of).collect(),
                found: names,
            });
        };
        Ok(Self { names, game, white, black, result, pair, opening, id, detail, moves, reason, limits })
    }
}
