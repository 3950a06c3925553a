//! Tower Push, on N x N squares: 9 N² + 1 actions.

use games::tower_push::{Cell, Move, Step, TowerPush};
use games::{Direction, Position};

use super::{Coded, Planes, direction_from, seen_from};

impl Coded for TowerPush {
    const PLANES: &'static [&'static str] = &[
        "own pieces",
        "opponent's pieces",
        "the Tower",
        "own pieces in hand / 2N, everywhere",
        "opponent's pieces in hand / 2N, everywhere",
        "viewer steps next: 1 everywhere if the viewer makes the next step",
        "the square from which a step is banned",
        "the square to which this step is banned",
    ];

    fn board(&self) -> [usize; 2] {
        [usize::from(self.size().width()); 2]
    }

    fn n_actions(&self) -> usize {
        let [n, _] = self.board();
        9 * n * n + 1
    }

    /// `direction * N² + from` for steps, `8 * N² + to` for placements, `9 * N²` for the pass.
    fn action(&self, mv: Move) -> usize {
        let [n, _] = self.board();
        let viewer = self.side_to_move();
        let seen = |cell: Cell| {
            let square = cell.square();
            seen_from(viewer, usize::from(square.rank) * n + usize::from(square.file), n * n)
        };
        match mv {
            Move::Step(Step { from, to }) => {
                direction_from(viewer, Direction::between(from, to)) * n * n + seen(from)
            }
            Move::Place(cell) => 8 * n * n + seen(cell),
            Move::Pass => 9 * n * n,
        }
    }

    fn observe(&self, planes: &mut Planes<'_>) {
        let sides = planes.sides();
        let place = |cell: Cell| (cell.square().file, cell.square().rank);
        for side in sides {
            planes.squares(self.pieces(side).cells().map(place));
        }
        planes.squares([place(self.size().tower())]);
        for side in sides {
            planes.fill(f32::from(self.in_hand(side)) / f32::from(2 * self.size().width()));
        }
        planes.flag(self.next_to_step() == planes.viewer);
        planes.squares(self.ban().map(|step| place(step.from)));
        planes.squares(self.ban().map(|step| place(step.to)));
    }
}
