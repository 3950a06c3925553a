//! The evaluation of Push Push: the ball, the pieces that can push it, material and threatened pieces. It does not
//! search.

use engine_proto::bits::bits64;
use engine_proto::games::push_push::terrain::{self, BOARD, EDGE, RANK_1, RANK_7};
use engine_proto::games::push_push::{Direction, Move, PushPush, Step, Value};
use engine_proto::{Position, Side};

use super::terms::{Counts, Sum, Tally, terms};
use super::weights::push_push::WEIGHTS;
use super::{Evaluator, Term};

/// The ball's way to each goal, the pieces behind it, in front of it and around it, material.
#[derive(Clone, Copy, Debug, Default)]
pub struct PushPushEval;

terms! {
    /// A piece, by its value.
    PIECE[4],
    /// The ball on a rank, counted from the side of the side to move.
    BALL[7],
    /// A piece at this number of king's steps from the square behind the ball, by its value.
    NEAR[28],
    /// A piece behind the ball that can push it straight on, by the ball's rank from its own side: of the side to move.
    PUSH[7],
    /// The same for the other side.
    PUSH_NEXT[7],
    /// The same as the first two, diagonally.
    SLANTING_PUSH[7],
    /// See above.
    SLANTING_PUSH_NEXT[7],
    /// A piece behind the ball that cannot push it, by its value.
    BEHIND[4],
    /// A piece that stops the ball on its straight way to its own side of the board; the same diagonally.
    STOPPER[2],
    /// A piece at the edge, by its value.
    AT_EDGE[4],
    /// A piece that an enemy next to it may push over the edge: of the side to move, and of the other.
    IN_DANGER[2],
    /// A 4 next to an enemy 1: of the side to move, and of the other.
    PREY[2],
    /// Each direction in which a piece can step, by the value of the piece.
    ROOM[4],
    /// A piece between the ball and its own side of the board, within reach of the ball's way there, by its value.
    ON_OWN_SIDE[4],
    /// The ball's straight way to the enemy's side of the board is empty, by its rank: of the side to move.
    OPEN_WAY[7],
    /// The same for the other side.
    OPEN_WAY_NEXT[7],
    /// The ball at the left or right edge by its rank, counted from the side of the side to move.
    BALL_AT_SIDE[7],
    /// A piece that can push the ball straight on, turn by turn, because no enemy gets in front of it in time, by the
    /// ball's rank: of the side to move.
    RUN[7],
    /// The same for the other side.
    RUN_NEXT[7],
    /// The same as the first two, if no enemy gets next to the ball in time to push it away either.
    SURE_RUN[7],
    /// See above.
    SURE_RUN_NEXT[7],
    /// A piece that can push the ball sideways: of the side to move, and of the other.
    SIDEWAYS[2],
    /// It is this side's move.
    TEMPO[1],
}

impl Evaluator<PushPush> for PushPushEval {
    const SPREAD: i32 = 200;
    const HAS_FORCING: bool = true;
    const TERMS: &'static [Term] = TERMS;

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }

    fn evaluate(&mut self, position: &PushPush) -> i32 {
        Sum::<N_WEIGHTS>::of(&WEIGHTS, |sum| tell(position, sum))
    }

    fn count(&self, position: &PushPush, counts: &mut [i32]) {
        tell(position, &mut Counts::into(counts));
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

fn tell(position: &PushPush, tally: &mut impl Tally) {
    let side = position.side_to_move();
    tally.add(TEMPO, 1);
    let rank = usize::from(rank_of_ball(position, side));
    tally.add(BALL + rank, 1);
    if position.ball() & EDGE & !(RANK_1 | RANK_7) != 0 {
        tally.add(BALL_AT_SIDE + rank, 1);
    }
    tell_of(position, side, tally);
    tally.turn();
    tell_of(position, !side, tally);
}

/// The value of the position for one side.
fn tell_of(position: &PushPush, side: Side, tally: &mut impl Tally) {
    let own = position.pieces(side);
    let waits = usize::from(position.side_to_move() != side);
    let goal = behind_ball(position, side);
    for value in Value::ALL {
        let pieces = position.pieces_of(side, value);
        tally.add(PIECE + value.index(), count(pieces));
        tally.add(AT_EDGE + value.index(), count(pieces & EDGE));
        for at in bits64(pieces) {
            tally.add(NEAR + 7 * value.index() + distance(1 << at, goal) as usize, 1);
        }
    }
    for direction in Direction::ALL {
        let steppers = position.steppers(side, direction);
        for value in Value::ALL {
            tally.add(ROOM + value.index(), count(steppers & position.of_value(value)));
        }
        if [Direction::East, Direction::West].contains(&direction) {
            tally.add(SIDEWAYS + waits, count(steppers & direction.behind(position.ball())));
        }
    }
    let rank = usize::from(rank_of_ball(position, side));
    for direction in forward(side) {
        let is_straight = direction == forward(side)[0];
        let behind = direction.behind(position.ball()) & own;
        if behind != 0 {
            let can_push = position.steppers(side, direction) & behind != 0;
            match (can_push, is_straight) {
                (true, true) => {
                    tally.add([PUSH, PUSH_NEXT][waits] + rank, 1);
                    tell_run(position, side, tally);
                }
                (true, false) => tally.add([SLANTING_PUSH, SLANTING_PUSH_NEXT][waits] + rank, 1),
                (false, _) => {
                    for value in Value::ALL {
                        tally.add(BEHIND + value.index(), count(behind & position.of_value(value)));
                    }
                }
            }
        }
    }
    let own_way = way(position.ball(), &forward(!side));
    for value in Value::ALL {
        tally.add(ON_OWN_SIDE + value.index(), count(own_way & position.pieces_of(side, value)));
    }
    if way(position.ball(), &forward(side)[..1]) & position.all_pieces() == 0 {
        tally.add([OPEN_WAY, OPEN_WAY_NEXT][waits] + rank, 1);
    }
    for direction in forward(!side) {
        let is_slanting = usize::from(direction != forward(!side)[0]);
        tally.add(STOPPER + is_slanting, count(direction.ahead(position.ball()) & own));
    }
    tally.add(IN_DANGER + waits, endangered(position, side));
    let fours = position.pieces_of(side, Value::Four);
    let ones = position.pieces_of(!side, Value::One);
    tally.add(PREY + waits, count(fours & beside(ones)));
}

/// Whether the enemy is too late to stop the ball, which `side` pushes straight on.
fn tell_run(position: &PushPush, side: Side, tally: &mut impl Tally) {
    let waits = usize::from(position.side_to_move() != side);
    let rank = usize::from(rank_of_ball(position, side));
    let direction = forward(side)[0];
    // The squares that enemies can reach before the next push.
    let mut guarded = position.pieces(!side);
    if waits == 1 {
        guarded |= beside(guarded);
    }
    let mut is_sure = true;
    let mut ball = position.ball();
    while ball != 0 {
        let next = direction.ahead(ball) & BOARD;
        if next & (guarded | position.all_pieces()) != 0 {
            return;
        }
        is_sure &= ball & guarded == 0;
        guarded |= beside(guarded);
        ball = next;
    }
    tally.add([RUN, RUN_NEXT][waits] + rank, 1);
    if is_sure {
        tally.add([SURE_RUN, SURE_RUN_NEXT][waits] + rank, 1);
    }
}

/// The squares that the ball can reach by steps in only these directions, on an empty board.
fn way(ball: u64, directions: &[Direction]) -> u64 {
    let (mut way, mut last) = (0, ball);
    while last != 0 {
        last = directions.iter().fold(0, |next, direction| next | direction.ahead(last)) & BOARD;
        way |= last;
    }
    way
}

/// The number of pieces of `side` that an enemy next to them may push over the edge, counted for each direction.
fn endangered(position: &PushPush, side: Side) -> i32 {
    let mut sum = 0;
    for direction in Direction::ALL {
        let leaving = BOARD & !direction.behind(BOARD);
        let mut stronger = 0;
        for value in Value::ALL.into_iter().rev() {
            sum += count(position.pieces_of(side, value) & leaving & direction.ahead(stronger));
            stronger |= position.pieces_of(!side, value);
        }
    }
    sum
}

/// The squares next to one of `squares`, including the margin.
fn beside(squares: u64) -> u64 {
    Direction::ALL.into_iter().fold(0, |beside, direction| beside | direction.ahead(squares))
}

/// Whether a step pushes an enemy piece or the ball off the board.
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

/// The directions towards the edge where `side` wins.
const fn forward(side: Side) -> [Direction; 3] {
    match side {
        Side::White => [Direction::North, Direction::NorthEast, Direction::NorthWest],
        Side::Black => [Direction::South, Direction::SouthEast, Direction::SouthWest],
    }
}

/// The square from which `side` pushes the ball straight on; the ball's own square if there is none.
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

const fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}
