//! The drawing of a position.

use super::moves::Step;
use super::squares::Cell;
use super::{Move, TowerPush};
use crate::scene::{GroundKind, Guide, Hand, Layout, Mark, Meaning, Note, Piece, PieceKind, Scene, Shift};
use crate::{Drawn, Position, Side, Square};

pub(super) static KINDS: [PieceKind; 1] = [PieceKind::blank("piece", 'X', ['○', '●'])
    .moving("steps to an empty square beside it, and pushes the opponent's pieces that it then touches")];

static GUIDE: Guide = Guide {
    marks: &[
        (Mark::Move, "can go there"),
        (Mark::Push, "goes there, and pushes"),
        (Mark::Capture, "pushes a piece of the opponent off the board: you place it as your own"),
        (Mark::Own, "pushes a piece of your own off the board"),
        (Mark::Lose, "loses the match"),
    ],
    notation: &[
        ("c1d2", "a piece steps from c1 to d2"),
        ("@c4", "a captured piece is placed on c4; nothing is pushed"),
        ("pass", "only for a side that cannot move"),
    ],
    goal: "square to hold",
    ..*Guide::PLAIN
};

impl Drawn for TowerPush {
    fn layout(&self) -> Layout {
        let size = self.size();
        let mut layout = Layout::rectangle(size.width(), size.width());
        for ground in &mut layout.grounds {
            let cell = size.cell(ground.square).expect("the layout's squares are the board's");
            if cell == size.tower() {
                ground.kind = GroundKind::Wall;
            }
            ground.is_goal_of = [size.patterns().into_iter().any(|pattern| pattern.contains(cell)); 2];
        }
        layout.legend = &[
            "to win, hold the four squares next to the Tower or the four at its corners, or leave the opponent without a piece",
            "pushed pieces go straight on and take others along; a push that would end on the Tower is cancelled",
        ];
        layout.guide = &GUIDE;
        layout
    }

    fn scene(&self) -> Scene {
        let mut pieces = Vec::new();
        for side in Side::ALL {
            let squares = self.pieces(side).cells().map(Cell::square);
            pieces.extend(squares.map(|square| Piece::new(square, Some(side), &KINDS[0])));
        }
        let hands = Side::ALL.map(|side| match self.in_hand(side) {
            0 => Vec::new(),
            count => vec![Hand { kind: &KINDS[0], count: count.into() }],
        });
        let mut notes = Vec::new();
        if hands.iter().any(|hand| !hand.is_empty()) && self.end().is_none() {
            notes.push(Note::new("after the placement", format!("{} moves", self.next_to_step())));
        }
        if let Some(ban) = self.ban().filter(|_| self.end().is_none()) {
            let (from, to) = (ban.from.square(), ban.to.square());
            notes.push(Note::new(
                "not allowed now",
                format!("{from}-{to}, because it would only undo the last push"),
            ));
        }
        Scene { pieces, hands, notes, ..Scene::empty(self) }
    }

    fn meaning(&self, mv: Move, reader: Side) -> Option<Meaning> {
        let shifts = self.shifts(mv);
        let mut words = Vec::new();
        let mut mark = Mark::Push;
        for side in [!self.side_to_move(), self.side_to_move()] {
            let (is_own, whose) = (side == self.side_to_move(), side.whose(reader));
            let of_side = |shift: &&Shift| {
                self.size().cell(shift.from).is_some_and(|cell| self.pieces(side).contains(cell))
            };
            let (gone, pushed): (Vec<_>, Vec<_>) =
                shifts.iter().filter(of_side).partition(|shift| shift.is_gone);
            let squares = |shifts: &[&Shift]| {
                shifts.iter().map(|shift| shift.from.to_string()).collect::<Vec<_>>().join(" and ")
            };
            if !gone.is_empty() {
                let (pieces, them) = if gone.len() == 1 { ("piece", "it") } else { ("pieces", "them") };
                let places = (!side).does("place", reader);
                let from = squares(&gone);
                words.push(format!("pushes {whose} {pieces} on {from} off the board: {places} {them}"));
                mark = if is_own && mark == Mark::Push { Mark::Own } else { Mark::Capture };
            }
            if !pushed.is_empty() {
                let pieces = if pushed.len() == 1 { "piece" } else { "pieces" };
                words.push(format!("pushes {whose} {pieces} on {}", squares(&pushed)));
            }
        }
        (!words.is_empty()).then(|| Meaning::new(mark, words.join("; ")))
    }

    fn refusal(&self, from: Square, to: Square) -> Option<String> {
        let step = Step { from: self.size().cell(from)?, to: self.size().cell(to)? };
        let reason = match step {
            _ if self.ban() == Some(step) => {
                "that step would only undo the opponent's last push, and is not allowed in this turn"
            }
            Step { to, .. } if to == self.size().tower() => "no piece can stand on the Tower",
            Step { from, to } if !from.neighbours().contains(to) => {
                "that is too far: a piece steps one square"
            }
            _ => return None,
        };
        Some(reason.to_owned())
    }

    fn shifts(&self, mv: Move) -> Vec<Shift> {
        let Move::Step(step) = mv else { return Vec::new() };
        let displaced = self.board.displaced(self.side_to_move(), step);
        displaced.into_iter().map(|(cell, way, is_gone)| Shift::step(cell.square(), way, is_gone)).collect()
    }

    fn winning_squares(&self) -> Vec<Square> {
        let winner = self.end().and_then(|end| end.winner);
        let held = winner.into_iter().flat_map(|winner| {
            let own = self.pieces(winner);
            self.size().patterns().into_iter().filter(move |&pattern| own.contains_all(pattern))
        });
        held.flat_map(|pattern| pattern.cells().map(Cell::square)).collect()
    }
}
