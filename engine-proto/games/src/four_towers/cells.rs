//! The squares that exist, and the sets of them that the rules name: arenas, towers, promotion squares.
//!
//! A *set* of squares is a `u128` with bit [`Cell::index`] for each of its squares.

use std::fmt;

use crate::{Side, Square};

/// A square that exists on this board.
///
/// Numbered file by file from the left, each file from the bottom: 0 is `a3`, 84 is `k9`. A step up or to the right
/// always leads to a higher number, refracted or not, and so do the diagonal steps to the right. The tables of
/// lines depend on this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// The number of squares.
pub const N_CELLS: usize = 85;
/// All squares.
pub const ALL_CELLS: u128 = (1 << N_CELLS) - 1;

/// The four towers, in the order of their squares: `d5`, `e8`, `g4`, `h7`.
pub const TOWERS: [Cell; 4] = [named("d5"), named("e8"), named("g4"), named("h7")];
/// The four tower squares as a set.
pub const TOWER_CELLS: u128 = TOWERS[0].bit() | TOWERS[1].bit() | TOWERS[2].bit() | TOWERS[3].bit();
/// The numbers, counted from 0, of the four arenas that each of [`TOWERS`] touches.
pub(super) const TOUCHED: [[u8; 4]; 4] = [[0, 1, 3, 4], [3, 4, 6, 7], [1, 2, 4, 5], [4, 5, 7, 8]];
/// The squares of the four arenas that each of [`TOWERS`] touches.
pub const TOUCHED_CELLS: [u128; 4] = touched_cells();

/// The squares of each arena; the arena that the rules call 1 comes first.
pub const ARENAS: [u128; 9] = arenas();
/// The promotion squares of each side.
pub const PROMOTION: [u128; 2] = [
    set_of(&["c11", "d11", "e11", "f10", "g10", "h10", "i9", "j9", "k9"]),
    set_of(&["a3", "b3", "c3", "d2", "e2", "f2", "g1", "h1", "i1"]),
];
/// The squares at or behind the front squares of each side.
pub(super) const FRONT_ZONE: [u128; 2] = front_zones();

/// The lowest and the highest rank of each file, counted from 0.
const FILES: [(i8, i8); 11] =
    [(2, 4), (2, 7), (2, 10), (1, 10), (1, 10), (1, 9), (0, 9), (0, 9), (0, 8), (3, 8), (6, 8)];
/// File and rank, counted from 0, of each arena's lower left square.
const CORNERS: [(i8, i8); 9] = [(0, 2), (3, 1), (6, 0), (1, 5), (4, 4), (7, 3), (2, 8), (5, 7), (8, 6)];
/// File and rank of each square, counted from 0.
const COORDINATES: [(i8, i8); N_CELLS] = coordinates();
/// The squares of each arena by place: (x, y) is number x + 3y.
const PLACES: [[Cell; 9]; 9] = places();
/// The arena of each square, counted from 0; [`NO_ARENA`] for the towers.
const ARENA_OF: [u8; N_CELLS] = arena_of();
const NO_ARENA: u8 = 9;

impl Cell {
    /// The square with this number, if there is one.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < N_CELLS { Some(Self(index)) } else { None }
    }

    /// The square on this file and rank, both counted from 0, if the board has it.
    pub const fn at(file: i8, rank: i8) -> Option<Self> {
        if file < 0 || file >= FILES.len() as i8 {
            return None;
        }
        let (lowest, highest) = FILES[file as usize];
        if rank < lowest || rank > highest {
            return None;
        }
        let mut below = 0;
        let mut left = 0;
        while left < file {
            below += FILES[left as usize].1 - FILES[left as usize].0 + 1;
            left += 1;
        }
        Some(Self((below + rank - lowest) as u8))
    }

    /// The board's square of that name, if the board has it.
    pub fn from_square(square: Square) -> Option<Self> {
        Self::at(i8::try_from(square.file).ok()?, i8::try_from(square.rank).ok()?)
    }

    /// The square's name.
    pub const fn square(self) -> Square {
        Square { file: self.file() as u8, rank: self.rank() as u8 }
    }

    /// The square's number, 0 to 84.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set of this square alone.
    pub const fn bit(self) -> u128 {
        1 << self.0
    }

    /// The file, 0 for `a`.
    pub const fn file(self) -> i8 {
        COORDINATES[self.index()].0
    }

    /// The rank, 0 for rank 1.
    pub const fn rank(self) -> i8 {
        COORDINATES[self.index()].1
    }

    /// The number of the arena that the square belongs to, counted from 0; `None` for a tower.
    pub const fn arena(self) -> Option<u8> {
        let arena = ARENA_OF[self.index()];
        if arena == NO_ARENA { None } else { Some(arena) }
    }

    /// Which of [`TOWERS`] the square is, if it is one.
    pub fn tower(self) -> Option<usize> {
        if self.bit() & TOWER_CELLS == 0 {
            return None;
        }
        TOWERS.iter().position(|&tower| tower == self)
    }

    /// The square `arena` has at place (x, y), both 0 to 2.
    pub(super) const fn of_arena(arena: u8, x: i8, y: i8) -> Self {
        PLACES[arena as usize][(x + 3 * y) as usize]
    }

    /// The square's place (x, y) in `arena`, to which it belongs.
    pub(super) const fn place_in(self, arena: u8) -> (i8, i8) {
        let (file, rank) = CORNERS[arena as usize];
        (self.file() - file, self.rank() - rank)
    }

    /// The square of `arena` analogous to this one; `None` for a tower.
    pub(super) fn analogous(self, arena: u8) -> Option<Self> {
        let (x, y) = self.place_in(self.arena()?);
        Some(Self::of_arena(arena, x, y))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.square().fmt(f)
    }
}

/// The squares of a set, in the order of their numbers.
pub fn cells(set: u128) -> impl Iterator<Item = Cell> {
    crate::bits::bits128(set).map(Cell)
}

/// Those squares of a set that are `wanted`.
pub(super) fn filtered(set: u128, mut wanted: impl FnMut(Cell) -> bool) -> u128 {
    cells(set).filter(|&cell| wanted(cell)).fold(0, |set, cell| set | cell.bit())
}

/// The first square of a set that has one.
pub(super) fn first(set: u128) -> Cell {
    debug_assert_ne!(set, 0, "an empty set has no first square");
    Cell(set.trailing_zeros() as u8)
}

/// The square of that name, for constants.
pub(super) const fn named(name: &str) -> Cell {
    let text = name.as_bytes();
    let mut rank = 0;
    let mut idx = 1;
    while idx < text.len() {
        rank = rank * 10 + (text[idx] - b'0') as i8;
        idx += 1;
    }
    Cell::at((text[0] - b'a') as i8, rank - 1).expect("a constant names a square of the board")
}

const fn set_of(names: &[&str]) -> u128 {
    let mut set = 0;
    let mut idx = 0;
    while idx < names.len() {
        set |= named(names[idx]).bit();
        idx += 1;
    }
    set
}

const fn coordinates() -> [(i8, i8); N_CELLS] {
    let mut coordinates = [(0, 0); N_CELLS];
    let mut idx = 0;
    let mut file = 0;
    while file < FILES.len() {
        let (lowest, highest) = FILES[file];
        let mut rank = lowest;
        while rank <= highest {
            coordinates[idx] = (file as i8, rank);
            idx += 1;
            rank += 1;
        }
        file += 1;
    }
    coordinates
}

const fn places() -> [[Cell; 9]; 9] {
    let mut places = [[Cell(0); 9]; 9];
    let mut arena = 0;
    while arena < 9 {
        let (file, rank) = CORNERS[arena];
        let mut place = 0;
        while place < 9 {
            let cell = Cell::at(file + place % 3, rank + place / 3);
            places[arena][place as usize] = cell.expect("an arena has nine squares");
            place += 1;
        }
        arena += 1;
    }
    places
}

const fn arena_of() -> [u8; N_CELLS] {
    let mut arena_of = [NO_ARENA; N_CELLS];
    let mut arena = 0;
    while arena < 9 {
        let mut place = 0;
        while place < 9 {
            arena_of[Cell::of_arena(arena, place % 3, place / 3).index()] = arena;
            place += 1;
        }
        arena += 1;
    }
    arena_of
}

const fn arenas() -> [u128; 9] {
    let mut arenas = [0; 9];
    let mut idx = 0;
    while idx < N_CELLS as u8 {
        if let Some(arena) = Cell(idx).arena() {
            arenas[arena as usize] |= Cell(idx).bit();
        }
        idx += 1;
    }
    arenas
}

const fn touched_cells() -> [u128; 4] {
    let mut touched = [0; 4];
    let mut tower = 0;
    while tower < 4 {
        let mut nth = 0;
        while nth < 4 {
            touched[tower] |= ARENAS[TOUCHED[tower][nth] as usize];
            nth += 1;
        }
        tower += 1;
    }
    touched
}

/// Front squares: white rank 4 in files a-d, rank 3 in files e-i; black rank 9 in files c-g, rank 8 in files h-k.
const fn front_zones() -> [u128; 2] {
    let mut zones = [0; 2];
    let mut idx = 0;
    while idx < N_CELLS as u8 {
        let cell = Cell(idx);
        let (file, rank) = (cell.file(), cell.rank() + 1);
        if file <= 3 && rank <= 4 || file >= 4 && file <= 8 && rank <= 3 {
            zones[Side::White.index()] |= cell.bit();
        }
        if file >= 2 && file <= 6 && rank >= 9 || file >= 7 && rank >= 8 {
            zones[Side::Black.index()] |= cell.bit();
        }
        idx += 1;
    }
    zones
}
