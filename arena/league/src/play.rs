//! Plays a league until the user stops it: from its folder to its journal and its table.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::sync::mpsc::unbounded_channel;

use crate::Error;
use crate::admission::{Admission, strict_sandbox};
use crate::door::{Door, ENGINES, SharedRoster, enter, files};
use crate::facts::{Clerk, Count, Latest, Snapshot};
use crate::jobs::{Jobs, LeagueScheduler};
use crate::page::{self, Owners};
use crate::pool::{LeaguePool, Ledger};
use crate::roster::Roster;
use config::{League, Source};
use host::machine::OwnTimes;
use host::output::write_whole;
use live::site::{Open, Router, Token};
use live::watch::{Feed, LiveReporter, Watch};
use model::escape::{escaped, escaped_line};
use model::{Event, Reporter, Tournament};
use opponent::{Folders, pauses};
use report::tables::write_csv;
use report::{Faults, Remaining};
use runner::conduct::{Attendance, Begun, ConductError, Conductor, Signals, tell};
use runner::pool::{LocalPool, LocalSettings, Prepared};
use schedule::planning;
use store::{LOGS, RATINGS_CSV, Results, SCRATCH};
use submission::{Limits, PublicKey, Submissions};

/// The file of a league in its folder.
pub const FILE: &str = "league.toml";
/// The secret that the addresses of owners' pages are made of, in the results folder.
const KEY: &str = "owners.secret";
/// The number of engines of the table that is printed now and then.
const SHOWN: usize = 20;

/// How a league is played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the league, as commands name it.
    pub folder: PathBuf,
    /// The number of matches at once, if not that of the file.
    pub concurrency: Option<u16>,
    /// Where the pages are served, if they are.
    pub serve: Option<SocketAddr>,
    /// The league ends after this number of matches of this run; `None` for never.
    pub most_matches: Option<u32>,
    /// The time between two tables in the terminal.
    pub table_every: Duration,
    /// Whether only the table at the end is printed.
    pub is_quiet: bool,
}

/// How a league was left.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The table, as text.
    pub table: String,
    /// Whether it was stopped, not ended by its number of matches.
    pub was_stopped: bool,
}

/// Reads the league of the current folder.
///
/// # Errors
/// If there is none, or its file is wrong.
pub fn read(concurrency: Option<u16>) -> Result<League, Error> {
    let mut league = Source::read(Path::new(FILE))?.league()?;
    // All leagues have the same name of their file.
    if let Some(name) = std::env::current_dir().ok().as_deref().and_then(Path::file_name)
        && Path::new(FILE).file_stem().is_some_and(|stem| stem == league.tournament.name.as_str())
    {
        league.tournament.name = name.to_string_lossy().into_owned();
    }
    if let Some(concurrency) = concurrency {
        league.tournament.resources.concurrency = concurrency;
    }
    Ok(league)
}

/// Plays the league of the current folder.
///
/// # Errors
/// If it cannot be played, or its results cannot be written.
pub fn play(settings: &Settings) -> Result<Ended, Error> {
    let league = Arc::new(read(settings.concurrency)?);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Refused)?;
    let results = league.tournament.results.clone();
    let folders = Folders { logs: results.join(LOGS), scratch: results.join(SCRATCH) };
    for folder in [&folders.logs, Path::new(ENGINES)] {
        fs::create_dir_all(folder).map_err(|error| Error::Write { path: folder.to_owned(), error })?;
    }
    refuse_strangers(&league, &folders)?;
    let openings = planning::openings(&league.tournament)?;
    let roster = SharedRoster::new(Roster::read(&results)?);
    // The builds of earlier runs stay in the list of engines.
    let earlier = store::read_tournament(&results).map(|earlier| earlier.engines).unwrap_or_default();
    let base = Tournament { engines: Vec::new(), ..league.tournament.clone() };
    let tournament = Tournament { engines: earlier, ..base.clone() };
    let mut stored = Results::open_without_plan(&results, &tournament)?;

    let latest = Latest::default();
    let clerk = Clerk::start(roster.clone(), latest.clone()).map_err(Error::Refused)?;
    let jobs = Rc::new(RefCell::new(Jobs::new(&league, openings, settings.most_matches)));
    let feed = Feed::default();
    let list = ListReporter::new(clerk, latest.clone(), settings, &results);
    let table = list.table();
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(list)];
    if settings.serve.is_some() {
        reporters.push(Box::new(LiveReporter::new(feed.clone(), Remaining::default())));
    }
    stored.restore(|record| {
        jobs.borrow_mut().restore(&record, |name| roster.lock().find(name).cloned());
        tell(&mut reporters, &Event::Restored { record: Box::new(record) }).map_err(Error::from)
    })?;
    jobs.borrow_mut().begin();
    stored.begin_run(runner::pool::Builds::default().run(base.seed), Vec::new())?;
    // An event is stored before any other reporter gets it.
    reporters.insert(0, Box::new(stored));
    let owners = || owners(&results, roster.clone());
    let serve = |address| {
        serve(address, &league, feed, page::router(latest, league.tournament.name.clone(), owners()?))
    };
    let _watch = settings.serve.map(serve).transpose()?;
    if settings.serve.is_none() && !league.owners.is_empty() {
        let _ = writeln!(io::stderr(), "warning: owners cannot send engines without `--serve`");
    }
    pauses::watch();

    let admission = Arc::new(Admission { tournament: base.clone(), folders });
    let (sender, news) = unbounded_channel();
    let local = LocalSettings {
        n_matches: usize::MAX,
        logs: None,
        tells_moves: reporters.iter().any(|reporter| reporter.wants_moves()),
        own_times: OwnTimes::default(),
    };
    let ledger = Ledger { results, roster: roster.clone(), tournament, is_quiet: settings.is_quiet };
    let mut pool = LeaguePool::new(
        LocalPool::new(&base, Prepared::nobody(), local).map_err(ConductError::from)?,
        Rc::clone(&jobs),
        news,
        ledger,
    );
    admit_anchors(&league, &admission, &roster, &mut pool, &runtime)?;
    let mut scheduler = LeagueScheduler(jobs);
    let begun = Begun { name: league.tournament.name.clone(), engines: league.tournament.names() };
    runtime.block_on(async {
        let signals = Signals::listen().map_err(Error::Refused)?;
        let door = tokio::spawn(Door::new(league, admission, roster, sender).watch());
        let attendance = Attendance::new(&[], None);
        let conductor = Conductor { scheduler: &mut scheduler, attendance, reporters: &mut reporters };
        let ended = conductor.run(pool, signals, begun, Vec::new()).await;
        door.abort();
        if let Some(why) = ended?.too_few {
            return Err(Error::Openings(why));
        }
        Ok(())
    })?;
    let table = table.borrow().clone();
    Ok(Ended { table, was_stopped: schedule::Scheduler::is_endless(&scheduler) })
}

/// Engines of other owners play only in the strict sandbox: without it, a league that has some does not start.
fn refuse_strangers(league: &League, folders: &Folders) -> Result<(), Error> {
    let is_foreign = |path: &Path| {
        let source = Source::read(path).ok();
        source.and_then(|source| league.engine(&source).ok()).is_some_and(|file| file.is_foreign)
    };
    match files(Path::new(ENGINES)).iter().find(|path| is_foreign(path)) {
        Some(path) => {
            strict_sandbox(&folders.scratch).map_err(|why| Error::Strangers { path: path.clone(), why })
        }
        None => Ok(()),
    }
}

/// Anchors must be there.
fn admit_anchors(
    league: &League,
    admission: &Admission,
    roster: &SharedRoster,
    pool: &mut LeaguePool,
    runtime: &Runtime,
) -> Result<(), Error> {
    for anchor in league.anchors() {
        let name = anchor.engine.name.clone();
        let admitted = runtime
            .block_on(admission.start(&anchor))
            .map_err(|why| Error::Anchor { name: name.clone(), why })?;
        let entry = enter(roster, &anchor, &admitted, true);
        pool.join(&entry, admitted).map_err(|error| Error::Anchor { name, why: error.to_string() })?;
    }
    Ok(())
}

/// The pages of owners.
fn owners(results: &Path, roster: SharedRoster) -> Result<Owners, Error> {
    let path = results.join(KEY);
    let key = Token::kept_or_new(&path).map_err(|error| Error::Write { path, error })?;
    Ok(Owners { roster, logs: results.join(LOGS), key: key.text().to_owned() })
}

/// The part of the address of a league's pages that shows an owner the error output of own engines.
///
/// # Errors
/// If nobody of this name has an engine, or the league has not been played.
pub fn link(league: &League, owner: &str) -> Result<String, Error> {
    let results = &league.tournament.results;
    let roster = Roster::read(results)?;
    if roster.builds.iter().all(|entry| entry.owner != owner) {
        return Err(Error::NoOwner { owner: owner.to_owned() });
    }
    let secret = owners(results, SharedRoster::new(roster))?.secret(owner);
    Ok(format!("league/owner/{secret}"))
}

/// What takes the engines that owners send, if the league has owners.
fn uploads(league: &League) -> Result<Option<Open>, Error> {
    let key = |(owner, key): (&String, &String)| match key.parse::<PublicKey>() {
        Ok(key) => Ok((owner.clone(), key)),
        Err(_) => Err(Error::Key { owner: owner.clone() }),
    };
    let owners = league.owners.iter().map(key).collect::<Result<BTreeMap<_, _>, _>>()?;
    if owners.is_empty() {
        return Ok(None);
    }
    let say = |text: &str| drop(writeln!(io::stderr(), "{}", escaped_line(text)));
    let submissions = Submissions::new(Path::new("."), owners, Limits::default(), say);
    Ok(Some(Open { path: submission::PATH, router: submissions.routes() }))
}

fn serve(address: SocketAddr, league: &League, feed: Feed, pages: Router) -> Result<Watch, Error> {
    let uploads = uploads(league)?;
    let takes_engines = uploads.is_some();
    let folders = std::slice::from_ref(&league.tournament.results);
    let watch = Watch::start_with(address, folders, Some(feed), pages, uploads)?;
    let url = watch.url();
    let _ = writeln!(io::stderr(), "watch at {url}\nlist at {url}league/index.html");
    if takes_engines {
        let site: Vec<&str> = url.split('/').take(3).collect();
        let _ = writeln!(io::stderr(), "owners send engines to {}", site.join("/"));
    }
    Ok(watch)
}

/// The table of a league that need not run.
///
/// # Errors
/// If its results cannot be read.
pub fn snapshot(league: &League) -> Result<Snapshot, Error> {
    let results = &league.tournament.results;
    let path = results.join(store::MATCHES_JSONL);
    let unreadable = |reason: String| Error::Journal { path: path.clone(), reason };
    let journal = store::open_stored(&path).map_err(|error| unreadable(store::no_journal(&path, &error)))?;
    let mut count = Count::default();
    let mut lines = store::JournalReader::new(io::BufReader::new(journal));
    while let Some(line) = lines.next_line().map_err(|error| unreadable(error.to_string()))? {
        if let Ok(record) = line.record() {
            count.add(&record);
        }
    }
    Ok(count.snapshot(Roster::read(results)?))
}

/// Prints faults, and the table now and then; writes `ratings.csv` at the end.
struct ListReporter {
    clerk: Clerk,
    latest: Latest,
    faults: Option<Faults>,
    every: Duration,
    printed: Instant,
    ratings: PathBuf,
    table: Rc<RefCell<String>>,
}

impl ListReporter {
    fn new(clerk: Clerk, latest: Latest, settings: &Settings, results: &Path) -> Self {
        Self {
            clerk,
            latest,
            faults: (!settings.is_quiet).then(|| Faults::of(settings.folder.join(results))),
            every: settings.table_every,
            printed: Instant::now(),
            ratings: results.join(RATINGS_CSV),
            table: Rc::default(),
        }
    }

    /// The table at the end.
    fn table(&self) -> Rc<RefCell<String>> {
        Rc::clone(&self.table)
    }
}

impl Reporter for ListReporter {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Restored { record } => self.clerk.add(record),
            Event::MatchFinished { record } => {
                self.clerk.add(record);
                if let Some(line) = self.faults.as_mut().and_then(|faults| faults.line(record)) {
                    writeln!(io::stderr(), "{}", escaped(&line))?;
                }
            }
            Event::Warning { message } => writeln!(io::stderr(), "warning: {}", escaped_line(message))?,
            Event::Stopping { n_running } => {
                writeln!(io::stderr(), "{}", report::stopping(*n_running))?;
            }
            Event::Ended { .. } => {
                if let Some(snapshot) = self.clerk.finish() {
                    let mut csv = Vec::new();
                    write_csv(&snapshot.standings, &mut csv)?;
                    write_whole(&self.ratings, |file| file.write_all(&csv))?;
                    *self.table.borrow_mut() = snapshot.text(usize::MAX);
                }
            }
            Event::Begun { .. }
            | Event::MatchBegun { .. }
            | Event::Moved(_)
            | Event::Decided { .. }
            | Event::Workers { .. } => {}
        }
        Ok(())
    }

    fn on_tick(&mut self) {
        if self.faults.is_some()
            && self.every <= self.printed.elapsed()
            && let Some(snapshot) = self.latest.get()
        {
            self.printed = Instant::now();
            let _ = writeln!(io::stderr(), "\n{}", escaped(&snapshot.text(SHOWN)));
        }
    }
}
