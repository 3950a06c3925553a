//! The scheduler of a tuning: a round robin of two engines whose options follow the results.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::Tuning;
use crate::openings::OpeningsError;
use crate::{JobScheduler, NextJob, Progress, Scheduler};
use model::{Decided, Job, Record};

/// Gives each match of a tournament the values of its point.
#[derive(Debug)]
pub struct TuneScheduler {
    jobs: JobScheduler,
    tuning: Rc<RefCell<Tuning>>,
    /// A job whose values are not known yet.
    held: Option<Box<Job>>,
}

impl TuneScheduler {
    /// The scheduler of this tuning, which others can look at, and whose matches are those of `jobs`.
    pub const fn new(jobs: JobScheduler, tuning: Rc<RefCell<Tuning>>) -> Self {
        Self { jobs, tuning, held: None }
    }

    /// Gives a job its values, if they are known.
    fn with_values(&self, job: &mut Job) -> bool {
        let tuning = self.tuning.borrow();
        let Some([plus, minus]) = tuning.point(tuning.point_of(job.number)) else { return false };
        for player in &mut job.players {
            let values = if player.engine.name == tuning.plus { &plus } else { &minus };
            let options = tuning.tune.options.iter().map(|option| option.name.clone());
            Arc::make_mut(&mut player.engine).options.extend(options.zip(values.iter().cloned()));
        }
        true
    }
}

impl Scheduler for TuneScheduler {
    fn next(&mut self) -> Result<NextJob, OpeningsError> {
        if self.tuning.borrow().too_many_faults().is_some() {
            return Ok(NextJob::Over);
        }
        let next = match self.held.take() {
            Some(job) => NextJob::Play(job),
            None => self.jobs.next()?,
        };
        let NextJob::Play(mut job) = next else { return Ok(next) };
        if self.with_values(&mut job) {
            return Ok(NextJob::Play(job));
        }
        self.held = Some(job);
        Ok(NextJob::Wait)
    }

    fn add(&mut self, record: &Record) -> Vec<Decided> {
        if self.jobs.course().is_finished(record.number) {
            return Vec::new();
        }
        self.tuning.borrow_mut().add(record);
        self.jobs.add(record)
    }

    fn progress(&self) -> Progress {
        self.jobs.progress()
    }
}
