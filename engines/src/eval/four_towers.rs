//! The evaluation of Four Towers: material, whole and in parts, towers, room, pawns on their way, kings. It looks no move
//! ahead.

use std::sync::Arc;

use engine_proto::games::four_towers::{
    ALL_CELLS, Board, Cell, FourTowers, Kind, Move, N_CELLS, PROMOTION, Powers, TOWER_CELLS, Travel, Turn,
    Way, cells,
};
use engine_proto::{Position, Side};

use super::Evaluator;

/// Material, towers, centrality, advance, shelter.
#[derive(Clone, Debug)]
pub struct FourTowersEval {
    /// The worth of each kind on each square, by side.
    worths: Arc<[[[i32; N_CELLS]; Kind::ALL.len()]; 2]>,
}

/// A piece on a tower, whatever it is: the effects differ, the place is good.
const ON_TOWER: i32 = 25;
/// Each letter of the powers that dragons have, for each dragon.
const DRAGON_POWER: i32 = 70;
/// Each step of a pawn or lancer towards promotion, squared.
const ADVANCE: i32 = 3;
/// Each step that a knight, bishop or compound piece is away from the centre.
const FROM_CENTRE: i32 = 5;
/// Each piece of one's own beside the king.
const SHELTER: i32 = 8;
/// The king on his way into the open, each step.
const KING_OUT: i32 = 6;
/// An immune king.
const IMMUNE: i32 = 20;
/// A capture is even if the pieces' worths differ by no more.
const SLACK: i32 = 20;
/// The last file and the last rank, counted from 0.
const LAST: i32 = 10;
/// The side to move is a step ahead.
const TEMPO: i32 = 12;

impl Default for FourTowersEval {
    fn default() -> Self {
        let mut worths = [[[0; N_CELLS]; Kind::ALL.len()]; 2];
        for side in Side::ALL {
            for (kind, worths) in Kind::ALL.into_iter().zip(&mut worths[side.index()]) {
                for cell in cells(ALL_CELLS) {
                    worths[cell.index()] = worth(kind) + placement(kind, side, cell);
                }
            }
        }
        Self { worths: Arc::new(worths) }
    }
}

impl Evaluator<FourTowers> for FourTowersEval {
    const SPREAD: i32 = 250;
    const HAS_FORCING: bool = true;

    fn evaluate(&self, position: &FourTowers) -> i32 {
        let side = position.side_to_move();
        let returned = position.returnable().map_or(0, |captured| worth(captured.kind) / 2);
        let tempo = if position.turn() == Turn::Begins { TEMPO } else { 0 };
        tempo + returned + self.standing(position, side) - self.standing(position, !side)
    }

    fn is_forcing(&self, position: &FourTowers, mv: Move) -> bool {
        match mv {
            // Captures that lose the mover if it is taken in turn are for the tree: there are too many of them.
            Move::Travel(travel) => {
                let gain = captured(position, travel);
                travel.promotion.is_some() || 0 < gain && mover(position, travel) <= gain + SLACK
            }
            Move::Swap { .. } | Move::Relocation { .. } => false,
            Move::Return { .. } => true,
        }
    }

    fn promise(&self, position: &FourTowers, mv: Move) -> i32 {
        match mv {
            Move::Travel(travel) => promise_of_travel(position, travel),
            Move::Return { to } => 300 - from_centre(to),
            Move::Swap { .. } => -50,
            Move::Relocation { .. } => -150,
        }
    }
}

fn promise_of_travel(position: &FourTowers, travel: Travel) -> i32 {
    let promoted = travel.promotion.map_or(0, |kind| worth(kind) - worth(Kind::Pawn));
    let captured = captured(position, travel);
    let trade = if 0 < captured { captured - mover(position, travel) / 8 } else { 0 };
    let nearer = 4 * (from_centre(travel.from) - from_centre(travel.to));
    let tower = if TOWER_CELLS & travel.to.bit() != 0 { 30 } else { 0 };
    (trade + promoted + nearer + tower).clamp(-1000, 1000)
}

/// The worth of the piece or part that moves.
fn mover(position: &FourTowers, travel: Travel) -> i32 {
    travel.part.or_else(|| position.board().kind_at(travel.from)).map_or(0, worth)
}

/// The worth of what it captures, 0 for nothing.
fn captured(position: &FourTowers, travel: Travel) -> i32 {
    let board = position.board();
    if travel.way == Way::EnPassant {
        return worth(Kind::Pawn);
    }
    let is_capture = board.of(!position.side_to_move()) & travel.to.bit() != 0;
    if is_capture { board.kind_at(travel.to).map_or(0, worth) } else { 0 }
}

impl FourTowersEval {
    /// What one side's pieces are worth as they stand.
    fn standing(&self, position: &FourTowers, side: Side) -> i32 {
        let board = position.board();
        let powers = [Powers::KING, Powers::ROOK, Powers::BISHOP, Powers::KNIGHT];
        let lent = powers.into_iter().filter(|&power| position.dragon_powers().has(power)).count() as i32;
        let dragons = board.kind(side, Kind::Dragon).count_ones() as i32;
        let on_towers = (board.of(side) & TOWER_CELLS).count_ones() as i32;
        let mut sum = DRAGON_POWER * lent * dragons + ON_TOWER * on_towers + shelter(board, side);
        for (kind, worths) in Kind::ALL.into_iter().zip(&self.worths[side.index()]) {
            sum += cells(board.kind(side, kind)).map(|cell| worths[cell.index()]).sum::<i32>();
        }
        sum
    }
}

/// A piece's worth; a compound piece is worth a little more than its parts.
const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::King => 0,
        Kind::Pawn => 100,
        Kind::Lancer => 215,
        Kind::Knight => 300,
        Kind::Bishop => 310,
        Kind::Dragon => 330,
        Kind::Rook => 460,
        Kind::Cardinal => 640,
        Kind::Marshall => 790,
        Kind::Queen => 810,
        Kind::Wizard => 1130,
    }
}

/// What the square of a piece is worth to it.
fn placement(kind: Kind, side: Side, cell: Cell) -> i32 {
    match kind {
        Kind::Pawn | Kind::Lancer => {
            let gone = 9 - steps_to_promotion(side, cell).min(9);
            ADVANCE * gone * gone / 4
        }
        Kind::King => -KING_OUT * king_out(side, cell),
        Kind::Rook => -from_centre(cell),
        _ => -FROM_CENTRE * from_centre(cell),
    }
}

/// How far the king has left his own side of the board.
fn king_out(side: Side, cell: Cell) -> i32 {
    let rank = i32::from(cell.rank());
    match side {
        Side::White => rank,
        Side::Black => LAST - rank,
    }
}

/// What stands around the king, and whether he cannot be in check at all.
fn shelter(board: &Board, side: Side) -> i32 {
    let king = board.king(side);
    let beside = cells(board.of(side)).filter(|&cell| distance(cell, king) == 1).count() as i32;
    let immune = Board::field(board.kind(side, Kind::Queen)) & king.bit() != 0;
    SHELTER * beside.min(4) + if immune { IMMUNE } else { 0 }
}

/// The ranks between a pawn and the nearest promotion square.
fn steps_to_promotion(side: Side, cell: Cell) -> i32 {
    cells(PROMOTION[side.index()]).map(|goal| distance(cell, goal)).min().unwrap_or_default()
}

/// King's steps from the middle of the board.
fn from_centre(cell: Cell) -> i32 {
    let (file, rank) = (i32::from(cell.file()) - LAST / 2, i32::from(cell.rank()) - LAST / 2);
    file.abs().max(rank.abs())
}

fn distance(a: Cell, b: Cell) -> i32 {
    i32::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}
