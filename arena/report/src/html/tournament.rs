//! All the data of a page, collected match by match: counts, ratings, pairings, the list of matches. It makes no texts
//! and no drawings.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use engine_proto::{Games, Side};
use rayon::prelude::*;

use super::changes_view::ChangesView;
use super::copied_command::last_part;
use super::engine_figures::EngineFigures;
use super::file_facts::{self, FileFacts};
use super::game_figures::GameFigures;
use super::heat_maps::HeatMaps;
use super::match_table::{InFile, MOST_REPLAYED, MatchTable, NOT_RECORDED};
use super::pairings::Pairings;
use super::played_game::PlayedGame;
use super::replayed::Replayed;
use super::source::{self, Folder, ReportError};
use super::words::counted;
use super::worker_figures::WorkerFigures;
use crate::TimeLosses;
use crate::tables::is_early;
use model::{Record, SideLetter};
use ratings::{Checks, FinishedMatch, Note, RatingSettings, Scope, Standings, Tally, Validity};
use schedule::pgn;
use schedule::stop::Finding;
use store::result_files::ColumnName;
use store::{MATCHES_CSV, MATCHES_JSONL, PlayedBuilds};

/// So many matches are replayed together, and kept in memory.
const REPLAYED_AT_ONCE: usize = 64;

/// The tournaments of some results folders, as one.
#[derive(Debug)]
pub struct Tournament {
    /// The games whose rules are known.
    pub known_games: Games,
    /// The folders.
    pub folders: Vec<Folder>,
    /// The engines by name, each with its counts.
    pub engines: Vec<(String, EngineFigures)>,
    /// The games that were played, in the order of the folders' tournaments; others follow by their ids.
    pub games: Vec<(PlayedGame, GameFigures)>,
    /// Every two engines against each other.
    pub pairings: Pairings,
    /// All matches.
    pub matches: MatchTable,
    /// The squares of moves, captures and wins.
    pub heat_maps: HeatMaps,
    /// Their number.
    pub n_matches: u64,
    /// The matches that cannot be replayed to their end, by folder and number.
    pub cut: Vec<(usize, u32)>,
    /// The ratings.
    pub standings: Standings,
    /// The builds that played, for each folder.
    pub builds: Vec<PlayedBuilds>,
    /// The machines that played, in a tournament with several.
    pub workers: WorkerFigures,
    /// Which ratings changed from the first of two inputs to the second.
    pub changes: Option<ChangesView>,
}

impl Tournament {
    /// Reads the folders and counts all of their matches, which are of these games or of their own.
    ///
    /// # Errors
    /// If a journal does not exist or cannot be read.
    pub fn read(games: &Games, paths: &[PathBuf], columns: &[ColumnName]) -> Result<Self, ReportError> {
        let mut gathered = Gathered { known_games: games.clone(), ..Gathered::default() };
        let (paths, repeated) = without_repeats(paths)?;
        let mut folders = Vec::with_capacity(paths.len());
        let mut builds = Vec::with_capacity(paths.len());
        for (place, path) in paths.into_iter().enumerate() {
            let mut played = PlayedBuilds::default();
            gathered.tallies.push(Tally::default());
            let table = table_of(path);
            let file = table.as_deref().unwrap_or(path);
            let mut folder = if file.is_file() && file.file_name() != Some(OsStr::new(MATCHES_JSONL)) {
                gathered.read_file(place, file, columns)?
            } else {
                gathered.read(place, path, &mut played)?
            };
            let is_table = file.file_name() == Some(OsStr::new(MATCHES_CSV));
            if let Some(parent) = file.parent().filter(|_| is_table) {
                folder.name = last_part(&parent.join("."));
            }
            folders.push(folder);
            builds.push(played);
        }
        if let Some(first) = folders.first_mut() {
            first.notes.extend(repeated);
        }
        Ok(gathered.finish(folders, builds))
    }

    /// The notes on the folders, in words.
    pub fn notes(&self) -> Vec<String> {
        self.folders.iter().flat_map(|folder| folder.notes.clone()).collect()
    }

    /// A note on the matches that cannot be replayed to their end: the words before the first of them, and its id.
    pub fn note_on_cut(&self) -> Option<(String, String)> {
        let first = self.id(*self.cut.first()?);
        let matches = counted(self.cut.len() as u64, "match", "matches");
        let begin = if self.cut.len() == 1 { "" } else { "the first is " };
        Some((format!("{matches} cannot be replayed to the end, but the result counts: {begin}"), first))
    }

    /// What the files of other tools say of all matches; `None` if some are of results folders.
    pub fn file_facts(&self) -> Option<FileFacts> {
        let all: Option<Vec<_>> = self.folders.iter().map(|folder| folder.file_facts.as_ref()).collect();
        all.map(FileFacts::of_all)
    }

    /// What the stop rules of a single folder found.
    pub fn findings(&self) -> &[Finding] {
        match self.folders.as_slice() {
            [folder] => &folder.findings,
            _ => &[],
        }
    }

    /// Whether any tournament has all its matches.
    pub fn is_over(&self) -> bool {
        self.folders.iter().any(|folder| folder.unfinished.is_none())
    }

    /// Whether the ratings of a scope say nothing yet.
    pub fn is_early(&self, scope: &Scope) -> bool {
        is_early(scope, self.findings(), self.is_over())
    }

    /// Sorts the engines by their scores where their ratings say nothing yet.
    pub fn sort_early(&mut self) {
        let mut scopes = std::mem::take(&mut self.standings.scopes);
        for scope in scopes.iter_mut().filter(|scope| self.is_early(scope)) {
            let mut by_score = scope.engines.clone();
            by_score.sort_by(|one, other| other.score.total_cmp(&one.score));
            scope.head_to_head = by_score.first().and_then(|first| scope.lead_of(&first.engine));
            scope.engines = by_score;
        }
        self.standings.scopes = scopes;
    }

    /// An engine's index.
    pub fn place(&self, engine: &str) -> usize {
        self.engines.binary_search_by(|(name, _)| name.as_str().cmp(engine)).unwrap_or(self.engines.len())
    }

    /// The name of a match in links: its number; with several folders, the folder's number comes first.
    pub fn id(&self, (folder, number): (usize, u32)) -> String {
        if self.folders.len() == 1 { number.to_string() } else { format!("{}-{number}", folder + 1) }
    }
}

/// The table of a folder whose journal was not copied with it: it has the results, and no moves.
fn table_of(path: &Path) -> Option<PathBuf> {
    let table = path.join(MATCHES_CSV);
    (table.is_file() && !path.join(MATCHES_JSONL).exists()).then_some(table)
}

/// The inputs without those that are given again, and a note for each of these.
fn without_repeats(paths: &[PathBuf]) -> Result<(Vec<&Path>, Vec<String>), ReportError> {
    let mut seen = HashSet::new();
    let (mut inputs, mut notes) = (Vec::new(), Vec::new());
    for path in paths {
        let whole = path.canonicalize().map_err(|_| ReportError::Missing { path: path.clone() })?;
        if seen.insert(whole) {
            inputs.push(path.as_path());
        } else {
            notes.push(format!("{} is given twice and read once", path.display()));
        }
    }
    Ok((inputs, notes))
}

/// A match that is to be replayed; one of a file still without its moves, with what the file says of it.
type Waiting = (Record, Option<InFile>);

/// Adds the moves of a PGN game to its record.
fn add_moves(games: &Games, record: &mut Record, game: &pgn::Game) {
    let Ok(play) = games.play(record.game, &record.opening) else { return };
    record.moves = pgn::read_moves(game, play);
    record.plies = record.moves.len() as u32;
    let ms = |side| {
        let moves = record.moves.iter().filter(|mv| mv.side == side);
        moves.fold(0_u64, |sum, mv| sum.saturating_add(mv.time_us)) / 1000
    };
    (record.white_ms, record.black_ms) = (ms(SideLetter::White), ms(SideLetter::Black));
}

/// Data collected while journals are read. Engines are numbered in the order in which they appear.
#[derive(Debug, Default)]
struct Gathered {
    known_games: Games,
    numbers: BTreeMap<String, usize>,
    engines: Vec<EngineFigures>,
    games: BTreeMap<PlayedGame, GameFigures>,
    pairings: Pairings,
    matches: MatchTable,
    heat_maps: HeatMaps,
    n_matches: u64,
    cut: Vec<(usize, u32)>,
    tally: Tally,
    /// By input.
    tallies: Vec<Tally>,
    /// Of all folders.
    builds: PlayedBuilds,
    workers: WorkerFigures,
    time_losses: TimeLosses,
}

impl Gathered {
    fn read(&mut self, place: usize, path: &Path, played: &mut PlayedBuilds) -> Result<Folder, ReportError> {
        // The journal of a results folder stands for the folder.
        let path = if path.is_file() { path.parent().unwrap_or(path) } else { path };
        self.known_games = store::known_games(&self.known_games, path);
        let games = self.known_games.clone();
        let mut waiting = Vec::new();
        let folder = source::read(&games, path, |record| {
            played.add(&record);
            self.builds.add(&record);
            self.workers.add(&record);
            self.time_losses.add(&record);
            // Pair numbers start again in every folder.
            self.count(place, &record.finished(&record.rated_game(), &format!("{place} {}", record.pair)));
            waiting.push((record, None));
            if waiting.len() == REPLAYED_AT_ONCE {
                self.add_all(place, &mut waiting);
            }
        })?;
        self.add_all(place, &mut waiting);
        Ok(folder)
    }

    /// Replays matches on all processors, and takes them in in their order.
    fn add_all(&mut self, folder: usize, waiting: &mut Vec<Waiting>) {
        let replay = |(record, in_file): &mut Waiting| {
            if let Some(game) = in_file.as_ref().and_then(|told| told.game.as_ref()) {
                add_moves(&self.known_games, record, game);
            }
            let replayed = Replayed::of(&self.known_games, record, in_file.is_some());
            // Other tools say little of an end by the rules: nothing, or that it was normal.
            if in_file.is_some()
                && [NOT_RECORDED, "normal"].contains(&record.reason.to_ascii_lowercase().as_str())
                && let Some(end) = replayed.end.filter(|end| end.winner == record.result.winner())
            {
                end.reason.clone_into(&mut record.reason);
            }
            replayed
        };
        let replayed: Vec<Replayed> = waiting.par_iter_mut().map(replay).collect();
        for ((record, in_file), replayed) in waiting.drain(..).zip(&replayed) {
            self.add((folder, in_file), &record, replayed);
        }
    }

    fn add(&mut self, (folder, in_file): (usize, Option<InFile>), record: &Record, replayed: &Replayed) {
        if replayed.problem.is_some() {
            self.cut.push((folder, record.number));
        }
        if !record.is_void() {
            // Games with one name for their openings may have made other moves.
            let listed = in_file.as_ref().map_or(&record.opening, |told| &told.opening);
            let opening = if listed.starts_with("ECO ") { "" } else { listed };
            self.games.entry(PlayedGame::of(record)).or_default().add(record, &replayed.choices, opening);
        }
        let engines = Side::ALL.map(|side| {
            let name = match side {
                Side::White => &record.white,
                Side::Black => &record.black,
            };
            let number = self.number(name);
            self.engines[number].add(record, side, folder);
            number
        });
        let board = self.matches.add(&self.known_games, record, replayed, (folder, in_file), engines);
        self.heat_maps.add(board, record, replayed);
    }

    /// Reads a file of another tool: results, and replays if it has the moves of a known game.
    fn read_file(
        &mut self,
        place: usize,
        path: &Path,
        columns: &[ColumnName],
    ) -> Result<Folder, ReportError> {
        let mut number_of_match = 0;
        let games = self.known_games.clone();
        let mut waiting = Vec::new();
        let folder = source::read_file(&games, path, columns, |played, told| {
            number_of_match += 1;
            let pair = played.pair.map(|pair| format!("{place} {pair}"));
            let played = FinishedMatch { pair: pair.as_deref(), ..*played };
            let reason = told.reason.filter(|reason| !reason.is_empty()).unwrap_or(NOT_RECORDED);
            self.count(place, &played);
            let game = PlayedGame::named(&games, played.game);
            let mut in_file = InFile {
                opening: played.opening.or(told.named_opening).unwrap_or_default().to_owned(),
                plies: told.plies.or_else(|| Some(told.pgn?.1.words.len() as u32)),
                times_ms: told.times_ms,
                round: told.round.map(str::to_owned),
                date: file_facts::date(&told),
                pair: played.pair.map(str::to_owned),
                place: told.pgn.map(|(place, _)| place),
                game: None,
            };
            let is_kept = number_of_match <= MOST_REPLAYED;
            in_file.game = told.pgn.map(|(_, pgn)| pgn).filter(|_| is_kept).cloned();
            if in_file.game.as_ref().is_some_and(|pgn| !pgn.words.is_empty())
                && let Some(id) = game.known()
                && let Ok(start) =
                    played.opening.map_or_else(|| games.startpos(id), |fen| games.import(id, fen))
            {
                let names = [played.white, played.black];
                let mut record = Record::of(id, start.fen(), names, played.result, reason);
                (record.number, record.limits) = (number_of_match, game.limits().map(str::to_owned));
                waiting.push((record, Some(in_file)));
                if waiting.len() == REPLAYED_AT_ONCE {
                    self.add_all(place, &mut waiting);
                }
                return;
            }
            let opening = played.opening.unwrap_or_default();
            if !played.is_void() {
                self.games.entry(game.clone()).or_default().add_result(played.result, reason, opening);
            }
            let engines = Side::ALL.map(|side| {
                let number = self.number(if side == Side::White { played.white } else { played.black });
                self.engines[number].add_result(&played, reason, side, &game, (place, number_of_match));
                number
            });
            self.matches.add_result(game, &played, reason, in_file, (place, number_of_match), engines);
        })?;
        self.add_all(place, &mut waiting);
        Ok(folder)
    }

    /// Counts a match for the ratings.
    fn count(&mut self, folder: usize, played: &FinishedMatch<'_>) {
        for tally in [&mut self.tally, &mut self.tallies[folder]] {
            tally.add(played).expect("an engine against itself was left out");
        }
        self.n_matches += 1;
        self.pairings.add(played);
    }

    fn number(&mut self, engine: &str) -> usize {
        if let Some(&number) = self.numbers.get(engine) {
            return number;
        }
        self.numbers.insert(engine.to_owned(), self.engines.len());
        self.engines.push(EngineFigures::default());
        self.engines.len() - 1
    }

    fn finish(mut self, mut folders: Vec<Folder>, builds: Vec<PlayedBuilds>) -> Tournament {
        // Folders of one tournament file are told apart by their paths.
        let names: Vec<String> = folders.iter().map(|folder| folder.name.clone()).collect();
        for folder in &mut folders {
            if names.iter().filter(|name| **name == folder.name).count() > 1 {
                folder.name.clone_from(&folder.path);
            }
        }
        let mut places = vec![0; self.engines.len()];
        for (place, &number) in self.numbers.values().enumerate() {
            places[number] = place;
        }
        self.matches.finish(&places);
        let mut figures: Vec<_> = self.engines.into_iter().map(Some).collect();
        let engines = self
            .numbers
            .into_iter()
            .map(|(name, number)| (name, figures[number].take().unwrap_or_default()))
            .collect();
        let mut settings = RatingSettings { checks: Checks::All, ..RatingSettings::default() };
        if folders.iter().any(|folder| folder.depends_on_results) {
            settings.validity = Validity::AnyTime;
        }
        // Two inputs are compared, the older one first.
        let changes = match (self.tallies.as_slice(), folders.as_slice()) {
            ([old, new], [old_folder, new_folder]) => {
                let [old, new] = [old, new].map(|tally| Standings::new(tally, &RatingSettings::default()));
                let named = [(old_folder.name.as_str(), &old), (new_folder.name.as_str(), &new)];
                Some(ChangesView::new(&self.known_games, named, RatingSettings::default().confidence))
            }
            _ => None,
        };
        let mut standings = Standings::new(&self.tally, &settings);
        let order: Vec<String> = folders.iter().flat_map(|folder| folder.games.clone()).collect();
        standings.order_games(&order);
        let mut games: Vec<_> = self.games.into_iter().collect();
        let place = |game: &PlayedGame| standings.scopes.iter().position(|scope| scope.name == game.id());
        games.sort_by_key(|(game, _)| place(game).unwrap_or(usize::MAX));
        standings.add_probabilities();
        for folder in &folders {
            self.builds.add_engines(&folder.engines);
        }
        let time_losses = self.time_losses.note().map(Note::from);
        self.builds.notes().into_iter().chain(time_losses).for_each(|note| standings.add_note(note));
        Tournament {
            known_games: self.known_games,
            folders,
            engines,
            games,
            pairings: self.pairings,
            matches: self.matches,
            heat_maps: self.heat_maps,
            n_matches: self.n_matches,
            cut: self.cut,
            standings,
            builds,
            workers: self.workers,
            changes,
        }
    }
}
