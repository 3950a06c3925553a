//! What is shown: it follows the folders and the feed, and makes a frame of what is new, at most ten times a second. It
//! runs in a thread of its own, so that the matches wait for nothing.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use engine_proto::Games;

use super::curve::Curve;
use super::faults::FaultList;
use super::feed::{Feed, News, State, Status};
use super::folder::{Folder, Library, Stand, Wanted};
use super::running::Running;
use super::standings::LiveStandings;
use super::view::{Finished, Frame, LastMatch, Progress, Report};
use crate::frames::Frames;
use model::Record;
use model::referee::Reason;
use report::html::parts::Boards;
use report::tables::text::counted;
use report::{TimeLeft, speed};
use schedule::RoundTable;
use schedule::stop::Finding;

/// The least time between two frames.
const TICK: Duration = Duration::from_millis(100);
/// The time between two looks while nobody is there.
const IDLE_TICKS: u32 = 10;
/// The number of results, and of sentences, that are listed at once.
pub const MOST_FINISHED: usize = 100;
const MOST_SAID: usize = 100;

/// The states of a tournament that has ended, that was stopped before its end, that another program plays, and of one of which
/// this is not known.
const ENDED: &str = "ended";
const STOPPED: &str = "stopped";
const PLAYING: &str = "playing";
const WATCHING: &str = "watching";

/// The number of points of the curves of ratings for matches that are read at once, and the time that they may take.
const CURVE_POINTS: usize = 20;
const CURVE_TIME: Duration = Duration::from_secs(1);

/// The stage.
pub struct Stage {
    library: Library,
    feed: Option<Feed>,
    /// Reports before this time are of an earlier part of the tournament that is being played.
    begun: SystemTime,
    frames: Arc<Frames>,
    /// Whether this is the last look.
    is_last: Arc<AtomicBool>,
    /// By folder, why it cannot be read. This is said once.
    unread: BTreeMap<usize, String>,
    state: Shown,
}

/// All that is shown.
struct Shown {
    progress: Progress,
    /// What was shown last of it.
    told: Progress,
    left: Option<TimeLeft>,
    /// Of a tournament that another program plays: since when it was seen, with how many finished matches then and now.
    seen: Option<(Instant, u64, u64)>,
    standings: LiveStandings,
    /// What the stop rules have found.
    findings: Vec<Finding>,
    curves: Vec<Curve>,
    /// The tables of tournaments with rounds, and those that were shown last.
    rounds: Vec<RoundTable>,
    told_rounds: Vec<RoundTable>,
    boards: Boards,
    running: BTreeMap<u32, Running>,
    finished: VecDeque<Finished>,
    /// The most matches that were played at once.
    most_running: usize,
    /// So many that ended last, by folder, until their moves are shown, and those whose moves were shown after their ends.
    latest: VecDeque<(usize, Record)>,
    replays: Vec<(Finished, Running)>,
    said: VecDeque<String>,
    faults: FaultList,
    n_finished: u64,
}

/// What is new since the last frame.
#[derive(Default)]
struct Fresh {
    over: Vec<Running>,
    begun: Vec<u32>,
    n_finished: usize,
    n_said: usize,
    /// The number of boards before.
    n_boards: usize,
}

impl Stage {
    pub fn new(library: Library, feed: Option<Feed>, frames: Arc<Frames>, is_last: Arc<AtomicBool>) -> Self {
        let begun = if feed.is_some() { SystemTime::now() } else { SystemTime::UNIX_EPOCH };
        Self { library, feed, begun, frames, is_last, unread: BTreeMap::new(), state: Shown::new() }
    }

    /// Shows what happens, until the last look.
    pub fn run(mut self) {
        let mut n_idle = 0;
        loop {
            let is_last = self.is_last.load(Ordering::Relaxed);
            let is_watched = 0 < self.frames.n_viewers();
            n_idle = if is_watched { 0 } else { n_idle + 1 };
            if is_watched || is_last || n_idle % IDLE_TICKS == 1 {
                self.look(is_watched, is_last);
            }
            if is_last {
                return;
            }
            sleep(TICK);
        }
    }

    fn look(&mut self, is_watched: bool, is_last: bool) {
        let mut fresh = Fresh { n_boards: self.state.boards.all().len(), ..Fresh::default() };
        if let Some(feed) = &self.feed {
            self.state.hear(self.library.games(), feed.take(), &mut fresh);
            // It may also have been aborted, or have failed.
            if is_last && self.state.progress.state != ENDED {
                self.state.progress.state = STOPPED;
                let stopped = std::mem::take(&mut self.state.running);
                if !stopped.is_empty() {
                    let matches = counted(stopped.len() as u64, "match", "matches");
                    self.state.say(&mut fresh, format!("stopped; {matches} did not finish"));
                }
                fresh.over.extend(stopped.into_values());
            }
        }
        let mut records = Vec::new();
        for (idx, folder) in self.library.folders().iter().enumerate() {
            let seen = match folder.look() {
                Ok(seen) => seen,
                Err(error) => {
                    let why = format!("warning: cannot read the results: {error}");
                    if self.unread.insert(idx, why.clone()).as_ref() != Some(&why) {
                        self.state.say(&mut fresh, why);
                    }
                    continue;
                }
            };
            self.unread.remove(&idx);
            if seen.is_other {
                // All folders are read again: another start of the same tournament, most likely.
                self.state = Shown::new();
                self.library.forget();
                self.frames.skip();
                return;
            }
            records.extend(seen.records.into_iter().map(|record| (idx, record)));
        }
        // Of several folders, the first one may have been played last.
        records.sort_by(|(_, one), (_, other)| one.date.cmp(&other.date));
        let (begun, step) = (Instant::now(), records.len().div_ceil(CURVE_POINTS));
        for (done, (idx, record)) in (1..).zip(records) {
            let id = self.library.id(idx, record.number);
            self.state.add(self.library.games(), &record, idx, id, &mut fresh);
            // What was played before is read at once.
            if step > 1 && done % step == 0 && begun.elapsed() < CURVE_TIME {
                self.state.standings.mark();
            }
        }
        self.state.follow(&self.library, self.feed.is_some());
        let has_ended = self.state.progress.state == ENDED;
        self.state.progress.reports =
            if has_ended { reports(&self.library, self.begun, self.feed.is_some()) } else { Vec::new() };
        if is_watched || is_last {
            self.publish(fresh, is_last);
        } else {
            self.state.standings.mark_unseen();
            self.frames.skip();
        }
    }

    fn publish(&mut self, mut fresh: Fresh, is_last: bool) {
        let games = self.library.games();
        let Shown { standings, findings, curves, progress, .. } = &mut self.state;
        let are_standings_new = standings.new_ones(games, (findings, curves), is_last).is_some();
        progress.stops = standings.stops(findings);
        self.state.progress = self.state.progress_now();
        let is_progress_new = self.state.progress != self.state.told;
        self.state.told = self.state.progress.clone();
        let are_rounds_new = self.state.rounds != self.state.told_rounds;
        if are_rounds_new {
            self.state.told_rounds = self.state.rounds.clone();
        }
        let is_fed = self.feed.is_some();
        // Where a new board would come with each match, it comes as often as the standings.
        if are_standings_new
            && !is_fed
            && self.state.progress.state == ENDED
            && let Some(found) = match_of_the_first(&self.library, &self.state.standings)
        {
            self.state.latest = [found].into();
        }
        let is_last_new = if is_fed { self.state.is_over() } else { are_standings_new }
            && self.state.show_last(&self.library);
        let Shown { progress, standings, rounds, boards, running, finished, replays, said, faults, .. } =
            &mut self.state;
        let (mut begun, mut moved, mut thoughts) = (Vec::new(), Vec::new(), Vec::new());
        for (number, one) in running.iter_mut() {
            if fresh.begun.contains(number) {
                one.change();
                begun.push(one.whole());
            } else {
                thoughts.extend(self.feed.as_ref().and_then(|feed| one.new_thought(feed.thoughts())));
                moved.extend(one.change());
            }
        }
        let over: Vec<u32> = fresh.over.iter().map(Running::number).collect();
        moved.extend(fresh.over.iter_mut().filter_map(Running::change));
        let frame = Frame {
            progress: is_progress_new.then_some(&*progress),
            standings: are_standings_new.then(|| standings.last()),
            rounds: if are_rounds_new { rounds } else { &[] },
            boards: boards.all().split_off(fresh.n_boards),
            begun,
            moved,
            thoughts,
            over: &over,
            finished: newest(finished, fresh.n_finished),
            last: if is_last_new { with_moves(replays) } else { Vec::new() },
            faults: faults.changed(),
            said: newest(said, fresh.n_said).into_iter().map(String::as_str).collect(),
        };
        if !frame.is_empty() {
            self.frames.publish(&serde_json::to_string(&frame).expect("a frame is JSON"));
        }
        if self.frames.takes_snapshot() {
            let snapshot = serde_json::to_string(&self.state.whole()).expect("a snapshot is JSON");
            self.frames.set_snapshot(&snapshot);
        }
    }
}

/// The reports of the folders, as far as they are not older than `begun`.
fn reports(library: &Library, begun: SystemTime, is_fed: bool) -> Vec<Report> {
    let report = |(number, folder): (usize, &Folder)| {
        let written = folder.written_report().filter(|(written, _)| begun <= *written);
        // Whoever plays the tournament writes its report at the end.
        if written.is_none() && is_fed {
            return None;
        }
        let is_ours = written.is_some_and(|(_, is_ours)| is_ours);
        Some(Report { address: is_ours.then(|| format!("report/{number}")), folder: folder.path() })
    };
    (1..).zip(library.folders()).filter_map(report).collect()
}

/// Of a tournament that has ended, the last match between the first two engines that ended by the rules: it shows more than the
/// one that ended last.
fn match_of_the_first(library: &Library, standings: &LiveStandings) -> Option<(usize, Record)> {
    let wanted = Wanted::between(standings.first_two()?);
    let folders = library.folders().iter().enumerate().rev();
    let records = folders.flat_map(|(idx, folder)| {
        folder
            .find(&wanted)
            .into_iter()
            .rev()
            .map_while(move |number| Some((idx, folder.record(number).ok()??)))
    });
    records.take(MOST_FINISHED).find(|(_, record)| Reason::of_arena(&record.reason).is_none())
}

/// The last `n`, from the oldest to the newest.
fn newest<T>(all: &VecDeque<T>, n: usize) -> Vec<&T> {
    all.range(all.len().saturating_sub(n)..).collect()
}

fn with_moves(replays: &[(Finished, Running)]) -> Vec<LastMatch<'_>> {
    replays.iter().map(|(finished, moves)| LastMatch { finished, moves: moves.whole() }).collect()
}

impl Shown {
    fn new() -> Self {
        Self {
            progress: Progress { state: WATCHING, ..Progress::default() },
            told: Progress::default(),
            left: None,
            seen: None,
            standings: LiveStandings::new(),
            findings: Vec::new(),
            curves: Vec::new(),
            rounds: Vec::new(),
            told_rounds: Vec::new(),
            boards: Boards::default(),
            running: BTreeMap::new(),
            finished: VecDeque::new(),
            most_running: 1,
            latest: VecDeque::new(),
            replays: Vec::new(),
            said: VecDeque::new(),
            faults: FaultList::new(),
            n_finished: 0,
        }
    }

    /// What the running tournament tells.
    fn hear(&mut self, games: &Games, news: News, fresh: &mut Fresh) {
        let News { status, running, over, said, n_unsaid } = news;
        for (number, moves) in over {
            if let Some(mut running) = self.running.remove(&number) {
                for moved in moves {
                    running.hear(moved);
                }
                fresh.over.push(running);
            }
        }
        for (number, pending) in running {
            if let Some(job) = pending.job {
                self.running.remove(&number);
                self.running
                    .extend(Running::new(games, &job, &mut self.boards).map(|running| (number, running)));
                fresh.begun.push(number);
            }
            if let Some(running) = self.running.get_mut(&number) {
                pending.moves.into_iter().for_each(|moved| running.hear(moved));
            }
        }
        self.most_running = self.most_running.max(self.running.len());
        for text in said {
            self.say(fresh, text);
        }
        if 0 < n_unsaid {
            self.say(fresh, format!("{n_unsaid} more warnings are left out"));
        }
        let Status { name, n_matches, workers, playing: _, left, speed, state } = status;
        self.left = left;
        self.progress.speed = speed;
        self.progress.name = name;
        self.progress.n_matches = (n_matches != 0).then(|| n_matches.into());
        self.progress.workers = workers;
        self.progress.state = match state {
            State::Running => "running",
            State::Stopping => "stopping",
            State::Ended => ENDED,
            State::Stopped => STOPPED,
        };
    }

    /// A match is over.
    fn add(&mut self, games: &Games, record: &Record, folder: usize, id: String, fresh: &mut Fresh) {
        self.n_finished += 1;
        self.standings.add(record, folder);
        self.faults.add(record, &id);
        self.latest.push_back((folder, record.clone()));
        if self.most_running < self.latest.len() {
            self.latest.pop_front();
        }
        self.finished.push_back(Finished::new(games, record, id));
        fresh.n_finished += 1;
        if MOST_FINISHED < self.finished.len() {
            self.finished.pop_front();
        }
    }

    fn say(&mut self, fresh: &mut Fresh, text: String) {
        self.said.push_back(text);
        fresh.n_said += 1;
        if MOST_SAID < self.said.len() {
            self.said.pop_front();
        }
    }

    /// What the folders say of their tournaments.
    fn follow(&mut self, library: &Library, is_fed: bool) {
        let about: Vec<_> = library.folders().iter().map(Folder::about).collect();
        self.standings.follow(&about);
        self.progress.is_fed = is_fed;
        // The test of one folder is no verdict on the matches of several.
        if let [folder] = library.folders() {
            (self.findings, self.progress.is_decided) = folder.stops();
            self.curves = folder.curves();
        }
        self.rounds = library.folders().iter().flat_map(Folder::rounds).collect();
        if !is_fed || about.iter().any(|one| one.has_rounds) {
            // The most matches of several folders that results end early say nothing.
            let is_open = 1 < about.len() && about.iter().any(|one| one.depends_on_results);
            let n_matches = library.folders().iter().map(|folder| folder.n_matches().map(u64::from));
            self.progress.n_matches = n_matches.sum::<Option<u64>>().filter(|_| !is_open);
        }
        if !is_fed {
            let stands: Vec<Stand> = library.folders().iter().map(Folder::stand).collect();
            self.progress.state = match stands.as_slice() {
                stands if stands.contains(&Stand::Playing) => PLAYING,
                stands if stands.contains(&Stand::Unknown) => WATCHING,
                stands if stands.contains(&Stand::Stopped) => STOPPED,
                _ => ENDED,
            };
            let mut names: Vec<&str> = about.iter().map(|one| one.name.as_str()).collect();
            names.dedup();
            self.progress.name = names.join(", ");
            self.measure();
        }
    }

    /// How fast another program plays, and how long the rest takes at this speed.
    fn measure(&mut self) {
        /// The first matches to end are the short ones.
        const FEWEST: u32 = 5;
        if self.progress.state != PLAYING {
            (self.seen, self.left, self.progress.speed) = (None, None, None);
            return;
        }
        let (since, before, now) =
            self.seen.get_or_insert((Instant::now(), self.n_finished, self.n_finished));
        if *now == self.n_finished {
            return;
        }
        *now = self.n_finished;
        let (n_done, elapsed) = ((*now - *before) as u32, since.elapsed());
        self.progress.speed = speed(n_done, elapsed);
        let n_left = self.progress.n_matches.map(|n| n.saturating_sub(*now) as u32);
        let estimate_s = |n_left| elapsed.as_secs_f64() * f64::from(n_left) / f64::from(n_done);
        self.left = n_left
            .filter(|_| FEWEST <= n_done)
            .and_then(|n_left| TimeLeft::new(estimate_s(n_left), f64::from(n_done).sqrt().recip()));
    }

    /// Whether no match is played any more.
    fn is_over(&self) -> bool {
        [ENDED, STOPPED].contains(&self.progress.state) && self.running.is_empty()
    }

    /// Makes the matches that ended last those that are shown. Says whether there are other ones than before.
    fn show_last(&mut self, library: &Library) -> bool {
        let latest = std::mem::take(&mut self.latest);
        let replay = |(folder, record): (usize, Record)| {
            let (games, about) = (library.games(), library.folders()[folder].about());
            let replay = Running::over(games, &record, about.time_controls(&record), &mut self.boards)?;
            Some((Finished::new(games, &record, library.id(folder, record.number)), replay))
        };
        let replays: Vec<_> = latest.into_iter().filter_map(replay).collect();
        let are_new = !replays.is_empty();
        if are_new {
            self.replays = replays;
        }
        are_new
    }

    fn progress_now(&self) -> Progress {
        let is_running = ["running", PLAYING].contains(&self.progress.state);
        Progress {
            n_finished: self.n_finished,
            n_running: self.running.len(),
            left: self.left.filter(|_| is_running).map(|left| left.to_string()),
            ..self.progress.clone()
        }
    }

    /// Everything, for a newcomer.
    fn whole(&self) -> Frame<'_> {
        Frame {
            progress: Some(&self.progress),
            standings: Some(self.standings.last()).filter(|standings| !standings.is_null()),
            rounds: &self.rounds,
            boards: self.boards.all(),
            begun: self.running.values().map(Running::whole).collect(),
            moved: Vec::new(),
            thoughts: Vec::new(),
            over: &[],
            finished: self.finished.iter().collect(),
            last: if self.running.is_empty() { with_moves(&self.replays) } else { Vec::new() },
            faults: self.faults.all(),
            said: self.said.iter().map(String::as_str).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_of_another_program_is_that_of_the_matches_that_were_seen() {
        let mut shown = Shown::new();
        shown.progress = Progress { state: PLAYING, n_matches: Some(20), ..Progress::default() };
        shown.n_finished = 4;
        shown.measure();
        assert_eq!((shown.progress.speed.as_deref(), shown.left), (None, None));
        shown.seen = Some((Instant::now().checked_sub(Duration::from_secs(6)).expect("later"), 4, 4));
        shown.n_finished = 10;
        shown.measure();
        assert_eq!(shown.progress.speed.as_deref(), Some("60 a minute"));
        assert_eq!(shown.left.map(|left| left.to_string()).as_deref(), Some("6 to 18 s"));
        shown.progress.state = STOPPED;
        shown.measure();
        assert_eq!((shown.progress.speed.as_deref(), shown.left), (None, None));
    }
}
