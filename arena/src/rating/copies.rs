//! Matches of one pairing that repeat the moves of an earlier one, and the clusters that they join. Counts; keeps no text.

use std::collections::HashMap;

use super::results::Outcomes;

/// The lists of moves that a pairing has played.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    /// The cluster of the first match with each list of moves, by a fingerprint of sides, opening and moves.
    first_cluster: HashMap<u64, u64>,
    /// Clusters that hold copies of one match.
    joined: Vec<(u64, u64)>,
    /// Matches that repeat an earlier one.
    count: u64,
}

impl Copies {
    /// Takes the match `fingerprint`, which is in `cluster`.
    pub(super) fn add(&mut self, fingerprint: u64, cluster: u64) {
        let Some(&first) = self.first_cluster.get(&fingerprint) else {
            self.first_cluster.insert(fingerprint, cluster);
            return;
        };
        self.count += 1;
        if first != cluster {
            self.joined.push((first, cluster));
        }
    }

    /// How many matches repeat an earlier one.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The outcomes of `clusters`, those with copies of one match taken together.
    pub(super) fn merged(&self, clusters: &HashMap<u64, Outcomes>) -> Vec<Outcomes> {
        if self.joined.is_empty() {
            return clusters.values().copied().collect();
        }
        let mut parents: HashMap<u64, u64> = HashMap::new();
        for &(one, other) in &self.joined {
            let (one, other) = (root(&mut parents, one), root(&mut parents, other));
            if one != other {
                parents.insert(one, other);
            }
        }
        let mut merged: HashMap<u64, Outcomes> = HashMap::new();
        for (&cluster, &outcomes) in clusters {
            merged.entry(root(&mut parents, cluster)).or_default().add(outcomes);
        }
        merged.into_values().collect()
    }
}

/// The cluster that stands for all that `cluster` is joined with; shortens the way to it.
fn root(parents: &mut HashMap<u64, u64>, mut cluster: u64) -> u64 {
    while let Some(&parent) = parents.get(&cluster) {
        if let Some(&above) = parents.get(&parent) {
            parents.insert(cluster, above);
        }
        cluster = parent;
    }
    cluster
}
