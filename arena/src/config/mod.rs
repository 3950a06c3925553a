//! The tournament's configuration: a TOML file, read and checked whole before anything starts. It ends in a
//! [`Tournament`]; keys and their places in the file are known here alone.

mod cage;
mod check;
mod check_stop;
mod decode;
mod defaults;
mod elsewhere;
mod model;
mod places;
mod problem;
mod resolve;
mod schema;
mod stop;
mod value;

use std::path::Path;

use model::Config;
pub use places::{AtEngine, Source};
pub use problem::ConfigError;
use problem::Problem;
pub use schema::schema;
use value::Time;
pub use value::duration;

use crate::tournament::Tournament;

/// Reads a configuration file.
///
/// # Errors
/// If the file cannot be read, and with everything that is wrong in it at once.
pub fn load(path: &Path) -> Result<Tournament, ConfigError> {
    Source::read(path)?.tournament()
}

impl Source {
    /// The tournament that it describes.
    ///
    /// # Errors
    /// With everything that is wrong in it at once.
    pub fn tournament(&self) -> Result<Tournament, ConfigError> {
        parse(self.text(), self.path())
    }
}

/// Reads a configuration; `path` is for messages and for the tournament's default name.
///
/// # Errors
/// With everything that is wrong in it at once.
pub fn parse(text: &str, path: &Path) -> Result<Tournament, ConfigError> {
    let (config, mut problems) = decode::decode::<Config>(text);
    let config = config.map(Config::with_engine_defaults);
    if let Some(config) = &config {
        check::check(config, !problems.is_empty(), &mut problems);
    }
    match config {
        Some(config) if problems.is_empty() => Ok(config.resolve(path)),
        _ => {
            problems.sort_by_key(|problem| problem.span.start);
            // What is wrong with the defaults is found for each engine.
            problems.dedup();
            Err(ConfigError::Wrong { path: path.to_owned(), text: text.to_owned(), problems })
        }
    }
}

/// The tournament that an earlier arena has stored as its configuration. It was checked then, and files that it names may be
/// gone since: nothing is checked again.
///
/// # Errors
/// If the text is not a configuration.
pub fn parse_stored(text: &str, path: &Path) -> Result<Tournament, toml::de::Error> {
    toml::from_str::<Config>(text).map(|config| config.with_engine_defaults().resolve(path))
}

#[cfg(test)]
mod tests;
