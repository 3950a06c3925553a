//! The evaluation of Push: pieces, threats of death, the race for the goal tiles. It does not search. It considers
//! cliffs and the heights of occupied squares.

use engine_proto::games::bitboard::spread;
use engine_proto::games::push::{Cell, Direction, Kind, Move, Push};
use engine_proto::{Position, Side};

use super::terms::{Counts, Sum, Tally, terms};
use super::weights::push::WEIGHTS;
use super::{Evaluator, Term};

/// Material, threats of death, exposure of the kings, nearness to the goals, stuns.
#[derive(Clone, Copy, Debug, Default)]
pub struct PushEval;

terms! {
    /// A piece, by [`Kind`].
    PIECE[5],
    /// A piece that an enemy attacks in a direction in which a push kills, by kind: of the side to move.
    THREATENED[5],
    /// The same for the other side.
    THREATENED_NEXT[5],
    /// A piece that an enemy may push, but that no push kills, by kind: of the side to move.
    ATTACKED[5],
    /// The same for the other side.
    ATTACKED_NEXT[5],
    /// A vacant square that a piece reaches, by kind.
    MOBILITY[5],
    /// Each direction in which a push would kill a piece, by kind.
    EXPOSED[5],
    /// A stunned piece, by kind.
    STUNNED[5],
    /// A piece on a square of this height.
    HEIGHT[3],
    /// An enemy within two steps of the king, by its kind.
    NEAR_KING[5],
    /// An own piece within two steps of its own goal tile.
    GUARD[1],
    /// The number of king's steps from the nearest piece to the enemy's goal tile: of the side to move.
    RACE[8],
    /// The same for the other side.
    RACE_NEXT[8],
    /// A piece on the enemy's goal tile that the enemy must push away at once.
    HOLDING[1],
    /// A vacant square next to the king.
    KING_ROOM[1],
    /// Each step between the king and his goal tile.
    KING_AWAY[1],
    /// It is this side's move.
    TEMPO[1],
}

/// The rank of moves that push such a piece, by [`Kind`].
const WORTH: [i32; 5] = [1000, 420, 450, 330, 200];

impl Evaluator<Push> for PushEval {
    const SPREAD: i32 = 250;
    const HAS_FORCING: bool = true;
    const TERMS: &'static [Term] = TERMS;

    fn weights(&self) -> &'static [i32] {
        &WEIGHTS
    }

    fn evaluate(&mut self, position: &Push) -> i32 {
        Sum::<N_WEIGHTS>::of(&WEIGHTS, |sum| tell(position, sum))
    }

    fn count(&self, position: &Push, counts: &mut [i32]) {
        tell(position, &mut Counts::into(counts));
    }

    fn is_forcing(&self, position: &Push, mv: Move) -> bool {
        victim(position, mv).is_some_and(|victim| victim & position.pieces(!position.side_to_move()) != 0)
    }

    fn promise(&self, position: &Push, mv: Move) -> i32 {
        let side = position.side_to_move();
        match mv {
            Move::Suicide { .. } => -900,
            Move::Walk { from, to } => {
                let goal = position.goal(!side);
                20 * (i32::from(from.distance(goal)) - i32::from(to.distance(goal)))
            }
            Move::Push { target, .. } | Move::KnightPush { target, .. } => {
                let worth = position.piece_at(target).map_or(0, |(_, kind)| WORTH[kind as usize]);
                let is_enemy = target.is_on(position.pieces(!side));
                let dies = victim(position, mv).is_some();
                match (is_enemy, dies) {
                    (true, true) => worth,
                    (true, false) => 60 + worth / 10,
                    (false, true) => -worth,
                    (false, false) => -60,
                }
            }
            Move::Pass => 0,
        }
    }
}

fn tell(position: &Push, tally: &mut impl Tally) {
    let side = position.side_to_move();
    tally.add(TEMPO, 1);
    let attacks = Side::ALL.map(|side| Attacks::of(position, side));
    tell_of(position, side, &attacks, tally);
    tally.turn();
    tell_of(position, !side, &attacks, tally);
}

/// The value of one side's pieces.
fn tell_of(position: &Push, side: Side, attacks: &[Attacks; 2], tally: &mut impl Tally) {
    let own = position.pieces(side);
    let is_to_move = position.side_to_move() == side;
    let kinds = Kind::ALL.map(|kind| position.kind(kind));
    let mut tell_kinds = |term: usize, squares: u64| {
        if squares != 0 {
            kinds.iter().enumerate().for_each(|(idx, kind)| tally.add(term + idx, count(squares & kind)));
        }
    };
    tell_kinds(PIECE, own);
    tell_kinds(STUNNED, own & position.stunned());
    let (attacks_of_own, attacks) = (&attacks[side.index()], &attacks[(!side).index()]);
    let threatened = threatened(position, side, attacks, |exposed| tell_kinds(EXPOSED, exposed));
    tell_kinds(if is_to_move { THREATENED } else { THREATENED_NEXT }, threatened);
    let attacked = own & attacks.any() & !threatened;
    tell_kinds(if is_to_move { ATTACKED } else { ATTACKED_NEXT }, attacked);
    for (idx, reached) in attacks_of_own.mobility.into_iter().enumerate() {
        tally.add(MOBILITY + idx, reached);
    }
    for height in 0..3 {
        tally.add(HEIGHT + height, count(own & position.terrain().level(height)));
    }
    tell_race(position, side, tally);
    let Some(king) = position.king(side) else { return };
    let beside = spread(king.board());
    let enemies = spread(beside) & position.pieces(!side);
    if enemies != 0 {
        kinds.iter().enumerate().for_each(|(idx, kind)| tally.add(NEAR_KING + idx, count(enemies & kind)));
    }
    tally.add(KING_ROOM, count(beside & position.vacant()));
    tally.add(KING_AWAY, i32::from(king.distance(position.goal(side))));
}

/// The pieces of `side` that an enemy attacks in a direction in which a push kills. Passes to `tell_exposed` those that
/// such a push would kill, for each direction.
fn threatened(position: &Push, side: Side, attacks: &Attacks, mut tell_exposed: impl FnMut(u64)) -> u64 {
    let own = position.pieces(side);
    let mut threatened = 0;
    let mut exposed = 0;
    for direction in Direction::ALL {
        let exposed_here = own & deadly(position, direction);
        if exposed_here == 0 {
            continue;
        }
        exposed |= exposed_here;
        tell_exposed(exposed_here);
        threatened |= exposed_here & attacks.along[direction as usize];
    }
    threatened | (exposed & attacks.jumps)
}

/// The attacks of a side's pieces that are not stunned.
struct Attacks {
    /// The squares that they attack in each direction.
    along: [u64; 8],
    /// The squares that knights attack.
    jumps: u64,
    /// By kind, how many vacant squares they reach.
    mobility: [i32; 5],
}

impl Attacks {
    fn of(position: &Push, side: Side) -> Self {
        let able = position.pieces(side) & !position.stunned();
        let kinds = Kind::ALL.map(|kind| able & position.kind(kind));
        let vacant = position.vacant();
        let mut attacks = Self { along: [0; 8], jumps: 0, mobility: [0; 5] };
        for direction in Direction::ALL {
            let slopes = Slopes::of(position, direction);
            for kind in [Kind::King, Kind::Pawn] {
                let steps = direction.shift(kinds[kind as usize] & (slopes.gentle | slopes.climbing));
                attacks.along[direction as usize] |= steps;
                attacks.mobility[kind as usize] += count(steps & vacant);
            }
            let slider = if direction.is_diagonal() { Kind::Bishop } else { Kind::Rook };
            let sliders = kinds[slider as usize];
            if sliders != 0 {
                let slid = slopes.slide(sliders, vacant, direction);
                attacks.along[direction as usize] |= slid;
                attacks.mobility[slider as usize] += count(slid & vacant);
            }
        }
        for knight in Cell::all_of(kinds[Kind::Knight as usize]) {
            attacks.jumps |= knight.jumps();
            attacks.mobility[Kind::Knight as usize] += count(knight.jumps() & vacant);
        }
        attacks
    }

    /// All squares that they attack.
    fn any(&self) -> u64 {
        self.along.iter().fold(self.jumps, |any, along| any | along)
    }
}

/// The squares from which a step in one direction is ordinary.
struct Slopes {
    /// It does not climb.
    gentle: u64,
    /// It climbs.
    climbing: u64,
}

impl Slopes {
    fn of(position: &Push, direction: Direction) -> Self {
        let back = direction.opposite();
        let [low, middle, high] = [0, 1, 2].map(|height| position.terrain().level(height));
        let [to_low, to_middle, to_high] = [low, middle, high].map(|level| back.shift(level));
        Self {
            gentle: low & to_low | middle & (to_low | to_middle) | high & (to_middle | to_high),
            climbing: low & to_middle | middle & to_high,
        }
    }

    /// All squares that sliders reach in a direction, including the first occupied ones.
    fn slide(&self, sliders: u64, vacant: u64, direction: Direction) -> u64 {
        let mut passed = sliders;
        loop {
            let further = passed | (direction.shift(passed & self.gentle) & vacant);
            if further == passed {
                return direction.shift(passed & (self.gentle | self.climbing));
            }
            passed = further;
        }
    }
}

/// How near the side is to winning by the enemy's goal tile, and how it guards its own.
fn tell_race(position: &Push, side: Side, tally: &mut impl Tally) {
    let own = position.pieces(side);
    let is_to_move = position.side_to_move() == side;
    tally.add(GUARD, count(own & spread(spread(position.goal(side).board()))));
    let runners = own & !position.kind(Kind::Knight);
    let goal = position.goal(!side);
    if goal.is_on(runners) && !is_to_move {
        tally.add(HOLDING, 1);
        return;
    }
    let mut near = goal.board();
    for steps in 0..8 {
        if near & runners != 0 {
            tally.add(if is_to_move { RACE } else { RACE_NEXT } + steps, 1);
            return;
        }
        near = spread(near);
    }
}

/// The squares from which a push in this direction kills: at the edge, and above a fall.
pub(super) fn deadly(position: &Push, direction: Direction) -> u64 {
    let terrain = position.terrain();
    let back = direction.opposite();
    let edge = terrain.board() & !back.shift(terrain.board());
    edge | terrain.level(2) & back.shift(terrain.level(0))
}

/// The piece that a move kills, as a board.
fn victim(position: &Push, mv: Move) -> Option<u64> {
    let (target, direction) = match mv {
        Move::Push { pusher, target } => (target, pusher.direction_to(target)),
        Move::KnightPush { target, direction, .. } => (target, direction),
        Move::Walk { .. } | Move::Suicide { .. } | Move::Pass => return None,
    };
    // A piece below a fall dies too.
    let below = direction.shift(target.board()) & position.occupied();
    target.is_on(deadly(position, direction)).then_some(target.board() | below)
}

const fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}
