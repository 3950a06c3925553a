//! What the matches of a league show: one joint fit of all builds ever, and what each engine did. A thread of its own works
//! out the table, so that no match waits for it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use engine_proto::Games;

use crate::door::SharedRoster;
use crate::roster::{Entry, Roster, engine_of};
use host::output::write_whole;
use model::referee::Reason;
use model::{Record, SideLetter};
use ratings::{Checks, Rating, RatingSettings, Standings, Tally, Validity, signed};
use report::html::parts::because;
use report::tables::write_csv;

/// The table is worked out again after this time at the earliest, or after as long as the last one took.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a match waits for the ones after it.
const COLLECTING: Duration = Duration::from_millis(100);
/// The number of matches and faults that the page of an engine lists.
const LISTED: usize = 30;

/// What each engine did.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// By engine and opponent: matches won, drawn and lost.
    meetings: BTreeMap<String, BTreeMap<String, [u32; 3]>>,
    /// By engine and game.
    games: BTreeMap<String, BTreeMap<String, [u32; 3]>>,
    recent: BTreeMap<String, VecDeque<Played>>,
    faults: BTreeMap<String, VecDeque<Played>>,
}

/// A match from the view of one engine.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its number.
    pub number: u32,
    /// The game.
    pub game: String,
    /// The own build.
    pub build: String,
    /// The opponent's build.
    pub opponent: String,
    /// `won`, `drawn` or `lost`.
    pub result: &'static str,
    /// Why it ended.
    pub reason: String,
}

/// The table, and what is known of each engine.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The ratings of all builds, with intervals that may be read at any time.
    pub standings: Standings,
    /// The counts.
    pub facts: Facts,
    /// All builds, in the order in which they joined.
    pub roster: Roster,
}

/// Counts of all matches.
#[derive(Debug, Default)]
pub struct Count {
    games: Games,
    tally: Tally,
    facts: Facts,
}

impl Count {
    /// No matches; those that come are of these games.
    pub fn of(games: Games) -> Self {
        Self { games, ..Self::default() }
    }

    /// Counts a match.
    pub fn add(&mut self, record: &Record) {
        let game = record.rated_game();
        let pair = record.pair.to_string();
        if self.tally.add(&record.finished(&game, &pair)).is_ok() {
            self.facts.add(&self.games, record, &game);
        }
    }

    /// The table of these matches.
    pub fn snapshot(&self, roster: Roster) -> Snapshot {
        Snapshot { standings: Self::standings(&self.tally), facts: self.facts.clone(), roster }
    }

    /// The ratings of a league, with intervals that may be read at any time.
    pub fn standings(tally: &Tally) -> Standings {
        // No page shows the checks, which take longer than all the rest.
        let settings =
            RatingSettings { validity: Validity::AnyTime, checks: Checks::None, ..RatingSettings::default() };
        Standings::new(tally, &settings)
    }
}

impl Facts {
    fn add(&mut self, games: &Games, record: &Record, game: &str) {
        let is_fault = Reason::of_arena(&record.reason).is_some_and(Reason::is_fault);
        for (own, other) in [(&record.white, &record.black), (&record.black, &record.white)] {
            let (place, result) = match record.loser() {
                None => (1, "drawn"),
                Some(loser) if loser == own => (2, "lost"),
                Some(_) => (0, "won"),
            };
            let engine = engine_of(own);
            let count = |table: &mut BTreeMap<String, BTreeMap<String, [u32; 3]>>, key: &str| {
                table.entry(engine.to_owned()).or_default().entry(key.to_owned()).or_default()[place] += 1;
            };
            count(&mut self.meetings, engine_of(other));
            count(&mut self.games, game);
            let played = Played {
                number: record.number,
                game: game.to_owned(),
                build: own.clone(),
                opponent: other.clone(),
                result,
                reason: because(games, record.game, record.result.winner(), &record.reason)
                    .unwrap_or_else(|| record.reason.clone()),
            };
            if is_fault && result == "lost" {
                list(&mut self.faults, engine, played.clone());
            }
            list(&mut self.recent, engine, played);
        }
    }

    /// By opponent: matches won, drawn and lost.
    pub fn meetings(&self, engine: &str) -> impl Iterator<Item = (&String, &[u32; 3])> {
        self.meetings.get(engine).into_iter().flatten()
    }

    /// By game: matches won, drawn and lost.
    pub fn games(&self, engine: &str) -> impl Iterator<Item = (&String, &[u32; 3])> {
        self.games.get(engine).into_iter().flatten()
    }

    /// The numbers of all matches that the pages of engines list.
    pub fn listed(&self) -> BTreeSet<u32> {
        let lists = self.recent.values().chain(self.faults.values());
        lists.flatten().map(|played| played.number).collect()
    }

    /// The latest matches, the last one first.
    pub fn recent(&self, engine: &str) -> impl Iterator<Item = &Played> {
        self.recent.get(engine).into_iter().flatten()
    }

    /// The latest losses by own faults, the last one first.
    pub fn faults(&self, engine: &str) -> impl Iterator<Item = &Played> {
        self.faults.get(engine).into_iter().flatten()
    }
}

fn list(lists: &mut BTreeMap<String, VecDeque<Played>>, engine: &str, played: Played) {
    let own = lists.entry(engine.to_owned()).or_default();
    own.push_front(played);
    own.truncate(LISTED);
}

/// A line of the list: an engine with its best build.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The engine's name.
    pub engine: &'a str,
    /// The rating of its best build.
    pub best: &'a Rating,
    /// The build that joined last, if it is another one.
    pub current: Option<&'a Rating>,
    /// Number of builds that have played.
    pub n_builds: usize,
    /// What is stored of the best build.
    pub entry: Option<&'a Entry>,
}

/// A build in the list of an engine's builds.
#[derive(Clone, Debug)]
pub struct BuildLine<'a> {
    /// Its name.
    pub name: &'a str,
    /// The version that the engine told.
    pub version: &'a str,
    /// When it joined, to the minute.
    pub joined: String,
    /// Its rating.
    pub rating: &'a Rating,
    /// `newest`, `frozen` or `set aside`.
    pub state: &'static str,
}

impl Snapshot {
    /// The engines, the strongest first: each with its best build.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let mut lines: Vec<Line<'_>> = Vec::new();
        for rating in self.ratings() {
            let engine = engine_of(&rating.engine);
            if let Some(line) = lines.iter_mut().find(|line| line.engine == engine) {
                line.n_builds += 1;
                if self.newest(engine) == Some(&rating.engine) {
                    line.current = Some(rating);
                }
            } else {
                let entry = self.roster.find(&rating.engine);
                lines.push(Line { engine, best: rating, current: None, n_builds: 1, entry });
            }
        }
        lines
    }

    /// All builds of an engine in the order in which they joined, each with its rating.
    pub fn history(&self, engine: &str) -> Vec<(Option<&Entry>, &Rating)> {
        let mut all: Vec<_> = self
            .ratings()
            .filter(|rating| engine_of(&rating.engine) == engine)
            .map(|rating| (self.roster.find(&rating.engine), rating))
            .collect();
        let place = |entry: Option<&Entry>| {
            entry.and_then(|entry| self.roster.builds.iter().position(|other| other.build == entry.build))
        };
        all.sort_by_key(|(entry, _)| place(*entry));
        all
    }

    /// All builds of an engine in the order in which they joined.
    pub fn builds(&self, engine: &str) -> Vec<BuildLine<'_>> {
        let history = self.history(engine);
        let newest = history.last().map(|(_, rating)| rating.engine.clone());
        let lines = history.into_iter().map(|(entry, rating)| BuildLine {
            name: &rating.engine,
            version: entry.and_then(|entry| entry.version.as_deref()).unwrap_or_default(),
            joined: entry.map_or_else(String::new, |entry| {
                entry.joined.chars().take(16).collect::<String>().replace('T', " ")
            }),
            rating,
            state: match entry {
                Some(entry) if entry.set_aside.is_some() => "set aside",
                _ if Some(&rating.engine) == newest.as_ref() => "newest",
                _ => "frozen",
            },
        });
        lines.collect()
    }

    /// The builds of an engine as text; `None` if it has not played.
    pub fn history_text(&self, engine: &str) -> Option<String> {
        let builds = self.builds(engine);
        let width = |text: for<'b> fn(&'b BuildLine<'b>) -> &'b str, head: &str| {
            builds.iter().map(|build| text(build).chars().count()).max().map(|width| width.max(head.len()))
        };
        let name = width(|build| build.name, "Build")?;
        let version = width(|build| build.version, "Version")?;
        let mut text = format!("{:<name$}  {:<version$}  {:<16} ", "Build", "Version", "Joined");
        let _ = writeln!(text, "{:>16} {:>8} {:>6}  State", "Rating", "Matches", "Score");
        for build in &builds {
            let BuildLine { joined, rating, state, .. } = build;
            let _ = writeln!(
                text,
                "{:<name$}  {:<version$}  {joined:<16} {:>16} {:>8} {:>5.1}%  {state}",
                build.name,
                build.version,
                elo(rating),
                rating.matches,
                100.0 * rating.score,
            );
        }
        text.push_str("± 95 %, at any time\n");
        Some(text)
    }

    /// The overall ratings, or those of the only game.
    fn ratings(&self) -> impl Iterator<Item = &Rating> {
        self.standings.scopes.first().into_iter().flat_map(|scope| &scope.engines)
    }

    /// The build of an engine that joined last.
    fn newest(&self, engine: &str) -> Option<&String> {
        self.roster.builds.iter().rev().find(|entry| entry.engine == engine).map(|entry| &entry.build)
    }

    /// The list as text: at most `most` engines.
    pub fn text(&self, most: usize) -> String {
        let n_matches = self.standings.scopes.first().map_or(0, |scope| scope.matches);
        let lines = self.lines();
        let width = lines.iter().map(|line| line.engine.chars().count()).max().unwrap_or(6).clamp(6, 30);
        let mut text = format!("{n_matches} matches of {} engines\n", lines.len());
        let _ = writeln!(
            text,
            " No. {:<width$} {:>16} {:>8} {:>6}  Builds",
            "Engine", "Rating", "Matches", "Score"
        );
        for (number, line) in (1..).zip(&lines).take(most) {
            let name: String = line.engine.chars().take(width).collect();
            let _ = writeln!(
                text,
                "{number:>4} {name:<width$} {:>16} {:>8} {:>5.1}% {:>7}",
                elo(line.best),
                line.best.matches,
                100.0 * line.best.score,
                line.n_builds
            );
        }
        if most < lines.len() {
            let _ = writeln!(text, "     ... {} more", lines.len() - most);
        }
        text.push_str("± 95 %, at any time; each engine with its best build\n");
        text
    }
}

/// A rating with its interval: `+34 ± 12`, or what is known instead.
pub fn elo(rating: &Rating) -> String {
    match (rating.elo, rating.low, rating.high, rating.estimate) {
        (Some(elo), Some(low), Some(high), _) => format!("{} ± {:.0}", signed(elo, 0), (high - low) / 2.0),
        (_, _, _, Some(estimate)) => format!("≈ {}", signed(estimate, 0)),
        _ => "-".to_owned(),
    }
}

/// The latest table. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Latest(Arc<Mutex<Option<Arc<Snapshot>>>>);

impl Latest {
    /// The table, if one was worked out.
    pub fn get(&self) -> Option<Arc<Snapshot>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the table.
    pub fn set(&self, snapshot: Snapshot) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
    }
}

/// What the thread hears.
#[derive(Debug)]
enum Message {
    Finished(Box<Record>),
    /// The matches of earlier runs are counted.
    Begun,
}

/// The thread that works out the table, and keeps the file of ratings current.
#[derive(Debug)]
pub struct Clerk {
    messages: Option<Sender<Message>>,
    thread: Option<JoinHandle<io::Result<()>>>,
    latest: Latest,
}

impl Clerk {
    /// Starts the thread. Matches are of these games, the names of builds come from `roster`; `ratings` is the file.
    ///
    /// # Errors
    /// If the system allows no thread.
    pub fn start(games: Games, roster: SharedRoster, latest: Latest, ratings: PathBuf) -> io::Result<Self> {
        let (messages, incoming) = channel();
        let shown = latest.clone();
        let thread = std::thread::Builder::new().name("table".to_owned());
        let thread = thread.spawn(move || work(Count::of(games), &incoming, &roster, &shown, &ratings))?;
        Ok(Self { messages: Some(messages), thread: Some(thread), latest })
    }

    /// Counts a match.
    pub fn add(&self, record: &Record) {
        // The list of moves is only compared, so that other fields of moves can be left out.
        let moves = record.moves.iter().map(|mv| model::MoveRecord::new(mv.mv.clone(), SideLetter::White, 0));
        let record = Record { moves: moves.collect(), ..record.clone() };
        self.send(Message::Finished(Box::new(record)));
    }

    /// The matches of earlier runs are counted: the first table can be worked out.
    pub fn begin(&self) {
        self.send(Message::Begun);
    }

    fn send(&self, message: Message) {
        if let Some(messages) = &self.messages {
            let _ = messages.send(message);
        }
    }

    /// The table of all matches. No more are counted.
    ///
    /// # Errors
    /// If the file of ratings cannot be written.
    pub fn finish(&mut self) -> io::Result<Option<Arc<Snapshot>>> {
        self.messages = None;
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        Ok(self.latest.get())
    }
}

fn work(
    mut count: Count,
    incoming: &Receiver<Message>,
    roster: &SharedRoster,
    latest: &Latest,
    ratings: &Path,
) -> io::Result<()> {
    let (mut is_new, mut next) = (false, None);
    let mut can_write = true;
    loop {
        match incoming.recv_timeout(COLLECTING) {
            Ok(Message::Finished(record)) => {
                count.add(&record);
                is_new = true;
            }
            Ok(Message::Begun) => (is_new, next) = (true, Some(Instant::now())),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if is_new && next.is_some_and(|next| next <= Instant::now()) {
            let begun = Instant::now();
            let snapshot = count.snapshot(roster.lock().clone());
            if let Err(error) = write_ratings(&snapshot, ratings)
                && std::mem::take(&mut can_write)
            {
                let _ = writeln!(io::stderr(), "warning: cannot write `{}`: {error}", ratings.display());
            }
            latest.set(snapshot);
            (is_new, next) = (false, Some(Instant::now() + begun.elapsed().max(PAUSE)));
        }
    }
    let snapshot = count.snapshot(roster.lock().clone());
    let written = write_ratings(&snapshot, ratings);
    latest.set(snapshot);
    written
}

fn write_ratings(snapshot: &Snapshot, path: &Path) -> io::Result<()> {
    let mut csv = Vec::new();
    write_csv(&snapshot.standings, &[], &mut csv)?;
    write_whole(path, |file| file.write_all(&csv))
}
