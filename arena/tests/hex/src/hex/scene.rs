//! The board and what stands on it, to be drawn. No rule is decided here.

use engine_proto::scene::{Layout, Piece, PieceKind, Scene};
use engine_proto::{Drawn, Side};

use super::{Hex, SIZE};

pub(super) static KINDS: [PieceKind; 1] = [PieceKind::blank("stone", 'S', ['○', '●'])];

impl Drawn for Hex {
    fn layout(&self) -> Layout {
        Layout {
            legend: &[
                "White connects bottom and top, Black left and right; a cell also touches its upper left and lower \
                 right",
            ],
            ..Layout::rectangle(SIZE, SIZE)
        }
    }

    fn scene(&self) -> Scene {
        let stones =
            |side: Side| self.cells(side).map(move |cell| Piece::new(cell.square(), Some(side), &KINDS[0]));
        Scene { pieces: Side::ALL.into_iter().flat_map(stones).collect(), ..Scene::empty(self) }
    }
}
