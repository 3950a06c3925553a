//! Push, on N x N squares: one action for each pair of squares on a line or a knight's jump apart, one for each push of
//! a knight, and the pass.

use std::sync::LazyLock;

use games::push::{Cell, Kind, Move, Push, Size};
use games::{Position, Side};

use super::{Coded, Planes, direction_from, seen_from};

/// The numbers of all moves on a board of one size. Squares are numbered rank by rank.
struct Numbers {
    n: usize,
    /// By start and target.
    pairs: Vec<u16>,
    /// By knight and target, the first of eight: one for each direction.
    knight_pushes: Vec<u16>,
    n_actions: usize,
}

static NUMBERS: LazyLock<[Numbers; 2]> = LazyLock::new(|| [Size::Six, Size::Eight].map(numbers));

fn numbers(size: Size) -> Numbers {
    let n = usize::from(size.n());
    let area = n * n;
    let mut numbers =
        Numbers { n, pairs: vec![0; area * area], knight_pushes: vec![0; area * area], n_actions: 0 };
    for (pair, distance) in pairs(n) {
        if matches!(distance, Distance::Line | Distance::Jump) {
            numbers.pairs[pair] = numbers.n_actions as u16;
            numbers.n_actions += 1;
        }
    }
    for (pair, distance) in pairs(n) {
        if distance == Distance::Jump {
            numbers.knight_pushes[pair] = numbers.n_actions as u16;
            numbers.n_actions += 8;
        }
    }
    numbers.n_actions += 1;
    numbers
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Distance {
    Line,
    Jump,
    Other,
}

/// All pairs of squares, ascending, and how they lie to each other.
fn pairs(n: usize) -> impl Iterator<Item = (usize, Distance)> {
    let area = n * n;
    (0..area * area).map(move |pair| {
        let (from, to) = (pair / area, pair % area);
        let (files, ranks) = ((from % n).abs_diff(to % n), (from / n).abs_diff(to / n));
        let distance = match (files.min(ranks), files.max(ranks)) {
            (0, 0) => Distance::Other,
            (1, 2) => Distance::Jump,
            (less, more) if less == 0 || less == more => Distance::Line,
            _ => Distance::Other,
        };
        (pair, distance)
    })
}

impl Numbers {
    const fn of(size: Size) -> usize {
        match size {
            Size::Six => 0,
            Size::Eight => 1,
        }
    }

    fn pair(&self, viewer: Side, from: Cell, to: Cell) -> usize {
        let seen = |cell: Cell| {
            let square = usize::from(cell.rank()) * self.n + usize::from(cell.file());
            seen_from(viewer, square, self.n * self.n)
        };
        seen(from) * self.n * self.n + seen(to)
    }
}

impl Coded for Push {
    const PLANES: &'static [&'static str] = &[
        "own king",
        "own rook",
        "own knight",
        "own bishop",
        "own pawns",
        "opponent's king",
        "opponent's rook",
        "opponent's knight",
        "opponent's bishop",
        "opponent's pawns",
        "stunned pieces",
        "squares of height 1",
        "squares of height 2",
        "own goal tile: the corner that the opponent wants to hold",
        "opponent's goal tile: the corner that the viewer wants to hold",
        "passes in a row / 2, everywhere",
    ];

    fn board(&self) -> [usize; 2] {
        [usize::from(self.terrain().size().n()); 2]
    }

    fn n_actions(&self) -> usize {
        NUMBERS[Numbers::of(self.terrain().size())].n_actions
    }

    fn action(&self, mv: Move) -> usize {
        let numbers = &NUMBERS[Numbers::of(self.terrain().size())];
        let viewer = self.side_to_move();
        match mv {
            // What is on the target and its height decide which of these it is.
            Move::Walk { from, to }
            | Move::Suicide { from, to }
            | Move::Push { pusher: from, target: to } => {
                usize::from(numbers.pairs[numbers.pair(viewer, from, to)])
            }
            Move::KnightPush { pusher, target, direction } => {
                usize::from(numbers.knight_pushes[numbers.pair(viewer, pusher, target)])
                    + direction_from(viewer, direction)
            }
            Move::Pass => numbers.n_actions - 1,
        }
    }

    fn observe(&self, planes: &mut Planes<'_>) {
        let sides = planes.sides();
        for side in sides {
            for kind in Kind::ALL {
                planes.bits(self.pieces_of(side, kind));
            }
        }
        planes.bits(self.stunned());
        planes.bits(self.terrain().level(1));
        planes.bits(self.terrain().level(2));
        for side in sides {
            planes.bits(self.goal(side).board());
        }
        planes.fill(f32::from(self.passes()) / 2.0);
    }
}
