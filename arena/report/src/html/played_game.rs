//! A game of the page: one of the arena's, or one that only a file of another tool names.

use engine_proto::GameId;

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlayedGame {
    /// A game whose rules the arena knows.
    Known(GameId),
    /// A game by its name in a file.
    Foreign(String),
}

impl PlayedGame {
    /// The game that a file calls so.
    pub fn named(name: &str) -> Self {
        name.parse().map_or_else(|_| Self::Foreign(name.to_owned()), Self::Known)
    }

    /// The id in links and filters.
    pub fn id(&self) -> &str {
        match self {
            Self::Known(game) => game.id(),
            Self::Foreign(name) => name,
        }
    }

    /// The name for people.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(game) => game.info().name,
            Self::Foreign(name) => name,
        }
    }

    /// The game, if the arena knows its rules.
    pub const fn known(&self) -> Option<GameId> {
        match self {
            Self::Known(game) => Some(*game),
            Self::Foreign(_) => None,
        }
    }
}
