//! The loop of one tournament: it gives matches to places, hears what happens, puts it in one order and tells the
//! reporters. All that is shared goes through it; nobody else writes.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::attendance::Attendance;
use super::queue::Queue;
use super::signals::Signals;
use crate::config::OnMachineDelay;
use crate::error::Error;
use crate::opponent::Contender;
use crate::play::{MatchSettings, forfeit};
use crate::pool::OwnTimes;
use crate::pool::builds::Builds;
use crate::pool::slots::{Needs, Slots};
use crate::pool::worker::{Finished, Table, Worker};
use crate::schedule::openings::{Openings, OpeningsError};
use crate::schedule::{Course, Job, Next, ScheduledMatch};
use crate::tournament::Record;
use crate::tournament::{Event, Reporter};

const TICK: Duration = Duration::from_millis(250);

/// A tournament that is ready to begin.
pub struct Dispatcher {
    pub name: String,
    /// Which match begins next; it knows those that earlier runs have finished.
    pub course: Course,
    /// By game.
    pub openings: Vec<Openings>,
    pub contenders: Arc<Vec<Contender>>,
    /// What each contender has of a match's needs, by index.
    pub needs: Vec<Needs>,
    pub slots: Slots,
    /// Whether places keep engines running from match to match.
    pub keeps_engines: bool,
    pub own_times: OwnTimes,
    pub settings: MatchSettings,
    pub on_machine_delay: OnMachineDelay,
    pub attendance: Attendance,
    pub builds: Builds,
    pub warnings: Vec<String>,
}

/// How a tournament ended.
#[derive(Debug)]
pub struct Ended {
    /// Matches finished, those of earlier runs included.
    pub n_finished: u32,
    /// Matches in all; where results may end it, the most.
    pub n_matches: u32,
    /// Whether nothing is left to play.
    pub is_complete: bool,
    /// What the rules have found that may end it; nothing without rules.
    pub findings: String,
    /// Why it could not go on, if there were too few openings.
    pub too_few: Option<OpeningsError>,
}

/// What the loop waits for, and what it can do about it.
struct Wishes {
    signals: Signals,
    abort: CancellationToken,
    finishes: UnboundedReceiver<Finished>,
}

impl Dispatcher {
    /// Plays all matches of the course.
    ///
    /// # Errors
    /// If a reporter cannot write; matches under way are then abandoned.
    pub async fn run(mut self, reporters: &mut [Box<dyn Reporter>]) -> Result<Ended, Error> {
        let signals = Signals::listen().map_err(Error::Runtime)?;
        let abort = CancellationToken::new();
        let (sender, finishes) = unbounded_channel();
        let table = Table {
            contenders: Arc::clone(&self.contenders),
            settings: self.settings.clone(),
            on_machine_delay: self.on_machine_delay,
            keeps_engines: self.keeps_engines,
            own_times: self.own_times.clone(),
            abort: abort.clone(),
        };
        let (n_matches, n_finished) = (self.course.most_matches(), self.course.n_finished());
        let workers = (0..self.slots.n_places())
            .map(|place| Worker::start(place, table.clone(), sender.clone()))
            .collect::<io::Result<Vec<_>>>()
            .map_err(Error::Runtime)?;
        drop(sender);

        let mut ended =
            Ended { n_finished, n_matches, is_complete: false, findings: String::new(), too_few: None };
        let wishes = Wishes { signals, abort: abort.clone(), finishes };
        let outcome = self.play_all(&workers, wishes, reporters, &mut ended).await;
        if outcome.is_err() {
            abort.cancel();
        }
        // Engines get their time to quit, side by side.
        let joined = tokio::task::spawn_blocking(|| workers.into_iter().for_each(Worker::join)).await;
        if let Err(error) = joined
            && error.is_panic()
        {
            std::panic::resume_unwind(error.into_panic());
        }
        outcome?;
        ended.is_complete = self.course.is_over();
        ended.findings = self.course.findings();
        tell(reporters, &Event::Ended { n_finished: ended.n_finished, n_matches })?;
        Ok(ended)
    }

    /// The loop itself, until every match is finished or the user wants no more.
    async fn play_all(
        &mut self,
        workers: &[Worker],
        mut wishes: Wishes,
        reporters: &mut [Box<dyn Reporter>],
        ended: &mut Ended,
    ) -> Result<(), Error> {
        tell(reporters, &self.begun(ended))?;
        for message in std::mem::take(&mut self.warnings) {
            tell(reporters, &Event::Warning { message })?;
        }
        if let Some(decided) = self.course.decided().cloned() {
            tell(reporters, &Event::Decided { decided, n_running: 0 })?;
        }
        let mut queue = Queue::default();
        let mut is_stopping = false;
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            // What waits in the queue begins no more once it is decided.
            while !is_stopping
                && ended.too_few.is_none()
                && self.course.decided().is_none()
                && self.slots.has_idle()
            {
                let Some(scheduled) = self.next(&mut queue) else { break };
                let job = match self.job(scheduled) {
                    Ok(job) => job,
                    Err(why) => {
                        ended.too_few = Some(why);
                        break;
                    }
                };
                if let Some(record) = self.forfeited(&job) {
                    ended.n_finished += 1;
                    self.finish(record, self.slots.n_busy(), reporters)?;
                    continue;
                }
                tell(reporters, &Event::MatchBegun { job: job.clone() })?;
                let seat = self.slots.take(self.needs_of(&job));
                workers[seat.place].play(job, seat.cores);
            }
            if self.slots.are_all_idle() {
                return Ok(());
            }
            tokio::select! {
                biased;
                () = wishes.signals.next() => {
                    if is_stopping {
                        wishes.abort.cancel();
                        return Ok(());
                    }
                    is_stopping = true;
                    tell(reporters, &Event::Stopping { n_running: self.slots.n_busy() as u32 })?;
                }
                finished = wishes.finishes.recv() => {
                    // A worker is gone before its time only if it panicked: joining it says so.
                    let Some((place, record)) = finished else { return Ok(()) };
                    let mut record = record.map_err(Error::Shortage)?;
                    ended.n_finished += 1;
                    self.slots.give_back(place);
                    let mut warnings = self.builds.note(&mut record);
                    warnings.extend(self.attendance.count(&record));
                    self.finish(record, self.slots.n_busy(), reporters)?;
                    for message in warnings {
                        tell(reporters, &Event::Warning { message })?;
                    }
                }
                _ = ticks.tick() => reporters.iter_mut().for_each(|reporter| reporter.on_tick()),
            }
        }
    }

    /// Tells of a finished match, and of what it decides, with so many matches under way.
    fn finish(
        &mut self,
        record: Record,
        n_running: usize,
        reporters: &mut [Box<dyn Reporter>],
    ) -> Result<(), Error> {
        let decided = self.course.add(&record).cloned();
        tell(reporters, &Event::MatchFinished { record: Box::new(record) })?;
        match decided {
            Some(decided) => tell(reporters, &Event::Decided { decided, n_running: n_running as u32 }),
            None => Ok(()),
        }
    }

    fn begun(&self, ended: &Ended) -> Event {
        Event::Begun {
            name: self.name.clone(),
            contenders: self.contenders.iter().map(|contender| contender.name.clone()).collect(),
            n_matches: ended.n_matches,
            n_finished: ended.n_finished,
        }
    }

    /// The next match for which there is a place now; who takes no part needs none.
    fn next(&mut self, queue: &mut Queue) -> Option<ScheduledMatch> {
        let Self { course, slots, needs, attendance, .. } = self;
        let draw = || match course.begin_next() {
            Next::Play(job) => Some(job),
            Next::Wait | Next::Over => None,
        };
        let can_begin = |job: &ScheduledMatch| {
            let is_forfeited = job.contenders.iter().any(|&idx| attendance.absence(idx).is_some());
            is_forfeited || slots.fits(Needs::of_match(job.contenders.map(|idx| needs[idx])))
        };
        queue.next(draw, can_begin)
    }

    /// The match with its opening.
    fn job(&mut self, scheduled: ScheduledMatch) -> Result<Job, OpeningsError> {
        let opening = self.openings[scheduled.game_idx].fen(scheduled.round as usize)?;
        Ok(scheduled.from_opening(opening.to_owned()))
    }

    fn needs_of(&self, job: &Job) -> Needs {
        Needs::of_match(job.contenders.map(|idx| self.needs[idx]))
    }

    /// The record of a match that cannot be played because a contender takes no part.
    fn forfeited(&self, job: &Job) -> Option<Record> {
        let absences = job.contenders.map(|idx| self.attendance.absence(idx));
        let names = job.contenders.map(|idx| self.contenders[idx].name.as_str());
        (absences != [None, None]).then(|| forfeit(job, names, absences))
    }
}

fn tell(reporters: &mut [Box<dyn Reporter>], event: &Event) -> Result<(), Error> {
    reporters.iter_mut().try_for_each(|reporter| reporter.on_event(event)).map_err(Error::Report)
}
