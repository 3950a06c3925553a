//! Section Symmetries: the maps of positions and moves under which the rules do not change. They are maps of texts
//! and know nothing of the rules, so that they check them.

use games::Square;
use games::fen::{Item, rank_items, write_board};

use super::Symmetry;

/// The rotations and reflections of the board, the exchange of colours, and the two together where the start
/// positions are mapped to themselves.
pub const ALL: &[Symmetry] = &[
    Symmetry {
        name: "left-right mirror",
        fen: |fen| map_board(fen, mirror_files),
        mv: |fen, mv| map_squares(fen, mv, mirror_files),
        swaps_winner: false,
    },
    Symmetry {
        name: "top-bottom mirror",
        fen: |fen| map_board(fen, mirror_ranks),
        mv: |fen, mv| map_squares(fen, mv, mirror_ranks),
        swaps_winner: false,
    },
    Symmetry {
        name: "half turn",
        fen: |fen| map_board(fen, half_turn),
        mv: |fen, mv| map_squares(fen, mv, half_turn),
        swaps_winner: false,
    },
    Symmetry {
        name: "mirror in the rising diagonal",
        fen: |fen| map_board(fen, mirror_rising),
        mv: |fen, mv| map_squares(fen, mv, mirror_rising),
        swaps_winner: false,
    },
    Symmetry {
        name: "mirror in the falling diagonal",
        fen: |fen| map_board(fen, mirror_falling),
        mv: |fen, mv| map_squares(fen, mv, mirror_falling),
        swaps_winner: false,
    },
    Symmetry {
        name: "quarter turn to the right",
        fen: |fen| map_board(fen, turn_right),
        mv: |fen, mv| map_squares(fen, mv, turn_right),
        swaps_winner: false,
    },
    Symmetry {
        name: "quarter turn to the left",
        fen: |fen| map_board(fen, turn_left),
        mv: |fen, mv| map_squares(fen, mv, turn_left),
        swaps_winner: false,
    },
    Symmetry {
        name: "exchange of colours",
        fen: exchange_colours,
        mv: |_, mv| mv.to_owned(),
        swaps_winner: true,
    },
    Symmetry {
        name: "top-bottom mirror with the exchange of colours",
        fen: |fen| exchange_colours(&map_board(fen, mirror_ranks)?),
        mv: |fen, mv| map_squares(fen, mv, mirror_ranks),
        swaps_winner: true,
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
    let mut signs = vec![vec![None; width]; width]; // by rank and file
    for (rank, text) in board.split('/').rev().enumerate() {
        let mut file = 0;
        for item in rank_items(text).ok()? {
            match item {
                Item::Empty(run) => file += run,
                Item::Sign(sign) => {
                    let image = map(Square { file, rank: rank as u8 }, last);
                    signs[usize::from(image.rank)][usize::from(image.file)] = Some(sign);
                    file += 1;
                }
            }
        }
    }
    board.clear();
    write_board(board, &vec![last + 1; width], |row, column| {
        signs[usize::from(last - row)][usize::from(column)]
    })
    .ok()?;
    Some(fields.join(" "))
}

/// The text, a move or a ban, with every square in it mapped.
fn map_squares(fen: &str, text: &str, map: SquareMap) -> String {
    let last = last_index(fen);
    let mut mapped = String::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        if let Some((square, behind)) = Square::split_from(rest) {
            mapped += &map(square, last).to_string();
            rest = behind;
        } else {
            mapped.push(sign);
            rest = &rest[sign.len_utf8()..];
        }
    }
    mapped
}

fn last_index(fen: &str) -> u8 {
    fen.matches('/').count() as u8
}

/// The FEN with the pieces of the other colour, and all that belongs to a side given to the other.
fn exchange_colours(fen: &str) -> Option<String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, side, hand_white, hand_black, next, ban, quiet, ply] = fields[..] else { return None };
    let board: String = board
        .chars()
        .map(|sign| match sign {
            'X' => 'x',
            'x' => 'X',
            other => other,
        })
        .collect();
    let other = |side: &str| if side == "w" { "b" } else { "w" };
    let (side, next) = (other(side), other(next));
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
