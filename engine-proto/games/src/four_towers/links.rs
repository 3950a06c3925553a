//! Direct moves: the hops that rooks and bishops on towers link (page, section Kinds of moves).

use super::board::Board;
use super::cells::{Cell, TOUCHED, TOWER_CELLS, TOWERS};
use super::pieces::Kind;
use crate::bits::bits64;

/// Which arenas are linked, and how far one can hop.
#[derive(Clone, Copy, Debug)]
pub struct Links {
    /// The arenas linked to each arena, one bit each.
    linked: [u16; 9],
    /// Whether there are two or more rooks or bishops on towers.
    any_number_of_hops: bool,
}

impl Links {
    /// The links on this board, if there are any.
    pub fn of(board: &Board) -> Option<Self> {
        let rooks = board.all(Kind::Rook) & TOWER_CELLS;
        let bishops = board.all(Kind::Bishop) & TOWER_CELLS;
        if rooks | bishops == 0 {
            return None;
        }
        let mut links = Self { linked: [0; 9], any_number_of_hops: (rooks | bishops).count_ones() > 1 };
        for (tower, [below_left, below_right, above_left, above_right]) in TOWERS.iter().zip(TOUCHED) {
            if rooks & tower.bit() != 0 {
                links.link(below_left, below_right);
                links.link(above_left, above_right);
                links.link(below_left, above_left);
                links.link(below_right, above_right);
            }
            if bishops & tower.bit() != 0 {
                links.link(below_left, above_right);
                links.link(below_right, above_left);
            }
        }
        Some(links)
    }

    fn link(&mut self, arena: u8, other: u8) {
        self.linked[usize::from(arena)] |= 1 << other;
        self.linked[usize::from(other)] |= 1 << arena;
    }

    /// The squares to which a piece on `from` can hop, over `vacant` ones only; whatever stands on them.
    pub fn reach(&self, from: Cell, vacant: u128) -> u128 {
        let Some(home) = from.arena() else { return 0 };
        let mut reached = 0;
        let mut seen: u16 = 1 << home;
        // The arenas from which to hop on, one bit each.
        let mut open = seen;
        while open != 0 {
            let arena = open.trailing_zeros() as usize;
            open &= open - 1;
            let new = self.linked[arena] & !seen;
            seen |= new;
            for next in bits64(new.into()) {
                let cell = from.analogous(next).expect("a square of an arena");
                reached |= cell.bit();
                if self.any_number_of_hops && vacant & cell.bit() != 0 {
                    open |= 1 << next;
                }
            }
        }
        reached
    }
}
