//! The section Symmetries, as maps of texts: they know positions and moves by their spelling alone.

use super::{ANTIDIAGONAL, DIAGONAL, HALF_TURN, Symmetries, Symmetry};
use games::Square;
use games::fen::fields;

/// All three.
pub const SYMMETRIES: Symmetries = Symmetries {
    all: &[
        Symmetry::new("diagonal", DIAGONAL),
        Symmetry::with_colours("turn", HALF_TURN),
        Symmetry::with_colours("antidiagonal", ANTIDIAGONAL),
    ],
    fen,
    mv,
};

fn fen(symmetry: &Symmetry, fen: &str) -> Option<String> {
    let [_, side, heights, stunned, passes, quiet, ply] = fields(fen).ok()?;
    let turn = symmetry.turn;
    let (board, side) = (symmetry.pieces(&turn.board(fen)), symmetry.side(side));
    let heights = turn.grid(heights);
    let mut marks: Vec<String> = stunned.split(',').map(|square| turn.squares(square, fen)).collect();
    marks.sort_unstable();
    Some(format!("{board} {side} {heights} {} {passes} {quiet} {ply}", marks.join(",")))
}

fn mv(Symmetry { turn, .. }: &Symmetry, mv: &str, fen: &str) -> String {
    /// The directions from a square, by rank and file.
    const DIRECTIONS: [[&str; 3]; 3] = [["sw", "s", "se"], ["w", "", "e"], ["nw", "n", "ne"]];
    let Some((squares, direction)) = mv.split_once(':') else { return turn.squares(mv, fen) };
    let all = (0..3).flat_map(|rank| (0..3).map(move |file| Square { file, rank }));
    let name = |square: Square| DIRECTIONS[usize::from(square.rank)][usize::from(square.file)];
    let from = all.into_iter().find(|&square| name(square) == direction).expect("one of the 8 directions");
    format!("{}:{}", turn.squares(squares, fen), name(turn.square(from, 2)))
}

mod tests {
    use super::*;

    #[test]
    fn images_of_a_position() {
        let fen = "1P4/k5/6/R4n/6/5K w 012000/000000/000000/200000/000000/000021 a3,b6 1 2 3";
        let images = [
            "K1n3/6/6/6/5P/2R1k1 w 100000/200000/000000/000002/000001/002000 c1,f2 1 2 3",
            "k5/6/N4r/6/5K/4p1 b 120000/000000/000002/000000/000000/000210 e1,f4 1 2 3",
            "1K1r2/p5/6/6/6/3N1k b 000200/100000/200000/000000/000002/000001 a5,d6 1 2 3",
        ];
        for (symmetry, image) in SYMMETRIES.all.iter().zip(images) {
            assert_eq!(super::fen(symmetry, fen).as_deref(), Some(image));
        }
    }

    #[test]
    fn images_of_moves() {
        let images = [
            ["c1c3", "b2xd3:ne", "b2xd3:nw", "c1a1!", "pass"],
            ["f4d4", "e5xd3:sw", "e5xd3:nw", "f4f6!", "pass"],
            ["d6d4", "e5xc4:sw", "e5xc4:se", "d6f6!", "pass"],
        ];
        for (symmetry, images) in SYMMETRIES.all.iter().zip(images) {
            let moves = ["a3c3", "b2xc4:ne", "b2xc4:se", "a3a1!", "pass"];
            assert_eq!(moves.map(|mv| super::mv(symmetry, mv, "6/6/6/6/6/6 w")), images);
        }
    }
}
