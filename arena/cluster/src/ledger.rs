//! The orders that are open: which pairs are to be played, and which outcome answers which order. Pure: it is told of
//! jobs and outcomes, and sends nothing. What it does not know, it does not want: a repeated, late or foreign outcome
//! changes nothing.
//!
//! A pair that was answered wrongly, or that is audited, is ordered again as the next attempt. The order before is closed,
//! so that its late outcomes do not count.

use std::collections::BTreeMap;

use super::audit::{Audit, Judgement, Play, judge};
use super::check;
use super::message::{Order, Outcome, encode, hash};
use model::{FormatVersion, Job, Record};

/// The open orders.
#[derive(Debug, Default)]
pub struct Ledger {
    /// The hash of the invitation that all orders belong to.
    invitation: String,
    /// Which pairs are played by several workers.
    audit: Audit,
    /// The first match of a pair, whose second one may follow.
    half: Option<Job>,
    /// By pair.
    open: BTreeMap<u32, Open>,
    /// The outcomes so far of open pairs that are audited.
    plays: BTreeMap<u32, Vec<Play>>,
}

/// An open order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The order.
    pub order: Order,
    /// The order as it is sent.
    pub payload: Vec<u8>,
    /// The hash of it.
    pub hash: String,
}

/// What becomes of an outcome.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It answers an open order, which is closed. The records name their worker.
    Accepted {
        /// The order.
        closed: Box<Open>,
        /// The matches.
        records: Vec<Record>,
        /// What the workers that played an audited pair have done differently.
        judgement: Option<Judgement>,
    },
    /// It is one of the outcomes of an audited pair, which another worker plays, too.
    Audited {
        /// The orders.
        again: Box<Again>,
        /// What the workers have done differently.
        difference: Option<String>,
    },
    /// It contradicts the order. The pair is ordered again.
    Wrong {
        /// The contradiction.
        why: String,
        /// The orders.
        again: Box<Again>,
    },
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
    /// No open orders. Those that come belong to the invitation with this hash.
    pub fn new(invitation: &str, audit: Audit) -> Self {
        Self { invitation: invitation.to_owned(), audit, ..Self::default() }
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
    pub fn needs_another(&self, workers: &[&str]) -> bool {
        let is_left = |open: &Open| workers.iter().any(|worker| !open.order.is_not_for(worker));
        0 < self.n_open() && self.half.is_none() && !self.open.values().any(is_left)
    }

    /// Whether the job belongs to the pair that is being put together.
    pub fn completes(&self, job: &Job) -> bool {
        self.half.as_ref().is_some_and(|half| half.pair == job.pair)
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
        pairs.iter().filter_map(|pair| self.open.remove(pair)).collect()
    }

    /// Takes an outcome that `worker` has sent.
    pub fn take(&mut self, worker: &str, outcome: Outcome) -> Verdict {
        let Some(open) = self.open.get(&outcome.pair).filter(|open| open.hash == outcome.order) else {
            return Verdict::NotWanted;
        };
        if let Some(why) = wrong(&open.order, worker, &outcome) {
            return Verdict::Wrong { why, again: Box::new(self.again(outcome.pair)) };
        }
        let mut records = outcome.records;
        for record in &mut records {
            record.worker = Some(worker.to_owned());
        }
        let play = Play { worker: worker.to_owned(), records };
        if !self.audit.includes(outcome.pair) {
            return self.accept(outcome.pair, play.records, None);
        }
        let plays = self.plays.entry(outcome.pair).or_default();
        plays.push(play);
        match judge(plays) {
            Judgement::Open { difference } => {
                Verdict::Audited { again: Box::new(self.again(outcome.pair)), difference }
            }
            judgement => {
                let plays = self.plays.remove(&outcome.pair).expect("it was found");
                let records = judgement.right_of(plays);
                self.accept(outcome.pair, records, Some(judgement))
            }
        }
    }

    fn accept(&mut self, pair: u32, records: Vec<Record>, judgement: Option<Judgement>) -> Verdict {
        let closed = self.open.remove(&pair).expect("it is open");
        Verdict::Accepted { closed: Box::new(closed), records, judgement }
    }

    fn first(&mut self, jobs: Vec<Job>) -> Open {
        let pair = jobs[0].pair;
        let invitation = self.invitation.clone();
        self.open(Order {
            format_version: FormatVersion,
            invitation,
            pair,
            attempt: 1,
            not_for: Vec::new(),
            jobs,
        })
    }

    fn again(&mut self, pair: u32) -> Again {
        let closed = self.open.remove(&pair).expect("it is open");
        let played = self.plays.get(&pair).into_iter().flatten();
        let not_for = played.map(|play| play.worker.clone()).collect();
        let order = Order { attempt: closed.order.attempt + 1, not_for, ..closed.order.clone() };
        Again { opened: self.open(order), closed }
    }

    fn open(&mut self, order: Order) -> Open {
        let payload = encode(&order);
        let open = Open { hash: hash(&payload), payload, order };
        self.open.insert(open.order.pair, open.clone());
        open
    }
}

/// Why the outcome does not answer the order.
fn wrong(order: &Order, worker: &str, outcome: &Outcome) -> Option<String> {
    if outcome.attempt != order.attempt {
        return Some(format!("attempt {} of the pair was not ordered", outcome.attempt));
    }
    if order.is_not_for(worker) {
        return Some("the audit needs another worker".to_owned());
    }
    check::wrong(&order.jobs, &outcome.records)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratings::MatchResult;

    use super::*;
    use model::samples;

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
        let mut ledger = Ledger::new("i", Audit::default());
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
    fn what_contradicts_the_order_is_wrong_and_the_pair_is_ordered_again() {
        let mut ledger = Ledger::new("i", Audit::default());
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
            let Verdict::Wrong { again, .. } = ledger.take("w", bad) else { panic!("{idx} is wrong") };
            assert_eq!((&again.closed, again.opened.order.attempt), (&last, idx as u32 + 2));
            assert_ne!(again.opened.hash, last.hash);
            last = again.opened;
        }
        assert_eq!(ledger.take("w", good), Verdict::NotWanted, "the order before is closed");
        let good = outcome(&last);
        let unknown: [fn(&mut Outcome); 2] = [|outcome| outcome.pair = 7, |outcome| outcome.order.push('0')];
        for change in unknown {
            let mut other = good.clone();
            change(&mut other);
            assert_eq!(ledger.take("w", other), Verdict::NotWanted);
        }
        let Verdict::Accepted { records, .. } = ledger.take("w", good.clone()) else { panic!("it is right") };
        assert!(records.iter().all(|record| record.worker.as_deref() == Some("w")));
        assert_eq!(ledger.take("w", good), Verdict::NotWanted);
    }

    /// The outcome of somebody whose first match ends with this result.
    fn with_result(open: &Open, result: MatchResult) -> Outcome {
        let mut outcome = outcome(open);
        outcome.records[0].result = result;
        outcome
    }

    fn audited() -> (Ledger, Open) {
        let mut ledger = Ledger::new("i", Audit::new(1.0));
        ledger.submit(job(1));
        let open = ledger.submit(job(2)).remove(0);
        (ledger, open)
    }

    #[test]
    fn an_audited_pair_counts_when_another_worker_has_played_the_same() {
        let (mut ledger, open) = audited();
        let Verdict::Audited { again, difference: None } = ledger.take("a", outcome(&open)) else {
            panic!("one play is no audit")
        };
        assert_eq!((&again.closed, again.opened.order.not_for.as_slice()), (&open, &["a".to_owned()][..]));
        assert_eq!((ledger.n_open(), ledger.n_unplayed()), (1, 0));
        assert!(ledger.needs_another(&["a"]) && !ledger.needs_another(&["a", "b"]));
        let Verdict::Wrong { again, .. } = ledger.take("a", outcome(&again.opened)) else {
            panic!("it has played before")
        };
        let verdict = ledger.take("b", outcome(&again.opened));
        let Verdict::Accepted { records, judgement: Some(Judgement::Same), .. } = verdict else {
            panic!("{verdict:?}")
        };
        assert_eq!(records[0].worker.as_deref(), Some("a"));
        assert_eq!(ledger.n_open(), 0);
    }

    #[test]
    fn what_nobody_holds_is_withdrawn() {
        let mut ledger = Ledger::new("i", Audit::default());
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
    fn a_third_worker_decides_who_is_wrong() {
        for (third, wrong) in [
            (MatchResult::WhiteWins, Some("b")),
            (MatchResult::BlackWins, Some("a")),
            (MatchResult::Draw, None),
        ] {
            let (mut ledger, open) = audited();
            let Verdict::Audited { again, .. } = ledger.take("a", outcome(&open)) else { panic!("first") };
            let second = with_result(&again.opened, MatchResult::BlackWins);
            let Verdict::Audited { again, difference: Some(difference) } = ledger.take("b", second) else {
                panic!("second")
            };
            assert!(
                difference.contains("match 1") && difference.contains("1-0") && difference.contains("0-1"),
                "{difference}"
            );
            let verdict = ledger.take("c", with_result(&again.opened, third));
            let Verdict::Accepted { records, judgement: Some(judgement), .. } = verdict else {
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
            let mut ledger = Ledger::new("i", Audit::default());
            let opened: Vec<Open> = (1..=40).flat_map(|number| ledger.submit(job(number))).collect();
            let mut counted = Vec::new();
            for idx in deliveries.into_iter().chain(0..20) {
                if let Verdict::Accepted { records, .. } = ledger.take("w", outcome(&opened[idx])) {
                    counted.extend(records.into_iter().map(|record| record.number));
                }
            }
            counted.sort_unstable();
            prop_assert_eq!(counted, (1..=40).collect::<Vec<u32>>());
            prop_assert_eq!(ledger.n_open(), 0);
        }
    }
}
