//! Tower Push: the position and the rules of the page below. No heuristics; repetition belongs to [`crate::Play`].
//!
//! ---
#![cfg_attr(all(doc, not(doctest)), doc = include_str!("rules.md"))]

mod board;
mod fen;
mod moves;
mod scene;
mod size;
mod squares;

use crate::bits::{keys, mix64};
use crate::{Counters, End, GameInfo, Position, Side, Start};

pub use crate::Direction;
pub use moves::{Move, Step};
pub use size::Size;
pub use squares::{Cell, Squares};

use board::Board;

/// A position of Tower Push.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TowerPush {
    board: Board,
    side: Side,
    /// The side that makes the next step, after all pieces in hand are placed. The opponent made the latest step.
    next: Side,
    hands: [u8; 2],
    ban: Option<Step>,
    counters: Counters,
}

impl TowerPush {
    /// The size of the board, with the Tower's square and the patterns around it.
    pub const fn size(&self) -> Size {
        self.board.size()
    }

    /// The squares on which a side's pieces stand.
    pub const fn pieces(&self, side: Side) -> Squares {
        self.board.pieces(side)
    }

    /// The squares with neither a piece nor the Tower.
    pub fn empty(&self) -> Squares {
        self.board.empty()
    }

    /// The number of pieces that a side has to place.
    pub const fn in_hand(&self, side: Side) -> u8 {
        self.hands[side.index()]
    }

    /// The side that makes the next step or pass, after all pieces in hand are placed.
    pub const fn next_to_step(&self) -> Side {
        self.next
    }

    /// The step that the repetition rule forbids to the side to move.
    pub const fn ban(&self) -> Option<Step> {
        self.ban
    }

    /// The number of steps of a side's pieces on the current board, whichever side is to move; without a ban.
    pub fn n_steps(&self, side: Side) -> u32 {
        self.board.n_steps(side)
    }

    /// The reason for which `player` has won, if there is one (section End of the game).
    fn fulfilled(&self, player: Side) -> Option<&'static str> {
        let own = self.pieces(player);
        if self.size().patterns().into_iter().any(|pattern| own.contains_all(pattern)) {
            return Some("surround");
        }
        self.pieces(!player).is_empty().then_some("elimination")
    }
}

impl Position for TowerPush {
    type Move = Move;

    const INFO: &'static GameInfo = &GameInfo {
        id: "tower-push",
        name: "Tower Push",
        rules: include_str!("rules.md"),
        how_to_play: include_str!("how-to-play.md"),
        starts: &[
            Start::fixed("7x7", "xxxxxxx/7/7/3T3/7/7/XXXXXXX w 0 0 w - 0 0"),
            Start::fixed("5x5", "xxxxx/5/2T2/5/XXXXX w 0 0 w - 0 0"),
            Start::fixed("9x9", "xxxxxxxxx/9/9/9/4T4/9/9/9/XXXXXXXXX w 0 0 w - 0 0"),
            Start::fixed("11x11", "xxxxxxxxxxx/11/11/11/11/5T5/11/11/11/11/XXXXXXXXXXX w 0 0 w - 0 0"),
        ],
        quiet_limit: 200,
        typical_plies: 48,
        reasons: &["surround", "elimination"],
        kinds: &scene::KINDS,
    };

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        self.push_legal_moves(moves);
    }

    fn play_unchecked(&mut self, mv: Move) {
        self.play_legal(mv);
    }

    fn end(&self) -> Option<End> {
        // The side that made the latest step comes first.
        [!self.next, self.next]
            .into_iter()
            .find_map(|player| self.fulfilled(player).map(|reason| End::win(player, reason)))
    }

    #[inline]
    fn counters(&self) -> Counters {
        self.counters
    }

    fn repeats(&self, other: &Self) -> bool {
        self.board == other.board
            && self.side == other.side
            && self.next == other.next
            && self.hands == other.hands
            && self.ban == other.ban
    }

    fn fingerprint(&self) -> u64 {
        let [white, black] = Side::ALL.map(|side| self.pieces(side).bits());
        let ban = self.ban.map_or([u8::MAX; 2], |step| [step.from, step.to].map(|cell| cell.index() as u8));
        let rest = u64::from_le_bytes([
            self.size().width(),
            self.side as u8,
            self.next as u8,
            self.hands[0],
            self.hands[1],
            ban[0],
            ban[1],
            0,
        ]);
        let words = [white as u64, (white >> 64) as u64, black as u64, (black >> 64) as u64, rest];
        words.into_iter().zip(KEYS).fold(0, |hash, (word, key)| hash.wrapping_add(mix64(word ^ key)))
    }

    fn parse_move(&self, text: &str) -> Option<Move> {
        Move::from_text(text, self.size()).filter(|&mv| self.is_legal(mv))
    }
}

/// One key for each word of the fingerprint, so that equal words in different places give different results.
const KEYS: [u64; 5] = keys();
