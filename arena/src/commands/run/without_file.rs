//! `arena run` without a file: turns options of the command line into a tournament file. It checks only what the file
//! format cannot express.

use clap::Args;
use serde::Serialize;

use crate::commands::arguments::{EngineWords, option, time, value};

/// A tournament without a file
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Without a file")]
pub struct WithoutFile {
    /// An engine: COMMAND or NAME=COMMAND (repeatable)
    ///
    /// Arguments of the engine follow its command: `--engine "mine=./my-engine --level 3"`. Without a name, the engine is
    /// named after its program. The equivalent tournament file is printed to standard error.
    #[arg(long = "engine", value_name = "ENGINE", conflicts_with = "config")]
    pub engines: Vec<String>,
    /// The games to play, separated by commas (default: all)
    #[arg(
        long,
        value_name = "GAMES",
        value_delimiter = ',',
        requires = "engines",
        conflicts_with = "config",
        hide_short_help = true
    )]
    pub games: Vec<String>,
    /// Time for each move, such as `50ms`
    #[arg(
        long,
        value_name = "TIME",
        requires = "engines",
        conflicts_with = "config",
        hide_short_help = true
    )]
    pub movetime: Option<String>,
    /// Number of positions to search for each move
    #[arg(long, value_name = "N", requires = "engines", conflicts_with = "config", hide_short_help = true)]
    pub nodes: Option<u64>,
    /// Clock and increment in seconds or with units, such as `10s+100ms`
    ///
    /// Default if no other limit is given: 10s+100ms.
    #[arg(
        long,
        value_name = "BASE+INCREMENT",
        requires = "engines",
        conflicts_with = "config",
        hide_short_help = true
    )]
    pub tc: Option<String>,
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
        let mut limits = toml::Table::new();
        let mut add = |key: &str, value: toml::Value| limits.insert(key.to_owned(), value);
        if let Some(tc) = &self.tc {
            let (base, increment) =
                tc.split_once('+').map_or((tc.as_str(), None), |(base, inc)| (base, Some(inc)));
            add("base", time(base).into());
            increment.map(|increment| add("increment", time(increment).into()));
        }
        if let Some(movetime) = &self.movetime {
            add("movetime", movetime.as_str().into());
        }
        if let Some(nodes) = self.nodes {
            add("nodes", i64::try_from(nodes).unwrap_or(i64::MAX).into());
        }
        limits
    }
}

/// `NAME=COMMAND`, or a command; then the engine is named after its program.
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
            movetime: Some("50ms".to_owned()),
            nodes: Some(500),
            tc: Some("10s+100ms".to_owned()),
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
    fn times_without_a_unit_are_seconds() {
        for (text, expected) in
            [("10", "10s"), ("0.1", "100ms"), ("1.5", "1s 500ms"), ("50ms", "50ms"), ("-1", "-1")]
        {
            assert_eq!(time(text), expected);
        }
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
