//! The maps of the rules page's section Symmetries, on texts alone: they know nothing of boards and moves.

use super::{Symmetry, other_case, other_side};
use crate::common::map_squares;
use games::Square;

/// All of them.
pub const ALL: &[Symmetry] = &[
    Symmetry { name: "mirror", fen: mirror_fen, mv: |_, mv| map_squares(mv, mirror), swaps_winner: false },
    Symmetry { name: "flip", fen: flip_fen, mv: |_, mv| map_squares(mv, flip), swaps_winner: true },
    Symmetry { name: "colours", fen: colours_fen, mv: |_, mv| mv.to_owned(), swaps_winner: false },
];

/// Files a..g to g..a.
fn mirror_fen(fen: &str) -> Option<String> {
    let [board, side, first, goal, quiet, ply] = fields(fen)?;
    let board: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let board = board.join("/");
    let first = map_squares(first, mirror);
    Some(format!("{board} {side} {first} {goal} {quiet} {ply}"))
}

/// Ranks 1..7 to 7..1.
fn flip_fen(fen: &str) -> Option<String> {
    let [board, side, first, goal, quiet, ply] = fields(fen)?;
    let board: Vec<&str> = board.split('/').rev().collect();
    let board = board.join("/");
    let first = map_squares(first, flip);
    let goal = other_side(goal);
    Some(format!("{board} {side} {first} {goal} {quiet} {ply}"))
}

/// Every piece changes its owner.
fn colours_fen(fen: &str) -> Option<String> {
    let [board, side, first, goal, quiet, ply] = fields(fen)?;
    if first != "-" || ply == "0" {
        return None;
    }
    let (board, side) = (other_case(board), other_side(side));
    Some(format!("{board} {side} {first} {goal} {quiet} {ply}"))
}

fn fields(fen: &str) -> Option<[&str; 6]> {
    fen.split(' ').collect::<Vec<_>>().try_into().ok()
}

fn mirror(Square { file, rank }: Square) -> Square {
    Square { file: 6 - file, rank }
}

fn flip(Square { file, rank }: Square) -> Square {
    Square { file, rank: 6 - rank }
}
