//! The tournament of a results folder as text. It was checked when it was stored, and its files may be gone since: nothing
//! is checked again.

use std::path::Path;

use engine_proto::Games;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::decode::decode;
use super::deserializer;
use super::file::Config;
use super::own_games;
use super::problem::Problem;
use model::Tournament;
use opponent::own_game::{self, NamedBy, OwnGameError};

/// The text of a tournament.
pub fn write(tournament: &Tournament) -> String {
    toml::to_string_pretty(&value(tournament)).expect("a tournament is TOML")
}

/// A tournament, or a part of it, without the keys that have no value. It goes through JSON, in which the arena reads and writes
/// its values anyway: for each type that is TOML as well, the build compiles several times as much.
pub fn value(part: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(part).expect("a tournament is JSON");
    remove_nulls(&mut value);
    value
}

fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(keys) => {
            keys.retain(|_, value| !value.is_null());
            keys.values_mut().for_each(remove_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

/// The tournament of a text: its games are these and its own. Folders of older versions of the arena contain the configuration
/// instead, whose paths begin at `path`.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read(games: &Games, text: &str, path: &Path) -> Result<Tournament, String> {
    let table = parse(text)?;
    let games = with_own(games, &table).map_err(|error| error.to_string())?;
    let stored = deserializer::Value { value: &table, games: &games };
    if table.get_ref().get("format-version").is_some() {
        let tournament = Tournament::deserialize(stored).map_err(|error| error.to_string())?;
        return Ok(Tournament { known_games: games, ..tournament });
    }
    let (games, _) = own_games::with_own(&games, text, NamedBy::File);
    match decode::<Config>(&games, text) {
        (Some(config), problems) if problems.is_empty() => {
            let config = Config { known_games: games, ..config };
            Ok(config.with_engine_defaults().resolve(path))
        }
        (_, problems) => {
            Err(problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; "))
        }
    }
}

/// The problem of a text that is the stored tournament of a results folder, and not a configuration.
pub(super) fn record_of_a_run(text: &str) -> Option<Problem> {
    let table = DeTable::parse(text).ok()?;
    let (key, _) = table.get_ref().get_key_value("format-version")?;
    let what = "this file is the arena's record of a run, and not a tournament file";
    let help = "to continue the run, give `arena run` the tournament file with which it began; `arena rate`, `arena report` and \
                `arena show` read the folder";
    Some(Problem::new(key.span(), what).help(help))
}

/// These games and those of a stored tournament whose rules are a program. What cannot be added stays unknown, which is reported
/// when it is named.
pub fn games(games: &Games, text: &str) -> Games {
    parse(text).ok().and_then(|table| with_own(games, &table).ok()).unwrap_or_else(|| games.clone())
}

fn with_own(games: &Games, table: &Spanned<DeValue<'_>>) -> Result<Games, OwnGameError> {
    let stored = Value::deserialize(deserializer::Value { value: table, games });
    // What is not a tournament is reported by its reader.
    stored.map_or_else(|_| Ok(games.clone()), |stored| own_game::with_stored(games, &stored))
}

fn parse(text: &str) -> Result<Spanned<DeValue<'_>>, String> {
    let table = DeTable::parse(text).map_err(|error| error.to_string())?;
    Ok(Spanned::new(table.span(), DeValue::Table(table.into_inner())))
}
