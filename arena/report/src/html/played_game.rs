//! A game of the page: one of the arena's, or one that only a file of another tool names. Under several limits, each game under each
//! of them is a game of its own, as in the ratings.

use std::borrow::Cow;

use engine_proto::{GameId, Games};

use model::{Record, rated_game};
use store::result_files::ONLY_GAME;

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlayedGame {
    /// A game whose rules the arena knows, and the name of the limits, if there are several.
    Known(GameId, Option<String>),
    /// A game by its name in a file.
    Foreign(String),
}

impl PlayedGame {
    /// The game of a match.
    pub fn of(record: &Record) -> Self {
        Self::Known(record.game, record.limits.clone())
    }

    /// The game that a file or the ratings call so.
    pub fn named(games: &Games, name: &str) -> Self {
        let (game, limits) = name.split_once('@').map_or((name, None), |(game, limits)| (game, Some(limits)));
        games.parse(game).map_or_else(
            |_| Self::Foreign(name.to_owned()),
            |game| Self::Known(game, limits.map(str::to_owned)),
        )
    }

    /// The id in links and filters, and in the ratings.
    pub fn id(&self) -> Cow<'_, str> {
        match self {
            Self::Known(game, limits) => rated_game(game.id(), limits.as_deref()),
            Self::Foreign(name) => name.into(),
        }
    }

    /// The name for people.
    pub fn name<'a>(&'a self, games: &'a Games) -> Cow<'a, str> {
        let name = |game: &'a GameId| games.info(*game).map_or(game.id(), |info| info.name);
        match self {
            Self::Known(game, None) => name(game).into(),
            Self::Known(game, Some(limits)) => format!("{}, {limits}", name(game)).into(),
            Self::Foreign(name) if name == ONLY_GAME => "Unnamed game".into(),
            Self::Foreign(name) => name.into(),
        }
    }

    /// The game, if the arena knows its rules.
    pub const fn known(&self) -> Option<GameId> {
        match self {
            Self::Known(game, _) => Some(*game),
            Self::Foreign(_) => None,
        }
    }

    /// The name of the limits, if there are several.
    pub fn limits(&self) -> Option<&str> {
        match self {
            Self::Known(_, limits) => limits.as_deref(),
            Self::Foreign(_) => None,
        }
    }
}
