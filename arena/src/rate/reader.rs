//! Files of results, line by line into a tally. Keeps no line; what it can't make sense of it refuses.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use csv::ByteRecord;
use engine_proto::fen::shown;

use super::error::RateError;
use crate::rating::{FinishedMatch, GamePairs, PairSequence, Tally};

/// PGN's word for a match that has no result.
const UNFINISHED: &str = "*";

/// What files of results have told so far.
pub(crate) struct Reader<'a> {
    /// The games that count; all of them if empty.
    games: &'a [String],
    tally: Tally,
    /// The pairs of the two engines that are asked for.
    pairs: Option<PairSequence>,
    games_seen: BTreeSet<String>,
    files: Vec<PathBuf>,
    /// By the fingerprint of the column `match`, the game, the engines and the opening.
    matches_seen: HashMap<u64, Seen>,
    n_repeated: u64,
    n_unfinished: u64,
}

/// What all files told.
pub(crate) struct Told {
    /// The matches of the games that count.
    pub tally: Tally,
    /// All games, also those that don't count.
    pub games: BTreeSet<String>,
    /// The pairs of the two engines that were asked for, by game, in the order of the lines.
    pub pairs: BTreeMap<String, GamePairs>,
    /// What a reader of the ratings must know, in plain words.
    pub notes: Vec<String>,
}

/// Where a match was told first.
struct Seen {
    /// A fingerprint of all that was told.
    content: u64,
    file: u32,
    place: Place,
}

/// Where a line begins.
#[derive(Clone, Copy)]
struct Place {
    /// The offset in bytes; line ends may still precede the line.
    byte: u64,
    /// The line by the CSV reader's count, which is out where lines are empty or end in CR LF.
    line: u64,
}

/// One file while it is read.
struct Lines {
    path: PathBuf,
    csv: csv::Reader<WatchedEnd<File>>,
    columns: Columns,
}

/// The places of the columns.
struct Columns {
    names: Vec<String>,
    game: usize,
    white: usize,
    black: usize,
    result: usize,
    pair: Option<usize>,
    opening: Option<usize>,
    id: Option<usize>,
}

impl<'a> Reader<'a> {
    /// A reader that counts the matches of `games`; of all games if there are none.
    pub(crate) fn new(games: &'a [String]) -> Self {
        Self {
            games,
            tally: Tally::new(),
            pairs: None,
            games_seen: BTreeSet::new(),
            files: Vec::new(),
            matches_seen: HashMap::new(),
            n_repeated: 0,
            n_unfinished: 0,
        }
    }

    /// The same reader, which also keeps the pairs of `first` against `second`.
    pub(crate) fn with_pairs_of(self, first: &str, second: &str) -> Self {
        Self { pairs: Some(PairSequence::new(first, second)), ..self }
    }

    /// Reads all of `path`.
    ///
    /// # Errors
    /// If it can't be read or isn't what it should be.
    pub(crate) fn read(&mut self, path: &Path) -> Result<(), RateError> {
        let mut lines = Lines::open(path)?;
        // Pairs of different files have nothing to do with each other.
        let mut pair = format!("{} ", self.files.len());
        let prefix = pair.len();
        self.files.push(path.to_owned());
        let mut record = ByteRecord::new();
        while lines.next(&mut record)? {
            pair.truncate(prefix);
            self.take(&lines, &record, &mut pair)?;
        }
        Ok(())
    }

    /// All that was told.
    pub(crate) fn finish(self) -> Told {
        let mut notes = Vec::new();
        if self.n_repeated != 0 {
            notes.push(format!("{} repeated in several places and counted once", counted(self.n_repeated)));
        }
        if self.n_unfinished != 0 {
            notes.push(format!(
                "{} without a result (`{UNFINISHED}`) not counted",
                counted(self.n_unfinished)
            ));
        }
        Told {
            tally: self.tally,
            games: self.games_seen,
            pairs: self.pairs.map(PairSequence::finish).unwrap_or_default(),
            notes,
        }
    }

    fn take(&mut self, lines: &Lines, record: &ByteRecord, pair: &mut String) -> Result<(), RateError> {
        let columns = &lines.columns;
        let game = lines.name(record, columns.game)?;
        let white = lines.name(record, columns.white)?;
        let black = lines.name(record, columns.black)?;
        let result = lines.text(record, columns.result)?;
        let opening = lines.optional(record, columns.opening)?;
        let pair_in_file = lines.optional(record, columns.pair)?;
        if white == black {
            let problem = format!("engine `{}` plays against itself", shown(black));
            return Err(lines.wrong(record, columns.black, black, problem));
        }
        if !self.games_seen.contains(game) {
            self.games_seen.insert(game.to_owned());
        }
        if result == UNFINISHED {
            self.n_unfinished += 1;
            return Ok(());
        }
        let result = result.parse().map_err(|error: crate::record::UnknownResult| {
            lines.wrong(record, columns.result, result, error.to_string())
        })?;
        if let Some(id) = lines.optional(record, columns.id)? {
            // Every tournament counts its matches from 1: what is played by others, or from elsewhere, is another match.
            let identity = fingerprint((id, game, white, black, opening));
            let content = fingerprint((result, pair_in_file));
            if self.is_repeated(id, identity, content, lines, record)? {
                return Ok(());
            }
        }
        if !self.games.is_empty() && !self.games.iter().any(|wanted| wanted == game) {
            return Ok(());
        }
        let pair = pair_in_file.map(|pair_in_file| {
            pair.push_str(pair_in_file);
            pair.as_str()
        });
        let played = FinishedMatch { game, white, black, result, pair, opening };
        if let Some(pairs) = &mut self.pairs {
            pairs.add(&played);
        }
        self.tally.add(&played).map_err(|error| lines.wrong(record, columns.black, black, error.to_string()))
    }

    /// Whether the match was told before, with the same content.
    fn is_repeated(
        &mut self,
        id: &str,
        identity: u64,
        content: u64,
        lines: &Lines,
        record: &ByteRecord,
    ) -> Result<bool, RateError> {
        let seen = Seen { content, file: self.files.len() as u32 - 1, place: place(record) };
        let Some(first) = self.matches_seen.get(&identity) else {
            self.matches_seen.insert(identity, seen);
            return Ok(false);
        };
        if first.content == content {
            self.n_repeated += 1;
            return Ok(true);
        }
        let first_file = &self.files[first.file as usize];
        Err(RateError::Conflict {
            id: id.to_owned(),
            file: lines.path.clone(),
            line: line_number(&lines.path, place(record)),
            first_file: first_file.clone(),
            first_line: line_number(first_file, first.place),
        })
    }
}

impl Lines {
    fn open(path: &Path) -> Result<Self, RateError> {
        const BUFFER_BYTES: usize = 1 << 16;
        let file = File::open(path).map_err(|error| RateError::read(path, error))?;
        let mut csv = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(BUFFER_BYTES)
            .from_reader(WatchedEnd::new(file));
        let mut header = ByteRecord::new();
        let is_there =
            csv.read_byte_record(&mut header).map_err(|error| RateError::read(path, error.into()))?;
        if !is_there {
            return Err(RateError::Empty { file: path.to_owned() });
        }
        let columns = Columns::new(path, &header)?;
        Ok(Self { path: path.to_owned(), csv, columns })
    }

    /// Reads the next line; false after the last one.
    fn next(&mut self, record: &mut ByteRecord) -> Result<bool, RateError> {
        let is_there =
            self.csv.read_byte_record(record).map_err(|error| RateError::read(&self.path, error.into()))?;
        let (expected, found) = (self.columns.names.len(), record.len());
        if !is_there || found == expected {
            return Ok(is_there);
        }
        if self.is_torn() {
            return Err(self.torn(record));
        }
        Err(RateError::ValueCount { file: self.path.clone(), line: self.line(record), expected, found })
    }

    /// A name that must be there.
    fn name<'r>(&self, record: &'r ByteRecord, column: usize) -> Result<&'r str, RateError> {
        let text = self.text(record, column)?;
        if text.is_empty() {
            let problem = "a name is missing".to_owned();
            return Err(self.wrong(record, column, text, problem));
        }
        Ok(text)
    }

    /// A value that may be missing.
    fn optional<'r>(
        &self,
        record: &'r ByteRecord,
        column: Option<usize>,
    ) -> Result<Option<&'r str>, RateError> {
        let Some(column) = column else { return Ok(None) };
        Ok(Some(self.text(record, column)?).filter(|text| !text.is_empty()))
    }

    fn text<'r>(&self, record: &'r ByteRecord, column: usize) -> Result<&'r str, RateError> {
        let bytes = record.get(column).unwrap_or_default().trim_ascii();
        std::str::from_utf8(bytes).map_err(|_| {
            let value = String::from_utf8_lossy(bytes);
            let problem = format!("`{}` is not UTF-8", shown(&value));
            self.wrong(record, column, &value, problem)
        })
    }

    fn wrong(&self, record: &ByteRecord, column: usize, value: &str, problem: String) -> RateError {
        // Whatever tore the line tore its last value.
        if self.is_torn() && column + 1 == record.len() {
            return self.torn(record);
        }
        RateError::Value {
            file: self.path.clone(),
            line: self.line(record),
            column: self.columns.names[column].clone(),
            value: value.to_owned(),
            problem,
        }
    }

    /// Whether the line just read is the last one and has no end.
    fn is_torn(&self) -> bool {
        self.csv.get_ref().is_past_torn_end()
    }

    fn torn(&self, record: &ByteRecord) -> RateError {
        RateError::Torn { file: self.path.clone(), line: self.line(record) }
    }

    fn line(&self, record: &ByteRecord) -> u64 {
        line_number(&self.path, place(record))
    }
}

impl Columns {
    fn new(path: &Path, header: &ByteRecord) -> Result<Self, RateError> {
        let names: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
        let find = |meant: &[&str]| -> Result<Option<usize>, RateError> {
            let found: Vec<usize> = (0..names.len())
                .filter(|&place| meant.iter().any(|meant| names[place].eq_ignore_ascii_case(meant)))
                .collect();
            if found.len() < 2 {
                return Ok(found.first().copied());
            }
            let columns = found.iter().map(|&place| names[place].clone()).collect();
            Err(RateError::RepeatedColumn { file: path.to_owned(), columns })
        };
        let needed = [find(&["game"])?, find(&["white"])?, find(&["black"])?, find(&["result"])?];
        let optional =
            [find(&["pair", "pair_id"])?, find(&["opening", "opening_id"])?, find(&["match", "match_id"])?];
        let [Some(game), Some(white), Some(black), Some(result)] = needed else {
            let missing = ["game", "white", "black", "result"]
                .into_iter()
                .zip(needed)
                .filter(|(_, place)| place.is_none())
                .map(|(name, _)| name.to_owned())
                .collect();
            return Err(RateError::MissingColumns { file: path.to_owned(), missing, found: names });
        };
        let [pair, opening, id] = optional;
        Ok(Self { names, game, white, black, result, pair, opening, id })
    }
}

/// A reader that knows how its text ended.
struct WatchedEnd<R> {
    inner: R,
    last_byte: Option<u8>,
    is_at_end: bool,
}

impl<R> WatchedEnd<R> {
    fn new(inner: R) -> Self {
        Self { inner, last_byte: None, is_at_end: false }
    }

    /// Whether everything was read, and the last line had no end.
    ///
    /// The CSV reader asks for more after a line only if that line had no end.
    fn is_past_torn_end(&self) -> bool {
        self.is_at_end && !matches!(self.last_byte, None | Some(b'\n' | b'\r'))
    }
}

impl<R: Read> Read for WatchedEnd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.inner.read(buffer)?;
        self.is_at_end = n_read == 0;
        self.last_byte = buffer[..n_read].last().copied().or(self.last_byte);
        Ok(n_read)
    }
}

fn place(record: &ByteRecord) -> Place {
    record
        .position()
        .map_or(Place { byte: 0, line: 1 }, |position| Place { byte: position.byte(), line: position.line() })
}

/// The line at `place`, from 1. Errors are rare, so the file is read once more rather than every line counted twice.
fn line_number(path: &Path, place: Place) -> u64 {
    let count = || -> io::Result<u64> {
        let mut line = 1;
        let mut is_before = true;
        for (offset, byte) in BufReader::new(File::open(path)?).bytes().enumerate() {
            let byte = byte?;
            is_before = is_before && (offset as u64) < place.byte;
            if !is_before && !matches!(byte, b'\n' | b'\r') {
                return Ok(line);
            }
            line += u64::from(byte == b'\n');
        }
        // What can't be read twice, such as a pipe, ends here.
        Ok(place.line)
    };
    count().unwrap_or(place.line)
}

/// With a million matches, two of them share a fingerprint in one of thirty million files.
fn fingerprint(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn counted(matches: u64) -> String {
    if matches == 1 { "1 match".to_owned() } else { format!("{matches} matches") }
}
