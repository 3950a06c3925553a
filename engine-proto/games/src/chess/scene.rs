//! The board and what stands on it, to be drawn. No rule is decided here.

use cozy_chess::{Color, Piece, Rank};

use super::{ChessBoard, side, square};
use crate::Drawn;
use crate::scene::Piece as DrawnPiece;
use crate::scene::{Layout, Note, PieceKind, Scene};

/// In the order of [`Piece::ALL`].
pub(super) static KINDS: [PieceKind; 6] = [
    PieceKind::new("pawn", 'P', ['♙', '♟']),
    PieceKind::new("knight", 'N', ['♘', '♞']),
    PieceKind::new("bishop", 'B', ['♗', '♝']),
    PieceKind::new("rook", 'R', ['♖', '♜']),
    PieceKind::new("queen", 'Q', ['♕', '♛']),
    PieceKind::new("king", 'K', ['♔', '♚']),
];

impl<const FREE: bool> Drawn for ChessBoard<FREE> {
    fn layout(&self) -> Layout {
        Layout::rectangle(8, 8)
    }

    fn scene(&self) -> Scene {
        let mut pieces = Vec::new();
        for &color in &Color::ALL {
            for (&piece, kind) in Piece::ALL.iter().zip(&KINDS) {
                let squares = self.board.colored_pieces(color, piece);
                pieces.extend(
                    squares.into_iter().map(|at| DrawnPiece::new(square(at), Some(side(color)), kind)),
                );
            }
        }
        let mut notes = Vec::new();
        let fen = self.to_string();
        if let Some(castling) = fen.split(' ').nth(2).filter(|rights| *rights != "-") {
            notes.push(Note::new("may castle", castling));
        }
        if let Some(file) = self.en_passant() {
            let rank = Rank::Sixth.relative_to(self.board.side_to_move());
            notes.push(Note::new("en passant on", cozy_chess::Square::new(file, rank).to_string()));
        }
        Scene { pieces, notes, ..Scene::empty(self) }
    }
}
