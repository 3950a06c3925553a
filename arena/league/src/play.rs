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

use engine_proto::Games;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::MissedTickBehavior;

use crate::Error;
use crate::admission::{Admission, strict_sandbox};
use crate::door::{Building, Door, ENGINES, LOOK, News, SharedRoster, enter, files, is_own_file, stamp};
use crate::facts::{Clerk, Count, Latest, Snapshot};
use crate::jobs::{Jobs, LeagueScheduler};
#[cfg(feature = "nats")]
use crate::machines::{self, Machines};
use crate::page::{self, Owners};
use crate::pool::{LeaguePool, Ledger};
use crate::roster::{BUILDS, Roster};
#[cfg(feature = "nats")]
use cluster::BothPools;
use config::{League, Source};
use host::output::remove_incomplete;
use live::site::{Open, Router, Token};
use live::watch::{Feed, LiveReporter, Watch};
use model::escape::{escaped, escaped_line};
use model::{Event, Reporter, SetAside, Tournament};
use opponent::{Folders, pauses};
use report::{Faults, Remaining};
use runner::conduct::{Attendance, Begun, ConductError, Conductor, Signals, tell};
use runner::pool::{Admitting, LocalPool, LocalSettings, PoolError, Prepared};
use schedule::planning;
use store::{LOGS, RATINGS_CSV, Results, SCRATCH, add_set_aside, read_set_aside};
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
    /// The games that are known without the file.
    pub games: Games,
    /// The folder of the league, as commands name it.
    pub folder: PathBuf,
    /// The number of matches at once, if not that of the file.
    pub concurrency: Option<u16>,
    /// The workers that play, too, if there are some.
    #[cfg(feature = "nats")]
    pub machines: Option<Machines>,
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

/// Reads the league of the current folder. Its games are these and its own.
///
/// # Errors
/// If there is none, or its file is wrong.
pub fn read(games: &Games, concurrency: Option<u16>) -> Result<League, Error> {
    let mut league = Source::read(Path::new(FILE))?.league(games)?;
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

/// Plays the league of the current folder. If a worker is set aside meanwhile, the league continues without its matches.
///
/// # Errors
/// If it cannot be played, or its results cannot be written.
pub fn play(settings: &Settings) -> Result<Ended, Error> {
    loop {
        match play_once(settings) {
            Err(Error::Conduct(ConductError::Pool(PoolError::SetAside(worker)))) => {
                add_set_aside(&read(&settings.games, settings.concurrency)?.tournament.results, &worker)?;
            }
            ended => return ended,
        }
    }
}

fn play_once(settings: &Settings) -> Result<Ended, Error> {
    #[cfg_attr(not(feature = "nats"), expect(unused_mut, reason = "only workers change it"))]
    let mut league = read(&settings.games, settings.concurrency)?;
    #[cfg(feature = "nats")]
    let own_scale =
        if settings.machines.is_some() { machines::prepare(&mut league.tournament)? } else { None };
    let league = Arc::new(league);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Refused)?;
    let (results, games) = (league.tournament.results.clone(), league.tournament.known_games.clone());
    let folders = create_folders(&results)?;
    refuse_strangers(&league, &folders)?;
    let openings = planning::openings(&league.tournament)?;
    let roster = SharedRoster::new(Roster::read(&results)?);
    // The builds of earlier runs stay in the list of engines.
    let earlier = store::read_tournament(&games, &results).map(|earlier| earlier.engines).unwrap_or_default();
    let base = Tournament { engines: Vec::new(), ..league.tournament.clone() };
    let tournament = Tournament { engines: earlier, ..base.clone() };
    let set_aside = read_set_aside(&results)?;
    let mut stored = Results::open_without_plan(&results, &tournament, &set_aside)?;
    remove_leftovers(&results);

    let latest = Latest::default();
    let clerk = Clerk::start(games, roster.clone(), latest.clone(), results.join(RATINGS_CSV));
    let clerk = clerk.map_err(Error::Refused)?;
    let jobs = Rc::new(RefCell::new(Jobs::new(&league, openings, settings.most_matches)));
    let feed = Feed::default();
    let thoughts = settings.serve.map(|_| feed.thoughts().clone());
    let list = ListReporter::new(clerk, latest.clone(), settings, &results);
    let table = list.table();
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(list)];
    let live = settings.serve.map(|_| LiveReporter::new(feed.clone(), Remaining::default()));
    reporters.extend(live.map(|live| -> Box<dyn Reporter> { Box::new(live) }));
    #[cfg(feature = "nats")]
    let mut tally = store::Tally::default();
    stored.restore(|record| {
        #[cfg(feature = "nats")]
        if roster.are_of(&league.owner, [&record.white, &record.black]) {
            tally.add(&record);
        }
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
    let served = settings.serve.map(serve).transpose()?;
    let submissions = served.as_ref().map(|(_, submissions)| submissions.clone());
    if settings.serve.is_none() && !league.owners.is_empty() {
        let _ = writeln!(io::stderr(), "warning: owners cannot send engines without `--serve`");
    }
    pauses::watch();

    let admission = Arc::new(Admission { tournament: base.clone(), folders });
    let (sender, news) = unbounded_channel();
    let local = LocalSettings {
        n_matches: usize::MAX,
        tells_moves: reporters.iter().any(|reporter| reporter.wants_moves()),
        thoughts,
        ..LocalSettings::default()
    };
    #[cfg(feature = "nats")]
    let wants_moves = local.tells_moves;
    let ledger =
        Ledger { results: results.clone(), roster: roster.clone(), tournament, is_quiet: settings.is_quiet };
    let own_places = LocalPool::new(&base, Prepared::nobody(), local).map_err(ConductError::from)?;
    let warnings = set_aside_warnings(&set_aside);
    let mut scheduler = LeagueScheduler(Rc::clone(&jobs));
    let building = Building::default();
    let ended = runtime.block_on(async {
        let playing = Playing {
            league,
            admission,
            roster,
            jobs,
            news,
            ledger,
            sender,
            submissions,
            building: building.clone(),
            warnings,
        };
        #[cfg_attr(not(feature = "nats"), expect(unused_mut, reason = "only workers need it"))]
        let mut signals = Signals::listen().map_err(Error::Refused)?;
        let attendance = Attendance::new(&[], None);
        let conductor = Conductor { scheduler: &mut scheduler, attendance, reporters: &mut reporters };
        #[cfg(feature = "nats")]
        if let Some(machines) = &settings.machines {
            let id = store::tournament_id(&results)?;
            let opened = machines.open(&id, &base, (set_aside, tally), wants_moves, &mut signals).await?;
            let Some(workers) = opened else { return Ok(()) };
            let pool = BothPools::new(own_places, workers, own_scale);
            return Box::pin(playing.play(pool, conductor, signals)).await;
        }
        playing.play(own_places, conductor, signals).await
    });
    building.end();
    ended?;
    let table = table.borrow().clone();
    Ok(Ended { table, was_stopped: schedule::Scheduler::is_endless(&scheduler) })
}

/// Creates the folders that a league needs.
fn create_folders(results: &Path) -> Result<Folders, Error> {
    let folders = Folders { logs: results.join(LOGS), scratch: results.join(SCRATCH) };
    for folder in [&folders.logs, Path::new(ENGINES)] {
        fs::create_dir_all(folder).map_err(|error| Error::Write { path: folder.to_owned(), error })?;
    }
    Ok(folders)
}

/// Removes what a kill has left. Nobody else writes here while this league has the lock of its results.
fn remove_leftovers(results: &Path) {
    submission::remove_incomplete(Path::new("."));
    remove_incomplete(results, |name| name == BUILDS || name == RATINGS_CSV);
    remove_incomplete(Path::new(ENGINES), is_own_file);
}

/// What a league is played with.
struct Playing {
    league: Arc<League>,
    admission: Arc<Admission>,
    roster: SharedRoster,
    jobs: Rc<RefCell<Jobs>>,
    news: UnboundedReceiver<News>,
    ledger: Ledger,
    sender: UnboundedSender<News>,
    submissions: Option<Submissions>,
    building: Building,
    warnings: Vec<String>,
}

impl Playing {
    /// Plays in this pool.
    async fn play<P: Admitting>(
        self,
        pool: P,
        conductor: Conductor<'_>,
        signals: Signals,
    ) -> Result<(), Error> {
        let Self { league, admission, roster, jobs, news, ledger, sender, submissions, building, warnings } =
            self;
        let mut pool = LeaguePool::new(pool, jobs, news, ledger);
        admit_anchors(&league, &admission, &roster, &mut pool).await?;
        let begun = Begun { name: league.tournament.name.clone(), engines: league.tournament.names() };
        let results = league.tournament.results.clone();
        if let Some(submissions) = submissions {
            tokio::spawn(follow_owners(league.tournament.known_games.clone(), submissions, sender.clone()));
        }
        let door = tokio::spawn(Door::new(league, admission, roster, sender, building).watch());
        let ended = conductor.run(pool, signals, begun, warnings).await;
        door.abort();
        let ended = ended?;
        if let Some(worker) = &ended.set_aside {
            add_set_aside(&results, worker)?;
        }
        ended.too_few.map_or(Ok(()), |why| Err(Error::Openings(why)))
    }
}

fn set_aside_warnings(set_aside: &[SetAside]) -> Vec<String> {
    let words = |SetAside { worker, why }: &SetAside| {
        format!("worker `{worker}` was set aside: {why}; its matches no longer count")
    };
    set_aside.iter().map(words).collect()
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
async fn admit_anchors<P: Admitting>(
    league: &League,
    admission: &Admission,
    roster: &SharedRoster,
    pool: &mut LeaguePool<P>,
) -> Result<(), Error> {
    for anchor in league.anchors() {
        let name = anchor.engine.name.clone();
        let admitted =
            admission.start(&anchor).await.map_err(|why| Error::Anchor { name: name.clone(), why })?;
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

/// The keys of those who may send engines.
fn keys(league: &League) -> Result<BTreeMap<String, PublicKey>, Error> {
    let key = |(owner, key): (&String, &String)| match key.parse::<PublicKey>() {
        Ok(key) => Ok((owner.clone(), key)),
        Err(_) => Err(Error::Key { owner: owner.clone() }),
    };
    league.owners.iter().map(key).collect()
}

/// Reads the owners again whenever the league's file changes, until nobody listens any more. Other changes need a new start.
async fn follow_owners(games: Games, submissions: Submissions, sender: UnboundedSender<News>) {
    let mut seen = stamp(Path::new(FILE));
    let mut looks = tokio::time::interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !sender.is_closed() {
        looks.tick().await;
        let now = stamp(Path::new(FILE));
        if now == seen {
            continue;
        }
        seen = now;
        let said = match read(&games, None).and_then(|league| keys(&league)) {
            Ok(owners) => {
                let n_owners = owners.len();
                submissions.set_owners(owners);
                format!(
                    "`{FILE}` has changed: {n_owners} owners may send engines; other changes need a new start"
                )
            }
            Err(error) => {
                format!("`{FILE}` has changed and is wrong, so the owners stay as they were: {error}")
            }
        };
        let _ = sender.send(News::Said(said));
    }
}

fn serve(
    address: SocketAddr,
    league: &League,
    feed: Feed,
    pages: Router,
) -> Result<(Watch, Submissions), Error> {
    let owners = keys(league)?;
    let takes_engines = !owners.is_empty();
    let say = |text: &str| drop(writeln!(io::stderr(), "{}", escaped_line(text)));
    // Without owners, too: the first one may come while the league runs.
    let submissions = Submissions::new(Path::new("."), owners, Limits::default(), say);
    let uploads = Open { path: submission::PATH, router: submissions.routes() };
    let folders = std::slice::from_ref(&league.tournament.results);
    let watch = Watch::start_with(
        &league.tournament.known_games,
        address,
        folders,
        Some(feed),
        pages,
        Some(uploads),
    )?;
    let url = watch.url();
    let _ = writeln!(io::stderr(), "watch at {url}\nlist at {url}league/index.html");
    if takes_engines {
        let site: Vec<&str> = url.split('/').take(3).collect();
        let _ = writeln!(io::stderr(), "owners send engines to {}", site.join("/"));
    }
    Ok((watch, submissions))
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
    let mut count = Count::of(league.tournament.known_games.clone());
    let mut lines = store::JournalReader::new(io::BufReader::new(journal));
    while let Some(line) = lines.next_line().map_err(|error| unreadable(error.to_string()))? {
        if let Ok(record) = line.record(&league.tournament.known_games) {
            count.add(&record);
        }
    }
    Ok(count.snapshot(Roster::read(results)?))
}

/// Prints faults, and the table now and then.
struct ListReporter {
    clerk: Clerk,
    latest: Latest,
    faults: Option<Faults>,
    every: Duration,
    printed: Instant,
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
                if let Some(snapshot) = self.clerk.finish()? {
                    *self.table.borrow_mut() = snapshot.text(usize::MAX);
                }
            }
            Event::Begun { .. } => self.clerk.begin(),
            Event::MatchBegun { .. } | Event::Moved(_) | Event::Decided { .. } | Event::Workers { .. } => {}
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
