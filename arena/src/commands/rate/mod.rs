//! `arena rate`: ratings from files of results of any program. It reads files and prints; [`ratings`] computes all
//! estimates.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use engine_proto::Games;
use engine_proto::fen::shown;

use super::arguments::Format;
use crate::exit::CommandError;
use host::output::{self, CannotWrite};
use ratings::{
    Anchor, Checks, Confidence, GamePayoffs, OpeningsMeant, RatingSettings, Scope, Series, Standings,
    Validity, in_order_of_numbers,
};
use report::Working;
use report::html::terms::legend;
use report::tables::{
    Next, write_csv, write_markdown, write_matrix, write_matrix_csv, write_payoff_table, write_payoffs,
    write_series_csv, write_series_table, write_table_with, write_verdict,
};
use schedule::stop::Finding;
use store::result_files::{ColumnName, FileContents, ReadError, Reader, quoted};

const EXAMPLES: &str = "\
Examples:
  arena rate results/quick                  Rate the engines of a tournament
  arena rate results/quick --anchor random=0 --format markdown
                                            Set one rating and print Markdown
  arena rate old.csv new.pgn --game chess   Rate one game from two files";

/// Rate engines from recorded matches
///
/// Reads results folders of the arena, CSV tables and PGN files. Prints one table per game, then one over all games.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\nColumns and signs of the table:\n{}", legend()))]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag")]
pub struct RateArgs {
    /// Results folders, CSV, PGN or `matches.jsonl` files
    ///
    /// CSV needs the columns white, black and result, separated by commas, semicolons or tabs. A result is 1-0, 0-1 or
    /// 1/2-1/2, or White's points: 1, 0 or 0.5. The other columns that are read are optional. Without a column game, all
    /// matches are of one game. The columns pair (or pair_id) and opening (or opening_id) say which matches belong
    /// together, so that the intervals can be computed from pairs; this usually makes them narrower. A match with the
    /// same value in the column match counts once if it is in several files. The column reason marks forfeits. The
    /// column moves is any text that identifies the moves, and marks matches that repeat each other.
    ///
    /// PGN needs the tags White, Black and Result. The tag Variant is the game (default: chess) and FEN is the opening.
    /// Matches with the same Event, Round and FEN are a pair. Termination marks forfeits. GameId identifies the match.
    ///
    /// For a results folder, its `matches.jsonl` is read. A file that is given twice counts once.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// table, markdown, csv or json
    ///
    /// A table is 80 columns wide. Markdown can be pasted into GitHub. CSV has one line per engine and game. JSON contains all
    /// computed numbers on one line.
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    pub format: Format,
    /// Rate only this game (repeatable)
    #[arg(long = "game", value_name = "GAME")]
    pub games: Vec<String>,
    /// Rate only the matches under these limits
    ///
    /// NAME is one of the `[[limits]]` of the tournament. Without this option, a game under two limits is rated as two games, such
    /// as `push@short` and `push@long`, and the overall ratings are the mean of both.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub limits: Option<String>,
    /// Show only this engine (repeatable)
    ///
    /// The ratings do not change: they are computed from all engines.
    #[arg(long = "engine", value_name = "ENGINE")]
    pub engines: Vec<String>,
    /// Confidence level of the intervals
    #[arg(long, default_value_t, value_name = "LEVEL")]
    pub confidence: Confidence,
    /// Fix the rating of an engine
    ///
    /// For example `--anchor alpha=2500`.
    ///
    /// The other engines are rated relative to it, and each interval is that of the difference from it. If it has only a
    /// rough number (≈), all ratings are shifted and the intervals stay as they are. Without an anchor, the mean rating is 0.
    #[arg(long, value_name = "NAME=ELO")]
    pub anchor: Option<Anchor>,
    /// Print intervals that are valid at any time
    ///
    /// You can look at them as often as you like and stop whenever you like. They are 1.5 to 1.9 times as wide. Without
    /// this option, intervals are valid only if the number of matches was fixed in advance.
    #[arg(long)]
    pub anytime: bool,
    /// Print intervals that are valid at any time for all engines together
    ///
    /// They are wider than those of --anytime, which are valid for one engine at a time.
    #[arg(long)]
    pub anytime_all: bool,
    /// Print intervals for the played openings only
    ///
    /// Use it if you are interested only in these openings, and all of them are always played. Without this option, the
    /// intervals also cover the choice of the openings: they are valid for similar openings.
    #[arg(long)]
    pub these_openings: bool,
    /// Show LOS instead of P>next
    ///
    /// LOS (likelihood of superiority) is 1 minus the p-value of a one-sided test. A high value means that such a lead
    /// over the next engine would be rare between equal engines.
    #[arg(long, conflicts_with_all = ["anytime", "anytime_all"], hide_short_help = true)]
    pub los: bool,
    /// Print the probabilities for all pairs of engines
    ///
    /// Prints the probability that each engine is stronger than each other one. CSV includes the difference of the
    /// ratings with its interval, and LOS. JSON contains all of this without this option.
    #[arg(long, conflicts_with_all = ["engines", "anchor", "anytime", "anytime_all", "bootstrap", "los", "payoff", "series"], hide_short_help = true)]
    pub matrix: bool,
    /// Print each engine's score against each other
    ///
    /// The column payoff is the score after adding one pair with the result that the ratings predict.
    #[arg(long, conflicts_with_all = ["engines", "anchor", "anytime", "anytime_all", "bootstrap", "these_openings", "los"])]
    pub payoff: bool,
    /// Compare the checkpoints of an engine
    ///
    /// Prints the difference of each checkpoint from the first one and from the previous one. Give the engines in order, as
    /// in `--series=step-100,step-200`. Without a value, it takes all engines with a number in their name, in the order of
    /// that number.
    #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with_all = ["payoff", "los"])]
    pub series: Option<String>,
    /// Read CSV columns under other names
    ///
    /// `--columns white=player1,black=player2` reads the column `player1` as white and `player2` as black.
    #[arg(long, value_name = "COLUMN=NAME", value_delimiter = ',')]
    pub columns: Vec<ColumnName>,
    /// Check the standard errors with N resamples
    ///
    /// Resamples the clusters (openings or pairs) of each game with replacement. The result is deterministic. N = 1000 is
    /// enough.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub bootstrap: Option<u32>,
    /// Write the output to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Rates the files of `args` and prints the ratings to `out`.
///
/// # Errors
/// If a file cannot be read or is invalid, if a filter matches nothing, or if `out` or the file of `args` cannot be written.
pub fn run(games: &Games, args: &RateArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let working = Working::on("reading results");
    let read = read(games, args)?;
    drop(working);
    if args.payoff {
        let payoffs = GamePayoffs::of(&read.tally);
        return write_to(args, out, &|out| write_payoffs_as(&payoffs, args, out));
    }
    let working = Working::on("computing ratings");
    let mut standings = standings(args, read)?;
    drop(working);
    if args.matrix {
        return write_to(args, out, &|out| write_matrix_as(&standings, args, out));
    }
    if let Some(names) = &args.series {
        let series = series(names, &standings)?;
        return write_to(args, out, &|out| write_series_as(&series, args, out));
    }
    // They are not those of a part of the tournament.
    let is_whole = args.games.is_empty() && args.limits.is_none() && args.engines.is_empty();
    let n_matches = standings.scopes.first().map_or(0, |scope| scope.matches);
    let (findings, unfinished) = match args.files.as_slice() {
        [folder] if is_whole => report::html::progress(games, folder, n_matches),
        _ => (Vec::new(), None),
    };
    if let Some(played) = unfinished {
        standings.add_note(format!("the tournament is not finished: {played}"));
    }
    write_to(args, out, &|out| write(&standings, &findings, args, out))
}

fn write_payoffs_as(payoffs: &[GamePayoffs], args: &RateArgs, out: &mut dyn Write) -> io::Result<()> {
    match args.format {
        Format::Json => write_json(payoffs, out),
        Format::Csv => write_payoffs(payoffs, out),
        Format::Table | Format::Markdown => write_payoff_table(payoffs, out),
    }
}

fn write_matrix_as(standings: &Standings, args: &RateArgs, out: &mut dyn Write) -> io::Result<()> {
    match args.format {
        Format::Json => write_json(standings, out),
        Format::Csv => write_matrix_csv(standings, args.confidence, out),
        Format::Table | Format::Markdown => write_matrix(standings, out),
    }
}

fn write_series_as(series: &[Series], args: &RateArgs, out: &mut dyn Write) -> io::Result<()> {
    match args.format {
        Format::Json => write_json(series, out),
        Format::Csv => write_series_csv(series, out),
        Format::Table | Format::Markdown => write_series_table(series, args.confidence, out),
    }
}

fn write_json(value: &(impl serde::Serialize + ?Sized), out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    out.flush()
}

/// Writes to `out`, or to the file of `args`.
fn write_to(
    args: &RateArgs,
    out: &mut dyn Write,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> Result<(), CommandError> {
    let Some(path) = &args.output else {
        return Ok(write(out)?);
    };
    Ok(output::write_whole(path, |out| write(out)).map_err(CannotWrite::at(path))?)
}

/// The series of the engines `names`, or of all engines with a number in their name.
fn series(names: &str, standings: &Standings) -> Result<Vec<Series>, CommandError> {
    let known: BTreeSet<String> = standings
        .scopes
        .iter()
        .flat_map(|scope| scope.engines.iter().map(|rating| rating.engine.clone()))
        .collect();
    let engines: Vec<String> = if names.is_empty() {
        in_order_of_numbers(known.iter().map(String::as_str))
    } else {
        names.split(',').map(|name| name.trim().to_owned()).collect()
    };
    if let Some(engine) = engines.iter().find(|&engine| !known.contains(engine)) {
        return Err(ReadError::unknown("engine", engine, &known).into());
    }
    Ok(Series::of(standings, &engines))
}

fn write(
    standings: &Standings,
    findings: &[Finding],
    args: &RateArgs,
    out: &mut dyn Write,
) -> io::Result<()> {
    let next = if args.los { Next::Los } else { Next::Probability };
    match args.format {
        Format::Table => {
            let columns = if args.output.is_none() { output::stdout_columns() } else { None };
            write_table_with(standings, findings, next, columns, out)?;
            // Some of the engines are not the answer.
            if args.engines.is_empty() {
                write_verdict(standings, findings, columns, out)?;
            }
        }
        Format::Markdown => write_markdown(standings, findings, next, out)?,
        Format::Csv => {
            let tests: Vec<_> = findings.iter().filter_map(|finding| finding.test.clone()).collect();
            write_csv(standings, &tests, &mut *out)?;
        }
        Format::Json => write_json(standings, out)?,
    }
    out.flush()
}

fn read(games: &Games, args: &RateArgs) -> Result<FileContents, ReadError> {
    let mut reader =
        Reader::new(games, &args.games).under(args.limits.as_deref()).with_columns(&args.columns);
    for file in &args.files {
        reader.read(file)?;
    }
    let read = reader.finish();
    for game in &args.games {
        if !read.games.contains(game) {
            return Err(ReadError::unknown("game", game, &read.games));
        }
    }
    read.check_limits(args.limits.as_deref())?;
    read.check(&args.files)?;
    Ok(read)
}

fn standings(args: &RateArgs, read: FileContents) -> Result<Standings, CommandError> {
    let known: BTreeSet<String> = read.tally.engines().into_iter().map(str::to_owned).collect();
    if let Some(engine) = args.engines.iter().find(|&engine| !known.contains(engine)) {
        return Err(ReadError::unknown("engine", engine, &known).into());
    }
    if let Some(anchor) = args.anchor.as_ref().filter(|anchor| !known.contains(&anchor.engine)) {
        return Err(CommandError::input(format!(
            "`--anchor`: no engine is named `{}`; the engines in these files are {}",
            shown(&anchor.engine),
            quoted(&known.into_iter().collect::<Vec<_>>())
        )));
    }
    let settings = RatingSettings {
        confidence: args.confidence,
        anchor: args.anchor.clone(),
        validity: match (args.anytime_all, args.anytime || read.depends_on_results) {
            (true, _) => Validity::AnyTimeAll,
            (false, true) => Validity::AnyTime,
            (false, false) => Validity::FixedSize,
        },
        openings: if args.these_openings { OpeningsMeant::These } else { OpeningsMeant::Similar },
        checks: Checks::All,
    };
    let mut standings = Standings::new(&read.tally, &settings);
    standings.order_games(&read.order);
    if let Some(replicates) = args.bootstrap {
        standings.add_bootstrap(&read.tally, replicates);
    }
    if args.format == Format::Json || args.matrix {
        standings.add_probabilities();
    }
    if read.depends_on_results && !args.anytime && !args.anytime_all {
        let why = "which matches are played, or how many, depends on the results, so the intervals are those of `--anytime`";
        standings.add_note(why.to_owned());
    }
    read.notes.into_iter().for_each(|note| standings.add_note(note));
    if !args.engines.is_empty() {
        keep_engines(&mut standings, &args.engines);
    }
    Ok(standings)
}

/// Leaves only the ratings of `engines`, and of them only what is said without the others.
fn keep_engines(standings: &mut Standings, engines: &[String]) {
    for scope in &mut standings.scopes {
        let is_kept: Vec<bool> =
            scope.engines.iter().map(|rating| engines.contains(&rating.engine)).collect();
        for (place, rating) in scope.engines.iter_mut().enumerate() {
            let is_next_kept = is_kept.get(place + 1).is_some_and(|&is_kept| is_kept);
            rating.los_next = rating.los_next.filter(|_| is_next_kept);
            rating.p_stronger_next = rating.p_stronger_next.filter(|_| is_next_kept);
        }
        scope.engines.retain(|rating| engines.contains(&rating.engine));
    }
    standings.scopes.retain(|scope: &Scope| !scope.engines.is_empty());
}
