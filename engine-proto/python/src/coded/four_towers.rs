//! Four Towers: 92 225 actions. A square is a number from 0 (`a3`) to 84 (`k9`), file by file.

use games::four_towers::{
    ALL_CELLS, ARENAS, Captured, Cell, FourTowers, Kind, Move, N_CELLS, PROMOTION, Powers, TOWER_CELLS, Then,
    Travel, Turn, cells,
};
use games::{Position, Side};

use super::{Coded, Planes, seen_from};

const PAIRS: usize = N_CELLS * N_CELLS;
/// The parts that can leave a piece, in the order of their blocks of actions.
const PARTS: [Kind; 7] =
    [Kind::Rook, Kind::Bishop, Kind::Queen, Kind::Knight, Kind::Marshall, Kind::Cardinal, Kind::Pawn];
const SWAPS: usize = 9 * PAIRS;
const RELOCATIONS: usize = 10 * PAIRS;
const RETURNS: usize = RELOCATIONS + 2 * 9 * N_CELLS;
const PROMOTIONS: usize = RETURNS + N_CELLS;
const N_ACTIONS: usize = PROMOTIONS + 8 * 3 * 9 * N_CELLS;
const POWERS: [Powers; 4] = [Powers::KING, Powers::ROOK, Powers::BISHOP, Powers::KNIGHT];

impl Coded for FourTowers {
    const PLANES: &'static [&'static str] = &[
        "squares of the board",
        "towers",
        "own rooks",
        "own bishops",
        "own queens",
        "own knights",
        "own marshalls",
        "own cardinals",
        "own wizards",
        "own pawns",
        "own lancers",
        "own king",
        "own dragons",
        "opponent's rooks",
        "opponent's bishops",
        "opponent's queens",
        "opponent's knights",
        "opponent's marshalls",
        "opponent's cardinals",
        "opponent's wizards",
        "opponent's pawns",
        "opponent's lancers",
        "opponent's king",
        "opponent's dragons",
        "squares crossed by moves of two squares",
        "pieces that crossed them: the number of the pair / 4",
        "own power king, everywhere",
        "own power rook, everywhere",
        "own power bishop, everywhere",
        "own power knight, everywhere",
        "opponent's power king, everywhere",
        "opponent's power rook, everywhere",
        "opponent's power bishop, everywhere",
        "opponent's power knight, everywhere",
        "the tower around which a piece can be returned: the code of its kind / 11",
        "a multi-piece move goes on, everywhere",
        "squares of the arenas that the multi-piece move has used",
        "another piece than a pawn or lancer has moved in it, everywhere",
        "the king has been left in check in it, everywhere",
        "a rearrangement goes on, everywhere",
        "squares of the relocated pieces",
    ];

    fn board(&self) -> [usize; 2] {
        [11; 2]
    }

    fn n_actions(&self) -> usize {
        N_ACTIONS
    }

    fn action(&self, mv: Move) -> usize {
        let viewer = self.side_to_move();
        let seen = |cell: Cell| seen_from(viewer, cell.index(), N_CELLS);
        let pair = |from: Cell, to: Cell| seen(from) * N_CELLS + seen(to);
        match mv {
            Move::Travel(Travel { part, from, to, promotion: Some(kind), then, .. }) => {
                let nth =
                    Kind::PROMOTIONS.iter().position(|&other| other == kind).expect("a kind to promote to");
                let how = match (part, then) {
                    (Some(_), _) => 2,
                    (None, Then::TurnGoesOn) => 1,
                    (None, Then::TurnEnds) => 0,
                };
                let place = rank_in(PROMOTION[viewer.index()], to, viewer);
                PROMOTIONS + ((nth * 3 + how) * 9 + place) * N_CELLS + seen(from)
            }
            Move::Travel(Travel { part: Some(part), from, to, .. }) => {
                let nth = PARTS.iter().position(|&other| other == part).expect("a part that can leave");
                (2 + nth) * PAIRS + pair(from, to)
            }
            Move::Travel(Travel { part: None, from, to, then, .. }) => {
                usize::from(then == Then::TurnGoesOn) * PAIRS + pair(from, to)
            }
            Move::Swap { from, to } => SWAPS + pair(from, to),
            Move::Relocation { from, to, then } => {
                let arena = ARENAS.into_iter().find(|arena| arena & to.bit() != 0).expect("no tower");
                let place = rank_in(arena, to, viewer);
                RELOCATIONS + (seen(from) * 9 + place) * 2 + usize::from(then == Then::TurnGoesOn)
            }
            Move::Return { to } => RETURNS + seen(to),
        }
    }

    fn observe(&self, planes: &mut Planes<'_>) {
        let sides = planes.sides();
        let board = self.board();
        set(planes, ALL_CELLS);
        set(planes, TOWER_CELLS);
        for side in sides {
            for kind in Kind::ALL {
                set(planes, board.kind(side, kind));
            }
        }
        set(planes, self.en_passant().crossed());
        let mut pairs: Vec<_> = self.en_passant().iter().collect();
        if planes.viewer == Side::Black {
            pairs.reverse();
        }
        planes.values(pairs.iter().zip(1..).map(|(pair, nth)| (place(pair.piece), nth as f32 / 4.0)));
        for side in sides {
            for power in POWERS {
                planes.flag(self.powers(side).has(power));
            }
        }
        let returnable = self.returnable();
        planes
            .values(returnable.map(|Captured { kind, tower }| (place(tower), f32::from(kind.code()) / 11.0)));
        let (multi_piece, relocated) = match self.turn() {
            Turn::Begins => (None, 0),
            Turn::MultiPiece(turn) => (Some(turn), 0),
            Turn::Rearrangement { relocated } => (None, relocated),
        };
        let turn = multi_piece.unwrap_or_default();
        planes.flag(multi_piece.is_some());
        let arenas = games::bits::bits64(turn.arenas.into()).map(|arena| ARENAS[usize::from(arena)]);
        set(planes, arenas.fold(0, |all, arena| all | arena));
        planes.flag(turn.officer_moved);
        planes.flag(turn.left_in_check);
        planes.flag(relocated != 0);
        set(planes, relocated);
    }
}

/// The number of squares of a set before this one, in the order of numbers from the view of a side.
const fn rank_in(set: u128, cell: Cell, viewer: Side) -> usize {
    let below = cell.bit() - 1;
    let before = match viewer {
        Side::White => set & below,
        Side::Black => set & !below & !cell.bit(),
    };
    before.count_ones() as usize
}

fn place(cell: Cell) -> (u8, u8) {
    (cell.file() as u8, cell.rank() as u8)
}

fn set(planes: &mut Planes<'_>, squares: u128) {
    planes.squares(cells(squares).map(place));
}
