//! Tower of Power: one action for each move that the geometry of the board allows.

use std::sync::LazyLock;

use games::tower_of_power::{Cell, Move, TowerOfPower};
use games::{Direction, Position};

use super::{Coded, Planes, direction_from, seen_from};

const AREA: usize = 64;
/// The number of stones below the top stone that have planes of their own.
const DEPTHS: u32 = 6;

/// The numbers of all moves.
struct Numbers {
    /// By start and target.
    one_stone: Vec<u16>,
    /// By base, direction of the far end, laying direction, number of stones.
    rows: Vec<u16>,
    n_actions: usize,
}

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    let mut numbers =
        Numbers { one_stone: vec![0; AREA * AREA], rows: vec![0; AREA * 8 * 8 * 8], n_actions: 0 };
    let mut number = || {
        numbers.n_actions += 1;
        (numbers.n_actions - 1) as u16
    };
    for from in 0..AREA {
        for to in 0..AREA {
            let distance = (from % 8).abs_diff(to % 8).max((from / 8).abs_diff(to / 8));
            if distance == 1 || distance == 2 {
                numbers.one_stone[from * AREA + to] = number();
            }
        }
    }
    for base in 0..AREA {
        for back in Direction::ALL {
            for lay in Direction::ALL {
                for stones in 2..8 {
                    if back != lay
                        && [back, lay].into_iter().all(|direction| has_room(base, direction, stones))
                    {
                        numbers.rows[row(base, back as usize, lay as usize, stones)] = number();
                    }
                }
            }
        }
    }
    numbers
});

/// Whether `steps` squares follow a square in a direction.
fn has_room(square: usize, direction: Direction, steps: usize) -> bool {
    let (files, ranks) = direction.step();
    let end = |at: usize, step: i8| at as i64 + i64::from(step) * steps as i64;
    (0..8).contains(&end(square % 8, files)) && (0..8).contains(&end(square / 8, ranks))
}

const fn row(base: usize, back: usize, lay: usize, stones: usize) -> usize {
    ((base * 8 + back) * 8 + lay) * 8 + stones
}

impl Coded for TowerOfPower {
    const PLANES: &'static [&'static str] = &[
        "own top stones",
        "opponent's top stones",
        "own stones directly below the top",
        "opponent's stones directly below the top",
        "own stones 2 below the top",
        "opponent's stones 2 below the top",
        "own stones 3 below the top",
        "opponent's stones 3 below the top",
        "own stones 4 below the top",
        "opponent's stones 4 below the top",
        "own stones 5 below the top",
        "opponent's stones 5 below the top",
        "own stones 6 below the top",
        "opponent's stones 6 below the top",
        "number of own deeper stones / 15",
        "number of the opponent's deeper stones / 15",
    ];

    fn board(&self) -> [usize; 2] {
        [8; 2]
    }

    fn n_actions(&self) -> usize {
        NUMBERS.n_actions
    }

    fn action(&self, mv: Move) -> usize {
        let viewer = self.side_to_move();
        let seen = |cell: Cell| seen_from(viewer, cell.index(), AREA);
        usize::from(match mv {
            Move::OneStone { from, to } => NUMBERS.one_stone[seen(from) * AREA + seen(to)],
            Move::Row { base, back, lay, stones } => {
                let [back, lay] = [back, lay].map(|direction| direction_from(viewer, direction));
                NUMBERS.rows[row(seen(base), back, lay, usize::from(stones))]
            }
        })
    }

    fn observe(&self, planes: &mut Planes<'_>) {
        let sides = planes.sides();
        for side in sides {
            planes.bits(self.owned(side));
        }
        let mut below = [[0_u64; 2]; DEPTHS as usize];
        let mut deeper: Vec<((u8, u8), [f32; 2])> = Vec::new();
        for cell in Cell::all_of(self.towers()) {
            let height = self.height(cell);
            let mut counts = [0.0; 2];
            for (stone, place) in self.stack(cell).zip(0..) {
                let nth = usize::from(stone != sides[0]);
                match height - 1 - place {
                    0 => {}
                    depth if depth <= DEPTHS => below[depth as usize - 1][nth] |= cell.board(),
                    _ => counts[nth] += 1.0 / TowerOfPower::STONES as f32,
                }
            }
            if DEPTHS + 1 < height {
                deeper.push(((cell.file(), cell.rank()), counts));
            }
        }
        for board in below.into_iter().flatten() {
            planes.bits(board);
        }
        for nth in [0, 1] {
            planes.values(deeper.iter().map(|(square, counts)| (*square, counts[nth])));
        }
    }
}
