//! What an author implements.

use super::{Options, Search};
use crate::{Play, Position};

/// An engine for the game of the position `P`. A new one is made for every game, so there is nothing to forget.
pub trait Engine<P: Position>: Send {
    /// The move to play in `play`, which is not over. Return soon after [`Search::must_stop`] turns true.
    fn think(&mut self, play: &Play<P>, search: &Search) -> P::Move;
}

/// Makes engines for whichever game: what [`super::Program::all_games`] asks for.
///
/// What is costly to load and the same for all games of a run belongs into the factory, not into its engines.
pub trait Factory: Send + Sync + 'static {
    /// A new engine for the game of `P`, set up as `options` say.
    fn engine<P: Position>(&self, options: &Options) -> Box<dyn Engine<P>>;
}
