//! `arena rate`: ratings from files of results, whoever wrote them. Reads files and prints; all that is estimated comes
//! from [`crate::rating`].

mod error;
pub(crate) mod reader;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use crate::rating::{Confidence, RatingSettings, Scope, Standings, write_csv, write_table};

pub use error::RateError;
use reader::Reader;

/// Rate the engines of one or several files of results.
#[derive(Clone, Debug, clap::Args)]
pub struct RateArgs {
    /// CSV files of results, such as the `matches.csv` of a tournament
    ///
    /// Needed are the columns game, white, black and result (1-0, 0-1 or 1/2-1/2). The columns pair (or pair_id) and
    /// opening (or opening_id) say which matches belong together and make the errors smaller. With a column match, a
    /// match that is in several files counts once. Other columns are ignored.
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
}

/// How ratings and comparisons are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Tables for a terminal, 80 columns wide
    #[default]
    Table,
    /// One line an engine and game
    Csv,
    /// Everything that was worked out, on one line
    Json,
}

/// Rates what `args` names and prints it to `out`.
///
/// # Errors
/// If a file can't be read or isn't what it should be, if a filter names nothing, or if `out` can't be written.
pub fn run(args: &RateArgs, out: &mut dyn Write) -> Result<(), RateError> {
    let standings = standings(args)?;
    let written = match args.format {
        Format::Table => write_table(&standings, out),
        Format::Csv => write_csv(&standings, &mut *out),
        Format::Json => {
            serde_json::to_writer(&mut *out, &standings).map_err(Into::into).and_then(|()| writeln!(out))
        }
    };
    written.and_then(|()| out.flush()).map_err(RateError::Write)
}

fn standings(args: &RateArgs) -> Result<Standings, RateError> {
    let mut reader = Reader::new(&args.games);
    for file in &args.files {
        reader.read(file)?;
    }
    let read = reader.finish();
    for game in &args.games {
        if !read.games.contains(game) {
            return Err(RateError::unknown("game", game, &read.games));
        }
    }
    if read.tally.matches() == 0 {
        return Err(RateError::NoMatches { files: args.files.clone() });
    }
    let mut standings = Standings::new(&read.tally, &RatingSettings::with_confidence(args.confidence));
    for note in read.notes {
        add_note(&mut standings, &note);
    }
    if !args.engines.is_empty() {
        let known: BTreeSet<String> = read.tally.engines().into_iter().map(str::to_owned).collect();
        if let Some(engine) = args.engines.iter().find(|&engine| !known.contains(engine)) {
            return Err(RateError::unknown("engine", engine, &known));
        }
        keep_engines(&mut standings, &args.engines);
    }
    Ok(standings)
}

/// Adds a note on all matches: overall, and to a single game, which stands for all.
fn add_note(standings: &mut Standings, note: &str) {
    let n_meant = if standings.scopes.len() == 2 { 2 } else { 1 };
    for scope in standings.scopes.iter_mut().take(n_meant) {
        scope.notes.push(note.to_owned());
    }
}

/// Leaves only the ratings of `engines`, and of them only what is said without the others.
fn keep_engines(standings: &mut Standings, engines: &[String]) {
    for scope in &mut standings.scopes {
        let is_kept: Vec<bool> =
            scope.engines.iter().map(|rating| engines.contains(&rating.engine)).collect();
        for (place, rating) in scope.engines.iter_mut().enumerate() {
            let is_next_kept = is_kept.get(place + 1).is_some_and(|&is_kept| is_kept);
            rating.los_next = rating.los_next.filter(|_| is_next_kept);
        }
        scope.engines.retain(|rating| engines.contains(&rating.engine));
    }
    standings.scopes.retain(|scope: &Scope| !scope.engines.is_empty());
}
