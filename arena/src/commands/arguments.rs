//! Arguments that several commands share.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine_proto::GameId;

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
    PossibleValuesParser::new(GameId::all().iter().map(|game| game.id()))
        .map(|id| id.parse().expect("one of the possible values"))
}
