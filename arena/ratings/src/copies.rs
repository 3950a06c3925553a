//! Matches of one pairing that repeat the moves of an earlier one, and the clusters that they join. It stores no text.

use std::collections::HashMap;

use super::compact_map::CompactMap;

/// The lists of moves that a pairing has played.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    /// Fingerprints of sides, opening and moves if the opening is known: a copy of such a match has the same opening,
    /// so it is in the same cluster.
    with_opening: CompactMap<()>,
    /// The cluster of the first match with each list of moves, by a fingerprint of sides and moves, if no opening is
    /// known.
    first_cluster: CompactMap<u64>,
    /// The clusters that clusters with copies of other clusters' matches were joined with.
    parents: HashMap<u64, u64>,
    /// Matches that repeat an earlier one.
    count: u64,
}

impl Copies {
    /// The cluster that represents all clusters joined with `cluster`; itself if there are none.
    pub(super) fn joined(&self, mut cluster: u64) -> u64 {
        while let Some(&parent) = self.parents.get(&cluster) {
            cluster = parent;
        }
        cluster
    }

    /// Adds the match `fingerprint` with a known opening, which determines its cluster.
    pub(super) fn add_with_opening(&mut self, fingerprint: u64) {
        let is_new = self.with_opening.insert(fingerprint, ()).is_none();
        self.count += u64::from(!is_new);
    }

    /// Adds the match `fingerprint` without a known opening, which is in `cluster`, a cluster as returned by
    /// [`Copies::joined`]. If it repeats a match of another cluster, returns that cluster: `cluster` is then joined
    /// with it.
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

    /// The number of matches that repeat an earlier one.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}
