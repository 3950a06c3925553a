//! The tournament's configuration: a TOML file, read and checked completely before anything starts. The result is a
//! [`Tournament`]. No other module knows the keys and their places in the file.

mod cage;
mod check;
mod check_stop;
mod decode;
mod defaults;
mod deserializer;
pub mod difference;
mod elsewhere;
mod file;
mod league;
mod machines;
mod own_games;
mod places;
mod problem;
mod resolve;
mod rounds;
mod schema;
mod stop;
pub mod stored;
mod tune;
mod value;

use std::path::Path;

pub use check::{LONGEST_NAME, name_problem};
pub use elsewhere::control_in_limits;
use file::Config;
pub use league::{EngineFile, League};
pub use places::{AtEngine, Source};
pub use problem::{COMMAND_LINE, ConfigError};
pub use schema::schema;
use value::Time;
pub use value::duration;

use engine_proto::Games;
use model::Tournament;
use opponent::own_game::NamedBy;

/// Reads a configuration file. Its games are these and its own.
///
/// # Errors
/// If the file cannot be read, or with all its problems at once.
pub fn load(games: &Games, path: &Path) -> Result<Tournament, ConfigError> {
    Source::read(path)?.tournament(games)
}

impl Source {
    /// The tournament that the file describes.
    ///
    /// # Errors
    /// With all its problems at once.
    pub fn tournament(&self, games: &Games) -> Result<Tournament, ConfigError> {
        self.changed(games, Changes::default())
    }

    /// The tournament that the file describes, with other numbers than those of its keys.
    ///
    /// # Errors
    /// With all its problems at once.
    pub fn changed(&self, games: &Games, changes: Changes) -> Result<Tournament, ConfigError> {
        parse_changed(games, self.text(), self.path(), changes)
    }
}

/// Numbers to use instead of those of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    /// The number of pairs.
    pub pairs: Option<u32>,
    /// The number of matches at once.
    pub concurrency: Option<u16>,
}

/// Reads a configuration; `path` is for messages and for the tournament's default name.
///
/// # Errors
/// With all its problems at once.
pub fn parse(games: &Games, text: &str, path: &Path) -> Result<Tournament, ConfigError> {
    parse_changed(games, text, path, Changes::default())
}

fn parse_changed(
    games: &Games,
    text: &str,
    path: &Path,
    changes: Changes,
) -> Result<Tournament, ConfigError> {
    if let Some(problem) = stored::record_of_a_run(text) {
        return Err(ConfigError::Wrong {
            path: path.to_owned(),
            text: text.to_owned(),
            problems: vec![problem],
        });
    }
    let (games, own_games) = own_games::with_own(games, text, NamedBy::User);
    let (config, mut problems) = decode::decode::<Config>(&games, text);
    own_games::explain(own_games, &mut problems);
    problems.extend(check::doubled_names(text));
    let config = config.map(Config::with_engine_defaults).map(|mut config| {
        let keys = &mut config.tournament;
        keys.pairs = changes.pairs.map_or_else(|| keys.pairs.clone(), Into::into);
        keys.concurrency = changes.concurrency.map_or_else(|| keys.concurrency.clone(), Into::into);
        config.known_games = games;
        config
    });
    if let Some(config) = &config {
        check::check(config, !problems.is_empty(), &mut problems);
    }
    match config {
        Some(config) if problems.is_empty() => Ok(config.resolve(path)),
        _ => {
            problems.sort_by_key(|problem| problem.span.start);
            // A problem in the defaults is found once for each engine.
            problems.dedup();
            Err(ConfigError::Wrong { path: path.to_owned(), text: text.to_owned(), problems })
        }
    }
}

#[cfg(test)]
mod tests;
