//! The text form: see the section FEN fields.

use std::fmt;
use std::str::FromStr;

use super::TowerOfPower;
use super::pile::Pile;
use crate::Side;
use crate::bitboard::Cell;
use crate::fen::{self, Counters, FenError, Item};

const WIDTHS: [u8; 8] = [8; 8];

impl FromStr for TowerOfPower {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [board, side, quiet, ply] = fen::fields(text)?;
        let mut position = read_board(board)?;
        position.side = fen::side(side)?;
        position.counters = Counters::read(quiet, ply)?;
        if position.owned(!position.side) == 0 {
            return Err(FenError::new("board", "the side that is not to move has no stack or stone"));
        }
        Ok(position)
    }
}

/// Only the board; White to move, counters at 0.
fn read_board(text: &str) -> Result<TowerOfPower, FenError> {
    let n_ranks = text.split('/').count();
    if n_ranks != WIDTHS.len() {
        return Err(FenError::new("board", fen::wrong_ranks(n_ranks, WIDTHS.len())));
    }
    let mut position = TowerOfPower::EMPTY;
    for (rank, text) in (0..8).rev().zip(text.split('/')) {
        read_rank(&mut position, rank, text)?;
    }
    Ok(position)
}

fn read_rank(position: &mut TowerOfPower, rank: u8, text: &str) -> Result<(), FenError> {
    let too_wide = || FenError::new("board", format!("rank `{}` has more than 8 squares", fen::shown(text)));
    let mut file = 0_u8;
    let mut items = fen::rank_items(text)?.into_iter();
    while let Some(item) = items.next() {
        if let Item::Empty(run) = item {
            // A run has at most two digits, and the file is at most 8.
            file += run;
            if file > 8 {
                return Err(too_wide());
            }
            continue;
        }
        let cell = Cell::new(file, rank).ok_or_else(too_wide)?;
        match item {
            Item::Sign('(') => read_tower(position, cell, &mut items)?,
            other => add(position, cell, stone(other)?)?,
        }
        file += 1;
    }
    if file != 8 {
        let reason = format!("rank `{}` has {file} squares instead of 8", fen::shown(text));
        return Err(FenError::new("board", reason));
    }
    Ok(())
}

/// Reads a tower from after its opening bracket to its closing one.
fn read_tower(
    position: &mut TowerOfPower,
    cell: Cell,
    items: &mut impl Iterator<Item = Item>,
) -> Result<(), FenError> {
    loop {
        match items.next() {
            None => return Err(FenError::new("board", "a stack without its closing bracket")),
            Some(Item::Sign(')')) if position.height(cell) < 2 => {
                return Err(FenError::new("board", "a stack in brackets of fewer than two stones"));
            }
            Some(Item::Sign(')')) => return Ok(()),
            Some(item) => add(position, cell, stone(item)?)?,
        }
    }
}

fn stone(item: Item) -> Result<Side, FenError> {
    match item {
        Item::Sign('S') => Ok(Side::White),
        Item::Sign('s') => Ok(Side::Black),
        Item::Sign(sign) => Err(fen::unknown_sign(sign)),
        Item::Empty(_) => Err(FenError::new("board", "a number in a stack")),
    }
}

/// Adds a stone on top of a square.
fn add(position: &mut TowerOfPower, cell: Cell, stone: Side) -> Result<(), FenError> {
    if position.stones(stone) == TowerOfPower::STONES {
        return Err(FenError::new("board", format!("{stone} has more than {} stones", TowerOfPower::STONES)));
    }
    position.stones[stone.index()] += 1;
    if let Some(owner) = position.owner(cell) {
        position.owned[owner.index()] ^= cell.board();
        position.bury(cell, position.buried(cell).push(owner));
    }
    position.owned[stone.index()] |= cell.board();
    Ok(())
}

impl fmt::Display for TowerOfPower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fen::write_board(f, &WIDTHS, |row, file| {
            let cell = Cell::new(file, 7 - row)?;
            Some(Stack { buried: self.buried(cell), top: self.owner(cell)? })
        })?;
        write!(f, " {} {}", self.side.letter(), self.counters)
    }
}

/// A stack in the text form.
struct Stack {
    buried: Pile,
    top: Side,
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        let letter = |side| if side == Side::White { 'S' } else { 's' };
        if self.buried == Pile::EMPTY {
            return f.write_char(letter(self.top));
        }
        f.write_char('(')?;
        self.buried.stones().try_for_each(|stone| f.write_char(letter(stone)))?;
        f.write_char(letter(self.top))?;
        f.write_char(')')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> &'static str {
        text.parse::<TowerOfPower>().expect_err(text).field
    }

    #[test]
    fn the_first_field_at_fault_is_named() {
        assert_eq!(refused("x w 00 00"), "board");
        assert_eq!(refused("S7/8/8/8/8/8/8/s7 x 00 00"), "side");
        assert_eq!(refused("S7/8/8/8/8/8/8/s7 w 00 00"), "quiet");
        assert_eq!(refused("8/8/8/8/8/8/8/8 w 0 00"), "ply");
    }

    #[test]
    fn brackets_hold_one_stack_of_one_square() {
        for rank in [
            "(sS))7", "((sS))7", "((sS)S)7", "(sS/S)7", ")sS(7", "7(sS", "7(", "8(", "(", ")", "8(sS)",
            "(1)8",
        ] {
            assert_eq!(refused(&format!("{rank}/8/8/8/8/8/8/SSSs4 w 0 0")), "board", "{rank}");
        }
    }

    #[test]
    fn endless_texts_are_refused() {
        for stones in ["S".repeat(100_000), "(".repeat(100_000), "9".repeat(100_000), "/".repeat(100_000)] {
            assert_eq!(refused(&format!("({stones})7/8/8/8/8/8/8/s7 w 0 0")), "board");
            assert_eq!(refused(&format!("{stones}/8/8/8/8/8/8/s7 w 0 0")), "board");
        }
    }

    #[test]
    fn all_stones_may_stand_in_one_tower() {
        let text = format!("8/8/8/8/8/8/8/({}{})7 b 0 0", "s".repeat(15), "S".repeat(15));
        let position: TowerOfPower = text.parse().unwrap();
        assert_eq!(position.to_string(), text);
        assert_eq!(position.height(Cell::new(0, 0).unwrap()), 30);
    }
}
