//! The strength of an engine: ten levels, from a beginner to the full search.
//!
//! A weaker level searches fewer positions. Sometimes it plays a weaker move on purpose: the best one by a noisy
//! evaluation after each move, without a search.

use engine_proto::Position;
use engine_proto::bits::mix64;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::score::Score;

/// A level from 1 to 10. The highest one, which is the default, has no limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// The limits of the levels below the highest, starting with level 1.
pub type Efforts = [Effort; 9];

/// The limits of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The number of positions to search, in addition to one evaluation of each move.
    pub nodes: u64,
    /// Mistakes per 1000 moves.
    pub slips: u32,
}

/// The default efforts of a game: about equal steps in Elo if twice the positions are worth at least 100 Elo.
pub const EFFORTS: Efforts = [
    Effort::new(100, 620),
    Effort::new(140, 470),
    Effort::new(210, 345),
    Effort::new(330, 240),
    Effort::new(520, 165),
    Effort::new(800, 115),
    Effort::new(1_600, 60),
    Effort::new(3_000, 30),
    Effort::new(6_000, 12),
];

impl Level {
    /// The weakest.
    pub const LOWEST: Self = Self(1);
    /// The strongest: without limits.
    pub const FULL: Self = Self(10);

    /// The level with this number, if there is one.
    pub const fn new(number: u8) -> Option<Self> {
        if Self::LOWEST.0 <= number && number <= Self::FULL.0 { Some(Self(number)) } else { None }
    }

    /// The number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The effort of this level in `efforts`; `None` without limits.
    pub fn effort(self, efforts: &Efforts) -> Option<Effort> {
        efforts.get(usize::from(self.0) - 1).copied()
    }
}

impl Effort {
    /// This number of positions, and of mistakes per 1000 moves.
    pub const fn new(nodes: u64, slips: u32) -> Self {
        Self { nodes, slips }
    }

    /// The number of positions that may be searched if there are `n_moves` moves.
    pub const fn nodes_for(self, n_moves: usize) -> u64 {
        n_moves as u64 + self.nodes
    }

    /// If the level makes a mistake in `position`, the index of the move to play instead: the best one by the values in
    /// `looks` with noise of up to twice `spread`. It depends only on the position and the seed.
    pub fn slip<P: Position>(self, position: &P, seed: u64, spread: Score, looks: &[Score]) -> Option<usize> {
        let seed = mix64(mix64(seed) ^ position.fingerprint() ^ u64::from(position.ply()));
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        if !rng.random_ratio(self.slips, 1000) {
            return None;
        }
        let haze = 2 * spread;
        let hazy = looks.iter().map(|look| look + rng.random_range(-haze..=haze));
        hazy.enumerate().max_by_key(|(_, look)| *look).map(|(idx, _)| idx)
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_proto::games::push_push::PushPush;

    #[test]
    fn levels_are_ten() {
        let numbers: Vec<u8> = (0..=255).filter_map(Level::new).map(Level::number).collect();
        assert_eq!(numbers, (1..=10).collect::<Vec<u8>>());
        assert_eq!(Level::FULL.effort(&EFFORTS), None);
        assert_eq!(Level::LOWEST.effort(&EFFORTS), Some(EFFORTS[0]));
    }

    #[test]
    fn slips_are_as_many_as_said() {
        let position = PushPush::startpos();
        let slips =
            (0..2_000).filter(|&seed| EFFORTS[0].slip(&position, seed, 200, &[0, 0]).is_some()).count();
        let expected = EFFORTS[0].slips as usize * 2;
        // Five standard deviations of the widest possible distribution of the count.
        assert!(slips.abs_diff(expected) < 112, "{slips} of 2000");
    }

    #[test]
    fn a_slip_leaves_out_what_is_plainly_worse() {
        let position = PushPush::startpos();
        let slips = (0..200).filter_map(|seed| EFFORTS[0].slip(&position, seed, 100, &[-500, 0, 90]));
        let chosen: Vec<usize> = slips.collect();
        assert!(chosen.contains(&1) && chosen.contains(&2) && !chosen.contains(&0));
    }
}
