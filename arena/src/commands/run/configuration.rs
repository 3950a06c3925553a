//! The tournament of a run: from a file or from options of the command line, with the changes of the command line.

use std::path::Path;

use engine_proto::Games;

use super::{Error, RunArgs};
use model::Tournament;
use schedule::planning;

/// The tournament file, or the one that the options of the command line give.
///
/// # Errors
/// If the file cannot be read, or the command line names too few engines.
pub fn source(args: &RunArgs) -> Result<config::Source, Error> {
    if let Some(path) = &args.config {
        return Ok(config::Source::read(path)?);
    }
    let text = args.without_file.file(args.playing.pairs).map_err(Error::Usage)?;
    Ok(config::Source::new(Path::new(config::COMMAND_LINE), text))
}

/// The tournament of the configuration, with the changes of the command line.
///
/// # Errors
/// If the configuration is wrong, or the command line names an engine that is not in it.
pub fn tournament(games: &Games, args: &RunArgs, source: &config::Source) -> Result<Tournament, Error> {
    let mut tournament = source.tournament(games)?;
    if let Some(results) = &args.playing.results {
        tournament.results.clone_from(results);
    }
    tournament.resources.concurrency = args.playing.concurrency.unwrap_or(tournament.resources.concurrency);
    tournament.pairs = args.playing.pairs.unwrap_or(tournament.pairs);
    tournament.max_faults = args.max_faults.or(tournament.max_faults);
    planning::check_size(&tournament)?;
    if args.shard.is_some() && planning::depends_on_results(&tournament) {
        return Err(Error::Usage(
            "`--shard` needs a tournament whose matches are known before: with `format = \"adaptive\"` or a `[stop]` rule, \
             results decide which matches are played; run it on one machine"
                .to_owned(),
        ));
    }
    let replayed = args.replay.iter().map(|engine| ("--replay", engine));
    let accepted = args.playing.accept_changed.iter().map(|engine| ("--accept-changed", engine));
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
