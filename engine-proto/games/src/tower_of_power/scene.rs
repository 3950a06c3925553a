//! The drawing of a position.

use super::TowerOfPower;
use crate::bitboard::Cell;
use crate::scene::{Layout, Note, Piece, PieceKind, Scene};
use crate::{Drawn, Side, Square};

pub(super) static KINDS: [PieceKind; 1] = [PieceKind::blank("stone", 'S', ['○', '●']).moving(
    "goes to a square beside it, or across a stone of its side; a row is laid out again from one of its ends",
)];

impl Drawn for TowerOfPower {
    fn layout(&self) -> Layout {
        Layout {
            legend: &["stacks are written from bottom to top; the top stone owns the square"],
            ..Layout::rectangle(8, 8)
        }
    }

    fn scene(&self) -> Scene {
        let mut pieces = Vec::new();
        for cell in Cell::all_of(self.occupied()) {
            let height = self.height(cell);
            for (level, owner) in (0..).zip(self.stack(cell)) {
                let stone = Piece::new(Square::from(cell), Some(owner), &KINDS[0]);
                pieces.push(Piece { level, is_buried: u32::from(level) + 1 < height, ..stone });
            }
        }
        let notes = Side::ALL.map(|side| {
            let label = if side == Side::White { "White's stones" } else { "Black's stones" };
            Note::new(label, format!("{}, {} buried", self.stones(side), self.buried_stones(side)))
        });
        Scene { pieces, notes: notes.into(), ..Scene::empty(self) }
    }
}
