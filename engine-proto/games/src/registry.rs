//! The list of the games, and the crossing from a game's name to its type.

use std::fmt;
use std::str::FromStr;

use crate::play::PlayError;
use crate::{AnyPlay, GameInfo, Play, Position, four_towers, push, push_push, tower_of_power, tower_push};

/// What the rules pages of all games share, in Markdown.
pub const CONVENTIONS: &str = include_str!("CONVENTIONS.md");

macro_rules! registry {
    ($($module:ident::$game:ident,)*) => {
        /// One of the games, by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum GameId {
            $(
                #[doc = concat!("See [`", stringify!($module), "`].")]
                $game,
            )*
        }

        impl GameId {
            /// All games.
            pub const ALL: &'static [Self] = &[$(Self::$game,)*];

            /// What is fixed for the game.
            pub const fn info(self) -> &'static GameInfo {
                match self {
                    $(Self::$game => <$module::$game as Position>::INFO,)*
                }
            }

            /// Does `work` for this game's position type: the crossing from a name to a type.
            pub fn with<W: GameWork>(self, work: W) -> W::Output {
                match self {
                    $(Self::$game => work.run::<$module::$game>(),)*
                }
            }
        }
    };
}

registry! {
    tower_push::TowerPush,
    four_towers::FourTowers,
    tower_of_power::TowerOfPower,
    push::Push,
    push_push::PushPush,
}

/// Work that is generic over the game, to be done for a game known by its id: see [`GameId::with`].
pub trait GameWork {
    /// What comes of it.
    type Output;
    /// Does the work for the game of the position `P`.
    fn run<P: Position>(self) -> Self::Output;
}

impl GameId {
    /// The game's id in configurations, files and the protocol.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// A play of this game from `start`, the FEN of a position.
    ///
    /// # Errors
    /// If `start` is not a FEN of the game.
    pub fn play(self, start: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        struct FromFen<'a>(&'a str);
        impl GameWork for FromFen<'_> {
            type Output = Result<Box<dyn AnyPlay>, PlayError>;
            fn run<P: Position>(self) -> Self::Output {
                Ok(Box::new(Play::new(self.0.parse::<P>()?)))
            }
        }
        self.with(FromFen(start))
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        Self::ALL
            .iter()
            .copied()
            .find(|game| game.id() == text)
            .ok_or_else(|| UnknownGame { text: crate::fen::shown(text) })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for GameId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for GameId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        id.parse().map_err(serde::de::Error::custom)
    }
}

/// A text that is no game's id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game `{text}`")]
pub struct UnknownGame {
    /// The text as it was given.
    pub text: String,
}
