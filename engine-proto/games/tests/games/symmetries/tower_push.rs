//! Section Symmetries: the maps of positions and moves under which the rules do not change. They are maps of texts
//! and know nothing of the rules, so that they check them.

use games::Square;

use super::{Symmetry, other_case, other_side};
use crate::common::{self, with_dots, with_runs};

/// A symmetry that moves the squares alone.
macro_rules! of_squares {
    ($name:literal, $map:ident) => {
        Symmetry {
            name: $name,
            fen: |fen| map_board(fen, $map),
            mv: |fen, mv| map_squares(fen, mv, $map),
            swaps_winner: false,
        }
    };
}

/// The rotations and reflections of the board, the exchange of colours, and the two together where the start
/// positions are mapped to themselves.
pub const ALL: &[Symmetry] = &[
    of_squares!("left-right mirror", mirror_files),
    of_squares!("top-bottom mirror", mirror_ranks),
    of_squares!("half turn", half_turn),
    of_squares!("mirror in the rising diagonal", mirror_rising),
    of_squares!("mirror in the falling diagonal", mirror_falling),
    of_squares!("quarter turn to the right", turn_right),
    of_squares!("quarter turn to the left", turn_left),
    Symmetry {
        name: "exchange of colours",
        fen: exchange_colours,
        mv: |_, mv| mv.to_owned(),
        swaps_winner: true,
    },
    Symmetry {
        fen: |fen| exchange_colours(&map_board(fen, mirror_ranks)?),
        swaps_winner: true,
        ..of_squares!("top-bottom mirror with the exchange of colours", mirror_ranks)
    },
];

/// Where a square of a board goes; `last` is the highest file and rank, from 0.
type SquareMap = fn(square: Square, last: u8) -> Square;

fn mirror_files(square: Square, last: u8) -> Square {
    Square { file: last - square.file, rank: square.rank }
}

fn mirror_ranks(square: Square, last: u8) -> Square {
    Square { file: square.file, rank: last - square.rank }
}

fn half_turn(square: Square, last: u8) -> Square {
    Square { file: last - square.file, rank: last - square.rank }
}

fn mirror_rising(square: Square, _last: u8) -> Square {
    Square { file: square.rank, rank: square.file }
}

fn mirror_falling(square: Square, last: u8) -> Square {
    Square { file: last - square.rank, rank: last - square.file }
}

fn turn_right(square: Square, last: u8) -> Square {
    Square { file: square.rank, rank: last - square.file }
}

fn turn_left(square: Square, last: u8) -> Square {
    Square { file: last - square.rank, rank: square.file }
}

/// The FEN with the squares of its board and its ban mapped.
fn map_board(fen: &str, map: SquareMap) -> Option<String> {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let [board, _, _, _, _, ban, _, _] = fields.as_mut_slice() else { return None };
    *ban = map_squares(fen, ban, map);

    let last = last_index(fen);
    let width = usize::from(last) + 1;
    let mut image = vec![vec!['.'; width]; width]; // by rank from the top, and file
    for (row, signs) in (0..=last).zip(with_dots(board).split('/')) {
        for (file, sign) in (0..=last).zip(signs.chars()) {
            let Square { file, rank } = map(Square { file, rank: last - row }, last);
            image[usize::from(last - rank)][usize::from(file)] = sign;
        }
    }
    let ranks: Vec<String> = image.into_iter().map(String::from_iter).collect();
    *board = with_runs(&ranks.join("/"));
    Some(fields.join(" "))
}

/// The text, a move or a ban, with every square in it mapped.
fn map_squares(fen: &str, text: &str, map: SquareMap) -> String {
    common::map_squares(text, |square| map(square, last_index(fen)))
}

fn last_index(fen: &str) -> u8 {
    fen.matches('/').count() as u8
}

/// The FEN with the pieces of the other colour, and all that belongs to a side given to the other.
fn exchange_colours(fen: &str) -> Option<String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, side, hand_white, hand_black, next, ban, quiet, ply] = fields[..] else { return None };
    let board = other_case(board).replace('t', "T");
    let (side, next) = (other_side(side), other_side(next));
    Some(format!("{board} {side} {hand_black} {hand_white} {next} {ban} {quiet} {ply}"))
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
        for (symmetry, image) in ALL.iter().zip(images) {
            assert_eq!((symmetry.fen)(fen).as_deref(), Some(image), "{}", symmetry.name);
        }
        assert_eq!(exchange_colours(fen).unwrap(), "X6/7/7/3T3/5x1/2X1x2/7 b 1 0 w e2d2 3 4");
        assert_eq!(map_squares(fen, "@a7", turn_right), "@g7");
        assert_eq!(map_squares(fen, "@a7", turn_left), "@a1");
        assert_eq!(map_squares(fen, "pass", turn_left), "pass");
    }
}
