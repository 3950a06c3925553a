//! The evaluation of Push Push: where the ball is, who can push it where, what the pieces are worth. It looks no move
//! ahead.

use engine_proto::bits::bits64;
use engine_proto::games::push_push::terrain::{self, BOARD};
use engine_proto::games::push_push::{Direction, Move, PushPush, Step, Value};
use engine_proto::{Position, Side};

use super::Evaluator;

/// The ball's way to each goal, the pieces behind it, material.
#[derive(Clone, Copy, Debug, Default)]
pub struct PushPushEval;

/// A piece, by its value.
const PIECE: [i32; 4] = [90, 110, 130, 150];
/// The ball on a rank, counted from one's own side.
const BALL: [i32; 7] = [-200, -110, -45, 0, 45, 110, 200];
/// A piece so many king's steps from the square behind the ball.
const NEAR: [i32; 7] = [40, 26, 16, 9, 4, 1, 0];
/// A piece right behind the ball, straight or aslant, where the ball can go on; the same where it cannot.
const PUSHER: [i32; 2] = [30, 8];
/// The side to move is a step ahead.
const TEMPO: i32 = 15;

impl Evaluator<PushPush> for PushPushEval {
    const SPREAD: i32 = 200;
    const HAS_FORCING: bool = true;

    fn evaluate(&self, position: &PushPush) -> i32 {
        let side = position.side_to_move();
        TEMPO + standing(position, side) - standing(position, !side)
    }

    fn is_forcing(&self, position: &PushPush, mv: Move) -> bool {
        match mv {
            Move::Step(step) => removes(position, step),
            Move::Pass => false,
        }
    }

    fn promise(&self, position: &PushPush, mv: Move) -> i32 {
        let Move::Step(step) = mv else { return 0 };
        let side = position.side_to_move();
        if step.target() & position.ball() != 0 {
            let ahead = forward(side).contains(&step.direction());
            return if ahead { 400 } else { -200 };
        }
        let goal = behind_ball(position, side);
        20 * (distance(step.source(), goal) - distance(step.target(), goal))
    }
}

/// What the position is worth to one side, the other's pieces aside.
fn standing(position: &PushPush, side: Side) -> i32 {
    let goal = behind_ball(position, side);
    let mut sum = BALL[usize::from(rank_of_ball(position, side))] / 2;
    for value in Value::ALL {
        for at in bits64(position.pieces_of(side, value)) {
            sum += PIECE[value.index()] + NEAR[distance(1 << at, goal) as usize];
        }
    }
    let free = !position.occupied();
    for direction in forward(side) {
        if direction.behind(position.ball()) & position.pieces(side) != 0 {
            let is_open = direction.ahead(position.ball()) & free != 0;
            sum += PUSHER[usize::from(!is_open)];
        }
    }
    sum
}

/// Whether a step takes an enemy piece or the ball off the board.
fn removes(position: &PushPush, step: Step) -> bool {
    if step.target() & position.occupied() == 0 {
        return false;
    }
    let enemy = position.pieces(!position.side_to_move());
    let mut last = step.target();
    while step.direction().ahead(last) & position.occupied() != 0 {
        last = step.direction().ahead(last);
    }
    let leaves = step.direction().ahead(last) & BOARD == 0;
    let is_capture = step.source() & position.of_value(Value::One) != 0
        && step.target() & enemy & position.of_value(Value::Four) != 0;
    is_capture || leaves && last & (enemy | position.ball()) != 0
}

/// The directions that take the ball towards the edge where `side` wins.
const fn forward(side: Side) -> [Direction; 3] {
    match side {
        Side::White => [Direction::North, Direction::NorthEast, Direction::NorthWest],
        Side::Black => [Direction::South, Direction::SouthEast, Direction::SouthWest],
    }
}

/// The square from which `side` pushes the ball straight on; the ball's own where there is none.
fn behind_ball(position: &PushPush, side: Side) -> u64 {
    let behind = forward(side)[0].behind(position.ball()) & BOARD;
    if behind == 0 { position.ball() } else { behind }
}

/// The ball's rank, counted from the side of `side`.
fn rank_of_ball(position: &PushPush, side: Side) -> u8 {
    let rank = terrain::square(position.ball()).rank;
    match side {
        Side::White => rank,
        Side::Black => terrain::SIZE - 1 - rank,
    }
}

/// King's steps between two squares.
fn distance(a: u64, b: u64) -> i32 {
    let (a, b) = (terrain::square(a), terrain::square(b));
    i32::from(a.file.abs_diff(b.file).max(a.rank.abs_diff(b.rank)))
}
