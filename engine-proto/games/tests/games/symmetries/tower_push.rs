//! Section Symmetries: the maps of positions and moves under which the rules do not change. They are maps of texts
//! and know nothing of the rules, so that they check them.

use super::{ANTIDIAGONAL, DIAGONAL, FLIP, HALF_TURN, LEFT, MIRROR, RIGHT, STAY, Symmetries, Symmetry};
use games::fen::fields;

/// The rotations and reflections of the board, the exchange of colours, and the two together where the start
/// positions are mapped to themselves.
pub const SYMMETRIES: Symmetries = Symmetries {
    all: &[
        Symmetry::new("left-right mirror", MIRROR),
        Symmetry::new("top-bottom mirror", FLIP),
        Symmetry::new("half turn", HALF_TURN),
        Symmetry::new("mirror in the rising diagonal", DIAGONAL),
        Symmetry::new("mirror in the falling diagonal", ANTIDIAGONAL),
        Symmetry::new("quarter turn to the right", RIGHT),
        Symmetry::new("quarter turn to the left", LEFT),
        Symmetry::with_colours("exchange of colours", STAY),
        Symmetry::with_colours("top-bottom mirror with the exchange of colours", FLIP),
    ],
    fen: |symmetry, fen| Some(image(symmetry, fen)),
    mv: |symmetry, mv, fen| symmetry.turn.squares(mv, fen),
};

fn image(symmetry: &Symmetry, fen: &str) -> String {
    let [_, side, white, black, next, ban, quiet, ply] = fields(fen).expect("a FEN");
    let board = symmetry.pieces(&symmetry.turn.board(fen)).replace('t', "T");
    let [side, next] = [side, next].map(|letter| symmetry.side(letter));
    let [white, black] = symmetry.of_sides([white, black]);
    let ban = symmetry.turn.squares(ban, fen);
    format!("{board} {side} {white} {black} {next} {ban} {quiet} {ply}")
}

mod tests {
    use super::*;

    #[test]
    fn texts_and_their_images() {
        let fen = "x6/7/7/3T3/5X1/2x1X2/7 w 0 1 b e2d2 3 4";
        let images = [
            "6x/7/7/3T3/1X5/2X1x2/7 w 0 1 b c2d2 3 4",
            "7/2x1X2/5X1/3T3/7/7/x6 w 0 1 b e6d6 3 4",
            "7/2X1x2/1X5/3T3/7/7/6x w 0 1 b c6d6 3 4",
            "7/2X4/1X5/3T3/1x5/7/6x w 0 1 b b5b4 3 4",
        ];
        for (symmetry, expected) in SYMMETRIES.all.iter().zip(images) {
            assert_eq!(image(symmetry, fen), expected, "{}", symmetry.name);
        }
        let exchanged = "X6/7/7/3T3/5x1/2X1x2/7 b 1 0 w e2d2 3 4";
        assert_eq!(image(&Symmetry::with_colours("", STAY), fen), exchanged);
        assert_eq!(["@a7", "pass"].map(|mv| RIGHT.squares(mv, fen)), ["@g7", "pass"]);
        assert_eq!(LEFT.squares("@a7", fen), "@a1");
    }
}
