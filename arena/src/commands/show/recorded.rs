//! Shows the positions of a recorded match. Records come from outside, so all text from them is escaped for the
//! terminal.

use std::io::{self, IsTerminal, Write};

use engine_proto::Games;
use engine_proto::fen::shown;
use engine_proto::scene::terminal::Style;

use super::{ShowArgs, ShowError, player, write_position};
use crate::commands::arguments::positions::PositionError;
use host::output::stdout_columns;
use model::escape::escaped_line;
use model::referee::Reason;
use model::{MoveRecord, Record};
use report::html::reason_in_words;
use report::tables::text::message;
use store::{Replay, ReplayError};

/// Shows a match: its moves and its last position, one position, or all.
pub(super) fn show(
    games: &Games,
    args: &ShowArgs,
    record: &Record,
    style: Style,
    out: &mut dyn Write,
) -> Result<(), ShowError> {
    // Errors of the record are printed on the screen that stays.
    let style = if args.play { Style { stack: tallest_stack(games, record)?, ..style } } else { style };
    match args.ply {
        Some(ply) => show_ply(games, record, ply, style, out),
        None if args.play && io::stdout().is_terminal() && io::stdin().is_terminal() => {
            player::play(games, record, args.delay, style)
        }
        None if args.play => show_all(games, record, style, out),
        None => show_moves(games, record, style, out),
    }
}

fn show_ply(
    games: &Games,
    record: &Record,
    ply: usize,
    style: Style,
    out: &mut dyn Write,
) -> Result<(), ShowError> {
    let bad = bad_record(record);
    let mut replay = Replay::new(games, record).map_err(bad)?;
    while replay.ply() < ply {
        replay.step().map_err(bad)?;
    }
    write_header(record, ply != 0, out)?;
    writeln!(out)?;
    Ok(write_replayed(&replay, record.moves.len(), style, out)?)
}

/// The largest number of pieces that a square has in any position of the match.
fn tallest_stack(games: &Games, record: &Record) -> Result<usize, ShowError> {
    let bad = bad_record(record);
    let mut replay = Replay::new(games, record).map_err(bad)?;
    let mut tallest = replay.play().scene().tallest_stack();
    while replay.next().is_some() {
        replay.step().map_err(bad)?;
        tallest = tallest.max(replay.play().scene().tallest_stack());
    }
    Ok(tallest)
}

/// All positions, one below the other.
fn show_all(games: &Games, record: &Record, style: Style, out: &mut dyn Write) -> Result<(), ShowError> {
    let bad = bad_record(record);
    let mut replay = Replay::new(games, record).map_err(bad)?;
    write_header(record, false, out)?;
    loop {
        writeln!(out)?;
        write_replayed(&replay, record.moves.len(), style, out)?;
        if replay.next().is_none() {
            return Ok(());
        }
        replay.step().map_err(bad)?;
    }
}

/// A table of the moves, and the position after them.
fn show_moves(games: &Games, record: &Record, style: Style, out: &mut dyn Write) -> Result<(), ShowError> {
    let bad = bad_record(record);
    let mut replay = Replay::new(games, record).map_err(bad)?;
    write_header(record, !record.moves.is_empty(), out)?;
    writeln!(
        out,
        "\n{:>4}  {:5}  {:<12}  {:>10}  {:>5}  {:>11}",
        "ply", "side", "move", "score", "depth", "time"
    )?;
    while let Some(mv) = replay.next() {
        let side = replay.play().side_to_move();
        replay.step().map_err(bad)?;
        let depth = mv.depth.map_or_else(|| "-".to_owned(), |depth| depth.to_string());
        let score = mv.score.as_deref().map_or_else(|| "-".to_owned(), shown);
        let time = time(mv, &record.moves);
        // A side's `Display` does not pad.
        let side = side.to_string();
        let offer = if mv.draw { "  draw offered" } else { "" };
        writeln!(
            out,
            "{:>4}  {side:5}  {:<12}  {score:>10}  {depth:>5}  {time:>11}{offer}",
            replay.ply(),
            mv.mv
        )?;
    }
    if let Some(refused) = refused_move(record) {
        let side = replay.play().side_to_move().to_string();
        let ply = replay.ply() + 1;
        writeln!(out, "{ply:>4}  {side:5}  {:<12}  refused: illegal move", escaped_line(refused))?;
    }
    writeln!(out)?;
    Ok(write_replayed(&replay, record.moves.len(), style, out)?)
}

/// The error of a record that does not follow the rules.
pub(super) fn bad_record(record: &Record) -> impl Fn(ReplayError) -> ShowError + Copy {
    let number = record.number;
    move |error| PositionError::BadRecord { number, error }.into()
}

/// The position, with what the engine said of the move that led to it.
pub(super) fn write_replayed(
    replay: &Replay<'_>,
    n_plies: usize,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    match replay.last() {
        None => writeln!(out, "opening; {n_plies} plies follow")?,
        Some(mv) => {
            write!(out, "ply {} of {n_plies}: {}", replay.ply(), mv.mv)?;
            if let Some(score) = &mv.score {
                write!(out, ", score {}", shown(score))?;
            }
            if let Some(depth) = mv.depth {
                write!(out, ", depth {depth}")?;
            }
            write!(out, ", time {}", time(mv, std::slice::from_ref(mv)))?;
            if mv.draw {
                write!(out, ", draw offered")?;
            }
            writeln!(out)?;
        }
    }
    write_position(replay.play(), style, out)
}

/// The two engines and the result, and the opening unless a board shows it. The end of the match, which the evidence may name, is
/// below or one step away.
fn write_header(record: &Record, with_opening: bool, out: &mut dyn Write) -> io::Result<()> {
    let Record { number, pair, game, plies, result, .. } = record;
    let [white, black, reason] = [&*record.white, &record.black, &reason_in_words(&record.reason)].map(shown);
    writeln!(out, "match {number}, pair {pair}, {game}")?;
    writeln!(out, "White {white}, Black {black}")?;
    writeln!(out, "{result}, {reason}, after {plies} plies")?;
    let evidence = record.evidence.as_deref().unwrap_or_default();
    let below = format!(" in the position `{}`", record.end);
    for line in evidence.replace(&below, "").lines() {
        writeln!(out, "{}", message(&format!("  {}", escaped_line(line)), stdout_columns()))?;
    }
    if with_opening { writeln!(out, "opening: {}", escaped_line(&record.opening)) } else { Ok(()) }
}

/// The time of a move by the arena's clock, in milliseconds; with microseconds if one of the `listed` moves took less than one.
fn time(mv: &MoveRecord, listed: &[MoveRecord]) -> String {
    let decimals = if listed.iter().any(|mv| mv.time_us < 1000) { 3 } else { 1 };
    format!("{:.decimals$} ms", mv.time_us as f64 / 1e3)
}

/// The move that was refused, if that ended the match. Only the evidence has it.
fn refused_move(record: &Record) -> Option<&str> {
    let evidence = record.evidence.as_deref().filter(|_| record.reason == Reason::IllegalMove.text())?;
    Some(evidence.strip_prefix('`')?.split_once('`')?.0)
}
