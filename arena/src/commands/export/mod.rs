//! `arena export`: prints the positions of matches with their scores and results, to train an evaluation. It changes nothing.

mod parquet;

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use engine_proto::proto::Score;
use engine_proto::{GameId, Games};
use serde::Serialize;

use super::journal::each_match;
use crate::exit::CommandError;
use host::output::{self, CannotWrite};
use model::{MoveRecord, Record, SideLetter};
use parquet::Parquet;
use ratings::{Ending, MatchResult};
use report::Working;
use store::Replay;

const EXAMPLES: &str = "\
Examples:
  arena export results/reference > positions.csv    Write all positions
  arena export results/reference --format parquet --output positions.parquet
  arena export results/reference --game push --quiet --unique --format text
                                                 FEN | score | result";

/// The score of a side that has won; one less for each move to the win.
const WON: i64 = 32_000;

/// Print positions to train an evaluation
///
/// Prints each position in which an engine moved, with the score that it reported and the result of the match. Scores and
/// results are from White's view: a score is in hundredths of the engine's unit, `win 3` is 31997, and a result is 1, 0.5
/// or 0. Matches that a side lost by its own fault, for example on time, are left out: their results say nothing of their
/// positions.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct ExportArgs {
    /// Results folders
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// csv, parquet or text
    ///
    /// CSV and Parquet have the columns game, match, ply, fen, move, score, depth, nodes and result. `text` has lines of the
    /// form `FEN | score | result`, without positions that have no score.
    #[arg(long, value_enum, default_value_t = Format::Csv, hide_possible_values = true)]
    pub format: Format,
    /// Print only this game (repeatable)
    #[arg(long, value_name = "GAME", value_parser = super::arguments::game_parser(Games::built_in()), hide_possible_values = true)]
    pub game: Vec<GameId>,
    /// Print only positions in which this engine moved (repeatable)
    #[arg(long, value_name = "NAME")]
    pub engine: Vec<String>,
    /// Leave out the positions before this ply of a match
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub from_ply: u32,
    /// Leave out positions in which the engine made progress or saw the end
    ///
    /// Progress is a move after which the quiet limit of the game starts again, such as a capture.
    #[arg(long)]
    pub quiet: bool,
    /// Print a position that was reached several times only once
    #[arg(long)]
    pub unique: bool,
    /// Write the output to this file
    #[arg(long, value_name = "FILE", required_if_eq("format", "parquet"))]
    pub output: Option<PathBuf>,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table.
    Csv,
    /// The same table for programs that read columns.
    Parquet,
    /// `FEN | score | result`.
    Text,
}

/// One position: a row of the table.
#[derive(Debug, Serialize)]
struct Row<'a> {
    game: GameId,
    r#match: u32,
    ply: usize,
    fen: String,
    r#move: &'a str,
    score: Option<i64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    result: &'static str,
}

/// Prints the positions, or writes them to a file: all or nothing.
///
/// # Errors
/// If a folder cannot be read, a match is not one of its game, or the output cannot be written.
pub fn run(games: &Games, args: &ExportArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let Some(path) = &args.output else {
        let _working = (!io::stdout().is_terminal()).then(|| Working::on("writing positions"));
        return write(games, args, out, &CommandError::from);
    };
    let _working = Working::on("writing positions");
    let mut failed = None;
    let cannot = |error| CommandError::from(CannotWrite::at(path)(error));
    let written = output::write_whole(path, |out| {
        write(games, args, out, &cannot).map_err(|error| {
            failed = Some(error);
            io::Error::other("see `failed`")
        })
    });
    failed.map_or_else(|| written.map_err(cannot), Err)
}

/// Writes the positions to `out`. An error of `out` becomes what `cannot` makes of it.
fn write(
    games: &Games,
    args: &ExportArgs,
    out: &mut dyn Write,
    cannot: &dyn Fn(io::Error) -> CommandError,
) -> Result<(), CommandError> {
    let mut seen = HashSet::new();
    let mut sink = match args.format {
        Format::Csv => Sink::Csv(Box::new(csv::Writer::from_writer(out))),
        Format::Parquet => Sink::Parquet(Box::new(Parquet::new(out).map_err(cannot)?)),
        Format::Text => Sink::Text(out),
    };
    for folder in &args.folders {
        let games = store::known_games(games, folder);
        each_match(&games, folder, |record| {
            let is_wanted = args.game.is_empty() || args.game.contains(&record.game);
            if !is_wanted || Ending::of_reason(&record.reason) != Ending::Played {
                return Ok(());
            }
            let wrong = |error: store::ReplayError| {
                CommandError::input(format!("`{}`, match {}: {error}", folder.display(), record.number))
            };
            let mut replay = Replay::new(&games, record).map_err(wrong)?;
            while let Some(mv) = replay.next() {
                let (fen, fingerprint) = (replay.play().fen(), replay.play().fingerprint());
                let ply = replay.ply() + 1;
                replay.step().map_err(wrong)?;
                // The second last field of a FEN counts the moves since the last progress.
                let is_progress = replay.play().fen().rsplit(' ').nth(1) == Some("0");
                let score = mv.score.as_deref().and_then(|score| score.parse().ok());
                let is_quiet = !is_progress && matches!(score, None | Some(Score::Centi(_)));
                if (ply as u64) < u64::from(args.from_ply)
                    || args.quiet && !is_quiet
                    || !args.engine.is_empty() && !args.engine.contains(mover(record, mv))
                    || args.format == Format::Text && score.is_none()
                    || args.unique && !seen.insert((record.game, fingerprint))
                {
                    continue;
                }
                let row = Row {
                    game: record.game,
                    r#match: record.number,
                    ply,
                    fen,
                    r#move: &mv.mv,
                    score: score.map(|score| for_white(score, mv.side)),
                    depth: mv.depth,
                    nodes: mv.nodes,
                    result: match record.result {
                        MatchResult::WhiteWins => "1",
                        MatchResult::Draw => "0.5",
                        MatchResult::BlackWins => "0",
                    },
                };
                sink.write(&row).map_err(cannot)?;
            }
            Ok(())
        })?;
    }
    sink.finish().map_err(cannot)
}

/// Where the positions go.
enum Sink<'a> {
    Csv(Box<csv::Writer<&'a mut dyn Write>>),
    Parquet(Box<Parquet<'a>>),
    Text(&'a mut dyn Write),
}

impl Sink<'_> {
    fn write(&mut self, row: &Row<'_>) -> io::Result<()> {
        match (self, row.score) {
            (Self::Csv(table), _) => table.serialize(row).map_err(io::Error::from),
            (Self::Parquet(table), _) => table.write(row),
            (Self::Text(out), Some(score)) => writeln!(out, "{} | {score} | {}", row.fen, row.result),
            (Self::Text(_), None) => Ok(()),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Csv(mut table) => table.flush(),
            Self::Parquet(table) => table.finish(),
            Self::Text(out) => out.flush(),
        }
    }
}

/// The name of the engine that made this move.
const fn mover<'a>(record: &'a Record, mv: &MoveRecord) -> &'a String {
    match mv.side {
        SideLetter::White => &record.white,
        SideLetter::Black => &record.black,
    }
}

/// A score from White's view.
fn for_white(score: Score, side: SideLetter) -> i64 {
    let own = match score {
        Score::Centi(centi) => i64::from(centi),
        Score::Win(moves) => (WON - i64::from(moves)).max(1),
        Score::Loss(moves) => (i64::from(moves) - WON).min(-1),
    };
    if side == SideLetter::White { own } else { -own }
}
