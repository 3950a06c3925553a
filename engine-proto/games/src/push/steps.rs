//! One step for all squares at once, with the effects of heights, the edge and other pieces in each direction.
//!
//! A step consists of a few boards, most of them with the squares *from* which something is possible, so that the moves
//! of many pieces in one direction need only one `&`.

use super::Push;
use crate::Direction;

/// A step in one direction, from every square of the board at once.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub direction: Direction,
    /// The step is ordinary and goes onto an empty square.
    pub open: u64,
    /// The step is a fall onto an empty square.
    pub fall: u64,
    /// A piece is in the way of an ordinary step, and pushing it has an effect.
    pub push: u64,
    /// There is a piece here, and pushing it in this direction has an effect.
    pub pushable: u64,
    /// A slide in this direction that reaches this square has just climbed, so it must end.
    climbed: u64,
}

/// How a rook or a bishop slides in one direction.
#[derive(Clone, Copy)]
pub(super) struct Slide {
    /// The squares where it may stop.
    pub stops: u64,
    /// The square from which it continues by a fall or a push, if it may: its own square, or the furthest of `stops`.
    pub brink: u64,
}

impl Step {
    /// The steps in all directions from the squares of a position.
    pub(super) fn all(position: &Push) -> [Self; 8] {
        let [n, s] = Self::both_ways(position, Direction::North, Direction::South);
        let [e, w] = Self::both_ways(position, Direction::East, Direction::West);
        let [ne, sw] = Self::both_ways(position, Direction::NorthEast, Direction::SouthWest);
        let [nw, se] = Self::both_ways(position, Direction::NorthWest, Direction::SouthEast);
        [n, s, e, w, ne, sw, nw, se]
    }

    /// The slide from the only square of `origin`; none from no square.
    pub(super) fn slide(&self, origin: u64) -> Slide {
        let ray = self.direction.ray(origin);
        // The ray leaves the board, so it always reaches a square where the slide must end.
        let ends = (ray & (!self.open | self.climbed)) | (origin & !self.open);
        let up_to_last = if self.direction.ascends() { up_to_lowest(ends) } else { down_to_highest(ends) };
        let last = ends & up_to_last;
        Slide { stops: ray & up_to_last, brink: last & (!self.climbed | origin) }
    }

    /// The steps in a direction and in the opposite one.
    fn both_ways(position: &Push, forward: Direction, backward: Direction) -> [Self; 2] {
        let terrain = position.terrain();
        let [low, middle, high] = [0, 1, 2].map(|height| terrain.level(height));
        // The squares whose next square forward is low, middle, high.
        let [to_low, to_middle, to_high] = [low, middle, high].map(|level| backward.shift(level));
        let inner = (to_low | to_middle | to_high) & terrain.board();
        let fall = high & to_low;
        let cliff = low & to_high;
        let up = (low & to_middle) | (middle & to_high);
        let down = (middle & to_low) | (high & to_middle);
        let ordinary = inner & !fall & !cliff;
        let there = Slope { ordinary, fall, edge: terrain.board() & !inner, climbed: forward.shift(up) };
        // A step up in one direction is a step down in the other one.
        let back = Slope {
            ordinary: forward.shift(ordinary),
            fall: forward.shift(cliff),
            edge: terrain.board() & !forward.shift(inner),
            climbed: down,
        };
        [there.step(position, forward, backward), back.step(position, backward, forward)]
    }
}

/// The effects of the heights and the edge on a step in one direction, which never change.
struct Slope {
    ordinary: u64,
    /// The next square is 2 lower.
    fall: u64,
    /// There is no next square.
    edge: u64,
    climbed: u64,
}

impl Slope {
    /// Adds the effects of the pieces.
    #[inline]
    fn step(self, position: &Push, direction: Direction, opposite: Direction) -> Step {
        let before_vacant = opposite.shift(position.vacant());
        let open = self.ordinary & before_vacant;
        // The table of the section The kinds of move: a pushed piece dies at the edge and at a fall, with or without a
        // piece below. It moves if it could step there. It stays before a cliff or a piece.
        let pushable = position.occupied() & (self.edge | self.fall | open);
        Step {
            direction,
            open,
            fall: self.fall & before_vacant,
            push: self.ordinary & opposite.shift(pushable),
            pushable,
            climbed: self.climbed,
        }
    }
}

/// The lowest square of `board` and all below it; every square if it is empty.
const fn up_to_lowest(board: u64) -> u64 {
    board ^ board.wrapping_sub(1)
}

/// The highest square of `board` and all above it; no square if it is empty.
const fn down_to_highest(board: u64) -> u64 {
    match board.checked_ilog2() {
        Some(bit) => u64::MAX << bit,
        None => 0,
    }
}
