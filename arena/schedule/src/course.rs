//! The course of a tournament: which match starts next, and when no more do. Pure: the caller adds finished matches, in
//! any order, and depends on nothing else. So it is the same with any concurrency, and after an interruption.

use std::collections::{HashMap, HashSet};

use super::finished_pair::{FinishedPair, MatchSummary};
use super::order::Order;
use super::stop::{Finding, Rule, SprtTests, Stopping};
use super::{MatchNumbers, Pairing, Plan, RoundTable, ScheduledMatch, Shard};
use model::{Decided, Record, rated_game};
use ratings::SprtVerdict;

/// A tournament in progress.
///
/// Pairs have an order: that of the plan, or the one that the format chooses from results. They start in this order, and
/// they are **counted** in this order: a pair that is not finished holds back the pairs behind it, so that short
/// matches are not looked at before long ones. Only counted pairs decide.
#[derive(Debug)]
pub struct Course {
    plan: Plan,
    names: Vec<String>,
    /// The order of the pairs, if it is not that of the plan.
    order: Option<Box<dyn Order>>,
    stopping: Option<Stopping>,
    /// The indices of the limits whose pairs are played in turn: the order is that of the plan, once for each of them. Empty if all are
    /// played together.
    turns: Vec<usize>,
    /// The part of the plan that is played, if it is not all.
    part: Option<Part>,
    finished: MatchNumbers,
    /// Finished matches of pairs that are not counted yet, by the pair's index in the plan.
    waiting: HashMap<u32, [Option<MatchSummary>; 2]>,
    /// The number of counted pairs, from the start of the order.
    n_counted: usize,
    /// The number of started matches, from the start of the order, two per pair, including earlier runs.
    n_begun: usize,
}

/// The part of a plan that a shard plays.
#[derive(Clone, Copy, Debug)]
struct Part {
    shard: Shard,
    /// The number of matches in it.
    n_matches: u32,
    /// The number of finished matches that are not in it.
    n_beside: u32,
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Start this match.
    Play(ScheduledMatch),
    /// Wait: the results of running matches decide what is next.
    Wait,
    /// No more matches start.
    Over,
}

impl Course {
    /// A course without results: the pairs of `plan`, whose contenders have these `names`, in the order of the plan or
    /// an `order` that results decide, until all are played or one of the `rules` is fulfilled.
    pub fn new(plan: Plan, names: Vec<String>, order: Option<Box<dyn Order>>, rules: Vec<Rule>) -> Self {
        let stopping = (!rules.is_empty()).then(|| Stopping::new(rules));
        let turns = stopping.as_ref().and_then(Stopping::tests).map(SprtTests::turns).unwrap_or_default();
        Self {
            plan,
            names,
            order,
            stopping,
            turns,
            part: None,
            finished: MatchNumbers::default(),
            waiting: HashMap::new(),
            n_counted: 0,
            n_begun: 0,
        }
    }

    /// The same, with only the pairs of `shard` to play. A course that depends on results has no shards: results of other
    /// machines would decide what is played.
    ///
    /// # Panics
    /// If the course depends on results.
    #[must_use]
    pub fn only(self, shard: Shard) -> Self {
        assert!(!self.depends_on_results(), "results decide what is played");
        let n_pairs: u32 = n_rounds(&self.plan, Some(shard)).iter().sum();
        Self { part: Some(Part { shard, n_matches: 2 * n_pairs, n_beside: 0 }), ..self }
    }

    /// The plan.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The number of rounds that each pairing of the plan plays here.
    pub fn rounds(&self) -> Vec<u32> {
        n_rounds(&self.plan, self.part.map(|part| part.shard))
    }

    /// The number of openings of the game with this index that are played here.
    pub fn n_openings(&self, game_idx: usize) -> usize {
        let plays = |round: u32| {
            self.plan.pairings().iter().zip(self.plan.rounds()).enumerate().any(|(idx, (pairing, rounds))| {
                let is_wanted = self.part.is_none_or(|part| part.shard.has(idx, round));
                pairing.game_idx == game_idx && round < *rounds && is_wanted
            })
        };
        let most = self.plan.rounds().iter().max().copied().unwrap_or_default();
        (0..most).filter(|round| plays(*round)).count()
    }

    /// Adds a finished match of this run or an earlier one. Returns the decisions of stop rules and of single tests that this
    /// match led to. A match that is not in the plan or was added before is ignored.
    pub fn add(&mut self, record: &Record) -> Vec<Decided> {
        if !(1..=self.plan.n_matches()).contains(&record.number) || !self.finished.insert(record.number) {
            return Vec::new();
        }
        let is_beside = !self.is_wanted((record.number - 1) / 2);
        if let Some(part) = &mut self.part {
            part.n_beside += u32::from(is_beside);
        }
        if !self.depends_on_results() || self.decided().is_some() {
            return Vec::new();
        }
        let (pair, half) = ((record.number - 1) / 2, (record.number - 1) % 2);
        self.waiting.entry(pair).or_default()[half as usize] = Some(MatchSummary::from(record));
        self.count_all()
    }

    /// The next step. A match that it returns counts as started.
    pub fn begin_next(&mut self) -> Next {
        if self.decided().is_some() {
            return Next::Over;
        }
        while let Some(pair) = self.pair_at(self.n_begun / 2) {
            let place = self.n_begun / 2;
            // Who takes part in a turn is known when all pairs before it are counted.
            if self.n_counted < place - place % self.turn_len() {
                return Next::Wait;
            }
            let number = 2 * pair + 1 + (self.n_begun % 2) as u32;
            self.n_begun += 1;
            if self.is_wanted(pair) && self.is_needed(place, pair) && !self.finished.contains(number) {
                return Next::Play(self.plan.scheduled(number));
            }
        }
        if self.order.as_ref().is_none_or(|order| order.is_all()) { Next::Over } else { Next::Wait }
    }

    /// The decision of a stop rule, if there is one.
    pub fn decided(&self) -> Option<&Decided> {
        self.stopping.as_ref().and_then(Stopping::decided)
    }

    /// What the stop rules have found so far.
    pub fn findings(&self) -> Vec<Finding> {
        self.stopping.as_ref().map(Stopping::findings).unwrap_or_default()
    }

    /// What the sequential tests have found so far, if there are any: see [`Stopping::sprt`].
    pub fn sprt(&self) -> Option<SprtVerdict> {
        self.stopping.as_ref().and_then(Stopping::sprt)
    }

    /// The stop rules in words; empty without rules.
    pub fn prospects(&self) -> Vec<String> {
        let n_pairs = |engines: [&str; 2], limits: Option<usize>| {
            let pairings = self.plan.pairings().iter().zip(self.plan.rounds());
            let own = pairings.filter(|(pairing, _)| {
                self.names_of(pairing).iter().all(|name| engines.contains(name))
                    && limits.is_none_or(|idx| pairing.limits_idx == idx)
            });
            own.map(|(_, rounds)| rounds).sum()
        };
        self.stopping.as_ref().map(|stopping| stopping.prospects(n_pairs)).unwrap_or_default()
    }

    /// The standings or the bracket, then the meetings, of a format with rounds; empty for others.
    pub fn tables(&self) -> Vec<RoundTable> {
        self.order.as_ref().map(|order| order.tables()).unwrap_or_default()
    }

    /// Whether results decide which pairs are played, or how many.
    pub const fn depends_on_results(&self) -> bool {
        self.order.is_some() || self.stopping.is_some()
    }

    /// The maximum number of matches, including finished ones that an order by results has not asked for, or that are not part
    /// of the shard. Before the end of the tournament it does not include those that decided tests no longer need.
    pub fn most_matches(&self) -> u32 {
        if self.order.is_none() && self.sprt() == Some(SprtVerdict::Undecided) && self.decided().is_none() {
            return self.n_finished() + if self.is_over() { 0 } else { self.n_open() };
        }
        match &self.order {
            Some(order) => self.with_others(order.as_ref(), order.most_pairs()),
            None => self.part.map_or_else(|| self.plan.n_matches(), |part| part.n_matches + part.n_beside),
        }
    }

    /// As `most_matches`, if no meeting needs further pairs.
    pub fn expected_matches(&self) -> u32 {
        match &self.order {
            Some(order) => self.with_others(order.as_ref(), order.expected_pairs()),
            None => self.most_matches(),
        }
    }

    /// The number of matches of `n_pairs` pairs, and of finished matches that the order has not asked for.
    fn with_others(&self, order: &dyn Order, n_pairs: u32) -> u32 {
        let ordered: HashSet<u32> = order.sequence().iter().copied().collect();
        let n_beside = self.finished.iter().filter(|number| !ordered.contains(&((number - 1) / 2))).count();
        let most = n_pairs.saturating_mul(2).saturating_add(n_beside as u32);
        self.plan.n_matches().min(most)
    }

    /// The number of finished matches of the plan.
    pub const fn n_finished(&self) -> u32 {
        self.finished.len()
    }

    /// Whether the match with this number is finished.
    pub fn is_finished(&self, number: u32) -> bool {
        self.finished.contains(number)
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        self.decided().is_some()
            || self.order.as_ref().is_none_or(|order| order.is_all()) && self.missing().next().is_none()
    }

    /// The numbers of matches that are known to be needed and are not finished, in order; empty after a decision. An
    /// adaptive tournament may need more after them.
    pub fn missing(&self) -> impl Iterator<Item = u32> {
        let pairs = if self.decided().is_some() { self.n_counted } else { usize::MAX };
        (self.n_counted..pairs)
            .map_while(|place| Some((place, self.pair_at(place)?)))
            .filter(|(place, pair)| self.is_wanted(*pair) && self.is_needed(*place, *pair))
            .flat_map(|(_, pair)| [2 * pair + 1, 2 * pair + 2])
            .filter(|number| !self.finished.contains(*number))
    }

    /// Counts the finished pairs up to the first one that is needed and not finished. Returns the decisions.
    fn count_all(&mut self) -> Vec<Decided> {
        let mut decisions = Vec::new();
        while self.decided().is_none()
            && let Some(pair) = self.pair_at(self.n_counted)
        {
            // A pair of a later turn keeps its results.
            if !self.is_needed(self.n_counted, pair) {
                self.n_counted += 1;
                continue;
            }
            let Some([Some(first), Some(second)]) = self.waiting.get(&pair).copied() else { break };
            self.waiting.remove(&pair);
            let pairing = self.plan.pairings()[self.plan.pairing_of(pair).0];
            let game = self.plan.games()[pairing.game_idx].id();
            let finished = FinishedPair {
                number: pair + 1,
                game: &rated_game(game, self.plan.limits(pairing.limits_idx)),
                engines: pairing.contenders.map(|idx| self.names[idx].as_str()),
                matches: [first, second],
            };
            self.n_counted += 1;
            if let Some(stopping) = &mut self.stopping {
                decisions.extend(stopping.add(&finished));
            }
            if let Some(order) = &mut self.order {
                order.count(&finished);
            }
        }
        decisions
    }

    /// Whether the rules need the pair with this index at this place of the order, as far as the counted pairs show: a decided
    /// test plays no more pairs. Whether the pair is **counted** is known when those before it are counted, and does not depend
    /// on when they ended.
    fn is_needed(&self, place: usize, pair_idx: u32) -> bool {
        self.stopping.as_ref().is_none_or(|stopping| {
            let pairing = self.plan.pairings()[self.plan.pairing_of(pair_idx).0];
            let turn = self.turns.get(place / self.turn_len());
            turn.is_none_or(|limits_idx| *limits_idx == pairing.limits_idx)
                && stopping.needs(self.names_of(&pairing), pairing.limits_idx)
        })
    }

    /// The number of unfinished matches that sequential tests may still need.
    fn n_open(&self) -> u32 {
        let may_need = |stopping: &Stopping, number: u32| {
            let pairing = self.plan.pairings()[self.plan.pairing_of((number - 1) / 2).0];
            !self.finished.contains(number) && stopping.may_need(self.names_of(&pairing), pairing.limits_idx)
        };
        let open = |stopping: &Stopping| {
            (1..=self.plan.n_matches()).filter(|number| may_need(stopping, *number)).count()
        };
        self.stopping.as_ref().map_or(0, open) as u32
    }

    /// The number of places of a turn.
    const fn turn_len(&self) -> usize {
        self.plan.n_pairs() as usize
    }

    fn names_of(&self, pairing: &Pairing) -> [&str; 2] {
        pairing.contenders.map(|idx| self.names[idx].as_str())
    }

    /// Whether the pair with this index is part of what is played here.
    pub fn is_wanted(&self, pair_idx: u32) -> bool {
        self.part.is_none_or(|part| {
            let (pairing, round) = self.plan.pairing_of(pair_idx);
            part.shard.has(pairing, round)
        })
    }

    /// The index of the pair at a place of the order, if it is already known.
    fn pair_at(&self, place: usize) -> Option<u32> {
        match &self.order {
            Some(order) => order.sequence().get(place).copied(),
            None => {
                (place < self.turn_len() * self.turns.len().max(1)).then(|| (place % self.turn_len()) as u32)
            }
        }
    }
}

/// The number of rounds that each pairing plays, of those in `shard` if there is one.
fn n_rounds(plan: &Plan, shard: Option<Shard>) -> Vec<u32> {
    let rounds = plan.rounds().iter().enumerate();
    rounds.map(|(pairing, &rounds)| shard.map_or(rounds, |shard| shard.n_rounds(pairing, rounds))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::{Separated, SprtTest, SprtTests};
    use crate::synthetic::World;
    use model::Question;
    use ratings::{EloModel, Hypotheses};

    fn sprt() -> Vec<Rule> {
        let hypotheses = Hypotheses::new(EloModel::Logistic, 0.0, 80.0, 0.05, 0.05).unwrap();
        let engines = [0, 1].map(|idx| format!("engine {idx:02}"));
        vec![Rule::Sprt(SprtTests::new(vec![SprtTest::new(engines, hypotheses, 8)]))]
    }

    fn separated() -> Vec<Rule> {
        vec![Rule::Separated(Separated::new(Question::Best, 3))]
    }

    #[test]
    fn without_rules_the_plan_is_played_in_order() {
        let world = World::new(&[0.0, 50.0, 20.0], 1);
        let mut course = world.course(4, false, Vec::new());
        assert!(!course.depends_on_results() && !course.is_over());
        assert_eq!(world.play_all(&mut course, 2), (1..=24).collect::<Vec<_>>());
        assert!(course.is_over() && course.findings().is_empty());
        assert_eq!(course.missing().count(), 0);
    }

    #[test]
    fn shards_together_are_the_plan() {
        let world = World::new(&[0.0, 50.0, 20.0], 1);
        let mut played = Vec::new();
        for number in 1..=4 {
            let shard = format!("{number}/4").parse().unwrap();
            let mut course = world.course(5, false, Vec::new()).only(shard);
            let n_matches = course.most_matches();
            let part = world.play_all(&mut course, 2);
            assert!(course.is_over());
            assert_eq!((part.len() as u32, course.n_finished()), (n_matches, n_matches));
            played.extend(part);
        }
        played.sort_unstable();
        let whole = world.course(5, false, Vec::new());
        assert_eq!(played, (1..=whole.most_matches()).collect::<Vec<_>>());
    }

    #[test]
    fn a_shard_counts_matches_of_others_that_are_already_there() {
        let world = World::new(&[0.0, 50.0, 20.0], 1);
        let mut course = world.course(2, false, Vec::new()).only("1/2".parse().unwrap());
        let most = course.most_matches();
        let other = (1..=12).find(|number| !course.is_wanted((number - 1) / 2)).unwrap();
        course.add(&world.play(&course.plan().scheduled(other)));
        assert_eq!((course.n_finished(), course.most_matches()), (1, most + 1));
        assert!(!course.is_over());
    }

    #[test]
    fn the_decision_is_the_same_whatever_the_concurrency() {
        for (elo, verdict) in [(120.0, "H1"), (-40.0, "H0")] {
            let world = World::new(&[elo, 0.0], 3);
            let mut alone = world.course(2000, false, sprt());
            let n_alone = world.play_all(&mut alone, 1).len();
            let decided = alone.decided().unwrap().clone();
            assert!(decided.answer.starts_with(verdict), "{decided:?}");
            // Without concurrency, no match is played after the decision.
            assert_eq!(n_alone, 2 * decided.n_pairs as usize);
            assert_eq!(decided.n_pairs % 8, 0);
            for concurrency in [2, 3, 17] {
                let mut crowd = world.course(2000, false, sprt());
                let n_crowd = world.play_all(&mut crowd, concurrency).len();
                assert_eq!(crowd.decided(), Some(&decided));
                assert!(n_alone <= n_crowd);
                assert_eq!(crowd.findings(), alone.findings());
            }
        }
    }

    /// Pairs that ended early decide nothing while a pair before them is still played.
    #[test]
    fn a_late_pair_keeps_later_ones_from_being_counted() {
        let world = World::new(&[400.0, 0.0], 1);
        let mut course = world.course(40, false, sprt());
        let jobs: Vec<_> = course.plan().matches().collect();
        for job in &jobs[1..] {
            assert_eq!(course.add(&world.play(job)), []);
        }
        let decided = course.add(&world.play(&jobs[0])).remove(0);
        assert!(decided.n_pairs < 40, "{decided:?}");
        assert!(course.is_over());
    }

    #[test]
    fn what_was_played_before_counts_in_whatever_order_it_is_told() {
        for (adaptive, rules) in [(false, sprt()), (true, sprt()), (true, separated())] {
            let n_engines = if matches!(rules[0], Rule::Sprt(_)) { 2 } else { 3 };
            let world = World::new(&[120.0, 0.0, -20.0][..n_engines], 5);
            let mut whole = world.course(600, adaptive, rules.clone());
            let begun = world.play_all(&mut whole, 1);
            assert!(whole.decided().is_some());
            for n_before in [1, 9, begun.len() / 2, begun.len() - 1, begun.len()] {
                let mut course = world.course(600, adaptive, rules.clone());
                for &number in begun[..n_before].iter().rev() {
                    course.add(&world.play(&whole.plan().scheduled(number)));
                }
                assert_eq!(world.play_all(&mut course, 1), begun[n_before..]);
                assert_eq!(course.decided(), whole.decided());
                assert_eq!(course.findings(), whole.findings());
            }
        }
    }

    #[test]
    fn what_is_missing_is_known_until_it_is_decided() {
        let world = World::new(&[400.0, 0.0], 1);
        let mut course = world.course(40, false, sprt());
        let jobs: Vec<_> = course.plan().matches().collect();
        course.add(&world.play(&jobs[0]));
        course.add(&world.play(&jobs[4]));
        let expected: Vec<u32> = (2..=80).filter(|number| *number != 5).collect();
        assert_eq!(course.missing().collect::<Vec<_>>(), expected);
        for job in &jobs {
            course.add(&world.play(job));
        }
        let n_pairs = course.decided().unwrap().n_pairs;
        assert_eq!(course.missing().count(), 0);
        let mut course = world.course(40, false, sprt());
        for job in &jobs[..2 * n_pairs as usize] {
            course.add(&world.play(job));
        }
        assert!(course.decided().is_some());
        assert_eq!(course.missing().count(), 0);
    }

    #[test]
    fn a_plan_that_ends_leaves_it_undecided() {
        let world = World::new(&[40.0, 0.0], 1);
        let mut course = world.course(10, false, sprt());
        assert_eq!(world.play_all(&mut course, 3).len(), 20);
        assert!(course.is_over() && course.decided().is_none());
        assert_eq!(course.findings()[0].answer, "undecided after 10 pairs");
    }
}
