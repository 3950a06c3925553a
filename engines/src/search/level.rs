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

/// What the levels below the highest may do: the first is that of level 1.
pub type Efforts = [Effort; 9];

/// What a level may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions to visit beyond the one look at every move.
    pub nodes: u64,
    /// Of a thousand moves so many slip.
    pub slips: u32,
}

/// The efforts of games that have none of their own: about even steps in Elo where twice the positions are worth 100 Elo
/// and more.
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

    /// The effort that `efforts` have for it; `None` where nothing is held back.
    pub fn effort(self, efforts: &Efforts) -> Option<Effort> {
        efforts.get(usize::from(self.0) - 1).copied()
    }
}

impl Effort {
    /// So many positions, and so many slips of a thousand moves.
    pub const fn new(nodes: u64, slips: u32) -> Self {
        Self { nodes, slips }
    }

    /// The positions that may be visited where there are `n_moves` to choose from.
    pub const fn nodes_for(self, n_moves: usize) -> u64 {
        n_moves as u64 + self.nodes
    }

    /// If the move in `position` slips, the index of what is played instead: of the moves, of which `looks` says what each
    /// leads to at once, the best as seen through a haze of up to twice `spread`. Depends on the position and the seed alone.
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
        // Five standard deviations of the most widely spread count there is.
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
