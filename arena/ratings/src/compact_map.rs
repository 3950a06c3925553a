//! A map from fingerprints to small values that uses little memory, for maps with a million entries. Entries are never
//! removed.

use std::collections::HashMap;

/// The newest entries are in a hash map, all others in sorted lists. The newest are at most an eighth, so the memory is
/// close to that of the lists; and a merge comes once per eighth, so adding takes constant time on average.
#[derive(Clone, Debug, Default)]
pub(super) struct CompactMap<V> {
    /// Sorted; the value of each has the same index.
    keys: Vec<u64>,
    values: Vec<V>,
    recent: HashMap<u64, V>,
}

/// The minimum number of new entries that stay in the hash map.
const FEWEST_RECENT: usize = 1024;

impl<V: Copy + Default> CompactMap<V> {
    /// The value of `key`.
    pub(super) fn get(&self, key: u64) -> Option<V> {
        self.recent.get(&key).or_else(|| self.values.get(self.keys.binary_search(&key).ok()?)).copied()
    }

    /// Sets the value of `key`, and returns the previous one.
    pub(super) fn insert(&mut self, key: u64, value: V) -> Option<V> {
        if let Ok(place) = self.keys.binary_search(&key) {
            return Some(std::mem::replace(&mut self.values[place], value));
        }
        let old = self.recent.insert(key, value);
        if self.recent.len() >= FEWEST_RECENT.max(self.keys.len() / 8) {
            self.merge();
        }
        old
    }

    /// All entries, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, V)> {
        let sorted = self.keys.iter().zip(&self.values);
        sorted.chain(&self.recent).map(|(&key, &value)| (key, value))
    }

    /// Moves the newest entries to the others, from the end, so that no second list is needed.
    fn merge(&mut self) {
        let mut recent: Vec<(u64, V)> = std::mem::take(&mut self.recent).into_iter().collect();
        recent.sort_unstable_by_key(|&(key, _)| key);
        let mut n_old = self.keys.len();
        let n = n_old + recent.len();
        self.keys.reserve_exact(recent.len());
        self.values.reserve_exact(recent.len());
        self.keys.resize(n, 0);
        self.values.resize(n, V::default());
        for place in (0..n).rev() {
            let Some(&(key, value)) = recent.last() else { break };
            if n_old != 0 && key < self.keys[n_old - 1] {
                n_old -= 1;
                self.keys[place] = self.keys[n_old];
                self.values[place] = self.values[n_old];
            } else {
                (self.keys[place], self.values[place]) = (key, value);
                recent.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_map() {
        let (mut compact, mut slow) = (CompactMap::default(), HashMap::new());
        for step in 0..30_000_u64 {
            let random = games::bits::mix64(step);
            let (key, value) = (games::bits::mix64(random % 20_000), step as u32);
            assert_eq!(compact.get(key), slow.get(&key).copied());
            assert_eq!(compact.insert(key, value), slow.insert(key, value));
        }
        assert!(compact.recent.len() < compact.keys.len(), "most entries are in the lists");
        assert!(compact.keys.is_sorted());
        assert_eq!(compact.iter().collect::<HashMap<_, _>>(), slow);
    }
}
