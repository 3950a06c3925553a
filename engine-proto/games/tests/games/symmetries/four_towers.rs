//! The maps under which the rules do not change (page, section Symmetries), as maps of texts.
//!
//! They know the letters and squares of FENs and moves and nothing of the rules, so that they put the rules to the test.

use games::Square;
use games::fen::{board, fields, write_board};

use super::{HALF_TURN, LEFT, STAY, Symmetries, Symmetry, Turn};
use crate::common::map_squares;

/// The widths of the ranks, from the top, and the file of each rank's first square.
const WIDTHS: [u8; 11] = [3, 6, 9, 10, 10, 9, 10, 10, 9, 6, 3];
const LEFTMOST: [u8; 11] = [2, 2, 2, 1, 1, 1, 0, 0, 0, 3, 6];

/// The symmetries of the game.
pub const SYMMETRIES: Symmetries = Symmetries {
    all: &[
        Symmetry::with_colours("rotation by 180 degrees with colours exchanged", HALF_TURN),
        Symmetry::new("rotation by 90 degrees without pawns and lancers", LEFT),
        Symmetry::with_colours("exchange of colours without pawns and lancers", STAY),
    ],
    fen: |symmetry, fen| {
        let keeps_forward = symmetry.colours && symmetry.turn.ranks;
        (keeps_forward || is_free_of_pawns(fen)).then(|| map_fen(symmetry, fen))?
    },
    mv: |symmetry, mv, fen| symmetry.turn.squares(mv, fen),
};

/// Whether no pawn or lancer is on the board or to be returned.
fn is_free_of_pawns(fen: &str) -> bool {
    let mut fields = fen.split(' ');
    let (pieces, returnable) = (fields.next(), fields.nth(4));
    [pieces, returnable].into_iter().flatten().all(|field| !field.contains(['P', 'p', 'L', 'l']))
}

fn map_fen(symmetry: &Symmetry, fen: &str) -> Option<String> {
    let [pieces, mover, en_passant, white, black, returnable, turn, quiet, ply] = fields(fen).ok()?;
    let pieces = symmetry.pieces(&map_board(pieces, symmetry.turn)?);
    let mover = symmetry.side(mover);
    let en_passant = map_en_passant(en_passant, symmetry.turn);
    let [white, black] = symmetry.of_sides([white, black]);
    let (captured, tower) = returnable.split_at(1);
    let returnable = symmetry.pieces(captured) + &symmetry.turn.squares(tower, fen);
    let turn = map_turn(turn, symmetry.turn)?;
    Some(format!("{pieces} {mover} {en_passant} {white} {black} {returnable} {turn} {quiet} {ply}"))
}

fn map_board(text: &str, map: Turn) -> Option<String> {
    let mut signs = [[None; 11]; 11];
    board(text, &WIDTHS, |row, column, sign| {
        let from = Square { file: LEFTMOST[usize::from(row)] + column, rank: 10 - row };
        let Square { file, rank } = map.square(from, 10);
        signs[usize::from(rank)][usize::from(file)] = Some(sign);
        Ok(())
    })
    .ok()?;
    let mut mapped = String::new();
    write_board(&mut mapped, &WIDTHS, |row, column| {
        signs[usize::from(10 - row)][usize::from(LEFTMOST[usize::from(row)] + column)]
    })
    .ok()?;
    Some(mapped)
}

fn map_en_passant(text: &str, map: Turn) -> String {
    let mut pairs: Vec<Vec<Square>> = text.split(',').map(|pair| mapped_squares(pair, map)).collect();
    if pairs.concat().is_empty() {
        return text.to_owned();
    }
    pairs.sort_unstable();
    let shown = |pair: &[Square]| pair.iter().map(Square::to_string).collect::<String>();
    pairs.iter().map(|pair| shown(pair)).collect::<Vec<_>>().join(",")
}

/// The images of the squares that the text consists of.
fn mapped_squares(text: &str, map: Turn) -> Vec<Square> {
    let mut squares = Vec::new();
    let mut rest = text;
    while let Some((square, after)) = Square::split_from(rest) {
        squares.push(map.square(square, 10));
        rest = after;
    }
    squares
}

fn map_turn(turn: &str, map: Turn) -> Option<String> {
    if let Some(text) = turn.strip_prefix('>') {
        let mut squares = mapped_squares(text, map);
        squares.sort_unstable();
        return Some(squares.iter().fold(">".to_owned(), |text, square| text + &square.to_string()));
    }
    let Some(text) = turn.strip_prefix('+') else { return Some(turn.to_owned()) };
    let n_arenas = text.bytes().take_while(u8::is_ascii_digit).count();
    let (arenas, marks) = text.split_at(n_arenas);
    let mut arenas = arenas.chars().map(|arena| map_arena(arena, map)).collect::<Option<Vec<char>>>()?;
    arenas.sort_unstable();
    Some(format!("+{}{marks}", arenas.into_iter().collect::<String>()))
}

/// The arena whose centre is the image of the arena's centre.
fn map_arena(arena: char, map: Turn) -> Option<char> {
    const CENTRES: [&str; 9] = ["b4", "e3", "h2", "c7", "f6", "i5", "d10", "g9", "j8"];
    let centre: Square = CENTRES.get(arena.to_digit(10)?.checked_sub(1)? as usize)?.parse().ok()?;
    let image = map.square(centre, 10).to_string();
    let place = CENTRES.iter().position(|&centre| centre == image)?;
    char::from_digit(place as u32 + 1, 10)
}

mod tests {
    use super::*;

    #[test]
    fn arenas_turn_as_the_page_says() {
        let turned = |map: Turn| ('1'..='9').map(|arena| map_arena(arena, map).unwrap()).collect::<String>();
        assert_eq!(turned(HALF_TURN), "987654321");
        assert_eq!(turned(LEFT), "369258147");
        assert_eq!(map_turn(">e3f2", HALF_TURN).unwrap(), ">f10g9");
        assert_eq!(map_turn("+127*!", LEFT).unwrap(), "+136*!");
    }

    #[test]
    fn pairs_are_sorted_anew() {
        assert_eq!(map_en_passant("-", HALF_TURN), "-");
        assert_eq!(map_en_passant("i7i6", HALF_TURN), "c5c6");
        assert_eq!(map_en_passant("d4c5,d4e5", HALF_TURN), "h8g7,h8i7");
        assert_eq!(map_en_passant("c5c6,e4e5", HALF_TURN), "g8g7,i7i6");
    }

    #[test]
    fn moves_keep_their_letters() {
        let map = |mv, map: Turn| map_squares(mv, |square| map.square(square, 10));
        assert_eq!(map("Pd10d11=D+", HALF_TURN), "Ph2h1=D+");
        assert_eq!(map("@a3", LEFT), "@i1");
    }

    #[test]
    fn the_start_position_is_symmetric_but_for_the_mover() {
        let start = "dmk/rnbdcq/ppppppbnr/6pppp/10/9/10/PPPP6/RNBPPPPPP/QCDBNR/KMD w - - - - - 0 0";
        let image = |nth: usize| (SYMMETRIES.fen)(&SYMMETRIES.all[nth], start);
        assert_eq!(image(0), Some(start.replace(" w ", " b ")));
        assert_eq!(image(1), None);
    }
}
