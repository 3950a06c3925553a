//! Which engines can be compared: pools, components, cores. It uses only which engines met and scored.

use std::collections::BTreeMap;

use super::results::Pairing;

/// The structure of the engines' results.
///
/// A *pool* contains engines that are connected by matches. Within a pool, draw an arc from the loser to the winner of
/// every match, both ways for a draw: engines that reach each other form a *component*. Ratings that maximise the
/// likelihood are finite only within a component (L. R. Ford, *Solution of a ranking problem from binary comparisons*,
/// American Mathematical Monthly 64, 1957). The *core* of a pool is its largest component.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    /// The pools, the largest first.
    pub pools: Vec<Pool>,
    /// Each engine's component; components are numbered by their first engine.
    pub component_of: Vec<usize>,
}

/// Engines connected by matches.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    /// Its engines, ascending.
    pub engines: Vec<usize>,
    /// The engines of its core, ascending.
    pub core: Vec<usize>,
    /// The engines of each other component, ascending.
    pub others: Vec<Vec<usize>>,
}

impl Structure {
    /// The structure of the results of `n_engines` engines. The core is chosen among components like the first of
    /// the pools.
    pub(super) fn new(n_engines: usize, pairings: &[Pairing]) -> Self {
        let met: Vec<_> = pairings.iter().map(|it| (it.first, it.second, it.total.matches())).collect();
        let matches = matches(n_engines, &met);
        let component_of = components(n_engines, pairings);
        let pools = connected(n_engines, &met)
            .into_iter()
            .map(|engines| Pool::new(engines, &component_of, &matches))
            .collect();
        Self { pools, component_of }
    }

    /// Whether both engines of `pairing` are in one component: only such matches can be fitted. A match between two
    /// components is certain in the limit of the likelihood, so this *is* the limit.
    pub(super) fn is_within_component(&self, pairing: &Pairing) -> bool {
        self.component_of[pairing.first] == self.component_of[pairing.second]
    }

    /// The number of components.
    pub(super) fn n_components(&self) -> usize {
        self.component_of.iter().max().map_or(0, |&last| last + 1)
    }
}

impl Pool {
    fn new(engines: Vec<usize>, component_of: &[usize], matches: &[u64]) -> Self {
        let mut by_component: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &engine in &engines {
            by_component.entry(component_of[engine]).or_default().push(engine);
        }
        let mut groups: Vec<Vec<usize>> = by_component.into_values().collect();
        // `max_by_key` returns the last of equals, hence the reversal.
        let largest =
            (0..groups.len()).rev().max_by_key(|&group| weight(&groups[group], matches)).unwrap_or(0);
        let core = groups.remove(largest);
        Self { engines, core, others: groups }
    }
}

fn weight(engines: &[usize], matches: &[u64]) -> (usize, u64) {
    (engines.len(), engines.iter().map(|&engine| matches[engine]).sum())
}

/// The engines of each label, with ascending labels.
fn members(labels: &[usize]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); labels.iter().max().map_or(0, |&last| last + 1)];
    for (engine, &label) in labels.iter().enumerate() {
        members[label].push(engine);
    }
    members
}

/// The engines that are connected by matches, for each pair of engines that met with their number of matches. The largest group
/// comes first; of groups of the same size the one with more matches, then the one with the first engine.
pub(super) fn connected(n_engines: usize, met: &[(usize, usize, u64)]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); n_engines];
    for &(one, other, _) in met {
        neighbours[one].push(other);
        neighbours[other].push(one);
    }
    let mut labels = vec![usize::MAX; n_engines];
    let mut next = 0;
    for start in 0..n_engines {
        if labels[start] != usize::MAX {
            continue;
        }
        mark(start, next, &neighbours, &mut labels);
        next += 1;
    }
    let matches = matches(n_engines, met);
    let mut groups = members(&labels);
    groups.sort_by_key(|engines| std::cmp::Reverse(weight(engines, &matches)));
    groups
}

/// Each engine's number of matches.
fn matches(n_engines: usize, met: &[(usize, usize, u64)]) -> Vec<u64> {
    let mut matches = vec![0; n_engines];
    for &(one, other, n) in met {
        matches[one] += n;
        matches[other] += n;
    }
    matches
}

/// Labels of the strongly connected components, numbered by their first engine.
///
/// Two depth-first searches. The second one follows the reversed arcs, in the order in which the first one left the
/// engines (M. Sharir, Computers and Mathematics with Applications 7, 1981).
fn components(n_engines: usize, pairings: &[Pairing]) -> Vec<usize> {
    let mut winners_of = vec![Vec::new(); n_engines];
    let mut losers_to = vec![Vec::new(); n_engines];
    for pairing in pairings {
        let counts = pairing.total.result_counts();
        if counts.losses + counts.draws != 0 {
            winners_of[pairing.first].push(pairing.second);
            losers_to[pairing.second].push(pairing.first);
        }
        if counts.wins + counts.draws != 0 {
            winners_of[pairing.second].push(pairing.first);
            losers_to[pairing.first].push(pairing.second);
        }
    }
    let mut labels = vec![usize::MAX; n_engines];
    for (label, &start) in left_in_order(&winners_of).iter().rev().enumerate() {
        if labels[start] == usize::MAX {
            mark(start, label, &losers_to, &mut labels);
        }
    }
    renumbered(&labels)
}

/// Gives `label` to everything unlabelled that `start` reaches.
fn mark(start: usize, label: usize, arcs: &[Vec<usize>], labels: &mut [usize]) {
    let mut stack = vec![start];
    labels[start] = label;
    while let Some(engine) = stack.pop() {
        for &other in &arcs[engine] {
            if labels[other] == usize::MAX {
                labels[other] = label;
                stack.push(other);
            }
        }
    }
}

/// The engines in the order in which a depth-first search leaves them.
fn left_in_order(arcs: &[Vec<usize>]) -> Vec<usize> {
    let mut is_seen = vec![false; arcs.len()];
    let mut left = Vec::with_capacity(arcs.len());
    for start in 0..arcs.len() {
        if is_seen[start] {
            continue;
        }
        is_seen[start] = true;
        let mut stack = vec![(start, arcs[start].iter())];
        while let Some((engine, rest)) = stack.last_mut() {
            let engine = *engine;
            match rest.next() {
                Some(&other) if !is_seen[other] => {
                    is_seen[other] = true;
                    stack.push((other, arcs[other].iter()));
                }
                Some(_) => {}
                None => {
                    left.push(engine);
                    stack.pop();
                }
            }
        }
    }
    left
}

/// The same partition with labels in the order of each label's first engine.
fn renumbered(labels: &[usize]) -> Vec<usize> {
    let mut new_label = vec![usize::MAX; labels.len()];
    let mut next = 0;
    labels
        .iter()
        .map(|&label| {
            if new_label[label] == usize::MAX {
                new_label[label] = next;
                next += 1;
            }
            new_label[label]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MatchResult;
    use crate::results::Outcomes;

    /// A pairing from a text such as `0-1 WWD`: the first engine's results.
    fn pairing(first: usize, second: usize, results: &str) -> Pairing {
        let mut total = Outcomes::default();
        for result in results.chars() {
            total.count(
                true,
                match result {
                    'W' => MatchResult::WhiteWins,
                    'D' => MatchResult::Draw,
                    _ => MatchResult::BlackWins,
                },
            );
        }
        Pairing::of(first, second, total)
    }

    #[test]
    fn engines_that_never_met_are_in_pools_of_their_own() {
        let structure = Structure::new(5, &[pairing(0, 3, "WL"), pairing(1, 2, "D"), pairing(2, 4, "D")]);
        let pools: Vec<&[usize]> = structure.pools.iter().map(|pool| pool.engines.as_slice()).collect();
        assert_eq!(pools, [&[1, 2, 4][..], &[0, 3]]);
    }

    #[test]
    fn a_circle_of_wins_is_one_component() {
        let structure = Structure::new(
            4,
            &[pairing(0, 1, "W"), pairing(1, 2, "W"), pairing(0, 2, "L"), pairing(2, 3, "WW")],
        );
        assert_eq!(structure.component_of, [0, 0, 0, 1]);
        assert_eq!(structure.pools[0].core, [0, 1, 2]);
        assert_eq!(structure.pools[0].others, [[3]]);
        assert!(!structure.is_within_component(&pairing(2, 3, "WW")));
    }

    #[test]
    fn of_equal_components_the_core_has_more_matches_or_comes_first() {
        let structure = Structure::new(2, &[pairing(0, 1, "W")]);
        assert_eq!(structure.pools[0].core, [0]);
        let structure = Structure::new(3, &[pairing(0, 1, "W"), pairing(1, 2, "W")]);
        assert_eq!(structure.pools[0].core, [1]);
    }

    #[test]
    fn long_chains_need_no_deep_stack() {
        let chain: Vec<Pairing> = (0..100_000).map(|engine| pairing(engine, engine + 1, "W")).collect();
        let structure = Structure::new(100_001, &chain);
        assert_eq!(structure.n_components(), 100_001);
        assert_eq!(structure.pools.len(), 1);
    }
}
