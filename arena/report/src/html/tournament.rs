//! All the data of a page, collected match by match: counts, ratings, pairings, the list of matches. It makes no texts
//! and no drawings.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use engine_proto::{Games, Side};
use rayon::prelude::*;

use super::changes_view::ChangesView;
use super::engine_figures::EngineFigures;
use super::game_figures::GameFigures;
use super::heat_maps::HeatMaps;
use super::match_table::{MatchTable, NOT_RECORDED};
use super::pairings::Pairings;
use super::played_game::PlayedGame;
use super::replayed::Replayed;
use super::source::{self, Folder, ReportError};
use super::worker_figures::WorkerFigures;
use crate::TimeLosses;
use model::Record;
use ratings::{Checks, FinishedMatch, RatingSettings, Standings, Tally, Validity};
use store::result_files::ColumnName;
use store::{MATCHES_JSONL, PlayedBuilds};

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
            folders.push(if path.is_file() && path.file_name() != Some(OsStr::new(MATCHES_JSONL)) {
                gathered.read_file(place, path, columns)?
            } else {
                gathered.read(place, path, &mut played)?
            });
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

    /// An engine's index.
    pub fn place(&self, engine: &str) -> usize {
        self.engines.binary_search_by(|(name, _)| name.as_str().cmp(engine)).unwrap_or(self.engines.len())
    }

    /// The name of a match in links: its number; with several folders, the folder's number comes first.
    pub fn id(&self, (folder, number): (usize, u32)) -> String {
        if self.folders.len() == 1 { number.to_string() } else { format!("{}-{number}", folder + 1) }
    }
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
            waiting.push(record);
            if waiting.len() == REPLAYED_AT_ONCE {
                self.add_all(place, &mut waiting);
            }
        })?;
        self.add_all(place, &mut waiting);
        Ok(folder)
    }

    /// Replays matches on all processors, and takes them in in their order.
    fn add_all(&mut self, folder: usize, records: &mut Vec<Record>) {
        let replay = |record| Replayed::of(&self.known_games, record);
        let replayed: Vec<Replayed> = records.par_iter().map(replay).collect();
        for (record, replayed) in records.drain(..).zip(&replayed) {
            self.add(folder, &record, replayed);
        }
    }

    fn add(&mut self, folder: usize, record: &Record, replayed: &Replayed) {
        // Pair numbers start again in every folder.
        let pair = format!("{folder} {}", record.pair);
        let game = record.rated_game();
        let finished = record.finished(&game, &pair);
        self.count(folder, &finished);
        self.builds.add(record);
        self.workers.add(record);
        self.time_losses.add(record);
        if !record.is_void() {
            self.games.entry(PlayedGame::of(record)).or_default().add(record, &replayed.choices);
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
        let board = self.matches.add(&self.known_games, record, replayed, folder, engines);
        self.heat_maps.add(board, record, replayed);
    }

    /// Reads a file of another tool: results without replays.
    fn read_file(
        &mut self,
        place: usize,
        path: &Path,
        columns: &[ColumnName],
    ) -> Result<Folder, ReportError> {
        let mut number_of_match = 0;
        let games = self.known_games.clone();
        source::read_file(&games, path, columns, |played, told| {
            number_of_match += 1;
            let pair = played.pair.map(|pair| format!("{place} {pair}"));
            let played = FinishedMatch { pair: pair.as_deref(), ..*played };
            let reason = told.reason.filter(|reason| !reason.is_empty()).unwrap_or(NOT_RECORDED);
            self.count(place, &played);
            let game = PlayedGame::named(&games, played.game);
            let opening = played.opening.unwrap_or_default();
            if !played.is_void() {
                self.games.entry(game.clone()).or_default().add_result(played.result, reason, opening);
            }
            let engines = Side::ALL.map(|side| {
                let number = self.number(if side == Side::White { played.white } else { played.black });
                self.engines[number].add_result(&played, reason, side, &game, (place, number_of_match));
                number
            });
            self.matches.add_result(game, &played, reason, told, (place, number_of_match), engines);
        })
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
                ChangesView::new(&self.known_games, named, RatingSettings::default().confidence)
            }
            _ => None,
        };
        let mut standings = Standings::new(&self.tally, &settings);
        let order: Vec<String> = folders.iter().flat_map(|folder| folder.games.clone()).collect();
        standings.order_games(&order);
        let mut games: Vec<_> = self.games.into_iter().collect();
        games.sort_by_key(|(game, _)| order.iter().position(|one| *one == game.id()).unwrap_or(order.len()));
        standings.add_probabilities();
        for folder in &folders {
            self.builds.add_engines(&folder.engines);
        }
        for note in self.builds.notes().into_iter().chain(self.time_losses.note()) {
            standings.add_remark(&note);
        }
        Tournament {
            known_games: self.known_games,
            folders,
            engines,
            games,
            pairings: self.pairings,
            matches: self.matches,
            heat_maps: self.heat_maps,
            n_matches: self.n_matches,
            standings,
            builds,
            workers: self.workers,
            changes,
        }
    }
}
