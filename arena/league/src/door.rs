//! Watches the folder of engines: new, changed and removed files, and changed programs. It looks again every moment, so that it
//! works on every file system. What is wrong with a file is written beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::admission::{Admission, Admitted};
use crate::roster::{Entry, Roster};
use config::{EngineFile, League, Source};
use host::launch::launcher;
use host::output::write_whole;
use opponent::program_files;
use submission::{GitReference, GitRules};

/// The folder of the engines' files, in the folder of the league.
pub const ENGINES: &str = "engines";
/// The ending of what the league says about a file, which has the same name otherwise.
const REPORT: &str = "report.txt";
/// The time between two looks.
pub const LOOK: Duration = Duration::from_millis(500);
/// The number of engines that are checked at once.
const AT_ONCE: usize = 2;

/// What happened to the engines.
#[derive(Debug)]
pub enum News {
    /// A build plays from now on.
    Joined(Box<Entry>, Box<Admitted>),
    /// The build with this name rests.
    Left(String),
    /// What the user should know.
    Said(String),
}

/// The builds that all parts of the league know.
#[derive(Clone, Debug, Default)]
pub struct SharedRoster(Arc<Mutex<Roster>>);

impl SharedRoster {
    /// These builds.
    pub fn new(roster: Roster) -> Self {
        Self(Arc::new(Mutex::new(roster)))
    }

    /// The builds.
    pub fn lock(&self) -> MutexGuard<'_, Roster> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether these builds are of one owner.
    #[cfg(feature = "nats")]
    pub fn are_of(&self, owner: &str, builds: [&String; 2]) -> bool {
        let roster = self.lock();
        builds.iter().all(|build| roster.find(build).is_some_and(|entry| entry.owner == owner))
    }
}

/// The builds of Git repositories that are running, which end with the league. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Building {
    stop: Arc<AtomicBool>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl Building {
    /// Ends them, and waits until their folders are removed.
    pub fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // Whoever waited for its result has heard that it broke off.
            let _ = thread.join();
        }
    }

    /// Runs `work` in a thread of its own: the end of the league does not wait for it, as it would for a blocking task.
    fn start(&self, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let thread = thread::Builder::new().name("build".to_owned()).spawn(work)?;
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.retain(|thread| !thread.is_finished());
        threads.push(thread);
        Ok(())
    }
}

/// The one who looks.
#[derive(Debug)]
pub struct Door {
    league: Arc<League>,
    building: Building,
    admission: Arc<Admission>,
    roster: SharedRoster,
    sender: UnboundedSender<News>,
    files: BTreeMap<PathBuf, Seen>,
    has_looked: bool,
}

/// A file of an engine, as it was seen last.
#[derive(Debug)]
struct Seen {
    stamp: Option<Stamp>,
    /// The files of the program.
    program: Vec<(PathBuf, Option<Stamp>)>,
    name: Option<String>,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    /// It has just come or changed. It is read when it has not changed for a moment.
    Changed,
    /// To be started, when others have been.
    Waiting,
    /// It is started and checked.
    Starting,
    /// This build plays.
    Playing(String),
    /// It does not play, until its file or its program changes, or its report is removed.
    Refused,
}

/// What changes when a file does: its length and time.
pub type Stamp = (u64, SystemTime);

/// What became of a file.
type Outcome = Result<(EngineFile, Admitted, Option<String>), String>;

impl Door {
    /// Looks at the files of `league`, and tells `sender` about its engines.
    pub const fn new(
        league: Arc<League>,
        admission: Arc<Admission>,
        roster: SharedRoster,
        sender: UnboundedSender<News>,
        building: Building,
    ) -> Self {
        Self { league, building, admission, roster, sender, files: BTreeMap::new(), has_looked: false }
    }

    /// Looks until nobody listens any more.
    pub async fn watch(mut self) {
        let mut starting: JoinSet<(PathBuf, Option<Stamp>, Outcome)> = JoinSet::new();
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.sender.is_closed() {
            tokio::select! {
                _ = looks.tick() => self.look(),
                Some(started) = starting.join_next() => {
                    if let Ok((path, stamp, outcome)) = started {
                        self.started(&path, stamp, outcome);
                    }
                }
            }
            for (path, seen) in &mut self.files {
                if seen.state != State::Waiting || AT_ONCE <= starting.len() {
                    continue;
                }
                seen.state = State::Starting;
                let (path, stamp) = (path.clone(), seen.stamp);
                let (league, admission, roster, building) = (
                    Arc::clone(&self.league),
                    Arc::clone(&self.admission),
                    self.roster.clone(),
                    self.building.clone(),
                );
                starting.spawn(async move {
                    let outcome = admit(&league, &admission, &roster, &building, &path).await;
                    (path, stamp, outcome)
                });
            }
        }
    }

    fn look(&mut self) {
        let found: BTreeSet<PathBuf> = files(Path::new(ENGINES));
        let gone: Vec<PathBuf> = self.files.keys().filter(|path| !found.contains(*path)).cloned().collect();
        for path in gone {
            if let Some(Seen { state: State::Playing(build), .. }) = self.files.remove(&path) {
                self.send(News::Left(build));
            }
            // What it says is about no file any more.
            let _ = fs::remove_file(report_of(&path));
        }
        for path in found {
            let stamp = stamp(&path);
            let Some(seen) = self.files.get_mut(&path) else {
                // Files that were there before the start are complete.
                let state = if self.has_looked { State::Changed } else { State::Waiting };
                let name = name_in(&path);
                self.files.insert(path, Seen { stamp, program: Vec::new(), name, state });
                continue;
            };
            let program: Vec<_> =
                seen.program.iter().map(|(file, _)| (file.clone(), self::stamp(file))).collect();
            let has_changed = seen.stamp != stamp || seen.program != program;
            if seen.stamp != stamp {
                seen.name = name_in(&path);
            }
            (seen.stamp, seen.program) = (stamp, program);
            if has_changed {
                if let State::Playing(build) = std::mem::replace(&mut seen.state, State::Changed) {
                    let _ = self.sender.send(News::Left(build));
                }
            } else if seen.state == State::Changed
                || (seen.state == State::Refused && !report_of(&path).exists())
            {
                seen.state = State::Waiting;
            } else if let State::Playing(build) = &seen.state
                && self.roster.lock().find(build).is_some_and(|entry| entry.set_aside.is_some())
            {
                seen.state = State::Refused;
            }
        }
        self.has_looked = true;
    }

    /// An engine was started and checked, or cannot play.
    fn started(&mut self, path: &Path, stamp: Option<Stamp>, outcome: Outcome) {
        let taken = self.taken(path);
        let Some(seen) = self.files.get_mut(path) else { return };
        if seen.state != State::Starting || seen.stamp != stamp {
            return;
        }
        if outcome.as_ref().is_ok_and(|(_, admitted, _)| admitted.prepared.builds.have_changed()) {
            seen.state = State::Changed;
            return;
        }
        let outcome = match taken {
            Some(other) => Err(format!("the name is taken by {other}; give this engine another one")),
            None => outcome,
        };
        match outcome {
            Ok((file, admitted, report)) => {
                let contender = &admitted.prepared.contenders[0];
                let files = program_files(&contender.engine.command, &contender.spawn);
                seen.program =
                    files.into_iter().map(|file| (file.path.clone(), self::stamp(&file.path))).collect();
                seen.state = State::Playing(admitted.build.clone());
                let entry = enter(&self.roster, &file, &admitted, false);
                if let Some(report) = report {
                    let text = format!("plays as {}\n\n{report}", admitted.build);
                    self.report(path, &text);
                }
                self.send(News::Joined(Box::new(entry), Box::new(admitted)));
            }
            Err(why) => {
                seen.state = State::Refused;
                if let Some(Ok(file)) = Source::read(path).ok().map(|source| self.league.engine(&source)) {
                    let program = host::executable::find(&file.engine.command).ok();
                    seen.program =
                        program.into_iter().map(|program| (program.clone(), self::stamp(&program))).collect();
                }
                let text = format!(
                    "does not play:\n\n{why}\n\nCorrect this file or the program: the league looks again. To try the same \
                     program once more, remove this report.\n"
                );
                self.report(path, &text);
                let report = report_of(path);
                self.send(News::Said(format!("{} does not play; see {}", path.display(), report.display())));
            }
        }
    }

    /// Who else has the name of the engine of this file.
    fn taken(&self, path: &Path) -> Option<String> {
        let name = self.files.get(path)?.name.as_ref()?;
        if self.league.tournament.engines.iter().any(|engine| engine.name == *name) {
            return Some("an anchor in `league.toml`".to_owned());
        }
        let is_earlier = |(other, seen): &(&PathBuf, &Seen)| {
            *other != path
                && seen.name.as_ref() == Some(name)
                && (matches!(seen.state, State::Playing(_)) || other.as_path() < path)
        };
        self.files.iter().find(is_earlier).map(|(other, _)| format!("`{}`", other.display()))
    }

    /// Writes what the league says about a file beside it.
    fn report(&self, path: &Path, text: &str) {
        let report = report_of(path);
        if let Err(error) = write_whole(&report, |file| file.write_all(text.as_bytes())) {
            self.send(News::Said(format!("cannot write `{}`: {error}", report.display())));
        }
    }

    fn send(&self, news: News) {
        // Nobody listens when the league ends.
        let _ = self.sender.send(news);
    }
}

/// Reads a file, starts its engine, and checks a build that is new.
async fn admit(
    league: &League,
    admission: &Admission,
    roster: &SharedRoster,
    building: &Building,
    path: &Path,
) -> Outcome {
    let source = of_repository(Source::read(path).map_err(|error| error.to_string())?, building).await?;
    let file = league.engine(&source).map_err(|error| error.to_string())?;
    let admitted = admission.start(&file).await?;
    let known = roster.lock().find(&admitted.build).cloned();
    if let Some(entry) = known {
        // Whoever has removed the report wants it to play again.
        return match entry.set_aside.filter(|_| report_of(path).exists()) {
            Some(why) => Err(why),
            None => Ok((file, admitted, None)),
        };
    }
    let report = admission.check(&file, &admitted).await?;
    Ok((file, admitted, Some(report)))
}

/// The file of an engine whose program comes from a Git repository, after it was fetched and built; any other file as it is.
async fn of_repository(source: Source, building: &Building) -> Result<Source, String> {
    // A file that is not TOML is reported by its reader.
    let Ok(table) = source.text().parse::<toml::Table>() else { return Ok(source) };
    if !table.contains_key("git") {
        return Ok(source);
    }
    let launcher =
        launcher().ok_or("a repository is built in the sandbox, which this system does not have")?;
    let rules = GitRules { stop: Arc::clone(&building.stop), ..GitRules::new(launcher) };
    let Some(reference) = GitReference::read(&table, &rules).map_err(|error| error.to_string())? else {
        return Ok(source);
    };
    let (sender, built) = oneshot::channel();
    let named = reference.clone();
    building
        .start(move || drop(sender.send(named.program(Path::new("."), &rules))))
        .map_err(|error| format!("the system refused a thread: {error}"))?;
    let program = built.await.map_err(|_| "the build broke off")?.map_err(|error| error.to_string())?;
    let text = reference.without_repository(table, &program).to_string();
    Ok(Source::new(source.path(), text))
}

/// Enters a build that plays from now on.
pub fn enter(roster: &SharedRoster, file: &EngineFile, admitted: &Admitted, anchor: bool) -> Entry {
    let mut roster = roster.lock();
    if let Some(entry) = roster.find_mut(&admitted.build) {
        entry.set_aside = None;
        entry.owner.clone_from(&file.owner);
        entry.anchor = anchor;
        return entry.clone();
    }
    let version = admitted.prepared.builds.all().first().and_then(|build| build.version.clone());
    let entry = Entry {
        build: admitted.build.clone(),
        engine: file.engine.name.clone(),
        owner: file.owner.clone(),
        version,
        joined: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        anchor,
        set_aside: None,
    };
    roster.builds.push(entry.clone());
    entry
}

/// Sets a build aside: says so beside the file of its engine, if there is one.
pub fn write_set_aside(engine: &str, why: &str) -> Option<PathBuf> {
    let path = files(Path::new(ENGINES)).into_iter().find(|path| name_in(path).as_deref() == Some(engine))?;
    let report = report_of(&path);
    let text = format!(
        "set aside: {why}\n\nCorrect the program: a changed one is a new build, and plays at once. To let the same build play \
         again, remove this report.\n"
    );
    write_whole(&report, |file| file.write_all(text.as_bytes())).ok()?;
    Some(report)
}

/// The files of engines in a folder.
pub fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_hidden =
        |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    entries.filter(|path| path.extension().is_some_and(|end| end == "toml") && !is_hidden(path)).collect()
}

/// The name that a file gives its engine, if it can be read.
fn name_in(path: &Path) -> Option<String> {
    Source::read(path).ok()?.name()
}

/// Whether the league writes files with this name into the folder of the engines: reports, and engines that were sent.
pub fn is_own_file(name: &str) -> bool {
    name.ends_with(REPORT) || Path::new(name).extension().is_some_and(|end| end == "toml")
}

fn report_of(path: &Path) -> PathBuf {
    path.with_extension(REPORT)
}

/// What changes when a file does; `None` if it is not there.
pub fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}
