//! The transposition table: results of earlier visits of a position. Bounded, and shared by threads without locks.
//!
//! A slot has two words. The first one is the key xor the second one, so that a slot with words of different writes
//! matches no key.

use std::sync::atomic::{AtomicU64, Ordering};

/// The stored result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The digest of the best move, 0 for none.
    pub digest: u16,
    /// The score as [`super::score::to_table`] gives it.
    pub score: i16,
    /// The depth it was searched to.
    pub depth: u8,
    /// The kind of score.
    pub bound: Bound,
}

/// The relation of a score to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at least the score.
    Lower,
    /// The true value is at most the score.
    Upper,
    /// The true value is the score.
    Exact,
}

/// The table.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    generation: u8,
    /// Whether entries of earlier generations count as empty slots.
    forgets: bool,
}

#[derive(Debug, Default)]
struct Slot {
    /// The position's key xor `data`.
    check: AtomicU64,
    /// 0 for an empty slot.
    data: AtomicU64,
}

/// The slots for a position: one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

const BUCKET: usize = 4;

impl Table {
    /// An empty table of at most `mib` MiB.
    pub fn new(mib: usize) -> Self {
        let n_buckets = ((mib.max(1)) << 20) / size_of::<Bucket>();
        let buckets = std::iter::repeat_with(Default::default).take(n_buckets).collect();
        Self { buckets, generation: 1, forgets: false }
    }

    /// Starts a new search: entries of earlier searches are replaced first, or ignored if `forget` is set.
    pub fn begin_search(&mut self, forget: bool) {
        self.forgets = forget;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            // The generation wraps around: entries of 256 searches ago would count as new.
            self.buckets.iter_mut().for_each(|bucket| *bucket = Bucket::default());
            self.generation = 1;
        }
    }

    /// The result of the position with the fingerprint `key`.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let known = !self.is_empty(data) && slot.check.load(Ordering::Relaxed) ^ data == key;
            known.then(|| unpack(data))
        })
    }

    /// Stores `entry` in place of the position's earlier entry or of the least useful one in its bucket.
    pub fn store(&self, key: u64, entry: Entry) {
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.bucket(key) {
            let data = slot.data.load(Ordering::Relaxed);
            if self.is_empty(data) || slot.check.load(Ordering::Relaxed) ^ data == key {
                victim = Some(slot);
                break;
            }
            let use_ = self.usefulness(data);
            if use_ < least {
                least = use_;
                victim = Some(slot);
            }
        }
        let Some(slot) = victim else { return };
        let data = pack(entry, self.generation);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key ^ data, Ordering::Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    pub fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(1000 / BUCKET)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| generation(slot.data.load(Ordering::Relaxed)) == self.generation)
            .count();
        (used * 1000 / (sample.len() * BUCKET).max(1)) as u32
    }

    /// The slots for a key, selected by its upper half with a multiplication instead of a division.
    fn bucket(&self, key: u64) -> &[Slot; BUCKET] {
        let idx = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[idx as usize].0
    }

    const fn is_empty(&self, data: u64) -> bool {
        data == 0 || self.forgets && generation(data) != self.generation
    }

    /// Deep entries are valuable; those of earlier searches are less so.
    fn usefulness(&self, data: u64) -> i32 {
        let age = i32::from(self.generation.wrapping_sub(generation(data)));
        i32::from(unpack(data).depth) - 8 * age
    }
}

fn pack(entry: Entry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.digest)
        | u64::from(entry.score as u16) << 16
        | u64::from(entry.depth) << 32
        | bound << 40
        | u64::from(generation) << 48
}

const fn unpack(data: u64) -> Entry {
    Entry {
        digest: data as u16,
        score: (data >> 16) as u16 as i16,
        depth: (data >> 32) as u8,
        bound: match data >> 40 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
    }
}

const fn generation(data: u64) -> u8 {
    (data >> 48) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry = Entry { digest: 0xBEEF, score: -31_990, depth: 200, bound: Bound::Upper };

    #[test]
    fn packed_and_back() {
        for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
            let entry = Entry { bound, ..ENTRY };
            assert_eq!(unpack(pack(entry, 255)), entry);
        }
    }

    #[test]
    fn found_again_until_forgotten() {
        let mut table = Table::new(1);
        table.store(7, ENTRY);
        assert_eq!(table.probe(7), Some(ENTRY));
        assert_eq!(table.probe(8), None);
        table.begin_search(false);
        assert_eq!(table.probe(7), Some(ENTRY));
        table.begin_search(true);
        assert_eq!(table.probe(7), None);
    }

    #[test]
    fn generations_begin_anew_with_an_empty_table() {
        let mut table = Table::new(1);
        table.store(7, ENTRY);
        (0..255).for_each(|_| table.begin_search(true));
        assert_eq!(table.probe(7), None);
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest() {
        let table = Table::new(1);
        for key in 0..4 {
            table.store(key, Entry { depth: 10 + key as u8, ..ENTRY });
        }
        table.store(4, Entry { depth: 1, ..ENTRY });
        assert_eq!(table.probe(0), None);
        assert!((1..5).all(|key| table.probe(key).is_some()));
    }

    #[test]
    fn its_size_is_bounded() {
        assert!(size_of_val(&Table::new(3).buckets[..]) <= 3 << 20);
    }
}
