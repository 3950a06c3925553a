//! The evaluation of Tower Push: pieces, the squares around the Tower, pieces that may be pushed off. It looks no move
//! ahead.

use engine_proto::games::tower_push::{Cell, Direction, Move, Squares, Step, TowerPush};
use engine_proto::{Position, Side};

use super::Evaluator;

/// Pieces, patterns around the Tower, nearness to it, danger at the edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct TowerPushEval;

/// A piece on the board or in hand. One that is pushed off is lost to one side and won by the other.
const PIECE: i32 = 100;
/// A piece in hand may go anywhere.
const IN_HAND: i32 = 30;
/// By the number of a side's pieces on a pattern of which the enemy holds nothing.
const PATTERN: [i32; 5] = [0, 12, 40, 110, 0];
/// By the number of a side's pieces on a pattern that the enemy has a share in.
const SHARED_PATTERN: [i32; 5] = [0, 6, 15, 35, 0];
/// A piece beside the Tower, and one a step away from there.
const NEAR: [i32; 2] = [14, 6];
/// A piece that an enemy may push off with his next step.
const IN_DANGER: i32 = 22;
/// A piece at the edge.
const AT_EDGE: i32 = 6;

impl Evaluator<TowerPush> for TowerPushEval {
    const SPREAD: i32 = 200;
    const HAS_FORCING: bool = true;

    fn evaluate(&self, position: &TowerPush) -> i32 {
        let side = position.side_to_move();
        // Of the pieces in danger those of the side that steps next can still be helped.
        let due = position.next_to_step();
        let danger =
            |of: Side| endangered(position, of) * if of == due { IN_DANGER / 2 } else { IN_DANGER * 2 };
        let own = standing(position, side) - danger(side);
        let other = standing(position, !side) - danger(!side);
        own - other
    }

    fn is_forcing(&self, position: &TowerPush, mv: Move) -> bool {
        match mv {
            Move::Step(step) => captures(position, step),
            Move::Place(_) | Move::Pass => false,
        }
    }

    fn promise(&self, position: &TowerPush, mv: Move) -> i32 {
        match mv {
            Move::Step(step) => nearness(position, step.to) - nearness(position, step.from),
            Move::Place(cell) => nearness(position, cell),
            Move::Pass => 0,
        }
    }
}

/// What one side's pieces are worth, their danger aside.
fn standing(position: &TowerPush, side: Side) -> i32 {
    let (own, enemy) = (position.pieces(side), position.pieces(!side));
    let in_hand = i32::from(position.in_hand(side));
    let patterns = position.size().patterns();
    let patterns_value: i32 = patterns
        .into_iter()
        .map(|pattern| {
            let values = if (pattern & enemy).is_empty() { PATTERN } else { SHARED_PATTERN };
            values[(pattern & own).len() as usize]
        })
        .sum();
    let beside = Squares::of(position.size().tower()).neighbours();
    let near = beside.neighbours() & !beside;
    PIECE * own.len() as i32
        + (PIECE + IN_HAND) * in_hand
        + patterns_value
        + NEAR[0] * (own & beside).len() as i32
        + NEAR[1] * (own & near).len() as i32
        - AT_EDGE * (own & edge(position)).len() as i32
}

/// How many pieces of `side` a single enemy step may push off, each direction counted.
fn endangered(position: &TowerPush, side: Side) -> i32 {
    let own = position.pieces(side);
    let within = position.size().squares();
    let landings = position.empty() & position.pieces(!side).neighbours();
    Direction::ALL
        .into_iter()
        .map(|direction| {
            // Those that a push in this direction takes over the edge: it comes from the square before them.
            let staying = own & landings.shifted(direction);
            (staying.shifted(direction) & within).len().abs_diff(staying.len()) as i32
        })
        .sum()
}

/// Whether a step pushes an enemy piece off the board.
fn captures(position: &TowerPush, step: Step) -> bool {
    let enemy = position.pieces(!position.side_to_move());
    (step.to.neighbours() & enemy)
        .cells()
        .any(|first| is_pushed_off(position, first, Direction::between(step.to, first), step.from))
}

/// Whether a push of the piece on `first` takes the last of its chain over the edge. `vacated` is the stepper's old square.
fn is_pushed_off(position: &TowerPush, first: Cell, direction: Direction, vacated: Cell) -> bool {
    let size = position.size();
    let mut at = first;
    loop {
        let Some(next) = at.next(direction).filter(|&next| size.squares().contains(next)) else {
            return position.pieces(!position.side_to_move()).contains(at);
        };
        if next == vacated || next == size.tower() || position.empty().contains(next) {
            return false;
        }
        at = next;
    }
}

fn edge(position: &TowerPush) -> Squares {
    let within = position.size().squares();
    let inner = within
        & within.shifted(Direction::North)
        & within.shifted(Direction::South)
        & within.shifted(Direction::East)
        & within.shifted(Direction::West);
    within & !inner
}

/// How near a square is to the Tower, to order moves by.
fn nearness(position: &TowerPush, cell: Cell) -> i32 {
    let (tower, square) = (position.size().tower().square(), cell.square());
    let distance = tower.file.abs_diff(square.file).max(tower.rank.abs_diff(square.rank));
    -20 * i32::from(distance)
}
