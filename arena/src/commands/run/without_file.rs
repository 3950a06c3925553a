//! `arena run` without a file: turns options of the command line into a tournament file. It checks only what the file
//! format cannot express.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::commands::arguments::limits::{Clock, Limits, clock, move_time};
use crate::commands::arguments::{EngineWords, option, value};

/// A tournament without a file
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Without a file")]
pub struct WithoutFile {
    /// An engine: COMMAND or NAME=COMMAND (repeatable)
    ///
    /// Arguments of the engine follow its command: `--engine "mine=./my-engine --level 3"`. Without a name, the engine is
    /// named after its program and the arguments. The equivalent tournament file is printed to standard error.
    #[arg(long = "engine", value_name = "ENGINE", conflicts_with = "config")]
    pub engines: Vec<String>,
    /// Games to play, separated by commas (default: all)
    #[arg(
        long,
        value_name = "GAMES",
        value_delimiter = ',',
        requires = "engines",
        conflicts_with = "config"
    )]
    pub games: Vec<String>,
    /// Time for each move, in seconds or with a unit, such as `50ms`
    #[arg(
        long,
        value_name = "TIME",
        value_parser = move_time,
        requires = "engines",
        conflicts_with_all = ["config", "tc"],
        hide_short_help = true
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
    /// An option of all engines, NAME=VALUE (repeatable)
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "engines", conflicts_with = "config", hide_short_help = true, value_parser = option)]
    pub options: Vec<(String, String)>,
    /// Print the tournament file without playing
    #[arg(long, requires = "engines", conflicts_with = "config", hide_short_help = true)]
    pub print_config: bool,
}

/// A tournament file, in the order in which people write it.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct File {
    tournament: toml::Table,
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    limits: toml::Table,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_defaults: Option<Defaults>,
    #[serde(rename = "game", skip_serializing_if = "Vec::is_empty")]
    games: Vec<Game>,
    #[serde(rename = "engine")]
    engines: Vec<Engine>,
}

#[derive(Serialize)]
struct Defaults {
    options: toml::Table,
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

impl WithoutFile {
    /// The tournament file for these options, with this number of `pairs`.
    ///
    /// # Errors
    /// If there are fewer than two engines.
    pub fn file(&self, pairs: Option<u32>) -> Result<String, String> {
        if self.engines.is_empty() {
            return Err("give a tournament file, or at least two `--engine`".to_owned());
        }
        if self.engines.len() < 2 {
            return Err("a tournament needs at least two engines: add another `--engine`".to_owned());
        }
        let engines: Vec<Engine> = self.engines.iter().map(|text| engine(text)).collect();
        let mut tournament = toml::Table::new();
        tournament.insert("name".to_owned(), name(&engines).into());
        if let Some(pairs) = pairs {
            tournament.insert("pairs".to_owned(), i64::from(pairs).into());
        }
        let file = File {
            tournament,
            limits: self.limits(),
            engine_defaults: (!self.options.is_empty()).then(|| Defaults {
                options: self.options.iter().map(|(name, text)| (name.clone(), value(text))).collect(),
            }),
            games: self.games.iter().map(|id| Game { id: id.trim().to_owned() }).collect(),
            engines,
        };
        Ok(toml::to_string(&file).expect("tables with keys of text are TOML"))
    }

    fn limits(&self) -> toml::Table {
        Limits { movetime: self.movetime, nodes: self.nodes, clock: self.tc }.table()
    }
}

fn engine(text: &str) -> Engine {
    let EngineWords { name, command, args } = EngineWords::of(text);
    Engine { name, command, args }
}

/// The name of the tournament, and of its folder: the engines' names.
fn name(engines: &[Engine]) -> String {
    const LONGEST: usize = 60;
    let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    names.join("-vs-").chars().map(plain).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn options_stand_for_a_file() {
        let options = WithoutFile {
            engines: words(&[
                "./bin/new one/engine",
                "old=sh --level 3 --name=\"x\"",
                "target/release/mcts.exe",
            ]),
            games: words(&["push", "push-push"]),
            movetime: None,
            nodes: Some(500),
            tc: Some(clock("10+0.1").expect("a clock")),
            options: vec![
                ("Hash".to_owned(), "16".to_owned()),
                ("Own Book".to_owned(), "true".to_owned()),
                ("Style".to_owned(), "bold \"one\"".to_owned()),
            ],
            print_config: false,
        };
        insta::assert_snapshot!(options.file(Some(3)).expect("three engines"));
    }

    #[test]
    fn little_is_needed() {
        let options = WithoutFile { engines: words(&["a", "b"]), ..WithoutFile::default() };
        insta::assert_snapshot!(options.file(None).expect("two engines"));
        let options = WithoutFile { engines: words(&["a"]), ..WithoutFile::default() };
        assert!(options.file(None).expect_err("one engine").contains("add another `--engine`"));
        let error = WithoutFile::default().file(None).expect_err("no engine");
        assert_eq!(error, "give a tournament file, or at least two `--engine`");
    }
}
