//! The text form of a position, section FEN fields: strict and canonical, nothing is repaired.

use std::fmt;
use std::str::FromStr;

use crate::fen::{Counters, board, counter, fields, shown, side, unknown_sign, write_board, wrong_ranks};
use crate::{FenError, Side};

use super::TowerPush;
use super::board::Board;
use super::moves::Step;
use super::size::Size;
use super::squares::{Cell, Squares};

const WHITE_SIGN: char = 'X';
const BLACK_SIGN: char = 'x';
const TOWER_SIGN: char = 'T';

impl fmt::Display for TowerPush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        write_board(f, &widths(size), |row, column| {
            let cell = cell_at(size, row, column);
            if self.board.pieces(Side::White).contains(cell) {
                Some(WHITE_SIGN)
            } else if self.board.pieces(Side::Black).contains(cell) {
                Some(BLACK_SIGN)
            } else {
                (cell == size.tower()).then_some(TOWER_SIGN)
            }
        })?;
        let (side, next) = (self.side.letter(), self.next.letter());
        write!(f, " {side} {} {} {next} ", self.hands[0], self.hands[1])?;
        match self.ban {
            Some(step) => write!(f, "{step}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {}", self.counters)
    }
}

impl FromStr for TowerPush {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [board, side_text, hand_white, hand_black, next, ban, quiet, ply] = fields(text)?;
        let board = read_board(board)?;
        let side = side(side_text)?;
        let hands = [counter("hand-w", hand_white)?, counter("hand-b", hand_black)?];
        let hands = checked_hands(&board, hands)?;
        let next = read_next(next, side, hands)?;
        let ban = read_ban(ban, &board, side, hands)?;
        Ok(Self { board, side, next, hands, ban, counters: Counters::read(quiet, ply)? })
    }
}

fn widths(size: Size) -> Vec<u8> {
    vec![size.width(); size.width().into()]
}

/// The square in this row, counted from the top, and column.
fn cell_at(size: Size, row: u8, column: u8) -> Cell {
    Cell::new(column, size.width() - 1 - row).expect("no board is larger than the grid")
}

fn read_board(text: &str) -> Result<Board, FenError> {
    let n_ranks = text.split('/').count();
    let size = Size::from_width(n_ranks)
        .ok_or_else(|| FenError::new("board", wrong_ranks(n_ranks, "5, 7, 9 or 11")))?;
    let mut pieces = [Squares::EMPTY; 2];
    let mut has_tower = false;
    board(text, &widths(size), |row, column, sign| {
        let cell = cell_at(size, row, column);
        let is_centre = cell == size.tower();
        match sign {
            TOWER_SIGN if is_centre => has_tower = true,
            TOWER_SIGN => return Err(FenError::new("board", "a Tower stands beside the centre square")),
            // Then the centre has no Tower, which is reported below.
            WHITE_SIGN | BLACK_SIGN if is_centre => {}
            WHITE_SIGN => pieces[Side::White.index()] |= Squares::of(cell),
            BLACK_SIGN => pieces[Side::Black.index()] |= Squares::of(cell),
            _ => return Err(unknown_sign(sign)),
        }
        Ok(())
    })?;
    if !has_tower {
        return Err(FenError::new("board", "there is no Tower on the centre square"));
    }
    if pieces == [Squares::EMPTY; 2] {
        return Err(FenError::new("board", "there are no pieces"));
    }
    Ok(Board::new(size, pieces))
}

/// The hands, if there are at most two pieces for each file, including those on the board.
fn checked_hands(board: &Board, hands: [u32; 2]) -> Result<[u8; 2], FenError> {
    let n_pieces = board.occupied().len() + hands[0] + hands[1];
    let n_most = 2 * u32::from(board.size().width());
    if n_pieces > n_most {
        let reason = format!("{n_pieces} pieces including those in hand, but at most {n_most} are possible");
        return Err(FenError::new("board", reason));
    }
    Ok(hands.map(|hand| hand as u8))
}

/// Reads `<next>`, and rejects hands that contradict `<side>`: see the table of section FEN fields.
fn read_next(text: &str, side: Side, hands: [u8; 2]) -> Result<Side, FenError> {
    let next = Side::from_letter(text)
        .ok_or_else(|| FenError::new("next", format!("`{}` is not `w` or `b`", shown(text))))?;
    let own = hands[side.index()];
    let others = hands[(!side).index()];
    match (own, others) {
        (0, 1..) => Err(FenError::new("side", "only the other side has pieces to place")),
        (0, 0) if next != side => {
            Err(FenError::new("next", "no pieces are in hand, so `next` must be the side to move"))
        }
        (1.., 1..) if next == side => Err(FenError::new(
            "next",
            "both sides have pieces in hand, so `next` must be the side not to move",
        )),
        _ => Ok(next),
    }
}

fn read_ban(text: &str, board: &Board, side: Side, hands: [u8; 2]) -> Result<Option<Step>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let refused = |why: &str| Err(FenError::new("ban", format!("`{}` {why}", shown(text))));
    if hands != [0, 0] {
        return refused("is set, but there are pieces to place");
    }
    let Some(ban) = Step::from_text(text, board.size()) else {
        return refused("is neither `-` nor a step on this board");
    };
    if !board.has_this_step(side, ban) {
        return refused("is not a step that the side could make");
    }
    if !could_have_come_about(ban, board, side) {
        return refused("does not undo a possible last step of the other side");
    }
    Ok(Some(ban))
}

/// Whether a step of the other side, after `side` has made the step `ban`, leads back to `board` and forbids `ban`.
fn could_have_come_about(ban: Step, board: &Board, side: Side) -> bool {
    let mut before = board.clone();
    before.step(side, ban);
    before.steps(!side).any(|step| {
        let mut after = before.clone();
        let effect = after.step(!side, step);
        effect.ban == Some(ban) && after == *board
    })
}
