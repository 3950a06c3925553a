//! The drawing of a position.

use super::TowerOfPower;
use super::geometry::Cell;
use crate::scene::{Layout, Note, Piece, PieceKind, Scene};
use crate::{Side, Square};

pub(super) static KINDS: [PieceKind; 1] = [PieceKind::blank("stone", 'S', ['○', '●'])];

pub(super) fn layout(_: &TowerOfPower) -> Layout {
    Layout {
        legend: &["stacks are written from bottom to top; the top stone owns the square"],
        ..Layout::rectangle(8, 8)
    }
}

pub(super) fn scene(position: &TowerOfPower) -> Scene {
    let mut pieces = Vec::new();
    for cell in Cell::all_of(position.occupied()) {
        let height = position.height(cell);
        for (level, owner) in (0..).zip(position.stack(cell)) {
            let stone = Piece::new(Square::from(cell), Some(owner), &KINDS[0]);
            pieces.push(Piece { level, is_buried: u32::from(level) + 1 < height, ..stone });
        }
    }
    let notes = Side::ALL.map(|side| {
        let label = if side == Side::White { "White's stones" } else { "Black's stones" };
        Note::new(label, format!("{}, {} buried", position.stones(side), position.buried_stones(side)))
    });
    Scene {
        pieces,
        hands: [Vec::new(), Vec::new()],
        notes: notes.into(),
        side_to_move: position.side,
        quiet: position.quiet,
        ply: position.ply,
    }
}
