//! Whether a rearrangement can end with the own king safe (page, section Legality): a search through the relocations
//! that may follow. A rearrangement changes only the king's square and the set of occupied squares.

use std::collections::BTreeSet;

use super::FourTowers;
use super::cells::{Cell, PROMOTION, cells};
use super::check::is_attacked;
use crate::Side;

/// The rearrangements of the side to move within one arena.
pub struct Rearranging<'a> {
    position: &'a FourTowers,
    side: Side,
    arena: u128,
    /// The squares of the own pawns and lancers before the next relocation.
    pawn_like: u128,
}

/// The progress of a rearrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stage {
    /// The squares of the own pieces in the arena that have not been relocated.
    pub unmoved: u128,
    /// The squares of all pieces.
    occupied: u128,
    king: Cell,
}

impl Stage {
    /// The stage after another relocation.
    pub fn after(self, from: Cell, to: Cell) -> Self {
        Self {
            unmoved: self.unmoved & !from.bit(),
            occupied: self.occupied & !from.bit() | to.bit(),
            king: if from == self.king { to } else { self.king },
        }
    }
}

impl<'a> Rearranging<'a> {
    /// Those within `arena`.
    pub fn new(position: &'a FourTowers, arena: u128) -> Self {
        let side = position.side;
        Self { position, side, arena, pawn_like: position.board.pawn_like() & position.board.of(side) }
    }

    /// The stage of the position, in which the pieces on these squares have been `relocated`.
    pub fn stage(&self, relocated: u128) -> Stage {
        let board = &self.position.board;
        Stage {
            unmoved: board.of(self.side) & self.arena & !relocated,
            occupied: board.occupied(),
            king: board.king(self.side),
        }
    }

    /// The squares to which the piece on `from` may be relocated now.
    pub const fn targets(&self, stage: Stage, from: Cell) -> u128 {
        let vacant = self.arena & !stage.occupied;
        if self.pawn_like & from.bit() != 0 { vacant & !PROMOTION[self.side.index()] } else { vacant }
    }

    /// Whether the turn may end at this stage, as far as the own king is concerned.
    pub fn is_safe(&self, stage: Stage) -> bool {
        !is_attacked(self.position, self.side, stage.king, stage.occupied)
    }

    /// Whether one or more further relocations can end the turn with the own king safe. `dead` contains stages for
    /// which the answer is no.
    pub fn can_end(&self, stage: Stage, dead: &mut BTreeSet<Stage>) -> bool {
        // Usually one relocation is enough.
        if self.next(stage).any(|next| self.is_safe(next)) {
            return true;
        }
        if !self.is_hopeful(stage) || dead.contains(&stage) {
            return false;
        }
        let can_end = self.next(stage).any(|next| self.can_end(next, dead));
        if !can_end {
            dead.insert(stage);
        }
        can_end
    }

    /// Whether relocations could help the king if every square could be occupied. False is certain, true is not.
    pub fn is_hopeful(&self, stage: Stage) -> bool {
        // More occupied squares never create an attack.
        let crowded = Stage { occupied: stage.occupied | self.arena, ..stage };
        let refuges = self.arena & !stage.occupied | stage.unmoved;
        self.is_safe(crowded)
            || stage.unmoved & stage.king.bit() != 0
                && cells(refuges).any(|king| self.is_safe(Stage { king, ..crowded }))
    }

    /// The stages after another relocation.
    fn next(&self, stage: Stage) -> impl Iterator<Item = Stage> {
        cells(stage.unmoved)
            .flat_map(move |from| cells(self.targets(stage, from)).map(move |to| stage.after(from, to)))
    }
}
