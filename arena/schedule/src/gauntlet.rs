//! Gauntlet: some engines (seeds) play all others, for example new engines against known ones.

use super::{Pairing, round_robin};

/// Whether seeds also play each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// Seeds play only the others.
    Apart,
    /// Seeds also play each other.
    Meet,
}

/// The pairings of one round: those of a round robin with one seed, or with two if seeds play each other. `is_seed`
/// has an entry for each contender.
pub fn gauntlet(
    is_seed: &[bool],
    seeds: Seeds,
    n_games: usize,
    plays: impl Fn(usize, usize) -> bool,
) -> Vec<Pairing> {
    let mut pairings = round_robin(is_seed.len(), n_games, plays);
    pairings.retain(|pairing| match pairing.contenders.map(|contender| is_seed[contender]) {
        [true, true] => seeds == Seeds::Meet,
        [first, second] => first || second,
    });
    pairings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn who_meets(is_seed: &[bool], seeds: Seeds) -> Vec<[usize; 2]> {
        gauntlet(is_seed, seeds, 1, |_, _| true).iter().map(|pairing| pairing.contenders).collect()
    }

    #[test]
    fn seeds_meet_all_others() {
        assert_eq!(who_meets(&[true, false, false, false], Seeds::Apart), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(who_meets(&[false, false, true], Seeds::Meet), [[0, 2], [1, 2]]);
        assert_eq!(who_meets(&[true, false, true, false], Seeds::Apart), [[0, 1], [0, 3], [1, 2], [2, 3]]);
        assert_eq!(
            who_meets(&[true, false, true, false], Seeds::Meet),
            [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3]]
        );
    }

    #[test]
    fn only_in_games_that_both_play() {
        let pairings = gauntlet(&[true, false, false], Seeds::Apart, 2, |who, game| (who, game) != (1, 0));
        let of_game = |game| pairings.iter().filter(|pairing| pairing.game_idx == game).count();
        assert_eq!([of_game(0), of_game(1)], [1, 2]);
    }
}
