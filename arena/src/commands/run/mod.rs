//! One tournament from its configuration to its standings.

mod dry_run;
mod error;
mod without_file;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tokio::runtime::Runtime;

use crate::conduct::{Attendance, Begun, Conductor, Ended, Signals, tell};
use crate::config::{self, AtEngine};
use crate::machine::OwnTimes;
use crate::machine::run_queue;
use crate::opponent::{Folders, pauses};
use crate::pool::{
    EngineProblem, LocalPool, LocalSettings, PoolError, PrepareError, Prepared, build, prepare,
};
use crate::report::{Plain, Progress, Ratings, Remaining, Said, Timing, html};
use crate::results::{self, LOGS, MATCHES_CSV, RATINGS_CSV, Results, SCRATCH, SET_ASIDE, Wanted, move_aside};
use crate::schedule::estimate::Played;
use crate::schedule::openings::Openings;
use crate::schedule::{JobScheduler, Plan, Progress as Reached, Scheduler, planning, playable};
use crate::tables::text;
use crate::tournament::{Event, OnMachineDelay, Reporter, Tournament};
pub use error::Error;
use without_file::WithoutFile;

/// The page holds every move: of more matches it takes seconds to make, and a browser long to open.
const MOST_MATCHES_OF_REPORT: u32 = 10_000;

const EXAMPLES: &str = "\
Examples:
  arena run configs/quick.toml             Play a tournament, or continue it
  arena run configs/quick.toml --dry-run   Check all and estimate the time
  arena run --engine ./new --engine ./old --games push --nodes 500
                                           Play without a tournament file";

/// Play a tournament
///
/// The results folder stores each match as soon as it is finished. The same command continues a tournament that was
/// stopped. Ctrl-C finishes the matches that are being played; a second Ctrl-C ends them at once.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that stands by itself")]
pub struct RunArgs {
    /// The tournament, a TOML file
    #[arg(required_unless_present = "engines")]
    pub config: Option<PathBuf>,
    /// Write the results to this folder
    #[arg(long, value_name = "FOLDER")]
    pub results: Option<PathBuf>,
    /// Start over; move old results to `<folder>.1`
    #[arg(long)]
    pub fresh: bool,
    /// Number of matches to play at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub concurrency: Option<u16>,
    /// Number of pairs per pairing and game
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: Option<u32>,
    /// Play this engine's matches again (repeatable)
    ///
    /// The old matches are moved to `matches.set-aside.jsonl`.
    #[arg(long, value_name = "NAME", conflicts_with = "fresh")]
    pub replay: Vec<String>,
    /// Keep matches of this changed engine (repeatable)
    ///
    /// Without this option, a run stops if the program of an engine has changed since its last match.
    #[arg(long, value_name = "NAME", conflicts_with = "fresh")]
    pub accept_changed: Vec<String>,
    /// Check all, estimate the time, play nothing
    ///
    /// Builds the engines, starts each of them once, and prints the schedule. Nothing is written to the results folder.
    #[arg(long)]
    pub dry_run: bool,
    /// Write a protocol log of each match here
    ///
    /// One file per match, with the time of each line.
    #[arg(long, value_name = "FOLDER")]
    pub log: Option<PathBuf>,
    /// Do not write `report.html` at the end
    ///
    /// A tournament of more than 10,000 matches gets no report unless you run `arena report`.
    #[arg(long)]
    pub no_report: bool,
    /// Hide the progress output
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the times of each engine at the end
    ///
    /// The same numbers are always written to `timing.csv`.
    #[arg(long, hide_short_help = true)]
    pub timing: bool,
    /// A tournament without a file
    #[command(flatten)]
    pub without_file: WithoutFile,
}

/// Plays the tournament and gives its standings' text for standard output; for a dry run, what it would play.
///
/// # Errors
/// If it cannot be played, or its results cannot be written; [`Error::Interrupted`] if the user stopped it, with all
/// finished matches written.
pub fn run(args: &RunArgs) -> Result<String, Error> {
    let source = source(args)?;
    if args.without_file.print_config {
        return Ok(source.text().to_owned());
    }
    if args.config.is_none() {
        let _ = writeln!(io::stderr(), "{}", source.text());
    }
    let tournament = configured(args, &source)?;
    let folder = tournament.results.clone();
    if !args.dry_run {
        // Before the build, so that a write error shows at once.
        std::fs::create_dir_all(&folder).map_err(|error| Error::output(&folder, error))?;
    }
    build::build(&tournament)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(PoolError::Runtime)?;
    if args.dry_run {
        return dry_run(args, tournament, &runtime, &source);
    }
    if args.fresh {
        move_aside(&folder).map_err(|error| Error::output(&folder, error))?;
    }
    let folders = Folders { logs: folder.join(LOGS), scratch: folder.join(SCRATCH) };
    for folder in [Some(&folders.logs), args.log.as_ref()].into_iter().flatten() {
        std::fs::create_dir_all(folder).map_err(|error| Error::output(folder, error))?;
    }
    let Ready { tournament, mut openings, prepared } =
        ready(tournament, &folders, &runtime).map_err(|error| {
            remove_if_unused(&folders.logs);
            remove_if_unused(&folder);
            at_its_place(error, &source)
        })?;

    let course = planning::course(&tournament);
    let plan = course.plan().clone();
    let ratings = Ratings::new(&folder).at_any_time(course.depends_on_results());
    let own_times = OwnTimes::default();
    let mut timing = Timing::new(&folder, own_times.clone());
    if args.timing {
        timing = timing.said_at_the_end(Said::Times);
    } else if !args.quiet {
        timing = timing.said_at_the_end(Said::Losses);
    }
    let mut attendance = Attendance::new(&tournament.names(), tournament.max_faults);
    let mut results = Results::open(&folder, &wanted(args, &tournament, &plan, &prepared), &mut openings)?;
    let mut scheduler = JobScheduler::new(Arc::clone(&tournament), course, openings, prepared.builds.ids());
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(ratings.clone()), Box::new(timing)];
    if !args.quiet {
        let to_terminal = io::stderr().is_terminal();
        reporters.push(if to_terminal {
            Box::new(Progress::new(ratings.clone(), remaining(&plan)))
        } else {
            Box::new(Plain::new(remaining(&plan)))
        });
    }
    results.restore(|record| {
        attendance.count_earlier(&record);
        scheduler.add(&record);
        tell(&mut reporters, &Event::Restored { record: Box::new(record) }).map_err(Error::from)
    })?;
    attendance.did_not_start(prepared.why.clone());
    let mut warnings = [prepared.warnings.clone(), attendance.retire_all()].concat();
    warnings.extend(no_machine_delay(&tournament));
    warnings.extend(set_aside(&results));
    let Reached { n_finished, n_matches, is_over } = scheduler.progress();
    let n_to_play = if is_over { 0 } else { n_matches - n_finished };
    if 0 < n_to_play {
        results.begin_run(prepared.builds.run(tournament.seed), prepared.builds.all().to_vec())?;
    }
    // What happened is safe before anybody hears of it.
    reporters.insert(0, Box::new(results));

    pauses::watch();
    let settings = LocalSettings {
        n_matches: n_to_play as usize,
        logs: args.log.clone(),
        tells_moves: reporters.iter().any(|reporter| reporter.wants_moves()),
        own_times,
    };
    let begun = Begun { name: tournament.name.clone(), engines: tournament.names() };
    let ended = runtime.block_on(async {
        let signals = Signals::listen().map_err(PoolError::Runtime)?;
        let pool = LocalPool::new(&tournament, prepared, settings)?;
        let conductor = Conductor { scheduler: &mut scheduler, attendance, reporters: &mut reporters };
        conductor.run(pool, signals, begun, warnings).await
    })?;
    finish(args, &folder, &scheduler, &ratings, ended)
}

/// Writes the page of a tournament that has ended or was stopped, and gives its standings.
fn finish(
    args: &RunArgs,
    folder: &Path,
    scheduler: &JobScheduler,
    ratings: &Ratings,
    ended: Ended,
) -> Result<String, Error> {
    let Reached { n_finished: finished, n_matches: matches, is_over } = scheduler.progress();
    let report = if args.no_report { None } else { write_report(folder, finished) };
    let mut standings = ratings.text(&scheduler.findings(), text::stdout_columns());
    if let Some(report) = report {
        standings.push_str(&format!("Report: {}\n", report.display()));
    }
    standings.push_str(&format!("Tables: {}\n", folder.join(MATCHES_CSV).display()));
    standings.push_str(&format!("        {}\n", folder.join(RATINGS_CSV).display()));
    if let Some(why) = ended.too_few {
        Err(Error::OpeningsRanOut { standings, finished, matches, why })
    } else if is_over {
        Ok(standings)
    } else {
        let again = if args.replay.is_empty() {
            "the same command again"
        } else {
            "the same command without `--replay`"
        };
        Err(Error::Interrupted { standings, finished, matches, again })
    }
}

/// The matches of each game, before any was played.
fn remaining(plan: &Plan) -> Remaining {
    let pairings = plan.pairings().iter().zip(plan.rounds());
    Remaining::new(pairings.map(|(pairing, rounds)| (plan.games()[pairing.game_idx], 2 * rounds)))
}

/// What the user should know of matches that were set aside.
fn set_aside(results: &Results) -> Option<String> {
    (0 < results.n_set_aside()).then(|| {
        format!(
            "{} matches no longer count; they were moved to `{}`",
            results.n_set_aside(),
            results.folder().join(SET_ASIDE).display()
        )
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

/// Writes the page of the tournament, and gives its path. The results are safe by then, so that a page that cannot be written is
/// no failure.
fn write_report(folder: &Path, n_matches: u32) -> Option<PathBuf> {
    if MOST_MATCHES_OF_REPORT < n_matches {
        let _ = writeln!(
            io::stderr(),
            "no report is written for more than {MOST_MATCHES_OF_REPORT} matches; to write it, run `arena report {}`",
            folder.display()
        );
        return None;
    }
    let page = folder.join(html::REPORT_HTML);
    if let Err(error) = html::write(&[folder.to_owned()], &page) {
        let again = "all results are stored; to write it again, run `arena report`";
        let _ = writeln!(io::stderr(), "warning: the report was not written: {error}; {again}");
        return None;
    }
    Some(page)
}

/// All that is done for a tournament but playing and writing.
fn dry_run(
    args: &RunArgs,
    tournament: Tournament,
    runtime: &Runtime,
    source: &config::Source,
) -> Result<String, Error> {
    let temporary = TemporaryFolder::make()?;
    let folders = Folders { logs: temporary.0.join(LOGS), scratch: temporary.0.join(SCRATCH) };
    let Ready { tournament, mut openings, prepared } =
        ready(tournament, &folders, runtime).map_err(|error| at_its_place(error, source))?;
    let mut played = Played::default();
    let mut course = planning::course(&tournament);
    if !args.fresh {
        let plan = course.plan().clone();
        let wanted = wanted(args, &tournament, &plan, &prepared);
        results::finished(&tournament.results, &wanted, &mut openings, |record| {
            played.add(record);
            course.add(record);
        })?;
    }
    for message in &prepared.warnings {
        writeln!(io::stderr(), "warning: {message}")?;
    }
    Ok(dry_run::summary(&tournament, &course, &played))
}

/// A folder for what engines write in a dry run, gone with it.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn make() -> Result<Self, Error> {
        let path = std::env::temp_dir().join(format!("arena-dry-run-{}", std::process::id()));
        std::fs::create_dir(&path).map_err(|error| Error::output(&path, error))?;
        Ok(Self(path))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What is known before the results folder is opened.
struct Ready {
    /// The tournament, with the games that each engine plays.
    tournament: Arc<Tournament>,
    /// By game.
    openings: Vec<Openings>,
    prepared: Prepared,
}

/// The tournament as its results folder is opened for it.
fn wanted<'a>(
    args: &'a RunArgs,
    tournament: &'a Tournament,
    plan: &'a Plan,
    prepared: &'a Prepared,
) -> Wanted<'a> {
    Wanted {
        tournament,
        plan,
        replayed: &args.replay,
        builds: prepared.builds.all(),
        accepted: &args.accept_changed,
    }
}

/// Reads the openings, tries every cage and starts every engine once; what engines write goes to `folders`.
fn ready(mut tournament: Tournament, folders: &Folders, runtime: &Runtime) -> Result<Ready, Error> {
    let openings = planning::openings(&tournament)?;
    let earlier = results::read_tournament(&tournament.results).ok();
    let prepared = runtime.block_on(prepare(&mut tournament, folders, earlier.as_ref()))?;
    playable::check(&tournament, &prepared.why)?;
    Ok(Ready { tournament: Arc::new(tournament), openings, prepared })
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

/// Shows where the file says what an engine is not.
fn at_its_place(error: Error, source: &config::Source) -> Error {
    let Error::Prepare(PrepareError::Mismatch { problems }) = error else { return error };
    let found = problems.iter().map(|EngineProblem { engine, option, message, help }| AtEngine {
        engine,
        option: option.as_deref(),
        message,
        help: help.as_deref(),
    });
    Error::Mismatch(source.wrong(found))
}

/// The tournament file, or what stands for one on the command line.
fn source(args: &RunArgs) -> Result<config::Source, Error> {
    if let Some(path) = &args.config {
        return Ok(config::Source::read(path)?);
    }
    let text = args.without_file.file(args.pairs).map_err(Error::Usage)?;
    Ok(config::Source::new(Path::new("command line"), text))
}

/// The tournament of the configuration, with what the command line says instead.
fn configured(args: &RunArgs, source: &config::Source) -> Result<Tournament, Error> {
    let mut tournament = source.tournament()?;
    if let Some(results) = &args.results {
        tournament.results.clone_from(results);
    }
    tournament.resources.concurrency = args.concurrency.unwrap_or(tournament.resources.concurrency);
    tournament.pairs = args.pairs.unwrap_or(tournament.pairs);
    planning::check_size(&tournament)?;
    let replayed = args.replay.iter().map(|engine| ("--replay", engine));
    let accepted = args.accept_changed.iter().map(|engine| ("--accept-changed", engine));
    for (option, engine) in replayed.chain(accepted) {
        if tournament.engine(engine).is_none() {
            return Err(Error::Usage(format!(
                "`{option} {engine}`: no engine has this name; the engines are {}",
                tournament.names().join(", ")
            )));
        }
    }
    Ok(tournament)
}
