//! The orders that are open: which pairs are to be played, and which outcome answers which order. Pure: it is told of
//! jobs and outcomes, and sends nothing. What it does not know, it does not want: a repeated, late or foreign outcome
//! changes nothing.
//!
//! A pair that was answered wrongly, or that is audited, is ordered again as the next attempt. The order before is closed,
//! so that its late outcomes do not count. An order that no worker has is waiting.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use engine_proto::Games;

use super::audit::{self, Audit, Judgement, Play, judge};
use super::check;
use super::message::{Order, Outcome, Program, encode, hash};
use super::roster::Wanted;
use model::{FormatVersion, Job, Record};

/// The open orders.
#[derive(Debug, Default)]
pub struct Ledger {
    /// The games of its matches.
    pub(super) games: Games,
    /// The hash of the invitation that all orders belong to.
    invitation: String,
    /// The programs of an open tournament, by engine.
    programs: HashMap<String, Program>,
    /// The engines that are not trusted: they could play worse for one worker on purpose, so that it seems wrong.
    strangers: HashSet<String>,
    /// Which pairs are played by several workers.
    pub audit: Audit,
    /// The first match of a pair, whose second one may follow.
    half: Option<Job>,
    /// By pair.
    open: BTreeMap<u32, Open>,
    /// The pairs of the open orders, by hash.
    pairs: HashMap<String, u32>,
    /// The pairs that no worker has.
    waiting: BTreeSet<u32>,
    /// By pair: the workers that had it and did not say so, or have kept it for too long. Others come first.
    kept_by: BTreeMap<u32, BTreeSet<String>>,
    /// The outcomes so far of open pairs that are audited.
    plays: BTreeMap<u32, Vec<Play>>,
}

/// An open order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    pub order: Order,
    /// The order as it is sent.
    pub payload: Vec<u8>,
    pub hash: String,
}

impl Open {
    /// The engines of its matches.
    pub fn engines(&self) -> [&str; 2] {
        self.order.jobs[0].names()
    }
}

/// What becomes of an outcome.
#[derive(Debug, PartialEq, Eq)]
pub enum OutcomeVerdict {
    /// It answers an open order, which is closed. The records name their worker.
    Accepted {
        closed: Box<Open>,
        /// The matches.
        records: Vec<Record>,
        /// What the workers that played an audited pair have done differently.
        judgement: Option<Judgement>,
    },
    /// It is one of the outcomes of an audited pair, which another worker plays, too; and what the workers so far have done
    /// differently.
    Audited { again: Box<Again>, difference: Option<String> },
    /// It contradicts the order: why. The pair is ordered again.
    Wrong { why: String, again: Box<Again> },
    /// The order is not open: the outcome is a repetition, or late.
    NotWanted,
}

/// A pair that is ordered again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// The order that is closed.
    pub closed: Open,
    /// The order of the next attempt.
    pub opened: Open,
}

impl Ledger {
    /// No open orders. Those that come are matches of these games and belong to the invitation with this hash.
    pub fn new(games: Games, invitation: &str, audit: Audit) -> Self {
        Self { games, invitation: invitation.to_owned(), audit, ..Self::default() }
    }

    /// An engine of an open tournament: orders bring its program.
    pub fn admit(&mut self, program: Program, is_trusted: bool) {
        if is_trusted {
            self.strangers.remove(&program.build.engine);
        } else {
            self.strangers.insert(program.build.engine.clone());
        }
        self.programs.insert(program.build.engine.clone(), program);
    }

    /// An engine that orders do not bring any more.
    pub fn dismiss(&mut self, engine: &str) {
        self.programs.remove(engine);
    }

    /// Whether matches of these engines say something about the worker that has played them.
    pub fn are_trusted(&self, engines: [&str; 2]) -> bool {
        engines.iter().all(|engine| !self.strangers.contains(*engine))
    }

    /// What a worker must have to play these engines: those that are not trusted are the ones that play in the strict sandbox.
    pub fn wanted<'a>(&self, engines: [&'a str; 2]) -> Wanted<'a> {
        Wanted { engines, needs_sandbox: !self.are_trusted(engines) }
    }

    /// Whether orders can bring an engine of an open tournament.
    pub fn has_program(&self, engine: &str) -> bool {
        self.programs.contains_key(engine)
    }

    /// The number of open orders.
    pub fn n_open(&self) -> usize {
        self.open.len() + usize::from(self.half.is_some())
    }

    /// The number of open orders of pairs that no worker has played yet.
    pub fn n_unplayed(&self) -> usize {
        self.n_open() - self.plays.len()
    }

    /// Whether each open pair waits for a worker that is not one of `workers`, because all of them have played it.
    pub fn needs_another<'a>(&self, workers: &(impl Iterator<Item = &'a str> + Clone)) -> bool {
        let is_left = |pair: &u32| workers.clone().any(|worker| !self.was_played_by(*pair, worker));
        self.n_open() == self.plays.len() && !self.plays.is_empty() && !self.plays.keys().any(is_left)
    }

    /// The waiting pairs that none of `workers` can play, or that those who can have played already.
    pub fn left_by<'a>(
        &self,
        workers: &(impl Iterator<Item = &'a str> + Clone),
        can_play: impl Fn(&str, Wanted<'_>) -> bool,
    ) -> Vec<u32> {
        let is_for_one = |open: &Open| {
            let (pair, wanted) = (open.order.pair, self.wanted(open.engines()));
            workers.clone().any(|worker| can_play(worker, wanted) && !self.was_played_by(pair, worker))
        };
        let waiting = self.waiting.iter().filter_map(|pair| Some((*pair, self.open.get(pair)?)));
        waiting.filter(|(_, open)| !is_for_one(open)).map(|(pair, _)| pair).collect()
    }

    fn was_played_by(&self, pair: u32, worker: &str) -> bool {
        self.plays.get(&pair).into_iter().flatten().any(|play| play.worker == worker)
    }

    /// The open order with this hash.
    pub fn order(&self, hash: &str) -> Option<&Open> {
        self.open.get(self.pairs.get(hash)?)
    }

    /// Whether an order waits for a worker.
    pub fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// No worker has the order with this hash.
    pub fn wait(&mut self, hash: &str) {
        self.waiting.extend(self.pairs.get(hash));
    }

    /// A worker has it.
    pub fn is_given(&mut self, hash: &str) {
        if let Some(pair) = self.pairs.get(hash) {
            self.waiting.remove(pair);
        }
    }

    /// A worker has kept the order with this hash: if there are others, they come first.
    pub fn is_kept(&mut self, hash: &str, worker: &str) {
        if let Some(pair) = self.pairs.get(hash) {
            self.kept_by.entry(*pair).or_default().insert(worker.to_owned());
        }
    }

    /// Whether all these workers have kept a pair.
    pub fn have_kept<'a>(&self, pair: u32, mut workers: impl Iterator<Item = &'a str>) -> bool {
        self.kept_by.get(&pair).is_some_and(|names| workers.all(|worker| names.contains(worker)))
    }

    /// The first order that waits for this worker, which is one of `n_workers`.
    pub fn first_for(
        &self,
        worker: &str,
        n_workers: usize,
        can_play: impl Fn([&str; 2]) -> bool,
    ) -> Option<&Open> {
        let fits = |open: &&Open| can_play(open.engines()) && self.is_for(open.order.pair, worker, n_workers);
        self.waiting.iter().filter_map(|pair| self.open.get(pair)).find(fits)
    }

    /// Closes the order of a pair that no worker can play.
    pub fn give_up(&mut self, pair: u32) -> Option<Open> {
        self.plays.remove(&pair);
        self.close(pair)
    }

    /// Whether this worker, one of `n_workers`, may play a pair.
    pub fn is_for(&self, pair: u32, worker: &str, n_workers: usize) -> bool {
        let kept_by = self.kept_by.get(&pair);
        let is_others = kept_by.is_some_and(|names| names.contains(worker) && names.len() < n_workers);
        !is_others && !self.was_played_by(pair, worker)
    }

    /// Whether the job belongs to the pair that is being put together.
    pub fn completes(&self, job: &Job) -> bool {
        self.half.as_ref().is_some_and(|half| half.pair == job.pair)
    }

    /// Whether an order of a match can be opened, if there may be `capacity` orders that no worker has played. A pair has one order
    /// at a time: if its first match went out alone, the second one waits for the result.
    pub fn has_room_for(&self, job: &Job, capacity: usize) -> bool {
        self.completes(job) || self.n_unplayed() < capacity && !self.is_out(job.pair)
    }

    /// Whether a pair has an open order.
    pub fn is_out(&self, pair: u32) -> bool {
        self.open.contains_key(&pair)
    }

    /// The hash of the open order that a match belongs to.
    pub fn hash_of(&self, number: u32) -> Option<&str> {
        let open = self.open.get(&number.div_ceil(2))?;
        open.order.jobs.iter().any(|job| job.number == number).then_some(&open.hash)
    }

    /// Whether the second match of a pair may follow.
    pub const fn has_half(&self) -> bool {
        self.half.is_some()
    }

    /// Adds a job. Returns the orders that are ready.
    pub fn submit(&mut self, job: Job) -> Vec<Open> {
        match self.half.take() {
            Some(half) if half.pair == job.pair => vec![self.first(vec![half, job])],
            Some(half) => {
                let before = self.first(vec![half]);
                self.half = Some(job);
                vec![before]
            }
            None => {
                self.half = Some(job);
                Vec::new()
            }
        }
    }

    /// No second match follows now: the pair that is being put together is ordered as it is.
    pub fn close_half(&mut self) -> Option<Open> {
        let half = self.half.take()?;
        Some(self.first(vec![half]))
    }

    /// Closes the orders that no worker holds, by hash.
    pub fn withdraw(&mut self, is_held: impl Fn(&str) -> bool) -> Vec<Open> {
        self.close_half();
        let idle = |open: &Open| !is_held(&open.hash);
        let pairs: Vec<u32> =
            self.open.iter().filter(|(_, open)| idle(open)).map(|(pair, _)| *pair).collect();
        for pair in &pairs {
            self.plays.remove(pair);
        }
        pairs.iter().filter_map(|pair| self.close(*pair)).collect()
    }

    /// Takes an outcome that `worker`, one of `n_workers`, has sent.
    pub fn take(&mut self, worker: &str, n_workers: usize, outcome: Outcome) -> OutcomeVerdict {
        let Some(open) = self.open.get(&outcome.pair).filter(|open| open.hash == outcome.order) else {
            return OutcomeVerdict::NotWanted;
        };
        if let Some(why) = self.wrong(&open.order, worker, &outcome) {
            return OutcomeVerdict::Wrong { why, again: Box::new(self.again(outcome.pair)) };
        }
        let mut records = outcome.records;
        for record in &mut records {
            record.worker = Some(worker.to_owned());
        }
        let play = Play { worker: worker.to_owned(), records };
        let is_possible = open.order.jobs.iter().all(audit::is_possible) && self.are_trusted(open.engines());
        let is_first = !self.plays.contains_key(&outcome.pair);
        if is_first && !(is_possible && self.audit.is_wanted(outcome.pair, n_workers)) {
            return self.accept(outcome.pair, play.records, None);
        }
        let plays = self.plays.entry(outcome.pair).or_default();
        plays.push(play);
        match judge(plays) {
            Judgement::Open { difference } => {
                OutcomeVerdict::Audited { again: Box::new(self.again(outcome.pair)), difference }
            }
            judgement => {
                let plays = self.plays.remove(&outcome.pair).expect("it was found");
                let records = judgement.right_of(plays);
                self.accept(outcome.pair, records, Some(judgement))
            }
        }
    }

    /// Whether a worker has played a pair that another one plays, too.
    pub fn is_audited(&self, pair: u32) -> bool {
        self.plays.contains_key(&pair)
    }

    /// The pairs that wait for a second worker.
    pub fn audited(&self) -> Vec<u32> {
        self.plays.keys().copied().collect()
    }

    /// Closes a pair that waits for a second worker. Returns its order, and the matches as the first worker has played them.
    pub fn accept_without_audit(&mut self, pair: u32) -> Option<(Open, Play)> {
        let plays = self.plays.remove(&pair)?;
        Some((self.close(pair)?, plays.into_iter().next()?))
    }

    fn accept(&mut self, pair: u32, records: Vec<Record>, judgement: Option<Judgement>) -> OutcomeVerdict {
        let closed = self.close(pair).expect("it is open");
        OutcomeVerdict::Accepted { closed: Box::new(closed), records, judgement }
    }

    fn first(&mut self, jobs: Vec<Job>) -> Open {
        let pair = jobs[0].pair;
        let invitation = self.invitation.clone();
        // The matches of a pair have the same engines.
        let programs = jobs[0].names().iter().filter_map(|name| self.programs.get(*name).cloned()).collect();
        self.open(Order { format_version: FormatVersion, invitation, pair, attempt: 1, jobs, programs })
    }

    fn again(&mut self, pair: u32) -> Again {
        let closed = self.close(pair).expect("it is open");
        let order = Order { attempt: closed.order.attempt + 1, ..closed.order.clone() };
        Again { opened: self.open(order), closed }
    }

    fn close(&mut self, pair: u32) -> Option<Open> {
        self.waiting.remove(&pair);
        self.kept_by.remove(&pair);
        let closed = self.open.remove(&pair)?;
        self.pairs.remove(&closed.hash);
        Some(closed)
    }

    fn open(&mut self, order: Order) -> Open {
        let payload = encode(&order);
        let open = Open { hash: hash(&payload), payload, order };
        self.pairs.insert(open.hash.clone(), open.order.pair);
        self.waiting.insert(open.order.pair);
        let before = self.open.insert(open.order.pair, open.clone());
        debug_assert_eq!(before, None, "matches of a lost order would never end");
        open
    }

    /// Why the outcome does not answer the order.
    fn wrong(&self, order: &Order, worker: &str, outcome: &Outcome) -> Option<String> {
        if outcome.attempt != order.attempt {
            return Some(format!("attempt {} of the pair was not ordered", outcome.attempt));
        }
        if self.was_played_by(order.pair, worker) {
            return Some("the audit needs another worker".to_owned());
        }
        check::wrong(&self.games, &order.jobs, &outcome.records)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratings::MatchResult;

    use super::*;
    use model::{Build, IdLines, samples};

    fn job(number: u32) -> Job {
        Job { number, pair: number.div_ceil(2), ..samples::job() }
    }

    fn outcome(open: &Open) -> Outcome {
        let record = |job| Record::without_moves(job, MatchResult::WhiteWins, "start-failure");
        Outcome {
            format_version: FormatVersion,
            pair: open.order.pair,
            attempt: open.order.attempt,
            order: open.hash.clone(),
            records: open.order.jobs.iter().map(record).collect(),
        }
    }

    #[test]
    fn jobs_of_a_pair_become_one_order() {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::default());
        assert!(ledger.submit(job(1)).is_empty() && ledger.has_half() && ledger.completes(&job(2)));
        let numbers = |open: &[Open]| -> Vec<u32> {
            open.iter().flat_map(|open| open.order.jobs.iter().map(|job| job.number)).collect()
        };
        assert_eq!(numbers(&ledger.submit(job(2))), [1, 2]);
        // The other matches of these pairs are finished.
        assert!(ledger.submit(job(4)).is_empty());
        assert_eq!(numbers(&ledger.submit(job(5))), [4]);
        assert_eq!(numbers(&ledger.close_half().into_iter().collect::<Vec<_>>()), [5]);
        assert_eq!((ledger.n_open(), ledger.close_half()), (3, None));
        assert_eq!([1, 4, 3, 6].map(|number| ledger.hash_of(number).is_some()), [true, true, false, false]);
    }

    #[test]
    fn orders_of_an_open_tournament_bring_their_programs() {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::new(1.0));
        let names = job(1).names().map(str::to_owned);
        for (name, is_trusted) in names.iter().zip([true, false]) {
            let build = Build::new(name, IdLines::default(), Vec::new(), BTreeMap::new());
            ledger.admit(Program { build, parcels: Vec::new() }, is_trusted);
        }
        ledger.submit(job(1));
        let open = ledger.submit(job(2)).remove(0);
        let brought: Vec<&str> = open.order.programs.iter().map(|it| it.build.engine.as_str()).collect();
        assert_eq!(brought, names);
        // It lacks an engine.
        assert!(ledger.first_for("a", 1, |engines| !engines.contains(&names[0].as_str())).is_none());
        // A stranger does not find a worker wrong: nothing is audited.
        let verdict = ledger.take("a", 2, outcome(&open));
        assert!(matches!(verdict, OutcomeVerdict::Accepted { .. }), "{verdict:?}");
        ledger.dismiss(&names[0]);
        assert!(!ledger.has_program(&names[0]) && ledger.has_program(&names[1]));
    }

    /// Its first match went out alone, because there was no room for the second one.
    #[test]
    fn the_second_match_of_a_pair_waits_for_the_first_one() {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::default());
        ledger.submit(job(1));
        assert!(ledger.has_room_for(&job(2), 1), "it completes the pair");
        let open = ledger.close_half().unwrap();
        assert!(!ledger.has_room_for(&job(2), 9) && ledger.has_room_for(&job(3), 9));
        assert!(matches!(ledger.take("w", 1, outcome(&open)), OutcomeVerdict::Accepted { .. }));
        assert!(ledger.has_room_for(&job(2), 1));
    }

    #[test]
    fn a_pair_that_all_workers_have_kept_is_given_up() {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::default());
        ledger.submit(job(1));
        let open = ledger.close_half().unwrap();
        assert!(!ledger.have_kept(1, ["a"].into_iter()));
        ledger.is_kept(&open.hash, "a");
        assert!(ledger.have_kept(1, ["a"].into_iter()) && !ledger.have_kept(1, ["a", "b"].into_iter()));
        assert_eq!(ledger.give_up(1).map(|open| open.order.pair), Some(1));
        assert_eq!((ledger.n_open(), ledger.give_up(1)), (0, None));
    }

    #[test]
    fn an_audited_pair_that_nobody_else_can_play_is_found() {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::voluntary(1.0));
        ledger.submit(job(1));
        let open = ledger.submit(job(2)).remove(0);
        let left_by = |ledger: &Ledger, workers: &[&str], lacking: &str| {
            ledger.left_by(&workers.iter().copied(), |worker, _| worker != lacking)
        };
        assert_eq!([left_by(&ledger, &["a"], "a"), left_by(&ledger, &[], "")], [[1], [1]]);
        let verdict = ledger.take("a", 2, outcome(&open));
        let OutcomeVerdict::Audited { again, .. } = verdict else { panic!("{verdict:?}") };
        assert!(left_by(&ledger, &["a", "b"], "").is_empty());
        assert_eq!([left_by(&ledger, &["a"], ""), left_by(&ledger, &["a", "b"], "b")], [[1], [1]]);
        ledger.is_given(&again.opened.hash);
        assert!(left_by(&ledger, &["a"], "").is_empty(), "somebody plays it");
    }

    #[test]
    fn what_contradicts_the_order_is_wrong_and_the_pair_is_ordered_again() {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::default());
        ledger.submit(job(1));
        let open = ledger.submit(job(2)).remove(0);
        let good = outcome(&open);
        let wrong: [fn(&mut Outcome); 7] = [
            |outcome| outcome.attempt += 1,
            |outcome| outcome.records.truncate(1),
            |outcome| outcome.records.reverse(),
            |outcome| outcome.records[0].opening.push('x'),
            |outcome| outcome.records[1].reason = "goal".to_owned(),
            |outcome| outcome.records[0].evidence = Some("\u{1b}[2J".to_owned()),
            |outcome| outcome.records[0].worker = Some("somebody".to_owned()),
        ];
        let mut last = open;
        for (idx, change) in wrong.into_iter().enumerate() {
            let mut bad = outcome(&last);
            change(&mut bad);
            let OutcomeVerdict::Wrong { again, .. } = ledger.take("w", 1, bad) else {
                panic!("{idx} is wrong")
            };
            assert_eq!((&again.closed, again.opened.order.attempt), (&last, idx as u32 + 2));
            assert_ne!(again.opened.hash, last.hash);
            last = again.opened;
        }
        assert_eq!(ledger.take("w", 1, good), OutcomeVerdict::NotWanted, "the order before is closed");
        let good = outcome(&last);
        let unknown: [fn(&mut Outcome); 2] = [|outcome| outcome.pair = 7, |outcome| outcome.order.push('0')];
        for change in unknown {
            let mut other = good.clone();
            change(&mut other);
            assert_eq!(ledger.take("w", 1, other), OutcomeVerdict::NotWanted);
        }
        let OutcomeVerdict::Accepted { records, .. } = ledger.take("w", 1, good.clone()) else {
            panic!("it is right")
        };
        assert!(records.iter().all(|record| record.worker.as_deref() == Some("w")));
        assert_eq!(ledger.take("w", 1, good), OutcomeVerdict::NotWanted);
    }

    /// The outcome of somebody whose first match ends with this result.
    fn with_result(open: &Open, result: MatchResult) -> Outcome {
        let mut outcome = outcome(open);
        outcome.records[0].result = result;
        outcome
    }

    fn audited() -> (Ledger, Open) {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::new(1.0));
        ledger.submit(job(1));
        let open = ledger.submit(job(2)).remove(0);
        (ledger, open)
    }

    #[test]
    fn an_audited_pair_counts_when_another_worker_has_played_the_same() {
        let (mut ledger, open) = audited();
        let OutcomeVerdict::Audited { again, difference: None } = ledger.take("a", 3, outcome(&open)) else {
            panic!("one play is no audit")
        };
        assert_eq!(again.closed, open);
        assert!(ledger.first_for("a", 2, |_| true).is_none());
        assert_eq!(ledger.first_for("b", 2, |_| true), Some(&again.opened));
        assert_eq!((ledger.n_open(), ledger.n_unplayed()), (1, 0));
        let needs_another = |workers: &[&str]| ledger.needs_another(&workers.iter().copied());
        assert!(needs_another(&["a"]) && !needs_another(&["a", "b"]));
        let OutcomeVerdict::Wrong { again, .. } = ledger.take("a", 3, outcome(&again.opened)) else {
            panic!("it has played before")
        };
        let verdict = ledger.take("b", 3, outcome(&again.opened));
        let OutcomeVerdict::Accepted { records, judgement: Some(Judgement::Same), .. } = verdict else {
            panic!("{verdict:?}")
        };
        assert_eq!(records[0].worker.as_deref(), Some("a"));
        assert_eq!(ledger.n_open(), 0);
    }

    #[test]
    fn who_has_kept_an_order_gets_it_again_if_nobody_else_is_left() {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::default());
        ledger.submit(job(1));
        let open = ledger.submit(job(2)).remove(0);
        assert_eq!(ledger.first_for("a", 2, |_| true), Some(&open));
        ledger.is_given(&open.hash);
        assert!(ledger.first_for("b", 2, |_| true).is_none() && !ledger.has_waiting());
        for _ in 0..3 {
            ledger.is_kept(&open.hash, "a");
        }
        ledger.wait(&open.hash);
        assert_eq!(
            (ledger.first_for("a", 2, |_| true), ledger.first_for("b", 2, |_| true)),
            (None, Some(&open))
        );
        assert_eq!(ledger.first_for("a", 1, |_| true), Some(&open));
        ledger.wait("unknown");
        assert_eq!(ledger.waiting.len(), 1);
    }

    #[test]
    fn what_nobody_holds_is_withdrawn() {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::default());
        let opened: Vec<Open> = (1..=5).flat_map(|number| ledger.submit(job(number))).collect();
        let held = opened[0].hash.clone();
        let numbers: Vec<u32> = ledger
            .withdraw(|hash| hash == held)
            .iter()
            .flat_map(|open| open.order.jobs.iter().map(|job| job.number))
            .collect();
        assert_eq!(numbers, [3, 4, 5]);
        assert_eq!((ledger.n_open(), ledger.hash_of(1), ledger.hash_of(3)), (1, Some(held.as_str()), None));
    }

    #[test]
    fn an_audit_that_nobody_has_asked_for_does_not_wait_for_a_second_worker() {
        let mut ledger = Ledger::new(Games::default(), "i", Audit::voluntary(1.0));
        let opened: Vec<Open> = (1..=4).flat_map(|number| ledger.submit(job(number))).collect();
        let verdict = ledger.take("a", 1, outcome(&opened[0]));
        assert!(matches!(verdict, OutcomeVerdict::Accepted { .. }), "it is alone: {verdict:?}");
        let verdict = ledger.take("a", 2, outcome(&opened[1]));
        assert!(matches!(verdict, OutcomeVerdict::Audited { .. }), "{verdict:?}");
        assert_eq!(ledger.audited(), [2]);
        let (_, play) = ledger.accept_without_audit(2).expect("it was played");
        assert_eq!((play.worker.as_str(), ledger.n_open(), ledger.n_unplayed()), ("a", 0, 0));
    }

    #[test]
    fn a_third_worker_decides_who_is_wrong() {
        for (third, wrong) in [
            (MatchResult::WhiteWins, Some("b")),
            (MatchResult::BlackWins, Some("a")),
            (MatchResult::Draw, None),
        ] {
            let (mut ledger, open) = audited();
            let OutcomeVerdict::Audited { again, .. } = ledger.take("a", 3, outcome(&open)) else {
                panic!("first")
            };
            let second = with_result(&again.opened, MatchResult::BlackWins);
            let OutcomeVerdict::Audited { again, difference: Some(difference) } = ledger.take("b", 3, second)
            else {
                panic!("second")
            };
            assert!(
                difference.contains("match 1") && difference.contains("1-0") && difference.contains("0-1"),
                "{difference}"
            );
            let verdict = ledger.take("c", 3, with_result(&again.opened, third));
            let OutcomeVerdict::Accepted { records, judgement: Some(judgement), .. } = verdict else {
                panic!("{verdict:?}")
            };
            assert_eq!(judgement.wrong_worker(), wrong);
            assert!(records.iter().all(|record| record.worker.as_deref() != wrong));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Outcomes arrive late, several times and in any order: each match counts once.
        #[test]
        fn every_match_counts_once(deliveries in prop::collection::vec(0_usize..20, 0..200)) {
            let mut ledger = Ledger::new(Games::default(), "i", Audit::default());
            let opened: Vec<Open> = (1..=40).flat_map(|number| ledger.submit(job(number))).collect();
            let mut counted = Vec::new();
            for idx in deliveries.into_iter().chain(0..20) {
                if let OutcomeVerdict::Accepted { records, .. } = ledger.take("w", 1, outcome(&opened[idx])) {
                    counted.extend(records.into_iter().map(|record| record.number));
                }
            }
            counted.sort_unstable();
            prop_assert_eq!(counted, (1..=40).collect::<Vec<u32>>());
            prop_assert_eq!(ledger.n_open(), 0);
        }
    }
}
