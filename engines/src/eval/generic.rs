//! The evaluation of games that have none of their own: mobility.

use engine_proto::Position;

use super::Evaluator;

/// Many moves are good for the side to move. It knows nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl<P: Position> Evaluator<P> for Mobility {
    const SPREAD: i32 = 200;

    fn evaluate(&self, position: &P) -> i32 {
        // The logarithm makes twice the moves the same advantage, be they 5 or 500. In tenths of an octave.
        let moves = position.count_legal_moves() as f32;
        (moves.max(1.0).log2() * 10.0) as i32
    }
}
