//! Arguments that several commands share.

pub mod engines;
pub mod file;
pub mod limits;
pub mod positions;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use engine_proto::{GameId, Games};
use serde::de::value::StringDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};

#[cfg(feature = "nats")]
use cluster::Access;
use config::LONGEST_NAME;
use host::executable;

/// Where a sequential test ends that decides nothing, in pairs.
pub const MOST_TEST_PAIRS: u32 = 100_000;

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

/// Parses one of these names, each as a configuration spells it.
pub fn named<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).map(|name| {
        let name: StringDeserializer<serde::de::value::Error> = name.into_deserializer();
        T::deserialize(name).expect("one of the possible values")
    })
}

/// Parses the id of one of these games.
pub fn game_parser(games: &Games) -> impl TypedValueParser<Value = GameId> {
    PossibleValuesParser::new(games.ids()).map(|id| id.parse().expect("one of the possible values"))
}

/// The one of these games with this id.
///
/// # Errors
/// If there is none.
pub fn game(games: &Games, id: &str) -> Result<GameId, String> {
    games.parse(id).map_err(|_| {
        let id = engine_proto::fen::shown(id);
        format!("there is no game `{id}`; {}", positions::known_games(games, &id))
    })
}

/// The heading of options for tournaments that several machines play.
pub const SEVERAL_MACHINES: &str = "Many machines";

/// The heading of those for which a build may lack the network.
pub const MANY_MACHINES: &str =
    if cfg!(feature = "nats") { SEVERAL_MACHINES } else { "Many machines (not in this build)" };

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
#[command(next_help_heading = MANY_MACHINES)]
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

#[cfg(feature = "nats")]
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
    /// `NAME=COMMAND`, or a command; then the engine is named after its program and the arguments: two commands have two names,
    /// unless only their folders differ.
    pub fn of(text: &str) -> Self {
        let (name, command_line) = match Self::split(text) {
            Some((name, command_line)) => (Some(name), command_line.trim()),
            None => (None, text.trim()),
        };
        // A path may contain spaces.
        let is_program = executable::find(Path::new(command_line)).is_ok();
        let mut words = command_line.split_whitespace().map(str::to_owned);
        let (command, args) = if is_program {
            (command_line.to_owned(), Vec::new())
        } else {
            (words.next().unwrap_or_default(), words.collect())
        };
        let name = name.map_or_else(|| name_of(&command, &args), str::to_owned);
        Self { name, command, args }
    }

    /// Whether the user gives a name.
    pub fn is_named(text: &str) -> bool {
        Self::split(text).is_some()
    }

    fn split(text: &str) -> Option<(&str, &str)> {
        let is_name =
            |name: &str| !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '/');
        text.split_once('=').filter(|(name, _)| is_name(name))
    }
}

/// The program without its folder and extension, and the arguments without their folders.
fn name_of(command: &str, args: &[String]) -> String {
    let last = |path: &str| {
        Path::new(path).file_name().map_or_else(|| path.into(), |name| name.to_string_lossy().into_owned())
    };
    let program = Path::new(command)
        .file_stem()
        .map_or_else(|| command.into(), |stem| stem.to_string_lossy().into_owned());
    let words: Vec<String> = std::iter::once(program).chain(args.iter().map(|word| last(word))).collect();
    words.join(" ").chars().take(LONGEST_NAME).collect()
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
