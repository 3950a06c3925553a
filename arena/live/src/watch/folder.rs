//! A results folder that may still grow: new matches as they are written, and any match by its number. It keeps no lock
//! and changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::TryLockError;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::curve::{Curve, Curves};
use engine_proto::Games;
use host::files::Identity;
use host::lock::Lock;
use model::{Engine, Record, TimeControl, Tournament};
use report::html::REPORT_HTML;
use report::html::parts::{Readers, limits_of, policy_of, title_of};
use report::{GamesOf, games_of};
use schedule::stop::Finding;
use schedule::{Course, RoundTable, planning};
use serde::Deserialize;
use store::{JournalReader, MATCHES_JSONL, Provenance, TOURNAMENT, open_stored, read_tournament};

/// The folders that are watched. Clones are the same folders.
#[derive(Clone, Debug)]
pub struct Library {
    /// The games that are known, with those of the folders.
    games: Games,
    folders: Arc<Vec<Folder>>,
}

/// One folder. Clones are the same folder.
#[derive(Clone, Debug)]
pub struct Folder {
    /// The games of its matches.
    games: Games,
    path: PathBuf,
    /// Who may read its pages.
    readers: Readers,
    contents: Arc<Mutex<Contents>>,
}

#[derive(Debug, Default)]
struct Contents {
    about: About,
    /// The file that is read, by its identity.
    identity: Option<Identity>,
    /// How far it was read, in bytes.
    read: u64,
    /// Whether the last look came to the end.
    is_read: bool,
    /// Whether a program writes to it, and when this was found out.
    is_written: Option<(bool, Instant)>,
    /// When the report was written, and whether it can be shown.
    report: Option<(SystemTime, bool)>,
    /// The tournament so far, if it has stop rules or rounds.
    course: Option<Course>,
    curves: Curves,
    /// The matches by number.
    places: BTreeMap<u32, Place>,
    /// Each name once, however many matches it is in.
    names: BTreeSet<Arc<str>>,
}

/// A match in the journal: where it is, and what it is found by.
#[derive(Debug)]
struct Place {
    start: u64,
    length: u64,
    engines: [Arc<str>; 2],
    /// The game as the ratings name it.
    game: Arc<str>,
}

/// Which matches are wanted: of these engines, in this game. What is left out may be any.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    engine: Option<String>,
    opponent: Option<String>,
    game: Option<String>,
}

impl Wanted {
    /// The matches of two engines.
    pub fn between([one, other]: [&str; 2]) -> Self {
        Self { engine: Some(one.to_owned()), opponent: Some(other.to_owned()), game: None }
    }

    fn takes(&self, Place { engines: [white, black], game, .. }: &Place) -> bool {
        let is = |wanted: &Option<String>, name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
        let is_between = |one, other| is(&self.engine, one) && is(&self.opponent, other);
        (is_between(white, black) || is_between(black, white)) && is(&self.game, game)
    }
}

/// The tournament of a folder.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Its name.
    pub name: String,
    /// The number of its matches, if it is known.
    pub n_matches: Option<u32>,
    /// Whether results decide which matches are played, or how many.
    pub depends_on_results: bool,
    /// Whether it has rounds, which decide the number of its matches.
    pub has_rounds: bool,
    /// The values of `--referee` for commands, by game.
    pub referees: BTreeMap<String, String>,
    /// The games as the ratings count them, in order.
    pub games: Vec<String>,
    /// Those of each engine, as far as the schedule says so.
    pub games_of: Arc<GamesOf>,
    /// The engines.
    pub engines: Vec<Arc<Engine>>,
}

impl About {
    /// The time controls of White and Black, if they are known.
    pub fn time_controls(&self, record: &Record) -> [Option<&TimeControl>; 2] {
        [&record.white, &record.black].map(|name| {
            let engine = self.engines.iter().find(|engine| engine.name == *name)?;
            Some(engine.time_control_under(record.limits.as_deref()))
        })
    }
}

/// Under which conditions matches are played.
#[derive(Debug)]
pub struct Conditions {
    /// The folder, as commands name it.
    pub folder: String,
    /// The limits of most engines, then those of the others.
    pub limits: Vec<String>,
    /// The games, for people.
    pub games: Vec<String>,
    /// The number of matches that are played at once.
    pub n_at_once: u16,
    /// The engines with their options.
    pub engines: Vec<(String, String)>,
}

/// What is known of the tournament of a folder that others may play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// All its matches have been played.
    Ended,
    /// It is played.
    Playing,
    /// It was stopped before its end.
    Stopped,
    /// Nobody knows how many matches it has.
    Unknown,
}

/// A folder cannot be watched.
#[derive(Debug, thiserror::Error)]
#[error("{}; {}", store::no_journal(path, error), remedy(path))]
pub struct NoFolder {
    /// The journal.
    pub path: PathBuf,
    /// The system's error.
    pub error: io::Error,
}

/// What works instead.
fn remedy(journal: &Path) -> String {
    let table = journal.with_file_name("matches.csv");
    if table.exists() {
        format!("`arena rate {0}` and `arena report {0}` read the matches that it has", table.display())
    } else {
        "give a results folder that `arena run` has written, or is writing".to_owned()
    }
}

/// What a look at a folder found.
#[derive(Debug, Default)]
pub struct Seen {
    /// The new matches.
    pub records: Vec<Record>,
    /// Whether the journal is another one than before, so that all its matches are new.
    pub is_other: bool,
}

impl Library {
    /// These folders, with matches of these games and of their own, for pages with these readers.
    ///
    /// # Errors
    /// If one of them has no journal.
    pub fn open(games: &Games, paths: &[PathBuf], readers: Readers) -> Result<Self, NoFolder> {
        let games = paths.iter().fold(games.clone(), |games, path| store::known_games(&games, path));
        let folders = paths.iter().map(|path| {
            let journal = path.join(MATCHES_JSONL);
            open_stored(&journal).map_err(|error| NoFolder { path: journal, error })?;
            Ok(Folder { games: games.clone(), path: path.clone(), readers, contents: Arc::default() })
        });
        let folders = Arc::new(folders.collect::<Result<_, NoFolder>>()?);
        Ok(Self { games, folders })
    }

    /// All of them.
    pub fn folders(&self) -> &[Folder] {
        &self.folders
    }

    /// The games of their matches.
    pub const fn games(&self) -> &Games {
        &self.games
    }

    /// What everybody should know who reads the standings of these folders together.
    pub fn warnings(&self) -> Vec<String> {
        self.unread().chain(self.mixed_limits()).chain(self.mixed_engines()).collect()
    }

    /// Folders with a configuration that cannot be read: how they differ from others is not known.
    fn unread(&self) -> impl Iterator<Item = String> {
        let is_unread = |folder: &&Folder| {
            folder.path.join(TOURNAMENT).exists() && read_tournament(&self.games, &folder.path).is_err()
        };
        self.folders.iter().filter(is_unread).map(|folder| {
            let path = folder.readers.path(&folder.path);
            format!("the configuration of `{path}` cannot be read; its limits and engines are not compared")
        })
    }

    /// Engines that have one name and are not the same in every folder: one warning for each two folders.
    fn mixed_engines(&self) -> Vec<String> {
        const MOST_NAMES: usize = 5;
        let mut known: BTreeMap<String, (&Path, Makeup)> = BTreeMap::new();
        let mut mixed: BTreeMap<[&Path; 2], Vec<String>> = BTreeMap::new();
        for folder in self.folders() {
            for (name, makeup) in makeups(folder) {
                let (first, other) = known.entry(name.clone()).or_insert((&folder.path, makeup.clone()));
                if makeup.differs_from(other) {
                    mixed.entry([first, &folder.path]).or_default().push(name);
                }
            }
        }
        let warning = |([first, other], names): ([&Path; 2], Vec<String>)| {
            let [first, other] = [first, other].map(|path| self.folders[0].readers.path(path));
            let mut listed: Vec<String> =
                names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
            if MOST_NAMES < names.len() {
                listed.push(format!("{} more", names.len() - MOST_NAMES));
            }
            let (have, count) = match names.len() {
                1 => ("has another program or other options", "counts"),
                _ => ("have other programs or options", "each counts"),
            };
            format!("{} {have} in `{other}` than in `{first}`, but {count} as one engine", listed.join(", "))
        };
        mixed.into_iter().map(warning).collect()
    }

    /// A warning if engines of one folder had other limits than those of another one.
    fn mixed_limits(&self) -> Option<String> {
        let mut known: Option<(&Path, Vec<TimeControl>)> = None;
        for folder in self.folders() {
            let Ok(tournament) = read_tournament(&self.games, &folder.path) else { continue };
            let mut controls: Vec<TimeControl> = Vec::new();
            let all = tournament.engines.iter().flat_map(|engine| engine.time_controls());
            for control in all {
                if !controls.contains(control) {
                    controls.push(control.clone());
                }
            }
            let Some((first, others)) = &known else {
                known = Some((&folder.path, controls));
                continue;
            };
            if controls.len() != others.len() || controls.iter().any(|control| !others.contains(control)) {
                let [one, other] = [first, folder.path.as_path()].map(|path| folder.readers.path(path));
                return Some(format!(
                    "`{one}` and `{other}` were played with different limits; the standings mix them"
                ));
            }
        }
        None
    }

    /// Under which conditions the matches of each folder are played; of a folder whose tournament cannot be read, nothing is known.
    pub fn conditions(&self) -> Vec<Conditions> {
        let of_folder = |folder: &Folder| {
            let tournament = read_tournament(&self.games, &folder.path).ok()?;
            let options = |engine: &Arc<Engine>| {
                let options = engine.options.iter().map(|(name, value)| format!("{name} = {value}"));
                (engine.name.clone(), options.collect::<Vec<_>>().join(", "))
            };
            let name = |game: String| title_of(&self.games, &game);
            Some(Conditions {
                folder: folder.path(),
                limits: limits_of(&tournament.engines, |_| true),
                games: tournament.rated_games().into_iter().map(name).collect(),
                n_at_once: tournament.resources.concurrency,
                engines: tournament.engines.iter().map(options).collect(),
            })
        };
        self.folders.iter().filter_map(of_folder).collect()
    }

    /// Everything is new at the next look.
    pub fn forget(&self) {
        self.folders.iter().for_each(|folder| *folder.lock() = Contents::default());
    }

    /// The name of a match in addresses.
    pub fn id(&self, folder: usize, number: u32) -> String {
        if self.folders.len() == 1 { number.to_string() } else { format!("{}-{number}", folder + 1) }
    }

    /// The index of the folder and the number of the match that is named so in addresses.
    pub fn place(&self, id: &str) -> Option<(usize, u32)> {
        let (folder, number) = match id.split_once('-') {
            Some((folder, number)) => (folder.parse::<usize>().ok()?.checked_sub(1)?, number),
            None => (0, id),
        };
        (folder < self.folders.len()).then_some((folder, number.parse().ok()?))
    }
}

impl Folder {
    /// How commands name it.
    pub fn path(&self) -> String {
        self.readers.path(&self.path)
    }

    /// The tournament.
    pub fn about(&self) -> About {
        self.lock().about.clone()
    }

    /// What the stop rules have found, and whether one has ended the tournament.
    pub fn stops(&self) -> (Vec<Finding>, bool) {
        let contents = self.lock();
        let Some(course) = &contents.course else { return (Vec::new(), false) };
        (course.findings(), course.decided().is_some())
    }

    /// How the log likelihood ratios of its sequential tests went.
    pub fn curves(&self) -> Vec<Curve> {
        let contents = self.lock();
        contents.course.as_ref().map(|course| contents.curves.up_to(&course.findings())).unwrap_or_default()
    }

    /// Whether its tournament has ended, is played or was stopped.
    pub fn stand(&self) -> Stand {
        let (n_matches, (_, is_decided)) = (self.n_matches(), self.stops());
        let mut contents = self.lock();
        match n_matches {
            _ if !contents.is_read => Stand::Unknown,
            Some(n) if is_decided || (0 < n && n as usize <= contents.places.len()) => Stand::Ended,
            None if is_decided => Stand::Ended,
            _ if contents.is_written(&self.path.join(MATCHES_JSONL)) => Stand::Playing,
            Some(n) if 0 < n => Stand::Stopped,
            _ => Stand::Unknown,
        }
    }

    /// The standings or the bracket, and the meetings, of a format with rounds; empty for others.
    pub fn rounds(&self) -> Vec<RoundTable> {
        self.lock().course.as_ref().map(Course::tables).unwrap_or_default()
    }

    /// The number of matches, if it is known.
    pub fn n_matches(&self) -> Option<u32> {
        let contents = self.lock();
        let course = contents.course.as_ref().filter(|_| contents.about.has_rounds);
        course.map(Course::expected_matches).or(contents.about.n_matches)
    }

    /// The path of its report, if there is one.
    pub fn report(&self) -> Option<PathBuf> {
        Some(self.path.join(REPORT_HTML)).filter(|path| path.is_file())
    }

    /// When its report was written, if there is one, and whether this version of the arena wrote it, so that its scripts may run.
    pub fn written_report(&self) -> Option<(SystemTime, bool)> {
        let path = self.report()?;
        let written = path.metadata().ok()?.modified().ok()?;
        let mut contents = self.lock();
        if contents.report.is_none_or(|(known, _)| known != written) {
            let is_ours = std::fs::read_to_string(path).is_ok_and(|page| policy_of(&page).is_some());
            contents.report = Some((written, is_ours));
        }
        contents.report
    }

    /// The numbers of the matches before and after a match.
    pub fn beside(&self, number: u32) -> [Option<u32>; 2] {
        let numbers = &self.lock().places;
        let [before, after] = [numbers.range(..number).next_back(), numbers.range(number + 1..).next()];
        [before, after].map(|place| place.map(|(number, _)| *number))
    }

    /// The matches that were written since the last look.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn look(&self) -> io::Result<Seen> {
        /// So much is read at once, so that the first look at a long journal shows something soon.
        const MOST_BYTES: u64 = 16 << 20;
        let mut seen = Seen::default();
        let journal = self.path.join(MATCHES_JSONL);
        let mut file = match open_stored(&journal) {
            // It is just being replaced, or was moved away for a fresh start.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(seen),
            opened => opened?,
        };
        let metadata = file.metadata()?;
        let mut contents = self.lock();
        let identity = Some(Identity::of(&metadata));
        if contents.identity != identity || metadata.len() < contents.read {
            seen.is_other = contents.identity.is_some();
            let (about, course) = about(self);
            *contents = Contents { about, identity, course, ..Contents::default() };
        }
        contents.is_read = true;
        if metadata.len() == contents.read {
            return Ok(seen);
        }
        let start = contents.read;
        file.seek(SeekFrom::Start(start))?;
        let mut lines = JournalReader::new(BufReader::new(file));
        while let Some(line) = lines.next_line()? {
            if !line.is_whole() {
                break;
            }
            contents.read = start + line.end();
            // `arena verify` and the report say what is wrong with a line; here it is left out.
            if let Ok(record) = line.record(&self.games) {
                let place = Place {
                    start: start + line.offset,
                    length: line.end() - line.offset,
                    engines: [&record.white, &record.black].map(|name| contents.shared(name)),
                    game: contents.shared(&record.rated_game()),
                };
                if contents.places.insert(record.number, place).is_none() {
                    let Contents { course, curves, .. } = &mut *contents;
                    if let Some(course) = course {
                        course.add(&record);
                        curves.add(course);
                    }
                    seen.records.push(record);
                }
            }
            if MOST_BYTES < line.end() {
                contents.is_read = false;
                break;
            }
        }
        Ok(seen)
    }

    /// The numbers of the matches that are wanted.
    pub fn find(&self, wanted: &Wanted) -> Vec<u32> {
        let contents = self.lock();
        let found = contents.places.iter().filter(|(_, place)| wanted.takes(place));
        found.map(|(number, _)| *number).collect()
    }

    /// The match with this number, if it is over.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn record(&self, number: u32) -> io::Result<Option<Record>> {
        let place = self.lock().places.get(&number).map(|place| (place.start, place.length));
        let Some((start, length)) = place else { return Ok(None) };
        let mut file = open_stored(&self.path.join(MATCHES_JSONL))?;
        file.seek(SeekFrom::Start(start))?;
        let mut line = Vec::new();
        file.take(length).read_to_end(&mut line)?;
        let record: Record = serde_json::from_slice(&line)?;
        Ok((record.number == number).then_some(record))
    }

    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contents {
    /// Whether a program writes to the journal. The answer is a moment old: to ask takes the lock of a reader for an instant, and
    /// whoever begins to write waits for its end.
    fn is_written(&mut self, journal: &Path) -> bool {
        const EVERY: Duration = Duration::from_secs(2);
        match self.is_written {
            Some((is_written, since)) if since.elapsed() < EVERY => is_written,
            _ => {
                let is_written = open_stored(journal)
                    .is_ok_and(|file| matches!(Lock::to_read(&file, journal), Err(TryLockError::WouldBlock)));
                self.is_written = Some((is_written, Instant::now()));
                is_written
            }
        }
    }

    fn shared(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        let name: Arc<str> = name.into();
        self.names.insert(Arc::clone(&name));
        name
    }
}

/// What makes an engine the engine that it is.
#[derive(Clone, Debug, Default)]
struct Makeup {
    /// The ids of the builds that played; empty if they are not known.
    builds: BTreeSet<String>,
    args: Vec<String>,
    options: BTreeMap<String, String>,
    threads: Option<u32>,
}

impl Makeup {
    fn differs_from(&self, other: &Self) -> bool {
        let are_known = !self.builds.is_empty() && !other.builds.is_empty();
        are_known && self.builds != other.builds
            || self.args != other.args
            || self.options != other.options
            || self.threads != other.threads
    }
}

/// The engines of a folder by name; empty if its tournament cannot be read.
fn makeups(folder: &Folder) -> BTreeMap<String, Makeup> {
    let Ok(tournament) = read_tournament(&folder.games, &folder.path) else { return BTreeMap::new() };
    let provenance = Provenance::read(&folder.path).unwrap_or_default();
    let makeup = |engine: &Arc<Engine>| {
        let builds = provenance.builds.iter().filter(|build| build.engine == engine.name);
        let makeup = Makeup {
            builds: builds.map(|build| build.id.clone()).collect(),
            args: engine.args.clone(),
            options: engine.options.clone(),
            threads: engine.threads,
        };
        (engine.name.clone(), makeup)
    };
    tournament.engines.iter().map(makeup).collect()
}

/// What a folder says of its tournament, and its course before the first match if it has stop rules or rounds.
fn about(folder: &Folder) -> (About, Option<Course>) {
    let Folder { games, path, readers, .. } = folder;
    let Ok(tournament) = read_tournament(games, path) else {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        return (About { name, ..About::default() }, None);
    };
    let has_rounds = tournament.format.has_rounds();
    let has_course = !tournament.stop.is_empty() || has_rounds;
    let course = has_course.then(|| planning::course(&tournament));
    let about = About {
        n_matches: n_matches(&tournament),
        depends_on_results: planning::depends_on_results(&tournament),
        has_rounds,
        referees: readers.referees(&tournament),
        games: tournament.rated_games(),
        games_of: Arc::new(games_of(&tournament)),
        engines: tournament.engines,
        name: tournament.name,
    };
    (about, course)
}

/// The number of matches in the schedule, if there is one.
fn n_matches(tournament: &Tournament) -> Option<u32> {
    let is_scheduled = tournament.format.has_plan() && planning::check_size(tournament).is_ok();
    is_scheduled.then(|| planning::plan(tournament).n_matches())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use model::samples;

    fn line(number: u32) -> String {
        let record = Record { number, ..samples::record() };
        serde_json::to_string(&record).expect("a record is JSON") + "\n"
    }

    fn numbers(seen: &Seen) -> Vec<u32> {
        seen.records.iter().map(|record| record.number).collect()
    }

    #[test]
    fn a_journal_is_followed_line_by_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = folder.path().join(MATCHES_JSONL);
        fs::write(&journal, line(1) + "rubbish\n" + &line(2)[..40]).expect("written");
        let library =
            Library::open(Games::built_in(), &[folder.path().to_owned()], Readers::Here).expect("a journal");
        let watched = &library.folders()[0];
        assert_eq!(numbers(&watched.look().expect("read")), [1]);
        assert!(watched.look().expect("read").records.is_empty());
        let mut file = fs::OpenOptions::new().append(true).open(&journal).expect("open");
        file.write_all(format!("{}{}", &line(2)[40..], line(3)).as_bytes()).expect("written");
        assert_eq!(numbers(&watched.look().expect("read")), [2, 3]);
        for number in [1, 2, 3] {
            assert_eq!(watched.record(number).expect("read").map(|record| record.number), Some(number));
        }
        assert!(watched.record(4).expect("read").is_none());
        assert_eq!(watched.beside(2), [Some(1), Some(3)]);
        assert_eq!(watched.beside(3), [Some(2), None]);
        // Another journal in its place, as `arena run --fresh` makes it.
        fs::write(folder.path().join("other"), line(9)).expect("written");
        fs::rename(folder.path().join("other"), &journal).expect("renamed");
        let seen = watched.look().expect("read");
        assert!(seen.is_other);
        assert_eq!(numbers(&seen), [9]);
        assert!(watched.record(1).expect("read").is_none());
    }

    #[test]
    fn matches_have_names() {
        let folders: Vec<_> = (0..2).map(|_| tempfile::tempdir().expect("a folder")).collect();
        let paths: Vec<PathBuf> = folders.iter().map(|folder| folder.path().to_owned()).collect();
        assert!(Library::open(Games::built_in(), &paths, Readers::Here).is_err());
        for path in &paths {
            fs::write(path.join(MATCHES_JSONL), "").expect("written");
        }
        let one = Library::open(Games::built_in(), &paths[..1], Readers::Here).expect("a journal");
        assert_eq!((one.id(0, 7).as_str(), one.place("7")), ("7", Some((0, 7))));
        let two = Library::open(Games::built_in(), &paths, Readers::Here).expect("journals");
        assert_eq!((two.id(1, 7).as_str(), two.place("2-7")), ("2-7", Some((1, 7))));
        for wrong in ["", "x", "3-1", "0-1", "-1", "1-"] {
            assert_eq!(two.place(wrong), None, "{wrong}");
        }
    }
}
