//! How strong an engine shall play: ten levels from a beginner's to all that the search can do. It searches nothing.
//!
//! A weaker level sees fewer positions, and now and then a move slips: it is chosen as by somebody who looked only at what
//! each move does at once, and not too closely.

use engine_proto::Position;
use engine_proto::bits::mix64;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::score::Score;

/// A level from 1 to 10. The highest, the default, holds nothing back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// What a level below the highest may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effort {
    /// Positions to visit beyond the one look at every move.
    nodes: u64,
    /// Of a thousand moves so many slip.
    slips: u32,
}

/// By level, the first being 1.
const EFFORTS: [Effort; 9] = [
    Effort { nodes: 100, slips: 650 },
    Effort { nodes: 130, slips: 500 },
    Effort { nodes: 170, slips: 370 },
    Effort { nodes: 230, slips: 265 },
    Effort { nodes: 330, slips: 180 },
    Effort { nodes: 500, slips: 115 },
    Effort { nodes: 900, slips: 65 },
    Effort { nodes: 1_800, slips: 30 },
    Effort { nodes: 4_000, slips: 9 },
];

impl Level {
    /// The weakest.
    pub const LOWEST: Self = Self(1);
    /// The strongest: nothing is held back.
    pub const FULL: Self = Self(10);

    /// The level with this number, if there is one.
    pub const fn new(number: u8) -> Option<Self> {
        if Self::LOWEST.0 <= number && number <= Self::FULL.0 { Some(Self(number)) } else { None }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The positions that it may visit where there are `n_moves` to choose from; `None` for no limit of its own.
    pub fn nodes(self, n_moves: usize) -> Option<u64> {
        self.effort().map(|effort| n_moves as u64 + effort.nodes)
    }

    /// If the move in `position` slips, the index of what is played instead: of the moves, of which `looks` says what each
    /// leads to at once, the best as seen through a haze of up to twice `spread`. Depends on the position and the seed alone.
    pub fn slip<P: Position>(self, position: &P, seed: u64, spread: Score, looks: &[Score]) -> Option<usize> {
        let slips = self.effort()?.slips;
        let seed = mix64(mix64(seed) ^ position.fingerprint() ^ u64::from(position.ply()));
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        if !rng.random_ratio(slips, 1000) {
            return None;
        }
        let haze = 2 * spread;
        let hazy = looks.iter().map(|look| look + rng.random_range(-haze..=haze));
        hazy.enumerate().max_by_key(|(_, look)| *look).map(|(idx, _)| idx)
    }

    fn effort(self) -> Option<Effort> {
        EFFORTS.get(usize::from(self.0) - 1).copied()
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
        assert_eq!(Level::FULL.nodes(20), None);
    }

    #[test]
    fn each_level_is_given_at_least_as_much_as_the_one_below() {
        for pair in EFFORTS.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[1].slips <= pair[0].slips, "{pair:?}");
            assert_ne!(pair[0], pair[1]);
        }
    }

    #[test]
    fn slips_are_as_many_as_said() {
        let position = PushPush::startpos();
        let slips =
            (0..2_000).filter(|&seed| Level::LOWEST.slip(&position, seed, 200, &[0, 0]).is_some()).count();
        let expected = EFFORTS[0].slips as usize * 2;
        // Five standard deviations of the most widely spread count there is.
        assert!(slips.abs_diff(expected) < 112, "{slips} of 2000");
        assert_eq!(Level::FULL.slip(&position, 1, 200, &[0, 0]), None);
    }

    #[test]
    fn a_slip_leaves_out_what_is_plainly_worse() {
        let position = PushPush::startpos();
        let slips = (0..200).filter_map(|seed| Level::LOWEST.slip(&position, seed, 100, &[-500, 0, 90]));
        let chosen: Vec<usize> = slips.collect();
        assert!(chosen.contains(&1) && chosen.contains(&2) && !chosen.contains(&0));
    }
}
