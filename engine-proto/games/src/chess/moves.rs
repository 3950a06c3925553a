//! A move and its spelling, as in UCI.

use std::fmt;

use cozy_chess::{Board, Color, File, Piece, Square};

/// A move of chess, or of Chess960 if `FREE`. They differ in how castling is spelled: in chess as the move of the king
/// (`e1g1`), in Chess960 as the king that takes its own rook (`e1h1`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move<const FREE: bool> {
    /// Castling is the king that takes its own rook.
    inner: cozy_chess::Move,
    is_castling: bool,
}

impl<const FREE: bool> Move<FREE> {
    /// A move in the position `board`.
    pub(super) fn new(board: &Board, inner: cozy_chess::Move) -> Self {
        Self { inner, is_castling: board.colors(board.side_to_move()).has(inner.to) }
    }

    /// The move with the canonical spelling `text`, if a piece stands on its first square. It may be illegal.
    pub(super) fn read(board: &Board, text: &str) -> Option<Self> {
        let mut inner: cozy_chess::Move = text.parse().ok()?;
        if !FREE && is_of_king(board, inner) && inner.from.file() == File::E {
            let rook = match inner.to.file() {
                File::G => Some(File::H),
                File::C => Some(File::A),
                _ => None,
            };
            if let Some(rook) = rook {
                inner.to = Square::new(rook, inner.from.rank());
            }
        }
        let mv = Self::new(board, inner);
        (mv.to_string() == text).then_some(mv)
    }

    /// The move as `cozy_chess` has it.
    pub(super) const fn inner(self) -> cozy_chess::Move {
        self.inner
    }

    /// The file on which the king arrives, if the move is castling.
    pub(super) fn castles_to(self) -> Option<File> {
        let is_short = self.inner.from.file() < self.inner.to.file();
        self.is_castling.then_some(if is_short { File::G } else { File::C })
    }

    /// The squares that the rook leaves and enters, if the move is castling.
    pub(super) fn rook_of_castling(self) -> Option<[Square; 2]> {
        let file = if self.castles_to()? == File::G { File::F } else { File::D };
        Some([self.inner.to, Square::new(file, self.inner.to.rank())])
    }

    /// Whether it moves a pawn or captures.
    pub(super) fn is_progress(self, board: &Board) -> bool {
        let captures = board.colors(!board.side_to_move()).has(self.inner.to);
        captures || board.pieces(Piece::Pawn).has(self.inner.from)
    }
}

fn is_of_king(board: &Board, mv: cozy_chess::Move) -> bool {
    let color: Color = board.side_to_move();
    board.colored_pieces(color, Piece::King).has(mv.from) && mv.from.rank() == mv.to.rank()
}

impl<const FREE: bool> fmt::Display for Move<FREE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.castles_to() {
            Some(file) if !FREE => {
                write!(f, "{}{}", self.inner.from, Square::new(file, self.inner.from.rank()))
            }
            _ => self.inner.fmt(f),
        }
    }
}
