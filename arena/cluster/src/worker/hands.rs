//! The orders that a worker holds: from their delivery until the coordinator has confirmed the outcome. Pure.

use std::time::{Duration, Instant};

use crate::message::{Order, Outcome};
use model::{FormatVersion, Job, Record};

/// All orders that the worker holds.
#[derive(Debug, Default)]
pub struct Hands {
    held: Vec<Held>,
}

#[derive(Debug)]
struct Held {
    order: Order,
    hash: String,
    records: Vec<Record>,
    /// When the outcome was sent last; `None` while it is played.
    sent: Option<Instant>,
}

/// What follows a finished match.
#[derive(Debug, PartialEq, Eq)]
pub enum Then {
    /// Play the next match of the pair.
    Play(Box<Job>),
    /// The pair is complete.
    Send(Outcome),
    /// The match is of no order.
    Nothing,
}

impl Hands {
    /// The number of orders that are being played.
    pub fn n_playing(&self) -> usize {
        self.held.iter().filter(|held| held.sent.is_none()).count()
    }

    /// The number of orders that are held.
    pub const fn n_held(&self) -> usize {
        self.held.len()
    }

    /// Whether no order is held.
    pub const fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// The numbers of the matches that are being played.
    pub fn playing(&self) -> Vec<u32> {
        let playing = self.held.iter().filter(|held| held.sent.is_none());
        playing.filter_map(|held| Some(held.order.jobs.get(held.records.len())?.number)).collect()
    }

    /// Whether matches of a pair are being played.
    pub fn plays(&self, pair: u32) -> bool {
        self.held.iter().any(|held| held.sent.is_none() && held.order.pair == pair)
    }

    /// The hashes of all orders that are held.
    pub fn hashes(&self) -> Vec<String> {
        self.held.iter().map(|held| held.hash.clone()).collect()
    }

    /// The hash of the order that a match belongs to, if it is held.
    pub fn order_of(&self, number: u32) -> Option<&str> {
        let is_of = |held: &&Held| held.order.jobs.iter().any(|job| job.number == number);
        self.held.iter().find(is_of).map(|held| held.hash.as_str())
    }

    /// Takes an order. Returns its first match; `None` if the order is held already.
    pub fn take(&mut self, order: Order, hash: String) -> Option<Job> {
        if self.held.iter().any(|held| held.hash == hash) {
            return None;
        }
        let first = order.jobs.first()?.clone();
        self.held.push(Held { order, hash, records: Vec::new(), sent: None });
        Some(first)
    }

    /// All orders that are held.
    pub fn orders(&self) -> impl Iterator<Item = &Order> {
        self.held.iter().map(|held| &held.order)
    }

    /// The order with this hash, if it is held.
    pub fn order(&self, hash: &str) -> Option<&Order> {
        self.held.iter().find(|held| held.hash == hash).map(|held| &held.order)
    }

    /// Takes the record of a match.
    pub fn finish(&mut self, record: Record, now: Instant) -> Then {
        let is_due = |held: &&mut Held| {
            let due = held.order.jobs.get(held.records.len());
            held.sent.is_none() && due.is_some_and(|job| job.number == record.number)
        };
        let Some(held) = self.held.iter_mut().find(is_due) else { return Then::Nothing };
        held.records.push(record);
        if let Some(job) = held.order.jobs.get(held.records.len()) {
            return Then::Play(Box::new(job.clone()));
        }
        held.sent = Some(now);
        Then::Send(held.outcome())
    }

    /// The outcomes that were sent last before `patience`, and must be sent again.
    pub fn unconfirmed(&mut self, now: Instant, patience: Duration) -> Vec<Outcome> {
        let is_due = |held: &&mut Held| held.sent.is_some_and(|sent| sent + patience <= now);
        let due = self.held.iter_mut().filter(is_due);
        due.map(|held| {
            held.sent = Some(now);
            held.outcome()
        })
        .collect()
    }

    /// The coordinator no longer needs the order.
    pub fn settle(&mut self, hash: &str) {
        self.held.retain(|held| held.hash != hash);
    }

    /// Gives up the orders that are being played.
    pub fn give_up_playing(&mut self) {
        self.held.retain(|held| held.sent.is_some());
    }
}

impl Held {
    fn outcome(&self) -> Outcome {
        Outcome {
            format_version: FormatVersion,
            pair: self.order.pair,
            attempt: self.order.attempt,
            order: self.hash.clone(),
            records: self.records.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    fn order() -> Order {
        let jobs = [1, 2].map(|number| Job { number, ..samples::job() });
        Order {
            format_version: FormatVersion,
            invitation: "i".to_owned(),
            pair: 1,
            attempt: 1,
            jobs: jobs.to_vec(),
            programs: Vec::new(),
        }
    }

    fn record(number: u32) -> Record {
        Record { number, ..samples::record() }
    }

    #[test]
    fn a_pair_is_played_in_order_and_held_until_it_is_confirmed() {
        let now = Instant::now();
        let mut hands = Hands::default();
        assert_eq!(hands.take(order(), "h".to_owned()).map(|job| job.number), Some(1));
        assert_eq!(hands.take(order(), "h".to_owned()), None, "delivered again");
        assert_eq!(hands.playing(), [1]);
        assert_eq!(hands.finish(record(2), now), Then::Nothing);
        assert!(matches!(hands.finish(record(1), now), Then::Play(job) if job.number == 2));
        assert_eq!((hands.playing(), hands.n_playing()), (vec![2], 1));
        assert!(matches!(hands.finish(record(2), now), Then::Send(outcome) if outcome.records.len() == 2));
        assert_eq!((hands.n_playing(), hands.hashes()), (0, vec!["h".to_owned()]));
        let mut n_unconfirmed =
            |after: u64| hands.unconfirmed(now + Duration::from_secs(after), Duration::from_secs(5)).len();
        assert_eq!([0, 5, 5].map(&mut n_unconfirmed), [0, 1, 0]);
        hands.settle("h");
        assert!(hands.is_empty());
    }

    /// A league that was killed may give the numbers of matches to others, which are told apart by their numbers alone.
    #[test]
    fn a_pair_is_played_once_at_a_time() {
        let now = Instant::now();
        let mut hands = Hands::default();
        assert!(!hands.plays(1));
        hands.take(order(), "h".to_owned());
        assert!(hands.plays(1) && !hands.plays(2));
        hands.finish(record(1), now);
        hands.finish(record(2), now);
        assert!(!hands.plays(1), "its outcome waits for the receipt");
    }

    #[test]
    fn pairs_that_are_played_are_given_up() {
        let now = Instant::now();
        let mut hands = Hands::default();
        let single = Order { jobs: order().jobs[..1].to_vec(), ..order() };
        hands.take(single, "a".to_owned());
        hands.finish(record(1), now);
        hands.take(order(), "b".to_owned());
        hands.give_up_playing();
        assert_eq!(hands.hashes(), ["a"]);
    }
}
