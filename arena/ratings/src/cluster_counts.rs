//! The outcomes of each cluster of a pairing, in little memory: there is a cluster for each opening, and most clusters
//! have the same outcomes as another one.

use std::collections::HashMap;

use super::compact_map::CompactMap;
use super::results::Outcomes;

/// The kind of removed clusters.
const NO_KIND: u32 = u32::MAX;

/// The outcomes of clusters.
#[derive(Clone, Debug, Default)]
pub(super) struct ClusterCounts {
    /// The index of each cluster's kind, by the cluster's fingerprint; [`NO_KIND`] if it was removed.
    kind_of: CompactMap<u32>,
    /// The kinds: outcomes, and the number of clusters that have them. They are kept up to date, so that ratings need
    /// not visit all clusters.
    kinds: Vec<(Outcomes, u32)>,
    /// The indices of the kinds that some cluster has.
    idx_of: HashMap<Outcomes, u32>,
    /// The unused indices, for new kinds: a cluster that grows changes its kind with every match.
    free: Vec<u32>,
}

impl ClusterCounts {
    /// Changes the outcomes of a cluster; a new one has none.
    pub(super) fn change(&mut self, cluster: u64, change: impl FnOnce(&mut Outcomes)) {
        let mut outcomes = self.left(self.kind_of.get(cluster));
        change(&mut outcomes);
        let kind = self.kind(outcomes);
        self.kinds[kind as usize].1 += 1;
        self.kind_of.insert(cluster, kind);
    }

    /// Removes a cluster and returns its outcomes; none if it does not exist.
    pub(super) fn remove(&mut self, cluster: u64) -> Outcomes {
        let kind = self.kind_of.get(cluster);
        if kind.is_some() {
            self.kind_of.insert(cluster, NO_KIND);
        }
        self.left(kind)
    }

    /// The outcomes of a cluster of this kind, which no longer has it.
    fn left(&mut self, kind: Option<u32>) -> Outcomes {
        let Some(kind) = kind.filter(|&kind| kind != NO_KIND) else { return Outcomes::default() };
        let (outcomes, count) = &mut self.kinds[kind as usize];
        *count -= 1;
        if *count == 0 {
            self.idx_of.remove(outcomes);
            self.free.push(kind);
        }
        *outcomes
    }

    /// Outcomes, and the number of clusters that have them, in no order.
    #[cfg(test)]
    fn kinds(&self) -> impl Iterator<Item = (Outcomes, u32)> {
        self.kinds.iter().copied().filter(|&(_, count)| count != 0)
    }

    /// The kinds by index, with their numbers of clusters: 0 for an unused index.
    pub(super) fn kinds_by_idx(&self) -> &[(Outcomes, u32)] {
        &self.kinds
    }

    /// Every cluster with the index of its kind, in no order.
    pub(super) fn clusters(&self) -> impl Iterator<Item = (u64, u32)> {
        self.kind_of.iter().filter(|&(_, kind)| kind != NO_KIND)
    }

    /// The index of the kind with these outcomes.
    fn kind(&mut self, outcomes: Outcomes) -> u32 {
        let Self { kinds, idx_of, free, .. } = self;
        *idx_of.entry(outcomes).or_insert_with(|| {
            let kind = free.pop().unwrap_or_else(|| {
                kinds.push((outcomes, 0));
                kinds.len() as u32 - 1
            });
            kinds[kind as usize] = (outcomes, 0);
            kind
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::MatchResult;

    /// Clusters that grow and are removed, compared with a map of each one's outcomes.
    #[test]
    fn the_kinds_are_those_of_the_clusters() {
        let results = [MatchResult::WhiteWins, MatchResult::Draw, MatchResult::BlackWins];
        let mut counts = ClusterCounts::default();
        let mut slow: HashMap<u64, Outcomes> = HashMap::new();
        for step in 0..2_000_u64 {
            let random = games::bits::mix64(step);
            let cluster = random % 37;
            if random.is_multiple_of(29) {
                assert_eq!(counts.remove(cluster), slow.remove(&cluster).unwrap_or_default());
                continue;
            }
            let count = |outcomes: &mut Outcomes| {
                outcomes.count(random.is_multiple_of(2), results[(random >> 32) as usize % 3]);
            };
            counts.change(cluster, count);
            count(slow.entry(cluster).or_default());
        }
        let mut expected: BTreeMap<Outcomes, u32> = BTreeMap::new();
        for outcomes in slow.into_values() {
            *expected.entry(outcomes).or_default() += 1;
        }
        assert_eq!(counts.kinds().collect::<BTreeMap<_, _>>(), expected);
        assert!(counts.kinds.len() <= 37 + 1, "what no cluster is of any more is used again");
    }
}
