//! The evaluation of Tower of Power: owned squares, buried stones, mobility, possible captures. It does not search.

use engine_proto::games::tower_of_power::{Cell, Direction, Move, TowerOfPower};
use engine_proto::{Position, Side};

use super::generic::tenths_of_doublings;
use super::terms::{Counts, Sum, Tally, terms};
use super::weights::tower_of_power::WEIGHTS;
use super::{Evaluator, Term};
use crate::search::level::{Effort, Efforts};

/// Owned squares, buried stones, towers, mobility, possible captures.
#[derive(Clone, Copy, Debug, Default)]
pub struct TowerOfPowerEval;

terms! {
    /// A square owned: its top stone can move.
    OWNED[1],
    /// By the number of owned squares, if there are few.
    FEW[12],
    /// A buried stone below an own top, by its depth: directly below it, and so on.
    BENEATH_OWN[4],
    /// The same below an enemy top.
    BENEATH_ENEMY[4],
    /// An own tower.
    TOWER[1],
    /// An own top without another one next to it.
    LONE[1],
    /// An own top, by the rings of the board from the edge to the middle.
    RING[4],
    /// An own top at two steps from an enemy one, and not nearer to another.
    NEAR[1],
    /// Each tenth of a doubling of the number of moves.
    MOBILITY[1],
    /// An enemy top next to an own one, which the side to move may take; the same for the other side.
    TAKEABLE[2],
    /// The same for enemy tops on a tower.
    TAKEABLE_TOWER[2],
    /// The same for enemy tops without another one next to them that could take back.
    TAKEABLE_LONE[2],
    /// A way of a row to an enemy top at two squares or more; the same for the other side.
    ROW_WAYS[2],
    /// By the most enemy tops that one move takes; the same for the other side.
    MOST_TAKEN[5],
    /// See above.
    MOST_TAKEN_NEXT[5],
    /// The side to move can take something.
    TEMPO[1],
    /// The last two stones are next to each other: the side to move takes the other one and wins.
    LAST_TWO[1],
}

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
/// The rings of the board, from the edge to the middle.
const RINGS: [u64; 4] =
    [0xFF81_8181_8181_81FF, 0x007E_4242_4242_7E00, 0x0000_3C24_243C_0000, 0x0000_0018_1800_0000];

impl Evaluator<TowerOfPower> for TowerOfPowerEval {
    const SPREAD: i32 = 250;
    // More positions have little effect here, so the levels differ by their mistakes.
    const EFFORTS: Efforts = [
        Effort::new(100, 860),
        Effort::new(140, 745),
        Effort::new(210, 640),
        Effort::new(330, 540),
        Effort::new(520, 445),
        Effort::new(800, 355),
        Effort::new(1_600, 265),
        Effort::new(3_000, 180),
        Effort::new(6_000, 90),
    ];
    const HAS_FORCING: bool = true;
    const TERMS: &'static [Term] = TERMS;

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }

    fn evaluate(&mut self, position: &TowerOfPower) -> i32 {
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
    tally.add(LAST_TWO, i32::from(are_last_two(position)));
    tell_of(position, side, tally);
    tally.turn();
    tell_of(position, !side, tally);
}

/// Whether each side has one stone left, next to each other.
fn are_last_two(position: &TowerOfPower) -> bool {
    let [own, enemy] = [position.owned(Side::White), position.owned(Side::Black)];
    Side::ALL.iter().all(|&side| position.stones(side) == 1) && beside(own) & enemy != 0
}

/// The value of one side's stones.
fn tell_of(position: &TowerOfPower, side: Side, tally: &mut impl Tally) {
    let (own, enemy, towers) = (position.owned(side), position.owned(!side), position.towers());
    tally.add(OWNED, count(own));
    if (1..=12).contains(&count(own)) {
        tally.add(FEW + count(own) as usize - 1, 1);
    }
    tell_buried(position, side, tally);
    tally.add(TOWER, count(own & towers));
    let beside_own = beside(own);
    let beside_enemy = beside(enemy);
    tally.add(LONE, count(own & !beside_own));
    for (idx, ring) in RINGS.iter().enumerate() {
        tally.add(RING + idx, count(own & ring));
    }
    tally.add(NEAR, count(own & beside(beside_enemy) & !beside_enemy));
    tally.add(MOBILITY, tenths_of_doublings(position.mobility(side) + 1));
    let waits = usize::from(position.side_to_move() != side);
    tally.add(TAKEABLE + waits, count(beside_own & enemy));
    tally.add(TAKEABLE_TOWER + waits, count(beside_own & enemy & towers));
    tally.add(TAKEABLE_LONE + waits, count(beside_own & enemy & !beside_enemy));
    let rows = row_captures(own, enemy);
    tally.add(ROW_WAYS + waits, rows.ways);
    let most = rows.most.max(usize::from(beside_own & enemy != 0));
    tally.add([MOST_TAKEN, MOST_TAKEN_NEXT][waits] + most, 1);
}

/// A side's buried stones.
fn tell_buried(position: &TowerOfPower, side: Side, tally: &mut impl Tally) {
    if position.buried_stones(side) == 0 {
        return;
    }
    for cell in Cell::all_of(position.towers()) {
        let first = if cell.is_on(position.owned(side)) { BENEATH_OWN } else { BENEATH_ENEMY };
        let height = position.height(cell) as usize;
        for (idx, stone) in position.stack(cell).take(height - 1).enumerate() {
            if stone == side {
                tally.add(first + (height - 2 - idx).min(3), 1);
            }
        }
    }
}

/// The possible captures of the rows of a side.
struct RowCaptures {
    /// The ways in which a row's last stone takes an enemy top.
    ways: i32,
    /// The most enemy tops that one row takes, up to four.
    most: usize,
}

/// The possible captures of `enemy` stones by rows of at least three squares of the side that owns `own`.
fn row_captures(own: u64, enemy: u64) -> RowCaptures {
    let mut captures = RowCaptures { ways: 0, most: 0 };
    // By direction, the squares from which this many more in that direction are owned too.
    let mut rows = Direction::ALL.map(|back| own & back.opposite().shift(own));
    // By direction, the squares from which this many stones can be laid, and those from which the last one takes
    // something.
    let mut room = Direction::ALL.map(|lay| lay.opposite().shift(u64::MAX));
    let mut last = Direction::ALL.map(|lay| lay.opposite().shift(enemy));
    // By direction, the squares from which all of them together take at least one, two, three and four.
    let mut taken = last.map(|last| [last, 0, 0, 0]);
    loop {
        for back in Direction::ALL {
            rows[back as usize] = own & back.opposite().shift(rows[back as usize]);
        }
        let bases = rows.iter().fold(0, |bases, row| bases | row);
        if bases == 0 {
            return captures;
        }
        // The way back need not be excluded: its squares are owned.
        for lay in Direction::ALL {
            let idx = lay as usize;
            room[idx] = lay.opposite().shift(room[idx]);
            last[idx] = lay.opposite().shift(last[idx]);
            captures.ways += count(last[idx] & bases);
            let [one, two, three, four] = &mut taken[idx];
            *four |= *three & last[idx];
            *three |= *two & last[idx];
            *two |= *one & last[idx];
            *one |= last[idx];
            let bases = bases & room[idx];
            while captures.most < 4 && bases & taken[idx][captures.most] != 0 {
                captures.most += 1;
            }
        }
    }
}

/// The squares next to one of `squares`.
pub(super) fn beside(squares: u64) -> u64 {
    let sides = (squares & NOT_H) << 1 | (squares & NOT_A) >> 1;
    let row = squares | sides;
    sides | row << 8 | row >> 8
}

const fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_to_move_beside_the_last_stone_has_won() {
        let value = |fen: &str| {
            let position: TowerOfPower = fen.parse().expect("a FEN");
            TowerOfPowerEval.evaluate(&position)
        };
        for fen in ["8/8/8/3s4/2S5/8/8/8 w 5 60", "8/8/8/8/8/8/1s6/S7 w 0 60", "8/8/8/8/8/8/1s6/S7 b 0 60"] {
            assert!(value(fen) > 1_000, "{fen}: {}", value(fen));
        }
        // With one more stone, or a buried one, the opponent can answer the capture.
        for fen in ["8/8/8/3s4/2S4s/8/8/8 w 5 60", "8/8/8/3(ss)4/2S5/8/8/8 w 5 60"] {
            assert!(value(fen) < 1_000, "{fen}: {}", value(fen));
        }
    }
}
