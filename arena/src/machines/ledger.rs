//! The orders that are open: which pairs are to be played, and which outcome answers which order. Pure: it is told of
//! jobs and outcomes, and sends nothing. What it does not know, it does not want: a repeated, late or foreign outcome
//! changes nothing.

use std::collections::BTreeMap;

use super::check;
use super::message::{Order, Outcome, encode, hash};
use crate::tournament::{FormatVersion, Job, Record};

/// The open orders.
#[derive(Debug, Default)]
pub struct Ledger {
    /// The hash of the invitation that all orders belong to.
    invitation: String,
    /// The first match of a pair, whose second one may follow.
    half: Option<Job>,
    /// By pair.
    open: BTreeMap<u32, Open>,
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
        open: Box<Open>,
        /// The matches.
        records: Vec<Record>,
    },
    /// The order is not open: the outcome is a repetition, or late.
    NotWanted,
    /// It contradicts the order, which stays open.
    Wrong(String),
}

impl Ledger {
    /// No open orders. Those that come belong to the invitation with this hash.
    pub fn new(invitation: &str) -> Self {
        Self { invitation: invitation.to_owned(), ..Self::default() }
    }

    /// The number of open orders.
    pub fn n_open(&self) -> usize {
        self.open.len() + usize::from(self.half.is_some())
    }

    /// Whether the job belongs to the pair that is being put together.
    pub fn completes(&self, job: &Job) -> bool {
        self.half.as_ref().is_some_and(|half| half.pair == job.pair)
    }

    /// Whether a match belongs to an open order.
    pub fn has(&self, number: u32) -> bool {
        let jobs = self.open.get(&number.div_ceil(2)).map(|open| &open.order.jobs);
        jobs.is_some_and(|jobs| jobs.iter().any(|job| job.number == number))
    }

    /// Whether the second match of a pair may follow.
    pub const fn has_half(&self) -> bool {
        self.half.is_some()
    }

    /// Adds a job. Returns the orders that are ready.
    pub fn submit(&mut self, job: Job) -> Vec<Open> {
        match self.half.take() {
            Some(half) if half.pair == job.pair => vec![self.order(vec![half, job])],
            Some(half) => {
                let before = self.order(vec![half]);
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
        Some(self.order(vec![half]))
    }

    /// Takes an outcome that `worker` has sent.
    pub fn take(&mut self, worker: &str, outcome: Outcome) -> Verdict {
        let Some(open) = self.open.get(&outcome.pair).filter(|open| open.hash == outcome.order) else {
            return Verdict::NotWanted;
        };
        if outcome.attempt != open.order.attempt {
            return Verdict::Wrong(format!("attempt {} of the pair was not ordered", outcome.attempt));
        }
        let mut records = outcome.records;
        if let Some(why) = check::wrong(&open.order.jobs, &records) {
            return Verdict::Wrong(why);
        }
        for record in &mut records {
            record.worker = Some(worker.to_owned());
        }
        let open = self.open.remove(&outcome.pair).expect("it was found");
        Verdict::Accepted { open: Box::new(open), records }
    }

    fn order(&mut self, jobs: Vec<Job>) -> Open {
        let pair = jobs[0].pair;
        let order = Order {
            format_version: FormatVersion,
            invitation: self.invitation.clone(),
            pair,
            attempt: 1,
            jobs,
        };
        let payload = encode(&order);
        let open = Open { order, hash: hash(&payload), payload };
        self.open.insert(pair, open.clone());
        open
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratings::MatchResult;

    use super::*;
    use crate::tournament::samples;

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
        let mut ledger = Ledger::new("i");
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
        assert!(ledger.has(1) && ledger.has(4) && !ledger.has(3) && !ledger.has(6));
    }

    #[test]
    fn what_contradicts_the_order_is_wrong_and_the_order_stays_open() {
        let mut ledger = Ledger::new("i");
        ledger.submit(job(1));
        let open = ledger.submit(job(2)).remove(0);
        let good = outcome(&open);
        let changed = |change: fn(&mut Outcome)| {
            let mut outcome = good.clone();
            change(&mut outcome);
            outcome
        };
        let wrong: [fn(&mut Outcome); 7] = [
            |outcome| outcome.attempt = 2,
            |outcome| outcome.records.truncate(1),
            |outcome| outcome.records.reverse(),
            |outcome| outcome.records[0].opening.push('x'),
            |outcome| outcome.records[1].reason = "goal".to_owned(),
            |outcome| outcome.records[0].evidence = Some("\u{1b}[2J".to_owned()),
            |outcome| outcome.records[0].worker = Some("somebody".to_owned()),
        ];
        for (idx, change) in wrong.into_iter().enumerate() {
            assert!(matches!(ledger.take("w", changed(change)), Verdict::Wrong(_)), "{idx}");
        }
        let unknown: [fn(&mut Outcome); 2] = [|outcome| outcome.pair = 7, |outcome| outcome.order.push('0')];
        for change in unknown {
            assert_eq!(ledger.take("w", changed(change)), Verdict::NotWanted);
        }
        let Verdict::Accepted { records, .. } = ledger.take("w", good.clone()) else { panic!("it is right") };
        assert!(records.iter().all(|record| record.worker.as_deref() == Some("w")));
        assert_eq!(ledger.take("w", good), Verdict::NotWanted);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Outcomes arrive late, several times and in any order: each match counts once.
        #[test]
        fn every_match_counts_once(deliveries in prop::collection::vec(0_usize..20, 0..200)) {
            let mut ledger = Ledger::new("i");
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
