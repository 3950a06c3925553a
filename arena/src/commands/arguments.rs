//! Arguments that several commands share.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use engine_proto::GameId;

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
