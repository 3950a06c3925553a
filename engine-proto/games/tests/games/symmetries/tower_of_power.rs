//! The section Symmetries, as maps of texts: they know positions and moves by their spelling alone.

use std::fmt::Write as _;

use super::{Symmetry, other_case, other_side};
use crate::common::map_squares;
use games::Square;

/// All but the one that leaves everything as it is.
pub const ALL: &[Symmetry] = &[
    Map::<false, true, false, false>::symmetry("reflection that swaps the files"),
    Map::<false, false, true, false>::symmetry("reflection that swaps the ranks"),
    Map::<false, true, true, false>::symmetry("rotation by 180 degrees"),
    Map::<true, false, false, false>::symmetry("reflection in the diagonal a1-h8"),
    Map::<true, true, true, false>::symmetry("reflection in the diagonal a8-h1"),
    Map::<true, true, false, false>::symmetry("rotation by 90 degrees, a1 to h1"),
    Map::<true, false, true, false>::symmetry("rotation by 90 degrees, a1 to a8"),
    Map::<false, false, false, true>::symmetry("exchange of colours"),
    Map::<false, true, false, true>::symmetry("exchange of colours and reflection that swaps the files"),
    Map::<false, false, true, true>::symmetry("exchange of colours and reflection that swaps the ranks"),
    Map::<false, true, true, true>::symmetry("exchange of colours and rotation by 180 degrees"),
    Map::<true, false, false, true>::symmetry("exchange of colours and reflection in the diagonal a1-h8"),
    Map::<true, true, true, true>::symmetry("exchange of colours and reflection in the diagonal a8-h1"),
    Map::<true, true, false, true>::symmetry("exchange of colours and rotation by 90 degrees, a1 to h1"),
    Map::<true, false, true, true>::symmetry("exchange of colours and rotation by 90 degrees, a1 to a8"),
];

/// A map: files and ranks change places, then the files are turned round, then the ranks; and the colours change.
struct Map<const TRANSPOSED: bool, const FILES: bool, const RANKS: bool, const COLOURS: bool>;

impl<const TRANSPOSED: bool, const FILES: bool, const RANKS: bool, const COLOURS: bool>
    Map<TRANSPOSED, FILES, RANKS, COLOURS>
{
    const fn symmetry(name: &'static str) -> Symmetry {
        Symmetry { name, fen: Self::fen, mv: Self::mv, swaps_winner: COLOURS }
    }

    fn fen(fen: &str) -> Option<String> {
        let [board, side, counters] = fen.splitn(3, ' ').collect::<Vec<_>>().try_into().ok()?;
        let mut image = vec![vec![String::new(); 8]; 8];
        for (row, rank) in board.split('/').enumerate() {
            for (file, stack) in squares(rank).into_iter().enumerate() {
                let (file, rank) = Self::square(file, 7 - row);
                image[7 - rank][file] = if COLOURS { other_case(&stack) } else { stack };
            }
        }
        let ranks: Vec<String> = image.iter().map(|squares| rank_text(squares)).collect();
        let side = if COLOURS { other_side(side) } else { side };
        Some(format!("{} {side} {counters}", ranks.join("/")))
    }

    fn mv(_fen: &str, mv: &str) -> String {
        map_squares(mv, |square| {
            let (file, rank) = Self::square(square.file.into(), square.rank.into());
            Square { file: file as u8, rank: rank as u8 }
        })
    }

    /// The image of a square, by file and rank from 0.
    const fn square(file: usize, rank: usize) -> (usize, usize) {
        let (file, rank) = if TRANSPOSED { (rank, file) } else { (file, rank) };
        (if FILES { 7 - file } else { file }, if RANKS { 7 - rank } else { rank })
    }
}

/// The text of each square of a rank; an empty square's is empty.
fn squares(rank: &str) -> Vec<String> {
    let mut squares = Vec::new();
    let mut rest = rank.chars();
    while let Some(sign) = rest.next() {
        if let Some(run) = sign.to_digit(10) {
            squares.extend((0..run).map(|_| String::new()));
        } else if sign == '(' {
            let stones: String = rest.by_ref().take_while(|&sign| sign != ')').collect();
            squares.push(format!("({stones})"));
        } else {
            squares.push(sign.to_string());
        }
    }
    squares
}

/// The text of a rank: the inverse of [`squares`].
fn rank_text(squares: &[String]) -> String {
    let mut text = String::new();
    for group in squares.chunk_by(|left, right| left.is_empty() && right.is_empty()) {
        if group[0].is_empty() {
            write!(text, "{}", group.len()).expect("a string takes all that is written");
        } else {
            text.push_str(&group[0]);
        }
    }
    text
}

mod tests {
    use super::*;

    /// What the page says of the start position.
    #[test]
    fn the_start_position_is_its_own_image() {
        let start = "3sssss/4ssss/5sss/S5ss/SS5s/SSS5/SSSS4/SSSSS3 w 0 0";
        let other = "3sssss/4ssss/5sss/S5ss/SS5s/SSS5/SSSS4/SSSSS3 b 0 0";
        let image = |name: &str| {
            let symmetry = ALL.iter().find(|symmetry| symmetry.name == name).unwrap();
            (symmetry.fen)(start).unwrap()
        };
        assert_eq!(image("reflection in the diagonal a1-h8"), start);
        assert_eq!(image("exchange of colours and rotation by 180 degrees"), other);
        assert_eq!(image("exchange of colours and reflection in the diagonal a8-h1"), other);
        assert_ne!(image("rotation by 180 degrees"), start);
    }

    #[test]
    fn sixteen_with_the_one_that_changes_nothing() {
        let fen = "s7/1(ssS)6/8/8/8/8/8/8 w 3 4";
        let mut images: Vec<String> = ALL.iter().map(|symmetry| (symmetry.fen)(fen).unwrap()).collect();
        images.push(fen.to_owned());
        images.sort();
        images.dedup();
        // The position lies on a diagonal: the reflection in it changes nothing.
        assert_eq!((ALL.len(), images.len()), (15, 8));
        let quarter =
            ALL.iter().find(|symmetry| symmetry.name == "rotation by 90 degrees, a1 to h1").unwrap();
        assert_eq!((quarter.fen)(fen).unwrap(), "8/8/8/8/8/8/1(ssS)6/s7 w 3 4");
        assert_eq!((quarter.mv)(fen, "a1b3h8"), "h1f2a8");
    }
}
