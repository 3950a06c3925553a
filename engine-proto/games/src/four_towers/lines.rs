//! Steps, jumps and lines (page, section Steps and lines), as tables.
//!
//! Knights on towers refract the orthogonal steps, so there is one table of orthogonal lines for each of the sixteen
//! sets of refracting towers. A refracted line may differ in the two directions: with a knight on `g4`, `d4` up is
//! `e5`, but `d5` down is `d4`. So the tables also contain the way back.
//!
//! Up, right and the diagonals to the right lead to higher cell numbers with every step, the other directions to
//! lower ones. So the first occupied square of a line is the lowest, or the highest, of its occupied squares.

use super::cells::{Cell, N_CELLS, TOUCHED, cells};
use crate::Side;

/// One of the four orthogonal directions, or of the four diagonal ones, each a quarter turn on from the one before:
/// up, right, down, left; up right, down right, down left, up left. The first two lead to higher numbers.
pub type Direction = usize;

/// The orthogonal direction forward.
pub const fn forward(side: Side) -> Direction {
    match side {
        Side::White => 0,
        Side::Black => 2,
    }
}

/// The two diagonal directions forward.
pub const fn diagonally_forward(side: Side) -> [Direction; 2] {
    match side {
        Side::White => [0, 3],
        Side::Black => [1, 2],
    }
}

/// The orthogonal directions to the sides.
pub const SIDEWAYS: [Direction; 2] = [1, 3];

/// The opposite direction.
pub const fn opposite(direction: Direction) -> Direction {
    (direction + 2) % 4
}

/// The squares that lines lead to from a square in four directions, on an empty board, and those from which they lead
/// to it.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// The square one step away in each direction.
    pub next: [Option<Cell>; 4],
    /// The squares one step away.
    pub steps: u128,
    /// The squares from which one step leads here.
    pub steps_here: u128,
    /// The squares of the line in each direction.
    pub rays: [u128; 4],
    /// The squares whose line in each direction leads here.
    pub rays_here: [u128; 4],
}

/// The lines of every square in four directions.
pub type LineTable = [Lines; N_CELLS];

/// The orthogonal lines for each set of refracting towers: bit `t` stands for tower `t` of [`super::cells::TOWERS`].
static ORTHOGONAL: [LineTable; 16] = orthogonal_tables();
/// The orthogonal lines while no knight stands on a tower.
pub static PLAIN: &LineTable = &ORTHOGONAL[0];
/// The orthogonal lines while knights stand on all towers.
pub static REFRACTED: &LineTable = &ORTHOGONAL[15];
/// The diagonal lines.
pub static DIAGONAL: LineTable = table(true, 0);
/// The jumps from every square.
pub static JUMPS: [u128; N_CELLS] = jumps();

/// The squares at most two files and two ranks away from every square.
pub static NEAR: [u128; N_CELLS] = near();

/// The orthogonal lines while knights stand on these towers.
pub fn orthogonal(refracting: u8) -> &'static LineTable {
    &ORTHOGONAL[usize::from(refracting)]
}

/// The squares of the four lines from `from` on a board with these `occupied` squares, including the first occupied
/// ones.
pub fn slide(table: &LineTable, from: Cell, occupied: u128) -> u128 {
    let [ascending_1, ascending_2, descending_1, descending_2] = table[from.index()].rays;
    up_to_lowest(ascending_1, occupied)
        | up_to_lowest(ascending_2, occupied)
        | down_to_highest(descending_1, occupied)
        | down_to_highest(descending_2, occupied)
}

/// The square one step from `from` and, if that is vacant, the next one: a set of two, one or no squares.
pub fn two_steps(table: &LineTable, from: Cell, direction: Direction, occupied: u128) -> u128 {
    let Some(first) = table[from.index()].next[direction] else { return 0 };
    if occupied & first.bit() != 0 {
        return first.bit();
    }
    first.bit() | step(table, first, direction)
}

/// The square one step from `from`, as a set that may be empty.
pub fn step(table: &LineTable, from: Cell, direction: Direction) -> u128 {
    table[from.index()].next[direction].map_or(0, Cell::bit)
}

/// Each piece of `sliders` whose line in the table leads to `target` on an empty board, with the squares between.
pub fn lines_to(table: &LineTable, target: Cell, sliders: u128) -> impl Iterator<Item = (Cell, u128)> {
    let here = &table[target.index()];
    (0..4).flat_map(move |direction| {
        // Two lines in one direction that meet continue together.
        let beyond = here.rays[direction] | target.bit();
        cells(here.rays_here[direction] & sliders)
            .map(move |slider| (slider, table[slider.index()].rays[direction] & !beyond))
    })
}

/// A line with ascending numbers, up to and including its first occupied square.
const fn up_to_lowest(ray: u128, occupied: u128) -> u128 {
    let blockers = ray & occupied;
    // The bits up to the lowest blocker; all bits if there is none.
    ray & (blockers ^ blockers.wrapping_sub(1))
}

/// A line with descending numbers, up to and including its first occupied square.
const fn down_to_highest(ray: u128, occupied: u128) -> u128 {
    // Without a blocker, bit 0 is used, the end of the numbers.
    let blockers = ray & occupied | 1;
    ray & (u128::MAX << blockers.ilog2())
}

/// File and rank of one plain step.
const fn offset(diagonal: bool, direction: Direction) -> (i8, i8) {
    const ORTHOGONALLY: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONALLY: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    if diagonal { DIAGONALLY[direction] } else { ORTHOGONALLY[direction] }
}

const fn next(diagonal: bool, refracting: u8, from: Cell, direction: Direction) -> Option<Cell> {
    let (files, ranks) = offset(diagonal, direction);
    if !diagonal && let Some(refracted) = refracted_step(refracting, from, files, ranks) {
        return Some(refracted);
    }
    Cell::at(from.file() + files, from.rank() + ranks)
}

/// The orthogonal step by (files, ranks), if it is refracted.
const fn refracted_step(refracting: u8, from: Cell, files: i8, ranks: i8) -> Option<Cell> {
    let Some(arena) = from.arena() else { return None };
    let (x, y) = from.place_in(arena);
    let (x, y) = (x + files, y + ranks);
    if x >= 0 && x <= 2 && y >= 0 && y <= 2 {
        return None;
    }
    let (column, row) = (arena as i8 % 3 + files, arena as i8 / 3 + ranks);
    if column < 0 || column > 2 || row < 0 || row > 2 {
        return None;
    }
    let neighbour = (row * 3 + column) as u8;
    if !touched_by_both(refracting, arena, neighbour) {
        return None;
    }
    Some(Cell::of_arena(neighbour, (x + 3) % 3, (y + 3) % 3))
}

/// Whether one of the refracting towers touches both arenas.
const fn touched_by_both(refracting: u8, arena: u8, other: u8) -> bool {
    let mut tower = 0;
    while tower < 4 {
        if refracting >> tower & 1 != 0 && touches(tower, arena) && touches(tower, other) {
            return true;
        }
        tower += 1;
    }
    false
}

const fn touches(tower: usize, arena: u8) -> bool {
    let [a, b, c, d] = TOUCHED[tower];
    arena == a || arena == b || arena == c || arena == d
}

#[expect(clippy::large_stack_arrays, reason = "evaluated when compiled")]
const fn orthogonal_tables() -> [LineTable; 16] {
    let mut tables = [table(false, 0); 16];
    let mut refracting = 1;
    while refracting < 16 {
        tables[refracting] = table(false, refracting as u8);
        refracting += 1;
    }
    tables
}

const fn table(diagonal: bool, refracting: u8) -> LineTable {
    let nothing = Lines { next: [None; 4], steps: 0, steps_here: 0, rays: [0; 4], rays_here: [0; 4] };
    let mut table = [nothing; N_CELLS];
    let mut direction = 0;
    while direction < 4 {
        let mut nth = 0;
        while nth < N_CELLS {
            // So that the next square's ray is complete before it is needed.
            let idx = if direction < 2 { N_CELLS - 1 - nth } else { nth };
            let from = Cell::new(idx as u8).expect("one of the squares");
            if let Some(to) = next(diagonal, refracting, from, direction) {
                assert!((from.index() < to.index()) == (direction < 2), "numbers ascend or descend");
                table[idx].next[direction] = Some(to);
                table[idx].steps |= to.bit();
                table[to.index()].steps_here |= from.bit();
                table[idx].rays[direction] = to.bit() | table[to.index()].rays[direction];
            }
            nth += 1;
        }
        nth = 0;
        while nth < N_CELLS {
            let mut ray = table[nth].rays[direction];
            while ray != 0 {
                table[ray.trailing_zeros() as usize].rays_here[direction] |= 1 << nth;
                ray &= ray - 1;
            }
            nth += 1;
        }
        direction += 1;
    }
    table
}

const fn jumps() -> [u128; N_CELLS] {
    const OFFSETS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let mut jumps = [0; N_CELLS];
    let mut idx = 0;
    while idx < N_CELLS {
        let from = Cell::new(idx as u8).expect("one of the squares");
        let mut nth = 0;
        while nth < OFFSETS.len() {
            let (files, ranks) = OFFSETS[nth];
            if let Some(to) = Cell::at(from.file() + files, from.rank() + ranks) {
                jumps[idx] |= to.bit();
            }
            nth += 1;
        }
        idx += 1;
    }
    jumps
}

const fn near() -> [u128; N_CELLS] {
    let mut near = [0; N_CELLS];
    let mut idx = 0;
    while idx < N_CELLS {
        let from = Cell::new(idx as u8).expect("one of the squares");
        let mut nth = 0;
        while nth < 25 {
            if let Some(to) = Cell::at(from.file() + nth % 5 - 2, from.rank() + nth / 5 - 2) {
                near[idx] |= to.bit();
            }
            nth += 1;
        }
        idx += 1;
    }
    near
}
