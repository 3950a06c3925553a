//! The value of a single move: the end of the game, a draw by the history of the play, or an evaluation. It searches no
//! further.

use engine_proto::Position;

use super::path::{self, Path};
use super::score::{self, DRAW, Score};
use crate::eval::Evaluator;

/// The value of the position after `mv` for the side that plays it. `path` ends with `position`.
pub fn value_after<P: Position, E: Evaluator<P>>(
    evaluator: &mut E,
    position: &P,
    mv: P::Move,
    path: &mut Path,
) -> Score {
    let mut next = position.clone();
    next.play_unchecked(mv);
    let side = position.side_to_move();
    if let Some(end) = next.end() {
        return score::of_end(end, side, 1);
    }
    path.push(next.fingerprint());
    let is_drawn = path.repeats() || path::is_quiet_draw(&next);
    path.pop();
    if is_drawn {
        return DRAW;
    }
    let value = score::of_evaluation(evaluator.evaluate(&next));
    if next.side_to_move() == side { value } else { -value }
}
