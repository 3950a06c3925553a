//! Positions as text (page, section FEN fields): strict, canonical, nothing repaired.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::cells::{ARENAS, Cell, PROMOTION, TOUCHED, TOWERS, cells, first};
use super::en_passant::{EnPassant, EnPassants};
use super::lines::{DIAGONAL, PLAIN, REFRACTED, SIDEWAYS, diagonally_forward, forward, step};
use super::moves::split_cell;
use super::pieces::{Kind, Piece, Powers};
use super::{Captured, FourTowers, MultiPiece, Turn, generate};
use crate::bits::bits64;
use crate::fen::{Counters, board, fields, shown, side, unknown_sign, write_board};
use crate::{FenError, Side};

/// The squares of each rank, from the top one down.
pub(super) const WIDTHS: [u8; 11] = [3, 6, 9, 10, 10, 9, 10, 10, 9, 6, 3];
/// The leftmost file of each rank, from the top one down.
pub(super) const LEFTMOST: [u8; 11] = [2, 2, 2, 1, 1, 1, 0, 0, 0, 3, 6];

impl FromStr for FourTowers {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [board, mover, en_passant, white, black, returnable, turn, quiet, ply] = fields::<9>(text)?;
        let board = read_board(board)?;
        let mover = side(mover)?;
        let turn = read_turn(turn)?;
        let position = Self {
            en_passant: read_en_passant(en_passant, &board, mover, turn)?,
            powers: [read_powers("white-powers", white)?, read_powers("black-powers", black)?],
            returnable: read_returnable(returnable, &board, mover)?,
            turn,
            counters: Counters::read(quiet, ply)?,
            board,
            side: mover,
        };
        check_turn(&position)?;
        if position.turn == Turn::Begins && position.in_check(!mover) {
            return Err(FenError::new("board", format!("{}, who is not to move, is in check", !mover)));
        }
        Ok(position)
    }
}

fn read_board(text: &str) -> Result<Board, FenError> {
    let mut pieces = Board::default();
    board(text, &WIDTHS, |row, column, sign| {
        let cell = Cell::at((LEFTMOST[usize::from(row)] + column) as i8, 10 - row as i8)
            .expect("the widths are those of the board");
        pieces.toggle(Piece::from_sign(sign).ok_or_else(|| unknown_sign(sign))?, cell);
        Ok(())
    })?;
    for side in Side::ALL {
        let n_kings = pieces.kind(side, Kind::King).count_ones();
        if n_kings != 1 {
            return Err(FenError::kings(side, n_kings));
        }
        let pawn_like = pieces.kind(side, Kind::Pawn) | pieces.kind(side, Kind::Lancer);
        if let Some(cell) = cells(pawn_like & PROMOTION[side.index()]).next() {
            return Err(FenError::new(
                "board",
                format!("{side} has a pawn or lancer on its promotion square {cell}"),
            ));
        }
    }
    Ok(pieces)
}

fn read_en_passant(text: &str, board: &Board, mover: Side, turn: Turn) -> Result<EnPassants, FenError> {
    if text == "-" {
        return Ok(EnPassants::NONE);
    }
    let error = |reason: &str| FenError::new("ep", format!("`{}`: {reason}", shown(text)));
    let mut last = None;
    let mut pairs = EnPassants::NONE;
    for (nth, pair) in text.split(',').enumerate() {
        let pair = read_pair(pair).ok_or_else(|| error("not pairs of squares joined by commas"))?;
        if last.is_some_and(|last| pair <= last) {
            return Err(error("the pairs do not ascend"));
        }
        if nth == EnPassants::MAX {
            return Err(error("more than four pairs"));
        }
        if pairs.pieces() & pair.piece.bit() != 0 {
            return Err(error("two pairs with the same second square"));
        }
        check_pair(pair, board, mover, turn).map_err(error)?;
        pairs = pairs.with(pair);
        last = Some(pair);
    }
    Ok(pairs)
}

fn read_pair(text: &str) -> Option<EnPassant> {
    let (crossed, rest) = split_cell(text)?;
    let (piece, rest) = split_cell(rest)?;
    rest.is_empty().then_some(EnPassant { crossed, piece })
}

/// Whether a piece of a side can have crossed the square: of the side not to move, or of the side to move if its turn
/// continues.
fn check_pair(pair: EnPassant, board: &Board, mover: Side, turn: Turn) -> Result<(), &'static str> {
    let EnPassant { crossed, piece } = pair;
    let side = if turn == Turn::Begins { !mover } else { mover };
    if turn == Turn::Begins && board.occupied() & crossed.bit() != 0 {
        return Err("the crossed square is occupied");
    }
    // Knights may have moved later in the turn.
    let orthogonal_step = |direction| step(PLAIN, crossed, direction) | step(REFRACTED, crossed, direction);
    let mut steps = orthogonal_step(forward(side));
    match board.get(piece).filter(|piece| piece.side == side).map(|piece| piece.kind) {
        Some(Kind::Pawn) => {}
        Some(Kind::Lancer) => {
            for direction in diagonally_forward(side) {
                steps |= step(&DIAGONAL, crossed, direction);
            }
            for direction in SIDEWAYS {
                steps |= orthogonal_step(direction);
            }
        }
        _ if turn == Turn::Begins => {
            return Err("no pawn or lancer of the side not to move on a second square");
        }
        _ => return Err("no pawn or lancer of the side to move on a second square"),
    }
    if steps & piece.bit() == 0 {
        return Err("the piece on a second square cannot have crossed the first");
    }
    Ok(())
}

fn read_powers(field: &'static str, text: &str) -> Result<Powers, FenError> {
    if text == "-" {
        return Ok(Powers::NONE);
    }
    let mut powers = Powers::NONE;
    let mut rest = text;
    for (letter, power) in Powers::LETTERS {
        if let Some(after) = rest.strip_prefix(letter) {
            powers = powers.and(power);
            rest = after;
        }
    }
    if !rest.is_empty() {
        return Err(FenError::new(
            field,
            format!("`{}` is not a choice of `KRBN` in this order", shown(text)),
        ));
    }
    Ok(powers)
}

fn read_returnable(text: &str, board: &Board, mover: Side) -> Result<Option<Captured>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let error = |reason: &str| FenError::new("return", format!("`{}`: {reason}", shown(text)));
    let mut signs = text.chars();
    let piece = signs.next().and_then(Piece::from_sign).ok_or_else(|| error("not a piece and a tower"))?;
    let Some((tower, "")) = split_cell(signs.as_str()) else {
        return Err(error("not a piece and a tower"));
    };
    if tower.tower().is_none() {
        return Err(error("the square is no tower"));
    }
    if piece.kind == Kind::King {
        return Err(error("a king is never captured"));
    }
    if piece.side != mover {
        return Err(error("a piece of the side not to move"));
    }
    if board.of(!mover) & tower.bit() == 0 {
        return Err(error("no piece of the side not to move on that tower"));
    }
    Ok(Some(Captured { kind: piece.kind, tower }))
}

fn turn_error(reason: impl Into<String>) -> FenError {
    FenError::new("turn", reason)
}

fn read_turn(text: &str) -> Result<Turn, FenError> {
    if text == "-" {
        return Ok(Turn::Begins);
    }
    let turn = match (text.strip_prefix('+'), text.strip_prefix('>')) {
        (Some(rest), _) => read_multi_piece(rest).map(Turn::MultiPiece),
        (_, Some(rest)) => read_relocated(rest).map(|relocated| Turn::Rearrangement { relocated }),
        _ => None,
    };
    turn.ok_or_else(|| {
        turn_error(format!("`{}` is neither a multi-piece move nor a rearrangement", shown(text)))
    })
}

fn read_multi_piece(text: &str) -> Option<MultiPiece> {
    let (text, left_in_check) = text.strip_suffix('!').map_or((text, false), |rest| (rest, true));
    let (text, officer_moved) = text.strip_suffix('*').map_or((text, false), |rest| (rest, true));
    let digits = text.as_bytes();
    let canonical = (1..=3).contains(&digits.len())
        && digits.iter().all(|digit| (b'1'..=b'9').contains(digit))
        && digits.is_sorted_by(|one, next| one < next);
    let arenas = digits.iter().map(|digit| digit.wrapping_sub(b'1'));
    canonical.then(|| MultiPiece {
        arenas: arenas.fold(0, |set, arena| set | 1 << arena),
        officer_moved,
        left_in_check,
    })
}

/// The set of the squares, which must ascend; at least one.
fn read_relocated(text: &str) -> Option<u128> {
    let (cell, mut rest) = split_cell(text)?;
    let (mut set, mut last) = (cell.bit(), cell);
    while !rest.is_empty() {
        let (cell, after) = split_cell(rest)?;
        if cell <= last {
            return None;
        }
        set |= cell.bit();
        (last, rest) = (cell, after);
    }
    Some(set)
}

/// The conditions of a turn in progress on the rest of the position.
fn check_turn(position: &FourTowers) -> Result<(), FenError> {
    if position.turn == Turn::Begins {
        return Ok(());
    }
    if position.returnable.is_some() {
        return Err(turn_error("`return` is set, but no turn is in progress"));
    }
    match position.turn {
        Turn::Begins => {}
        Turn::MultiPiece(turn) => check_multi_piece(position, turn)?,
        Turn::Rearrangement { relocated } => check_rearrangement(position, relocated)?,
    }
    if !generate::is_any_legal(position) {
        return Err(turn_error("no legal move continues the turn"));
    }
    Ok(())
}

fn check_multi_piece(position: &FourTowers, turn: MultiPiece) -> Result<(), FenError> {
    let side = position.side;
    let dragons = position.board.kind(side, Kind::Dragon);
    let has_dragon = TOWERS.iter().zip(TOUCHED).any(|(tower, touched)| {
        let touched: u16 = touched.iter().fold(0, |set, arena| set | 1 << arena);
        dragons & tower.bit() != 0 && turn.arenas & !touched == 0
    });
    if !has_dragon {
        return Err(turn_error("no dragon of the side to move on a tower that touches all these arenas"));
    }
    if (turn.arenas.count_ones() as usize) < position.en_passant.iter().count() {
        return Err(turn_error("more pairs in `ep` than arenas"));
    }
    if turn.officer_moved && position.powers(side).is_none() {
        return Err(turn_error("`*`, but no powers were lent"));
    }
    if !turn.left_in_check && position.in_check(side) {
        return Err(turn_error("no `!`, but the king of the side to move is in check"));
    }
    Ok(())
}

fn check_rearrangement(position: &FourTowers, relocated: u128) -> Result<(), FenError> {
    let side = position.side;
    let arena = first(relocated).arena().map_or(0, |arena| ARENAS[usize::from(arena)]);
    let field = Board::field(position.board.kind(side, Kind::Wizard));
    if relocated & !(arena & field) != 0 {
        return Err(turn_error(
            "the squares are not all in one arena that touches a tower with a wizard of the side to move",
        ));
    }
    if relocated & !position.board.of(side) != 0 {
        return Err(turn_error("a square without a piece of the side to move"));
    }
    if !position.en_passant.is_empty() {
        return Err(turn_error("a rearrangement leaves nothing in `ep`"));
    }
    Ok(())
}

impl fmt::Display for FourTowers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, &WIDTHS, |row, column| {
            let cell = Cell::at((LEFTMOST[usize::from(row)] + column) as i8, 10 - row as i8)
                .expect("the widths are those of the board");
            self.board.get(cell)
        })?;
        write!(f, " {} {} {} {} ", self.side.letter(), self.en_passant, self.powers[0], self.powers[1])?;
        match self.returnable {
            None => write!(f, "-")?,
            Some(Captured { kind, tower }) => write!(f, "{}{tower}", Piece { side: self.side, kind })?,
        }
        write!(f, " {} {}", self.turn, self.counters)
    }
}

impl fmt::Display for EnPassants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        self.iter().enumerate().try_for_each(|(nth, EnPassant { crossed, piece })| {
            write!(f, "{}{crossed}{piece}", if nth == 0 { "" } else { "," })
        })
    }
}

impl fmt::Display for Powers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("-");
        }
        for (letter, power) in Self::LETTERS {
            if self.has(power) {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Begins => f.write_str("-"),
            Self::MultiPiece(MultiPiece { arenas, officer_moved, left_in_check }) => {
                f.write_str("+")?;
                bits64(arenas.into()).try_for_each(|arena| write!(f, "{}", arena + 1))?;
                f.write_str(if officer_moved { "*" } else { "" })?;
                f.write_str(if left_in_check { "!" } else { "" })
            }
            Self::Rearrangement { relocated } => {
                f.write_str(">")?;
                cells(relocated).try_for_each(|cell| write!(f, "{cell}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_is_as_wide_as_it_should_be() {
        for (row, (left, width)) in LEFTMOST.into_iter().zip(WIDTHS).enumerate() {
            let rank = 10 - row as i8;
            let files = (0..12).filter(|&file| Cell::at(file, rank).is_some());
            assert_eq!(files.collect::<Vec<_>>(), (left as i8..(left + width) as i8).collect::<Vec<_>>());
        }
    }

    /// The field at fault; `-` if there is none.
    fn fault(text: &str) -> &'static str {
        text.parse::<FourTowers>().map_or_else(|error| error.field, |_| "-")
    }

    #[test]
    fn refusals_beyond_the_examples() {
        let plain = |fields: &str| format!("2k/6/9/10/10/9/10/10/9/6/K2 {fields}");
        for (fields, field) in [
            ("w - - - - - 0 0", "-"),
            ("w - KRBN KRBN - - 0 0", "-"),
            ("w - RR - - - 0 0", "white-powers"),
            ("w - - Q - - 0 0", "black-powers"),
            ("w - - r - - 0 0", "black-powers"),
            ("w e5 - - - - 0 0", "ep"),
            ("w e5e4e3 - - - - 0 0", "ep"),
            ("w e5é4 - - - - 0 0", "ep"),
            ("w - - - d5 - 0 0", "return"),
            ("w - - - éd5 - 0 0", "return"),
            ("w - - - Nd4 - 0 0", "return"),
            ("w - - - - + 0 0", "turn"),
            ("w - - - - > 0 0", "turn"),
            ("w - - - - +2!* 0 0", "turn"),
            ("w - - - - +1234 0 0", "turn"),
            ("w - - - - é 0 0", "turn"),
            ("w - - - - - 1000000000 0", "quiet"),
        ] {
            assert_eq!(fault(&plain(fields)), field, "{fields}");
        }
        for (text, field) in [
            // A king is never captured; the rook on the tower is what captured it.
            ("2k/6/9/10/10/9/3r6/10/9/6/K2 w - - - Kd5 - 0 0", "return"),
            ("2k/6/9/10/10/9/3r6/10/9/6/K2 w - - - Nd5 - 0 0", "-"),
            ("3/6/9/3D2r2k/10/9/5L4/6D3/3P5/6/K2 w - - - - +2* 0 0", "turn"),
            ("3/6/9/3D2r2k/10/9/5L4/6D3/3P5/6/K2 w - N - - +2* 0 0", "-"),
            ("3/6/9/3D2r2k/10/9/5L4/6D3/3P5/6/K2 w - - - Nd5 +2 0 0", "return"),
            ("3/6/9/6r3/9k/5B3/10/6D3/5N3/6/1K1 w - B - - +6* 1 1", "turn"),
            ("3/6/7k1/2r7/10/9/10/5KW3/4P4/N5/3 w - - - - >e3f3 1 1", "turn"),
            ("3/6/7k1/2r7/10/9/10/5KW3/4P4/N5/3 w - - - - >e3g3 1 1", "turn"),
            ("3/6/7k1/2r7/10/9/10/5KW3/4P4/N5/3 w - - - - >g4 1 1", "turn"),
            // Squares crossed in a turn in progress may be occupied; those of the turn just ended may not.
            ("2k/6/9/10/10/pP7/3Dpp4/10/4P4/6/2K w c5c6 - - - +1 0 1", "-"),
            ("2k/6/9/10/10/pP7/2NDpp4/10/4P4/6/2K w c5c6 - - - +1 0 1", "-"),
            ("2k/6/9/10/10/pP7/2NDpp4/10/9/6/2K b c5c6 - - - - 0 1", "ep"),
            ("2k/6/9/10/10/pP7/3Dpp4/10/4P4/6/2K b c5c6 - - - +1 0 1", "ep"),
            // Two lancers have crossed one square; one lancer has not crossed two.
            ("2k/6/9/10/10/9/2LDL5/5l4/9/6/2K b d4c5,d4e5 - - - - 0 2", "-"),
            ("2k/6/9/10/10/9/2LDL5/5l4/9/6/2K b d4e5,d4c5 - - - - 0 2", "ep"),
            ("2k/6/9/10/10/9/2LDL5/5l4/9/6/2K b d4e5,e4e5 - - - - 0 2", "ep"),
            ("2k/6/9/10/10/9/2LDL5/5l4/9/6/2K b d4c5,d4c5 - - - - 0 2", "ep"),
            ("2k/6/9/10/10/9/2LDL5/5l4/9/6/2K b d4c5, - - - - 0 2", "ep"),
            ("2k/6/9/10/10/9/2LDL5/5l4/9/6/2K b d4c5d4e5 - - - - 0 2", "ep"),
            ("2k/6/9/10/10/LL1LLL3/3D6/10/9/6/2K b a5b6,b5c6,e5e6,f5f6 - - - - 0 2", "-"),
            ("2k/6/9/10/10/LL1LLL3/3D6/10/9/6/2K b b5b6,c5c6,e5e6,f5f6 - - - - 0 2", "-"),
            ("2k/6/9/10/10/LL1LLL3/3D6/10/9/6/2K b b5b6,c5c6,e5e6,f5f6,g5g6 - - - - 0 2", "ep"),
            // Refracted by a knight on d5 that has gone since.
            ("2k/6/9/10/10/2P6/10/10/9/6/2K b d4e5 - - - - 0 2", "ep"),
            ("2k/6/9/10/10/9/4P5/10/9/6/2K b d4e5 - - - - 0 2", "-"),
        ] {
            assert_eq!(fault(text), field, "{text}");
        }
    }
}
