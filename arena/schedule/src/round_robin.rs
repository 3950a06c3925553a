//! Round robin: every engine plays every other engine.

use super::Pairing;

/// The pairings of one round: each pair of contenders in every game that both play.
pub fn round_robin(
    n_contenders: usize,
    n_games: usize,
    plays: impl Fn(usize, usize) -> bool,
) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    for game_idx in 0..n_games {
        for first in 0..n_contenders {
            for second in first + 1..n_contenders {
                if plays(first, game_idx) && plays(second, game_idx) {
                    pairings.push(Pairing { game_idx, limits_idx: 0, contenders: [first, second] });
                }
            }
        }
    }
    pairings
}
