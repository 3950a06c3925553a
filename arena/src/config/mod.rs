//! The tournament's configuration: a TOML file, read and checked whole before anything starts.

mod cage;
mod check;
mod decode;
mod elo_model;
mod model;
mod problem;
mod schema;
mod stop;
mod value;

use std::path::Path;

pub use cage::Cage;
pub use elo_model::EloModelKey;
pub use model::{
    Adjudication, Config, Engine, Format, Game, Limits, OnMachineDelay, PairingPairs, Timeouts, Tournament,
    usable_cores,
};
pub use problem::{ConfigError, Problem, closest};
pub use schema::schema;
pub use stop::{AdaptiveKeys, PrecisionKeys, Question, Scope, SeparatedKeys, SprtKeys, Stop};
pub use value::{GameName, OptionValue, Size, Time};

/// Reads a configuration file.
///
/// # Errors
/// If the file cannot be read, and with everything that is wrong in it at once.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
    parse(&text, path)
}

/// Reads a configuration; `path` is for messages and for the tournament's default name.
///
/// # Errors
/// With everything that is wrong in it at once.
pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    let (config, mut problems) = decode::decode::<Config>(text);
    if let Some(config) = &config {
        check::check(config, !problems.is_empty(), &mut problems);
    }
    match config {
        Some(config) if problems.is_empty() => Ok(config.named_after(path)),
        _ => {
            problems.sort_by_key(|problem| problem.span.start);
            Err(ConfigError::Wrong { path: path.to_owned(), text: text.to_owned(), problems })
        }
    }
}

#[cfg(test)]
mod tests;
