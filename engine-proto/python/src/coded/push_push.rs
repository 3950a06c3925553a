//! Push Push: 589 actions.

use games::push_push::terrain::Direction;
use games::push_push::{Move, Push, PushPush, Value};
use games::{Position, Side};

use super::{Coded, Planes, seen_from};

const SIZE: usize = 7;
const AREA: usize = SIZE * SIZE;

impl Coded for PushPush {
    const PLANES: &'static [&'static str] = &[
        "own pieces of value 1",
        "own pieces of value 2",
        "own pieces of value 3",
        "own pieces of value 4",
        "opponent's pieces of value 1",
        "opponent's pieces of value 2",
        "opponent's pieces of value 3",
        "opponent's pieces of value 4",
        "the ball",
        "squares barred by the first step for pieces of value 1",
        "squares barred by the first step for pieces of value 2",
        "squares barred by the first step for pieces of value 3",
        "squares barred by the first step for pieces of value 4",
    ];

    fn board(&self) -> [usize; 2] {
        [SIZE; 2]
    }

    fn n_actions(&self) -> usize {
        12 * AREA + 1
    }

    /// `direction * 49 + from` for steps, `(8 + direction / 2) * 49 + from` for deflected pushes, 588 for the pass.
    fn action(&self, mv: Move) -> usize {
        let Move::Step(step) = mv else { return 12 * AREA };
        let viewer = self.side_to_move();
        let from = step.from();
        let square = seen_from(viewer, usize::from(from.rank) * SIZE + usize::from(from.file), AREA);
        let direction = clockwise(step.direction());
        let direction = if viewer == Side::White { direction } else { (direction + 4) % 8 };
        match step.push() {
            Push::Normal => direction * AREA + square,
            Push::Deflected => (8 + direction / 2) * AREA + square,
        }
    }

    fn observe(&self, planes: &mut Planes<'_>) {
        for side in planes.sides() {
            for value in Value::ALL {
                planes.bits(self.pieces_of(side, value));
            }
        }
        planes.bits(self.ball());
        for value in Value::ALL {
            let first = self.first_step().filter(|first| first.value == value);
            planes.bits(first.map_or(0, games::push_push::FirstStep::forbidden));
        }
    }
}

/// The number of a direction, 0 for north and clockwise.
const fn clockwise(direction: Direction) -> usize {
    match direction {
        Direction::North => 0,
        Direction::NorthEast => 1,
        Direction::East => 2,
        Direction::SouthEast => 3,
        Direction::South => 4,
        Direction::SouthWest => 5,
        Direction::West => 6,
        Direction::NorthWest => 7,
    }
}
