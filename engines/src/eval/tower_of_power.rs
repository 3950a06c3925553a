//! The evaluation of Tower of Power: who owns squares, who has stones, who can move. It looks no move ahead.

use engine_proto::games::tower_of_power::{Move, TowerOfPower};
use engine_proto::{Position, Side};

use super::Evaluator;

/// Owned squares, stones in all, towers in hand, room to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct TowerOfPowerEval;

/// A square owned: its top stone can move.
const OWNED: i32 = 100;
/// A buried stone. It may come free one day.
const BURIED: i32 = 25;
/// A stone of one's own right beneath an enemy top.
const NEARLY_FREE: i32 = 15;
/// Each doubling of the number of moves.
const MOBILITY: f32 = 60.0;
/// The side to move is about to take something.
const TEMPO: i32 = 40;

impl Evaluator<TowerOfPower> for TowerOfPowerEval {
    const SPREAD: i32 = 250;

    fn evaluate(&self, position: &TowerOfPower) -> i32 {
        let side = position.side_to_move();
        TEMPO + standing(position, side) - standing(position, !side)
    }

    fn promise(&self, position: &TowerOfPower, mv: Move) -> i32 {
        let side = position.side_to_move();
        let captured = (mv.laid() & position.owned(!side)).count_ones() as i32;
        let covered = (mv.laid() & position.owned(side)).count_ones() as i32;
        let freed = (mv.lifted() & position.towers()).count_ones() as i32;
        (captured * 250 + freed * 30 - covered * 100).clamp(-1000, 1000)
    }
}

/// What one side's stones are worth.
fn standing(position: &TowerOfPower, side: Side) -> i32 {
    let owned = position.owned(side).count_ones() as i32;
    let buried = position.buried_stones(side) as i32;
    let nearly_free = (position.beneath_tops(side) & position.owned(!side)).count_ones() as i32;
    let mobility = MOBILITY * (1.0 + position.mobility(side) as f32).log2();
    OWNED * owned + BURIED * buried + NEARLY_FREE * nearly_free + mobility as i32
}
