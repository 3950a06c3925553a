//! The moves: what they are, how they are spelled, listed, counted and played. See the sections Moves and Effects.
//!
//! Which moves are legal depends on nothing but the squares that the mover owns; so listing, counting and parsing
//! take just these, as the board `own`.

use std::fmt;

use super::TowerOfPower;
use super::geometry::{Cell, Directions, before, count_with_room, line, spread};
use super::pile::Pile;
use crate::Direction;
use crate::Square;
use crate::fen::one_more;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A one-stone move, with a base or without: it makes no difference.
    OneStone {
        /// The square that the stone leaves.
        from: Cell,
        /// The square that it is laid on.
        to: Cell,
    },
    /// A row move.
    Row {
        /// The end of the row that the other stones are piled up on.
        base: Cell,
        /// The way back: the direction from the base to the far end.
        back: Direction,
        /// The laying direction.
        lay: Direction,
        /// How many stones travel, 2 to 7: all of the row but the base.
        stones: u8,
    },
}

impl Move {
    /// The squares that a stone is lifted from, as a board.
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

/// How many moves a side has that owns `own`.
pub(super) fn count(own: u64) -> usize {
    let mut count = 0;
    for from in Cell::all_of(own) {
        count += one_stone_targets(own, from).count_ones();
    }
    // The way back is barred, and there is always room in that direction: it is where the row stands.
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
    let (back, stones) = base.line_to(far_end)?;
    let (lay, n_laid) = base.line_to(last)?;
    let row = base.board() | line(base, back, stones);
    let legal = rest.is_empty() && 2 <= stones && stones == n_laid && last != far_end && row & own == row;
    legal.then_some(Move::Row { base, back, lay, stones })
}

/// Where the top stone of `from`, a square of `own`, may go by a one-stone move.
///
/// The spread of `from` is the square itself and its neighbours; what is owned of it are the square and the possible
/// bases. Their spread is all that the stone can reach, with a base or without.
pub(super) const fn one_stone_targets(own: u64, from: Cell) -> u64 {
    spread(spread(from.board()) & own) & !from.board()
}

/// Calls `with(bases, back, stones)` for the rows of every direction and length: `bases` are the squares from which
/// `stones` more squares in the direction `back` are owned too. 2 stones travel at least, and `bases` is never empty.
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

/// The square at the head of `text`, and the rest.
fn split_cell(text: &str) -> Option<(Cell, &str)> {
    let (square, rest) = Square::split_from(text)?;
    Some((Cell::try_from(square).ok()?, rest))
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
        // A captured stone makes room for the one laid; an own stone is buried by it.
        for cell in Cell::all_of(laid & self.owned[mover.index()]) {
            self.bury(cell, self.buried(cell).push(mover));
        }
        self.owned[mover.index()] |= laid;

        self.quiet = if captured == 0 { one_more(self.quiet) } else { 0 };
        self.ply = one_more(self.ply);
        self.side = enemy;
    }

    /// Makes `pile` the buried stones of a square.
    pub(super) fn bury(&mut self, cell: Cell, pile: Pile) {
        self.buried_hash ^= self.buried(cell).key(cell) ^ pile.key(cell);
        self.buried[cell.index()] = pile;
        self.towers &= !cell.board();
        self.towers |= u64::from(pile != Pile::EMPTY) << cell.index();
    }
}
