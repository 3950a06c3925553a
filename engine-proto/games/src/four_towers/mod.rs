//! Four Towers (Jim Aikin, 2001): chess on 85 squares with four towers that change what can be done around them.
//!
//! Only the rules: positions, legal moves, ends, text. The rules page follows. If the code differs from the page, the
//! code is wrong.
//!
//! - `cells`, `lines`: the squares; steps, lines and jumps between them, refracted or not.
//! - `pieces`, `board`, `en_passant`: the kinds, who stands where, and who may be captured en passant.
//! - `reach`, `links`, `check`: the squares that pieces reach, by themselves and by direct moves; attacks on the king.
//! - `moves`, `generate`, `rearranging`, `making`: moves and their spellings, legal moves, possible rearrangements,
//!   playing moves.
//! - `fen`: positions as texts.
//!
//! The tests compare these rules with a slow and obvious version in `tests/games/slow`.
//!
//! # The page
#![cfg_attr(all(doc, not(doctest)), doc = include_str!("rules.md"))]

mod board;
mod cells;
mod check;
mod en_passant;
mod fen;
mod generate;
mod lines;
mod links;
mod making;
mod moves;
mod pieces;
mod reach;
mod rearranging;
mod scene;

pub use board::Board;
pub use cells::{ALL_CELLS, ARENAS, Cell, N_CELLS, PROMOTION, TOUCHED_CELLS, TOWER_CELLS, TOWERS, cells};
pub use en_passant::{EnPassant, EnPassants};
pub use moves::{Move, Then, Travel, Way};
pub use pieces::{Kind, Piece, Powers};
pub use reach::{Ground, Reach};

use crate::bits::mix64;
use crate::{Counters, End, GameInfo, Position, Side, Start};

/// A position of Four Towers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FourTowers {
    board: Board,
    side: Side,
    en_passant: EnPassants,
    powers: [Powers; 2],
    returnable: Option<Captured>,
    turn: Turn,
    counters: Counters,
}

/// A piece of the side to move that was just captured on a tower and can be returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Captured {
    /// The kind.
    pub kind: Kind,
    /// The tower on which it was captured.
    pub tower: Cell,
}

/// The progress of the turn of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The turn starts.
    Begins,
    /// In the middle of a multi-piece move.
    MultiPiece(MultiPiece),
    /// In the middle of a rearrangement.
    Rearrangement {
        /// The squares of the pieces relocated so far, at least one, all in one arena.
        relocated: u128,
    },
}

/// The progress of a multi-piece move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MultiPiece {
    /// The arenas already used, one bit each; the lowest bit is arena 1.
    pub arenas: u16,
    /// Whether a piece other than a pawn or lancer has moved: `*`.
    pub officer_moved: bool,
    /// Whether the king of the side to move was left in check in this turn: `!`.
    pub left_in_check: bool,
}

impl FourTowers {
    /// The pieces on the board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The moves of two squares of the turn just ended; while a turn goes on, those of this turn.
    pub const fn en_passant(&self) -> EnPassants {
        self.en_passant
    }

    /// The moves of two squares that the side to move may answer en passant: none while its turn goes on.
    pub fn answerable(&self) -> EnPassants {
        if self.turn == Turn::Begins { self.en_passant } else { EnPassants::NONE }
    }

    /// The powers that the piece a side moved last lends to all dragons.
    pub const fn powers(&self, side: Side) -> Powers {
        self.powers[side.index()]
    }

    /// The powers of all dragons of both sides.
    pub const fn dragon_powers(&self) -> Powers {
        self.powers[0].and(self.powers[1])
    }

    /// The piece that the side to move can return.
    pub const fn returnable(&self) -> Option<Captured> {
        self.returnable
    }

    /// The progress of the turn.
    pub const fn turn(&self) -> Turn {
        self.turn
    }

    /// Whether the king of `side` is in check.
    pub fn in_check(&self, side: Side) -> bool {
        check::in_check(self, side)
    }

    /// The reach of the piece on a square, with the current effects and powers; `None` if the square is empty.
    pub fn reach(&self, cell: Cell) -> Option<Reach> {
        let Piece { side, kind } = self.board.get(cell)?;
        Some(self.ground().reach(side, kind, cell))
    }

    /// What decides on the reach of all pieces, by the effects and powers in force: for those who ask for many.
    pub fn ground(&self) -> Ground {
        Ground::new(self)
    }

    /// Whether only the kings are left and no piece can be returned.
    fn has_bare_kings(&self) -> bool {
        let occupied = self.board.occupied();
        let kings = self.board.all(Kind::King);
        occupied == kings && self.returnable.is_none() && self.turn == Turn::Begins
    }

    /// All but board, counters, `<ep>` and what a rearrangement has relocated, in one word.
    fn state_word(&self) -> u64 {
        let returnable = self.returnable.map_or(0, |captured| captured.kind.code().into());
        let tower = self.returnable.map_or(0, |captured| captured.tower.index() as u64);
        let turn = match self.turn {
            Turn::Begins => 0,
            Turn::MultiPiece(turn) => {
                u64::from(turn.arenas) << 2
                    | u64::from(turn.officer_moved) << 1
                    | u64::from(turn.left_in_check)
            }
            Turn::Rearrangement { .. } => 1,
        };
        let powers = u64::from(self.powers[0].bits()) << 4 | u64::from(self.powers[1].bits());
        (self.side.index() as u64) | powers << 1 | returnable << 9 | tower << 13 | turn << 20
    }
}

const CHECKMATE: &str = "checkmate";
const BARE_KINGS: &str = "bare-kings";
const STALEMATE: &str = "stalemate";

impl Position for FourTowers {
    type Move = Move;

    const INFO: &'static GameInfo = &GameInfo {
        id: "four-towers",
        name: "Four Towers",
        rules: include_str!("rules.md"),
        how_to_play: include_str!("how-to-play.md"),
        starts: &[Start::fixed(
            "default",
            "dmk/rnbdcq/ppppppbnr/6pppp/10/9/10/PPPP6/RNBPPPPPP/QCDBNR/KMD w - - - - - 0 0",
        )],
        quiet_limit: 100,
        typical_plies: 49,
        reasons: &[CHECKMATE, BARE_KINGS, STALEMATE],
        kinds: &scene::KINDS,
    };

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        // A list takes all there are.
        let _ = generate::generate(self, moves);
    }

    fn play_unchecked(&mut self, mv: Move) {
        self.make(mv);
    }

    fn end(&self) -> Option<End> {
        if self.turn != Turn::Begins || generate::is_any_legal(self) {
            return None;
        }
        // The page checks for checkmate first, but a bare king cannot give mate: see the tests.
        Some(if self.has_bare_kings() {
            End::draw(BARE_KINGS)
        } else if self.in_check(self.side) {
            End::win(!self.side, CHECKMATE)
        } else {
            End::draw(STALEMATE)
        })
    }

    #[inline]
    fn counters(&self) -> Counters {
        self.counters
    }

    fn repeats(&self, other: &Self) -> bool {
        Self { counters: other.counters, ..*self } == *other
    }

    fn fingerprint(&self) -> u64 {
        // Every word is mixed by itself, so that the processor can work on all of them at once.
        let marked = match self.turn {
            Turn::Rearrangement { relocated } => relocated,
            // A rearrangement leaves no pairs, so there is room for them.
            _ => self.en_passant.word().into(),
        };
        let rest = [self.state_word(), marked as u64, (marked >> 64) as u64];
        let words = self.board.words().into_iter().chain(rest);
        words.zip(0..).fold(0, |hash, (word, nth)| hash ^ mix64(word ^ mix64(nth)))
    }

    fn parse_move(&self, text: &str) -> Option<Move> {
        let wanted = Move::read(text)?;
        let mut moves = Vec::with_capacity(256);
        self.legal_moves(&mut moves);
        moves.into_iter().find(|mv| mv.is_spelled_like(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page checks for checkmate before bare kings; but a bare king, even one on a tower, cannot give mate.
    #[test]
    fn bare_kings_are_always_a_draw() {
        let bare: FourTowers = "K1k/6/9/10/10/9/10/10/9/6/3 w - - - - - 0 0".parse().expect("two kings");
        let mut n_checks = 0;
        for king in cells(ALL_CELLS) {
            for other in cells(ALL_CELLS & !king.bit()) {
                let mut position = FourTowers { board: Board::default(), ..bare };
                position.board.toggle(Piece { side: Side::White, kind: Kind::King }, king);
                position.board.toggle(Piece { side: Side::Black, kind: Kind::King }, other);
                if position.in_check(Side::Black) || !position.in_check(Side::White) {
                    continue;
                }
                n_checks += 1;
                let has_refuge = cells(ALL_CELLS & !other.bit()).any(|to| {
                    let mut after = position;
                    after.board.toggle(Piece { side: Side::White, kind: Kind::King }, king);
                    after.board.toggle(Piece { side: Side::White, kind: Kind::King }, to);
                    position.reach(king).expect("the king").moves & to.bit() != 0
                        && !after.in_check(Side::White)
                });
                assert!(has_refuge, "{position}");
                assert_eq!(position.end(), Some(End::draw(BARE_KINGS)));
            }
        }
        assert!(n_checks > 40, "{n_checks}");
    }

    #[test]
    fn moves_into_check_are_those_that_only_the_king_forbids() {
        let position: FourTowers = "K1r/5k/9/10/10/9/10/10/9/6/3 w - - - - - 0 0".parse().expect("a FEN");
        let (found, mut legal) = (crate::Drawn::moves_into_check(&position), Vec::new());
        position.legal_moves(&mut legal);
        assert!(found.iter().any(|mv| mv.to_string() == "c11d11"));
        for mv in found {
            let mut after = position;
            after.make(mv);
            assert!(after.in_check(Side::White) && !legal.contains(&mv), "{mv}");
        }
    }

    #[test]
    fn a_position_is_small() {
        assert!(size_of::<FourTowers>() <= 160, "{}", size_of::<FourTowers>());
        assert!(size_of::<Move>() <= 8, "{}", size_of::<Move>());
    }
}
