//! The names of games, and the games of this crate behind their names. It knows no other games.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use crate::any::Typed;
use crate::{
    AnyGame, Drawn, Position, Searchable, chess, four_towers, push, push_push, tower_of_power, tower_push,
};

/// The name of a game. It is only a name: [`Games`](crate::Games) has the rules of the games that a program knows.
///
/// The games of this crate come first, in the order of [`GameId::BUILT_IN`] and [`GameId::ON_REQUEST`], then all others
/// by their names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The place among the games of this crate; after them, if it is none of them.
    place: u8,
    text: [u8; Self::LONGEST],
    length: u8,
}

macro_rules! built_in_games {
    (
        built_in { $($name:ident = $module:ident::$game:ident,)* }
        on_request { $($further:ident = $further_module:ident::$further_game:ident,)* }
    ) => {
        impl GameId {
            built_in_games!(entries $($name = $module::$game,)* $($further = $further_module::$further_game,)*);

            /// The games of this crate that tournaments and engines play unless they name others.
            pub const BUILT_IN: &'static [Self] = &[$(Self::$name,)*];

            /// The games of this crate that are played only if they are named.
            pub const ON_REQUEST: &'static [Self] = &[$(Self::$further,)*];
        }

        enum Place {
            $($game,)*
            $($further_game,)*
            Other,
        }
    };
    (entries $($name:ident = $module:ident::$game:ident,)*) => {
            $(
                #[doc = concat!("See [`", stringify!($module), "`].")]
                pub const $name: Self = Self::at(Place::$game, $module::$game::INFO.id);
            )*

            /// Calls `work` with the position type of this game: from an id to a type. `None` if the game is not of
            /// this crate, because its type is not known here.
            pub fn with<W: GameWork>(self, work: W) -> Option<W::Output> {
                $(
                    if self == Self::$name {
                        return Some(work.run::<$module::$game>());
                    }
                )*
                None
            }

            /// The rules, if the game is of this crate.
            pub(crate) fn built_in(self) -> Option<&'static dyn AnyGame> {
                $(
                    if self == Self::$name {
                        return Some(const { &Typed::<$module::$game>(PhantomData) });
                    }
                )*
                None
            }
    };
}

built_in_games! {
    built_in {
        TOWER_PUSH = tower_push::TowerPush,
        FOUR_TOWERS = four_towers::FourTowers,
        TOWER_OF_POWER = tower_of_power::TowerOfPower,
        PUSH = push::Push,
        PUSH_PUSH = push_push::PushPush,
    }
    on_request {
        CHESS = chess::Chess,
        CHESS960 = chess::Chess960,
    }
}

/// Work that is generic over the game, for [`GameId::with`].
pub trait GameWork {
    /// The result of the work.
    type Output;
    /// Does the work for the game of the position `P`.
    fn run<P: Drawn + Searchable>(self) -> Self::Output;
}

impl GameId {
    /// The length of the longest id, in bytes.
    pub const LONGEST: usize = 31;

    const fn at(place: Place, id: &str) -> Self {
        let mut text = [0; Self::LONGEST];
        text.split_at_mut(id.len()).0.copy_from_slice(id.as_bytes());
        Self { place: place as u8, text, length: id.len() as u8 }
    }

    /// The game's id in configurations, files and the protocol.
    pub fn id(&self) -> &str {
        str::from_utf8(&self.text[..usize::from(self.length)]).expect("an id is ASCII")
    }
}

/// Lowercase words joined by hyphens.
pub(crate) fn is_well_formed(id: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    id.split('-').all(is_word)
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GameId").field(&self.id()).finish()
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Every well-formed id is the name of a game, whether its rules are known or not.
impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        if text.len() > Self::LONGEST || !is_well_formed(text) {
            return Err(UnknownGame::new(text));
        }
        let built_in = Self::BUILT_IN.iter().chain(Self::ON_REQUEST).copied().find(|game| game.id() == text);
        Ok(built_in.unwrap_or_else(|| Self::at(Place::Other, text)))
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
    /// A deserializer that knows which games there are can refuse others: it is told the name of this type.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> serde::de::Visitor<'de> for Text {
            type Value = GameId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<GameId, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_newtype_struct<D: serde::Deserializer<'de>>(self, text: D) -> Result<GameId, D::Error> {
                text.deserialize_str(self)
            }
        }
        deserializer.deserialize_newtype_struct("GameId", Text)
    }
}

/// A text that is not the id of a known game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game `{text}`")]
pub struct UnknownGame {
    /// The text as given.
    pub text: String,
}

impl UnknownGame {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: crate::fen::shown(text) }
    }
}
