//! Reads files of results into a tally, match by match. The modules of the formats parse the files.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use engine_proto::Games;
use engine_proto::fen::shown;

use super::csv_file::ColumnName;
use super::error::ReadError;
use super::input::{FilesSeen, Input, Kind, file_of};
use super::row::{Field, Place, Row, Source, Told, UNFINISHED, fingerprint};
use super::shared_rows::SharedRows;
use super::{csv_file, journal_file, pgn_file};
use crate::{MATCHES_CSV, MATCHES_JSONL, PlayedBuilds, read_tournament};
use model::{Format, Tournament, rated_game};
use ratings::{FinishedMatch, GamePairs, MOST_ENGINES, Note, PairSequence, Tally, UnknownResult};
use schedule::planning;

/// The matches of all files read so far.
pub struct Reader<'a> {
    known: &'a Games,
    /// The games to use, with or without limits; all of them if empty.
    games: &'a [String],
    /// The limits to use, by name; all of them if there is none.
    limits: Option<&'a str>,
    /// The names of a table's columns that are not standard.
    columns: &'a [ColumnName],
    tally: Tally,
    /// The pairs of the two engines to compare.
    pairs: Option<PairSequence>,
    games_seen: BTreeSet<String>,
    limits_seen: BTreeSet<String>,
    files: Vec<PathBuf>,
    files_seen: FilesSeen,
    shared_rows: SharedRows,
    /// By the fingerprint of the match's id, the game, the engines and the opening.
    matches_seen: HashMap<u64, Seen>,
    /// Positions in the order in which matches started: of the current file's first one, and of the next one.
    first_place: usize,
    next_place: usize,
    n_repeated: u64,
    /// The number of matches whose number a different match of another folder has, too.
    n_of_other_folders: u64,
    /// Whether the schedule of a tournament depended on its results.
    depends_on_results: bool,
    order: Vec<String>,
    n_unfinished: u64,
    /// Whether the matches of this file have no schedule: a person may have chosen where they begin.
    is_free: bool,
    n_own_starts: u64,
    builds: PlayedBuilds,
    /// The engine whose builds are engines of their own.
    split: Option<Split<'a>>,
    notes: Vec<String>,
    /// Receives each match that counts.
    telling: Option<&'a mut Tell<'a>>,
}

/// Receives each match that counts, with what else the file says of it.
type Tell<'a> = dyn FnMut(&FinishedMatch<'_>, Told<'_>) + 'a;

/// An engine whose builds are engines of their own.
struct Split<'a> {
    engine: &'a str,
    /// The builds so far, by name.
    builds: Vec<String>,
}

impl Split<'_> {
    /// The name under which a side of a match is rated.
    fn name<'b>(&mut self, engine: &'b str, build: Option<&str>) -> Cow<'b, str> {
        let Some(build) = build.filter(|_| engine == self.engine) else { return Cow::Borrowed(engine) };
        let name = format!("{engine}@{build}");
        if !self.builds.contains(&name) {
            self.builds.push(name.clone());
        }
        Cow::Owned(name)
    }
}

/// The content of all files.
pub struct FileContents {
    /// The matches of the games to use.
    pub tally: Tally,
    /// All games, including those that are not used.
    pub games: BTreeSet<String>,
    /// The names of all limits, including those that are not used.
    pub limits: BTreeSet<String>,
    /// The pairs of the two engines to compare, by game, in the order in which they started.
    pub pairs: BTreeMap<String, GamePairs>,
    /// The names of the builds of the engine whose builds are engines of their own, in the order of their first match.
    pub builds: Vec<String>,
    /// Whether results decided how many matches were played, or which: only intervals that are valid at any time hold.
    pub depends_on_results: bool,
    /// The games in the order of the tournaments, as far as these are known.
    pub order: Vec<String>,
    /// Notes for the reader of the ratings, as text.
    pub notes: Vec<Note>,
}

impl FileContents {
    /// Checks that there are matches under the limits with this name, if there is one.
    ///
    /// # Errors
    /// If there are none.
    pub fn check_limits(&self, name: Option<&str>) -> Result<(), ReadError> {
        let unknown = name.filter(|name| !self.limits.contains(*name));
        unknown.map_or(Ok(()), |name| Err(ReadError::unknown("time control", name, &self.limits)))
    }

    /// Checks that the matches of `files` can be rated.
    ///
    /// # Errors
    /// If there are no matches, or too many engines.
    pub fn check(&self, files: &[PathBuf]) -> Result<(), ReadError> {
        match self.tally.largest_game() {
            None => Err(ReadError::NoMatches { files: files.to_vec() }),
            Some((game, engines)) if MOST_ENGINES < engines => {
                Err(ReadError::TooManyEngines { game: game.to_owned(), engines })
            }
            Some(_) => Ok(()),
        }
    }
}

/// What distinguishes matches with the same number.
#[derive(Clone, Copy, Hash)]
struct Data {
    /// A fingerprint of result and pair.
    content: u64,
    /// A fingerprint of length and times, if given.
    detail: Option<u64>,
}

impl Data {
    /// Whether both may be data of one match.
    fn agrees(self, other: Self) -> bool {
        let is_same_detail = self.detail.is_none() || other.detail.is_none() || self.detail == other.detail;
        self.content == other.content && is_same_detail
    }
}

/// Where a match was first read.
struct Seen {
    data: Data,
    file: u32,
    place: Place,
}

impl<'a> Reader<'a> {
    /// A reader for the matches of `games`; of all games if empty. The tournaments of results folders may name the `known` ones.
    pub fn new(known: &'a Games, games: &'a [String]) -> Self {
        Self {
            known,
            games,
            limits: None,
            columns: &[],
            tally: Tally::new(),
            pairs: None,
            games_seen: BTreeSet::new(),
            limits_seen: BTreeSet::new(),
            files: Vec::new(),
            files_seen: FilesSeen::default(),
            shared_rows: SharedRows::default(),
            matches_seen: HashMap::new(),
            first_place: 0,
            next_place: 0,
            n_repeated: 0,
            n_of_other_folders: 0,
            depends_on_results: false,
            order: Vec::new(),
            n_unfinished: 0,
            is_free: false,
            n_own_starts: 0,
            builds: PlayedBuilds::default(),
            split: None,
            notes: Vec::new(),
            telling: None,
        }
    }

    /// The same reader, for tables with other column names.
    #[must_use]
    pub fn with_columns(self, columns: &'a [ColumnName]) -> Self {
        Self { columns, ..self }
    }

    /// The same reader, for the matches under the limits with this name, whose games then need no other names; for all matches
    /// without a name.
    #[must_use]
    pub fn under(self, limits: Option<&'a str>) -> Self {
        Self { limits, ..self }
    }

    /// The same reader, which also collects the pairs of `first` against `second`.
    #[must_use]
    pub fn with_pairs_of(self, first: &str, second: &str) -> Self {
        Self { pairs: Some(PairSequence::new(first, second)), ..self }
    }

    /// The same reader, for which each build of `engine` is an engine of its own, named `engine@build`.
    #[must_use]
    pub fn splitting(self, engine: &'a str) -> Self {
        Self { split: Some(Split { engine, builds: Vec::new() }), ..self }
    }

    /// The same reader, which also tells each match that counts.
    #[must_use]
    pub fn telling(self, tell: &'a mut Tell<'a>) -> Self {
        Self { telling: Some(tell), ..self }
    }

    /// Reads `path`: a file of results, or a results folder. A file that was read before is skipped.
    ///
    /// # Errors
    /// If it cannot be read or is invalid.
    pub fn read(&mut self, path: &Path) -> Result<(), ReadError> {
        let path = file_of(path)?;
        if let Some(note) = self.files_seen.insert(&path) {
            self.notes.push(note);
            return Ok(());
        }
        let input = Input::open(&path)?;
        // Pairs of different files are independent.
        let mut pair = format!("{} ", self.files.len());
        let prefix = pair.len();
        self.files.push(path.clone());
        let tournament = tournament_of(self.known, &path);
        self.is_free = tournament.as_ref().is_some_and(|tournament| tournament.format == Format::Free);
        if let Some(tournament) = tournament {
            self.depends_on_results |= planning::depends_on_results(&tournament);
            self.order.extend(tournament.rated_games());
            self.builds.add_engines(&tournament.engines);
        }
        self.shared_rows.begin(path.clone());
        self.first_place = self.next_place;
        let (columns, with_moves) = (self.columns, self.telling.is_some());
        let mut take = |row: &Row<'_>, source: &dyn Source| {
            pair.truncate(prefix);
            self.take(row, source, &mut pair)
        };
        match input.kind {
            Kind::Csv => csv_file::read(&path, input.bytes, columns, &mut take),
            Kind::Pgn => pgn_file::read(&path, input.bytes, with_moves, &mut take),
            Kind::Journal => {
                if journal_file::read(&path, input.bytes, &mut take)? {
                    let path = path.display();
                    self.notes.push(format!("{path}: the last line is incomplete and not counted"));
                }
                Ok(())
            }
        }
    }

    /// The content of all files.
    pub fn finish(self) -> FileContents {
        let mut notes = self.notes;
        if self.n_repeated != 0 {
            notes.push(format!("{} given several times and counted once", counted(self.n_repeated)));
        }
        if self.n_of_other_folders != 0 {
            notes.push(format!(
                "{} with a number that a different match of another folder has, too; all of them are counted",
                counted(self.n_of_other_folders)
            ));
        }
        if self.n_unfinished != 0 {
            notes.push(format!(
                "{} without a result (`{UNFINISHED}`) not counted",
                counted(self.n_unfinished)
            ));
        }
        if self.n_own_starts != 0 {
            notes.push(format!(
                "{} from a position of your own counted like the others",
                counted(self.n_own_starts)
            ));
        }
        notes.extend(alike(self.tally.engines()));
        notes.extend(self.shared_rows.notes());
        FileContents {
            tally: self.tally,
            games: self.games_seen,
            limits: self.limits_seen,
            depends_on_results: self.depends_on_results,
            order: self.order,
            pairs: self.pairs.map(PairSequence::finish).unwrap_or_default(),
            builds: self.split.map(|split| split.builds).unwrap_or_default(),
            notes: notes.into_iter().map(Note::from).chain(self.builds.notes()).collect(),
        }
    }

    fn take(&mut self, row: &Row<'_>, source: &dyn Source, pair: &mut String) -> Result<(), ReadError> {
        let &Row { game, limits, white, black, result, opening, moves, ending, .. } = row;
        if white == black {
            let problem = format!("engine `{}` plays against itself", shown(black));
            return Err(source.wrong(Field::Black, problem));
        }
        if !self.games_seen.contains(game) {
            self.games_seen.insert(game.to_owned());
        }
        if let Some(limits) = limits {
            self.games_seen.insert(rated_game(game, Some(limits)).into_owned());
            self.limits_seen.insert(limits.to_owned());
        }
        if result == UNFINISHED {
            self.n_unfinished += 1;
            return Ok(());
        }
        let result =
            result.parse().map_err(|error: UnknownResult| source.wrong(Field::Result, error.to_string()))?;
        if let Some(id) = row.id {
            // Match numbers start from 1 in every tournament, so the engines and the opening are part of a match's
            // identity.
            let identity = fingerprint((id, game, limits, white, black, opening));
            let data = Data { content: fingerprint((result, row.pair)), detail: row.detail };
            if self.is_repeated(id, identity, data, row.place)? {
                return Ok(());
            }
        } else if let Some(content) = source.content() {
            self.shared_rows.add(content);
        }
        let rated = rated_game(game, limits.filter(|_| self.limits.is_none()));
        let is_other_game = !self.games.is_empty()
            && !self.games.iter().any(|wanted| [game, &rated].contains(&wanted.as_str()));
        if is_other_game || self.limits.is_some() && self.limits != limits {
            return Ok(());
        }
        if self.is_free && opening.is_some_and(|fen| is_own_start(self.known, game, fen)) {
            self.n_own_starts += 1;
        }
        let game = rated.as_ref();
        let pair = row.pair.map(|pair_in_file| {
            pair.push_str(pair_in_file);
            pair.as_str()
        });
        let [white, black] = match &mut self.split {
            Some(split) => [split.name(white, row.builds[0]), split.name(black, row.builds[1])],
            None => [white, black].map(Cow::Borrowed),
        };
        let (white, black) = (white.as_ref(), black.as_ref());
        for (engine, build) in [white, black].into_iter().zip(row.builds) {
            self.builds.add_side(engine, build);
        }
        let played = FinishedMatch { game, white, black, result, pair, opening, moves, ending };
        let place = row.number.map_or(self.next_place, |number| self.first_place + number as usize);
        self.next_place = self.next_place.max(place + 1);
        if let Some(pairs) = &mut self.pairs {
            pairs.add_at(place, &played);
        }
        self.tally.add(&played).map_err(|error| source.wrong(Field::Black, error.to_string()))?;
        if let Some(tell) = &mut self.telling {
            tell(&played, row.told);
        }
        Ok(())
    }

    /// Whether the same match with the same data was read before. In two folders, matches with one number and other data are
    /// matches of two tournaments.
    fn is_repeated(
        &mut self,
        id: &str,
        mut identity: u64,
        data: Data,
        place: Place,
    ) -> Result<bool, ReadError> {
        let file = self.files.len() - 1;
        while let Some(first) = self.matches_seen.get(&identity) {
            if first.data.agrees(data) {
                self.n_repeated += 1;
                return Ok(true);
            }
            let (file, first_file) = (&self.files[file], &self.files[first.file as usize]);
            if file.parent() == first_file.parent() {
                return Err(ReadError::Conflict {
                    id: id.to_owned(),
                    file: file.clone(),
                    line: place.line_number(file),
                    first_file: first_file.clone(),
                    first_line: first.place.line_number(first_file),
                });
            }
            identity = fingerprint((identity, first.data));
            if !self.matches_seen.contains_key(&identity) {
                self.n_of_other_folders += 1;
            }
        }
        self.matches_seen.insert(identity, Seen { data, file: file as u32, place });
        Ok(false)
    }
}

/// Whether `path` is in a results folder whose tournament has an adaptive schedule or a stop rule.
fn tournament_of(games: &Games, path: &Path) -> Option<Tournament> {
    let is_of_folder = path.file_name().is_some_and(|name| name == MATCHES_JSONL || name == MATCHES_CSV);
    let folder = path.parent().filter(|_| is_of_folder);
    folder.and_then(|folder| read_tournament(games, folder).ok())
}

/// Whether a match began from none of its game's positions. Of random ones that is not known.
fn is_own_start(games: &Games, game: &str, fen: &str) -> bool {
    let info = games.parse(game).ok().and_then(|game| games.info(game).ok());
    info.is_some_and(|info| info.starts.iter().all(|start| !start.random && start.fen != fen))
}

/// A note on names that differ only in case, which may be one engine.
fn alike(engines: Vec<&str>) -> Option<String> {
    let mut by_name: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for engine in engines {
        by_name.entry(engine.to_lowercase()).or_default().push(engine);
    }
    let groups = by_name.into_values().filter(|names| names.len() > 1);
    let groups: Vec<String> = groups.map(|names| names.join(" and ")).collect();
    (!groups.is_empty())
        .then(|| format!("{} differ only in case, and are counted as different engines", groups.join(", ")))
}

fn counted(matches: u64) -> String {
    if matches == 1 { "1 match".to_owned() } else { format!("{matches} matches") }
}
