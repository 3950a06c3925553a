//! The drawing of a position.

use super::terrain::HIGHEST;
use super::{Kind, Move, Push, Size};
use crate::bitboard::Cell;
use crate::scene::{Guide, Layout, Mark, Meaning, Note, Piece, PieceKind, Remark, Scene, Shift};
use crate::{Drawn, End, Position, Side, Square};

/// In the order of [`super::Kind::ALL`].
pub(super) static KINDS: [PieceKind; 5] = [
    PieceKind::new("king", 'K', ['♔', '♚']).moving("steps one square, or pushes a piece beside it"),
    PieceKind::new("rook", 'R', ['♖', '♜'])
        .moving("goes along straight lines, or pushes the first piece on one; it stops after a step up"),
    PieceKind::new("knight", 'N', ['♘', '♞'])
        .moving("jumps as in chess, or pushes a piece there in any direction"),
    PieceKind::new("bishop", 'B', ['♗', '♝'])
        .moving("goes along diagonals, or pushes the first piece on one; it stops after a step up"),
    PieceKind::new("pawn", 'P', ['♙', '♟'])
        .moving("steps one square in any direction, or pushes a piece beside it"),
];

static GUIDE: Guide = Guide {
    marks: &[
        (Mark::Move, "can go there"),
        (Mark::Push, "pushes the piece there one square away, and stays itself"),
        (Mark::Capture, "kills a piece of the opponent"),
        (Mark::Own, "kills a piece of your own"),
        (Mark::Lose, "loses the match"),
    ],
    notation: &[
        ("a3c3", "a piece goes from a3 to c3"),
        (
            "a2xb3",
            "x is a push, not a capture: the piece on a2 pushes the one on b3 away from itself, and stays on a2",
        ),
        (
            "b2xc4:n",
            "the knight on b2 pushes the piece on c4 towards rank 8; n, e, s and w are up, right, down and left as White sees the board",
        ),
        ("a3a4!", "a piece steps off a cliff and dies"),
    ],
    states: &["stunned"],
    ..*Guide::PLAIN
};

/// On the large board and on the small one.
static LEGENDS: [[&str; 4]; 2] = [
    [
        "White wins by standing on h8 for a whole turn of Black, Black on a1 for one of White; knights do not count",
        KILLED,
        HEIGHTS,
        STUNNED,
    ],
    [
        "White wins by standing on f6 for a whole turn of Black, Black on a1 for one of White; knights do not count",
        KILLED,
        HEIGHTS,
        STUNNED,
    ],
];
const KILLED: &str =
    "pieces die if they are pushed off the board or off a cliff; a side without its king has lost";
const HEIGHTS: &str =
    "heights are cubes: a step up or down by 1 is possible, one by 2 is a cliff, which only knights cross";
const STUNNED: &str = "a pushed piece is stunned: it cannot move in the next turn of its side";

impl Drawn for Push {
    fn layout(&self) -> Layout {
        let terrain = self.terrain();
        let size = terrain.size();
        let mut layout = Layout::rectangle(size.n(), size.n());
        for ground in &mut layout.grounds {
            let Square { file, rank } = ground.square;
            let cell = size.cell(file, rank).expect("the layout's squares are the board's");
            ground.height = terrain.height(cell);
            // Each side wants to hold the other's goal tile.
            ground.is_goal_of = Side::ALL.map(|side| self.goal(!side) == cell);
        }
        layout.highest = HIGHEST;
        layout.legend = &LEGENDS[usize::from(size == Size::Six)];
        layout.guide = &GUIDE;
        layout
    }

    fn scene(&self) -> Scene {
        let pieces = Cell::all_of(self.occupied())
            .filter_map(|cell| {
                let (side, kind) = self.piece_at(cell)?;
                let state = cell.is_on(self.stunned()).then_some("stunned");
                Some(Piece { state, ..Piece::new(cell.into(), Some(side), &KINDS[kind as usize]) })
            })
            .collect();
        let mut notes = Vec::new();
        for (side, name) in Side::ALL.into_iter().filter_map(|side| Some((side, self.holder(side)?))) {
            let (corner, other) = (self.goal(!side), !side);
            let words = format!("{side}, if the {name} is still on {corner} after {other}'s next move");
            notes.push(Note::new("about to win", words));
        }
        if 0 < self.passes() {
            notes.push(Note::new("passes in a row", self.passes().to_string()));
        }
        Scene { pieces, notes, ..Scene::empty(self) }
    }

    fn meaning(&self, mv: Move, reader: Side) -> Option<Meaning> {
        let mover = self.side_to_move();
        let (target, direction) = match mv {
            Move::Walk { from, to } if to == self.goal(!mover) && !from.is_on(self.kind(Kind::Knight)) => {
                let words = format!(
                    "takes the corner: {} if it is still there after {} next move",
                    mover.does("win", reader),
                    (!mover).whose(reader)
                );
                return Some(Meaning::new(Mark::Move, words));
            }
            Move::Walk { .. } | Move::Pass => return None,
            Move::Suicide { from, .. } => {
                let words = format!("kills {} itself: it falls off the cliff", self.named(from, reader));
                return Some(Meaning::new(Mark::Own, words));
            }
            Move::Push { pusher, target } => (target, pusher.direction_to(target)),
            Move::KnightPush { target, direction, .. } => (target, direction),
        };
        let mut after = self.clone();
        after.play_unchecked(mv);
        let [own, other] =
            [mover, !mover].map(|side| self.pieces(side).count_ones() - after.pieces(side).count_ones());
        let mark = match (own, other) {
            (0, 0) => Mark::Push,
            (_, 0) => Mark::Own,
            _ => Mark::Capture,
        };
        let arrow = direction.arrow();
        let piece = self.named(target, reader);
        let to = Cell::first_of(direction.shift(target.board()) & self.terrain().board());
        let words = match (to, own + other) {
            (None, _) => format!("kills {piece} on {target}, pushed {arrow} off the board"),
            (Some(to), 2) => {
                format!(
                    "kills {piece} on {target} and {} on {to}: pushed {arrow} off the cliff",
                    self.named(to, reader)
                )
            }
            (Some(_), 1) => format!("kills {piece} on {target}, pushed {arrow} off the cliff"),
            (Some(to), _) => format!("pushes {piece} {arrow} to {to}"),
        };
        Some(Meaning::new(mark, words))
    }

    fn shifts(&self, mv: Move) -> Vec<Shift> {
        let (target, direction) = match mv {
            Move::Walk { .. } | Move::Pass => return Vec::new(),
            // It falls onto the square that the move names.
            Move::Suicide { to, .. } => return vec![Shift::gone(to.into())],
            Move::Push { pusher, target } => (target, pusher.direction_to(target)),
            Move::KnightPush { target, direction, .. } => (target, direction),
        };
        let mut after = self.clone();
        after.play_unchecked(mv);
        let to = Cell::first_of(direction.shift(target.board()) & self.terrain().board());
        let is_gone = to.is_none_or(|to| !to.is_on(after.occupied()));
        let below = to.filter(|to| is_gone && to.is_on(self.occupied()));
        let pushed = Shift::step(target.into(), direction, is_gone);
        [Some(pushed), below.map(|below| Shift::gone(below.into()))].into_iter().flatten().collect()
    }

    fn remarks(&self) -> Vec<Remark> {
        let stunned = Cell::all_of(self.stunned());
        stunned
            .map(|cell| Remark::new(cell.into(), "stunned by a push: it cannot move in this turn"))
            .collect()
    }

    fn winning_squares(&self) -> Vec<Square> {
        match self.end() {
            Some(End { winner: Some(winner), reason: "goal" }) => vec![self.goal(!winner).into()],
            _ => Vec::new(),
        }
    }
}

impl Push {
    /// The name of the piece with which a side stands on the corner that it wants to hold, while the match goes on.
    fn holder(&self, side: Side) -> Option<&'static str> {
        let (owner, kind) = self.piece_at(self.goal(!side))?;
        let counts = owner == side && kind != Kind::Knight && self.end().is_none();
        counts.then_some(KINDS[kind as usize].name)
    }

    /// A piece in a sentence: `your rook`, `Black's king`.
    fn named(&self, cell: Cell, reader: Side) -> String {
        match self.piece_at(cell) {
            Some((side, kind)) => format!("{} {}", side.whose(reader), KINDS[kind as usize].name),
            None => "a piece".to_owned(),
        }
    }
}
