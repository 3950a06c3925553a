//! The board and what stands on it, to be drawn. No rule is decided here.

use cozy_chess::{Color, Piece, Rank};

use super::{ChessBoard, Move, side, square};
use crate::scene::Piece as DrawnPiece;
use crate::scene::{Guide, Layout, Mark, Meaning, Note, PieceKind, Scene, Shift};
use crate::{Drawn, Side, Square};

/// In the order of [`Piece::ALL`].
pub(super) static KINDS: [PieceKind; 6] = [
    PieceKind::new("pawn", 'P', ['♙', '♟'])
        .moving("goes one square forward, two from where it began, and captures diagonally forward"),
    PieceKind::new("knight", 'N', ['♘', '♞']).moving("jumps two squares straight and one to the side"),
    PieceKind::new("bishop", 'B', ['♗', '♝']).moving("goes along diagonals"),
    PieceKind::new("rook", 'R', ['♖', '♜']).moving("goes along straight lines"),
    PieceKind::new("queen", 'Q', ['♕', '♛']).moving("goes as rook or bishop"),
    PieceKind::new("king", 'K', ['♔', '♚']).moving("steps one square, or castles"),
];

static GUIDE: Guide = Guide {
    marks: &[
        (Mark::Move, "can go there"),
        (Mark::Capture, "captures the piece there"),
        (Mark::Join, "castles"),
    ],
    ..*Guide::PLAIN
};

impl<const FREE: bool> ChessBoard<FREE> {
    /// Who may castle to which side: `White O-O and O-O-O, Black O-O`.
    fn castling(&self) -> String {
        let of = |color: Color| {
            let rights = self.board.castle_rights(color);
            let sides = [rights.short.map(|_| "O-O"), rights.long.map(|_| "O-O-O")];
            let sides: Vec<_> = sides.into_iter().flatten().collect();
            (!sides.is_empty()).then(|| format!("{} {}", side(color), sides.join(" and ")))
        };
        Color::ALL.into_iter().filter_map(of).collect::<Vec<_>>().join(", ")
    }
}

impl<const FREE: bool> Drawn for ChessBoard<FREE> {
    fn layout(&self) -> Layout {
        Layout { guide: &GUIDE, ..Layout::rectangle(8, 8) }
    }

    fn moves_into_check(&self) -> Vec<Move<FREE>> {
        self.exposing_moves()
    }

    fn refusal(&self, from: Square, to: Square) -> Option<String> {
        let at = |square: Square| {
            let (file, rank) = (square.file.into(), square.rank.into());
            Some(cozy_chess::Square::new(cozy_chess::File::try_index(file)?, Rank::try_index(rank)?))
        };
        self.no_castling(at(from)?, at(to)?)
    }

    fn meaning(&self, mv: Move<FREE>, _reader: Side) -> Option<Meaning> {
        mv.castles_to().map(|_| Meaning::new(Mark::Join, "castles"))
    }

    fn shifts(&self, mv: Move<FREE>) -> Vec<Shift> {
        mv.rook_of_castling().map(|[from, to]| Shift::between(square(from), square(to))).into_iter().collect()
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
        let castling = self.castling();
        if !castling.is_empty() && self.board.status() == cozy_chess::GameStatus::Ongoing {
            notes.push(Note::new("may castle", castling));
        }
        if let Some(file) = self.en_passant() {
            let rank = Rank::Sixth.relative_to(self.board.side_to_move());
            notes.push(Note::new(
                "a pawn can be captured en passant on",
                cozy_chess::Square::new(file, rank).to_string(),
            ));
        }
        let is_check = !self.board.checkers().is_empty();
        let check = is_check.then(|| square(self.board.king(self.board.side_to_move())));
        Scene { pieces, notes, check, ..Scene::empty(self) }
    }
}
