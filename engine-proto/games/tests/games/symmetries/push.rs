//! The section Symmetries, as maps of texts: they know positions and moves by their spelling alone.

use super::{Symmetry, other_case, other_side};
use crate::common::{map_squares, with_dots, with_runs};
use games::Square;

/// All three.
pub const ALL: &[Symmetry] = &[
    Symmetry {
        name: "diagonal",
        fen: |fen| Map::DIAGONAL.fen(fen),
        mv: |fen, mv| Map::DIAGONAL.mv(fen, mv),
        swaps_winner: false,
    },
    Symmetry {
        name: "turn",
        fen: |fen| Map::TURN.fen(fen),
        mv: |fen, mv| Map::TURN.mv(fen, mv),
        swaps_winner: true,
    },
    Symmetry {
        name: "antidiagonal",
        fen: |fen| Map::ANTIDIAGONAL.fen(fen),
        mv: |fen, mv| Map::ANTIDIAGONAL.mv(fen, mv),
        swaps_winner: true,
    },
];

/// A map of the board: files and ranks change places, then both are counted from the other end, with the colours.
struct Map {
    transposed: bool,
    turned: bool,
    /// The images of the directions, those in [`CLOCKWISE`] order.
    directions: [&'static str; 8],
}

const CLOCKWISE: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];

impl Map {
    const DIAGONAL: Self =
        Self { transposed: true, turned: false, directions: ["e", "ne", "n", "nw", "w", "sw", "s", "se"] };
    const TURN: Self =
        Self { transposed: false, turned: true, directions: ["s", "sw", "w", "nw", "n", "ne", "e", "se"] };
    const ANTIDIAGONAL: Self =
        Self { transposed: true, turned: true, directions: ["w", "sw", "s", "se", "e", "ne", "n", "nw"] };

    fn fen(&self, fen: &str) -> Option<String> {
        let [board, side, heights, stunned, counters] =
            fen.splitn(5, ' ').collect::<Vec<_>>().try_into().ok()?;
        let n = board.split('/').count();
        let pieces = with_runs(&self.grid(&with_dots(board), n));
        let (pieces, side) =
            if self.turned { (other_case(&pieces), other_side(side)) } else { (pieces, side) };
        let mut marks: Vec<String> = stunned.split(',').map(|square| self.squares(square, n)).collect();
        marks.sort_unstable();
        Some(format!("{pieces} {side} {} {} {counters}", self.grid(heights, n), marks.join(",")))
    }

    fn mv(&self, fen: &str, mv: &str) -> String {
        if mv == "pass" {
            return mv.to_owned();
        }
        let n = fen.split(' ').next().map_or(0, |board| board.split('/').count());
        match mv.split_once(':') {
            None => self.squares(mv, n),
            Some((squares, direction)) => {
                let at =
                    CLOCKWISE.iter().position(|&name| name == direction).expect("one of the 8 directions");
                format!("{}:{}", self.squares(squares, n), self.directions[at])
            }
        }
    }

    /// The image of a board with one character a square, in ranks from the top one down.
    fn grid(&self, text: &str, n: usize) -> String {
        let mut image = vec![vec!['?'; n]; n];
        for (row, rank) in text.split('/').enumerate() {
            for (file, sign) in rank.chars().enumerate() {
                let (file, rank) = self.square(file, n - 1 - row, n);
                image[n - 1 - rank][file] = sign;
            }
        }
        let ranks: Vec<String> = image.into_iter().map(String::from_iter).collect();
        ranks.join("/")
    }

    /// The image of a text with squares in it.
    fn squares(&self, text: &str, n: usize) -> String {
        map_squares(text, |square| {
            let (file, rank) = self.square(square.file.into(), square.rank.into(), n);
            Square { file: file as u8, rank: rank as u8 }
        })
    }

    /// The image of a square, by file and rank counted from 0.
    const fn square(&self, file: usize, rank: usize, n: usize) -> (usize, usize) {
        let (file, rank) = if self.transposed { (rank, file) } else { (file, rank) };
        if self.turned { (n - 1 - file, n - 1 - rank) } else { (file, rank) }
    }
}

mod tests {
    use super::*;

    #[test]
    fn images_of_a_position() {
        let fen = "1P4/k5/6/R4n/6/5K w 012000/000000/000000/200000/000000/000021 a3,b6 1 2 3";
        for (map, image) in [
            (Map::DIAGONAL, "K1n3/6/6/6/5P/2R1k1 w 100000/200000/000000/000002/000001/002000 c1,f2 1 2 3"),
            (Map::TURN, "k5/6/N4r/6/5K/4p1 b 120000/000000/000002/000000/000000/000210 e1,f4 1 2 3"),
            (
                Map::ANTIDIAGONAL,
                "1K1r2/p5/6/6/6/3N1k b 000200/100000/200000/000000/000002/000001 a5,d6 1 2 3",
            ),
        ] {
            assert_eq!(map.fen(fen).as_deref(), Some(image));
        }
    }

    #[test]
    fn images_of_moves() {
        let six = "6/6/6/6/6/6 w";
        for (map, images) in [
            (Map::DIAGONAL, ["c1c3", "b2xd3:ne", "b2xd3:nw", "c1a1!", "pass"]),
            (Map::TURN, ["f4d4", "e5xd3:sw", "e5xd3:nw", "f4f6!", "pass"]),
            (Map::ANTIDIAGONAL, ["d6d4", "e5xc4:sw", "e5xc4:se", "d6f6!", "pass"]),
        ] {
            let moves = ["a3c3", "b2xc4:ne", "b2xc4:se", "a3a1!", "pass"];
            assert_eq!(moves.map(|mv| map.mv(six, mv)), images);
        }
    }
}
