//! The symmetries of every game: texts are mapped, and the rules must treat the images alike. The maps know nothing of the
//! rules. A new game can do without; its maps are a file here and a line below.

mod four_towers;
mod push;
mod push_push;
mod tower_of_power;
mod tower_push;

use std::collections::BTreeSet;

use crate::common::{after, legal, map_squares, random_play, spellings, with_dots, with_runs};
use crate::examples::{self, Line};
use games::{End, Play, Position, Square};

/// A map of a board onto itself: files and ranks change places, then the files are reversed, then the ranks.
#[derive(Clone, Copy, Debug)]
struct Turn {
    transposed: bool,
    files: bool,
    ranks: bool,
}

const STAY: Turn = Turn { transposed: false, files: false, ranks: false };
const MIRROR: Turn = Turn { files: true, ..STAY };
const FLIP: Turn = Turn { ranks: true, ..STAY };
const HALF_TURN: Turn = Turn { files: true, ranks: true, ..STAY };
/// The reflection in the diagonal from a1.
const DIAGONAL: Turn = Turn { transposed: true, ..STAY };
const ANTIDIAGONAL: Turn = Turn { transposed: true, ..HALF_TURN };
/// A quarter turn that brings a1 to the right.
const LEFT: Turn = Turn { transposed: true, ..MIRROR };
/// A quarter turn that brings a1 to the top.
const RIGHT: Turn = Turn { transposed: true, ..FLIP };

impl Turn {
    /// The image of a square; `last` is the highest file and rank of the board.
    const fn square(self, Square { file, rank }: Square, last: u8) -> Square {
        let (file, rank) = if self.transposed { (rank, file) } else { (file, rank) };
        Square {
            file: if self.files { last - file } else { file },
            rank: if self.ranks { last - rank } else { rank },
        }
    }

    /// The image of a text with squares of the board of `fen` in it.
    fn squares(self, text: &str, fen: &str) -> String {
        let last = board_of(fen).matches('/').count() as u8;
        map_squares(text, |square| self.square(square, last))
    }

    /// The image of the board of `fen`.
    fn board(self, fen: &str) -> String {
        with_runs(&self.grid(&with_dots(board_of(fen))))
    }

    /// The image of a board in ranks from the top one down. A pile in parentheses is on one square, and so is any other
    /// character.
    fn grid(self, text: &str) -> String {
        let n = text.split('/').count();
        let mut image = vec![vec![String::new(); n]; n];
        for (rank, signs) in (0..n as u8).rev().zip(text.split('/')) {
            let mut signs = signs.chars();
            for file in 0..n as u8 {
                let Square { file, rank } = self.square(Square { file, rank }, n as u8 - 1);
                let sign = &mut image[n - 1 - usize::from(rank)][usize::from(file)];
                sign.extend(signs.next());
                if sign == "(" {
                    let end = signs.as_str().find(')').expect("the end of a pile") + 1;
                    sign.extend(signs.by_ref().take(end));
                }
            }
        }
        image.iter().map(|rank| rank.concat()).collect::<Vec<_>>().join("/")
    }
}

fn board_of(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or_default()
}

/// A map of positions and moves, as texts, under which the rules do not change: legal moves go to legal moves, and
/// the position after a move to the position after the mapped move.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    /// Its name on the rules page.
    name: &'static str,
    turn: Turn,
    /// Whether the pieces change their colours.
    colours: bool,
    /// Whether the image of a game won by White is won by Black.
    swaps_winner: bool,
}

impl Symmetry {
    const fn new(name: &'static str, turn: Turn) -> Self {
        Self { name, turn, colours: false, swaps_winner: false }
    }

    const fn with_colours(name: &'static str, turn: Turn) -> Self {
        Self { name, turn, colours: true, swaps_winner: true }
    }

    /// The image of texts that belong to White and to Black.
    const fn of_sides<'a>(&self, [white, black]: [&'a str; 2]) -> [&'a str; 2] {
        if self.colours { [black, white] } else { [white, black] }
    }

    /// The image of the letter of a side; any other text is its own image.
    fn side<'a>(&self, letter: &'a str) -> &'a str {
        match letter {
            "w" if self.colours => "b",
            "b" if self.colours => "w",
            other => other,
        }
    }

    /// The image of letters of pieces, those of White in upper case.
    fn pieces(&self, pieces: &str) -> String {
        let other =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        if self.colours { pieces.chars().map(other).collect() } else { pieces.to_owned() }
    }
}

/// The symmetries of a game.
struct Symmetries {
    all: &'static [Symmetry],
    /// The image of a FEN; `None` where the symmetry does not hold for that position.
    fen: fn(&Symmetry, &str) -> Option<String>,
    /// The image of a move made in the position `fen`: called as `mv(symmetry, mv, fen)`.
    mv: fn(&Symmetry, &str, &str) -> String,
}

macro_rules! symmetries_hold_on_random_play {
    ($($module:ident::$game:ident,)*) => {
        $(
            #[test]
            fn $module() {
                symmetries_hold::<games::$module::$game>(&$module::SYMMETRIES);
            }
        )*
    };
}

mod on_random_play {
    use super::*;

    symmetries_hold_on_random_play! {
        tower_push::TowerPush,
        four_towers::FourTowers,
        tower_of_power::TowerOfPower,
        push::Push,
        push_push::PushPush,
    }
}

fn symmetries_hold<P: Position>(maps: &Symmetries) {
    assert!(!maps.all.is_empty(), "{} names no symmetry", P::INFO.id);
    for symmetry in maps.all {
        let mut n_held = 0;
        for seed in 0..20 {
            let play = random_play::<P>(seed, 60);
            let mut position = play.start().clone();
            for &mv in play.moves() {
                n_held += usize::from(check_symmetry(maps, symmetry, &position, mv));
                position.play_unchecked(mv);
            }
        }
        // Some hold only where certain pieces are gone: the examples bring such positions.
        for (_, line) in examples::blocks(P::INFO.rules).into_iter().flatten() {
            let Line::Fen(fen) = line else { continue };
            let position: P = fen.parse().expect("the page's FENs are checked elsewhere");
            for &mv in legal(&position).iter().take(8) {
                n_held += usize::from(check_symmetry(maps, symmetry, &position, mv));
            }
        }
        let Symmetry { name, .. } = symmetry;
        assert!(n_held > 20, "{}: `{name}` was tested in {n_held} positions only", P::INFO.id);
    }
}

/// Whether the symmetry holds for the position; if it does, its image has the images of the moves, and `mv` leads to
/// the image of where it leads.
fn check_symmetry<P: Position>(maps: &Symmetries, symmetry: &Symmetry, position: &P, mv: P::Move) -> bool {
    let fen = position.to_string();
    let Some(image) = (maps.fen)(symmetry, &fen) else { return false };
    let place = format!("{}, {} of `{fen}` is `{image}`", P::INFO.id, symmetry.name);
    let image: P = image.parse().unwrap_or_else(|error| panic!("{place}: {error}"));

    let mapped: BTreeSet<String> =
        spellings(position).iter().map(|mv| (maps.mv)(symmetry, mv, &fen)).collect();
    assert_eq!(spellings(&image), mapped, "{place}");

    let after = after(position, mv);
    let mut image_after = Play::new(image);
    let mapped_move = (maps.mv)(symmetry, &mv.to_string(), &fen);
    image_after.play_text(&mapped_move).unwrap_or_else(|error| panic!("{place}, {mv}: {error}"));
    // A map may hold before the move and not after it: a promotion brings a pawn, say.
    if let Some(expected) = (maps.fen)(symmetry, &after.to_string()) {
        assert_eq!(image_after.position().to_string(), expected, "{place}, after {mv}");
    }
    let winner = |end: Option<End>, swaps: bool| {
        end.map(|end| (end.winner.map(|side| if swaps { !side } else { side }), end.reason))
    };
    assert_eq!(
        winner(image_after.position().end(), symmetry.swaps_winner),
        winner(after.end(), false),
        "{place}, after {mv}"
    );
    true
}

mod tests {
    use super::*;

    #[test]
    fn turns_of_a_board() {
        let fen = "1(ab)1/d2/2c w";
        for (turn, expected) in [
            (STAY, "1(ab)1/d2/2c"),
            (MIRROR, "1(ab)1/2d/c2"),
            (FLIP, "2c/d2/1(ab)1"),
            (HALF_TURN, "c2/2d/1(ab)1"),
            (DIAGONAL, "c2/2(ab)/1d1"),
            (ANTIDIAGONAL, "1d1/(ab)2/2c"),
            (LEFT, "2c/(ab)2/1d1"),
            (RIGHT, "1d1/2(ab)/c2"),
        ] {
            assert_eq!(turn.board(fen), expected, "{turn:?}");
        }
        assert_eq!([LEFT, RIGHT].map(|turn| turn.squares("a1b1 pass", fen)), ["c1c2 pass", "a3a2 pass"]);
    }
}
