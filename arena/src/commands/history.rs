//! `arena history`: the ratings of one engine over its builds. It reads results folders and prints.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use engine_proto::Games;
use engine_proto::fen::shown;

use crate::exit::CommandError;
use host::output::{self, CannotWrite};
use ratings::{Anchor, Checks, Confidence, RatingSettings, Standings, Validity};
use report::tables::{HistoryBuild, write_history_csv, write_history_table};
use store::Provenance;
use store::result_files::{ReadError, Reader};

const EXAMPLES: &str = "\
Examples:
  arena history results/mine --engine mine       Each build of an engine
  arena history results/* --engine mine --anchor random=0 --format csv";

/// Show the rating of an engine over its builds
///
/// Rates each build of the engine as an engine of its own, together with all engines that it met, in one table for all games
/// and one per game. A build is a version of the program, in the order of their first matches. Engines that were the same in
/// all folders connect the builds: give the same opponents to each.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct HistoryArgs {
    /// Results folders, the oldest first
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// The engine
    #[arg(long, value_name = "NAME")]
    pub engine: String,
    /// Fix the rating of an opponent
    ///
    /// For example `--anchor random=0`. Without an anchor, the mean of all engines is 0.
    #[arg(long, value_name = "NAME=ELO")]
    pub anchor: Option<Anchor>,
    /// Rate only this game (repeatable)
    #[arg(long = "game", value_name = "GAME")]
    pub games: Vec<String>,
    /// Confidence level of the intervals
    #[arg(long, default_value_t, value_name = "LEVEL")]
    pub confidence: Confidence,
    /// table or csv
    #[arg(long, value_enum, default_value_t = Format::Table, hide_possible_values = true)]
    pub format: Format,
    /// Write the output to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text with a plot.
    Table,
    /// One line for each build and game.
    Csv,
}

/// Prints the history.
///
/// # Errors
/// If a folder cannot be read, the engine is in none, or the output cannot be written.
pub fn run(games: &Games, args: &HistoryArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let mut reader = Reader::new(games, &args.games).splitting(&args.engine);
    let mut provenance = Provenance::default();
    for folder in &args.folders {
        reader.read(folder)?;
        if folder.is_dir() {
            provenance.join(Provenance::read(folder).map_err(CommandError::input)?);
        }
    }
    let read = reader.finish();
    read.check(&args.folders)?;
    let known: BTreeSet<String> = read.tally.engines().into_iter().map(str::to_owned).collect();
    if read.builds.is_empty() {
        if !known.contains(&args.engine) {
            return Err(ReadError::unknown("engine", &args.engine, &known).into());
        }
        return Err(CommandError::input(format!(
            "no match names a build of `{}`: give results folders of the arena, not tables",
            shown(&args.engine)
        )));
    }
    if let Some(anchor) = args.anchor.as_ref().filter(|anchor| !known.contains(&anchor.engine)) {
        return Err(ReadError::unknown("engine", &anchor.engine, &known).into());
    }
    let settings = RatingSettings {
        confidence: args.confidence,
        anchor: args.anchor.clone(),
        validity: if read.depends_on_results { Validity::AnyTime } else { Validity::FixedSize },
        checks: Checks::None,
        ..RatingSettings::default()
    };
    let mut standings = Standings::new(&read.tally, &settings);
    standings.order_games(&read.order);
    let builds: Vec<HistoryBuild> =
        read.builds.iter().map(|name| build(name, &args.engine, &provenance)).collect();
    let write = |out: &mut dyn Write| -> io::Result<()> {
        match args.format {
            Format::Table => write_history_table(&args.engine, &builds, &standings, out)?,
            Format::Csv => write_history_csv(&builds, &standings, &mut *out)?,
        }
        out.flush()
    };
    match &args.output {
        Some(path) => Ok(output::write_whole(path, |out| write(out)).map_err(CannotWrite::at(path))?),
        None => Ok(write(out)?),
    }
}

/// The build that is rated under this name, `engine@id`.
fn build(name: &str, engine: &str, provenance: &Provenance) -> HistoryBuild {
    let id = &name[engine.len() + 1..];
    let version = provenance.build(engine, id).and_then(|build| build.version.as_deref());
    let is_run = |run: &&model::Run| run.builds.get(engine).is_some_and(|played| played == id);
    let begun = provenance.runs.iter().find(is_run).map(|run| run.begun.as_str());
    HistoryBuild {
        name: name.to_owned(),
        build: version.map_or_else(|| id.to_owned(), |version| format!("{id} {version}")),
        first_run: begun.map(|begun| begun.chars().take(10).collect()).unwrap_or_default(),
    }
}
