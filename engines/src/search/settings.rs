//! The settings of a search, and the randomness that depends on them.

use engine_proto::Position;
use engine_proto::bits::mix64;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::level::Level;
use super::pruning::Numbers;
use crate::eval::Evaluation;

/// The engines' options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The memory for stored positions, in MiB.
    pub hash_mib: usize,
    /// The number of threads that search.
    pub threads: usize,
    /// Breaks ties between equal moves.
    pub seed: u64,
    /// The strength.
    pub level: Level,
    /// How alpha-beta evaluates positions. The other engines, and levels below the highest, use the classic evaluation
    /// unless this is [`Evaluation::Network`].
    pub evaluation: Evaluation,
    /// The number of best moves to report, each with its line.
    pub lines: usize,
    /// Whether to resign what is hopeless.
    pub resigns: bool,
    /// Whether to offer draws and to accept them.
    pub draws: bool,
    /// The numbers of the selective search.
    pub numbers: Numbers,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            seed: 0,
            level: Level::FULL,
            evaluation: Evaluation::Auto,
            lines: 1,
            resigns: false,
            draws: false,
            numbers: Numbers::default(),
        }
    }
}

impl Settings {
    /// Shuffles the moves of `position`. The order depends only on the seed and the position.
    pub fn shuffle<P: Position>(&self, position: &P, moves: &mut [P::Move]) {
        let seed = mix64(self.seed) ^ position.fingerprint();
        moves.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
    }
}
