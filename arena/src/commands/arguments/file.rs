//! A tournament file that is made of options of the command line. It checks only what the file format cannot express.

use std::time::Duration;

use clap::Args;
use serde::Serialize;
use toml::Table;

use super::EngineWords;
use super::limits::{Clock, Limits, clock, move_time};

/// The games and limits of a tournament without a file. They need the argument `engines`.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Without a file")]
pub struct GameArgs {
    /// Games to play, separated by commas (default: all)
    #[arg(
        long,
        alias = "game",
        value_name = "GAMES",
        value_delimiter = ',',
        value_parser = game_name,
        requires = "engines",
        conflicts_with = "config"
    )]
    pub games: Vec<String>,
    /// Time for each move in seconds, or such as `50ms`
    #[arg(
        long,
        value_name = "TIME",
        value_parser = move_time,
        requires = "engines",
        conflicts_with_all = ["config", "tc"]
    )]
    pub movetime: Option<Duration>,
    /// Number of positions to search for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), requires = "engines", conflicts_with = "config")]
    pub nodes: Option<u64>,
    /// Clock and increment, such as `10s+100ms`
    ///
    /// In seconds or with units. Default if no other limit is given: 10s+100ms.
    #[arg(
        long,
        value_name = "BASE+INCREMENT",
        value_parser = clock,
        requires = "engines",
        conflicts_with = "config"
    )]
    pub tc: Option<Clock>,
}

/// Other tools have an option of this name for the number of matches.
fn game_name(text: &str) -> Result<String, String> {
    match text.parse::<u64>() {
        Ok(_) => Err("it names games, such as `push`; `--pairs N` is the number of pairs".to_owned()),
        Err(_) => Ok(text.to_owned()),
    }
}

/// A tournament file, in the order in which people write it.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct File {
    tournament: Table,
    #[serde(skip_serializing_if = "Table::is_empty")]
    stop: Table,
    #[serde(skip_serializing_if = "Table::is_empty")]
    limits: Table,
    #[serde(skip_serializing_if = "Table::is_empty")]
    engine_defaults: Table,
    #[serde(rename = "game", skip_serializing_if = "Vec::is_empty")]
    games: Vec<Game>,
    #[serde(rename = "engine")]
    engines: Vec<Engine>,
    #[serde(skip_serializing_if = "Table::is_empty")]
    tune: Table,
}

#[derive(Serialize)]
struct Game {
    id: String,
}

#[derive(Serialize)]
struct Engine {
    name: String,
    command: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    args: Vec<String>,
}

/// The name of a tournament of these engines, as far as they have room, with characters that a folder can have.
fn name_of(engines: &[&str]) -> String {
    const LONGEST: usize = 60;
    let named = |n: usize| {
        let more = engines.len() - n;
        engines[..n].join("-vs-") + &if more == 0 { String::new() } else { format!("-and-{more}-more") }
    };
    let fits = |n: &usize| named(*n).chars().count() <= LONGEST;
    let whole = (1..=engines.len()).rev().find(fits).map_or_else(|| engines.join("-vs-"), named);
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    whole.chars().map(plain).take(LONGEST).collect()
}

impl File {
    /// A tournament of these engines, each as `--engine` takes it. It is named after them; its folder, too.
    pub fn new(prefix: &str, engines: &[String], args: &GameArgs, pairs: Option<u32>) -> Self {
        let engines = engines.iter().map(|text| {
            let EngineWords { name, command, args } = EngineWords::of(text);
            Engine { name, command, args }
        });
        let engines: Vec<Engine> = engines.collect();
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        let name = name_of(&names);
        let mut tournament = Table::from_iter([("name".to_owned(), format!("{prefix}{name}").into())]);
        if let Some(pairs) = pairs {
            tournament.insert("pairs".to_owned(), i64::from(pairs).into());
        }
        Self {
            tournament,
            stop: Table::new(),
            limits: Limits { movetime: args.movetime, nodes: args.nodes, clock: args.tc }.table(),
            engine_defaults: Table::new(),
            games: args.games.iter().map(|id| Game { id: id.trim().to_owned() }).collect(),
            engines,
            tune: Table::new(),
        }
    }

    /// The same with these options of all engines.
    #[must_use]
    pub fn with_options(mut self, options: Table) -> Self {
        if !options.is_empty() {
            self.engine_defaults.insert("options".to_owned(), options.into());
        }
        self
    }

    /// The same with a sequential test of two differences in Elo.
    #[must_use]
    pub fn with_test(mut self, hypotheses: Option<[f64; 2]>) -> Self {
        if let Some([elo0, elo1]) = hypotheses {
            let test = Table::from_iter([("elo0".to_owned(), elo0.into()), ("elo1".to_owned(), elo1.into())]);
            self.stop.insert("sprt".to_owned(), test.into());
        }
        self
    }

    /// The same with these options to tune.
    #[must_use]
    pub fn with_tuned(mut self, options: Vec<Table>) -> Self {
        self.tune.insert("option".to_owned(), options.into());
        self
    }

    /// Its text.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("tables with keys of text are TOML")
    }
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn a_long_name_says_how_many_engines_it_leaves_out() {
        assert_eq!(name_of(&["a b", "c"]), "a_b-vs-c");
        let long = ["one".repeat(7), "two".repeat(7), "three".repeat(7)];
        let long = long.each_ref().map(String::as_str);
        assert_eq!(name_of(&long), format!("{}-vs-{}-and-1-more", long[0], long[1]));
        assert_eq!(name_of(&["x".repeat(70).as_str(), "y"]), "x".repeat(60));
    }
}
