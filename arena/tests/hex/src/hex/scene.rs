//! The board and what stands on it, to be drawn. No rule is decided here.

use engine_proto::Side;
use engine_proto::scene::{Layout, Piece, PieceKind, Scene};

use super::{Hex, SIZE};

pub(super) static KINDS: [PieceKind; 1] = [PieceKind::blank("stone", 'S', ['○', '●'])];

pub(super) fn layout() -> Layout {
    Layout {
        legend: &[
            "White connects bottom and top, Black left and right; a cell also touches its upper left and lower right",
        ],
        ..Layout::rectangle(SIZE, SIZE)
    }
}

pub(super) fn scene(position: &Hex) -> Scene {
    let stones =
        |side: Side| position.cells(side).map(move |cell| Piece::new(cell.square(), Some(side), &KINDS[0]));
    Scene {
        pieces: Side::ALL.into_iter().flat_map(stones).collect(),
        hands: [Vec::new(), Vec::new()],
        notes: Vec::new(),
        side_to_move: position.side,
        quiet: position.quiet,
        ply: position.ply,
    }
}
