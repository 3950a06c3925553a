//! What an author implements.

use super::Search;
use crate::{Play, Position};

/// An engine for the game of the position `P`. A new one is made for every game, so there is nothing to forget.
pub trait Engine<P: Position>: Send {
    /// The move to play in `play`, which is not over. Return soon after [`Search::must_stop`] turns true.
    fn think(&mut self, play: &Play<P>, search: &Search) -> P::Move;
}
