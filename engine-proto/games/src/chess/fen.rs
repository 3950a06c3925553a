//! The text of a position: parsed strictly, or imported from what other programs write.

use std::fmt;

use cozy_chess::{Color, FenParseError, File, Piece, Rank};

use super::ChessBoard;
use crate::fen::{board, counter, fields, shown, side, unknown_sign};
use crate::{FenError, Side};

const WIDTHS: [u8; 8] = [8; 8];

pub(super) fn write<const FREE: bool>(
    position: &ChessBoard<FREE>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let text = if FREE { format!("{:#}", position.board) } else { position.board.to_string() };
    let mut fields = text.split(' ');
    let [pieces, side, castling] = [(); 3].map(|()| fields.next().expect("a FEN has six fields"));
    write!(f, "{pieces} {side} {castling} ")?;
    match position.en_passant() {
        Some(file) => {
            let rank = Rank::Sixth.relative_to(position.board.side_to_move());
            write!(f, "{}", cozy_chess::Square::new(file, rank))?;
        }
        None => f.write_str("-")?,
    }
    write!(f, " {} {}", position.quiet, position.number)
}

/// Parses a canonical FEN.
pub(super) fn parse<const FREE: bool>(text: &str) -> Result<ChessBoard<FREE>, FenError> {
    let texts = fields::<6>(text)?;
    let position = read(texts)?;
    let canonical = position.to_string();
    let names = ["board", "side", "castling", "en-passant", "quiet", "move"];
    for ((found, expected), name) in texts.into_iter().zip(canonical.split(' ')).zip(names) {
        if found != expected {
            let reason = match name {
                "en-passant" => format!("no pawn can capture on `{}`: write `-`", shown(found)),
                _ => format!("`{}` is not canonical: write `{expected}`", shown(found)),
            };
            return Err(FenError::new(name, reason));
        }
    }
    Ok(position)
}

/// Imports a FEN or an EPD of another program: the board alone (as on lichess, White is to move then, and nobody may castle), without
/// counters, with operations behind the fourth field, with any spelling of the castling rights, and with an en passant square on which
/// nothing can capture.
pub(super) fn import<const FREE: bool>(text: &str) -> Result<ChessBoard<FREE>, FenError> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let Some(&pieces) = words.first() else {
        return Err(FenError::new("fen", "it is empty"));
    };
    let field = |place: usize, default: &'static str| words.get(place).copied().unwrap_or(default);
    let (side, castling, en_passant) = (field(1, "w"), field(2, "-"), field(3, "-"));
    let (quiet, number) = counters(words.get(4..).unwrap_or_default());
    let castling = if FREE { by_file(pieces, castling) } else { by_side(castling) };
    read([pieces, side, &castling, en_passant, &quiet, &number])
}

fn read<const FREE: bool>(texts: [&str; 6]) -> Result<ChessBoard<FREE>, FenError> {
    let [pieces, mover, castling, en_passant, quiet, number] = texts;
    board(pieces, &WIDTHS, |_, _, sign| {
        let is_piece = Piece::try_from(sign.to_ascii_lowercase()).is_ok();
        if is_piece { Ok(()) } else { Err(unknown_sign(sign)) }
    })?;
    side(mover)?;
    let quiet = counter("quiet", quiet)?;
    let number = counter("move", number)?;
    if number == 0 {
        return Err(FenError::new("move", "the first move has the number 1"));
    }
    let text = format!("{pieces} {mover} {castling} {en_passant} 0 1");
    let board = cozy_chess::Board::from_fen(&text, FREE).map_err(|error| explain::<FREE>(error, texts))?;
    let stands_on_e = |color: Color| board.king(color).file() == File::E;
    let may_castle = |color: Color| {
        let rights = board.castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    };
    if !FREE && Color::ALL.iter().any(|&color| may_castle(color) && !stands_on_e(color)) {
        return Err(FenError::new("castling", "a king that may castle is not on the e-file"));
    }
    Ok(ChessBoard::new(board, quiet, number))
}

fn explain<const FREE: bool>(error: FenParseError, texts: [&str; 6]) -> FenError {
    let [pieces, mover, castling, en_passant, ..] = texts;
    match error {
        FenParseError::InvalidCastlingRights => {
            let castling = shown(castling);
            FenError::new(
                "castling",
                format!(
                    "`{castling}` needs a king and rooks on its first rank; write `-` if no side may castle"
                ),
            )
        }
        FenParseError::InvalidEnPassant => {
            let en_passant = shown(en_passant);
            FenError::new(
                "en-passant",
                format!("`{en_passant}` is not a square that a pawn has just crossed"),
            )
        }
        _ => board_error::<FREE>(pieces, mover),
    }
}

/// What is wrong with the pieces of a position that the library refuses.
fn board_error<const FREE: bool>(pieces: &str, mover: &str) -> FenError {
    let count = |sign: char| pieces.matches(sign).count() as u32;
    for (side, king) in [(Side::White, 'K'), (Side::Black, 'k')] {
        if count(king) != 1 {
            return FenError::kings(side, count(king));
        }
    }
    for (side, pawn, is_own) in [
        (Side::White, 'P', char::is_ascii_uppercase as fn(&char) -> bool),
        (Side::Black, 'p', char::is_ascii_lowercase),
    ] {
        if count(pawn) > 8 || pieces.chars().filter(is_own).count() > 16 {
            return FenError::new("board", format!("{side} has more than 8 pawns or 16 pieces"));
        }
    }
    let mut ends = pieces.split('/').step_by(7);
    if ends.any(|rank| rank.contains(['P', 'p'])) {
        return FenError::new("board", "a pawn stands on rank 1 or 8");
    }
    let (other, next) = if mover == "w" { ("Black", "b") } else { ("White", "w") };
    if cozy_chess::Board::from_fen(&format!("{pieces} {next} - - 0 1"), FREE).is_ok() {
        return FenError::new("board", format!("{other} is in check, but not to move"));
    }
    FenError::new("board", "both sides are in check, or no move leads to these checks")
}

/// The counters of a FEN, or of the operations `hmvc` and `fmvn` of an EPD.
fn counters(rest: &[&str]) -> (String, String) {
    if let [quiet, number, ..] = rest
        && [quiet, number].iter().all(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    {
        let number = if *number == "0" { "1" } else { number };
        return ((*quiet).to_owned(), number.to_owned());
    }
    let operation = |name: &str, default: &str| {
        let value = rest.iter().skip_while(|word| **word != name).nth(1);
        value.map_or(default, |value| value.trim_end_matches(';')).to_owned()
    };
    (operation("hmvc", "0"), operation("fmvn", "1"))
}

/// Castling rights as `KQkq`: `H` and `A` name the rooks of chess.
fn by_side(castling: &str) -> String {
    let sides: Vec<char> = castling
        .chars()
        .map(|c| match c {
            'H' => 'K',
            'A' => 'Q',
            'h' => 'k',
            'a' => 'q',
            other => other,
        })
        .collect();
    sides.into_iter().collect()
}

/// Castling rights by the files of the rooks: `K` is the outermost rook on the king's right, `Q` that on its left (X-FEN).
fn by_file(pieces: &str, castling: &str) -> String {
    let file = |right: char| -> Option<char> {
        let (rank, king, rook) = if right.is_ascii_uppercase() {
            (pieces.rsplit('/').next()?, 'K', 'R')
        } else {
            (pieces.split('/').next()?, 'k', 'r')
        };
        let squares: Vec<char> =
            rank.chars().flat_map(|c| std::iter::repeat_n(c, c.to_digit(10).unwrap_or(1) as usize)).collect();
        let king = squares.iter().position(|&c| c == king)?;
        let rooks = squares.iter().enumerate().filter(|(_, c)| **c == rook).map(|(file, _)| file);
        let outermost = if right.eq_ignore_ascii_case(&'k') {
            rooks.filter(|&file| king < file).max()?
        } else {
            rooks.filter(|&file| file < king).min()?
        };
        let letter = char::from(b'a' + outermost as u8);
        Some(if right.is_ascii_uppercase() { letter.to_ascii_uppercase() } else { letter })
    };
    let by_name = |right: char| {
        if matches!(right, 'K' | 'Q' | 'k' | 'q') { file(right).unwrap_or(right) } else { right }
    };
    castling.chars().map(by_name).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Chess, Chess960};
    use crate::Position;

    #[test]
    fn what_other_programs_write() {
        let chess = [
            // An EPD, with and without operations.
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            ),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 7; fmvn 30; id \"pawn\";", "4k3/8/8/8/8/8/4P3/4K3 w - - 7 30"),
            ("4k3/8/8/8/8/8/4P3/4K3  w - - bm e4;", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w AHah - 0 0", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
            // What is missing is filled in.
            ("r3k2r/8/8/8/8/8/8/R3K2R", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b", "r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQ", "r3k2r/8/8/8/8/8/8/R3K2R b KQ - 0 1"),
        ];
        for (text, fen) in chess {
            assert_eq!(Chess::import(text).unwrap().to_string(), fen, "{text}");
        }
        let free = [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"),
            ("1r1kr3/8/8/8/8/8/8/1R1KR2R w Kq - 0 1", "1r1kr3/8/8/8/8/8/8/1R1KR2R w Hb - 0 1"),
            ("1r1kr3/8/8/8/8/8/8/1R1KR2R w Eq - 0 1", "1r1kr3/8/8/8/8/8/8/1R1KR2R w Eb - 0 1"),
        ];
        for (text, fen) in free {
            assert_eq!(Chess960::import(text).unwrap().to_string(), fen, "{text}");
        }
        for (text, field) in [
            ("", "fen"),
            ("4k3/8/8/8/8/8/4P3/4K3 x", "side"),
            ("4k3/8/8/8/8/8/4P3/4K3 w x", "castling"),
            ("4k3/8/8/8/8/8/4P3/4K3 w K - 0 1", "castling"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - e9 0 1", "en-passant"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc x; fmvn 30;", "quiet"),
        ] {
            assert_eq!(Chess::import(text).unwrap_err().field, field, "{text}");
        }
    }
}
