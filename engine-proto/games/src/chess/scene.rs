//! The board and what stands on it, to be drawn. No rule is decided here.

use cozy_chess::{Color, Piece, Rank};

use super::{ChessBoard, side, square};
use crate::Position;
use crate::scene::Piece as Drawn;
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

pub(super) fn layout() -> Layout {
    Layout::rectangle(8, 8)
}

pub(super) fn scene<const FREE: bool>(position: &ChessBoard<FREE>) -> Scene {
    let mut pieces = Vec::new();
    for &color in &Color::ALL {
        for (&piece, kind) in Piece::ALL.iter().zip(&KINDS) {
            let squares = position.board.colored_pieces(color, piece);
            pieces.extend(squares.into_iter().map(|at| Drawn::new(square(at), Some(side(color)), kind)));
        }
    }
    let mut notes = Vec::new();
    let fen = position.to_string();
    if let Some(castling) = fen.split(' ').nth(2).filter(|rights| *rights != "-") {
        notes.push(Note::new("may castle", castling));
    }
    if let Some(file) = position.en_passant() {
        let rank = Rank::Sixth.relative_to(position.board.side_to_move());
        notes.push(Note::new("en passant on", cozy_chess::Square::new(file, rank).to_string()));
    }
    Scene {
        pieces,
        hands: [Vec::new(), Vec::new()],
        notes,
        side_to_move: position.side_to_move(),
        quiet: position.quiet,
        ply: position.ply(),
    }
}
