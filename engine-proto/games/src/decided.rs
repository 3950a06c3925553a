//! Whether a position is decided: whether a side can force the end soon. It searches all lines and evaluates nothing.

use crate::{Position, Side};

/// Whether the game is over by its own rules, or a side can force an end within `plies` that is not a loss for itself.
pub fn is_decided<P: Position>(position: &P, plies: u32) -> bool {
    position.end().is_some() || Side::ALL.iter().any(|&side| can_force_end(position, side, plies))
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
    use crate::{GameId, Games};

    #[test]
    fn a_position_that_is_won_at_once_is_decided() {
        let decided = |game: GameId, fen: &str| Games::built_in().play(game, fen).unwrap().is_decided(3);
        // White can push the ball over rank 7 now; Black could not do it if it were to move.
        assert!(decided(GameId::PUSH_PUSH, "3*3/3C3/7/7/7/7/7 w - - 5 40"));
        assert!(!decided(GameId::PUSH_PUSH, "abcdcba/7/7/3*3/7/7/ABCDCBA w - - 0 0"));
        // White's only move ends the game by the death of its king: an end, but a loss for White.
        let pit = "5k/6/6/6/6/K5 w 000000/000000/000000/000000/000000/200000 - 0 4 4";
        assert!(decided(GameId::PUSH, pit), "Black can count on it");
    }
}
