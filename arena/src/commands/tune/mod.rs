//! `arena tune`: tunes the options of an engine, and proves that the values found are better.

mod proof;
mod without_file;

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use engine_proto::Games;

use crate::commands::arguments::MANY_MACHINES;
use crate::commands::arguments::limits::{Clock, clock};
use crate::exit::Exit;
use crate::paint::painted;
use crate::tournament::{Error, MachineArgs, PlayingArgs, Run, all_matches};
use config::Changes;
use model::Tournament;
use model::escape::escaped;
use proof::Proof;
use ratings::SprtVerdict;
use report::tuned::{self, Tuned};
use schedule::planning;
use schedule::tune::{TuneScheduler, Tuning};
use store::LOGS;
use without_file::WithoutFile;

const EXAMPLES: &str = "\
Examples:
  arena tune tune.toml            Tune the options in `[tune]`, then test them
  arena tune tune.toml --dry-run  Check it and show the first values
  arena tune --engine ./mine --option Margin:5:200 --nodes 2000 --pairs 2500
                                  Tune without a file";

/// Tune options of an engine
///
/// The engine plays itself with changed options (SPSA), and the options follow the results. Then a sequential test shows
/// whether the values found are better than those at the start, on other openings. The same command continues a tuning that
/// was stopped. Each step should be worth 2 to 3 Elo. See `arena/docs/tuning.md`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES, mut_arg("nats", |arg| arg.help_heading(MANY_MACHINES).hide_short_help(true)))]
#[command(mut_arg("tc", |arg| arg.hide_short_help(true)))]
#[command(mut_arg("pairs", |arg| arg.help("Number of pairs per game to tune with").long_help("Number of pairs per game to tune with\n\nDefault: `pairs` of the tournament file. 2500 are enough for three options, 10000 for six, 30000 for twelve.")))]
pub struct TuneArgs {
    /// The tournament file (TOML) with a table `[tune]`
    pub config: Option<PathBuf>,
    /// How it is played
    #[command(flatten)]
    pub playing: PlayingArgs,
    /// Do not test the values found
    #[arg(long)]
    pub no_proof: bool,
    /// Also test them with this clock, such as `60s+0.6s`
    ///
    /// Values that are tuned with little time often lose with more.
    #[arg(long, value_name = "CLOCK", value_parser = clock, conflicts_with = "no_proof", hide_short_help = true)]
    pub proof_at: Option<Clock>,
    /// Maximum number of pairs per game in a test
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), default_value_t = 50_000, hide_short_help = true)]
    pub proof_pairs: u32,
    /// Tell by the exit code what the last test has found
    ///
    /// 0 if the values found are better, 10 if they are not, 11 if the test is undecided or nothing has moved.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["no_proof", "dry_run"])]
    pub exit_code: bool,
    /// Where the matches are played, if not here
    #[command(flatten)]
    pub machines: MachineArgs,
    /// A tuning without a file
    #[command(flatten)]
    pub without_file: WithoutFile,
}

/// Tunes, and tests the values found.
///
/// # Errors
/// If the matches cannot be played, or their results cannot be written; [`Error::Interrupted`] if the user stopped it, with
/// all finished matches written.
pub fn run(games: &Games, args: &TuneArgs, out: &mut dyn Write) -> Result<Exit, Error> {
    let source = if let Some(path) = &args.config {
        config::Source::read(path)?
    } else {
        let text = args.without_file.file(args.playing.pairs).map_err(Error::Usage)?;
        let _ = writeln!(io::stderr(), "{text}");
        config::Source::new(Path::new(config::COMMAND_LINE), text)
    };
    let (tournament, proof) = tournament(games, args, &source)?;
    let run = Run { playing: &args.playing, machines: &args.machines, replayed: &[], shard: None };
    let runtime = run.begin(&tournament)?;
    let mut print = |text: &str| write!(out, "{}", painted(&escaped(text)));
    if args.playing.dry_run {
        let (text, tuning) = run.dry_run(tournament, &runtime, &source, Tuning::new, Tuning::add)?;
        print(&format!("{text}{}", tuned::next_points(&tuning)))?;
        if !args.no_proof {
            print(&format!(
                "then a test of the values found: at most {} pairs per game\n",
                ratings::count(proof.pairs.into())
            ))?;
        }
        return Ok(Exit::Done);
    }
    let tuning: RefCell<Option<Rc<RefCell<Tuning>>>> = RefCell::default();
    let mut played = run.play(&tournament, &runtime, &source, &|tournament, jobs| {
        let new = Rc::new(RefCell::new(Tuning::new(tournament)));
        tuning.replace(Some(Rc::clone(&new)));
        (Box::new(TuneScheduler::new(jobs, Rc::clone(&new))), Some(Box::new(Tuned(new))))
    })?;
    // The test of the values is shown at the same address.
    played.watch = None;
    let tuning = tuning.take().expect("it was played");
    let tuning = tuning.borrow();
    let write = |proofs: &[tuned::Proof]| tuned::write(&tuning, &tournament.name, proofs, &played.folder);
    write(&[])?;
    print(&tuned::found(&tuning, &played.folder))?;
    if let Some(n) = tuning.too_many_faults() {
        let engine = tuning.tune.engine.clone();
        return Err(Error::TooManyFaults { engine, n, log: played.folder.join(LOGS) });
    }
    played.ended(&run)?;
    let exit = |verdict| if args.exit_code { Exit::of_test(verdict) } else { Exit::Done };
    if args.no_proof {
        return Ok(Exit::Done);
    }
    if !tuning.has_moved() {
        print(
            "\nNothing has moved beyond its noise, so there is nothing to prove: play more pairs, or larger steps\n",
        )?;
        return Ok(exit(SprtVerdict::Undecided));
    }
    let mut playing = args.playing.clone();
    // The folder of the tuning may just have been moved aside, and with it the proof.
    playing.fresh = false;
    if !playing.accept_changed.is_empty() {
        playing.accept_changed = Proof::names(&tuning.tune).to_vec();
    }
    let run = Run { playing: &playing, ..run };
    let mut proofs = Vec::new();
    for at in [None].into_iter().chain(args.proof_at.map(Some)) {
        let folder = if at.is_some() { "proof-at" } else { "proof" };
        let tested = proof.tournament(&tournament, folder, &tuning, at)?;
        let tested = run.play(&tested, &runtime, &source, &all_matches)?;
        print("\n")?;
        let mut standings = String::new();
        let ended = tested.finish(&run, &mut |text| {
            standings.push_str(text);
            print(text)
        });
        // A test that has played all openings is undecided.
        if !matches!(ended, Err(Error::OpeningsRanOut { .. })) {
            ended?;
        }
        let verdict = tested.scheduler.sprt().unwrap_or(SprtVerdict::Undecided);
        let words = Proof::verdict(verdict, at);
        print(&format!("\n{words}\n"))?;
        proofs.push(tuned::Proof { folder, verdict, words, standings });
        write(&proofs)?;
    }
    Ok(exit(proofs.last().expect("at least one").verdict))
}

/// The tournament of the configuration, with the changes of the command line, and the test of what it finds.
fn tournament(games: &Games, args: &TuneArgs, source: &config::Source) -> Result<(Tournament, Proof), Error> {
    // A tuning depends on these numbers.
    let changes = Changes { pairs: args.playing.pairs, concurrency: args.playing.concurrency };
    let mut tournament = source.changed(games, changes)?;
    if let Some(results) = &args.playing.results {
        tournament.results.clone_from(results);
    }
    let Some(tune) = &mut tournament.tune else {
        return Err(Error::Usage(format!(
            "`{}` has no table `[tune]`: add `[[tune.option]]` with `name`, `min` and `max` for each option",
            source.path().display()
        )));
    };
    // Another number of matches at once would give other values, and so another tuning.
    if !args.playing.fresh
        && let Ok(earlier) = store::read_tournament(&tournament.known_games, &tournament.results)
        && let Some(earlier) = earlier.tune
    {
        tune.lag = earlier.lag;
    }
    planning::check_size(&tournament)?;
    let sprt = std::mem::take(&mut tournament.stop).sprt;
    Ok((tournament, Proof { sprt: sprt.unwrap_or(proof::DEFAULT_TEST), pairs: args.proof_pairs }))
}
