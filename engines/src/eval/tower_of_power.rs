//! The evaluation of Tower of Power: who owns squares, what is buried and beneath whom, who can move, who can take. It
//! looks no move ahead.

use engine_proto::games::tower_of_power::{Move, TowerOfPower};
use engine_proto::{Position, Side};

use super::terms::{Counts, Sum, Tally, terms};
use super::weights::tower_of_power::WEIGHTS;
use super::{Evaluator, Term};

/// Owned squares, buried stones, towers, room to move, stones to take.
#[derive(Clone, Copy, Debug, Default)]
pub struct TowerOfPowerEval;

terms! {
    /// A square owned: its top stone can move.
    OWNED[1],
    /// By the number of squares owned, where they are few.
    FEW[8],
    /// A buried stone. It may come free one day.
    BURIED[1],
    /// A stone of one's own right beneath an enemy top.
    BENEATH_ENEMY[1],
    /// A stone of one's own right beneath an own top.
    BENEATH_OWN[1],
    /// A tower of one's own.
    TOWER[1],
    /// An own top beside which there is no other.
    LONE[1],
    /// An own top at the edge of the board.
    AT_EDGE[1],
    /// An own top on the sixteen squares in the middle.
    IN_CENTRE[1],
    /// Each tenth of a doubling of the number of moves.
    MOBILITY[1],
    /// An enemy top beside an own one, which the side to move may take; the same for the other side.
    TAKEABLE[2],
    /// The same of enemy tops that are on a tower.
    TAKEABLE_TOWER[2],
    /// The side to move is about to take something.
    TEMPO[1],
}

impl Evaluator<TowerOfPower> for TowerOfPowerEval {
    const SPREAD: i32 = 250;
    const HAS_FORCING: bool = true;
    const TERMS: &'static [Term] = TERMS;

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }

    fn evaluate(&self, position: &TowerOfPower) -> i32 {
        Sum::<N_WEIGHTS>::of(&WEIGHTS, |sum| tell(position, sum))
    }

    fn count(&self, position: &TowerOfPower, counts: &mut [i32]) {
        tell(position, &mut Counts::into(counts));
    }

    fn is_forcing(&self, position: &TowerOfPower, mv: Move) -> bool {
        mv.laid() & position.owned(!position.side_to_move()) != 0
    }

    fn promise(&self, position: &TowerOfPower, mv: Move) -> i32 {
        let side = position.side_to_move();
        let captured = (mv.laid() & position.owned(!side)).count_ones() as i32;
        let covered = (mv.laid() & position.owned(side)).count_ones() as i32;
        let freed = (mv.lifted() & position.towers()).count_ones() as i32;
        (captured * 250 + freed * 30 - covered * 100).clamp(-1000, 1000)
    }
}

fn tell(position: &TowerOfPower, tally: &mut impl Tally) {
    let side = position.side_to_move();
    tally.add(TEMPO, 1);
    tell_of(position, side, tally);
    tally.turn();
    tell_of(position, !side, tally);
}

/// What one side's stones are worth.
fn tell_of(position: &TowerOfPower, side: Side, tally: &mut impl Tally) {
    const EDGE: u64 = 0xFF81_8181_8181_81FF;
    const CENTRE: u64 = 0x0000_3C3C_3C3C_0000;
    let (own, enemy, towers) = (position.owned(side), position.owned(!side), position.towers());
    let count = |board: u64| board.count_ones() as i32;
    tally.add(OWNED, count(own));
    if (1..=8).contains(&count(own)) {
        tally.add(FEW + count(own) as usize - 1, 1);
    }
    let beneath = position.beneath_tops(side);
    tally.add(BURIED, position.buried_stones(side) as i32);
    tally.add(BENEATH_ENEMY, count(beneath & enemy));
    tally.add(BENEATH_OWN, count(beneath & own));
    tally.add(TOWER, count(own & towers));
    let beside = beside(own);
    tally.add(LONE, count(own & !beside));
    tally.add(AT_EDGE, count(own & EDGE));
    tally.add(IN_CENTRE, count(own & CENTRE));
    tally.add(MOBILITY, tenths_of_doublings(position.mobility(side)));
    let waits = usize::from(position.side_to_move() != side);
    tally.add(TAKEABLE + waits, count(beside & enemy));
    tally.add(TAKEABLE_TOWER + waits, count(beside & enemy & towers));
}

/// How often `n + 1` is 2 doubled, in tenths.
fn tenths_of_doublings(n: usize) -> i32 {
    ((1.0 + n as f32).log2() * 10.0) as i32
}

/// The squares that have one of `squares` for a neighbour.
fn beside(squares: u64) -> u64 {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    let sides = (squares & NOT_H) << 1 | (squares & NOT_A) >> 1;
    let row = squares | sides;
    sides | row << 8 | row >> 8
}
