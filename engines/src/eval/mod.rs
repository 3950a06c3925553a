//! What positions are worth without search: the trait, and which game has which evaluator. No search here.

mod generic;

use engine_proto::Position;

pub use generic::Mobility;

/// Judges positions of one game that are not over, and says which moves are worth looking at beyond the horizon.
///
/// Its answers depend on nothing but the position and what was set when it was made.
pub trait Evaluator<P: Position>: Clone + Send + Sync + 'static {
    /// The advantage, in centi-units, with which a side wins three games of four.
    const SPREAD: i32;

    /// Whether any move is ever called forcing; without one, no time is spent on asking.
    const HAS_FORCING: bool = false;

    /// What `position` is worth to its side to move, in centi-units.
    fn evaluate(&self, position: &P) -> i32;

    /// Whether `mv` changes the value of `position` so much at once that evaluating before it misleads: a capture, say.
    fn is_forcing(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// How good `mv` looks without playing it, to be tried earlier; from -1000 to 1000.
    fn promise(&self, _position: &P, _mv: P::Move) -> i32 {
        0
    }
}
