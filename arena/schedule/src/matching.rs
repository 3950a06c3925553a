//! Perfect matchings: who meets whom so that everybody has an opponent. It knows no tournament.

use std::collections::VecDeque;

/// The pairs of a perfect matching of `0..n`, if there is one. In turn, each lowest number without a partner gets the first of
/// its `candidates` with whom all others can still be matched; so the result is the best one, and the search never fails while
/// there is a matching. Only pairs that `allows` permits are made; it is symmetric.
///
/// Method: maximum matching by augmenting paths and blossoms (J. Edmonds, *Paths, trees, and flowers*, 1965).
pub(super) fn matching(
    n: usize,
    allows: impl Fn(usize, usize) -> bool,
    candidates: impl Fn(usize, &[usize]) -> Vec<usize>,
) -> Option<Vec<[usize; 2]>> {
    let mut graph = Graph { mate: vec![None; n], is_fixed: vec![false; n], allows };
    for node in 0..n {
        if graph.mate[node].is_none() && !graph.augment(node) {
            return None;
        }
    }
    let mut pairs = Vec::new();
    while let Some(first) = (0..n).find(|&node| !graph.is_fixed[node]) {
        let others: Vec<usize> = (first + 1..n).filter(|&node| !graph.is_fixed[node]).collect();
        let second = candidates(first, &others).into_iter().find(|&other| graph.fix(first, other))?;
        pairs.push([first, second]);
    }
    Some(pairs)
}

struct Graph<F> {
    mate: Vec<Option<usize>>,
    /// Nodes whose partner is final.
    is_fixed: Vec<bool>,
    allows: F,
}

impl<F: Fn(usize, usize) -> bool> Graph<F> {
    /// Makes two nodes partners for good, if all others can still have partners.
    fn fix(&mut self, first: usize, second: usize) -> bool {
        if !(self.allows)(first, second) {
            return false;
        }
        let before = self.mate.clone();
        let left = [first, second].map(|node| self.mate[node].filter(|mate| ![first, second].contains(mate)));
        for (node, other) in [(first, second), (second, first)] {
            self.mate[node] = Some(other);
            self.is_fixed[node] = true;
        }
        left.into_iter().flatten().for_each(|node| self.mate[node] = None);
        let is_whole = left.into_iter().flatten().all(|node| self.mate[node].is_some() || self.augment(node));
        if !is_whole {
            self.mate = before;
            self.is_fixed[first] = false;
            self.is_fixed[second] = false;
        }
        is_whole
    }

    /// Finds a partner for `root`, if need be by giving other ones to nodes that have one.
    fn augment(&mut self, root: usize) -> bool {
        let n = self.mate.len();
        let mut base: Vec<usize> = (0..n).collect();
        let mut parent: Vec<Option<usize>> = vec![None; n];
        let mut is_even = vec![false; n];
        is_even[root] = true;
        let mut queue = VecDeque::from([root]);
        while let Some(from) = queue.pop_front() {
            for to in 0..n {
                let is_open = !self.is_fixed[to] && to != from && (self.allows)(from, to);
                if !is_open || base[from] == base[to] || self.mate[from] == Some(to) {
                    continue;
                }
                let is_odd_cycle = to == root || self.mate[to].is_some_and(|mate| parent[mate].is_some());
                if is_odd_cycle {
                    let top = self.common(&base, &parent, from, to);
                    let mut is_in_blossom = vec![false; n];
                    self.mark(&base, &mut parent, &mut is_in_blossom, from, (top, to));
                    self.mark(&base, &mut parent, &mut is_in_blossom, to, (top, from));
                    for node in 0..n {
                        if is_in_blossom[base[node]] {
                            base[node] = top;
                            if !is_even[node] {
                                is_even[node] = true;
                                queue.push_back(node);
                            }
                        }
                    }
                } else if parent[to].is_none() {
                    parent[to] = Some(from);
                    let Some(mate) = self.mate[to] else {
                        self.flip(&parent, to);
                        return true;
                    };
                    is_even[mate] = true;
                    queue.push_back(mate);
                }
            }
        }
        false
    }

    /// The base where the ways of two even nodes to the root meet.
    fn common(&self, base: &[usize], parent: &[Option<usize>], first: usize, second: usize) -> usize {
        let up = |node: usize| self.mate[node].and_then(|mate| parent[mate]).map(|node| base[node]);
        let mut seen = vec![false; base.len()];
        let mut node = Some(base[first]);
        while let Some(at) = node {
            seen[at] = true;
            node = up(at);
        }
        let mut node = base[second];
        while !seen[node] {
            node = up(node).expect("both ways end at the root");
        }
        node
    }

    /// Marks the blossom's nodes between `node` and its base `top`; `child` is the neighbour on the other side.
    fn mark(
        &self,
        base: &[usize],
        parent: &mut [Option<usize>],
        is_in_blossom: &mut [bool],
        mut node: usize,
        (top, mut child): (usize, usize),
    ) {
        while base[node] != top {
            let mate = self.mate[node].expect("only the root has none, and it is a base");
            is_in_blossom[base[node]] = true;
            is_in_blossom[base[mate]] = true;
            parent[node] = Some(child);
            child = mate;
            node = parent[mate].expect("an odd node has a parent");
        }
    }

    /// Swaps the partners along the way from `node` to the root.
    fn flip(&mut self, parent: &[Option<usize>], node: usize) {
        let mut node = Some(node);
        while let Some(at) = node {
            let before = parent[at].expect("it was reached from a node");
            let next = self.mate[before];
            self.mate[at] = Some(before);
            self.mate[before] = Some(at);
            node = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exists(free: &[usize], allows: &dyn Fn(usize, usize) -> bool) -> bool {
        let Some((&first, rest)) = free.split_first() else { return true };
        rest.iter().any(|&second| {
            let left: Vec<usize> = rest.iter().copied().filter(|&node| node != second).collect();
            allows(first, second) && exists(&left, allows)
        })
    }

    proptest! {
        #[test]
        fn it_is_found_exactly_when_there_is_one(
            half in 1_usize..5,
            edges in prop::collection::vec(any::<bool>(), 100),
        ) {
            let n = 2 * half;
            let allows = |one: usize, other: usize| edges[10 * one.min(other) + one.max(other)];
            let found = matching(n, allows, |_, others| others.to_vec());
            let all: Vec<usize> = (0..n).collect();
            prop_assert_eq!(found.is_some(), exists(&all, &allows));
            if let Some(pairs) = found {
                let mut nodes: Vec<usize> = pairs.iter().flatten().copied().collect();
                nodes.sort_unstable();
                prop_assert_eq!(nodes, all);
                prop_assert!(pairs.iter().all(|&[one, other]| allows(one, other)));
            }
        }
    }
}
