//! The drawing of a position.

use super::pieces::{Occupant, Value};
use super::terrain::{self, SIZE};
use super::{FirstStep, PushPush};
use crate::bits::bits64;
use crate::scene::{Layout, Note, Piece, PieceKind, Scene};
use crate::{Drawn, Side};

/// In the order of the values, the ball first.
pub(super) static KINDS: [PieceKind; 5] = [
    PieceKind::blank("ball", '*', ['◉'; 2]),
    numbered("one", 'A', ['①', '❶'], '1').moving("steps one square, pushes the ball, and captures a four"),
    numbered("two", 'B', ['②', '❷'], '2').moving(STEPS),
    numbered("three", 'C', ['③', '❸'], '3').moving(STEPS),
    numbered("four", 'D', ['④', '❹'], '4').moving(STEPS),
];

const STEPS: &str = "steps one square, and pushes the ball and what is worth less than itself";

const fn numbered(name: &'static str, letter: char, signs: [char; 2], label: char) -> PieceKind {
    PieceKind { label: Some(label), ..PieceKind::new(name, letter, signs) }
}

impl Drawn for PushPush {
    fn layout(&self) -> Layout {
        let mut layout = Layout::rectangle(SIZE, SIZE);
        for ground in &mut layout.grounds {
            // The ball wins for White beyond rank 7, for Black beyond rank 1.
            ground.is_goal_of = [ground.square.rank == SIZE - 1, ground.square.rank == 0];
        }
        layout.legend = &["White wins if the ball leaves over the top, Black if over the bottom"];
        layout
    }

    fn scene(&self) -> Scene {
        let pieces = bits64(self.occupied())
            .filter_map(|index| {
                let square = terrain::square(1 << index);
                Some(match self.occupant(square)? {
                    Occupant::Ball => Piece::new(square, None, &KINDS[0]),
                    Occupant::Piece(side, value) => Piece::new(square, Some(side), kind(value)),
                })
            })
            .collect();
        let mut notes = Vec::new();
        if let Some(FirstStep { value, square }) = self.first_step() {
            let value = value as u8;
            let barred = format!("steps of value {value} into line with {square} and d4");
            notes.push(Note::new("barred now", barred));
        }
        if let Some(winner) = self.goal() {
            let edge = if winner == Side::White { "top" } else { "bottom" };
            notes.push(Note::new("the ball", format!("left the board over the {edge} edge")));
        }
        Scene { pieces, notes, ..Scene::empty(self) }
    }
}

fn kind(value: Value) -> &'static PieceKind {
    &KINDS[value as usize]
}
