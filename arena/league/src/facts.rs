//! What the matches of a league show: one joint fit of all builds ever, and what each engine did. A thread of its own works
//! out the table, so that no match waits for it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{fmt::Write as _, io};

use crate::door::SharedRoster;
use crate::roster::{Entry, Roster, engine_of};
use model::referee::Reason;
use model::{Record, SideLetter};
use ratings::{Rating, RatingSettings, Standings, Tally, Validity};

/// The table is worked out again after this time at the earliest.
const PAUSE: Duration = Duration::from_secs(1);
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
    tally: Tally,
    facts: Facts,
}

impl Count {
    /// Counts a match.
    pub fn add(&mut self, record: &Record) {
        let game = record.rated_game();
        let pair = record.pair.to_string();
        if self.tally.add(&record.finished(&game, &pair)).is_ok() {
            self.facts.add(record, &game);
        }
    }

    /// The table of these matches.
    pub fn snapshot(&self, roster: Roster) -> Snapshot {
        let settings =
            RatingSettings { transitivity: true, validity: Validity::AnyTime, ..RatingSettings::default() };
        let standings = Standings::new(&self.tally, &settings);
        Snapshot { standings, facts: self.facts.clone(), roster }
    }
}

impl Facts {
    fn add(&mut self, record: &Record, game: &str) {
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
                reason: record.reason.clone(),
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
        (Some(elo), Some(low), Some(high), _) => format!("{elo:+.0} ± {:.0}", (high - low) / 2.0),
        (_, _, _, Some(estimate)) => format!("≈ {estimate:+.0}"),
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

/// The thread that works out the table.
#[derive(Debug)]
pub struct Clerk {
    records: Option<Sender<Box<Record>>>,
    thread: Option<JoinHandle<()>>,
    latest: Latest,
}

impl Clerk {
    /// Starts the thread. The names of builds come from `roster`.
    ///
    /// # Errors
    /// If the system allows no thread.
    pub fn start(roster: SharedRoster, latest: Latest) -> io::Result<Self> {
        let (records, incoming) = channel();
        let shown = latest.clone();
        let thread = std::thread::Builder::new().name("table".to_owned());
        let thread = thread.spawn(move || work(&incoming, &roster, &shown))?;
        Ok(Self { records: Some(records), thread: Some(thread), latest })
    }

    /// Counts a match.
    pub fn add(&self, record: &Record) {
        // The list of moves is only compared, so that other fields of moves can be left out.
        let moves = record.moves.iter().map(|mv| model::MoveRecord::new(mv.mv.clone(), SideLetter::White, 0));
        let record = Record { moves: moves.collect(), ..record.clone() };
        if let Some(records) = &self.records {
            let _ = records.send(Box::new(record));
        }
    }

    /// The table of all matches. No more are counted.
    pub fn finish(&mut self) -> Option<Arc<Snapshot>> {
        self.records = None;
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        self.latest.get()
    }
}

fn work(incoming: &Receiver<Box<Record>>, roster: &SharedRoster, latest: &Latest) {
    let mut count = Count::default();
    let (mut is_new, mut shown) = (true, Instant::now());
    loop {
        match incoming.recv_timeout(PAUSE / 4) {
            Ok(record) => {
                count.add(&record);
                is_new = true;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if is_new && PAUSE <= shown.elapsed() {
            latest.set(count.snapshot(roster.lock().clone()));
            (is_new, shown) = (false, Instant::now());
        }
    }
    latest.set(count.snapshot(roster.lock().clone()));
}
