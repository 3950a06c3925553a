//! Scores: centi-units from the side to move, with wins and losses told by their distance. No search here.

use engine_proto::proto;
use engine_proto::{End, Side};

/// What a position is worth to the side to move, in hundredths of the evaluation's unit.
///
/// Beyond [`PROVEN`] it is a proven win, the higher the sooner it comes: `WIN - n` is won in `n` plies.
pub type Score = i32;

/// A win on the spot.
pub const WIN: Score = 32_000;
/// The least score of a proven win; what an evaluation says stays below.
pub const PROVEN: Score = 31_000;
/// Neither side is better.
pub const DRAW: Score = 0;
/// Above every score.
pub const INFINITY: Score = WIN + 1;
/// No line of a search is longer than this, so that a win's distance always fits between [`PROVEN`] and [`WIN`].
pub const MAX_PLY: usize = 128;

/// The score of a game that is over `ply` plies from the root, for `side`.
pub fn of_end(end: End, side: Side, ply: usize) -> Score {
    match end.winner {
        None => DRAW,
        Some(winner) if winner == side => WIN - ply as Score,
        Some(_) => ply as Score - WIN,
    }
}

/// An evaluation, kept clear of the proven scores.
pub fn of_evaluation(value: i32) -> Score {
    value.clamp(1 - PROVEN, PROVEN - 1)
}

/// Whether the outcome is settled, not estimated.
pub const fn is_proven(score: Score) -> bool {
    PROVEN <= score.abs()
}

/// The number of plies to the end, of a proven score.
pub const fn distance(score: Score) -> u32 {
    (WIN - score.abs()).unsigned_abs()
}

/// The score as the protocol has it. A move is one decision of one side, so a distance in moves is one in plies.
pub fn to_proto(score: Score) -> proto::Score {
    match score {
        PROVEN.. => proto::Score::Win(distance(score)),
        _ if score <= -PROVEN => proto::Score::Loss(distance(score)),
        _ => proto::Score::Centi(score),
    }
}

/// A score at `ply` plies from the root, as the table keeps it: wins are counted from the position itself.
pub fn to_table(score: Score, ply: usize) -> i16 {
    let kept = match score {
        PROVEN.. => score + ply as Score,
        _ if score <= -PROVEN => score - ply as Score,
        _ => score,
    };
    kept.clamp(-WIN, WIN) as i16
}

/// The inverse of [`to_table`].
pub fn from_table(kept: i16, ply: usize) -> Score {
    let kept = Score::from(kept);
    match kept {
        PROVEN.. => kept - ply as Score,
        _ if kept <= -PROVEN => kept + ply as Score,
        _ => kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_survive_the_table() {
        for score in [0, 57, -3_000, WIN - 9, 9 - WIN] {
            assert_eq!(from_table(to_table(score, 5), 5), score);
        }
        let won_in_four_from_here = to_table(WIN - 9, 5);
        assert_eq!(from_table(won_in_four_from_here, 7), WIN - 11);
    }

    #[test]
    fn ends_are_seen_from_a_side() {
        let end = End::win(Side::Black, "test");
        assert_eq!(of_end(end, Side::Black, 3), WIN - 3);
        assert_eq!(of_end(end, Side::White, 3), 3 - WIN);
        assert_eq!(of_end(End::draw("test"), Side::White, 3), DRAW);
    }

    #[test]
    fn the_protocol_counts_plies() {
        assert_eq!(to_proto(WIN - 3), proto::Score::Win(3));
        assert_eq!(to_proto(4 - WIN), proto::Score::Loss(4));
        assert_eq!(to_proto(-12), proto::Score::Centi(-12));
        assert_eq!(to_proto(of_evaluation(1_000_000)), proto::Score::Centi(PROVEN - 1));
    }
}
