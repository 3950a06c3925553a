//! The trait that decides what to play next, as complete jobs. It does not know who plays them, or how.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine_proto::Side;

use super::openings::{Openings, OpeningsError};
use super::stop::Finding;
use super::{Course, Next, ScheduledMatch};
use model::{Decided, Engine, FormatVersion, Job, Limits, Player, Record, Tournament};
use ratings::SprtVerdict;

/// Decides what to play next: a round robin, a gauntlet, an adaptive tournament, or a part of one.
pub trait Scheduler {
    /// The next step. A job that is returned counts as started: it is not returned again.
    ///
    /// # Errors
    /// If there are not enough openings. Jobs that were returned before are not affected.
    fn next(&mut self) -> Result<NextJob, OpeningsError>;

    /// Takes a finished match of this run or an earlier one. Matches may come in any order and several times. Returns
    /// the decisions of stop rules and of single tests that this match led to.
    fn add(&mut self, record: &Record) -> Vec<Decided>;

    /// The progress of the tournament.
    fn progress(&self) -> Progress;

    /// Whether it continues without running matches: others may ask for more. The user ends it.
    fn is_endless(&self) -> bool {
        false
    }

    /// The decision of a stop rule, if there is one. No more matches are needed then.
    fn decided(&self) -> Option<&Decided> {
        None
    }

    /// What the stop rules have found so far.
    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// What the sequential tests have found so far, if the tournament has any: undecided as long as one of them is, H1 if any
    /// candidate has passed its test.
    fn sprt(&self) -> Option<SprtVerdict> {
        None
    }
}

/// The next step of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextJob {
    /// Play this job.
    Play(Box<Job>),
    /// Wait: the results of running matches decide what is next.
    Wait,
    /// No more matches start.
    Over,
}

/// The progress of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of finished matches, including earlier runs.
    pub n_finished: u32,
    /// The number of matches in the tournament; the maximum if results may end it early, and without the further pairs of
    /// meetings whose scores are level.
    pub n_matches: u32,
    /// Whether nothing is left to play.
    pub is_over: bool,
}

/// The scheduler of a tournament: adds openings and engines to its course.
#[derive(Debug)]
pub struct JobScheduler {
    tournament: Arc<Tournament>,
    course: Course,
    /// The engines under each of the limits.
    engines: Vec<Vec<Arc<Engine>>>,
    /// For each game.
    openings: Vec<Openings>,
    /// The ids of the builds that will play, by engine name.
    builds: BTreeMap<String, String>,
}

impl JobScheduler {
    /// The scheduler of `tournament`. `openings` are those of its games; `builds` are the engines' builds, if known.
    pub fn new(
        tournament: Arc<Tournament>,
        course: Course,
        openings: Vec<Openings>,
        builds: BTreeMap<String, String>,
    ) -> Self {
        let under = |limits: &Limits| {
            let engines = tournament.engines.iter();
            engines.map(|engine| Arc::new(engine.under(&limits.name))).collect()
        };
        let engines = if tournament.limits.is_empty() {
            vec![tournament.engines.clone()]
        } else {
            tournament.limits.iter().map(under).collect()
        };
        Self { tournament, course, engines, openings, builds }
    }

    /// The tournament's course.
    pub const fn course(&self) -> &Course {
        &self.course
    }

    fn job(&mut self, scheduled: ScheduledMatch) -> Result<Job, OpeningsError> {
        let opening = self.openings[scheduled.game_idx].fen(scheduled.round as usize)?.to_owned();
        let ScheduledMatch { number, pair, game, limits_idx, contenders, .. } = scheduled;
        let limits = self.course.plan().limits(limits_idx);
        let player = |side: Side| {
            let engine = &self.engines[limits_idx][contenders[side.index()]];
            Player {
                engine: Arc::clone(engine),
                build: self.builds.get(&engine.name).cloned(),
                seed: Job::seed(self.tournament.seed, number, side),
            }
        };
        Ok(Job {
            format_version: FormatVersion,
            number,
            pair,
            game,
            limits: limits.map(str::to_owned),
            opening,
            players: Side::ALL.map(player),
            rules: self.tournament.rules_under(limits),
            on_machine_delay: self.tournament.on_machine_delay,
            off_turn: self.tournament.off_turn,
        })
    }
}

impl Scheduler for JobScheduler {
    fn next(&mut self) -> Result<NextJob, OpeningsError> {
        Ok(match self.course.begin_next() {
            Next::Play(scheduled) => NextJob::Play(Box::new(self.job(scheduled)?)),
            Next::Wait => NextJob::Wait,
            Next::Over => NextJob::Over,
        })
    }

    fn add(&mut self, record: &Record) -> Vec<Decided> {
        self.course.add(record)
    }

    fn progress(&self) -> Progress {
        Progress {
            n_finished: self.course.n_finished(),
            n_matches: self.course.expected_matches(),
            is_over: self.course.is_over(),
        }
    }

    fn decided(&self) -> Option<&Decided> {
        self.course.decided()
    }

    fn findings(&self) -> Vec<Finding> {
        self.course.findings()
    }

    fn sprt(&self) -> Option<SprtVerdict> {
        self.course.sprt()
    }
}
