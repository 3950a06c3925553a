//! One step, for all squares at once: what the heights, the edge and the other pieces make of it in each direction.
//!
//! Every word is a board with the squares *from* which something holds; so the moves of many pieces in one direction
//! are one `&` away.

use super::board::Direction;
use super::{Push, Terrain};

/// A step in one direction, from every square of the board at once.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub direction: Direction,
    /// The step is ordinary and goes onto an empty square.
    pub open: u64,
    /// The step is a fall onto an empty square.
    pub fall: u64,
    /// The step would be ordinary if the piece before it were not there, and pushing that piece does something.
    pub push: u64,
    /// A piece stands here, and pushing it in this direction does something.
    pub pushable: u64,
    /// A slide in this direction has just climbed if it comes here: it must end.
    climbed: u64,
}

/// How a rook or a bishop slides in one direction.
#[derive(Clone, Copy)]
pub(super) struct Slide {
    /// Where it may stop.
    pub stops: u64,
    /// The square it goes on from by a fall or a push, if it may: its own square, or the furthest of `stops`.
    pub brink: u64,
}

impl Step {
    /// The steps in all directions from the squares of a position.
    pub(super) fn all(position: &Push) -> [Self; 8] {
        let [n, s] = Slope::pair(&position.terrain, Direction::North, Direction::South);
        let [e, w] = Slope::pair(&position.terrain, Direction::East, Direction::West);
        let [ne, sw] = Slope::pair(&position.terrain, Direction::NorthEast, Direction::SouthWest);
        let [nw, se] = Slope::pair(&position.terrain, Direction::NorthWest, Direction::SouthEast);
        let (occupied, vacant) = (position.occupied(), position.vacant());
        [n, s, e, w, ne, sw, nw, se].map(|slope| slope.step(occupied, vacant))
    }

    /// The slide from the only square of `origin`; none from no square.
    pub(super) fn slide(&self, origin: u64) -> Slide {
        let ray = self.direction.ray(origin);
        // The ray leaves the board, so it always meets a square from which the slide cannot go on.
        let ends = (ray & (!self.open | self.climbed)) | (origin & !self.open);
        let up_to_last = if self.direction.ascends() { up_to_lowest(ends) } else { down_to_highest(ends) };
        let last = ends & up_to_last;
        Slide { stops: ray & up_to_last, brink: last & (!self.climbed | origin) }
    }
}

/// What the heights and the edge alone make of a step in one direction: the part that never changes.
#[derive(Clone, Copy)]
struct Slope {
    direction: Direction,
    opposite: Direction,
    ordinary: u64,
    /// The next square is 2 lower.
    fall: u64,
    /// There is no next square.
    edge: u64,
    climbed: u64,
}

impl Slope {
    /// The slopes in a direction and in the opposite one.
    fn pair(terrain: &Terrain, forward: Direction, backward: Direction) -> [Self; 2] {
        let [low, middle, high] = [0, 1, 2].map(|height| terrain.level(height));
        // The squares whose next square forward is low, middle, high.
        let [to_low, to_middle, to_high] = [low, middle, high].map(|level| backward.shift(level));
        let inner = (to_low | to_middle | to_high) & terrain.board();
        let fall = high & to_low;
        let cliff = low & to_high;
        let up = (low & to_middle) | (middle & to_high);
        let down = (middle & to_low) | (high & to_middle);
        let ordinary = inner & !fall & !cliff;
        // What is a step up one way is a step down the other way.
        [
            Self {
                direction: forward,
                opposite: backward,
                ordinary,
                fall,
                edge: terrain.board() & !inner,
                climbed: forward.shift(up),
            },
            Self {
                direction: backward,
                opposite: forward,
                ordinary: forward.shift(ordinary),
                fall: forward.shift(cliff),
                edge: terrain.board() & !forward.shift(inner),
                climbed: down,
            },
        ]
    }

    /// Adds what the pieces make of it.
    fn step(self, occupied: u64, vacant: u64) -> Step {
        let before_vacant = self.opposite.shift(vacant);
        let open = self.ordinary & before_vacant;
        // The table of the section The kinds of move: it dies at the edge and at a fall, with or without a piece
        // below, and it moves where it could step; it stays before a cliff and before a piece.
        let pushable = occupied & (self.edge | self.fall | open);
        Step {
            direction: self.direction,
            open,
            fall: self.fall & before_vacant,
            push: self.ordinary & self.opposite.shift(pushable),
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
