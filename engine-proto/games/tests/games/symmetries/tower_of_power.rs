//! The section Symmetries, as maps of texts: they know positions and moves by their spelling alone.

use super::{ANTIDIAGONAL, DIAGONAL, FLIP, HALF_TURN, LEFT, MIRROR, RIGHT, STAY, Symmetries, Symmetry};

/// All but the one that leaves everything as it is.
pub const SYMMETRIES: Symmetries = Symmetries {
    all: &[
        Symmetry::new("reflection that swaps the files", MIRROR),
        Symmetry::new("reflection that swaps the ranks", FLIP),
        Symmetry::new("rotation by 180 degrees", HALF_TURN),
        Symmetry::new("reflection in the diagonal a1-h8", DIAGONAL),
        Symmetry::new("reflection in the diagonal a8-h1", ANTIDIAGONAL),
        Symmetry::new("rotation by 90 degrees, a1 to h1", LEFT),
        Symmetry::new("rotation by 90 degrees, a1 to a8", RIGHT),
        Symmetry::with_colours("exchange of colours", STAY),
        Symmetry::with_colours("exchange of colours and reflection that swaps the files", MIRROR),
        Symmetry::with_colours("exchange of colours and reflection that swaps the ranks", FLIP),
        Symmetry::with_colours("exchange of colours and rotation by 180 degrees", HALF_TURN),
        Symmetry::with_colours("exchange of colours and reflection in the diagonal a1-h8", DIAGONAL),
        Symmetry::with_colours("exchange of colours and reflection in the diagonal a8-h1", ANTIDIAGONAL),
        Symmetry::with_colours("exchange of colours and rotation by 90 degrees, a1 to h1", LEFT),
        Symmetry::with_colours("exchange of colours and rotation by 90 degrees, a1 to a8", RIGHT),
    ],
    fen: |symmetry, fen| Some(image(symmetry, fen)),
    mv: |symmetry, mv, fen| symmetry.turn.squares(mv, fen),
};

fn image(symmetry: &Symmetry, fen: &str) -> String {
    let [_, side, counters] = fen.splitn(3, ' ').collect::<Vec<_>>().try_into().expect("a FEN");
    let board = symmetry.pieces(&symmetry.turn.board(fen));
    format!("{board} {} {counters}", symmetry.side(side))
}

mod tests {
    use super::*;

    fn named(name: &str) -> &'static Symmetry {
        SYMMETRIES.all.iter().find(|symmetry| symmetry.name == name).unwrap()
    }

    /// What the page says of the start position.
    #[test]
    fn the_start_position_is_its_own_image() {
        let start = "3sssss/4ssss/5sss/S5ss/SS5s/SSS5/SSSS4/SSSSS3 w 0 0";
        let other = "3sssss/4ssss/5sss/S5ss/SS5s/SSS5/SSSS4/SSSSS3 b 0 0";
        assert_eq!(image(named("reflection in the diagonal a1-h8"), start), start);
        assert_eq!(image(named("exchange of colours and rotation by 180 degrees"), start), other);
        assert_eq!(image(named("exchange of colours and reflection in the diagonal a8-h1"), start), other);
        assert_ne!(image(named("rotation by 180 degrees"), start), start);
    }

    #[test]
    fn sixteen_with_the_one_that_changes_nothing() {
        let fen = "s7/1(ssS)6/8/8/8/8/8/8 w 3 4";
        let mut images: Vec<String> = SYMMETRIES.all.iter().map(|symmetry| image(symmetry, fen)).collect();
        images.push(fen.to_owned());
        images.sort();
        images.dedup();
        // The position lies on a diagonal: the reflection in it changes nothing.
        assert_eq!((SYMMETRIES.all.len(), images.len()), (15, 8));
        assert_eq!(image(named("rotation by 90 degrees, a1 to h1"), fen), "8/8/8/8/8/8/1(ssS)6/s7 w 3 4");
        assert_eq!(LEFT.squares("a1b3h8", fen), "h1f2a8");
    }
}
