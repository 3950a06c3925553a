//! The reach of pieces (page, section Reach), independent of other rules for a move.

use super::FourTowers;
use super::board::Board;
use super::cells::{Cell, FRONT_ZONE, TOWER_CELLS};
use super::en_passant::{EnPassant, EnPassants};
use super::lines::{
    DIAGONAL, JUMPS, LineTable, PLAIN, SIDEWAYS, diagonally_forward, forward, opposite, orthogonal, slide,
    step, two_steps,
};
use super::pieces::{Kind, Powers};
use crate::Side;

/// The reach of a piece: the squares with each of the page's marks, whatever stands on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Where it may go if the square is vacant: *move*.
    pub moves: u128,
    /// Where it may capture: *take*.
    pub takes: u128,
    /// Where it may capture en passant: *ep*.
    pub en_passant: u128,
}

impl Reach {
    /// The squares with any mark.
    pub const fn any(self) -> u128 {
        self.moves | self.takes | self.en_passant
    }

    const fn both(set: u128) -> Self {
        Self { moves: set, takes: set, en_passant: 0 }
    }
}

/// The parts of a position that determine the reach of its pieces: occupied squares, effects of towers, powers, and
/// possible captures en passant.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    occupied: u128,
    orthogonal: &'static LineTable,
    cardinal_field: u128,
    pawn_field: u128,
    lancer_field: u128,
    powers: Powers,
    side_to_move: Side,
    /// The sideways pairs, against which whole lancers of the side to move have more marks.
    sideways: EnPassants,
}

impl Ground {
    /// The ground under the pieces of a position.
    pub fn new(position: &FourTowers) -> Self {
        let board = position.board();
        let orthogonal = orthogonal(board.refracting());
        Self {
            occupied: board.occupied(),
            orthogonal,
            cardinal_field: board.field_of(Kind::Cardinal),
            pawn_field: board.field_of(Kind::Pawn),
            lancer_field: board.field_of(Kind::Lancer),
            powers: position.dragon_powers(),
            side_to_move: position.side,
            sideways: position.answerable().filtered(|pair| is_sideways(board, orthogonal, pair)),
        }
    }

    /// The reach of a whole piece.
    pub fn reach(&self, side: Side, kind: Kind, from: Cell) -> Reach {
        let in_cardinal_field = self.cardinal_field & from.bit() != 0;
        match kind {
            Kind::Knight if in_cardinal_field => self.reach_of_part(side, Kind::Bishop, from),
            Kind::Bishop if in_cardinal_field => self.reach_of_part(side, Kind::Knight, from),
            _ => self.reach_of_part(side, kind, from),
        }
    }

    /// The reach of a part of a compound piece, to which the cardinal's exchange does not apply.
    pub fn reach_of_part(&self, side: Side, kind: Kind, from: Cell) -> Reach {
        match kind {
            Kind::Pawn => self.pawn(side, from),
            Kind::Lancer => self.lancer(side, from),
            Kind::King => self.king(from),
            Kind::Dragon => {
                let mut set = self.like(self.powers, from);
                if self.powers.has(Powers::KING) {
                    set |= self.king_steps(from);
                }
                Reach::both(set)
            }
            _ => Reach::both(self.like(kind.lends().unwrap_or_default(), from)),
        }
    }

    /// The reach of rook, bishop and knight, as far as `powers` contain them.
    fn like(&self, powers: Powers, from: Cell) -> u128 {
        let mut set = 0;
        if powers.has(Powers::ROOK) {
            set |= slide(self.orthogonal, from, self.occupied);
        }
        if powers.has(Powers::BISHOP) {
            set |= slide(&DIAGONAL, from, self.occupied);
        }
        if powers.has(Powers::KNIGHT) {
            set |= JUMPS[from.index()];
        }
        set
    }

    fn king_steps(&self, from: Cell) -> u128 {
        self.orthogonal[from.index()].steps | DIAGONAL[from.index()].steps
    }

    fn king(&self, from: Cell) -> Reach {
        let mut reach = Reach::both(self.king_steps(from));
        if TOWER_CELLS & from.bit() != 0 {
            reach.takes |= self.like(Powers::ROOK.and(Powers::BISHOP), from);
        }
        reach
    }

    fn pawn(&self, side: Side, from: Cell) -> Reach {
        let lines = self.orthogonal;
        let doubles = (FRONT_ZONE[side.index()] | self.pawn_field) & from.bit() != 0;
        let ahead = if doubles {
            two_steps(lines, from, forward(side), self.occupied)
        } else {
            step(lines, from, forward(side))
        };
        let aside = step(lines, from, SIDEWAYS[0]) | step(lines, from, SIDEWAYS[1]);
        let [one_way, other_way] = diagonally_forward(side);
        let takes = step(&DIAGONAL, from, one_way) | step(&DIAGONAL, from, other_way);
        Reach { moves: ahead | aside | self.step_back(side, from), takes, en_passant: takes }
    }

    fn lancer(&self, side: Side, from: Cell) -> Reach {
        let [one_way, other_way] = SIDEWAYS;
        let aside = two_steps(self.orthogonal, from, one_way, self.occupied)
            | two_steps(self.orthogonal, from, other_way, self.occupied);
        let ahead = lancer_takes(self.orthogonal, side, from, self.occupied);
        let mut reach = Reach {
            moves: ahead | aside | self.step_back(side, from),
            takes: ahead,
            en_passant: ahead | aside,
        };
        if !self.sideways.is_empty() && side == self.side_to_move {
            reach.takes |= aside & self.sideways.pieces();
            reach.en_passant |= self.passed(from);
        }
        reach
    }

    /// The crossed squares of the sideways pairs whose lancers stand between them and `from`.
    fn passed(&self, from: Cell) -> u128 {
        let mut passed = 0;
        for EnPassant { crossed, piece } in self.sideways.iter() {
            for direction in SIDEWAYS {
                if step(self.orthogonal, from, direction) == piece.bit() {
                    passed |= step(self.orthogonal, piece, direction) & crossed.bit();
                }
            }
        }
        passed
    }

    fn step_back(&self, side: Side, from: Cell) -> u128 {
        if self.lancer_field & from.bit() == 0 {
            return 0;
        }
        step(self.orthogonal, from, opposite(forward(side)))
    }
}

/// Whether a pair comes from a lancer that moved sideways: by a plain step, or one refracted by the current knights.
fn is_sideways(board: &Board, orthogonal: &LineTable, EnPassant { crossed, piece }: EnPassant) -> bool {
    let beside = |table| SIDEWAYS.iter().fold(0, |set, &direction| set | step(table, crossed, direction));
    board.all(Kind::Lancer) & piece.bit() != 0 && (beside(PLAIN) | beside(orthogonal)) & piece.bit() != 0
}

/// The squares on which a lancer captures: straight and diagonally ahead, one square or two.
pub(super) fn lancer_takes(orthogonal: &LineTable, side: Side, from: Cell, occupied: u128) -> u128 {
    let [one_way, other_way] = diagonally_forward(side);
    two_steps(orthogonal, from, forward(side), occupied)
        | two_steps(&DIAGONAL, from, one_way, occupied)
        | two_steps(&DIAGONAL, from, other_way, occupied)
}
