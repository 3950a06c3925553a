//! Draws a scene as text for a terminal with 80 columns. Pure: it prints nothing, and knows no game.
//!
//! A square is drawn as `xbbbx`: two columns for the marks of the last move around the pieces. On boards with heights,
//! the pieces stand between two signs for the height. Lines are drawn around the board and between its regions.

mod grid;
mod signs;

use std::fmt::Write as _;

use super::{Effects, Hand, Layout, Scene};
use crate::Side;

use grid::Grid;
use signs::Body;
pub use signs::Signs;

/// The style of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The kind of signs.
    pub signs: Signs,
    /// Whether to use colours (256-colour terminals).
    pub has_colour: bool,
    /// The side at the bottom of the board.
    pub bottom: Side,
    /// The least number of pieces for which a square has space, so that several boards of a game have the same width.
    pub stack: usize,
}

impl Style {
    /// ASCII without colours, White at the bottom: for every terminal.
    pub const PLAIN: Self = Self { signs: Signs::Ascii, has_colour: false, bottom: Side::White, stack: 1 };
}

/// The board with coordinates and marks of the last move, then the pieces in hand, the notes, the side to move and the
/// legend. Lines have at most 80 columns and end with a line end.
pub fn draw(layout: &Layout, scene: &Scene, effects: Option<&Effects>, style: Style) -> String {
    let (drawing, legend) = draw_with_legend(layout, scene, effects, style);
    drawing + &legend.concat()
}

/// The same, with the explanations of the legend one by one.
pub fn draw_with_legend(
    layout: &Layout,
    scene: &Scene,
    effects: Option<&Effects>,
    style: Style,
) -> (String, Vec<String>) {
    let body = Body::of(layout, scene, style);
    let mut text = Grid::of(layout, style.bottom).draw(scene, effects, &body);
    for (square, stack) in body.tall_stacks(scene) {
        write_wrapped(&mut text, &format!("{square}: {stack}"));
    }
    for (side, hand) in Side::ALL.into_iter().zip(&scene.hands) {
        if !hand.is_empty() {
            write_wrapped(&mut text, &format!("{side} in hand: {}", in_hand(side, hand, style.signs)));
        }
    }
    for note in &scene.notes {
        write_wrapped(&mut text, &format!("{}: {}", note.label, note.value));
    }
    let Scene { side_to_move, ply, quiet, .. } = scene;
    write_wrapped(
        &mut text,
        &format!("{side_to_move} to move (plies since the start: {ply}, since the last progress: {quiet})"),
    );
    let explained = |line| {
        let mut text = String::new();
        write_wrapped(&mut text, &format!("  {line}"));
        text
    };
    (text, body.legend(layout, scene, effects).into_iter().map(explained).collect())
}

fn in_hand(owner: Side, hand: &[Hand], signs: Signs) -> String {
    let parts: Vec<String> = hand
        .iter()
        .map(|hand| {
            let sign = signs.piece(hand.kind, Some(owner));
            format!("{} {sign}", hand.count)
        })
        .collect();
    parts.join(", ")
}

/// Writes a line, wrapped between words; a word that is longer than a line is broken.
fn write_wrapped(text: &mut String, line: &str) {
    const WIDTH: usize = 80;
    let mut column = 0;
    for (idx, word) in line.split(' ').enumerate() {
        let width = word.chars().count();
        if idx > 0 && column + width >= WIDTH {
            text.push_str("\n    ");
            column = 4;
        } else if idx > 0 {
            text.push(' ');
            column += 1;
        }
        for c in word.chars() {
            if column == WIDTH {
                text.push_str("\n    ");
                column = 4;
            }
            text.push(c);
            column += 1;
        }
    }
    let _ = writeln!(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameId, Games};

    fn drawing(game: GameId, fen: &str) -> String {
        let play = Games::built_in().play(game, fen).unwrap();
        draw(&play.layout(), &play.scene(), None, Style::PLAIN)
    }

    #[test]
    fn a_tall_stack_is_cut_in_its_square_and_written_out_below() {
        let stones = format!("{}{}", "s".repeat(14), "S".repeat(13));
        let text = drawing(GameId::TOWER_OF_POWER, &format!("7s/8/8/8/8/8/8/({stones})7 b 0 0"));
        assert!(text.contains("\n 1 | ~SSSSS "), "{text}");
        assert!(text.contains(&format!("\na1: {stones}\n")), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        let as_high_as_a_square = drawing(GameId::TOWER_OF_POWER, "7s/8/8/8/8/8/8/(ssssSS)7 b 0 0");
        assert!(as_high_as_a_square.contains("\n 1 | ssssSS "), "{as_high_as_a_square}");
        assert!(!as_high_as_a_square.contains("a1:"), "{as_high_as_a_square}");
    }

    #[test]
    fn long_lines_are_broken() {
        let mut text = String::new();
        write_wrapped(&mut text, &format!("{} {} {}", "a".repeat(70), "b".repeat(20), "c".repeat(100)));
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [70, 24, 80, 28]);
        assert_eq!(text.matches('c').count(), 100);
    }
}
