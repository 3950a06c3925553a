//! What the king forbids: moves that would leave it in check, and castling. The pages of people say it where a move is not legal.

use cozy_chess::{
    BitBoard, File, Piece, Rank, Square, get_between_rays, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};

use super::scene::KINDS;
use super::{ChessBoard, Move};

impl<const FREE: bool> ChessBoard<FREE> {
    /// The moves that only the own king forbids; castling is none of them.
    pub(super) fn exposing_moves(&self) -> Vec<Move<FREE>> {
        let (board, us) = (&self.board, self.board.side_to_move());
        let mut moves = Vec::new();
        for from in board.colors(us) {
            let Some(piece) = board.piece_on(from) else { continue };
            for to in self.reach(piece, from) {
                let promotes = piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(us);
                let promotions: &[_] = if promotes {
                    &[Some(Piece::Queen), Some(Piece::Rook), Some(Piece::Bishop), Some(Piece::Knight)]
                } else {
                    &[None]
                };
                moves.extend(promotions.iter().map(|&promotion| cozy_chess::Move { from, to, promotion }));
            }
        }
        moves.into_iter().filter(|mv| !board.is_legal(*mv)).map(|mv| Move::new(board, mv)).collect()
    }

    /// The squares to which a piece goes, whatever comes of its king.
    fn reach(&self, piece: Piece, from: Square) -> BitBoard {
        let (board, us, all) = (&self.board, self.board.side_to_move(), self.board.occupied());
        let squares = match piece {
            Piece::Pawn => {
                let passed = board.en_passant().map_or(BitBoard::EMPTY, |file| {
                    Square::new(file, Rank::Sixth.relative_to(us)).bitboard()
                });
                let captures = get_pawn_attacks(from, us) & (board.colors(!us) | passed);
                get_pawn_quiets(from, us, all) | captures
            }
            Piece::Knight => get_knight_moves(from),
            Piece::Bishop => get_bishop_moves(from, all),
            Piece::Rook => get_rook_moves(from, all),
            Piece::Queen => get_bishop_moves(from, all) | get_rook_moves(from, all),
            Piece::King => get_king_moves(from),
        };
        squares & !board.colors(us)
    }

    /// Why the king does not castle from one square to another, if that is how chess spells castling.
    pub(super) fn no_castling(&self, from: Square, to: Square) -> Option<String> {
        let (board, us) = (&self.board, self.board.side_to_move());
        let home = Square::new(File::E, Rank::First.relative_to(us));
        if FREE || from != home || board.king(us) != home || to.rank() != home.rank() {
            return None;
        }
        let rights = board.castle_rights(us);
        let (right, rook) = match to.file() {
            File::G => (rights.short, File::H),
            File::C => (rights.long, File::A),
            _ => return None,
        };
        if right.is_none() {
            return Some(
                "your king or that rook has moved, or the position gives no right to castle there".to_owned(),
            );
        }
        if !board.checkers().is_empty() {
            return Some("your king is in check".to_owned());
        }
        let between = get_between_rays(home, Square::new(rook, home.rank())) & board.occupied();
        let nearest = between.into_iter().min_by_key(|at| (at.file() as u8).abs_diff(home.file() as u8));
        let in_the_way = nearest.and_then(|at| Some((at, board.piece_on(at)?)));
        Some(match in_the_way {
            Some((at, piece)) => format!("the {} on {at} is in the way", KINDS[piece as usize].name),
            None => "your king would come to an attacked square on its way".to_owned(),
        })
    }
}
