//! The order of pairs that results decide. It starts no matches and knows no records: the course counts the pairs.

use std::collections::HashMap;
use std::fmt::Debug;

use super::Plan;
use super::finished_pair::FinishedPair;
use super::round_table::RoundTable;
use ratings::MatchResult;

/// Chooses the pairs of a plan one after another, from the results of the pairs that it has chosen before. A pure function of
/// these results, so it can be reconstructed at any time.
pub trait Order: Debug + Send {
    /// The pairs chosen so far, as indices in the plan.
    fn sequence(&self) -> &[u32];

    /// The maximum number of pairs.
    fn most_pairs(&self) -> u32;

    /// Whether no more pairs will be chosen.
    fn is_all(&self) -> bool;

    /// Adds the result of the next pair of the sequence.
    fn count(&mut self, pair: &FinishedPair<'_>);

    /// The number of pairs if no meeting needs further pairs, and no less than are chosen.
    fn expected_pairs(&self) -> u32 {
        self.most_pairs()
    }

    /// The standings or the bracket, then the meetings, of a format with rounds.
    fn tables(&self) -> Vec<RoundTable> {
        Vec::new()
    }
}

/// The pairings of a plan by the two engines that meet.
#[derive(Clone, Debug)]
pub(super) struct Meetings {
    plan: Plan,
    pairings: HashMap<[usize; 2], Vec<usize>>,
}

impl Meetings {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut pairings: HashMap<[usize; 2], Vec<usize>> = HashMap::new();
        for (idx, pairing) in plan.pairings().iter().enumerate() {
            pairings.entry(sorted(pairing.contenders)).or_default().push(idx);
        }
        Self { plan: plan.clone(), pairings }
    }

    /// The pairs that two engines play in these rounds of the plan, in all games and under all limits.
    pub(super) fn pairs(&self, engines: [usize; 2], rounds: std::ops::Range<u32>) -> Vec<u32> {
        let pairings = self.pairings.get(&sorted(engines)).map(Vec::as_slice).unwrap_or_default();
        rounds.flat_map(|round| pairings.iter().map(move |&idx| self.plan.pair_of(idx, round))).collect()
    }

    /// The engines of a pair of the plan.
    pub(super) fn engines(&self, pair: u32) -> [usize; 2] {
        self.plan.pairings()[self.plan.pairing_of(pair).0].contenders
    }

    /// The largest number of pairings of two engines.
    pub(super) fn n_most_pairings(&self) -> u32 {
        self.pairings.values().map(Vec::len).max().unwrap_or_default() as u32
    }
}

/// The same two engines in the order of the file.
pub(super) fn sorted([first, second]: [usize; 2]) -> [usize; 2] {
    [first.min(second), first.max(second)]
}

/// What the two engines of a pair scored in it, in half points: the engine that is White in the first match, then the other.
pub(super) fn half_points(pair: &FinishedPair<'_>) -> [u32; 2] {
    let [first, second] = pair.matches.map(|summary| match summary.result {
        MatchResult::WhiteWins => 2,
        MatchResult::Draw => 1,
        MatchResult::BlackWins => 0,
    });
    [first + 2 - second, 2 - first + second]
}
