//! The evaluation of Four Towers: material, towers, squares, pawns, and the kings with the pieces near them. It does
//! not search.

use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};

use engine_proto::games::four_towers::{
    ALL_CELLS, Board, Cell, FourTowers, Kind, Move, N_CELLS, PROMOTION, Powers, TOWER_CELLS, Travel, Turn,
    Way, cells,
};
use engine_proto::{Position, Side};

use super::terms::{Counts, Sum, Tally, terms};
use super::weights::four_towers::WEIGHTS;
use super::{Evaluator, Term};

/// Material, towers, centrality, advance, shelter.
#[derive(Clone, Debug)]
pub struct FourTowersEval {
    /// The value of each kind on each square, by side: the terms that depend on nothing else.
    worths: Arc<[[[i32; N_CELLS]; N_KINDS]; 2]>,
}

const N_KINDS: usize = Kind::ALL.len();

terms! {
    /// A piece, by kind in the order of [`nth`].
    PIECE[N_KINDS],
    /// A piece on a tower, by kind.
    ON_TOWER[N_KINDS],
    /// Each step that a piece is away from the centre, by kind.
    FROM_CENTRE[N_KINDS],
    /// A pawn by the steps to the nearest promotion square.
    PAWN[10],
    /// The same for a lancer.
    LANCER[10],
    /// The king by the number of ranks that he has advanced.
    KING_OUT[6],
    /// A dragon, for each letter of the powers that dragons have: king, rook, bishop, knight.
    DRAGON_POWER[4],
    /// Each own piece next to the king, up to four.
    SHELTER[1],
    /// An enemy at two or three steps from the king, by kind.
    NEAR_KING[N_KINDS],
    /// An enemy next to the king, by kind.
    AT_KING[N_KINDS],
    /// An immune king.
    IMMUNE[1],
    /// A piece that the side to move may return to the board, by kind.
    RETURNABLE[N_KINDS],
    /// A square without an own piece that a piece reaches, by kind.
    MOBILITY[N_KINDS],
    /// A square that an enemy reaches at or next to the king, by the enemy's kind.
    KING_ATTACKED[N_KINDS],
    /// A piece that an enemy of a lower class attacks, by kind: of the side to move.
    ATTACKED_BY_LESS[N_KINDS],
    /// The same for the other side.
    ATTACKED_BY_LESS_NEXT[N_KINDS],
    /// Another piece that is attacked and not defended, by kind: of the side to move.
    HANGING[N_KINDS],
    /// The same for the other side.
    HANGING_NEXT[N_KINDS],
    /// The king of the side to move is attacked.
    CHECK[1],
    /// Two bishops, two rooks or two knights, parts included.
    COUPLE[3],
    /// It is this side's move.
    TEMPO[1],
}

/// A capture is even if the values of the pieces differ by at most this.
const SLACK: i32 = 20;
/// The last file and the last rank, counted from 0.
const LAST: i32 = 10;
impl Default for FourTowersEval {
    fn default() -> Self {
        let mut worths = [[[0; N_CELLS]; N_KINDS]; 2];
        for side in Side::ALL {
            for kind in Kind::ALL {
                for cell in cells(ALL_CELLS) {
                    worths[side.index()][nth(kind)][cell.index()] =
                        Sum::<N_WEIGHTS>::of(&WEIGHTS, |sum| tell_of_piece(kind, side, cell, sum));
                }
            }
        }
        Self { worths: Arc::new(worths) }
    }
}

impl Evaluator<FourTowers> for FourTowersEval {
    const SPREAD: i32 = 250;
    const HAS_FORCING: bool = true;
    const TERMS: &'static [Term] = TERMS;

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }

    fn evaluate(&mut self, position: &FourTowers) -> i32 {
        Sum::<N_WEIGHTS>::of(&WEIGHTS, |sum| {
            tell(position, sum, |side, sum| sum.add_value(self.pieces(position.board(), side)));
        })
    }

    fn count(&self, position: &FourTowers, counts: &mut [i32]) {
        tell(position, &mut Counts::into(counts), |side, tally| {
            for (kind, squares) in by_kind(position.board(), side) {
                cells(squares).for_each(|cell| tell_of_piece(kind, side, cell, tally));
            }
        });
    }

    fn is_forcing(&self, position: &FourTowers, mv: Move) -> bool {
        match mv {
            // Captures that lose the capturing piece are left to the tree: there are too many of them.
            Move::Travel(travel) => {
                let gain = captured(position, travel);
                travel.promotion.is_some() || gain > 0 && mover(position, travel) <= gain + SLACK
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
    let trade = if captured > 0 { captured - mover(position, travel) / 8 } else { 0 };
    let nearer = 4 * (from_centre(travel.from) - from_centre(travel.to));
    let tower = if TOWER_CELLS & travel.to.bit() != 0 { 30 } else { 0 };
    (trade + promoted + nearer + tower).clamp(-1000, 1000)
}

/// The value of the piece or part that moves.
fn mover(position: &FourTowers, travel: Travel) -> i32 {
    travel.part.or_else(|| position.board().kind_at(travel.from)).map_or(0, worth)
}

/// The value of what it captures, 0 for nothing.
fn captured(position: &FourTowers, travel: Travel) -> i32 {
    let board = position.board();
    let taken = match travel.way {
        Way::EnPassant => position.answerable().captured_on(travel.to),
        _ => board.of(!position.side_to_move()) & travel.to.bit(),
    };
    cells(taken).filter_map(|cell| board.kind_at(cell)).map(worth).sum()
}

impl FourTowersEval {
    /// The value of one side's pieces on their squares.
    fn pieces(&self, board: &Board, side: Side) -> i32 {
        let worths = &self.worths[side.index()];
        by_kind(board, side)
            .map(|(kind, squares)| cells(squares).map(|cell| worths[nth(kind)][cell.index()]).sum::<i32>())
            .sum()
    }
}

/// Lists all terms of a position; `tell_pieces` lists those of one side's pieces on their squares.
fn tell<T: Tally>(position: &FourTowers, tally: &mut T, mut tell_pieces: impl FnMut(Side, &mut T)) {
    let side = position.side_to_move();
    if position.turn() == Turn::Begins {
        tally.add(TEMPO, 1);
    }
    if let Some(captured) = position.returnable() {
        tally.add(RETURNABLE + nth(captured.kind), 1);
    }
    let reached = Side::ALL.map(|side| Reached::of(position, side));
    tell_pieces(side, tally);
    tell_of(position, side, &reached, tally);
    tally.turn();
    tell_pieces(!side, tally);
    tell_of(position, !side, &reached, tally);
}

/// The value of a piece on a square, independent of all other pieces.
fn tell_of_piece(kind: Kind, side: Side, cell: Cell, tally: &mut impl Tally) {
    tally.add(PIECE + nth(kind), 1);
    tally.add(FROM_CENTRE + nth(kind), from_centre(cell));
    if TOWER_CELLS & cell.bit() != 0 {
        tally.add(ON_TOWER + nth(kind), 1);
    }
    let steps = steps_to_promotion(side, cell).min(9) as usize;
    match kind {
        Kind::Pawn => tally.add(PAWN + steps, 1),
        Kind::Lancer => tally.add(LANCER + steps, 1),
        Kind::King => tally.add(KING_OUT + king_out(side, cell).min(5) as usize, 1),
        _ => {}
    }
}

/// The terms of one side, except those of its pieces on their squares.
fn tell_of(position: &FourTowers, side: Side, reached: &[Reached; 2], tally: &mut impl Tally) {
    let board = position.board();
    let (own, enemy) = (board.of(side), board.of(!side));
    let dragons = count(board.kind(side, Kind::Dragon));
    if dragons != 0 {
        let powers = [Powers::KING, Powers::ROOK, Powers::BISHOP, Powers::KNIGHT];
        for (idx, &power) in powers.iter().enumerate() {
            tally.add(DRAGON_POWER + idx, dragons * i32::from(position.dragon_powers().has(power)));
        }
    }
    let king = board.king(side);
    let [beside, near] = SURROUNDINGS[king.index()];
    tally.add(SHELTER, count(own & beside).min(4));
    for (term, squares) in [(AT_KING, enemy & beside), (NEAR_KING, enemy & near)] {
        for cell in cells(squares) {
            if let Some(kind) = board.kind_at(cell) {
                tally.add(term + nth(kind), 1);
            }
        }
    }
    let immune = Board::field(board.kind(side, Kind::Queen)) & king.bit() != 0;
    tally.add(IMMUNE, i32::from(immune));
    let (reach, threats) = (&reached[side.index()], &reached[(!side).index()]);
    for kind in Kind::ALL {
        tally.add(MOBILITY + nth(kind), reach.mobility[nth(kind)]);
        tally.add(KING_ATTACKED + nth(kind), threats.at_king[nth(kind)]);
    }
    tell_threats(position, side, reach, threats, tally);
    let couples = [board.with_bishop(), board.with_rook(), board.with_knight()];
    for (idx, pieces) in couples.into_iter().enumerate() {
        tally.add(COUPLE + idx, i32::from(count(pieces & own) >= 2));
    }
}

/// A side's pieces that are attacked.
fn tell_threats(
    position: &FourTowers,
    side: Side,
    reach: &Reached,
    threats: &Reached,
    tally: &mut impl Tally,
) {
    let is_to_move = position.side_to_move() == side;
    let [lesser, hanging] =
        if is_to_move { [ATTACKED_BY_LESS, HANGING] } else { [ATTACKED_BY_LESS_NEXT, HANGING_NEXT] };
    let board = position.board();
    let king = board.kind(side, Kind::King);
    tally.add(CHECK, i32::from(is_to_move && threats.by_class[N_CLASSES - 1] & king != 0));
    let attacked = board.of(side) & threats.by_class[N_CLASSES - 1] & !king;
    let defended = reach.by_class[N_CLASSES - 1];
    for cell in cells(attacked) {
        let Some(kind) = board.kind_at(cell) else { continue };
        let class = class(kind);
        if class > 0 && threats.by_class[class - 1] & cell.bit() != 0 {
            tally.add(lesser + nth(kind), 1);
        } else if defended & cell.bit() == 0 {
            tally.add(hanging + nth(kind), 1);
        }
    }
}

/// The squares that a side's pieces reach.
struct Reached {
    /// The squares where pieces of this class or a lower one may capture.
    by_class: [u128; N_CLASSES],
    /// By kind, the number of squares without an own piece that its pieces reach, counted for each piece.
    mobility: [i32; N_KINDS],
    /// The same for the squares at and next to the enemy's king.
    at_king: [i32; N_KINDS],
}

impl Reached {
    fn of(position: &FourTowers, side: Side) -> Self {
        let (board, ground) = (position.board(), position.ground());
        let free = !board.of(side);
        let enemy_king = board.king(!side);
        let target = SURROUNDINGS[enemy_king.index()][0] | enemy_king.bit();
        let mut reached = Self { by_class: [0; N_CLASSES], mobility: [0; N_KINDS], at_king: [0; N_KINDS] };
        for (kind, squares) in by_kind(board, side) {
            for cell in cells(squares) {
                let takes = match kind {
                    Kind::Pawn => PAWN_TARGETS[side.index()][cell.index()],
                    _ => ground.reach(side, kind, cell).takes,
                };
                reached.by_class[class(kind)] |= takes;
                reached.mobility[nth(kind)] += count(takes & free);
                reached.at_king[nth(kind)] += count(takes & target);
            }
        }
        for class in 1..N_CLASSES {
            reached.by_class[class] |= reached.by_class[class - 1];
        }
        reached
    }
}

/// The number of classes of pieces.
const N_CLASSES: usize = 6;

/// A piece's class: higher classes are worth more.
const fn class(kind: Kind) -> usize {
    match kind {
        Kind::Pawn => 0,
        Kind::Lancer => 1,
        Kind::Knight | Kind::Bishop | Kind::Dragon => 2,
        Kind::Rook => 3,
        Kind::Cardinal | Kind::Marshall | Kind::Queen | Kind::Wizard => 4,
        Kind::King => 5,
    }
}

/// The index of a kind in the weights of a term: rook, bishop, queen, knight, marshall, cardinal, wizard, pawn, lancer,
/// king, dragon.
const fn nth(kind: Kind) -> usize {
    kind.code() as usize - 1
}

/// The squares of each kind's pieces of one side.
fn by_kind(board: &Board, side: Side) -> impl Iterator<Item = (Kind, u128)> {
    Kind::ALL.into_iter().map(move |kind| (kind, board.kind(side, kind)))
}

/// By square, the squares one step away, and those two or three steps away.
static SURROUNDINGS: LazyLock<[[u128; 2]; N_CELLS]> = LazyLock::new(|| {
    by_cell(|at| {
        let within = |steps: RangeInclusive<i32>| {
            cells(ALL_CELLS)
                .filter(|&cell| steps.contains(&distance(at, cell)))
                .fold(0, |set, cell| set | cell.bit())
        };
        [within(1..=1), within(2..=3)]
    })
});

/// By side and square, the squares that a pawn there may capture on, without towers and their effects.
static PAWN_TARGETS: LazyLock<[[u128; N_CELLS]; 2]> = LazyLock::new(|| {
    Side::ALL.map(|side| {
        let ahead = if side == Side::White { 1 } else { -1 };
        by_cell(|at| {
            let target = |aside| Cell::at(at.file() + aside, at.rank() + ahead).map_or(0, Cell::bit);
            target(-1) | target(1)
        })
    })
});

/// Computes `value` for every square.
fn by_cell<T: Copy + Default>(value: impl Fn(Cell) -> T) -> [T; N_CELLS] {
    let mut values = [T::default(); N_CELLS];
    cells(ALL_CELLS).for_each(|cell| values[cell.index()] = value(cell));
    values
}

/// The value of a piece for move ordering and exchanges.
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

/// The number of ranks that the king has advanced.
fn king_out(side: Side, cell: Cell) -> i32 {
    let rank = i32::from(cell.rank());
    match side {
        Side::White => rank,
        Side::Black => LAST - rank,
    }
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

const fn count(squares: u128) -> i32 {
    squares.count_ones() as i32
}
