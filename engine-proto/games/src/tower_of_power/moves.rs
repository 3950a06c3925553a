//! The moves: their spelling, listing, counting and playing. See the sections Moves and Effects.
//!
//! The legal moves depend only on the squares that the mover owns; so listing, counting and parsing take only these, as
//! the board `own`.

use std::fmt;

use super::TowerOfPower;
use super::geometry::{Directions, before, count_with_room, line, line_between};
use super::pile::Pile;
use crate::bitboard::{Cell, spread};
use crate::{Direction, Searchable, Square};

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A one-stone move. A base makes no difference.
    OneStone {
        /// The square that the stone leaves.
        from: Cell,
        /// Its target.
        to: Cell,
    },
    /// A row move.
    Row {
        /// The end of the row on which the other stones are piled up.
        base: Cell,
        /// The way back: the direction from the base to the far end.
        back: Direction,
        /// The laying direction.
        lay: Direction,
        /// The number of stones that move, 2 to 7: all of the row except the base.
        stones: u8,
    },
}

impl Move {
    /// The squares that stones are lifted from, as a board.
    pub fn lifted(self) -> u64 {
        match self {
            Self::OneStone { from, .. } => from.board(),
            Self::Row { base, back, stones, .. } => line(base, back, stones),
        }
    }

    /// The squares that a stone is laid on, as a board.
    pub fn laid(self) -> u64 {
        match self {
            Self::OneStone { to, .. } => to.board(),
            Self::Row { base, lay, stones, .. } => line(base, lay, stones),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OneStone { from, to } => write!(f, "{from}{to}"),
            Self::Row { base, back, lay, stones } => {
                write!(f, "{}{base}{}", base.step(back, stones), base.step(lay, stones))
            }
        }
    }
}

/// Appends all moves of a side that owns `own`, each once.
pub(super) fn list(own: u64, moves: &mut Vec<Move>) {
    for from in Cell::all_of(own) {
        moves.extend(Cell::all_of(one_stone_targets(own, from)).map(|to| Move::OneStone { from, to }));
    }
    for_all_rows(own, |bases, back, stones| {
        for base in Cell::all_of(bases) {
            let lays = Directions::with_room(base, stones).without(back);
            moves.extend(lays.iter().map(|lay| Move::Row { base, back, lay, stones }));
        }
    });
}

/// The number of moves of a side that owns `own`.
pub(super) fn count(own: u64) -> usize {
    let mut count = 0;
    for from in Cell::all_of(own) {
        count += one_stone_targets(own, from).count_ones();
    }
    // The way back is excluded. There is always room in that direction, because the row is there.
    for_all_rows(own, |bases, _, stones| count += count_with_room(bases, stones));
    count as usize
}

/// The move spelled `text` of a side that owns `own`, if there is one.
pub(super) fn parse(own: u64, text: &str) -> Option<Move> {
    let (first, rest) = split_cell(text)?;
    let (second, rest) = split_cell(rest)?;
    if rest.is_empty() {
        let legal = first.is_on(own) && second.is_on(one_stone_targets(own, first));
        return legal.then_some(Move::OneStone { from: first, to: second });
    }
    let (last, rest) = split_cell(rest)?;
    let (far_end, base) = (first, second);
    let (back, stones) = line_between(base, far_end)?;
    let (lay, n_laid) = line_between(base, last)?;
    let row = base.board() | line(base, back, stones);
    let legal = rest.is_empty() && stones >= 2 && stones == n_laid && last != far_end && row & own == row;
    legal.then_some(Move::Row { base, back, lay, stones })
}

/// The targets of the top stone of `from`, a square of `own`, by a one-stone move.
///
/// The spread of `from` is the square itself and its neighbours; the owned squares among them are the square and the
/// possible bases. Their spread contains all targets of the stone, with or without a base.
pub(super) const fn one_stone_targets(own: u64, from: Cell) -> u64 {
    spread(spread(from.board()) & own) & !from.board()
}

/// Calls `with(bases, back, stones)` for the rows of every direction and length: `bases` are the squares from which
/// `stones` more squares in the direction `back` are owned too. At least 2 stones move, and `bases` is never empty.
fn for_all_rows(own: u64, mut with: impl FnMut(u64, Direction, u8)) {
    for back in Direction::ALL {
        let mut bases = own & before(own, back);
        for stones in 2..8 {
            bases = own & before(bases, back);
            if bases == 0 {
                break;
            }
            with(bases, back, stones);
        }
    }
}

/// The square at the start of `text`, and the rest.
fn split_cell(text: &str) -> Option<(Cell, &str)> {
    let (square, rest) = Square::split_from(text)?;
    Some((Cell::new(square.file, square.rank)?, rest))
}

impl TowerOfPower {
    /// Plays a move in the order of the section Effects: lift, lay, counters.
    pub(super) fn make(&mut self, mv: Move) {
        let (mover, enemy) = (self.side, !self.side);

        let lifted = mv.lifted();
        self.owned[mover.index()] &= !lifted;
        for cell in Cell::all_of(lifted & self.towers) {
            let pile = self.buried(cell);
            self.owned[pile.top().index()] |= cell.board();
            self.bury(cell, pile.pop());
        }

        let laid = mv.laid();
        let captured = laid & self.owned[enemy.index()];
        self.owned[enemy.index()] &= !captured;
        self.stones[enemy.index()] -= captured.count_ones() as u8;
        // A captured stone is replaced by the one laid on it; an own stone is buried.
        for cell in Cell::all_of(laid & self.owned[mover.index()]) {
            self.bury(cell, self.buried(cell).push(mover));
        }
        self.owned[mover.index()] |= laid;

        self.counters.count(captured != 0);
        self.side = enemy;
    }

    /// Sets the buried stones of a square to `pile`.
    pub(super) fn bury(&mut self, cell: Cell, pile: Pile) {
        self.buried_hash ^= self.buried(cell).key(cell) ^ pile.key(cell);
        self.buried[cell.index()] = pile;
        self.towers &= !cell.board();
        self.towers |= u64::from(pile != Pile::EMPTY) << cell.index();
    }
}

impl Searchable for TowerOfPower {
    fn count_legal_moves(&self) -> usize {
        count(self.movable())
    }

    fn null_move(&self) -> Option<Self> {
        let mut next = self.clone();
        next.counters.count(false);
        next.side = !next.side;
        Some(next)
    }
}
