//! The drawing of a position.

use super::TowerPush;
use super::squares::Cell;
use crate::scene::{GroundKind, Hand, Layout, Note, Piece, PieceKind, Scene};
use crate::{Drawn, Position, Side, Square};

pub(super) static KINDS: [PieceKind; 1] = [PieceKind::blank("piece", 'X', ['○', '●'])
    .moving("steps to an empty square beside it, and pushes the opponent's pieces that it then touches")];

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
        layout.legend = &["to win, hold the four squares next to the Tower or the four at its corners"];
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
        if hands.iter().any(|hand| !hand.is_empty()) {
            notes.push(Note::new("next to step", self.next_to_step().to_string()));
        }
        if let Some(ban) = self.ban() {
            notes.push(Note::new("banned", ban.to_string()));
        }
        Scene { pieces, hands, notes, ..Scene::empty(self) }
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
