//! The symmetries of every game: texts are mapped, and the rules must treat the images alike. The maps know nothing of the
//! rules. A new game can do without; its maps are a file here and a line below.

mod four_towers;
mod push;
mod push_push;
mod tower_of_power;
mod tower_push;

use std::collections::BTreeSet;

use crate::common::{after, legal, random_play, spellings};
use crate::examples::{self, Line};
use games::{End, Play, Position};

/// A map of positions and moves, as texts, under which the rules do not change: legal moves go to legal moves, and
/// the position after a move to the position after the mapped move.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    /// Its name on the rules page.
    name: &'static str,
    /// The image of a FEN; `None` where the symmetry does not hold for that position.
    fen: fn(&str) -> Option<String>,
    /// The image of a move made in the position `fen`: called as `mv(fen, mv)`.
    mv: fn(&str, &str) -> String,
    /// Whether the image of a game won by White is won by Black.
    swaps_winner: bool,
}

macro_rules! symmetries_hold_on_random_play {
    ($($module:ident::$game:ident,)*) => {
        $(
            #[test]
            fn $module() {
                symmetries_hold::<games::$module::$game>($module::ALL);
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

fn symmetries_hold<P: Position>(symmetries: &[Symmetry]) {
    assert!(!symmetries.is_empty(), "{} names no symmetry", P::INFO.id);
    for symmetry in symmetries {
        let mut n_held = 0;
        for seed in 0..20 {
            let play = random_play::<P>(seed, 60);
            let mut position = play.start().clone();
            for &mv in play.moves() {
                n_held += usize::from(check_symmetry(symmetry, &position, mv));
                position.play_unchecked(mv);
            }
        }
        // Some hold only where certain pieces are gone: the examples bring such positions.
        for (_, line) in examples::blocks(P::INFO.rules).into_iter().flatten() {
            let Line::Fen(fen) = line else { continue };
            let position: P = fen.parse().expect("the page's FENs are checked elsewhere");
            for &mv in legal(&position).iter().take(8) {
                n_held += usize::from(check_symmetry(symmetry, &position, mv));
            }
        }
        let Symmetry { name, .. } = symmetry;
        assert!(n_held > 20, "{}: `{name}` was tested in {n_held} positions only", P::INFO.id);
    }
}

/// Whether the symmetry holds for the position; if it does, its image has the images of the moves, and `mv` leads to
/// the image of where it leads.
fn check_symmetry<P: Position>(symmetry: &Symmetry, position: &P, mv: P::Move) -> bool {
    let fen = position.to_string();
    let Some(image) = (symmetry.fen)(&fen) else { return false };
    let place = format!("{}, {} of `{fen}` is `{image}`", P::INFO.id, symmetry.name);
    let image: P = image.parse().unwrap_or_else(|error| panic!("{place}: {error}"));

    let mapped: BTreeSet<String> = spellings(position).iter().map(|mv| (symmetry.mv)(&fen, mv)).collect();
    assert_eq!(spellings(&image), mapped, "{place}");

    let after = after(position, mv);
    let mut image_after = Play::new(image);
    let mapped_move = (symmetry.mv)(&fen, &mv.to_string());
    image_after.play_text(&mapped_move).unwrap_or_else(|error| panic!("{place}, {mv}: {error}"));
    // A map may hold before the move and not after it: a promotion brings a pawn, say.
    if let Some(expected) = (symmetry.fen)(&after.to_string()) {
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

/// The letter of the other side; any other text is its own image.
fn other_side(letter: &str) -> &str {
    match letter {
        "w" => "b",
        "b" => "w",
        other => other,
    }
}

/// The pieces of the other side.
fn other_case(pieces: &str) -> String {
    let other =
        |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    pieces.chars().map(other).collect()
}
