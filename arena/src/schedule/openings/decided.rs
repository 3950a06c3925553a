//! Whether a position is decided: whether a side can force the end at once. A search of every line, for openings only.

use engine_proto::{Position, Side};

/// Within this number of plies no side can force the end of an opening.
const SAFE_PLIES: u32 = 3;

/// Whether the game is over, or a side can force within [`SAFE_PLIES`] that it is over and not lost for that side.
pub(super) fn is_decided<P: Position>(position: &P) -> bool {
    position.end().is_some() || Side::ALL.iter().any(|&side| can_force_end(position, side, SAFE_PLIES))
}

fn can_force_end<P: Position>(position: &P, side: Side, plies: u32) -> bool {
    if let Some(end) = position.end() {
        return end.winner != Some(!side);
    }
    if plies == 0 {
        return false;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut leads_there = |mv: &P::Move| {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        can_force_end(&next, side, plies - 1)
    };
    if position.side_to_move() == side {
        moves.iter().any(&mut leads_there)
    } else {
        moves.iter().all(leads_there)
    }
}

#[cfg(test)]
mod tests {
    use engine_proto::{GameId, GameWork};

    use super::*;

    #[test]
    fn a_position_that_is_won_at_once_is_decided() {
        let decided = |game: GameId, fen: &str| {
            struct Look<'a>(&'a str);
            impl GameWork for Look<'_> {
                type Output = bool;
                fn run<P: Position>(self) -> bool {
                    is_decided(&self.0.parse::<P>().unwrap())
                }
            }
            game.with(Look(fen))
        };
        // White pushes the ball over rank 7 now; the other side could not, were it on the move.
        assert!(decided(GameId::PushPush, "3*3/3C3/7/7/7/7/7 w - - 5 40"));
        assert!(!decided(GameId::PushPush, "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0"));
        // White has one move, the king's death: an end, but none that White would force.
        let pit = "5k/6/6/6/6/K5 w 000000/000000/000000/000000/000000/200000 - 0 4 4";
        assert!(decided(GameId::Push, pit), "Black can count on it");
    }
}
