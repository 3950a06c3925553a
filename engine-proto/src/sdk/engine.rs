//! The traits that an author of an engine implements.

use super::{Options, Search};
use crate::proto::GameOver;
use crate::{Play, Position, Searchable};

/// An engine for the game of the position `P`. Each match gets a new one, so no state is left from the match before.
pub trait Engine<P: Position>: Send {
    /// Returns the answer in `play`, which is not over: a move, by `mv.into()`, or more than that ([`Choice`]). Must
    /// return soon after [`Search::must_stop`] becomes true.
    fn think(&mut self, play: &Play<P>, search: &Search) -> Choice<P::Move>;

    /// The match is over: for an engine that learns or logs. It is not called if the arena does not say so.
    fn game_over(&mut self, _over: &GameOver<'_>) {}
}

/// What an engine answers to `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice<M> {
    /// A move.
    Move {
        /// The move to play.
        mv: M,
        /// The reply that the engine expects, to ponder on. It is sent only if the option `Ponder` is on.
        reply: Option<M>,
        /// Whether it offers a draw, or accepts the offer of [`Search::draw_is_offered`].
        draw: bool,
    },
    /// Resignation.
    Resign,
}

impl<M> Choice<M> {
    /// The move; `None` for a resignation.
    pub fn mv(self) -> Option<M> {
        match self {
            Self::Move { mv, .. } => Some(mv),
            Self::Resign => None,
        }
    }
}

impl<M> From<M> for Choice<M> {
    fn from(mv: M) -> Self {
        Self::Move { mv, reply: None, draw: false }
    }
}

/// Makes engines for any game; an argument of [`super::Program::all_games`].
///
/// Data that is slow to load and the same for all matches belongs in the factory, not in its engines.
pub trait Factory: Send + Sync + 'static {
    /// A new engine for the game of `P`, with these option values.
    fn engine<P: Searchable>(&self, options: &Options) -> Box<dyn Engine<P>>;
}
