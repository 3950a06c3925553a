//! The games that a program or a tournament knows: those of this crate, and those that were added.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::any::Typed;
use crate::game_id::is_well_formed;
use crate::{AnyGame, AnyPlay, Drawn, GameId, GameInfo, PlayError, Searchable, UnknownGame};

/// The part of the rules that all games share, in Markdown.
pub const CONVENTIONS: &str = include_str!("CONVENTIONS.md");

/// Games by their ids. Whoever needs the rules of a game asks a value of this type for them.
///
/// A clone is cheap, and has the same games: they are shared.
#[derive(Clone, Default)]
pub struct Games {
    added: Vec<Added>,
}

/// A game that is not of this crate.
#[derive(Clone)]
struct Added {
    id: GameId,
    game: Arc<dyn AnyGame>,
    /// Whether it is played only if it is named.
    on_request: bool,
}

impl Games {
    /// The games of this crate.
    pub const fn built_in() -> &'static Self {
        const BUILT_IN: &Games = &Games { added: Vec::new() };
        BUILT_IN
    }

    /// These games and that of the position type `P`.
    ///
    /// # Errors
    /// If its id is malformed or in use.
    pub fn with<P: Drawn + Searchable>(&self) -> Result<Self, RegisterError> {
        self.adding(Arc::new(Typed::<P>(PhantomData)), false)
    }

    /// These games and one without a position type, which is played only if it is named: see [`AnyGame`].
    ///
    /// # Errors
    /// If its id is malformed or in use, or if it has no start position.
    pub fn with_on_request(&self, game: Arc<dyn AnyGame>) -> Result<Self, RegisterError> {
        self.adding(game, true)
    }

    fn adding(&self, game: Arc<dyn AnyGame>, on_request: bool) -> Result<Self, RegisterError> {
        let GameInfo { id, starts, .. } = game.info();
        let text = (*id).to_owned();
        if !is_well_formed(id) {
            return Err(RegisterError::BadId { id: text });
        }
        let Ok(id) = text.parse() else { return Err(RegisterError::LongId { id: text }) };
        if starts.is_empty() {
            return Err(RegisterError::NoStart { id: text });
        }
        if self.knows(id) {
            return Err(RegisterError::Twice { id: text });
        }
        let mut games = self.clone();
        games.added.push(Added { id, game, on_request });
        Ok(games)
    }

    /// These games without an added one.
    #[must_use]
    pub fn without(&self, game: GameId) -> Self {
        Self { added: self.added.iter().filter(|added| added.id != game).cloned().collect() }
    }

    fn added(&self, on_request: bool) -> impl Iterator<Item = GameId> + Clone {
        self.added.iter().filter(move |game| game.on_request == on_request).map(|game| game.id)
    }

    /// The games that are played by default: [`GameId::BUILT_IN`], then others.
    pub fn all(&self) -> impl Iterator<Item = GameId> + Clone {
        GameId::BUILT_IN.iter().copied().chain(self.added(false))
    }

    /// Every game: those of [`Games::all`], then those that are played only if they are named.
    pub fn known(&self) -> impl Iterator<Item = GameId> + Clone {
        self.all().chain(GameId::ON_REQUEST.iter().copied()).chain(self.added(true))
    }

    /// The ids of [`Games::known`].
    pub fn ids(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.known().filter_map(|game| Some(self.info(game).ok()?.id))
    }

    /// Whether `game` is one of these games.
    pub fn knows(&self, game: GameId) -> bool {
        self.get(game).is_ok()
    }

    /// The game with the id `text`.
    ///
    /// # Errors
    /// If it is not the id of one of these games.
    pub fn parse(&self, text: &str) -> Result<GameId, UnknownGame> {
        let game = text.parse()?;
        self.get(game).map(|_| game)
    }

    /// The rules of a game. Whoever needs them often asks once.
    ///
    /// # Errors
    /// If it is not one of these games.
    pub fn get(&self, game: GameId) -> Result<&(dyn AnyGame + 'static), UnknownGame> {
        let added = || self.added.iter().find(|added| added.id == game).map(|added| added.game.as_ref());
        game.built_in().or_else(added).ok_or_else(|| UnknownGame::new(game.id()))
    }

    /// The constants of a game.
    ///
    /// # Errors
    /// If it is not one of these games.
    pub fn info(&self, game: GameId) -> Result<&GameInfo, UnknownGame> {
        self.get(game).map(AnyGame::info)
    }

    /// A play from the position `fen`.
    ///
    /// # Errors
    /// If `fen` is not a FEN of the game, or the game is not one of these.
    pub fn play(&self, game: GameId, fen: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        self.get(game)?.play(fen)
    }

    /// A play from a position in any usual text form: see [`Position::import`](crate::Position::import).
    ///
    /// # Errors
    /// If the text is not a position of the game, or the game is not one of these.
    pub fn import(&self, game: GameId, text: &str) -> Result<Box<dyn AnyPlay>, PlayError> {
        self.get(game)?.import(text)
    }

    /// A play from the start called `name`: see [`Position::start`](crate::Position::start).
    ///
    /// # Errors
    /// If the game has no such start, or is not one of these.
    pub fn start(&self, game: GameId, name: &str, seed: u64) -> Result<Box<dyn AnyPlay>, PlayError> {
        self.get(game)?.start(name, seed)
    }

    /// A play from the default start of a game: see [`Position::startpos`](crate::Position::startpos).
    ///
    /// # Errors
    /// If the game is not one of these, or its rules fail.
    pub fn startpos(&self, game: GameId) -> Result<Box<dyn AnyPlay>, PlayError> {
        let game = self.get(game)?;
        game.start(game.info().starts[0].name, 1)
    }

    /// Why the rules of one of these games can no longer answer: see [`AnyGame::failure`].
    pub fn failure(&self) -> Option<String> {
        self.added.iter().find_map(|added| added.game.failure())
    }

    /// Why the rules of this game can no longer answer.
    pub fn failure_of(&self, game: GameId) -> Option<String> {
        self.get(game).ok()?.failure()
    }
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.known()).finish()
    }
}

/// Equal games have the same ids.
impl PartialEq for Games {
    fn eq(&self, other: &Self) -> bool {
        self.known().eq(other.known())
    }
}

/// Why a game was not added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// The id is malformed.
    #[error("the game id `{id}` is invalid; use lowercase words joined by hyphens")]
    BadId {
        /// The id.
        id: String,
    },
    /// The id is too long.
    #[error("the game id `{id}` has {} characters, but at most {} are possible; choose a shorter one", id.len(), GameId::LONGEST)]
    LongId {
        /// The id.
        id: String,
    },
    /// Another game has this id.
    #[error("the game `{id}` is already registered; give the new game another id")]
    Twice {
        /// The id.
        id: String,
    },
    /// The game has no start position.
    #[error("the game `{id}` has no start position; name one in its `GameInfo::starts`")]
    NoStart {
        /// The id.
        id: String,
    },
}
