//! Arguments that several commands share.

pub mod engines;
pub mod positions;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use engine_proto::GameId;

use crate::closest::closest;
use crate::executable;
use crate::machines::Access;

/// How ratings and comparisons are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for a terminal, 80 columns wide
    #[default]
    Table,
    /// Tables to paste into GitHub and the like
    Markdown,
    /// One line per engine and game
    Csv,
    /// All computed numbers, on one line
    Json,
}

/// Parses the id of a game.
pub fn game_parser() -> impl TypedValueParser<Value = GameId> {
    PossibleValuesParser::new(GameId::known().map(GameId::id))
        .map(|id| id.parse().expect("one of the possible values"))
}

/// The game with this id, which may be one that a tournament file has described.
///
/// # Errors
/// If there is none.
pub fn game(id: &str) -> Result<GameId, String> {
    id.parse().map_err(|_| {
        let known = || GameId::known().map(GameId::id);
        let help = match closest(id, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the games are {}", known().collect::<Vec<_>>().join(", ")),
        };
        format!("there is no game `{}`; {help}", engine_proto::fen::shown(id))
    })
}

/// The NATS server, and how to be let in. A secret is in a file, never in an argument.
#[derive(Args, Clone, Debug)]
pub struct NatsArgs {
    /// NATS server: `nats://host` or `tls://host:4222`
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,
    /// How to be let in
    #[command(flatten)]
    pub keys: KeyArgs,
}

/// Files with what the server asks for.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Many machines")]
pub struct KeyArgs {
    /// File with the credentials for the server
    #[arg(long, value_name = "FILE", requires = "nats", conflicts_with = "nkey", hide_short_help = true)]
    pub creds: Option<PathBuf>,
    /// File with the seed of an NKey for the server
    #[arg(long, value_name = "FILE", requires = "nats", hide_short_help = true)]
    pub nkey: Option<PathBuf>,
    /// File with the certificates of the authorities that may have signed the server's certificate
    #[arg(long, value_name = "FILE", requires = "nats", hide_short_help = true)]
    pub ca: Option<PathBuf>,
    /// Certificate and key of this machine, as two files
    #[arg(long, value_name = "FILE", requires = "nats", num_args = 2, hide_short_help = true)]
    pub cert: Vec<PathBuf>,
}

impl NatsArgs {
    /// The way to the server, if one is named.
    pub fn access(&self) -> Option<Access> {
        Some(Access {
            url: self.nats.clone()?,
            credentials: self.keys.creds.clone(),
            nkey: self.keys.nkey.clone(),
            authorities: self.keys.ca.clone(),
            certificate: <[PathBuf; 2]>::try_from(self.keys.cert.clone()).ok(),
        })
    }
}

/// An engine as it is named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineWords {
    /// Its name.
    pub name: String,
    /// Its program.
    pub command: String,
    /// The program's arguments.
    pub args: Vec<String>,
}

impl EngineWords {
    /// `NAME=COMMAND`, or a command; then the engine is named after its program.
    pub fn of(text: &str) -> Self {
        let is_name =
            |name: &str| !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '/');
        let (name, command_line) = match text.split_once('=') {
            Some((name, command_line)) if is_name(name) => (Some(name), command_line.trim()),
            _ => (None, text.trim()),
        };
        // A path may contain spaces.
        let is_program = executable::find(Path::new(command_line)).is_ok();
        let mut words = command_line.split_whitespace().map(str::to_owned);
        let (command, args) = if is_program {
            (command_line.to_owned(), Vec::new())
        } else {
            (words.next().unwrap_or_default(), words.collect())
        };
        let stem = || {
            Path::new(&command)
                .file_stem()
                .map_or_else(|| command.clone(), |stem| stem.to_string_lossy().into())
        };
        let name = name.map_or_else(stem, str::to_owned);
        Self { name, command, args }
    }
}

/// A time with its unit. A number without one means seconds, as in the time controls of chess programs.
pub fn time(text: &str) -> String {
    match text.trim().parse::<f64>() {
        Ok(seconds) if (0.0..1e9).contains(&seconds) => {
            humantime::format_duration(Duration::from_micros((seconds * 1e6).round() as u64)).to_string()
        }
        _ => text.to_owned(),
    }
}

/// A number or a truth value if `text` is one, else the text.
pub fn value(text: &str) -> toml::Value {
    let number = || text.parse::<i64>().map(toml::Value::from).ok();
    let truth = || text.parse::<bool>().map(toml::Value::from).ok();
    number().or_else(truth).unwrap_or_else(|| text.into())
}

/// Reads `NAME=VALUE`.
///
/// # Errors
/// If it is written in another way.
pub fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("write it as NAME=VALUE".to_owned()),
    }
}
