//! The course of a tournament: which match of a plan begins next, and when no more do. Pure: it is told of finished
//! matches, in whatever order they end, and depends on nothing else, so that it is the same whatever the concurrency, and
//! the same again after a kill.

use std::collections::{HashMap, HashSet};

use super::adaptive::{Adaptive, AdaptiveSettings};
use super::finished_pair::{FinishedPair, MatchSummary};
use super::stop::{Decided, Rule, Stopping};
use super::{Job, Plan};
use crate::record::Record;

/// A tournament under way.
///
/// Pairs have an order: that of the plan, or the one that the adaptive schedule chooses. They are begun in it, and
/// **counted** in it: a pair that is late keeps those behind it from being counted, so that short matches are not looked at
/// before long ones. What is decided is decided by the pairs that are counted.
#[derive(Debug)]
pub struct Course {
    plan: Plan,
    names: Vec<String>,
    /// The order of the pairs, where it is not that of the plan.
    adaptive: Option<Adaptive>,
    stopping: Option<Stopping>,
    finished: HashSet<u32>,
    /// Finished matches of pairs that are not counted, by the pair's index in the plan.
    waiting: HashMap<u32, [Option<MatchSummary>; 2]>,
    /// So many pairs of the order are counted.
    n_counted: usize,
    /// So many matches of the order have begun, two a pair, those of earlier runs among them.
    n_begun: usize,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Begin this match.
    Play(Job),
    /// Wait: the results of matches under way decide what is next.
    Wait,
    /// No more matches begin.
    Over,
}

impl Course {
    /// A tournament of which nothing is played yet: the pairs of `plan`, whose contenders have these `names`, in its order
    /// or an adaptive one, until they end or one of the `rules` is fulfilled.
    pub fn new(plan: Plan, names: Vec<String>, adaptive: Option<AdaptiveSettings>, rules: Vec<Rule>) -> Self {
        let adaptive = adaptive.map(|settings| Adaptive::new(&plan, &names, settings));
        let stopping = (!rules.is_empty()).then(|| Stopping::new(rules));
        Self {
            plan,
            names,
            adaptive,
            stopping,
            finished: HashSet::new(),
            waiting: HashMap::new(),
            n_counted: 0,
            n_begun: 0,
        }
    }

    /// The plan.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Takes a finished match, of this run or an earlier one. Gives what was decided by it, if anything was. A match that
    /// the plan does not have, or that is told again, is passed over.
    pub fn add(&mut self, record: &Record) -> Option<&Decided> {
        if !(1..=self.plan.n_matches()).contains(&record.number) || !self.finished.insert(record.number) {
            return None;
        }
        if !self.depends_on_results() || self.decided().is_some() {
            return None;
        }
        let (pair, half) = ((record.number - 1) / 2, (record.number - 1) % 2);
        self.waiting.entry(pair).or_default()[half as usize] = Some(MatchSummary::from(record));
        self.count_all();
        self.decided()
    }

    /// What is to be done next; a match that it gives has begun.
    pub fn next(&mut self) -> Next {
        if self.decided().is_some() {
            return Next::Over;
        }
        while let Some(pair) = self.pair_at(self.n_begun / 2) {
            let number = 2 * pair + 1 + (self.n_begun % 2) as u32;
            self.n_begun += 1;
            if !self.finished.contains(&number) {
                return Next::Play(self.plan.job(number));
            }
        }
        if self.adaptive.as_ref().is_none_or(Adaptive::is_all) { Next::Over } else { Next::Wait }
    }

    /// What was decided, if anything was.
    pub fn decided(&self) -> Option<&Decided> {
        self.stopping.as_ref().and_then(Stopping::decided)
    }

    /// What the rules have found so far, a few lines each; nothing without rules.
    pub fn findings(&self) -> String {
        self.stopping.as_ref().map(Stopping::findings).unwrap_or_default()
    }

    /// The rules in words, before anything is played; nothing without rules.
    pub fn prospects(&self) -> Vec<String> {
        self.stopping.as_ref().map(Stopping::prospects).unwrap_or_default()
    }

    /// Whether the results say which pairs are played, or how many.
    pub const fn depends_on_results(&self) -> bool {
        self.adaptive.is_some() || self.stopping.is_some()
    }

    /// The most matches that are played in all, finished ones that the order does not ask for among them.
    pub fn most_matches(&self) -> u32 {
        let most = self.adaptive.as_ref().map_or(u32::MAX, |adaptive| adaptive.most_pairs().saturating_mul(2));
        self.plan.n_matches().min(most).max(self.n_finished())
    }

    /// The number of finished matches that the plan has.
    pub fn n_finished(&self) -> u32 {
        self.finished.len() as u32
    }

    /// Whether the match of that number is finished.
    pub fn is_finished(&self, number: u32) -> bool {
        self.finished.contains(&number)
    }

    /// Whether there is nothing left to play.
    pub fn is_over(&self) -> bool {
        self.decided().is_some()
            || self.adaptive.as_ref().is_none_or(Adaptive::is_all) && self.missing().next().is_none()
    }

    /// The numbers of matches that are known to be needed and are not finished, in order; none once it is decided. An adaptive
    /// tournament goes on after them if it is not over.
    pub fn missing(&self) -> impl Iterator<Item = u32> {
        let pairs = if self.decided().is_some() { self.n_counted } else { usize::MAX };
        (self.n_counted..pairs)
            .map_while(|place| self.pair_at(place))
            .flat_map(|pair| [2 * pair + 1, 2 * pair + 2])
            .filter(|number| !self.finished.contains(number))
    }

    /// Counts the pairs that are finished, up to the first one that is not.
    fn count_all(&mut self) {
        while self.decided().is_none()
            && let Some(pair) = self.pair_at(self.n_counted)
            && let Some([Some(first), Some(second)]) = self.waiting.get(&pair).copied()
        {
            self.waiting.remove(&pair);
            let pairing = self.plan.pairings()[pair as usize % self.plan.pairings().len()];
            let finished = FinishedPair {
                number: pair + 1,
                game: self.plan.games()[pairing.game_idx].id(),
                engines: pairing.contenders.map(|idx| self.names[idx].as_str()),
                matches: [first, second],
            };
            self.n_counted += 1;
            if let Some(stopping) = &mut self.stopping {
                stopping.add(&finished);
            }
            if let Some(adaptive) = &mut self.adaptive {
                adaptive.count(&finished);
            }
        }
    }

    /// The index of the pair at a place of the order, if that is known.
    fn pair_at(&self, place: usize) -> Option<u32> {
        match &self.adaptive {
            Some(adaptive) => adaptive.sequence().get(place).copied(),
            None => (place < self.plan.n_matches() as usize / 2).then_some(place as u32),
        }
    }
}
