//! `arena rate`: ratings from files of results, whoever wrote them. Reads files and prints; all that is estimated comes
//! from [`ratings`].

mod csv_file;
mod error;
mod input;
mod journal_file;
mod pgn;
mod pgn_file;
pub(crate) mod reader;
mod row;
mod shared_rows;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::output;
use crate::tables::{
    write_csv, write_markdown, write_payoffs, write_series_csv, write_series_table, write_table,
};
use ratings::{
    Anchor, Confidence, GamePayoffs, OpeningsMeant, RatingSettings, Scope, Series, Standings, Validity,
    WithLottery, in_order_of_numbers,
};

pub use csv_file::ColumnName;
pub use error::RateError;
use reader::{Reader, Told};

/// Rate the engines of one or several files of results.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag")]
pub struct RateArgs {
    /// Files of results: CSV, PGN, or a results folder of the arena
    ///
    /// CSV needs the columns white, black and result (1-0, 0-1 or 1/2-1/2; also 1, 0 and 0.5, White's points), separated by
    /// commas, semicolons or tabs. Without a column game, all matches are of one game. The columns pair (or pair_id) and
    /// opening (or opening_id) say which matches belong together and make the errors smaller. With a column match, a
    /// match that is in several files counts once. The column reason tells forfeits, and moves, any text that stands for
    /// a match's moves, tells matches that repeat each other. Other columns are ignored.
    ///
    /// Of PGN, the tags White, Black and Result are needed. Variant is the game, chess without it; FEN the opening;
    /// matches with the same Event, Round and FEN are a pair; Termination tells forfeits, GameId is the match.
    ///
    /// A results folder stands for its `matches.jsonl`. A file that is named twice, or is the same as another one, counts
    /// once.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How to print the ratings
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Rate this game only; may be given several times
    #[arg(long = "game", value_name = "GAME")]
    pub games: Vec<String>,
    /// Show this engine only; may be given several times
    ///
    /// The ratings stay what they are beside all engines.
    #[arg(long = "engine", value_name = "ENGINE")]
    pub engines: Vec<String>,
    /// The confidence level of the intervals, above 0 and below 1
    #[arg(long, default_value_t, value_name = "FRACTION")]
    pub confidence: Confidence,
    /// Set this engine to a rating and rate all others relative to it
    ///
    /// Intervals become those of the differences to it. Without an anchor, the mean rating is 0, and moves when
    /// engines come or go. The value follows the last `=`, as in --anchor alpha=2500.
    #[arg(long, value_name = "ENGINE=ELO")]
    pub anchor: Option<Anchor>,
    /// Print intervals that hold however often one looks, and whenever one stops
    ///
    /// They are more than half as wide again. Without this, intervals hold if the number of matches was fixed beforehand.
    #[arg(long)]
    pub anytime: bool,
    /// Print intervals that hold at any time for all engines of a table together
    ///
    /// Wider still than those of --anytime, which hold for one engine at a time.
    #[arg(long)]
    pub anytime_all: bool,
    /// Print the errors for exactly these openings
    ///
    /// Right if the openings are fixed, are always played completely, and nothing else is of interest. Without this, the errors
    /// are for openings like these.
    #[arg(long)]
    pub these_openings: bool,
    /// Print what every engine scores against every other instead of the ratings, as CSV or JSON
    ///
    /// The column payoff is the score with one pair more, which scores as the ratings expect.
    #[arg(long, conflicts_with_all = ["engines", "anchor", "anytime", "anytime_all", "bootstrap", "these_openings"])]
    pub payoff: bool,
    /// Add the maximal lottery to the payoffs in JSON: the mixture of engines that no engine beats
    ///
    /// A diagnostic for tables with cycles or clones. It takes a while.
    #[arg(long, requires = "payoff")]
    pub lottery: bool,
    /// Print how checkpoints differ from the first one and from the one before
    ///
    /// The engines in their order, as in --series step-100,step-200; without a value, all engines with a number in their name, by
    /// that number.
    #[arg(long, value_name = "FIRST,SECOND,...", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with = "payoff")]
    pub series: Option<String>,
    /// Names of the columns of a CSV file that are not as expected, as in --columns white=player1,black=player2
    #[arg(long, value_name = "COLUMN=NAME,...", value_delimiter = ',')]
    pub columns: Vec<ColumnName>,
    /// Check the standard errors by rating the matches resampled so many times
    ///
    /// The clusters of each game (openings or pairs) are drawn anew with replacement. The same matches give the same
    /// numbers. 1000 will do.
    #[arg(long, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub bootstrap: Option<u32>,
    /// Write to this file instead, whole or not at all
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How ratings and comparisons are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Tables for a terminal, 80 columns wide
    #[default]
    Table,
    /// Tables to paste into GitHub and the like
    Markdown,
    /// One line an engine and game
    Csv,
    /// Everything that was worked out, on one line
    Json,
}

/// Rates what `args` names and prints it to `out`.
///
/// # Errors
/// If a file can't be read or isn't what it should be, if a filter names nothing, or if `out` or the file of `args` can't be written.
pub fn run(args: &RateArgs, out: &mut dyn Write) -> Result<(), RateError> {
    let read = read(args)?;
    if args.payoff {
        let payoffs = payoffs(args, &read);
        return write_to(args, out, &|out| write_payoffs_as(&payoffs, args.format, out));
    }
    let standings = standings(args, read)?;
    if let Some(names) = &args.series {
        let series = series(names, &standings)?;
        return write_to(args, out, &|out| write_series_as(&series, args, out));
    }
    write_to(args, out, &|out| write(&standings, args.format, out))
}

/// Payoffs have no table: they are CSV, or JSON.
fn write_payoffs_as(payoffs: &[GamePayoffs], format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Json => write_json(payoffs, out),
        Format::Table | Format::Markdown | Format::Csv => write_payoffs(payoffs, out),
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
) -> Result<(), RateError> {
    let Some(path) = &args.output else {
        return write(out).map_err(RateError::Write);
    };
    output::write_whole(path, |out| write(out))
        .map_err(|source| RateError::Output { path: path.clone(), source })
}

fn payoffs(args: &RateArgs, read: &Told) -> Vec<GamePayoffs> {
    GamePayoffs::of(&read.tally, if args.lottery { WithLottery::Yes } else { WithLottery::No })
}

/// The series of the engines `names`, or of all with a number.
fn series(names: &str, standings: &Standings) -> Result<Vec<Series>, RateError> {
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
        return Err(RateError::unknown("engine", engine, &known));
    }
    Ok(Series::of(standings, &engines))
}

fn write(standings: &Standings, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Table => write_table(standings, out)?,
        Format::Markdown => write_markdown(standings, out)?,
        Format::Csv => write_csv(standings, &mut *out)?,
        Format::Json => {
            serde_json::to_writer(&mut *out, standings)?;
            writeln!(out)?;
        }
    }
    out.flush()
}

fn read(args: &RateArgs) -> Result<Told, RateError> {
    let mut reader = Reader::new(&args.games).with_columns(&args.columns);
    for file in &args.files {
        reader.read(file)?;
    }
    let read = reader.finish();
    for game in &args.games {
        if !read.games.contains(game) {
            return Err(RateError::unknown("game", game, &read.games));
        }
    }
    read.check(&args.files)?;
    Ok(read)
}

fn standings(args: &RateArgs, read: Told) -> Result<Standings, RateError> {
    let known: BTreeSet<String> = read.tally.engines().into_iter().map(str::to_owned).collect();
    if let Some(engine) = args.engines.iter().find(|&engine| !known.contains(engine)) {
        return Err(RateError::unknown("engine", engine, &known));
    }
    if let Some(anchor) = args.anchor.as_ref().filter(|anchor| !known.contains(&anchor.engine)) {
        return Err(RateError::UnknownAnchor {
            engine: anchor.engine.clone(),
            known: known.into_iter().collect(),
        });
    }
    let settings = RatingSettings {
        confidence: args.confidence,
        anchor: args.anchor.clone(),
        validity: match (args.anytime_all, args.anytime) {
            (true, _) => Validity::AnyTimeAll,
            (false, true) => Validity::AnyTime,
            (false, false) => Validity::FixedSize,
        },
        openings: if args.these_openings { OpeningsMeant::These } else { OpeningsMeant::Similar },
    };
    let mut standings = Standings::new(&read.tally, &settings);
    if let Some(replicates) = args.bootstrap {
        standings.add_bootstrap(&read.tally, replicates);
    }
    if args.format == Format::Json {
        standings.add_probabilities();
    }
    for note in read.notes {
        standings.add_remark(&note);
    }
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
