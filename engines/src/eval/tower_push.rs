//! The evaluation of Tower Push: pieces, the squares around the Tower, pieces that may be pushed off. It does not
//! search.

use engine_proto::games::tower_push::{Cell, Direction, Move, Squares, Step, TowerPush};
use engine_proto::{Position, Side};

use super::terms::{Counts, Sum, Tally, terms};
use super::weights::tower_push::WEIGHTS;
use super::{Evaluator, Term};

/// Pieces, patterns around the Tower, nearness to it, threats at the edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct TowerPushEval;

terms! {
    /// A piece on the board.
    PIECE[1],
    /// A piece in hand.
    IN_HAND[1],
    /// By the number of a side's pieces on a pattern without enemy pieces: the four squares next to the Tower, then
    /// those at its corners.
    PATTERN[10],
    /// The same if the enemy also has pieces on the pattern.
    SHARED_PATTERN[10],
    /// The same as the first, in addition, for the side that steps next.
    DUE_PATTERN[10],
    /// A piece next to the Tower, and one a step away from there.
    NEAR[2],
    /// A piece at the edge.
    AT_EDGE[1],
    /// A piece in a corner.
    IN_CORNER[1],
    /// A piece that an enemy may push off with his next step, counted for each direction: of the side that steps next,
    /// which can still save it, and of the other.
    IN_DANGER[2],
    /// A piece without another one of its side next to it.
    LONE[1],
    /// An empty square that a piece may step to.
    ROOM[1],
    /// By the number of pieces left on the board, if there are few.
    FEW[3],
    /// This side steps next.
    TEMPO[1],
}

impl Evaluator<TowerPush> for TowerPushEval {
    const SPREAD: i32 = 200;
    const HAS_FORCING: bool = true;
    const TERMS: &'static [Term] = TERMS;

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }

    fn evaluate(&mut self, position: &TowerPush) -> i32 {
        Sum::<N_WEIGHTS>::of(&WEIGHTS, |sum| tell(position, sum))
    }

    fn count(&self, position: &TowerPush, counts: &mut [i32]) {
        tell(position, &mut Counts::into(counts));
    }

    fn is_forcing(&self, position: &TowerPush, mv: Move) -> bool {
        match mv {
            Move::Step(step) => captures(position, step),
            Move::Place(_) | Move::Pass => false,
        }
    }

    fn promise(&self, position: &TowerPush, mv: Move) -> i32 {
        match mv {
            Move::Step(step) => nearness(position, step.to) - nearness(position, step.from),
            Move::Place(cell) => nearness(position, cell),
            Move::Pass => 0,
        }
    }
}

fn tell(position: &TowerPush, tally: &mut impl Tally) {
    let side = position.side_to_move();
    tell_of(position, side, tally);
    tally.turn();
    tell_of(position, !side, tally);
}

/// The value of one side's pieces.
fn tell_of(position: &TowerPush, side: Side, tally: &mut impl Tally) {
    let (own, enemy) = (position.pieces(side), position.pieces(!side));
    let is_due = position.next_to_step() == side;
    let count = |squares: Squares| squares.len() as i32;
    tally.add(PIECE, count(own));
    tally.add(IN_HAND, i32::from(position.in_hand(side)));
    for (idx, pattern) in position.size().patterns().into_iter().enumerate() {
        let held = idx * 5 + (pattern & own).len() as usize;
        if (pattern & enemy).is_empty() {
            tally.add(PATTERN + held, 1);
            if is_due {
                tally.add(DUE_PATTERN + held, 1);
            }
        } else {
            tally.add(SHARED_PATTERN + held, 1);
        }
    }
    let beside = Squares::of(position.size().tower()).neighbours();
    tally.add(NEAR, count(own & beside));
    tally.add(NEAR + 1, count(own & beside.neighbours() & !beside));
    let [edge, corners] = edge_and_corners(position);
    tally.add(AT_EDGE, count(own & edge));
    tally.add(IN_CORNER, count(own & corners));
    tally.add(IN_DANGER + usize::from(!is_due), endangered(position, side));
    let reach = own.neighbours();
    tally.add(LONE, count(own & !reach));
    tally.add(ROOM, count(reach & position.empty()));
    if (1..=3).contains(&own.len()) {
        tally.add(FEW + own.len() as usize - 1, 1);
    }
    if is_due {
        tally.add(TEMPO, 1);
    }
}
/// The number of pieces of `side` that a single enemy step may push off, counted for each direction.
fn endangered(position: &TowerPush, side: Side) -> i32 {
    let own = position.pieces(side);
    let within = position.size().squares();
    let landings = position.empty() & position.pieces(!side).neighbours();
    Direction::ALL
        .into_iter()
        .map(|direction| {
            // The pieces that a push in this direction takes over the edge; the push comes from the square in front of
            // them.
            let staying = own & landings.shifted(direction);
            (staying.shifted(direction) & within).len().abs_diff(staying.len()) as i32
        })
        .sum()
}

/// Whether a step pushes an enemy piece off the board.
fn captures(position: &TowerPush, step: Step) -> bool {
    let enemy = position.pieces(!position.side_to_move());
    (step.to.neighbours() & enemy)
        .cells()
        .any(|first| is_pushed_off(position, first, Direction::between(step.to, first), step.from))
}

/// Whether a push of the piece on `first` takes the last one of its chain over the edge. `vacated` is the stepper's old
/// square.
fn is_pushed_off(position: &TowerPush, first: Cell, direction: Direction, vacated: Cell) -> bool {
    let size = position.size();
    let mut at = first;
    loop {
        let Some(next) = at.next(direction).filter(|&next| size.squares().contains(next)) else {
            return position.pieces(!position.side_to_move()).contains(at);
        };
        if next == vacated || next == size.tower() || position.empty().contains(next) {
            return false;
        }
        at = next;
    }
}

/// The squares at the edge of the board, and those in its corners.
fn edge_and_corners(position: &TowerPush) -> [Squares; 2] {
    let within = position.size().squares();
    let inner_files = within & within.shifted(Direction::East) & within.shifted(Direction::West);
    let inner_ranks = within & within.shifted(Direction::North) & within.shifted(Direction::South);
    [within & !(inner_files & inner_ranks), within & !inner_files & !inner_ranks]
}

/// The nearness of a square to the Tower, for move ordering.
fn nearness(position: &TowerPush, cell: Cell) -> i32 {
    let (tower, square) = (position.size().tower().square(), cell.square());
    let distance = tower.file.abs_diff(square.file).max(tower.rank.abs_diff(square.rank));
    -20 * i32::from(distance)
}
