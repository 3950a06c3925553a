//! The maps of the rules page's section Symmetries, on texts alone: they know nothing of boards and moves.

use super::{FLIP, MIRROR, STAY, Symmetries, Symmetry};
use games::fen::fields;

/// All of them. The edge decides who has won, not the pusher.
pub const SYMMETRIES: Symmetries = Symmetries {
    all: &[
        Symmetry::new("mirror", MIRROR),
        Symmetry { swaps_winner: true, ..Symmetry::new("flip", FLIP) },
        Symmetry { swaps_winner: false, ..Symmetry::with_colours("colours", STAY) },
    ],
    fen,
    mv: |symmetry, mv, fen| symmetry.turn.squares(mv, fen),
};

fn fen(symmetry: &Symmetry, fen: &str) -> Option<String> {
    let [_, side, first, goal, quiet, ply] = fields(fen).ok()?;
    if symmetry.colours && (first != "-" || ply == "0") {
        return None;
    }
    let (board, side) = (symmetry.pieces(&symmetry.turn.board(fen)), symmetry.side(side));
    let first = symmetry.turn.squares(first, fen);
    let goal = match goal {
        "w" if symmetry.turn.ranks => "b",
        "b" if symmetry.turn.ranks => "w",
        other => other,
    };
    Some(format!("{board} {side} {first} {goal} {quiet} {ply}"))
}
