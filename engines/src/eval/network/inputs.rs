//! What the network of each game sees: sets of squares, and small numbers. Bits of words; each bit has its row of weights.
//!
//! A game lists the bits as White sees them, and tells how Black's view differs: the same row of weights serves both.

use std::sync::LazyLock;

use engine_proto::games::four_towers::{FourTowers, Kind, N_CELLS, Powers, Turn};
use engine_proto::games::push::{Direction, Kind as PushKind, Push, Size as PushSize};
use engine_proto::games::push_push::{PushPush, Value};
use engine_proto::games::tower_of_power::TowerOfPower;
use engine_proto::games::tower_push::{Size, TowerPush};
use engine_proto::{Position, Side};

use super::layer::Bits;
use super::weights::{Numbering, Weights};
use crate::eval::push::deadly;
use crate::eval::tower_of_power::beside;
use crate::eval::{FourTowersEval, PushEval, PushPushEval, TowerOfPowerEval, TowerPushEval};

/// What the network of a game sees, and its weights.
pub trait Inputs<P: Position> {
    /// The words of the inputs.
    type Bits: Bits;

    /// Whether the network plays stronger than the classic evaluation at equal time.
    const IS_STRONGER: bool;

    /// The inputs of a position; `None` if the network has not learnt such positions.
    fn bits(&self, position: &P) -> Option<Self::Bits>;

    /// The rows of the inputs.
    fn rows() -> Numbering;

    /// The weights, if there are any.
    fn network() -> Option<&'static Weights>;
}

/// `network` with the weights of a file, read once.
macro_rules! network {
    ($evaluator:ident of $game:ident: $file:expr) => {
        fn network() -> Option<&'static Weights> {
            const FILE: Option<&[u8]> = $file;
            static WEIGHTS: LazyLock<Option<Weights>> = LazyLock::new(|| {
                let numbering = <$evaluator as Inputs<$game>>::rows();
                FILE.map(|file| {
                    Weights::read(file, $game::INFO.id, numbering).expect("a test reads every file")
                })
            });
            WEIGHTS.as_ref()
        }
    };
}

/// Tower Push on 7x7 squares: by side, its pieces and the squares that they can step to; the side that steps next, and the
/// pieces in hand.
impl Inputs<TowerPush> for TowerPushEval {
    /// Two words for each set of squares: White's and Black's of a kind after each other.
    type Bits = [u64; 9];

    const IS_STRONGER: bool = true;

    fn bits(&self, position: &TowerPush) -> Option<Self::Bits> {
        if position.size() != Size::Seven {
            return None;
        }
        let [white, black] = Side::ALL.map(|side| position.pieces(side));
        let [white_steps, black_steps] = [white, black].map(|own| own.neighbours() & position.empty());
        let mut bits = [0; 9];
        for (idx, squares) in [white, black, white_steps, black_steps].into_iter().enumerate() {
            bits[2 * idx] = squares.bits() as u64;
            bits[2 * idx + 1] = (squares.bits() >> 64) as u64;
        }
        let [white_hand, black_hand] = Side::ALL.map(|side| up_to(position.in_hand(side).into(), 4));
        bits[8] = 1 << position.next_to_step().index() | white_hand << 4 | black_hand << 8;
        Some(bits)
    }

    fn rows() -> Numbering {
        let square = |bit: usize| bit % 128;
        let is_on_board = move |bit: usize| square(bit) % 11 < 7 && square(bit) / 11 < 7;
        let turned = move |bit: usize| match bit {
            0..512 => is_on_board(bit).then(|| (bit - square(bit)) ^ 128 | (72 - square(bit))),
            512..514 => Some(bit ^ 1),
            516..524 => Some(if bit < 520 { bit + 4 } else { bit - 4 }),
            _ => None,
        };
        let mirrored = move |bit: usize| if bit < 512 { bit + 6 - square(bit) % 11 * 2 } else { bit };
        Numbering::of(9, turned, mirrored)
    }

    network!(TowerPushEval of TowerPush: Some(include_bytes!("weights/tower-push.bin")));
}

/// Four Towers: the pieces by kind and side; the powers of dragons, the piece that may return, whether a turn goes on.
impl Inputs<FourTowers> for FourTowersEval {
    /// Two words for each kind and side.
    type Bits = [u64; 45];

    const IS_STRONGER: bool = true;

    fn bits(&self, position: &FourTowers) -> Option<Self::Bits> {
        let board = position.board();
        let mut bits = [0; 45];
        for (idx, kind) in Kind::ALL.into_iter().enumerate() {
            let squares = board.all(kind);
            for side in Side::ALL {
                let own = squares & board.of(side);
                let word = 4 * idx + 2 * side.index();
                bits[word] = own as u64;
                bits[word + 1] = (own >> 64) as u64;
            }
        }
        let side = position.side_to_move().index();
        let returnable = position.returnable().map_or(0, |captured| 1 << captured.kind.code());
        let goes_on = u64::from(position.turn() != Turn::Begins);
        let powers = [Powers::KING, Powers::ROOK, Powers::BISHOP, Powers::KNIGHT];
        let has = |(idx, &power): (usize, &Powers)| u64::from(position.dragon_powers().has(power)) << idx;
        let powers: u64 = powers.iter().enumerate().map(has).sum();
        bits[44] = powers | goes_on << (4 + side) | returnable << (8 + 16 * side);
        Some(bits)
    }

    fn rows() -> Numbering {
        const STATE: usize = 44 * 64;
        let square = |bit: usize| bit % 128;
        let turned = move |bit: usize| match bit {
            0..STATE => {
                (square(bit) < N_CELLS).then(|| (bit - square(bit)) ^ 128 | (N_CELLS - 1 - square(bit)))
            }
            _ => match bit - STATE {
                0..4 => Some(bit),
                4..6 => Some(bit ^ 1),
                8..24 => Some(bit + 16),
                24..40 => Some(bit - 16),
                _ => None,
            },
        };
        Numbering::of(45, turned, |bit| bit)
    }

    network!(FourTowersEval of FourTowers: Some(include_bytes!("weights/four-towers.bin")));
}

/// Tower of Power: the squares owned, those next to an enemy, and those without another own one next to them; the towers by
/// the stone on top and the one below it; the numbers of stones and of squares.
impl Inputs<TowerOfPower> for TowerOfPowerEval {
    type Bits = [u64; 11];

    const IS_STRONGER: bool = true;

    fn bits(&self, position: &TowerOfPower) -> Option<Self::Bits> {
        let [white, black] = Side::ALL.map(|side| position.owned(side));
        let [near_white, near_black] = [white, black].map(beside);
        let above_white = position.beneath_tops(Side::White);
        let above_black = position.towers() & !above_white;
        let [white_stones, black_stones] = Side::ALL.map(|side| up_to(position.stones(side), 16));
        let [white_squares, black_squares] = [white, black].map(|owned| up_to(owned.count_ones(), 16));
        Some([
            white,
            black,
            white & above_white,
            black & above_black,
            white & above_black,
            black & above_white,
            white & near_black,
            black & near_white,
            white & !near_white,
            black & !near_black,
            white_stones | black_stones << 16 | white_squares << 32 | black_squares << 48,
        ])
    }

    fn rows() -> Numbering {
        const COUNTS: usize = 10 * 64;
        let turned = |bit: usize| Some(if bit < COUNTS { bit ^ 64 ^ 63 } else { bit ^ 16 });
        Numbering::of(11, turned, |bit| if bit < COUNTS { transposed(bit) } else { bit })
    }

    network!(TowerOfPowerEval of TowerOfPower: Some(include_bytes!("weights/tower-of-power.bin")));
}

/// Push on 8x8 squares: the pieces by kind and side, those that are stunned, and those that a push kills in a direction. Not
/// the hills themselves: they differ from match to match, and a network would learn each by heart.
impl Inputs<Push> for PushEval {
    type Bits = [u64; 14];

    const IS_STRONGER: bool = true;

    fn bits(&self, position: &Push) -> Option<Self::Bits> {
        let terrain = position.terrain();
        if terrain.size() != PushSize::Eight {
            return None;
        }
        let exposed = Direction::ALL.into_iter().fold(0, |exposed, to| exposed | deadly(position, to));
        let mut bits = [0; 14];
        for side in Side::ALL {
            let own = position.pieces(side);
            let kinds = PushKind::ALL.map(|kind| position.kind(kind));
            let sets = kinds.into_iter().chain([position.stunned(), exposed]);
            sets.zip(0..).for_each(|(set, idx)| bits[2 * idx + side.index()] = own & set);
        }
        Some(bits)
    }

    fn rows() -> Numbering {
        Numbering::of(14, |bit| Some(bit ^ 64 ^ 63), transposed)
    }

    network!(PushEval of Push: Some(include_bytes!("weights/push.bin")));
}

/// Push Push: the pieces by value and side, on the board and again by their place relative to the ball; the ball.
impl Inputs<PushPush> for PushPushEval {
    type Bits = [u64; 17];

    const IS_STRONGER: bool = true;

    fn bits(&self, position: &PushPush) -> Option<Self::Bits> {
        let ball = position.ball().trailing_zeros() % 64;
        let mut bits = [0; 17];
        for value in Value::ALL {
            for side in Side::ALL {
                let pieces = position.pieces_of(side, value);
                let idx = 2 * value.index() + side.index();
                bits[idx] = pieces;
                bits[8 + idx] = (pieces & NEAR_BALL[ball as usize]).rotate_left(27 + 64 - ball);
            }
        }
        bits[16] = position.ball();
        Some(bits)
    }

    fn rows() -> Numbering {
        let turned = |bit: usize| {
            let square = bit % 64;
            let other = if bit < 16 * 64 { (bit - square) ^ 64 } else { bit - square };
            (square % 8 < 7 && square / 8 < 7).then(|| other | (54 - square))
        };
        Numbering::of(17, turned, |bit| bit + 6 - bit % 8 * 2)
    }

    network!(PushPushEval of PushPush: Some(include_bytes!("weights/push-push.bin")));
}

/// By the ball's square, the squares of the board at most three king's steps from it.
static NEAR_BALL: [u64; 64] = near_ball();

const fn near_ball() -> [u64; 64] {
    let mut near = [0; 64];
    let mut idx = 0;
    while idx < 64 * 64 {
        let (ball, square) = (idx / 64, idx % 64);
        let files = (ball % 8_usize).abs_diff(square % 8);
        let ranks = (ball / 8_usize).abs_diff(square / 8);
        if files <= 3 && ranks <= 3 && square % 8 < 7 && square / 8 < 7 {
            near[ball] |= 1 << square;
        }
        idx += 1;
    }
    near
}

/// The lowest `n` of at most `most` bits: a number that the network sees as that many steps.
const fn up_to(n: u32, most: u32) -> u64 {
    let n = if n < most { n } else { most };
    (1 << n) - 1
}

/// The bit with file and rank exchanged, on words of 8x8 squares.
const fn transposed(bit: usize) -> usize {
    bit - bit % 64 + bit % 8 * 8 + bit % 64 / 8
}
