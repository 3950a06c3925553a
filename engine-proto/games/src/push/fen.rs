//! The text form of a position (section FEN fields): strict to read, canonical to write.

use std::fmt;
use std::str::FromStr;

use super::board::{Kind, Size};
use super::scene::KINDS;
use super::{Push, Terrain};
use crate::bitboard::Cell;
use crate::fen::{Counters, board, fields, shown, side, unknown_sign, write_board, wrong_ranks};
use crate::{FenError, Side, Square};

impl FromStr for Push {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [board, to_move, heights, stunned, passes, quiet, ply] = fields(text)?;
        let mut position = Self::empty(Terrain::flat(size_of(board)?));
        position.read_board(board)?;
        position.side = side(to_move)?;
        position.read_heights(heights)?;
        position.read_stunned(stunned)?;
        position.passes = read_passes(passes)?;
        position.counters = Counters::read(quiet, ply)?;
        Ok(position)
    }
}

impl fmt::Display for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.terrain().size();
        let n = size.n();
        write_board(f, widths(size), |row, column| self.letter_at(size.cell(column, n - 1 - row)?))?;
        write!(f, " {} ", self.side.letter())?;
        for rank in (0..n).rev() {
            for cell in (0..n).filter_map(|file| size.cell(file, rank)) {
                write!(f, "{}", self.terrain.height(cell))?;
            }
            f.write_str(if rank == 0 { " " } else { "/" })?;
        }
        self.write_stunned(f)?;
        write!(f, " {} {}", self.passes, self.counters)
    }
}

impl Push {
    fn read_board(&mut self, text: &str) -> Result<(), FenError> {
        let size = self.terrain.size();
        board(text, widths(size), |row, column, sign| {
            let (side, kind) = piece_named(sign).ok_or_else(|| unknown_sign(sign))?;
            let cell = size.cell(column, size.n() - 1 - row).expect("`board` keeps to the widths");
            self.sides[side.index()] |= cell.board();
            self.kinds[kind as usize] |= cell.board();
            if self.pieces_of(side, kind).count_ones() <= kind.most(size) {
                return Ok(());
            }
            let name = KINDS[kind as usize].name;
            let most = match kind.most(size) {
                1 => format!("one {name}"),
                most => format!("{most} {name}s"),
            };
            Err(FenError::new("board", format!("{side} may have only {most} (`{sign}`)")))
        })
    }

    fn read_heights(&mut self, text: &str) -> Result<(), FenError> {
        let size = self.terrain.size();
        let n = usize::from(size.n());
        let error = |reason: String| FenError::new("heights", reason);
        let n_ranks = text.split('/').count();
        if n_ranks != n {
            return Err(error(wrong_ranks(n_ranks, n)));
        }
        for (rank, digits) in (0..size.n()).rev().zip(text.split('/')) {
            if digits.chars().count() != n {
                return Err(error(format!("rank `{}` does not have exactly {n} digits", shown(digits))));
            }
            for (file, digit) in (0..size.n()).zip(digits.chars()) {
                let height = match digit {
                    '0' => 0,
                    '1' => 1,
                    '2' => 2,
                    _ => return Err(error(format!("`{}` is not a height", digit.escape_debug()))),
                };
                self.terrain.set(size.cell(file, rank).expect("a file and a rank below n"), height);
            }
        }
        Ok(())
    }

    fn read_stunned(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let error = |reason: String| Err(FenError::new("stunned", reason));
        let mut last: Option<Square> = None;
        for name in text.split(',') {
            let Ok(square) = name.parse::<Square>() else {
                return error(format!("`{}` is not a square", shown(name)));
            };
            let Some(cell) = self.terrain.size().cell(square.file, square.rank) else {
                return error(format!("{square} is off the board"));
            };
            // Squares compare by file, then rank, as their texts do, because ranks have one digit.
            if last.is_some_and(|last| square <= last) {
                return error(format!("{square} is not in ascending order"));
            }
            if !cell.is_on(self.occupied()) {
                return error(format!("{square} is empty"));
            }
            self.stunned |= cell.board();
            last = Some(square);
        }
        if self.stunned.count_ones() > 2 {
            return error("more than two squares".to_owned());
        }
        if (self.stunned & self.pieces(!self.side)).count_ones() > 1 {
            return error(format!("more than one piece of {}, the side not to move", !self.side));
        }
        Ok(())
    }

    fn write_stunned(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // At most two (see `read_stunned`), lowest rank first; in the text, files come first.
        let mut marks = Cell::all_of(self.stunned).map(Square::from);
        match (marks.next(), marks.next()) {
            (None, _) => f.write_str("-"),
            (Some(only), None) => write!(f, "{only}"),
            (Some(a), Some(b)) => write!(f, "{},{}", a.min(b), a.max(b)),
        }
    }

    fn letter_at(&self, cell: Cell) -> Option<char> {
        let (side, kind) = self.piece_at(cell)?;
        Some(match side {
            Side::White => kind.letter(),
            Side::Black => kind.letter().to_ascii_lowercase(),
        })
    }
}

/// The number of ranks determines the size.
fn size_of(board: &str) -> Result<Size, FenError> {
    match board.split('/').count() {
        6 => Ok(Size::Six),
        8 => Ok(Size::Eight),
        n_ranks => Err(FenError::new("board", wrong_ranks(n_ranks, "6 or 8"))),
    }
}

const fn widths(size: Size) -> &'static [u8] {
    match size {
        Size::Six => &[6; 6],
        Size::Eight => &[8; 8],
    }
}

fn piece_named(letter: char) -> Option<(Side, Kind)> {
    let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
    let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())?;
    Some((side, kind))
}

fn read_passes(text: &str) -> Result<u8, FenError> {
    match text {
        "0" => Ok(0),
        "1" => Ok(1),
        "2" => Ok(2),
        _ => Err(FenError::new("passes", format!("`{}` is not 0, 1 or 2", shown(text)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD_AND_SIDE: &str = "4rk/4pn/6/6/NP4/KR4 w";
    const FLAT: &str = "000000/000000/000000/000000/000000/000000";

    #[test]
    fn stun_marks_in_the_order_of_their_text() {
        for stunned in ["-", "a1", "a2,b1", "b2,e5", "b1,f5"] {
            let fen = format!("{BOARD_AND_SIDE} {FLAT} {stunned} 2 7 999999999");
            assert_eq!(fen.parse::<Push>().unwrap().to_string(), fen);
        }
        let both_black = format!("{BOARD_AND_SIDE} {FLAT} e5,f5 0 0 0").replace('w', "b");
        assert_eq!(both_black.parse::<Push>().unwrap().to_string(), both_black);
    }

    #[test]
    fn other_texts_are_refused() {
        for (field, text) in [
            ("fen", String::new()),
            ("fen", format!("{BOARD_AND_SIDE} {FLAT} - 0 0 0 ")),
            ("board", format!("8/8/8/8/8/8/8 w {FLAT} - 0 0 0")),
            ("board", format!("ÄÖ4/6/6/6/6/6 w {FLAT} - 0 0 0")),
            ("board", format!("PP4/6/6/6/6/6 w {FLAT} - 0 0 0")),
            ("board", format!("99999999999999999999/6/6/6/6/6 w {FLAT} - 0 0 0")),
            ("heights", format!("{BOARD_AND_SIDE} {FLAT}/000000 - 0 0 0")),
            ("heights", format!("{BOARD_AND_SIDE} 0000ö0/000000/000000/000000/000000/000000 - 0 0 0")),
            ("heights", format!("{BOARD_AND_SIDE} 0000000/00000/000000/000000/000000/000000 - 0 0 0")),
            ("stunned", format!("{BOARD_AND_SIDE} {FLAT} a2, 0 0 0")),
            ("stunned", format!("{BOARD_AND_SIDE} {FLAT} a2,- 0 0 0")),
            ("stunned", format!("{BOARD_AND_SIDE} {FLAT} a02 0 0 0")),
            ("stunned", format!("{BOARD_AND_SIDE} {FLAT} a10 0 0 0")),
            ("stunned", format!("{BOARD_AND_SIDE} {FLAT} g1 0 0 0")),
            ("stunned", format!("{BOARD_AND_SIDE} {FLAT} é 0 0 0")),
            ("passes", format!("{BOARD_AND_SIDE} {FLAT} - 00 0 0")),
            ("quiet", format!("{BOARD_AND_SIDE} {FLAT} - 0 1000000000 0")),
            ("ply", format!("{BOARD_AND_SIDE} {FLAT} - 0 0 99999999999999999999999")),
        ] {
            assert_eq!(text.parse::<Push>().unwrap_err().field, field, "{text}");
        }
    }
}
