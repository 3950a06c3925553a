//! `arena compare`: compares two engines, or two runs. It reads files and prints; [`ratings`] computes all estimates.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use engine_proto::Games;
use engine_proto::fen::shown;

use super::arguments::named;
use crate::exit::{CommandError, Exit};
use host::output::{self, CannotWrite};
use model::EloModelKey;
use ratings::{
    Comparison, Confidence, DEFAULT_BATCH_PAIRS, Hypotheses, OVERALL, Question, RatingDifference,
    RatingSettings, RunComparison, ScopeComparison, SprtVerdict, Standings, with_verb,
};
use report::tables::{
    Detail, Listed, Number, has_verdict, with_cautions, write_comparison_csv, write_comparison_markdown,
    write_comparison_table, write_fishtest, write_run_comparison_csv, write_run_comparison_markdown,
    write_run_comparison_table,
};
use schedule::stop::{TestState, raised_batch};
use store::result_files::{ColumnName, FileContents, ReadError, Reader};

const EXAMPLES: &str = "\
Examples:
  arena compare matches.csv --engines new,old     Is the new engine stronger?
  arena compare matches.csv --engines new,old --elo1 10
                                                  Test 0 Elo against 10 Elo
  arena compare old/matches.csv new/matches.csv   Which ratings changed?";

/// Compare two engines, or two tournaments
///
/// With --engines: compares two engines by the pairs that they played against each other. The first line says which engine
/// is stronger. The outcomes of the pairs, the score and the difference in Elo follow, over all games and per game. --all adds
/// other intervals; with it, or with --elo0 or --elo1, a sequential test follows.
///
/// Without --engines, and with one file in which only two engines played, it compares these.
///
/// With two files: compares the ratings of the same engines in two tournaments and lists those that changed.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CompareArgs {
    /// Result files, as for `arena rate`
    ///
    /// For two runs: two, the older one first.
    ///
    /// The two matches of a pair have the same value in the column pair (or pair_id), or without such a column, the same
    /// opening. Pairs are taken in the order of the file, which must be the order in which they started. The pairs of a
    /// results folder are taken in the order of its schedule.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The two engines; the first one's view is printed
    #[arg(long, value_name = "ONE,TWO", value_delimiter = ',')]
    pub engines: Vec<String>,
    /// table, markdown, csv, json or fishtest
    ///
    /// A table is 80 columns wide. Markdown can be pasted into GitHub. CSV has one line for all games together and one for
    /// each game; for two runs, one per engine. JSON contains all computed numbers on one line. `fishtest` is the block of
    /// five lines that fishtest and OpenBench print for two engines: Elo, test, LLR, games and pairs.
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub format: ComparisonFormat,
    /// Tell by the exit code what the sequential test has found
    ///
    /// 0 if the test over all games accepts elo1, 10 if it accepts elo0, 11 if it is undecided.
    #[arg(long, hide_short_help = true)]
    pub exit_code: bool,
    /// Compare only in this game (repeatable)
    #[arg(long = "game", value_name = "GAME")]
    pub games: Vec<String>,
    /// Compare only the matches under these limits
    ///
    /// NAME is one of the `[[limits]]` of the tournament.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub limits: Option<String>,
    /// Confidence level of the intervals
    #[arg(long, default_value_t, value_name = "LEVEL")]
    pub confidence: Confidence,
    /// Read CSV columns under other names
    ///
    /// `--columns white=player1,black=player2` reads the column `player1` as white and `player2` as black.
    #[arg(long, value_name = "COLUMN=NAME", value_delimiter = ',', hide_short_help = true)]
    pub columns: Vec<ColumnName>,
    /// Print all intervals, or all engines of two runs
    #[arg(long)]
    pub all: bool,
    /// Write the output to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The sequential test of two engines
    #[command(flatten)]
    pub test: TestArgs,
}

/// How a comparison is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ComparisonFormat {
    /// Text for a terminal, 80 columns wide
    #[default]
    Table,
    /// Tables to paste into GitHub and the like
    Markdown,
    /// One line per game or engine
    Csv,
    /// All computed numbers, on one line
    Json,
    /// The block of fishtest and OpenBench
    Fishtest,
}

const USUAL_RISK: f64 = 0.05;

/// The hypotheses of a sequential test.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Sequential test")]
pub struct TestArgs {
    /// Elo difference under hypothesis H0 [default: 0]
    ///
    /// Without --elo0 and --elo1, the hypotheses are those of the tournament, if it was a test of the two.
    #[arg(long, allow_negative_numbers = true, value_name = "ELO")]
    pub elo0: Option<f64>,
    /// Elo difference under hypothesis H1 [default: 5]
    #[arg(long, allow_negative_numbers = true, value_name = "ELO")]
    pub elo1: Option<f64>,
    /// Risk of accepting elo1 if elo0 is true
    #[arg(long, default_value_t = USUAL_RISK, value_name = "RISK")]
    pub alpha: f64,
    /// Risk of accepting elo0 if elo1 is true
    #[arg(long, default_value_t = USUAL_RISK, value_name = "RISK")]
    pub beta: f64,
    /// Elo model: normalized or logistic
    #[arg(long, value_parser = named::<EloModelKey>(&["normalized", "logistic"]), default_value = "normalized",
        hide_possible_values = true)]
    pub model: EloModelKey,
    /// Number of pairs between two tests
    #[arg(long, default_value_t = DEFAULT_BATCH_PAIRS, value_name = "PAIRS", hide_short_help = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: u64,
}

impl TestArgs {
    /// Whether the user asks for a test other than the usual one.
    fn is_given(&self) -> bool {
        let Self { elo0, elo1, alpha, beta, model, batch } = *self;
        let is_usual = [alpha, beta] == [USUAL_RISK; 2]
            && model == EloModelKey::Normalized
            && batch == DEFAULT_BATCH_PAIRS;
        elo0.or(elo1).is_some() || !is_usual
    }
}

/// Compares what `args` names and prints it to `out`. The exit is that of `--exit-code`, otherwise [`Exit::Done`].
///
/// # Errors
/// If the arguments contradict each other, if a file cannot be read or is invalid, if there is nothing to compare, or if
/// `out` cannot be written.
pub fn run(known: &Games, args: &CompareArgs, out: &mut dyn Write) -> Result<Exit, CommandError> {
    let found = Found::new(known, args)?;
    match &args.output {
        None => found.write(args, out)?,
        Some(path) => {
            output::write_whole(path, |out| found.write(args, out)).map_err(CannotWrite::at(path))?;
        }
    }
    Ok(if args.exit_code { found.exit() } else { Exit::Done })
}

/// What was asked for.
enum Found {
    Engines(Comparison),
    Runs(RunComparison),
}

impl Found {
    fn new(known: &Games, args: &CompareArgs) -> Result<Self, CommandError> {
        if let Some(engines) = asked(known, args)? {
            let found = two_engines(known, args, &engines)?;
            // Nobody has named them: the one that is ahead is the first.
            if args.engines.is_empty() && found.tested.is_none() && is_behind(&found) {
                let [first, second] = engines;
                return two_engines(known, args, &[second, first]).map(Self::Engines);
            }
            Ok(Self::Engines(found))
        } else {
            if args.format == ComparisonFormat::Fishtest {
                return Err(CommandError::usage(
                    "`--format fishtest` shows a test of two engines; add `--engines FIRST,SECOND`",
                ));
            }
            if args.exit_code || args.test.is_given() {
                return Err(CommandError::usage(
                    "a sequential test is one of two engines; add `--engines FIRST,SECOND`",
                ));
            }
            two_runs(known, args).map(Self::Runs)
        }
    }

    /// By the test of the first scope, which is that of all games.
    fn exit(&self) -> Exit {
        let Self::Engines(found) = self else { return Exit::Done };
        let decision = found.scopes.first().and_then(|scope| scope.test.decision);
        Exit::of_test(decision.map_or(SprtVerdict::Undecided, |decision| decision.verdict))
    }

    fn write(&self, args: &CompareArgs, out: &mut dyn Write) -> io::Result<()> {
        use ComparisonFormat as Format;
        let listed = if args.all { Listed::All } else { Listed::Changed };
        let is_tested = matches!(self, Self::Engines(found) if found.tested.is_some());
        let asks_for_test = args.exit_code || args.test.elo0.or(args.test.elo1).is_some();
        let detail = Detail { all_intervals: args.all, test: args.all || is_tested || asks_for_test };
        match (self, args.format) {
            (Self::Engines(found), Format::Table) => {
                let columns = if args.output.is_none() { output::stdout_columns() } else { None };
                write_comparison_table(&valid(found), detail, columns, out)?;
            }
            (Self::Engines(found), Format::Markdown) => {
                write_comparison_markdown(&valid(found), detail, out)?;
            }
            (Self::Engines(found), Format::Csv) => write_comparison_csv(&valid(found), &mut *out)?,
            (Self::Engines(found), Format::Json) => write_json(&*valid(found), out)?,
            (Self::Engines(found), Format::Fishtest) => write_fishtest(&valid(found), out)?,
            (Self::Runs(found), Format::Table) => write_run_comparison_table(found, listed, out)?,
            (Self::Runs(found), Format::Markdown) => write_run_comparison_markdown(found, out)?,
            (Self::Runs(found), Format::Csv) => write_run_comparison_csv(found, &mut *out)?,
            (Self::Runs(found), Format::Json) => write_json(found, out)?,
            (Self::Runs(_), Format::Fishtest) => unreachable!("refused before"),
        }
        out.flush()
    }
}

/// Whether the second engine is ahead.
fn is_behind(found: &Comparison) -> bool {
    let lead = |scope: &ScopeComparison| scope.head_to_head.clone().or(scope.by_matches.clone());
    found.scopes.first().and_then(lead).is_some_and(|lead| lead.elo.value < 0.0)
}

/// After a sequential test, only what is valid at any time.
fn valid(found: &Comparison) -> Cow<'_, Comparison> {
    let mut found = Cow::Borrowed(found);
    if found.tested.is_some() {
        found.to_mut().scopes.iter_mut().for_each(ScopeComparison::keep_any_time);
    }
    found
}

/// The two engines to compare: those that were named, or the only ones that played; `None` if two runs are compared.
fn asked(known: &Games, args: &CompareArgs) -> Result<Option<[String; 2]>, CommandError> {
    if let ([], [file]) = (args.engines.as_slice(), args.files.as_slice()) {
        let played: Vec<String> = engines(&read_one(known, file, args, &args.games)?).into_iter().collect();
        let engines = <[String; 2]>::try_from(played).map_err(|played| {
            let names: Vec<String> = played.iter().map(|name| shown(name)).collect();
            CommandError::usage(format!(
                "name two engines of `{}` with `--engines FIRST,SECOND`, or a second file; it has {}",
                file.display(),
                names.join(", ")
            ))
        })?;
        // From the view of the new engine, if one is tested.
        return Ok(Some(own_test(known, args, engines.each_ref()).map_or(engines, |test| test.engines)));
    }
    if args.engines.is_empty() {
        return Ok(None);
    }
    let [first, second] = args.engines.as_slice() else {
        return Err(CommandError::usage(format!(
            "`--engines` needs two names with a comma between them, as in `--engines new,old`; it has {}",
            args.engines.len()
        )));
    };
    if first == second {
        return Err(CommandError::usage(format!(
            "engine `{}` cannot be compared with itself; name two engines",
            shown(first)
        )));
    }
    Ok(Some([first.clone(), second.clone()]))
}

fn two_engines(known: &Games, args: &CompareArgs, named: &[String; 2]) -> Result<Comparison, CommandError> {
    let [first, second] = named;
    let TestArgs { elo0, elo1, alpha, beta, model, batch } = args.test;
    let own = own_test(known, args, [first, second]);
    let hypotheses = match &own {
        Some(test) if elo0.is_none() && elo1.is_none() => test.hypotheses,
        _ => Hypotheses::new(model.into(), elo0.unwrap_or(0.0), elo1.unwrap_or(5.0), alpha, beta)?,
    };
    let mut read = read(known, &args.files, args, &args.games, |reader| reader.with_pairs_of(first, second))?;
    let known = engines(&read);
    for engine in named {
        if !known.contains(engine) {
            return Err(ReadError::unknown("engine", engine, &known).into());
        }
    }
    let question = Question {
        first: first.clone(),
        second: second.clone(),
        hypotheses,
        batch_pairs: batch,
        confidence: args.confidence,
    };
    let settings = RatingSettings::with_confidence(args.confidence);
    let mut standings = Standings::new(&read.tally, &settings);
    standings.order_games(&read.order);
    read.pairs.retain(|game, _| !named.iter().any(|engine| standings.is_absent(game, engine)));
    let mut comparison = Comparison::new(question, &read.pairs, &standings);
    comparison.notes = read.notes.iter().map(|note| note.text.clone()).collect();
    comparison.notes.extend(raised_batch(batch));
    if own.is_none() {
        comparison.notes.extend(by_all_matches(&comparison, &standings, args.all));
    }
    if let Some(test) = own {
        read.notes.into_iter().for_each(|note| standings.add_note(note));
        comparison.tested = Some(with_cautions(test.answer(), standings.scopes.first()));
        comparison.notes.push(format!(
            "the tournament is a sequential test of the two: {}; the intervals are valid at any time",
            test.evidence()
        ));
        let n_pairs = comparison.scopes.first().map_or(0, |scope| scope.pairs.pairs());
        comparison.notes.extend(test.later(n_pairs));
        comparison.notes.extend(test.warning.iter().map(|warning| format!("warning: {warning}")));
    }
    comparison.notes.extend(forfeits(named, &standings));
    comparison.notes.extend(copies(&comparison, &standings));
    if !has_verdict(&standings) {
        // Forfeits decide no test of strength.
        comparison.scopes.iter_mut().for_each(|scope| scope.test.decision = None);
    }
    let absent: Vec<_> = named.iter().filter(|engine| standings.is_absent(OVERALL, engine)).collect();
    if !absent.is_empty() {
        let note = |engine| format!("{engine} never started: its matches are not counted");
        comparison.notes.extend(absent.into_iter().map(note));
    } else if read.pairs.is_empty() {
        comparison.notes.push("these two played no match against each other".to_owned());
    } else if read.pairs.values().all(|game| game.pairs.is_empty()) {
        comparison.notes.push(
            "no pairs: two matches with the sides swapped are a pair if their `pair` or `opening` (CSV), or their `Event`, \
             `Round` and `FEN` (PGN) are the same"
                .to_owned(),
        );
    }
    Ok(comparison)
}

/// That intervals may be too narrow, as far as there are any, because pairs count each match, and ratings count copies once.
fn copies(comparison: &Comparison, standings: &Standings) -> Option<String> {
    let n = standings.scopes.first()?.copies;
    let copies = if n == 1 { "match is a copy of another one" } else { "matches are copies of others" };
    let mut found =
        comparison.scopes.iter().filter_map(|it| it.head_to_head.as_ref().or(it.by_matches.as_ref()));
    let narrow = if found.any(|it| it.elo.has_end()) { ", so that intervals may be too narrow" } else { "" };
    (0 < n).then(|| format!("{n} {copies}: pairs count copies again{narrow}; `arena rate` counts them once"))
}

/// What the two forfeited, against whomever.
fn forfeits(named: &[String; 2], standings: &Standings) -> Option<String> {
    let engines = standings.scopes.first()?.engines.iter();
    let forfeited = engines.filter(|it| named.contains(&it.engine) && it.forfeits != 0);
    let told =
        forfeited.map(|it| format!("{} forfeited {} of {}", shown(&it.engine), it.forfeits, it.matches));
    let told = told.collect::<Vec<_>>().join(", ");
    (!told.is_empty()).then(|| format!("forfeits count as losses: {told}"))
}

/// What the matches of all engines say of two engines that met, if others played, too.
fn by_all_matches(comparison: &Comparison, standings: &Standings, shows_all: bool) -> Option<String> {
    let has_own = |scope: &ScopeComparison| scope.head_to_head.is_some() || scope.by_matches.is_some();
    let has_own = comparison.scopes.first().is_some_and(has_own);
    let scope = standings.scopes.first().filter(|scope| has_own && 2 < scope.engines.len())?;
    let Question { first, second, confidence, .. } = &comparison.question;
    let found = RatingDifference::of_engines(scope, first, second, *confidence)?;
    let lead = Number::with_error(found.elo, 0.5 * (found.high - found.low));
    Some(format!(
        "only the matches of the two count here; by those of all engines, {} {} Elo{}",
        shown(first),
        with_verb(&lead.text()),
        if shows_all { "" } else { " (`--all` has more)" }
    ))
}

/// The sequential test of the two that decided how many matches they played, if `args` name its results folder, and all its matches.
fn own_test(known: &Games, args: &CompareArgs, engines: [&String; 2]) -> Option<TestState> {
    let [folder] = args.files.as_slice() else { return None };
    let is_whole = args.games.is_empty() && args.limits.is_none();
    let findings = if is_whole { report::html::progress(known, folder, 0).0 } else { Vec::new() };
    let mut tests = findings.into_iter().filter_map(|finding| finding.test);
    tests.rfind(|test| engines.iter().all(|engine| test.engines.contains(engine)))
}

/// Compares two runs in the games that both have: an overall rating is that of its games.
fn two_runs(known: &Games, args: &CompareArgs) -> Result<RunComparison, CommandError> {
    let [old_file, new_file] = args.files.as_slice() else {
        let n_files = args.files.len();
        let missing = args.files.iter().find(|file| !file.exists());
        let missing =
            missing.map_or(String::new(), |file| format!(" (there is no file `{}`)", file.display()));
        return Err(CommandError::usage(format!(
            "comparing runs needs two files, the older one first, but there are {n_files}{missing}; to compare two engines, add \
             `--engines FIRST,SECOND`"
        )));
    };
    let read_both = |games: &[String]| -> Result<[FileContents; 2], CommandError> {
        Ok([read_one(known, old_file, args, games)?, read_one(known, new_file, args, games)?])
    };
    let both = format!("{} and {}", old_file.display(), new_file.display());
    if let (Ok(old), Ok(new)) = (old_file.canonicalize(), new_file.canonicalize())
        && old == new
    {
        return Err(CommandError::usage(format!("{both} are the same results; name two runs")));
    }
    let mut runs = read_both(&args.games)?;
    let mut notes = Vec::new();
    let [old_games, new_games] = [&runs[0], &runs[1]].map(games);
    if old_games != new_games {
        let common: Vec<String> = old_games.intersection(&new_games).cloned().collect();
        if common.is_empty() {
            return Err(CommandError::input(format!("{both} have no game in common")));
        }
        let left_out: Vec<&str> = old_games.symmetric_difference(&new_games).map(String::as_str).collect();
        notes.push(format!("left out, because only one of the runs has them: {}", left_out.join(", ")));
        runs = read_both(&common)?;
    }
    let [old, new] = runs;
    if engines(&old).intersection(&engines(&new)).count() < 2 {
        return Err(CommandError::input(format!(
            "{both} have fewer than two engines in common; ratings are relative to others, so at least two must be in both"
        )));
    }
    for (run, read) in [("old", &old), ("new", &new)] {
        notes.extend(read.notes.iter().map(|note| format!("{run}: {}", note.text)));
    }
    let settings = RatingSettings::with_confidence(args.confidence);
    let [old, new] = [old, new].map(|read| {
        let mut standings = Standings::new(&read.tally, &settings);
        standings.order_games(&read.order);
        standings
    });
    let names = [old_file, new_file].map(|file| file.display().to_string());
    let mut comparison = RunComparison::new([(&names[0], &old), (&names[1], &new)], args.confidence);
    comparison.notes = notes;
    Ok(comparison)
}

fn read_one(
    known: &Games,
    file: &Path,
    args: &CompareArgs,
    games: &[String],
) -> Result<FileContents, CommandError> {
    read(known, &[file.to_owned()], args, games, |reader| reader)
}

/// Reads the matches of `games`, of all of them if there are none, with a reader that `prepare` has prepared.
fn read(
    known: &Games,
    files: &[PathBuf],
    args: &CompareArgs,
    games: &[String],
    prepare: impl for<'a> FnOnce(Reader<'a>) -> Reader<'a>,
) -> Result<FileContents, CommandError> {
    let mut reader =
        prepare(Reader::new(known, games).under(args.limits.as_deref()).with_columns(&args.columns));
    for file in files {
        reader.read(file)?;
    }
    let read = reader.finish();
    for game in games {
        if !read.games.contains(game) {
            return Err(ReadError::unknown("game", game, &read.games).into());
        }
    }
    read.check_limits(args.limits.as_deref())?;
    read.check(files)?;
    Ok(read)
}

fn engines(read: &FileContents) -> BTreeSet<String> {
    read.tally.engines().into_iter().map(str::to_owned).collect()
}

fn games(read: &FileContents) -> BTreeSet<String> {
    read.tally.games().into_iter().map(str::to_owned).collect()
}

fn write_json(comparison: &impl serde::Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, comparison)?;
    writeln!(out)
}
