//! The results folder of matches without a schedule: a person's. Each match gets the next number.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::folder::{Opened, open_locked};
use super::journal::{cut_torn_line, read_records, write_line};
use super::{MATCHES_CSV, MATCHES_JSONL, ResultsError, TOURNAMENT, io_error, new_csv, read_tournament};
use host::lock::Lock;
use host::output::write_whole;
use model::{CsvRow, Engine, Format, Record, Tournament};

/// An open folder. It is locked: only one arena can open it.
#[derive(Debug)]
pub struct Casual {
    opened: Opened,
    journal: File,
    csv: csv::Writer<File>,
    last: u32,
    _lock: Lock,
}

impl Casual {
    /// Whether the folder, which need not exist, is one for these matches. Writes nothing.
    ///
    /// # Errors
    /// If the folder has matches with a schedule, or of another player with the same name.
    pub fn check(folder: &Path, tournament: &Tournament) -> Result<(), ResultsError> {
        joined(folder, tournament).map(drop)
    }

    /// Opens or creates the folder. The engines and games of `tournament` are added to those that played there before.
    ///
    /// # Errors
    /// If the folder has matches with a schedule, is in use, or cannot be read or written.
    pub fn open(folder: &Path, tournament: &Tournament) -> Result<Self, ResultsError> {
        fs::create_dir_all(folder).map_err(io_error("create the folder", folder))?;
        let path = folder.join(MATCHES_JSONL);
        let (mut journal, lock) = open_patiently(folder, &path)?;
        // Another arena may have added players until now.
        let tournament = joined(folder, tournament)?;
        cut_torn_line(&mut journal, &path).map_err(io_error("repair", &path))?;
        let toml = folder.join(TOURNAMENT);
        write_whole(&toml, |file| file.write_all(config::stored::write(&tournament).as_bytes()))
            .map_err(io_error("write", &toml))?;
        let csv_path = folder.join(MATCHES_CSV);
        let mut csv = new_csv(&csv_path, &tournament).map_err(io_error("write", &csv_path))?;
        let mut last = 0;
        read_records(&tournament.known_games, &journal, &path, |record| {
            last = last.max(record.number);
            csv.serialize(CsvRow::from(&record)).map_err(|error| io_error("write", &csv_path)(error.into()))
        })?;
        csv.flush().map_err(io_error("write", &csv_path))?;
        let opened = Opened::new(folder).map_err(io_error("open", folder))?;
        Ok(Self { opened, journal, csv, last, _lock: lock })
    }

    /// Stores a match, and returns its number.
    ///
    /// # Errors
    /// If it cannot be written. The journal is as it was before.
    pub fn store(mut self, mut record: Record) -> io::Result<u32> {
        self.opened.check(&self.journal)?;
        let number = self.last + 1;
        (record.number, record.pair) = (number, number);
        let length = self.journal.metadata()?.len();
        if let Err(error) = self.write(&record) {
            // Whoever tries again must not store it twice.
            self.journal.set_len(length)?;
            return Err(error);
        }
        Ok(number)
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        write_line(&mut self.journal, record)?;
        self.journal.sync_data()?;
        self.csv.serialize(CsvRow::from(record)).map_err(io::Error::from)?;
        self.csv.flush()
    }
}

/// Opens and locks the journal. Whoever stores a match in the same folder needs a moment.
fn open_patiently(folder: &Path, path: &Path) -> Result<(File, Lock), ResultsError> {
    const PATIENCE: Duration = Duration::from_secs(2);
    let begun = Instant::now();
    loop {
        match open_locked(folder, path) {
            Err(ResultsError::InUse { .. }) if begun.elapsed() < PATIENCE => sleep(Duration::from_millis(20)),
            opened => return opened,
        }
    }
}

/// The tournament of the folder with the games and engines of this one. The limits of an engine are those of its last match.
fn joined(folder: &Path, tournament: &Tournament) -> Result<Tournament, ResultsError> {
    // The first one to store a match may just have made the journal.
    let has_matches = fs::metadata(folder.join(MATCHES_JSONL)).is_ok_and(|journal| 0 < journal.len());
    if !folder.join(TOURNAMENT).exists() && !has_matches {
        return Ok(tournament.clone());
    }
    let other = || ResultsError::Scheduled { folder: folder.to_owned() };
    let earlier = read_tournament(&tournament.known_games, folder).map_err(|_| other())?;
    if earlier.format != Format::Free {
        return Err(other());
    }
    for engine in &tournament.engines {
        if let Some(other) = earlier.engine(&engine.name).filter(|other| !is_same_player(engine, other)) {
            return Err(ResultsError::SameName {
                folder: folder.to_owned(),
                name: engine.name.clone(),
                other: player(other),
                remedy: if is_person(engine) {
                    "another one with `--name`"
                } else {
                    "this engine another one (NAME=COMMAND)"
                },
            });
        }
    }
    let mut joined = Tournament { known_games: earlier.known_games, ..tournament.clone() };
    let names: BTreeSet<&str> = tournament.engines.iter().map(|engine| engine.name.as_str()).collect();
    let is_new = |engine: &&Arc<Engine>| !names.contains(engine.name.as_str());
    joined.engines.extend(earlier.engines.iter().filter(is_new).cloned());
    let own = joined.game_ids();
    joined.games.extend(earlier.games.iter().filter(|game| !own.contains(&game.id)).cloned());
    joined.rules.max_plies = joined.rules.max_plies.max(earlier.rules.max_plies);
    Ok(joined)
}

/// Whether the matches of both can be rated together. A program may be built again, and have other limits.
fn is_same_player(one: &Engine, other: &Engine) -> bool {
    let setting = |engine: &Engine| {
        let Engine { command, args, options, directory, environment, .. } = engine.clone();
        (command, args, options, directory, environment)
    };
    setting(one) == setting(other)
}

fn is_person(engine: &Engine) -> bool {
    engine.command.as_os_str().is_empty()
}

/// A player in words.
fn player(engine: &Engine) -> String {
    if is_person(engine) {
        return "a person".to_owned();
    }
    let words: Vec<_> =
        std::iter::once(engine.command.to_string_lossy()).chain(engine.args.iter().map(Into::into)).collect();
    let options: Vec<_> = engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let with = if options.is_empty() { String::new() } else { format!(" with {}", options.join(", ")) };
    format!("`{}`{with}", words.join(" "))
}
