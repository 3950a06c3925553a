//! The loop: it gives matches to the pool, hears what happens there, puts it in one order and tells the reporters. All that
//! is shared goes through it; nobody else writes.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::attendance::Attendance;
use super::queue::Queue;
use super::signals::Wishes;
use crate::play::forfeit;
use crate::pool::{Pool, PoolError, PoolEvent};
use crate::schedule::openings::OpeningsError;
use crate::schedule::{NextJob, Scheduler};
use crate::tournament::{Event, FormatVersion, Job, Record, Reporter};

const TICK: Duration = Duration::from_millis(250);

/// A tournament that is ready to begin, or to go on.
pub struct Conductor<'a, S> {
    /// What is played next; it knows the matches that earlier runs have finished.
    pub scheduler: &'a mut S,
    /// Who takes part.
    pub attendance: Attendance,
    /// Who listens, in the order in which they are told.
    pub reporters: &'a mut [Box<dyn Reporter>],
}

/// How a tournament ended.
#[derive(Debug, Default)]
pub struct Ended {
    /// Why it could not go on, if there were too few openings.
    pub too_few: Option<OpeningsError>,
}

/// Why a tournament ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// A reporter cannot write.
    #[error("cannot write the results: {0}; all earlier matches are stored, and the same command continues")]
    Report(io::Error),
    /// The pool plays no more matches.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

impl<S: Scheduler> Conductor<'_, S> {
    /// Plays all matches of the scheduler in `pool`, until they are finished or the user wants no more. `begun` is the event
    /// that says what begins, `warnings` what is to be said before the first match.
    ///
    /// # Errors
    /// If a reporter cannot write, or the pool plays no more; matches under way are then abandoned.
    pub async fn run(
        mut self,
        mut pool: impl Pool,
        mut wishes: impl Wishes,
        begun: Begun,
        warnings: Vec<String>,
    ) -> Result<Ended, ConductError> {
        let mut ended = Ended::default();
        let opened = self.open(begun, warnings);
        let outcome = match opened {
            Ok(()) => self.play_all(&mut pool, &mut wishes, &mut ended).await,
            Err(error) => Err(error),
        };
        if outcome.is_err() {
            pool.abort();
        }
        pool.close().await;
        outcome?;
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
            Some(decided) => self.tell(&Event::Decided { decided, n_running: 0 }),
            None => Ok(()),
        }
    }

    async fn play_all(
        &mut self,
        pool: &mut impl Pool,
        wishes: &mut impl Wishes,
        ended: &mut Ended,
    ) -> Result<(), ConductError> {
        let mut queue = Queue::default();
        let mut running: HashMap<u32, Job> = HashMap::new();
        let mut is_stopping = false;
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            // What waits in the queue begins no more once it is decided.
            while !is_stopping && self.scheduler.decided().is_none() && pool.has_room() {
                let Some(job) = self.next(&mut queue, pool, ended) else { break };
                if let Some(record) = self.forfeited(&job) {
                    self.finish(record, running.len())?;
                } else {
                    running.insert(job.number, job.clone());
                    pool.submit(job);
                }
            }
            if running.is_empty() {
                return Ok(());
            }
            tokio::select! {
                biased;
                () = wishes.next() => {
                    if is_stopping {
                        pool.abort();
                        return Ok(());
                    }
                    is_stopping = true;
                    self.tell(&Event::Stopping { n_running: running.len() as u32 })?;
                }
                event = pool.next() => self.take(event?, &mut running, &mut queue)?,
                _ = ticks.tick() => self.reporters.iter_mut().for_each(|reporter| reporter.on_tick()),
            }
        }
    }

    /// Takes what happened in the pool. What it says of matches that are not under way is passed over: it was told before.
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
            PoolEvent::Moved(_) => Ok(()),
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
            PoolEvent::Warning(message) => self.tell(&Event::Warning { message }),
        }
    }

    /// Tells of a finished match, and of what it decides, with this number of matches under way.
    fn finish(&mut self, record: Record, n_running: usize) -> Result<(), ConductError> {
        let decided = self.scheduler.add(&record);
        self.tell(&Event::MatchFinished { record: Box::new(record) })?;
        match decided {
            Some(decided) => self.tell(&Event::Decided { decided, n_running: n_running as u32 }),
            None => Ok(()),
        }
    }

    /// The next match for which there is room now. A match that is forfeited needs none.
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

    /// The record of a match that cannot be played because an engine takes no part.
    fn forfeited(&self, job: &Job) -> Option<Record> {
        let absences = job.names().map(|name| self.attendance.absence(name));
        (absences != [None, None]).then(|| forfeit(job, absences))
    }

    fn tell(&mut self, event: &Event) -> Result<(), ConductError> {
        tell(self.reporters, event)
    }
}

/// The tournament that begins.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Its name.
    pub name: String,
    /// The engines' names, in order.
    pub engines: Vec<String>,
}

/// Tells all reporters of an event.
///
/// # Errors
/// If one of them cannot write.
pub fn tell(reporters: &mut [Box<dyn Reporter>], event: &Event) -> Result<(), ConductError> {
    reporters.iter_mut().try_for_each(|reporter| reporter.on_event(event)).map_err(ConductError::Report)
}
