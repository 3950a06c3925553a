//! The tournament of a run: from a file or from options of the command line, with the changes of the command line.

use std::path::Path;

use super::{Error, RunArgs};
use config::AtEngine;
use model::Tournament;
use runner::pool::{EngineProblem, PrepareError};
use schedule::{Course, planning};

/// The tournament file, or the one that the options of the command line give.
///
/// # Errors
/// If the file cannot be read, or the command line names too few engines.
pub fn source(args: &RunArgs) -> Result<config::Source, Error> {
    if let Some(path) = &args.config {
        return Ok(config::Source::read(path)?);
    }
    let text = args.without_file.file(args.pairs).map_err(Error::Usage)?;
    Ok(config::Source::new(Path::new("command line"), text))
}

/// The course of the tournament, or of its shard, before the first match.
pub fn course(args: &RunArgs, tournament: &Tournament) -> Course {
    let course = planning::course(tournament);
    match args.shard {
        Some(shard) => course.only(shard),
        None => course,
    }
}

/// The tournament of the configuration, with the changes of the command line.
///
/// # Errors
/// If the configuration is wrong, or the command line names an engine that is not in it.
pub fn tournament(args: &RunArgs, source: &config::Source) -> Result<Tournament, Error> {
    let mut tournament = source.tournament()?;
    if let Some(results) = &args.results {
        tournament.results.clone_from(results);
    }
    tournament.resources.concurrency = args.concurrency.unwrap_or(tournament.resources.concurrency);
    tournament.pairs = args.pairs.unwrap_or(tournament.pairs);
    planning::check_size(&tournament)?;
    if args.shard.is_some() && planning::depends_on_results(&tournament) {
        return Err(Error::Usage(
            "`--shard` needs a tournament whose matches are known before: with `format = \"adaptive\"` or a `[stop]` rule, \
             results decide which matches are played; run it on one machine"
                .to_owned(),
        ));
    }
    let replayed = args.replay.iter().map(|engine| ("--replay", engine));
    let accepted = args.accept_changed.iter().map(|engine| ("--accept-changed", engine));
    for (option, engine) in replayed.chain(accepted) {
        if tournament.engine(engine).is_none() {
            return Err(Error::Usage(format!(
                "`{option}`: no engine is named `{engine}`; the engines are {}",
                tournament.names().join(", ")
            )));
        }
    }
    Ok(tournament)
}

/// Shows the place in the file that contradicts an engine.
pub fn at_its_place(error: PrepareError, source: &config::Source) -> Error {
    let PrepareError::Mismatch { problems } = error else { return error.into() };
    let found = problems.iter().map(|EngineProblem { engine, key, option, message, help }| AtEngine {
        engine,
        key,
        option: option.as_deref(),
        message,
        help: help.as_deref(),
    });
    Error::Mismatch(source.wrong(found))
}
