//! Check (page, section Check), computed from the king's square outwards; and moves that cannot give check.

use super::FourTowers;
use super::board::Board;
use super::cells::{Cell, TOWER_CELLS, cells};
use super::lines::{
    DIAGONAL, JUMPS, LineTable, NEAR, diagonally_forward, lines_to, opposite, orthogonal, step,
};
use super::pieces::{Kind, Powers};
use super::reach::lancer_takes;
use crate::Side;

/// Whether the king of `side` is in check.
pub fn in_check(position: &FourTowers, side: Side) -> bool {
    let board = &position.board;
    is_attacked(position, side, board.king(side), board.occupied())
}

/// Whether the king of `side` would be in check on the square `king` with these `occupied` squares, if the enemies and
/// all pieces on towers stay.
pub fn is_attacked(position: &FourTowers, side: Side, king: Cell, occupied: u128) -> bool {
    let board = &position.board;
    if is_immune(board, side, king) {
        return false;
    }
    let orthogonal = orthogonal(board.refracting());
    let attackers = Attackers::of(board, side, king, position.dragon_powers());
    attackers.jumping & JUMPS[king.index()] != 0
        || attackers.stepping & steps_to(orthogonal, king) != 0
        || attackers.pawns & pawn_origins(!side, king) != 0
        || is_open(orthogonal, king, attackers.orthogonal, occupied)
        || is_open(&DIAGONAL, king, attackers.diagonal, occupied)
        || cells(attackers.lancers & NEAR[king.index()])
            .any(|lancer| lancer_takes(orthogonal, !side, lancer, occupied) & king.bit() != 0)
}

/// The moves that may leave the own king in check.
///
/// Moves off the towers do not change effects. Then a king that does not move can be attacked in only two ways: through
/// lines that open, and by powers that the move gives to the enemy's dragons.
#[derive(Clone, Copy, Debug)]
pub struct Danger {
    /// Whether the king is in check now.
    pub in_check: bool,
    /// Own pieces that may open a line to the king by leaving their squares.
    pub pinned: u128,
    /// Whether an enemy dragon would attack the king if it had the right powers.
    pub dragons: bool,
}

impl Danger {
    /// The danger for the king of `side`.
    pub fn of(position: &FourTowers, side: Side) -> Self {
        let board = &position.board;
        let king = board.king(side);
        let mut danger = Self { in_check: in_check(position, side), pinned: 0, dragons: false };
        if danger.in_check || is_immune(board, side, king) {
            return danger;
        }
        let (own, occupied) = (board.of(side), board.occupied());
        let orthogonal = orthogonal(board.refracting());
        // If the king is not in check, every attacker with all powers is a dragon.
        let attackers = Attackers::of(board, side, king, Powers::ALL);
        danger.dragons = attackers.jumping & JUMPS[king.index()] != 0
            || attackers.stepping & steps_to(orthogonal, king) != 0;
        let lines = lines_to(orthogonal, king, attackers.orthogonal).chain(lines_to(
            &DIAGONAL,
            king,
            attackers.diagonal,
        ));
        for (_, between) in lines {
            let blockers = between & occupied;
            if blockers == 0 {
                danger.dragons = true;
            } else if blockers.is_power_of_two() {
                danger.pinned |= blockers & own;
            }
        }
        for lancer in cells(attackers.lancers & NEAR[king.index()]) {
            // If every square is occupied, it reaches only the first squares.
            let first_squares = lancer_takes(orthogonal, !side, lancer, u128::MAX);
            if lancer_takes(orthogonal, !side, lancer, 0) & king.bit() != 0 {
                danger.pinned |= first_squares & own;
            }
        }
        danger
    }
}

/// The enemies that the universe allows to capture a king, by the way in which they capture.
struct Attackers {
    orthogonal: u128,
    diagonal: u128,
    jumping: u128,
    stepping: u128,
    pawns: u128,
    lancers: u128,
}

impl Attackers {
    fn of(board: &Board, side: Side, king: Cell, powers: Powers) -> Self {
        let enemy = board.of(!side) & !barred_by_universe(board, king);
        let enemy_king = board.kind(!side, Kind::King);
        let king_on_tower = enemy_king & TOWER_CELLS;
        let dragons = board.kind(!side, Kind::Dragon);
        let dragons_with = |power: Powers| if powers.has(power) { dragons } else { 0 };
        // Whole bishops jump and whole knights slide in the field of a cardinal.
        let exchanged = (board.all(Kind::Bishop) | board.all(Kind::Knight)) & board.field_of(Kind::Cardinal);
        Self {
            orthogonal: enemy & board.with_rook() | king_on_tower | dragons_with(Powers::ROOK),
            diagonal: enemy & (board.with_bishop() ^ exchanged)
                | king_on_tower
                | dragons_with(Powers::BISHOP),
            jumping: enemy & (board.with_knight() ^ exchanged) | dragons_with(Powers::KNIGHT),
            stepping: enemy_king | dragons_with(Powers::KING),
            pawns: board.kind(!side, Kind::Pawn),
            lancers: board.kind(!side, Kind::Lancer),
        }
    }
}

/// Whether the king is in the field of his own queen, where he is never in check.
fn is_immune(board: &Board, side: Side, king: Cell) -> bool {
    Board::field(board.kind(side, Kind::Queen)) & king.bit() != 0
}

/// The pieces that may not capture a king on that square because of marshalls on towers.
fn barred_by_universe(board: &Board, king: Cell) -> u128 {
    let field = board.field_of(Kind::Marshall);
    if field & king.bit() != 0 {
        return board.of_universe();
    }
    board.of_universe() & field
}

/// Whether the line of one of the sliders to the target is vacant.
fn is_open(table: &LineTable, target: Cell, sliders: u128, occupied: u128) -> bool {
    lines_to(table, target, sliders).any(|(_, between)| between & occupied == 0)
}

/// The squares from which an orthogonal or diagonal step leads to the target.
fn steps_to(orthogonal: &LineTable, target: Cell) -> u128 {
    orthogonal[target.index()].steps_here | DIAGONAL[target.index()].steps_here
}

/// The squares from which a pawn of `side` captures on the target.
fn pawn_origins(side: Side, target: Cell) -> u128 {
    let [one_way, other_way] = diagonally_forward(side).map(opposite);
    step(&DIAGONAL, target, one_way) | step(&DIAGONAL, target, other_way)
}
