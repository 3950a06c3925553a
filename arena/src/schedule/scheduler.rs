//! What is played next, as complete jobs. It knows neither who plays them nor how.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine_proto::Side;

use super::openings::{Openings, OpeningsError};
use super::{Course, Next, ScheduledMatch};
use crate::tournament::{Decided, FormatVersion, Job, Player, Record, Tournament};

/// What is played next: a round robin, a gauntlet, an adaptive tournament, a part of one of these.
pub trait Scheduler {
    /// What to do next. A job that it gives has begun: it is not given again.
    ///
    /// # Errors
    /// If there are too few openings. Jobs that were given before are not touched by that.
    fn next(&mut self) -> Result<NextJob, OpeningsError>;

    /// Takes a finished match, of this run or an earlier one: in any order, any number of times. What was decided by it, if
    /// anything was.
    fn add(&mut self, record: &Record) -> Option<Decided>;

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// What was decided, if anything was: no more matches are needed then.
    fn decided(&self) -> Option<&Decided>;

    /// What the rules that may end it have found so far, a few lines each; nothing without rules.
    fn findings(&self) -> String;
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextJob {
    /// Play this match.
    Play(Box<Job>),
    /// Wait: the results of matches under way decide what is next.
    Wait,
    /// No more matches begin.
    Over,
}

/// How far a tournament has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Matches finished, those of earlier runs included.
    pub n_finished: u32,
    /// Matches in all; where results may end the tournament, the most.
    pub n_matches: u32,
    /// Whether nothing is left to play.
    pub is_over: bool,
}

/// The scheduler of a tournament: its course, with openings and engines filled in.
#[derive(Debug)]
pub struct JobScheduler {
    tournament: Arc<Tournament>,
    course: Course,
    /// By game.
    openings: Vec<Openings>,
    /// The ids of the builds that are to play, by the engines' names.
    builds: BTreeMap<String, String>,
}

impl JobScheduler {
    /// The scheduler of `tournament`, whose games have these `openings`; engines play in these `builds` as far as they are
    /// known.
    pub const fn new(
        tournament: Arc<Tournament>,
        course: Course,
        openings: Vec<Openings>,
        builds: BTreeMap<String, String>,
    ) -> Self {
        Self { tournament, course, openings, builds }
    }

    /// The course of the tournament.
    pub const fn course(&self) -> &Course {
        &self.course
    }

    fn job(&mut self, scheduled: ScheduledMatch) -> Result<Job, OpeningsError> {
        let opening = self.openings[scheduled.game_idx].fen(scheduled.round as usize)?.to_owned();
        let ScheduledMatch { number, pair, game, contenders, .. } = scheduled;
        let player = |side: Side| {
            let engine = &self.tournament.engines[contenders[side.index()]];
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
            opening,
            players: Side::ALL.map(player),
            rules: self.tournament.rules,
            on_machine_delay: self.tournament.on_machine_delay,
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

    fn add(&mut self, record: &Record) -> Option<Decided> {
        self.course.add(record).cloned()
    }

    fn progress(&self) -> Progress {
        Progress {
            n_finished: self.course.n_finished(),
            n_matches: self.course.most_matches(),
            is_over: self.course.is_over(),
        }
    }

    fn decided(&self) -> Option<&Decided> {
        self.course.decided()
    }

    fn findings(&self) -> String {
        self.course.findings()
    }
}
