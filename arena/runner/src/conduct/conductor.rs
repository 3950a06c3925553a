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
use model::{Event, FormatVersion, Job, Record, Reporter};
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
        for message in left {
            self.tell(&Event::Warning { message })?;
        }
        let progress = self.scheduler.progress();
        let (n_finished, n_matches) = (progress.n_finished, progress.n_matches);
        self.tell(&Event::Ended { n_finished, n_matches })?;
        Ok(ended)
    }

    fn open(&mut self, begun: Begun, warnings: Vec<String>) -> Result<(), ConductError> {
        let progress = self.scheduler.progress();
        self.tell(&Event::Begun {
            format_version: FormatVersion,
            name: begun.name,
            contenders: begun.engines,
            n_matches: progress.n_matches,
            n_finished: progress.n_finished,
        })?;
        for message in warnings {
            self.tell(&Event::Warning { message })?;
        }
        match self.scheduler.decided().cloned() {
            Some(decided) => self.tell(&Event::Decided { decided, n_running: Some(0) }),
            None => Ok(()),
        }
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
        loop {
            // After a decision, jobs in the queue are not started.
            while !is_stopping && self.scheduler.decided().is_none() && pool.has_room() {
                let Some(job) = self.next(&mut queue, pool, ended) else { break };
                if let Some(record) = self.forfeited(&job) {
                    self.finish(record, running.len())?;
                } else {
                    running.insert(job.number, job.clone());
                    pool.submit(job);
                }
            }
            if running.is_empty() && (is_stopping || !self.scheduler.is_endless()) {
                return Ok(());
            }
            tokio::select! {
                biased;
                request = requests.next() => {
                    if is_stopping || request == StopRequest::Terminate {
                        pool.abort();
                        return Ok(());
                    }
                    is_stopping = true;
                    withdraw(pool, &mut running);
                    self.tell(&Event::Stopping { n_running: running.len() as u32 })?;
                }
                event = pool.next() => self.take(event?, &mut running, &mut queue)?,
                _ = ticks.tick() => {
                    if is_stopping {
                        withdraw(pool, &mut running);
                    }
                    self.reporters.iter_mut().for_each(|reporter| reporter.on_tick());
                }
            }
        }
    }

    /// Handles an event of the pool. Events of matches that are not running are ignored: they are repetitions.
    fn take(
        &mut self,
        event: PoolEvent,
        running: &mut HashMap<u32, Job>,
        queue: &mut Queue,
    ) -> Result<(), ConductError> {
        match event {
            PoolEvent::Begun(number) => match running.get(&number) {
                Some(job) => self.tell(&Event::MatchBegun { job: Box::new(job.clone()) }),
                None => Ok(()),
            },
            PoolEvent::Moved(moved) if running.contains_key(&moved.number) => self.tell(&Event::Moved(moved)),
            PoolEvent::Moved(_) | PoolEvent::Changed => Ok(()),
            PoolEvent::Finished(record) => {
                if running.remove(&record.number).is_none() {
                    return Ok(());
                }
                let warning = self.attendance.count(&record);
                self.finish(*record, running.len())?;
                match warning {
                    Some(message) => self.tell(&Event::Warning { message }),
                    None => Ok(()),
                }
            }
            PoolEvent::Lost { number, why } => {
                let Some(job) = running.remove(&number) else { return Ok(()) };
                queue.return_first(job);
                let message = format!("match {number} was not completed and is played again: {why}");
                self.tell(&Event::Warning { message })
            }
            PoolEvent::Void { number, why } => {
                if running.remove(&number).is_none() {
                    return Ok(());
                }
                let message = format!("match {number} does not count: {why}");
                self.tell(&Event::Warning { message })
            }
            PoolEvent::Warning(message) => self.tell(&Event::Warning { message }),
            PoolEvent::Workers(workers) => self.tell(&Event::Workers { workers }),
        }
    }

    /// Reports a finished match and the decisions that follow from it. `n_running` matches are still running.
    fn finish(&mut self, record: Record, n_running: usize) -> Result<(), ConductError> {
        let decisions = self.scheduler.add(&record);
        self.tell(&Event::MatchFinished { record: Box::new(record) })?;
        for decided in decisions {
            let is_end = self.scheduler.decided() == Some(&decided);
            self.tell(&Event::Decided { decided, n_running: is_end.then_some(n_running as u32) })?;
        }
        Ok(())
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

    fn tell(&mut self, event: &Event) -> Result<(), ConductError> {
        tell(self.reporters, event)
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
