//! The evaluation of Push: pieces, who may be pushed to death, the race for the goal tiles. It looks no move ahead; of
//! heights it heeds cliffs only.

use engine_proto::games::push::{Cell, Direction, Kind, Move, Push};
use engine_proto::{Position, Side};

use super::Evaluator;

/// Material, threats of death, exposure of the kings, nearness to the goals, stuns.
#[derive(Clone, Copy, Debug, Default)]
pub struct PushEval;

/// A piece, by [`Kind`]. The king's worth is for ordering moves and sharing threats: without him the game is over.
const PIECE: [i32; 5] = [1000, 420, 450, 330, 200];
/// A threatened piece of the side to move loses this part of its worth, one in so many; of the other side this one.
const THREATENED: [i32; 2] = [12, 3];
/// Each direction in which a push would kill the king.
const EXPOSED: i32 = 7;
/// A piece so many king's steps from the enemy's goal tile.
const RACE: [i32; 8] = [140, 60, 32, 18, 9, 4, 1, 0];
/// A piece on the enemy's goal tile that the enemy must push away at once.
const HOLDING: i32 = 250;
/// A stunned piece.
const STUNNED: i32 = 25;
/// An enemy within two steps of the king.
const NEAR_KING: i32 = 14;
/// The side to move is a step ahead.
const TEMPO: i32 = 15;

impl Evaluator<Push> for PushEval {
    const SPREAD: i32 = 250;
    const HAS_FORCING: bool = true;

    fn evaluate(&self, position: &Push) -> i32 {
        let side = position.side_to_move();
        TEMPO + standing(position, side) - standing(position, !side)
    }

    fn is_forcing(&self, position: &Push, mv: Move) -> bool {
        victim(position, mv).is_some_and(|victim| victim & position.pieces(!position.side_to_move()) != 0)
    }

    fn promise(&self, position: &Push, mv: Move) -> i32 {
        let side = position.side_to_move();
        match mv {
            Move::Suicide { .. } => -900,
            Move::Walk { from, to } => {
                let goal = position.goal(!side);
                20 * (distance(from, goal) - distance(to, goal))
            }
            Move::Push { target, .. } | Move::KnightPush { target, .. } => {
                let worth = position.piece_at(target).map_or(0, |(_, kind)| PIECE[kind as usize]);
                let is_enemy = target.is_on(position.pieces(!side));
                let dies = victim(position, mv).is_some();
                match (is_enemy, dies) {
                    (true, true) => worth,
                    (true, false) => 60 + worth / 10,
                    (false, true) => -worth,
                    (false, false) => -60,
                }
            }
            Move::Pass => 0,
        }
    }
}

/// What one side's pieces are worth as they stand.
fn standing(position: &Push, side: Side) -> i32 {
    let own = position.pieces(side);
    let material: i32 = Kind::ALL
        .iter()
        .map(|&kind| PIECE[kind as usize] * (own & position.kind(kind)).count_ones() as i32)
        .sum();
    material - danger(position, side) - king_exposure(position, side) + race(position, side)
        - STUNNED * (own & position.stunned()).count_ones() as i32
}

/// What the enemy's threats to push pieces to death cost.
fn danger(position: &Push, side: Side) -> i32 {
    let threatened = threatened(position, side);
    if threatened == 0 {
        return 0;
    }
    let part = THREATENED[usize::from(position.side_to_move() != side)];
    let worths = Kind::ALL
        .iter()
        .map(|&kind| PIECE[kind as usize] * (threatened & position.kind(kind)).count_ones() as i32);
    worths.sum::<i32>() / part
}

/// The pieces of `side` that an enemy attacks in a direction in which a push kills.
fn threatened(position: &Push, side: Side) -> u64 {
    let own = position.pieces(side);
    let able = position.pieces(!side) & !position.stunned();
    let close = able & (position.kind(Kind::King) | position.kind(Kind::Pawn));
    let mut threatened = 0;
    let mut exposed = 0;
    for direction in Direction::ALL {
        let exposed_here = own & deadly(position, direction);
        exposed |= exposed_here;
        if exposed_here == 0 {
            continue;
        }
        let slider = if direction.is_diagonal() { Kind::Bishop } else { Kind::Rook };
        let sliders = able & position.kind(slider);
        let attacked = direction.shift(close) | direction.shift(slide(sliders, position.vacant(), direction));
        threatened |= exposed_here & attacked;
    }
    let jumps =
        Cell::all_of(able & position.kind(Kind::Knight)).fold(0, |jumps, knight| jumps | knight.jumps());
    threatened | (exposed & jumps)
}

/// The squares of `sliders` and all vacant ones that they slide over in a direction, on level ground.
fn slide(sliders: u64, vacant: u64, direction: Direction) -> u64 {
    let mut reached = sliders;
    loop {
        let further = reached | (direction.shift(reached) & vacant);
        if further == reached {
            return reached;
        }
        reached = further;
    }
}

/// The squares from which a push in this direction kills: at the edge, and above a fall.
fn deadly(position: &Push, direction: Direction) -> u64 {
    let terrain = position.terrain();
    let back = opposite(direction);
    let edge = terrain.board() & !back.shift(terrain.board());
    edge | terrain.level(2) & back.shift(terrain.level(0))
}

/// How badly the king stands.
fn king_exposure(position: &Push, side: Side) -> i32 {
    let Some(king) = position.king(side) else { return 0 };
    let directions =
        Direction::ALL.iter().filter(|&&direction| king.is_on(deadly(position, direction))).count();
    let around = grown(grown(king.board()));
    let enemies = (around & position.pieces(!side)).count_ones() as i32;
    EXPOSED * directions as i32 + NEAR_KING * enemies
}

/// How near the side is to winning by the enemy's goal tile.
fn race(position: &Push, side: Side) -> i32 {
    let runners = position.pieces(side) & !position.kind(Kind::Knight);
    let goal = position.goal(!side);
    if goal.is_on(runners) && position.side_to_move() != side {
        return HOLDING;
    }
    let mut near = goal.board();
    for worth in RACE {
        if near & runners != 0 {
            return worth;
        }
        near = grown(near);
    }
    0
}

/// The piece that a move kills, as a board.
fn victim(position: &Push, mv: Move) -> Option<u64> {
    let (target, direction) = match mv {
        Move::Push { pusher, target } => (target, direction_between(pusher, target)),
        Move::KnightPush { target, direction, .. } => (target, direction),
        Move::Walk { .. } | Move::Suicide { .. } | Move::Pass => return None,
    };
    // Whoever stands below a fall dies too.
    let below = direction.shift(target.board()) & position.occupied();
    target.is_on(deadly(position, direction)).then_some(target.board() | below)
}

/// The direction from one square to another on a line with it.
fn direction_between(from: Cell, to: Cell) -> Direction {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match (to.file().cmp(&from.file()), to.rank().cmp(&from.rank())) {
        (Equal, Less) => Direction::South,
        (Equal, _) => Direction::North,
        (Greater, Greater) => Direction::NorthEast,
        (Greater, Equal) => Direction::East,
        (Greater, Less) => Direction::SouthEast,
        (Less, Less) => Direction::SouthWest,
        (Less, Equal) => Direction::West,
        (Less, Greater) => Direction::NorthWest,
    }
}

const fn opposite(direction: Direction) -> Direction {
    Direction::ALL[(direction as usize + 4) % 8]
}

/// These squares and their neighbours.
fn grown(squares: u64) -> u64 {
    let row = squares | Direction::East.shift(squares) | Direction::West.shift(squares);
    row | Direction::North.shift(row) | Direction::South.shift(row)
}

/// King's steps between two squares.
fn distance(a: Cell, b: Cell) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}
