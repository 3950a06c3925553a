//! Scores: centi-units from the view of the side to move, and proven wins and losses with their distance.

use engine_proto::proto;
use engine_proto::{End, Side};

/// The value of a position for the side to move, in hundredths of the evaluation's unit.
///
/// Above [`PROVEN`], it is a proven win: `WIN - n` is a win in `n` plies.
pub type Score = i32;

/// A win in the current position.
pub const WIN: Score = 32_000;
/// The lowest score of a proven win. Evaluations stay below it.
pub const PROVEN: Score = 31_000;
/// Neither side is better.
pub const DRAW: Score = 0;
/// Higher than every score.
pub const INFINITY: Score = WIN + 1;
/// The maximum length of a line, so that a win's distance always fits between [`PROVEN`] and [`WIN`].
pub const MAX_PLY: usize = 128;

/// The score of a game that is over `ply` plies from the root, for `side`.
pub fn of_end(end: End, side: Side, ply: usize) -> Score {
    match end.winner {
        None => DRAW,
        Some(winner) if winner == side => WIN - ply as Score,
        Some(_) => ply as Score - WIN,
    }
}

/// An evaluation, limited to the range below the proven scores.
pub fn of_evaluation(value: i32) -> Score {
    value.clamp(1 - PROVEN, PROVEN - 1)
}

/// Whether the outcome is proven, not estimated.
pub const fn is_proven(score: Score) -> bool {
    score.abs() >= PROVEN
}

/// The number of plies to the end, for a proven score.
pub const fn distance(score: Score) -> u32 {
    (WIN - score.abs()).unsigned_abs()
}

/// The score in the protocol's terms. A move is one decision of one side, so a distance in moves equals one in plies.
pub fn to_proto(score: Score) -> proto::Score {
    match score {
        PROVEN.. => proto::Score::Win(distance(score)),
        _ if score <= -PROVEN => proto::Score::Loss(distance(score)),
        _ => proto::Score::Centi(score),
    }
}

/// A score at `ply` plies from the root, as stored in the table: wins are counted from the position itself.
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
