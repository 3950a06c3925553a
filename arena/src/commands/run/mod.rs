//! One tournament from its configuration to its standings.

mod dry_run;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tokio::runtime::Runtime;

use crate::conduct::attendance::Attendance;
use crate::conduct::conductor::Dispatcher;
use crate::config::{self, Config, OnMachineDelay};
use crate::error::Error;
use crate::opponent::{Contender, Folders, pauses, run_queue};
use crate::play::MatchSettings;
use crate::pool::builds::{Builds, Reading};
use crate::pool::preflight::{self, Preflight};
use crate::pool::{build, cages, needs, overload};
use crate::referee::Adjudication;
use crate::report::{Plain, Progress, Ratings, Timing, html};
use crate::results::{self, LOGS, Results, SCRATCH, SET_ASIDE, Wanted, move_aside};
use crate::schedule::Plan;
use crate::schedule::estimate::Played;
use crate::schedule::openings::Openings;
use crate::schedule::planning;
use crate::schedule::playable;
use crate::tournament::Reporter;

/// The page holds every move: of more matches it takes seconds to make, and a browser long to open.
const MOST_MATCHES_OF_REPORT: u32 = 10_000;

const EXAMPLES: &str = "\
Examples:
  arena run configs/quick.toml             Play a tournament, or continue it
  arena run configs/quick.toml --dry-run   Check all and estimate the time
  arena run configs/quick.toml --pairs 50 --concurrency 4
                                           Play more pairs, 4 matches at once";

/// Play a tournament
///
/// The results folder stores each match as soon as it is finished. The same command continues a tournament that was
/// stopped. Ctrl-C finishes the matches that are being played; a second Ctrl-C ends them at once.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that stands by itself")]
pub struct RunArgs {
    /// The configuration of the tournament, a TOML file
    pub config: PathBuf,
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
}

/// Plays the tournament and gives its standings' text for standard output; for a dry run, what it would play.
///
/// # Errors
/// If it cannot be played, or its results cannot be written; [`Error::Interrupted`] if the user stopped it, with all
/// finished matches written.
pub fn run(args: &RunArgs) -> Result<String, Error> {
    let config = configuration(args)?;
    let folder = results_folder(&config);
    if !args.dry_run {
        // Nobody shall wait for a build to learn that its results could not be written.
        std::fs::create_dir_all(&folder).map_err(|error| Error::output(&folder, error))?;
    }
    build::build(&config)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Runtime)?;
    if args.dry_run {
        return dry_run(args, config, &runtime);
    }
    if args.fresh {
        move_aside(&folder).map_err(|error| Error::output(&folder, error))?;
    }
    let folders = Folders { logs: folder.join(LOGS), scratch: folder.join(SCRATCH) };
    for folder in [Some(&folders.logs), args.log.as_ref()].into_iter().flatten() {
        std::fs::create_dir_all(folder).map_err(|error| Error::output(folder, error))?;
    }
    let Prepared { config, contenders, mut openings, preflight, builds } =
        prepare(config, &folders, &runtime)?;
    let needs = needs::needs(&config, &preflight)?;

    let mut course = planning::course(&config);
    let mut ratings = Ratings::new(&folder).at_any_time(course.depends_on_results());
    let mut timing = Timing::new(&folder);
    let mut attendance = Attendance::new(&contenders, config.tournament.n_max_faults());
    let plan = course.plan().clone();
    let wanted = wanted(args, &config, &plan, &builds);
    let results = Results::open(&folder, &wanted, &mut openings, |record| {
        ratings.add(record);
        timing.add(record);
        attendance.count_earlier(record);
        course.add(record);
    })?;
    attendance.did_not_start(preflight.why);
    let mut warnings = [preflight.warnings, attendance.retire_all()].concat();
    warnings.extend(no_machine_delay(&config));
    warnings.extend(set_aside(&results));
    let n_to_play = if course.is_over() { 0 } else { course.most_matches() - course.n_finished() };
    if 0 < n_to_play {
        results.begin_run(builds.run(config.tournament.seed), builds.all().to_vec())?;
    }
    let (slots, warning) = needs::slots(&config, &needs, n_to_play as usize);
    warnings.extend(warning);
    let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(results), Box::new(ratings.clone())];
    if !args.quiet {
        reporters.push(if io::stderr().is_terminal() {
            Box::new(Progress::new(ratings.clone()))
        } else {
            Box::new(Plain::new())
        });
        timing = timing.said_at_the_end();
    }
    let own_times = timing.own_times();
    reporters.push(Box::new(timing));
    let dispatcher = Dispatcher {
        name: config.tournament.name.clone().unwrap_or_default(),
        course,
        openings,
        contenders: Arc::new(contenders),
        needs,
        slots,
        // A process that waits for its next match has its memory all the while.
        keeps_engines: config.tournament.memory.is_none(),
        own_times,
        settings: MatchSettings {
            max_plies: config.limits.n_max_plies(),
            adjudication: Adjudication::of(&config.adjudication),
            seed: config.tournament.seed,
            logs: args.log.clone(),
        },
        on_machine_delay: config.tournament.on_machine_delay,
        attendance,
        builds,
        warnings,
    };
    pauses::watch();
    let ended = runtime.block_on(dispatcher.run(&mut reporters))?;
    let mut standings = ratings.text();
    if !ended.findings.is_empty() {
        standings = format!("{standings}\n{}", ended.findings);
    }
    if !args.no_report {
        write_report(&folder, ended.n_finished);
    }
    let (finished, matches) = (ended.n_finished, ended.n_matches);
    if let Some(why) = ended.too_few {
        Err(Error::OpeningsRanOut { standings, finished, matches, why })
    } else if ended.is_complete {
        Ok(standings)
    } else {
        Err(Error::Interrupted {
            standings,
            finished,
            matches,
            again: if args.replay.is_empty() {
                "the same command"
            } else {
                "the same command without `--replay`"
            },
        })
    }
}

/// What the user should know of matches that were set aside.
fn set_aside(results: &Results) -> Option<String> {
    (0 < results.n_set_aside()).then(|| {
        format!(
            "{} matches count no longer: they are set aside in `{}`",
            results.n_set_aside(),
            results.folder().join(SET_ASIDE).display()
        )
    })
}

/// What the user should know who wants matches on a busy machine to be played again.
fn no_machine_delay(config: &Config) -> Option<String> {
    let is_wanted = config.tournament.on_machine_delay == OnMachineDelay::Replay;
    (is_wanted && !run_queue::is_known()).then(|| {
        "`on-machine-delay = \"replay\"` has no effect: this system does not tell how long processes wait for a processor"
            .to_owned()
    })
}

/// Writes the page of the tournament. The results are safe by then, so that a page that cannot be written is no failure.
fn write_report(folder: &Path, n_matches: u32) {
    if MOST_MATCHES_OF_REPORT < n_matches {
        let _ = writeln!(
            io::stderr(),
            "no page is made of so many matches without being asked; `arena report {}` makes one",
            folder.display()
        );
        return;
    }
    let page = folder.join(html::REPORT_HTML);
    if let Err(error) = html::write(&[folder.to_owned()], &page) {
        let again = "all results are safe; make it again with `arena report`";
        let _ = writeln!(io::stderr(), "warning: there is no page of the tournament: {error}; {again}");
    }
}

/// All that is done for a tournament but playing and writing.
fn dry_run(args: &RunArgs, config: Config, runtime: &Runtime) -> Result<String, Error> {
    let temporary = TemporaryFolder::make()?;
    let folders = Folders { logs: temporary.0.join(LOGS), scratch: temporary.0.join(SCRATCH) };
    let Prepared { config, contenders, mut openings, preflight, builds } =
        prepare(config, &folders, runtime)?;
    needs::needs(&config, &preflight)?;
    let mut played = Played::default();
    let mut course = planning::course(&config);
    if !args.fresh {
        let plan = course.plan().clone();
        let wanted = wanted(args, &config, &plan, &builds);
        results::finished(&results_folder(&config), &wanted, &mut openings, |record| {
            played.add(record);
            course.add(record);
        })?;
    }
    for message in &preflight.warnings {
        writeln!(io::stderr(), "warning: {message}")?;
    }
    Ok(dry_run::summary(&config, &course, &contenders, &played))
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
struct Prepared {
    config: Config,
    contenders: Vec<Contender>,
    openings: Vec<Openings>,
    preflight: Preflight,
    builds: Builds,
}

/// The tournament as its results folder is opened for it.
fn wanted<'a>(args: &'a RunArgs, config: &'a Config, plan: &'a Plan, builds: &'a Builds) -> Wanted<'a> {
    Wanted { config, plan, replayed: &args.replay, builds: builds.all(), accepted: &args.accept_changed }
}

/// Reads the openings, tries every cage and starts every engine once; what engines write goes to `folders`.
fn prepare(mut config: Config, folders: &Folders, runtime: &Runtime) -> Result<Prepared, Error> {
    let contenders = contenders(&config, folders)?;
    cages::prepare(&contenders)?;
    let reading = Reading::begin(&config, &contenders);
    let openings = planning::openings(&config)?;
    let mut preflight = runtime.block_on(preflight::preflight(&contenders, &config))?;
    let builds = reading.finish(&contenders, std::mem::take(&mut preflight.ids));
    preflight.warnings.extend(overload::warnings(&config));
    // Who plays what is part of the schedule: it is kept with the results.
    let earlier = results::read_config(&results_folder(&config)).ok();
    let games = std::mem::take(&mut preflight.games);
    for (idx, (engine, games)) in config.engines.iter_mut().zip(games).enumerate() {
        // What an engine that does not start would play is known from the run before, if there was one.
        let known = preflight.why[idx].as_ref().and(earlier.as_ref()).and_then(|earlier| {
            earlier.engines.iter().find(|one| one.name.get_ref() == engine.name.get_ref())?.games.clone()
        });
        match known {
            Some(known) => engine.games = Some(known),
            None => engine.plays(games),
        }
    }
    playable::check(&config, &preflight.why)?;
    Ok(Prepared { config, contenders, openings, preflight, builds })
}

fn results_folder(config: &Config) -> PathBuf {
    config.tournament.results.clone().expect("a loaded configuration has a folder")
}

/// The configuration with what the command line says instead.
fn configuration(args: &RunArgs) -> Result<Config, Error> {
    let mut config = config::load(&args.config)?;
    if let Some(results) = &args.results {
        config.tournament.results = Some(results.clone());
    }
    if let Some(concurrency) = args.concurrency {
        *config.tournament.concurrency.get_mut() = concurrency;
    }
    if let Some(pairs) = args.pairs {
        *config.tournament.pairs.get_mut() = pairs;
    }
    planning::check_size(&config)?;
    let replayed = args.replay.iter().map(|engine| ("--replay", engine));
    let accepted = args.accept_changed.iter().map(|engine| ("--accept-changed", engine));
    for (option, engine) in replayed.chain(accepted) {
        let names: Vec<&str> = config.engines.iter().map(|engine| engine.name.get_ref().as_str()).collect();
        if !names.contains(&engine.as_str()) {
            return Err(Error::Usage(format!(
                "`{option} {engine}`: no engine has this name; the engines are {}",
                names.join(", ")
            )));
        }
    }
    Ok(config)
}

fn contenders(config: &Config, folders: &Folders) -> Result<Vec<Contender>, Error> {
    config
        .engines
        .iter()
        .map(|engine| {
            Contender::new(engine, config, folders).map_err(|_| Error::NoProgram {
                engine: engine.name.get_ref().clone(),
                command: engine.command.get_ref().clone(),
            })
        })
        .collect()
}
