//! Matches of one pairing that repeat the moves of an earlier one, and the clusters that they join. Counts; keeps no text.

use std::collections::HashMap;

use super::compact_map::CompactMap;

/// The lists of moves that a pairing has played.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    /// Fingerprints of sides, opening and moves where the opening is known: what repeats one of these matches has its
    /// opening, and so is in its cluster anyway.
    with_opening: CompactMap<()>,
    /// The cluster of the first match with each list of moves, by a fingerprint of sides and moves, where no opening is known.
    first_cluster: CompactMap<u64>,
    /// What the clusters that hold copies of other clusters' matches were joined with.
    parents: HashMap<u64, u64>,
    /// Matches that repeat an earlier one.
    count: u64,
}

impl Copies {
    /// The cluster that stands for all that `cluster` was joined with, itself if nothing.
    pub(super) fn joined(&self, mut cluster: u64) -> u64 {
        while let Some(&parent) = self.parents.get(&cluster) {
            cluster = parent;
        }
        cluster
    }

    /// Takes the match `fingerprint`, whose opening is known and makes its cluster.
    pub(super) fn add_with_opening(&mut self, fingerprint: u64) {
        let is_new = self.with_opening.insert(fingerprint, ()).is_none();
        self.count += u64::from(!is_new);
    }

    /// Takes the match `fingerprint`, whose opening is not known and which is in `cluster`, a cluster as [`Copies::joined`]
    /// gives it. If it repeats a match of another cluster, that cluster: `cluster` is from now on joined with it.
    pub(super) fn add(&mut self, fingerprint: u64, cluster: u64) -> Option<u64> {
        let Some(first) = self.first_cluster.get(fingerprint) else {
            self.first_cluster.insert(fingerprint, cluster);
            return None;
        };
        self.count += 1;
        let original = self.joined(first);
        if original == cluster {
            return None;
        }
        self.parents.insert(cluster, original);
        Some(original)
    }

    /// How many matches repeat an earlier one.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}
