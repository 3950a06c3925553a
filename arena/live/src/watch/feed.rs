//! What a running tournament tells: a reporter on one side, the pages on the other. Between them is only what is not yet
//! shown, so that its size is bounded by the matches that are being played.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use model::{Event, Job, Moved, Reporter, Worker};
use opponent::Thoughts;
use report::tables::text::counted;
use report::{Remaining, TimeLeft, decided};

/// The two ends of a feed; clones are the same feed.
#[derive(Clone, Debug, Default)]
pub struct Feed {
    news: Arc<Mutex<News>>,
    thoughts: Thoughts,
}

/// What happened since it was taken last, and how far the tournament is.
#[derive(Debug, Default)]
pub struct News {
    /// How far the tournament is.
    pub status: Status,
    /// By number, the matches that are being played: the job of a new one, and new moves.
    pub running: BTreeMap<u32, Pending>,
    /// The numbers of matches that are no longer being played, with their new moves.
    pub over: Vec<(u32, Vec<Moved>)>,
    /// Warnings and decisions, in words.
    pub said: Vec<String>,
    /// The number of sentences that were left out.
    pub n_unsaid: u32,
}

/// What is new of a match.
#[derive(Debug, Default)]
pub struct Pending {
    /// The match, if it has begun.
    pub job: Option<Box<Job>>,
    /// Its new moves.
    pub moves: Vec<Moved>,
}

/// How far a tournament is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// Its name.
    pub name: String,
    /// The number of its matches; the maximum if results may end it early.
    pub n_matches: u32,
    /// The machines that play, if there are several.
    pub workers: Vec<Worker>,
    /// The numbers of the matches that are being played.
    pub playing: BTreeSet<u32>,
    /// The time until its end, as estimated last.
    pub left: Option<TimeLeft>,
    /// How many matches it plays in a minute or an hour, in words.
    pub speed: Option<String>,
    /// What it does.
    pub state: State,
}

/// What a tournament does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It is played.
    #[default]
    Running,
    /// No more matches begin.
    Stopping,
    /// It has ended.
    Ended,
    /// It was stopped before its end.
    Stopped,
}

impl Feed {
    /// What is new. Nothing is new after this.
    pub fn take(&self) -> News {
        let mut news = self.lock();
        let status = news.status.clone();
        let next = News { status, ..News::default() };
        std::mem::replace(&mut *news, next)
    }

    /// What the engines of this machine think that are to move.
    pub const fn thoughts(&self) -> &Thoughts {
        &self.thoughts
    }

    /// Whether a match is being played.
    pub fn is_playing(&self, number: u32) -> bool {
        self.lock().status.playing.contains(&number)
    }

    fn lock(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Fills a feed with the events of a tournament.
#[derive(Debug)]
pub struct LiveReporter {
    feed: Feed,
    remaining: Remaining,
    begun: Instant,
    /// Whether a stop rule has ended the tournament.
    is_decided: bool,
}

impl LiveReporter {
    /// A reporter of a tournament with this left to play.
    pub fn new(feed: Feed, remaining: Remaining) -> Self {
        Self { feed, remaining, begun: Instant::now(), is_decided: false }
    }
}

impl Reporter for LiveReporter {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        let mut news = self.feed.lock();
        match event {
            Event::Restored { record } => self.remaining.add_restored(record),
            Event::Begun { name, n_matches, .. } => {
                news.status.name.clone_from(name);
                news.status.n_matches = *n_matches;
            }
            Event::MatchBegun { job } => {
                self.remaining.add_begun(job, self.begun.elapsed());
                let pending = Pending { job: Some(job.clone()), moves: Vec::new() };
                news.running.insert(job.number, pending);
                news.status.playing.insert(job.number);
            }
            Event::Moved(moved) => {
                news.running.entry(moved.number).or_default().moves.push(moved.clone());
            }
            Event::MatchFinished { record } => {
                self.remaining.add_finished(record, self.begun.elapsed());
                news.status.playing.remove(&record.number);
                // A match that nobody has seen is not shown any more.
                let pending = news.running.remove(&record.number).filter(|pending| pending.job.is_none());
                news.over.push((record.number, pending.unwrap_or_default().moves));
            }
            Event::Decided { decided: decision, n_running } => {
                self.is_decided |= n_running.is_some();
                news.say(decided(decision, *n_running));
            }
            Event::Warning { message } => news.say(format!("warning: {message}")),
            Event::Workers { workers } => news.status.workers.clone_from(workers),
            Event::Stopping { n_running } => {
                news.status.state = State::Stopping;
                let matches = counted(u64::from(*n_running), "match was", "matches were");
                news.say(format!("stop requested while {matches} being played"));
            }
            Event::Ended { n_finished, n_matches } => {
                // Whoever stops it while the last matches finish misses none; without a number of matches, it never ends by itself.
                let is_whole = self.is_decided || 0 < *n_matches && n_matches <= n_finished;
                let was_stopped = news.status.state == State::Stopping && !is_whole;
                news.status.state = if was_stopped { State::Stopped } else { State::Ended };
                (news.status.left, news.status.speed) = (None, None);
                news.status.playing.clear();
            }
        }
        Ok(())
    }

    fn on_tick(&mut self) {
        let elapsed = self.begun.elapsed();
        let status = &mut self.feed.lock().status;
        (status.left, status.speed) = (self.remaining.left(elapsed), self.remaining.speed(elapsed));
    }

    fn wants_moves(&self) -> bool {
        true
    }
}

impl News {
    fn say(&mut self, text: String) {
        const MOST: usize = 1000;
        if self.said.len() < MOST { self.said.push(text) } else { self.n_unsaid += 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Decided, RuleName, SideLetter, samples};

    fn moved(ply: u32) -> Event {
        Event::Moved(Moved {
            number: 1,
            ply,
            side: SideLetter::White,
            mv: "a1a2".to_owned(),
            time_us: 1,
            clocks_ms: [None; 2],
            score: None,
            depth: None,
            nodes: None,
            principal_variation: None,
        })
    }

    #[test]
    fn only_a_tournament_that_misses_matches_was_stopped() {
        let decision = |n_running| {
            let decided = Decided { rule: RuleName::Sprt, n_pairs: 1, answer: String::new() };
            Event::Decided { decided, n_running }
        };
        let cases = [
            (None, 1, 2, State::Stopped),
            (None, 2, 2, State::Ended),
            (Some(decision(None)), 1, 2, State::Stopped),
            (Some(decision(Some(1))), 1, 2, State::Ended),
            // A league has no number of matches.
            (None, 2, 0, State::Stopped),
        ];
        for (decided, n_finished, n_matches, expected) in cases {
            let feed = Feed::default();
            let mut reporter = LiveReporter::new(feed.clone(), Remaining::default());
            let ended = Event::Ended { n_finished, n_matches };
            for event in [Event::Stopping { n_running: 1 }].into_iter().chain(decided).chain([ended]) {
                reporter.on_event(&event).expect("nothing is written");
            }
            assert_eq!(feed.take().status.state, expected, "{n_finished} of {n_matches}");
        }
    }

    #[test]
    fn only_what_is_new_and_only_of_running_matches() {
        let feed = Feed::default();
        let mut reporter = LiveReporter::new(feed.clone(), Remaining::default());
        let mut tell = |event: &Event| reporter.on_event(event).expect("nothing is written");
        tell(&Event::MatchBegun { job: Box::new(samples::job()) });
        tell(&moved(1));
        let news = feed.take();
        assert_eq!((news.running[&1].job.is_some(), news.running[&1].moves.len()), (true, 1));
        assert!(feed.is_playing(1) && !feed.is_playing(2));
        tell(&moved(2));
        let news = feed.take();
        assert_eq!((news.running[&1].job.is_some(), news.running[&1].moves[0].ply), (false, 2));
        // The last moves of a match are news, too.
        tell(&moved(3));
        tell(&Event::MatchFinished { record: Box::new(samples::record()) });
        let news = feed.take();
        assert!(news.running.is_empty() && news.status.playing.is_empty());
        assert_eq!(
            news.over.iter().map(|(number, moves)| (*number, moves.len())).collect::<Vec<_>>(),
            [(1, 1)]
        );
        assert!(feed.take().over.is_empty());
        // Of a match that began and ended since then, nothing is left but its number.
        tell(&Event::MatchBegun { job: Box::new(samples::job()) });
        tell(&moved(1));
        tell(&Event::MatchFinished { record: Box::new(samples::record()) });
        let news = feed.take();
        assert!(news.running.is_empty() && news.over[0].1.is_empty());
    }
}
