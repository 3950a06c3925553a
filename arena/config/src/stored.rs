//! The tournament of a results folder as text. It was checked when it was stored, and its files may be gone since: nothing
//! is checked again.

use std::path::Path;

use super::file::Config;
use super::own_games;
use model::Tournament;
use opponent::own_game;

/// The text of a tournament.
pub fn write(tournament: &Tournament) -> String {
    toml::to_string_pretty(tournament).expect("a tournament is TOML")
}

/// The tournament of a text. Folders of older versions of the arena contain the configuration instead, whose paths begin at
/// `path`.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read(text: &str, path: &Path) -> Result<Tournament, String> {
    let table: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
    own_game::register_stored(text).map_err(|error| error.to_string())?;
    if table.contains_key("format-version") {
        return toml::from_str(text).map_err(|error| error.to_string());
    }
    own_games::register(text);
    let config: Config = toml::from_str(text).map_err(|error| error.to_string())?;
    Ok(config.with_engine_defaults().resolve(path))
}
