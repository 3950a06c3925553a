//! The traits that an author of an engine implements.

use super::{Options, Search};
use crate::{Play, Position};

/// An engine for the game of the position `P`. Each match gets a new one, so no state is left from the match before.
pub trait Engine<P: Position>: Send {
    /// Returns the move to play in `play`, which is not over. Must return soon after [`Search::must_stop`] becomes
    /// true.
    fn think(&mut self, play: &Play<P>, search: &Search) -> P::Move;
}

/// Makes engines for any game; an argument of [`super::Program::all_games`].
///
/// Data that is slow to load and the same for all matches belongs in the factory, not in its engines.
pub trait Factory: Send + Sync + 'static {
    /// A new engine for the game of `P`, with these option values.
    fn engine<P: Position>(&self, options: &Options) -> Box<dyn Engine<P>>;
}
