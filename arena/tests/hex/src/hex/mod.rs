//! Hex: the rules, and nothing but the rules. [`Hex`] is the position.

mod scene;

use std::fmt;
use std::str::FromStr;

use engine_proto::bits::{bits64, mix64};
use engine_proto::fen::{board, fields, side, unknown_sign, write_board};
use engine_proto::{Counters, End, FenError, GameInfo, Position, Searchable, Side, Square, Start};

/// Files and ranks.
const SIZE: u8 = 3;
const ALL_CELLS: u16 = 0b111_111_111;

/// A position of Hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hex {
    /// The stones of each side, a bit for each [`Cell`].
    stones: [u16; 2],
    side: Side,
    counters: Counters,
}

/// A cell of the board, and the move that places a stone there: 0 for `a1`, 1 for `b1`, 3 for `a2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Cell {
    /// Its place on the board.
    pub const fn square(self) -> Square {
        Square { file: self.0 % SIZE, rank: self.0 / SIZE }
    }

    const fn at(file: u8, rank: u8) -> Self {
        Self(rank * SIZE + file)
    }

    const fn bit(self) -> u16 {
        1 << self.0
    }

    fn neighbours(self) -> impl Iterator<Item = Self> {
        const WAYS: [(i8, i8); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)];
        let Square { file, rank } = self.square();
        WAYS.into_iter().filter_map(move |(files, ranks)| {
            let on_board = |place: &u8| *place < SIZE;
            let file = file.checked_add_signed(files).filter(on_board)?;
            let rank = rank.checked_add_signed(ranks).filter(on_board)?;
            Some(Self::at(file, rank))
        })
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.square().fmt(f)
    }
}

impl Hex {
    /// The cells with a stone of `side`.
    pub fn cells(&self, side: Side) -> impl Iterator<Item = Cell> {
        cells(self.stones[side.index()])
    }

    fn empty(&self) -> u16 {
        ALL_CELLS & !(self.stones[0] | self.stones[1])
    }

    /// Whether the stones of `side` connect its two edges.
    fn connects(&self, side: Side) -> bool {
        let stones = self.stones[side.index()];
        let [from, to]: [u16; 2] = match side {
            Side::White => [0b000_000_111, 0b111_000_000],
            Side::Black => [0b001_001_001, 0b100_100_100],
        };
        let mut reached = stones & from;
        loop {
            let next =
                cells(reached).flat_map(Cell::neighbours).map(Cell::bit).fold(reached, |all, bit| all | bit);
            if next & stones == reached {
                return reached & to != 0;
            }
            reached = next & stones;
        }
    }
}

fn cells(set: u16) -> impl Iterator<Item = Cell> {
    bits64(set.into()).map(Cell)
}

impl Position for Hex {
    type Move = Cell;

    const INFO: &'static GameInfo = &GameInfo {
        id: "hex",
        name: "Hex",
        rules: include_str!("rules.md"),
        how_to_play: "",
        starts: &[Start::fixed("3x3", "3/3/3 w 0 0")],
        quiet_limit: 9,
        typical_plies: 6,
        reasons: &["connection"],
        kinds: &scene::KINDS,
    };

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Cell>) {
        if self.end().is_none() {
            moves.extend(cells(self.empty()));
        }
    }

    fn play_unchecked(&mut self, mv: Cell) {
        self.stones[self.side.index()] |= mv.bit();
        self.side = !self.side;
        // Every move is progress.
        self.counters.count(true);
    }

    fn end(&self) -> Option<End> {
        Side::ALL.into_iter().find(|&side| self.connects(side)).map(|side| End::win(side, "connection"))
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn repeats(&self, other: &Self) -> bool {
        (self.stones, self.side) == (other.stones, other.side)
    }

    fn fingerprint(&self) -> u64 {
        let [white, black] = self.stones.map(u64::from);
        mix64(white | black << 16 | (self.side.index() as u64) << 32)
    }
}

impl Searchable for Hex {
    fn count_legal_moves(&self) -> usize {
        if self.end().is_some() { 0 } else { self.empty().count_ones() as usize }
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, &[SIZE; SIZE as usize], |row, column| {
            let bit = Cell::at(column, SIZE - 1 - row).bit();
            let owner = Side::ALL.into_iter().find(|side| self.stones[side.index()] & bit != 0);
            owner.map(|side| scene::KINDS[0].fen_sign(Some(side)))
        })?;
        write!(f, " {} {}", self.side.letter(), self.counters)
    }
}

impl FromStr for Hex {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let [squares, mover, quiet, ply] = fields::<4>(text)?;
        let mut stones = [0_u16; 2];
        board(squares, &[SIZE; SIZE as usize], |row, column, sign| {
            let is_stone = |side: &Side| scene::KINDS[0].fen_sign(Some(*side)) == sign;
            let owner = Side::ALL.into_iter().find(is_stone).ok_or_else(|| unknown_sign(sign))?;
            stones[owner.index()] |= Cell::at(column, SIZE - 1 - row).bit();
            Ok(())
        })?;
        let [white, black] = stones.map(u16::count_ones);
        let side = side(mover)?;
        let expected = if side == Side::White { black } else { black + 1 };
        if white != expected {
            return Err(FenError::new(
                "board",
                format!("{white} white and {black} black stones with {side} to move"),
            ));
        }
        let position = Self { stones, side, counters: Counters::read(quiet, ply)? };
        if Side::ALL.into_iter().all(|side| position.connects(side)) {
            return Err(FenError::new("board", "both sides are connected"));
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Every position that play can reach: text goes there and back, and there is always a winner in the end.
    #[test]
    fn all_positions() {
        let mut seen = HashSet::new();
        let mut open = vec![Hex::startpos()];
        let mut moves = Vec::new();
        let mut n_won = [0; 2];
        while let Some(position) = open.pop() {
            let fen = position.to_string();
            assert_eq!(fen.parse().as_ref(), Ok(&position));
            moves.clear();
            position.legal_moves(&mut moves);
            assert_eq!(moves.is_empty(), position.end().is_some(), "{fen}");
            assert_eq!(moves.len(), position.count_legal_moves(), "{fen}");
            if let Some(winner) = position.end().and_then(|end| end.winner) {
                n_won[winner.index()] += 1;
            }
            for &mv in &moves {
                let mut next = position.clone();
                next.play_unchecked(mv);
                if seen.insert(next.fingerprint()) {
                    open.push(next);
                }
            }
        }
        let [white, black] = n_won;
        assert!(0 < black && black < white, "{n_won:?} of {}", seen.len());
    }

    #[test]
    fn bad_fens_name_the_field() {
        for (text, field) in [
            ("3/3/3 w 0", "fen"),
            ("3/3/4 w 0 0", "board"),
            ("3/3/2x w 0 0", "board"),
            ("3/3/2S w 0 1", "board"),
            ("3/3/3 w 01 0", "quiet"),
            ("3/3/3 w 0 01", "ply"),
        ] {
            assert_eq!(text.parse::<Hex>().unwrap_err().field, field, "{text}");
        }
    }
}
