//! Which moves to look at first: the table's, forcing ones, those that were good elsewhere. It prunes nothing.

use std::hash::{Hash, Hasher};

use engine_proto::{Position, Side};

/// A move with what the ordering knows of it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Its digest.
    pub digest: u16,
    /// Whether the evaluator calls it forcing.
    pub forcing: bool,
    /// The higher, the sooner it is looked at.
    pub rank: i32,
}

/// What one thread has learnt about moves during a game: killers by ply, history by side.
#[derive(Clone, Debug)]
pub struct Memory<P: Position> {
    killers: Vec<[Option<P::Move>; 2]>,
    history: [Vec<i16>; 2],
}

/// The rank of the table's move.
pub const TABLE_MOVE: i32 = 1 << 28;
/// The base of forcing moves' ranks.
pub const FORCING: i32 = 1 << 24;
/// The rank of the newer killer; the older one comes right after.
const KILLER: i32 = 1 << 20;
/// Bounds the history counters.
const HISTORY_MAX: i32 = 1 << 14;
const HISTORY_SLOTS: usize = 1 << 12;

impl<P: Position> Memory<P> {
    /// Nothing learnt yet; for lines of at most `plies`.
    pub fn new(plies: usize) -> Self {
        Self { killers: vec![[None; 2]; plies], history: [vec![0; HISTORY_SLOTS], vec![0; HISTORY_SLOTS]] }
    }

    /// Makes ready for another search: the killers' plies have moved, and the history grows old, or is forgotten.
    pub fn begin_search(&mut self, forget: bool) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().flatten().for_each(|count| *count = if forget { 0 } else { *count / 4 });
    }

    /// The rank of a move that is neither the table's nor forcing.
    pub fn rank(&self, side: Side, ply: usize, mv: P::Move, digest: u16) -> i32 {
        match self.killers[ply] {
            [Some(newer), _] if newer == mv => KILLER,
            [_, Some(older)] if older == mv => KILLER - 1,
            _ => i32::from(self.history[side.index()][slot(digest)]),
        }
    }

    /// Whether `mv` is one of the killers of `ply`.
    pub fn is_killer(&self, ply: usize, mv: P::Move) -> bool {
        self.killers[ply].contains(&Some(mv))
    }

    /// `best`, which is not forcing, refuted the position at `ply` after the moves `tried` had not.
    pub fn reward(
        &mut self,
        side: Side,
        ply: usize,
        depth: i32,
        best: &Candidate<P::Move>,
        tried: &[Candidate<P::Move>],
    ) {
        if self.killers[ply][0] != Some(best.mv) {
            self.killers[ply] = [Some(best.mv), self.killers[ply][0]];
        }
        let bonus = (depth * depth * 16).min(HISTORY_MAX / 8);
        self.shift(side, best.digest, bonus);
        for candidate in tried.iter().filter(|candidate| !candidate.forcing) {
            self.shift(side, candidate.digest, -bonus);
        }
    }

    /// Moves a counter by `bonus`, the less the nearer it is to the bound.
    fn shift(&mut self, side: Side, digest: u16, bonus: i32) {
        let count = &mut self.history[side.index()][slot(digest)];
        let old = i32::from(*count);
        *count = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}

const fn slot(digest: u16) -> usize {
    digest as usize % HISTORY_SLOTS
}

/// Brings the highest ranking of `candidates[from..]` to `from`.
pub fn bring_best<M: Copy>(candidates: &mut [Candidate<M>], from: usize) {
    let best = (from + 1..candidates.len())
        .fold(from, |best, idx| if candidates[best].rank < candidates[idx].rank { idx } else { best });
    candidates.swap(from, best);
}

/// A 16-bit digest of a move, never 0, the same in every run and on every machine.
pub fn digest<M: Hash>(mv: &M) -> u16 {
    let mut hasher = Folding(0);
    mv.hash(&mut hasher);
    let folded = hasher.finish();
    ((folded >> 48) as u16).max(1)
}

/// A small multiplicative hasher. The standard one is slow for keys of a few bytes and not fixed for ever.
struct Folding(u64);

impl Folding {
    const fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Folding {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.add(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.add(u64::from(n));
    }

    fn write_u16(&mut self, n: u16) {
        self.add(u64::from(n));
    }

    fn write_u32(&mut self, n: u32) {
        self.add(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.add(n as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_tell_moves_apart() {
        let mut digests: Vec<u16> =
            (0..64_u8).flat_map(|from| (0..64_u8).map(move |to| digest(&(from, to)))).collect();
        digests.sort_unstable();
        digests.dedup();
        assert!(3_500 < digests.len(), "{} of 4096", digests.len());
        assert_eq!(digest(&(3_u8, 7_u8)), digest(&(3_u8, 7_u8)));
    }

    #[test]
    fn the_best_comes_first() {
        let mut candidates = [3, 9, 5].map(|rank| Candidate { mv: rank, digest: 0, forcing: false, rank });
        bring_best(&mut candidates, 0);
        bring_best(&mut candidates, 1);
        assert_eq!(candidates.map(|candidate| candidate.mv), [9, 5, 3]);
    }
}
