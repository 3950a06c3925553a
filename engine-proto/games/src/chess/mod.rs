//! Chess and Chess960. The moves are those of the crate `cozy_chess`; this file adds what ends a game, and the spellings
//! of this crate.

mod fen;
mod king;
mod moves;
mod notation;
mod scene;

use std::fmt;
use std::str::FromStr;

use cozy_chess::{BitBoard, Color, File, Piece, Rank, get_pawn_attacks};

use crate::bits::mix64;
use crate::fen::one_more;
use crate::{Counters, End, FenError, GameInfo, Position, Searchable, Side, Start};

pub use moves::Move;

/// Chess.
pub type Chess = ChessBoard<false>;
/// Chess960, also called Fischer Random Chess.
pub type Chess960 = ChessBoard<true>;

/// A position of chess, or of Chess960 if `FREE`: its kings and rooks may start on other squares.
#[derive(Clone)]
pub struct ChessBoard<const FREE: bool> {
    /// The pieces, the side to move, castling rights and en passant. Its own counters are not used.
    board: cozy_chess::Board,
    quiet: u32,
    /// The number of the full move, from 1: the last field of the FEN.
    number: u32,
}

const CHESS: GameInfo = GameInfo {
    id: "chess",
    name: "Chess",
    rules: include_str!("rules.md"),
    how_to_play: "",
    starts: &[Start::fixed("standard", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")],
    quiet_limit: 100,
    typical_plies: 120,
    reasons: &["checkmate", "stalemate", "insufficient-material"],
    kinds: &scene::KINDS,
};

const CHESS960: GameInfo = GameInfo {
    id: "chess960",
    name: "Chess960",
    rules: include_str!("../chess960/rules.md"),
    how_to_play: "",
    starts: &[
        Start {
            name: "random",
            fen: "brnqkbrn/pppppppp/8/8/8/8/PPPPPPPP/BRNQKBRN w GBgb - 0 1",
            random: true,
        },
        Start {
            name: "double",
            fen: "rbbqnkrn/pppppppp/8/8/8/8/PPPPPPPP/BRNQKBRN w GBga - 0 1",
            random: true,
        },
        Start::fixed("standard", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"),
    ],
    ..CHESS
};

/// The number of start positions of Chess960.
const N_STARTS: u64 = 960;

impl<const FREE: bool> ChessBoard<FREE> {
    const fn new(board: cozy_chess::Board, quiet: u32, number: u32) -> Self {
        Self { board, quiet, number }
    }

    /// The file on which the side to move can capture en passant. Unlike a FEN of other programs, this is `None` if no
    /// such capture is legal.
    fn en_passant(&self) -> Option<File> {
        let file = self.board.en_passant()?;
        let color = self.board.side_to_move();
        let to = cozy_chess::Square::new(file, Rank::Sixth.relative_to(color));
        let pawns = self.board.colored_pieces(color, Piece::Pawn) & get_pawn_attacks(to, !color);
        let is_legal = |from| self.board.is_legal(cozy_chess::Move { from, to, promotion: None });
        pawns.into_iter().any(is_legal).then_some(file)
    }

    /// Whether no sequence of moves leads to mate, by the pieces alone: as fastchess judges it.
    fn lacks_material(&self) -> bool {
        let of = |piece| self.board.pieces(piece);
        let bishops = of(Piece::Bishop);
        match self.board.occupied().len() {
            2 => true,
            3 => !(of(Piece::Knight) | bishops).is_empty(),
            // Two bishops on squares of one colour, of one side or of both.
            4 => bishops.len() == 2 && (bishops & BitBoard::DARK_SQUARES).len() != 1,
            _ => false,
        }
    }

    fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }
}

impl<const FREE: bool> Position for ChessBoard<FREE> {
    type Move = Move<FREE>;

    const INFO: &'static GameInfo = if FREE { &CHESS960 } else { &CHESS };

    fn side_to_move(&self) -> Side {
        side(self.board.side_to_move())
    }

    fn legal_moves(&self, moves: &mut Vec<Move<FREE>>) {
        if self.lacks_material() {
            return;
        }
        self.board.generate_moves(|of_piece| {
            moves.extend(of_piece.into_iter().map(|mv| Move::new(&self.board, mv)));
            false
        });
    }

    fn play_unchecked(&mut self, mv: Move<FREE>) {
        let is_progress = mv.is_progress(&self.board);
        self.quiet = if is_progress { 0 } else { one_more(self.quiet) };
        if self.board.side_to_move() == Color::Black {
            self.number = one_more(self.number);
        }
        self.board.play_unchecked(mv.inner());
    }

    fn end(&self) -> Option<End> {
        if self.lacks_material() {
            return Some(End::draw("insufficient-material"));
        }
        if self.has_moves() {
            return None;
        }
        Some(if self.board.checkers().is_empty() {
            End::draw("stalemate")
        } else {
            End::win(!self.side_to_move(), "checkmate")
        })
    }

    fn counters(&self) -> Counters {
        let ply = 2 * (self.number - 1) + self.side_to_move().index() as u32;
        Counters { quiet: self.quiet, ply }
    }

    fn repeats(&self, other: &Self) -> bool {
        let (one, two) = (&self.board, &other.board);
        one.hash_without_ep() == two.hash_without_ep()
            && one.side_to_move() == two.side_to_move()
            && Piece::ALL.iter().all(|&piece| one.pieces(piece) == two.pieces(piece))
            && Color::ALL.iter().all(|&color| {
                one.colors(color) == two.colors(color) && one.castle_rights(color) == two.castle_rights(color)
            })
            && self.en_passant() == other.en_passant()
    }

    fn fingerprint(&self) -> u64 {
        let file = self.en_passant().map_or(0, |file| file as u64 + 1);
        mix64(self.board.hash_without_ep() ^ mix64(file))
    }

    fn parse_move(&self, text: &str) -> Option<Move<FREE>> {
        let mv = Move::read(&self.board, text)?;
        (!self.lacks_material() && self.board.is_legal(mv.inner())).then_some(mv)
    }

    fn start(name: &str, seed: u64) -> Option<Self> {
        let start = Self::INFO.starts.iter().find(|start| start.name == name)?;
        if !start.random {
            return start.fen.parse().ok();
        }
        let draw = |side: u64| (mix64(mix64(seed) ^ side) % N_STARTS) as u32;
        let (white, black) = (draw(0), if name == "double" { draw(1) } else { draw(0) });
        Some(Self::new(cozy_chess::Board::double_chess960_startpos(white, black), 0, 1))
    }

    fn import(text: &str) -> Result<Self, FenError> {
        fen::import(text)
    }

    fn notation(&self, mv: Move<FREE>) -> String {
        cozy_chess::util::display_san_move(&self.board, mv.inner()).to_string()
    }

    fn read_move(&self, text: &str) -> Option<Move<FREE>> {
        notation::read(self, text)
    }
}

impl<const FREE: bool> Searchable for ChessBoard<FREE> {
    fn count_legal_moves(&self) -> usize {
        let mut n = 0;
        if !self.lacks_material() {
            self.board.generate_moves(|of_piece| {
                n += of_piece.len();
                false
            });
        }
        n
    }

    fn null_move(&self) -> Option<Self> {
        let board = self.board.null_move()?;
        let is_black = self.board.side_to_move() == Color::Black;
        let number = if is_black { one_more(self.number) } else { self.number };
        Some(Self::new(board, one_more(self.quiet), number))
    }
}

impl<const FREE: bool> PartialEq for ChessBoard<FREE> {
    fn eq(&self, other: &Self) -> bool {
        (self.quiet, self.number) == (other.quiet, other.number) && self.repeats(other)
    }
}

impl<const FREE: bool> Eq for ChessBoard<FREE> {}

impl<const FREE: bool> fmt::Debug for ChessBoard<FREE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChessBoard").field(&self.to_string()).finish()
    }
}

impl<const FREE: bool> fmt::Display for ChessBoard<FREE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fen::write(self, f)
    }
}

impl<const FREE: bool> FromStr for ChessBoard<FREE> {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        fen::parse(text)
    }
}

fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

fn square(square: cozy_chess::Square) -> crate::Square {
    crate::Square { file: square.file() as u8, rank: square.rank() as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Play;

    fn end(fen: &str) -> Option<&'static str> {
        fen.parse::<Chess>().unwrap().end().map(|end| end.reason)
    }

    #[test]
    fn who_may_castle() {
        let notes = |fen: &str| {
            let notes = crate::Drawn::scene(&fen.parse::<Chess>().unwrap()).notes.into_iter();
            notes.map(|note| format!("{}: {}", note.label, note.value)).collect::<Vec<_>>()
        };
        let all = ["may castle: White O-O and O-O-O, Black O-O and O-O-O"];
        assert_eq!(notes("rnb1kbnr/pppp1ppp/8/4p3/6Pq/8/PPPPPP1P/RNBQKBNR w KQkq - 1 3"), all);
        assert_eq!(notes("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"), ["may castle: White O-O, Black O-O-O"]);
        assert_eq!(notes("r3k3/8/8/8/8/8/8/4K2R w - - 0 1"), [""; 0]);
        // After mate, nobody does.
        assert_eq!(notes("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"), [""; 0]);
    }

    #[test]
    fn moves_that_only_the_king_forbids() {
        let of = |position: &Chess| {
            let moves = crate::Drawn::moves_into_check(position).into_iter();
            let mut moves: Vec<_> = moves.map(|mv| mv.to_string()).collect();
            moves.sort();
            moves.join(" ")
        };
        let into_check = |fen: &str| of(&fen.parse().unwrap());
        assert_eq!(into_check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "");
        // Attacked squares; no castling through check.
        assert_eq!(into_check("4k3/8/8/8/5r2/8/8/4K2R w K - 0 1"), "e1f1 e1f2");
        // A pin.
        let pinned = "e2a6 e2b5 e2c4 e2d1 e2d3 e2f1 e2f3 e2g4 e2h5";
        assert_eq!(into_check("4k3/8/8/8/4r3/8/4B3/4K2R w K - 0 1"), pinned);
        // Check: a pawn that promotes, and one that captures en passant along the rank of its king.
        assert_eq!(into_check("7k/P7/8/8/4r3/8/8/4K3 w - - 0 1"), "a7a8b a7a8n a7a8q a7a8r e1e2");
        let before = "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1".parse::<Chess>().unwrap();
        assert_eq!(of(Play::from_moves(before, ["d7d5"]).unwrap().position()), "e5d6");
    }

    /// The cases of `Board::isInsufficientMaterial` in fastchess's chess library.
    #[test]
    fn insufficient_material() {
        const DRAW: Option<&str> = Some("insufficient-material");
        for (pieces, expected) in [
            ("4k3/8/8/8/8/8/8/4K3", DRAW),
            ("4k3/8/8/8/8/8/8/4KN2", DRAW),
            ("4kb2/8/8/8/8/8/8/4K3", DRAW),
            ("4k3/8/8/8/8/8/8/4KR2", None),
            ("4k3/8/8/8/8/8/4P3/4K3", None),
            // f8 and c1 are dark, c8 is light.
            ("4kb2/8/8/8/8/8/8/2B1K3", DRAW),
            ("2b1k3/8/8/8/8/8/8/2B1K3", None),
            ("4k3/8/8/8/8/4B3/8/2B1K3", DRAW),
            ("4k3/8/8/8/8/3B4/8/2B1K3", None),
            // Mate is possible, if only with help.
            ("4k3/8/8/8/8/8/8/3NKN2", None),
            ("4kn2/8/8/8/8/8/8/4KN2", None),
            ("4k3/8/4B3/8/8/4B3/8/2B1K3", None),
        ] {
            assert_eq!(end(&format!("{pieces} w - - 0 1")), expected, "{pieces}");
        }
    }

    #[test]
    fn mate_counts_before_fifty_moves() {
        let mated = "8/8/2p5/3b1K1k/4p3/4Pp1R/5P2/8 b - - 100 113".parse::<Chess>().unwrap();
        assert_eq!(Play::new(mated).end(), Some(End::win(Side::White, "checkmate")));
        let quiet = "4k3/8/8/8/8/8/8/4KR2 b - - 99 90".parse::<Chess>().unwrap();
        let mut play = Play::new(quiet);
        assert_eq!(play.end(), None);
        play.play_text("e8d8").unwrap();
        assert_eq!(play.end(), Some(End::draw("quiet")));
    }

    /// FIDE 9.2.2: a position differs from an earlier one if a capture en passant was possible.
    #[test]
    fn only_a_possible_capture_en_passant_tells_positions_apart() {
        let after = |start: &str, moves: &str| {
            let start = Chess::import(start).unwrap();
            Play::from_moves(start, moves.split(' ')).unwrap().position().clone()
        };
        let start = Chess::startpos().to_string();
        let pushed = after(&start, "e2e4");
        assert_eq!(pushed.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        let later = after(&start, "e2e3 g8f6 g1f3 f6g8 e3e4 g8f6 f3g1 f6g8");
        assert!(!pushed.repeats(&later), "another side is to move");
        let capturable = after(&start, "e2e4 a7a6 e4e5 d7d5");
        assert!(capturable.to_string().ends_with("w KQkq d6 0 3"), "{capturable}");
        // The pawn is pinned on e5: its capture would expose the king.
        let pinned = after("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5");
        assert_eq!(pinned.to_string(), "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2");
        // The bishop on e5 attacks d6, but does not capture en passant.
        let bishop = after("6k1/3p4/8/4B3/8/8/8/4K3 b - - 0 1", "d7d5");
        assert!(bishop.to_string().contains(" w - - "), "{bishop}");
    }
}
