//! The list of all games: those of this crate, and those that a program registers.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use crate::any::Typed;
use crate::play::PlayError;
use crate::{
    AnyGame, AnyPlay, Drawn, GameInfo, Searchable, chess, four_towers, push, push_push, tower_of_power,
    tower_push,
};

/// The part of the rules that all games share, in Markdown.
pub const CONVENTIONS: &str = include_str!("CONVENTIONS.md");

/// A game: a small handle that stands for its id.
///
/// Two handles are equal if their games have the same id. They are ordered by registration.
#[derive(Clone, Copy)]
pub struct GameId {
    /// The index in the list of all games.
    place: usize,
    /// Twice by reference: the compiler would otherwise compile the game again in each crate that uses the constant.
    game: &'static &'static dyn AnyGame,
}

macro_rules! registry {
    (
        built_in { $($name:ident = $module:ident::$game:ident,)* }
        on_request { $($further:ident = $further_module:ident::$further_game:ident,)* }
    ) => {
        impl GameId {
            registry!(entries $($name = $module::$game,)* $($further = $further_module::$further_game,)*);

            /// The games of this crate that tournaments and engines play unless they name others.
            pub const BUILT_IN: &'static [Self] = &[$(Self::$name,)*];

            /// The games of this crate that are played only if they are named.
            pub const ON_REQUEST: &'static [Self] = &[$(Self::$further,)*];
        }

        enum Place {
            $($game,)*
            $($further_game,)*
        }
    };
    (entries $($name:ident = $module:ident::$game:ident,)*) => {
            $(
                #[doc = concat!("See [`", stringify!($module), "`].")]
                pub const $name: Self = {
                    static GAME: &dyn AnyGame = &Typed::<$module::$game>(PhantomData);
                    Self { place: Place::$game as usize, game: &GAME }
                };
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
    };
}

registry! {
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

/// The games that are played by default, and those that are played only if they are named. Registering a game replaces a
/// list; the old lists are never freed, since programs register few games.
static LISTS: RwLock<Lists> = RwLock::new(Lists { all: GameId::BUILT_IN, on_request: GameId::ON_REQUEST });

#[derive(Clone, Copy)]
struct Lists {
    all: &'static [GameId],
    on_request: &'static [GameId],
}

impl Lists {
    fn get() -> Self {
        *LISTS.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(self) -> impl Iterator<Item = GameId> + Clone {
        self.all.iter().chain(self.on_request).copied()
    }
}

/// Registers the game of the position type `P`. Call this when the program starts, before it reads any id.
///
/// # Errors
/// If its id is malformed or in use.
pub fn register<P: Drawn + Searchable>() -> Result<GameId, RegisterError> {
    register_entry(const { &Typed::<P>(PhantomData) })
}

/// Registers a game without a position type: see [`AnyGame`]. An entry that is made at run time can be leaked
/// (`Box::leak`).
///
/// # Errors
/// If its id is malformed or in use, or if it has no start position.
pub fn register_entry(game: &'static dyn AnyGame) -> Result<GameId, RegisterError> {
    add(game, |lists| &mut lists.all)
}

/// Registers a game without a position type that is played only if it is named.
///
/// # Errors
/// If its id is malformed or in use, or if it has no start position.
pub fn register_on_request(game: &'static dyn AnyGame) -> Result<GameId, RegisterError> {
    add(game, |lists| &mut lists.on_request)
}

fn add(
    game: &'static dyn AnyGame,
    list: impl Fn(&mut Lists) -> &mut &'static [GameId],
) -> Result<GameId, RegisterError> {
    let info = game.info();
    if !is_id(info.id) {
        return Err(RegisterError::BadId { id: info.id });
    }
    if info.starts.is_empty() {
        return Err(RegisterError::NoStart { id: info.id });
    }
    let mut lists = LISTS.write().unwrap_or_else(PoisonError::into_inner);
    if lists.known().any(|other| other.id() == info.id) {
        return Err(RegisterError::Twice { id: info.id });
    }
    let added = GameId { place: lists.known().count(), game: Box::leak(Box::new(game)) };
    let list = list(&mut lists);
    *list = Box::leak(list.iter().copied().chain([added]).collect());
    Ok(added)
}

/// Lowercase words joined by hyphens.
fn is_id(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.split('-').all(is_word)
}

/// Why a game was not registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// The id is malformed.
    #[error("the game id `{id}` is invalid; use lowercase words joined by hyphens")]
    BadId {
        /// The id.
        id: &'static str,
    },
    /// Another game has this id.
    #[error("the game `{id}` is already registered; give the new game another id")]
    Twice {
        /// The id.
        id: &'static str,
    },
    /// The game has no start position.
    #[error("the game `{id}` has no start position; name one in its `GameInfo::starts`")]
    NoStart {
        /// The id.
        id: &'static str,
    },
}

impl GameId {
    /// The games that are played by default: [`GameId::BUILT_IN`], then the registered ones.
    pub fn all() -> &'static [Self] {
        Lists::get().all
    }

    /// Every game that has an id: those of [`GameId::all`], then those that are played only if they are named.
    pub fn known() -> impl Iterator<Item = Self> + Clone {
        Lists::get().known()
    }

    /// The constants of the game.
    pub fn info(self) -> &'static GameInfo {
        self.game.info()
    }

    /// The game's id in configurations, files and the protocol.
    pub fn id(self) -> &'static str {
        self.info().id
    }

    /// A play of this game from the position `fen`.
    ///
    /// # Errors
    /// If `fen` is not a FEN of the game.
    pub fn play(self, fen: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        self.game.play(fen)
    }

    /// A play of this game from a position in any usual text form: see [`Position::import`](crate::Position::import).
    ///
    /// # Errors
    /// If the text is not a position of the game.
    pub fn import(self, text: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        self.game.import(text)
    }

    /// A play of this game from the start called `name`, if the game has one: see [`Position::start`](crate::Position::start).
    pub fn start(self, name: &str, seed: u64) -> Option<Box<dyn AnyPlay>> {
        self.game.start(name, seed)
    }

    /// Why the rules of the game can no longer answer: see [`AnyGame::failure`].
    pub fn failure(self) -> Option<String> {
        self.game.failure()
    }

    /// A play of this game from its default start: see [`Position::startpos`](crate::Position::startpos).
    pub fn startpos(self) -> Box<dyn AnyPlay> {
        self.start(self.info().starts[0].name, 1).expect("the first start is one of the starts")
    }
}

impl PartialEq for GameId {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl Eq for GameId {}

impl PartialOrd for GameId {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for GameId {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.place.cmp(&other.place)
    }
}

impl Hash for GameId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place.hash(state);
    }
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

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        Self::known()
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

/// A text that is not the id of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game `{text}`")]
pub struct UnknownGame {
    /// The text as given.
    pub text: String,
}
