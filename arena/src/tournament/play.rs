//! Plays a tournament, from its results folder to its last match. What is played is the scheduler's choice.

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine_proto::Games;
use tokio::runtime::Runtime;

use super::dry_run::conditions;
#[cfg(feature = "nats")]
use super::machines;
use super::{Error, PlayingArgs, Ready, Run};
#[cfg(not(feature = "nats"))]
use crate::commands::left_out::LeftOut;
#[cfg(feature = "nats")]
use cluster::{BothPools, Known};
use host::machine::{OwnTimes, run_queue};
use host::output::CannotWrite;
use live::site::try_address;
use live::watch::{Feed, LiveReporter, Watch, WatchError};
use model::{Event, OnMachineDelay, Reporter, SetAside, StopRules, Tournament, rated_game};
use opponent::{Folders, pauses};
use report::{Faults, Plain, Progress, Ratings, Remaining, Timing, TimingSummary};
use runner::conduct::{Attendance, Begun, ConductError, Conductor, Ended, Signals, tell};
use runner::pool::build;
use runner::pool::{LocalPool, LocalSettings, PoolError};
use schedule::{Course, JobScheduler, Plan, Progress as Reached, Scheduler, planning};
#[cfg(feature = "nats")]
use store::Tally;
use store::{
    LOGS, MATCHES_JSONL, Results, SCRATCH, SET_ASIDE, add_set_aside, move_aside, read_set_aside,
    read_tournament,
};

/// What shows the standings while matches are played.
pub type Standings = Box<dyn report::Standings>;

/// Makes the scheduler of a tournament from its matches, and what shows its standings, if it is not the table of ratings.
pub type Choice<'a> = dyn Fn(&Tournament, JobScheduler) -> (Box<dyn Scheduler>, Option<Standings>) + 'a;

/// The matches of the tournament, in their order.
pub fn all_matches(_: &Tournament, jobs: JobScheduler) -> (Box<dyn Scheduler>, Option<Standings>) {
    (Box::new(jobs), None)
}

/// A tournament that was played to its end, or until the user stopped it.
pub struct Played {
    /// The games of its matches.
    pub games: Games,
    /// The results folder.
    pub folder: PathBuf,
    /// The scheduler with all results.
    pub scheduler: Box<dyn Scheduler>,
    /// The ratings of all results.
    pub ratings: Ratings,
    /// How it ended.
    pub ended: Ended,
    /// Where it is watched, if it is.
    pub watch: Option<Watch>,
}

impl Run<'_> {
    /// Makes the results folder and builds the engines of the tournament, before it is played.
    ///
    /// # Errors
    /// If the folder cannot be made, a build fails, or workers cannot play the tournament.
    pub fn begin(&self, tournament: &Tournament) -> Result<Runtime, Error> {
        if self.machines.workers.nats.nats.is_some() {
            #[cfg(feature = "nats")]
            cluster::wrong_audit(tournament).map_or(Ok(()), |why| Err(Error::Usage(why)))?;
            #[cfg(not(feature = "nats"))]
            return Err(Error::Usage(LeftOut::nats("`--nats`").to_string()));
        }
        if !self.playing.dry_run {
            // Before the build, so that a write error shows at once.
            let results = &tournament.results;
            std::fs::create_dir_all(results).map_err(CannotWrite::at(results))?;
        }
        build::build(tournament)?;
        Ok(tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(PoolError::Runtime)?)
    }

    /// Plays the tournament with the scheduler that `schedule` makes of the matches of the tournament's course, and with
    /// its reporter, if it has one. If a worker is set aside meanwhile, the tournament continues from its results folder,
    /// without the matches of that worker.
    ///
    /// # Errors
    /// If it cannot be played, or its results cannot be written.
    pub fn play(
        &self,
        tournament: &Tournament,
        runtime: &Runtime,
        source: &config::Source,
        schedule: &Choice<'_>,
    ) -> Result<Played, Error> {
        let folder = tournament.results.clone();
        if self.playing.fresh {
            // Before the old results are moved.
            self.playing.serve.map_or(Ok(()), try_address).map_err(WatchError::from)?;
            if let Some(old) = move_aside(&folder)? {
                writeln!(io::stderr(), "the old results are in `{}`", old.display())?;
            }
        }
        let mut tournament = tournament.clone();
        let has_matches = std::fs::metadata(folder.join(MATCHES_JSONL)).is_ok_and(|file| file.len() != 0);
        if has_matches && let Ok(earlier) = read_tournament(&tournament.known_games, &folder) {
            let stop = &mut tournament.stop;
            stop.earlier = planning::depends_on_results(&earlier);
            if stop.sprt.is_none() {
                stop.first_sprt = earlier.stop.sprt.or(earlier.stop.first_sprt);
            }
        }
        loop {
            match self.play_once(tournament.clone(), runtime, source, schedule) {
                Err(Error::Conduct(ConductError::Pool(PoolError::SetAside(worker)))) => {
                    add_set_aside(&folder, &worker)?;
                }
                Ok(played) => {
                    if let Some(worker) = &played.ended.set_aside {
                        add_set_aside(&folder, worker)?;
                    }
                    return Ok(played);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn play_once(
        &self,
        #[cfg_attr(not(feature = "nats"), expect(unused_mut, reason = "only workers change it"))]
        mut tournament: Tournament,
        runtime: &Runtime,
        source: &config::Source,
        schedule: &Choice<'_>,
    ) -> Result<Played, Error> {
        let args = &self.playing;
        #[cfg(feature = "nats")]
        let machines = &self.machines;
        let folder = tournament.results.clone();
        let folders = Folders { logs: folder.join(LOGS), scratch: folder.join(SCRATCH) };
        for folder in [Some(&folders.logs), args.log.as_ref()].into_iter().flatten() {
            std::fs::create_dir_all(folder).map_err(CannotWrite::at(folder))?;
        }
        #[cfg(feature = "nats")]
        if machines.workers.nats.nats.is_some() {
            cluster::set_reference_speed(&mut tournament).map_err(Error::Usage)?;
        }
        let Ready { tournament, mut openings, prepared } = Ready::new(tournament, &folders, runtime, source)
            .inspect_err(|_| {
                remove_if_unused(&folders.logs);
                remove_if_unused(&folder);
            })?;

        let course = self.course(&tournament);
        let (plan, remaining) = (course.plan().clone(), remaining(&course));
        let ratings = Ratings::new(&folder).of_tournament(&tournament);
        let own_times = OwnTimes::default();
        let mut attendance = Attendance::new(&tournament.names(), tournament.max_faults);
        let set_aside = read_set_aside(&folder)?;
        let wanted = self.wanted(&tournament, &plan, &prepared, &set_aside);
        let mut results = Results::open(&folder, &wanted, &mut openings)?;
        #[cfg(feature = "nats")]
        let mut tally = Tally::default();
        let jobs = JobScheduler::new(Arc::clone(&tournament), course, openings, prepared.builds.ids());
        let (mut scheduler, standings) = schedule(&tournament, jobs);
        let standings = standings.unwrap_or_else(|| Box::new(ratings.clone()));
        let watched = Feed::default();
        let mut reporters = reporters(args, &folder, remaining, (&ratings, standings), &own_times, &watched);
        let mut n_restored = 0;
        results.restore(|record| {
            n_restored += 1;
            attendance.count_earlier(&record);
            #[cfg(feature = "nats")]
            tally.add(&record);
            scheduler.add(&record);
            tell(&mut reporters, &Event::Restored { record: Box::new(record) }).map_err(Error::from)
        })?;
        attendance.did_not_start(prepared.why.clone());
        let mut warnings = [prepared.warnings.clone(), attendance.retire_all()].concat();
        warnings.extend(unplayed_games(&plan).chain(without_effect(&tournament)).chain(other_system()));
        warnings.extend(set_aside.iter().map(whose_matches_are_repeated).chain(no_longer_counting(&results)));
        let Reached { n_finished, n_matches, is_over } = scheduler.progress();
        warnings.extend(beyond_the_schedule(n_restored, n_finished));
        let n_to_play = if is_over { 0 } else { n_matches - n_finished };
        if 0 < n_to_play {
            results.begin_run(prepared.builds.run(tournament.seed), prepared.builds.all().to_vec())?;
        }
        // An event is stored before any other reporter gets it.
        reporters.insert(0, Box::new(results));
        let watch = |address| serve(&tournament.known_games, address, &folder, watched.clone());
        let watch = args.serve.map(watch).transpose()?;

        pauses::watch();
        let settings = LocalSettings {
            n_matches: n_to_play as usize,
            logs: args.log.clone(),
            tells_moves: reporters.iter().any(|reporter| reporter.wants_moves()),
            thoughts: args.serve.map(|_| watched.thoughts().clone()),
            own_times,
        };
        say_conditions(args, &tournament);
        let begun = Begun { name: tournament.name.clone(), engines: tournament.names() };
        let ended = runtime.block_on(async {
            #[cfg_attr(not(feature = "nats"), expect(unused_mut, reason = "only workers change it"))]
            let mut signals = Signals::listen().map_err(PoolError::Runtime)?;
            let conductor =
                Conductor { scheduler: scheduler.as_mut(), attendance, reporters: &mut reporters };
            #[cfg(feature = "nats")]
            if let Some(access) = machines.workers.nats.access().filter(|_| 0 < n_to_play) {
                let packed = machines::pack(&tournament, &prepared)?;
                let (wants_moves, priority) = (settings.tells_moves, machines.workers.priority);
                let known = Known { set_aside, tally, wants_moves, priority, packed };
                let Some(workers) = machines::open(
                    &access,
                    machines.workers.lease,
                    &tournament,
                    &prepared,
                    known,
                    &mut signals,
                )
                .await?
                else {
                    return Ok(Ended::default());
                };
                let Some(n_local) = machines.local else {
                    return Ok(conductor.run(workers, signals, begun, warnings).await?);
                };
                let scale = cluster::local_scale(&tournament).map_err(Error::Usage)?;
                let local =
                    LocalPool::new(&machines::with_local_part(&tournament, n_local), prepared, settings)?;
                return Ok(conductor
                    .run(BothPools::new(local, workers, scale), signals, begun, warnings)
                    .await?);
            }
            let pool = LocalPool::new(&tournament, prepared, settings)?;
            Ok::<_, Error>(conductor.run(pool, signals, begun, warnings).await?)
        })?;
        Ok(Played { games: tournament.known_games.clone(), folder, scheduler, ratings, ended, watch })
    }
}

fn say_conditions(args: &PlayingArgs, tournament: &Tournament) {
    if !args.quiet {
        // A closed standard error does not end a tournament.
        let _ = writeln!(io::stderr(), "{}", report::message(&conditions(tournament)));
    }
}

/// All reporters except the results folder.
fn reporters(
    args: &PlayingArgs,
    folder: &Path,
    remaining: Remaining,
    (ratings, standings): (&Ratings, Standings),
    own_times: &OwnTimes,
    watched: &Feed,
) -> Vec<Box<dyn Reporter>> {
    let mut timing = Timing::new(folder, own_times.clone());
    if args.timing {
        timing = timing.with_summary(TimingSummary::Times);
    } else if !args.quiet {
        timing = timing.with_summary(TimingSummary::Losses);
    }
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(ratings.clone())];
    let live = args.serve.map(|_| LiveReporter::new(watched.clone(), remaining.clone()));
    if !args.quiet {
        let faults = Faults::of(folder.to_owned());
        // Without moves of the cursor, nothing can be drawn again.
        let can_redraw = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        reporters.push(if io::stderr().is_terminal() && can_redraw {
            Box::new(Progress::new(standings, remaining, faults))
        } else {
            Box::new(Plain::new(ratings.clone(), remaining, faults))
        });
    }
    // After the progress, whose bar is gone when the times are printed.
    reporters.push(Box::new(timing));
    reporters.extend(live.map(|live| -> Box<dyn Reporter> { Box::new(live) }));
    reporters
}

/// Lets people watch, and says where.
fn serve(games: &Games, address: SocketAddr, folder: &Path, feed: Feed) -> Result<Watch, Error> {
    let watch = Watch::start(games, address, &[folder.to_owned()], Some(feed))?;
    writeln!(io::stderr(), "watch at {}", watch.url())?;
    Ok(watch)
}

/// The matches of each game, before any was played. A format that plays only a part of the plan plays every game equally.
fn remaining(course: &Course) -> Remaining {
    let plan = course.plan();
    let rounds = course.rounds();
    let n_planned: u64 = rounds.iter().map(|rounds| 2 * u64::from(*rounds)).sum();
    let n_expected = u64::from(course.expected_matches()).min(n_planned);
    let expected = |n: u32| (2 * u64::from(n) * n_expected).div_ceil(n_planned.max(1)) as u32;
    Remaining::new(plan.pairings().iter().zip(rounds).map(|(pairing, rounds)| {
        let game = plan.games()[pairing.game_idx].id();
        (rated_game(game, plan.limits(pairing.limits_idx)).into_owned(), expected(rounds))
    }))
}

/// What the user should know of matches that were set aside.
fn no_longer_counting(results: &Results) -> Option<String> {
    (0 < results.n_set_aside()).then(|| {
        format!(
            "{} matches no longer count; they were moved to `{}`",
            results.n_set_aside(),
            results.folder().join(SET_ASIDE).display()
        )
    })
}

/// A warning for each game that is in the file, and without matches.
fn unplayed_games(plan: &Plan) -> impl Iterator<Item = String> {
    let is_played =
        |idx| plan.pairings().iter().zip(plan.rounds()).any(|(pairing, n)| pairing.game_idx == idx && 0 < *n);
    let unplayed = plan.games().iter().enumerate().filter(move |(idx, _)| !is_played(*idx));
    unplayed.map(|(_, game)| format!("`{}` has no matches: no two engines that meet play it", game.id()))
}

fn whose_matches_are_repeated(SetAside { worker, why }: &SetAside) -> String {
    format!("worker `{worker}` was set aside: {why}; its matches are played again")
}

/// A warning if the results contain more matches than the schedule has.
fn beyond_the_schedule(n_restored: u32, n_finished: u32) -> Option<String> {
    let (n_more, them) = match n_restored.checked_sub(n_finished)? {
        0 => return None,
        1 => ("1 earlier match".to_owned(), "it"),
        n => (format!("{n} earlier matches"), "them"),
    };
    Some(format!(
        "{n_more} beyond this schedule will count, too; to leave {them} out, use another `--results` folder"
    ))
}

/// Warnings of what the tournament wants in vain.
fn without_effect(tournament: &Tournament) -> impl Iterator<Item = String> {
    no_machine_delay(tournament).into_iter().chain(no_fixed_number(tournament))
}

/// A warning if results decided the number of matches so far, and do not any more.
fn no_fixed_number(tournament: &Tournament) -> Option<String> {
    let StopRules { earlier, .. } = tournament.stop;
    (earlier && tournament.stop.has_none_now() && !tournament.format.follows_results()).then(|| {
        "results decided which earlier matches were played, or how many, so all intervals are those that are valid at any time; for a \
         fixed number, start again (`--fresh`)"
            .to_owned()
    })
}

/// A warning if matches on a busy machine cannot be recognised.
fn no_machine_delay(tournament: &Tournament) -> Option<String> {
    let is_wanted = tournament.on_machine_delay == OnMachineDelay::Replay;
    (is_wanted && !run_queue::is_known()).then(|| {
        "`on-machine-delay = \"replay\"` has no effect: this system does not measure how long processes wait for a processor"
            .to_owned()
    })
}

/// Removes a folder and the empty files in it, unless something else is there: without a match it is no results folder.
fn remove_if_unused(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.metadata().is_ok_and(|file| file.is_file() && file.len() == 0) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    let _ = std::fs::remove_dir(folder);
}

/// What the arena cannot do on systems other than Linux.
fn other_system() -> Option<String> {
    host::launch::launcher().is_none().then(|| {
        "on this system, matches have no processors of their own, a busy machine or an engine that computes off turn is \
         not noticed, and engines can outlive the arena and have no sandbox; see `arena/docs/install.md`"
            .to_owned()
    })
}
