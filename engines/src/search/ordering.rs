//! Move ordering: the table's move, forcing moves, and moves that were good elsewhere. It prunes nothing.

use std::hash::{Hash, Hasher};

use engine_proto::{Position, Side};

use crate::eval::Evaluator;

/// A move with its rank.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Its digest.
    pub digest: u16,
    /// Whether the evaluator calls it forcing.
    pub forcing: bool,
    /// Moves with a higher rank are searched first.
    pub rank: i32,
}

impl<M: Copy + Hash> Candidate<M> {
    /// A move of which nothing is known yet.
    pub fn new(mv: M) -> Self {
        Self { mv, digest: digest(&mv), forcing: false, rank: 0 }
    }
}

/// What one thread learnt about moves during a match: killers by ply, history by side.
#[derive(Clone, Debug)]
pub struct Memory<P: Position> {
    killers: Vec<[Option<P::Move>; 2]>,
    history: [Vec<i16>; 2],
    /// For each side and previous move: the last move that refuted it.
    answers: [Vec<Option<P::Move>>; 2],
}

/// The place of a refutation.
#[derive(Clone, Copy, Debug)]
pub struct Refuted {
    /// The side to move.
    pub side: Side,
    /// Its ply.
    pub ply: usize,
    /// The digest of the move before; 0 if there is none.
    pub before: u16,
    /// The depth of the search that found the refutation.
    pub depth: i32,
}

/// The base of forcing moves' ranks.
pub const FORCING: i32 = 1 << 24;
/// The rank of the newer killer; the older one follows.
const KILLER: i32 = 1 << 20;
/// The rank of the move that refuted the previous move elsewhere.
const ANSWER: i32 = KILLER - 2;
/// The number of moves that are picked one by one; the others are sorted, if they are needed.
const PICKED: usize = 6;
/// The limit of the history counters.
const HISTORY_MAX: i32 = 1 << 14;
const SLOTS: usize = 1 << 12;

impl<P: Position> Memory<P> {
    /// Empty; for lines of at most `plies`.
    pub fn new(plies: usize) -> Self {
        Self {
            killers: vec![[None; 2]; plies],
            history: [vec![0; SLOTS], vec![0; SLOTS]],
            answers: [vec![None; SLOTS], vec![None; SLOTS]],
        }
    }

    /// Prepares for another search: the plies of killers are shifted, and the history is reduced or cleared.
    pub fn begin_search(&mut self, forget: bool) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().flatten().for_each(|count| *count = if forget { 0 } else { *count / 4 });
        if forget {
            self.answers.iter_mut().for_each(|answers| answers.fill(None));
        }
    }

    /// The rank of a quiet move at `ply` after the move with the digest `before`.
    pub fn rank(&self, side: Side, ply: usize, before: u16, mv: P::Move, digest: u16) -> i32 {
        match self.killers[ply] {
            [Some(newer), _] if newer == mv => KILLER,
            [_, Some(older)] if older == mv => KILLER - 1,
            _ if before != 0 && self.answers[side.index()][slot(before)] == Some(mv) => ANSWER,
            _ => i32::from(self.history[side.index()][slot(digest)]),
        }
    }

    /// Whether `mv` is one of the killers of `ply`.
    pub fn is_killer(&self, ply: usize, mv: P::Move) -> bool {
        self.killers[ply].contains(&Some(mv))
    }

    /// Learns that the quiet move `best` refuted a position, after the moves `tried` had not.
    pub fn reward(&mut self, at: Refuted, best: &Candidate<P::Move>, tried: &[Candidate<P::Move>]) {
        let Refuted { side, ply, before, depth } = at;
        if before != 0 {
            self.answers[side.index()][slot(before)] = Some(best.mv);
        }
        if self.killers[ply][0] != Some(best.mv) {
            self.killers[ply] = [Some(best.mv), self.killers[ply][0]];
        }
        let bonus = (depth * depth * 16).min(HISTORY_MAX / 8);
        self.shift(side, best.digest, bonus);
        for candidate in tried.iter().filter(|candidate| !candidate.forcing) {
            self.shift(side, candidate.digest, -bonus);
        }
    }

    /// Changes a counter by `bonus`, less near the limit.
    fn shift(&mut self, side: Side, digest: u16, bonus: i32) {
        let count = &mut self.history[side.index()][slot(digest)];
        let old = i32::from(*count);
        *count = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
    }
}

const fn slot(digest: u16) -> usize {
    digest as usize % SLOTS
}

/// Fills `candidates` with the forcing moves of `position`, ranked; `moves` is room to list them all.
pub fn list_forcing<P: Position, E: Evaluator<P>>(
    evaluator: &E,
    position: &P,
    moves: &mut Vec<P::Move>,
    candidates: &mut Vec<Candidate<P::Move>>,
) {
    moves.clear();
    position.legal_moves(moves);
    candidates.clear();
    let forcing = moves.iter().filter(|&&mv| evaluator.is_forcing(position, mv));
    candidates.extend(forcing.map(|&mv| {
        let rank = FORCING + evaluator.promise(position, mv);
        Candidate { mv, digest: 0, forcing: true, rank }
    }));
}

/// Moves the candidate with the highest rank in `candidates[from..]` to `from`. The ones before must have been picked
/// in the same way.
pub fn bring_best<M: Copy>(candidates: &mut [Candidate<M>], from: usize) {
    if from >= PICKED {
        if from == PICKED {
            candidates[from..].sort_unstable_by_key(|candidate| -candidate.rank);
        }
        return;
    }
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

/// A small multiplicative hash function. The standard one is slow for short keys and may change between versions.
struct Folding(u64);

impl Folding {
    const fn add(&mut self, word: u64) {
        self.0 = self.0.rotate_left(8) ^ word;
    }
}

impl Hasher for Folding {
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
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
        assert!(digests.len() > 3_500, "{} of 4096", digests.len());
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
