//! The main loop. It gives jobs to the pool, puts the events of the pool in one order, and sends them to the
//! reporters. There is no other shared state.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::attendance::Attendance;
use super::queue::Queue;
use super::{StopRequest, StopRequests};
use crate::play::forfeit;
use crate::pool::{Pool, PoolError, PoolEvent};
use model::{Event, FormatVersion, Job, Record, Reporter, SetAside};
use schedule::openings::OpeningsError;
use schedule::{NextJob, Scheduler};

const TICK: Duration = Duration::from_millis(250);

/// A tournament that is ready to start or to continue.
pub struct Conductor<'a> {
    /// Decides what to play next. It already has the matches of earlier runs.
    pub scheduler: &'a mut dyn Scheduler,
    /// The engines that take part.
    pub attendance: Attendance,
    /// The reporters, in the order in which they get each event.
    pub reporters: &'a mut [Box<dyn Reporter>],
}

/// The end of a tournament.
#[derive(Debug, Default)]
pub struct Ended {
    /// The reason, if the tournament ended because of missing openings.
    pub too_few: Option<OpeningsError>,
    /// A worker that was found wrong after the user had stopped the tournament.
    pub set_aside: Option<SetAside>,
    /// The number of running matches that the user did not let finish.
    pub n_aborted: usize,
}

/// Why a tournament was interrupted.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// A reporter cannot write.
    #[error("cannot write the results: {0}{remedy}", remedy = remedy(.0))]
    Report(io::Error),
    /// The pool can no longer play matches.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

/// What helps if the results cannot be written.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        // The folder is gone.
        io::ErrorKind::NotFound => "",
        io::ErrorKind::FileTooLarge => {
            "; raise the limit of the size of files (`ulimit -f`): all earlier matches are stored, and the same command continues"
        }
        _ => "; all earlier matches are stored, and the same command continues",
    }
}

impl Conductor<'_> {
    /// Plays all matches of the scheduler in `pool`, until they are finished or the user stops the tournament. `begun`
    /// is the first event, `warnings` are sent before the first match.
    ///
    /// # Errors
    /// If a reporter cannot write, or the pool fails. Running matches are aborted then.
    pub async fn run(
        mut self,
        mut pool: impl Pool,
        mut requests: impl StopRequests,
        begun: Begun,
        warnings: Vec<String>,
    ) -> Result<Ended, ConductError> {
        let mut ended = Ended::default();
        let opened = self.open(begun, warnings);
        let outcome = match opened {
            Ok(()) => self.play_all(&mut pool, &mut requests, &mut ended).await,
            Err(error) => Err(error),
        };
        if outcome.is_err() {
            pool.abort();
        }
        let left = pool.close().await;
        outcome?;
        self.tell(left.into_iter().map(|message| Event::Warning { message }))?;
        let progress = self.scheduler.progress();
        let (n_finished, n_matches) = (progress.n_finished, progress.n_matches);
        self.tell([Event::Ended { n_finished, n_matches }])?;
        Ok(ended)
    }

    fn open(&mut self, begun: Begun, warnings: Vec<String>) -> Result<(), ConductError> {
        let progress = self.scheduler.progress();
        let begun = Event::Begun {
            format_version: FormatVersion,
            name: begun.name,
            contenders: begun.engines,
            n_matches: progress.n_matches,
            n_finished: progress.n_finished,
        };
        let warnings = warnings.into_iter().map(|message| Event::Warning { message });
        let decided = self.scheduler.decided().cloned();
        let decided = decided.map(|decided| Event::Decided { decided, n_running: Some(0) });
        self.tell([begun].into_iter().chain(warnings).chain(decided))
    }

    async fn play_all(
        &mut self,
        pool: &mut impl Pool,
        requests: &mut impl StopRequests,
        ended: &mut Ended,
    ) -> Result<(), ConductError> {
        let mut queue = Queue::default();
        let mut running: HashMap<u32, Job> = HashMap::new();
        let mut is_stopping = false;
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut news = Vec::new();
        loop {
            // After a decision, jobs in the queue are not started.
            while !is_stopping && self.scheduler.decided().is_none() && pool.has_room() {
                let Some(job) = self.next(&mut queue, pool, ended) else { break };
                if let Some(record) = self.forfeited(&job) {
                    news.extend(self.finished(record, running.len()));
                    self.tell(news.drain(..))?;
                } else {
                    running.insert(job.number, job.clone());
                    pool.submit(job);
                }
            }
            // A place does not wait until the match that it has played is stored.
            self.tell(news.drain(..))?;
            if running.is_empty() && (is_stopping || !self.scheduler.is_endless()) {
                return Ok(());
            }
            tokio::select! {
                biased;
                request = requests.next() => {
                    if is_stopping || request == StopRequest::Terminate {
                        ended.n_aborted = running.len();
                        pool.abort();
                        return Ok(());
                    }
                    is_stopping = true;
                    withdraw(pool, &mut running);
                    news.push(Event::Stopping { n_running: running.len() as u32 });
                }
                event = pool.next() => match event {
                    // Its matches are played again when the tournament continues.
                    Err(PoolError::SetAside(worker)) if is_stopping => {
                        let message = PoolError::SetAside(worker.clone()).to_string();
                        self.tell([Event::Warning { message }])?;
                        ended.set_aside = Some(worker);
                        pool.abort();
                        return Ok(());
                    }
                    event => news = self.take(event?, &mut running, &mut queue),
                },
                _ = ticks.tick() => {
                    if is_stopping {
                        withdraw(pool, &mut running);
                    }
                    self.reporters.iter_mut().for_each(|reporter| reporter.on_tick());
                }
            }
        }
    }

    /// Handles an event of the pool, and returns what the reporters are told about it. Events of matches that are not
    /// running are ignored: they are repetitions.
    fn take(&mut self, event: PoolEvent, running: &mut HashMap<u32, Job>, queue: &mut Queue) -> Vec<Event> {
        let warning = |message| Event::Warning { message };
        let news = match event {
            PoolEvent::Begun(number) => {
                running.get(&number).map(|job| Event::MatchBegun { job: Box::new(job.clone()) })
            }
            PoolEvent::Moved(moved) => running.contains_key(&moved.number).then_some(Event::Moved(moved)),
            PoolEvent::Changed => None,
            PoolEvent::Finished(record) => {
                if running.remove(&record.number).is_none() {
                    return Vec::new();
                }
                let absence = self.attendance.count(&record).map(warning);
                let mut news = self.finished(*record, running.len());
                news.extend(absence);
                return news;
            }
            PoolEvent::Lost { numbers, why } => {
                let mut news = Vec::new();
                for job in numbers.iter().rev().filter_map(|number| running.remove(number)) {
                    let number = job.number;
                    queue.return_first(job);
                    news.push(warning(format!(
                        "match {number} was not completed and is played again: {why}"
                    )));
                }
                news.reverse();
                return news;
            }
            PoolEvent::Void { number, why } => {
                running.remove(&number).map(|_| warning(format!("match {number} does not count: {why}")))
            }
            PoolEvent::Warning(message) => Some(warning(message)),
            PoolEvent::Workers(workers) => Some(Event::Workers { workers }),
        };
        news.into_iter().collect()
    }

    /// A finished match and the decisions that follow from it. `n_running` matches are still running.
    fn finished(&mut self, record: Record, n_running: usize) -> Vec<Event> {
        let decisions = self.scheduler.add(&record);
        let mut news = vec![Event::MatchFinished { record: Box::new(record) }];
        for decided in decisions {
            let is_end = self.scheduler.decided() == Some(&decided);
            news.push(Event::Decided { decided, n_running: is_end.then_some(n_running as u32) });
        }
        news
    }

    /// The next job that fits now. A forfeited match needs no resources.
    fn next(&mut self, queue: &mut Queue, pool: &impl Pool, ended: &mut Ended) -> Option<Job> {
        let Self { scheduler, attendance, .. } = self;
        let draw = || {
            if ended.too_few.is_some() {
                return None;
            }
            match scheduler.next() {
                Ok(NextJob::Play(job)) => Some(*job),
                Ok(NextJob::Wait | NextJob::Over) => None,
                Err(why) => {
                    ended.too_few = Some(why);
                    None
                }
            }
        };
        let can_begin = |job: &Job| {
            let is_forfeited = job.names().iter().any(|name| attendance.absence(name).is_some());
            is_forfeited || pool.fits(job)
        };
        queue.next(draw, can_begin)
    }

    /// The record of a match that is forfeited because an engine does not take part.
    fn forfeited(&self, job: &Job) -> Option<Record> {
        let absences = job.names().map(|name| self.attendance.absence(name));
        (absences != [None, None]).then(|| forfeit(job, absences))
    }

    fn tell(&mut self, news: impl IntoIterator<Item = Event>) -> Result<(), ConductError> {
        news.into_iter().try_for_each(|event| tell(self.reporters, &event))
    }
}

/// The tournament stops: what has not begun is not waited for.
fn withdraw(pool: &mut impl Pool, running: &mut HashMap<u32, Job>) {
    for number in pool.withdraw() {
        running.remove(&number);
    }
}

/// The event for the start of a tournament.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The tournament's name.
    pub name: String,
    /// The engines' names, in order.
    pub engines: Vec<String>,
}

/// Sends an event to all reporters.
///
/// # Errors
/// If one of them cannot write.
pub fn tell(reporters: &mut [Box<dyn Reporter>], event: &Event) -> Result<(), ConductError> {
    reporters.iter_mut().try_for_each(|reporter| reporter.on_event(event)).map_err(ConductError::Report)
}
