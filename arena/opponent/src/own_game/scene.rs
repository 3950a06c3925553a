//! A drawing of any position whose text has the usual form: ranks from the top, separated by `/`, numbers for empty squares, an
//! upper-case letter for a white piece and a lower-case one for a black piece. Everything else is neutral, and `#` is a wall.

use std::sync::LazyLock;

use engine_proto::scene::{Ground, GroundKind, Guide, Layout, Piece, PieceKind, Scene};
use engine_proto::{Side, Square};

use super::answer::Known;

/// The maximum number of files and ranks.
const MOST: usize = 26;
/// The letters in front, then every other character that can stand for a piece.
const NEUTRAL: &str = "*!$%&+,-.:;<=>?@^_~|";

static KINDS: LazyLock<&'static [PieceKind]> = LazyLock::new(|| {
    let letters = ('A'..='Z').map(|letter| {
        let name: &'static str = String::leak(letter.to_ascii_lowercase().to_string());
        PieceKind::new(name, letter, [letter, letter.to_ascii_lowercase()])
    });
    let neutral = NEUTRAL.chars().map(|sign| PieceKind::new("neutral", sign, [sign, sign]));
    Vec::leak(letters.chain(neutral).collect())
});

/// All kinds of pieces that can be drawn.
pub fn kinds() -> &'static [PieceKind] {
    &KINDS
}

/// One square of a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Wall,
    Piece(char),
}

/// The ranks of a board, the top one first; none if the text has another form.
fn cells(board: &str) -> Vec<Vec<Cell>> {
    let mut ranks = Vec::new();
    for rank in board.split('/') {
        let mut cells = Vec::new();
        let mut chars = rank.chars().peekable();
        while let Some(c) = chars.next() {
            if let Some(mut run) = c.to_digit(10) {
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
                    chars.next();
                    run = (run * 10 + digit).min(MOST as u32 + 1);
                }
                cells.extend(std::iter::repeat_n(Cell::Empty, run as usize));
            } else {
                cells.push(if c == '#' { Cell::Wall } else { Cell::Piece(c) });
            }
        }
        if cells.is_empty() || MOST < cells.len() {
            return Vec::new();
        }
        ranks.push(cells);
    }
    if MOST < ranks.len() { Vec::new() } else { ranks }
}

fn squares(known: &Known) -> Vec<(Square, Cell)> {
    let board = known.board.as_deref().unwrap_or_else(|| known.fen.split(' ').next().unwrap_or_default());
    let ranks = cells(board);
    let top = ranks.len();
    let mut squares = Vec::new();
    for (row, rank) in ranks.into_iter().enumerate() {
        for (file, cell) in rank.into_iter().enumerate() {
            squares.push((Square { file: file as u8, rank: (top - 1 - row) as u8 }, cell));
        }
    }
    squares
}

/// The board.
pub fn layout(known: &Known) -> Layout {
    let ground = |(square, cell): (Square, Cell)| Ground {
        kind: if cell == Cell::Wall { GroundKind::Wall } else { GroundKind::Open },
        ..Ground::new(square)
    };
    let mut grounds: Vec<Ground> = squares(known).into_iter().map(ground).collect();
    if grounds.is_empty() {
        // A position without a board is drawn as one square: the FEN says more.
        grounds.push(Ground::new(Square { file: 0, rank: 0 }));
    }
    Layout { grounds, highest: 0, legend: &[], guide: Guide::PLAIN }
}

/// The pieces.
pub fn scene(known: &Known) -> Scene {
    let piece = |(square, cell): (Square, Cell)| {
        let Cell::Piece(sign) = cell else { return None };
        let owner = match sign {
            'A'..='Z' => Some(Side::White),
            'a'..='z' => Some(Side::Black),
            _ => None,
        };
        let letter = sign.to_ascii_uppercase();
        let kind = kinds().iter().find(|kind| kind.letter == letter).unwrap_or(&kinds()[26]);
        Some(Piece::new(square, owner, kind))
    };
    Scene {
        pieces: squares(known).into_iter().filter_map(piece).collect(),
        hands: [Vec::new(), Vec::new()],
        notes: Vec::new(),
        side_to_move: known.side,
        quiet: known.quiet(),
        ply: known.ply(),
        shifts: Vec::new(),
        check: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(fen: &str, board: Option<&str>) -> Known {
        let board = board.map(str::to_owned);
        Known { fen: fen.to_owned(), side: Side::White, legal: Vec::new(), end: None, board }
    }

    #[test]
    fn boards_are_drawn_from_texts() {
        let position = known("S1s/10/2#* w 0 3", None);
        let layout = layout(&position);
        assert_eq!(layout.grounds.len(), 3 + 10 + 4);
        assert_eq!(layout.grounds.iter().filter(|ground| ground.kind == GroundKind::Wall).count(), 1);
        let scene = scene(&position);
        let pieces: Vec<(String, Option<Side>)> =
            scene.pieces.iter().map(|piece| (piece.square.to_string(), piece.owner)).collect();
        let expected = [("a3", Some(Side::White)), ("c3", Some(Side::Black)), ("d1", None)];
        assert_eq!(pieces, expected.map(|(square, owner)| (square.to_owned(), owner)));
        assert_eq!(scene.ply, 3);
    }

    #[test]
    fn any_text_can_be_drawn() {
        for text in ["", "/", "99999", "ä", "12-34", "a/b//", "#", "🙂"] {
            let position = known(&format!("{text} w 0 0"), Some(text));
            assert!(!layout(&position).grounds.is_empty(), "{text}");
            let _ = scene(&position);
        }
    }
}
