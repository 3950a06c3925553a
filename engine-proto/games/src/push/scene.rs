//! The drawing of a position.

use super::Push;
use crate::bitboard::Cell;
use crate::scene::{Layout, Note, Piece, PieceKind, Scene};
use crate::{Drawn, End, Position, Side, Square};

/// In the order of [`super::Kind::ALL`].
pub(super) static KINDS: [PieceKind; 5] = [
    PieceKind::new("king", 'K', ['♔', '♚']).moving("steps one square, or pushes a piece beside it"),
    PieceKind::new("rook", 'R', ['♖', '♜']).moving("goes along straight lines, or pushes the first piece on one; it climbs one cube at most, and stops there"),
    PieceKind::new("knight", 'N', ['♘', '♞']).moving("jumps as in chess, or pushes a piece there in any direction"),
    PieceKind::new("bishop", 'B', ['♗', '♝']).moving("goes along diagonals, or pushes the first piece on one; it climbs one cube at most, and stops there"),
    PieceKind::new("pawn", 'P', ['♙', '♟']).moving("steps one square in any direction, or pushes a piece beside it"),
];

impl Drawn for Push {
    fn layout(&self) -> Layout {
        let terrain = self.terrain();
        let size = terrain.size();
        let mut layout = Layout::rectangle(size.n(), size.n());
        for ground in &mut layout.grounds {
            let Square { file, rank } = ground.square;
            let cell = size.cell(file, rank).expect("the layout's squares are the board's");
            ground.height = terrain.height(cell);
            // Each side wants to hold the other's goal tile.
            ground.is_goal_of = Side::ALL.map(|side| self.goal(!side) == cell);
        }
        layout.legend = &["White wins on the far corner, Black on a1: the goal tile of the other side"];
        layout
    }

    fn scene(&self) -> Scene {
        let pieces = Cell::all_of(self.occupied())
            .filter_map(|cell| {
                let (side, kind) = self.piece_at(cell)?;
                let state = cell.is_on(self.stunned()).then_some("stunned");
                Some(Piece { state, ..Piece::new(cell.into(), Some(side), &KINDS[kind as usize]) })
            })
            .collect();
        let notes = match self.passes() {
            0 => Vec::new(),
            passes => vec![Note::new("passes in a row", passes.to_string())],
        };
        Scene { pieces, notes, ..Scene::empty(self) }
    }

    fn winning_squares(&self) -> Vec<Square> {
        match self.end() {
            Some(End { winner: Some(winner), reason: "goal" }) => vec![self.goal(!winner).into()],
            _ => Vec::new(),
        }
    }
}
