//! The orders that the stream should have. Pure: it is told what the stream has, and sends nothing.
//!
//! The stream is disposable. Every second, its orders are compared with the open ones: what is missing is published again,
//! unless a worker holds it, and what is not open any more is removed.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// The orders that the stream should have.
#[derive(Debug)]
pub struct Published {
    lease: Duration,
    /// The open orders by subject.
    open: HashMap<String, Vec<u8>>,
    /// The subjects of orders that an earlier run has published.
    earlier: HashSet<String>,
    /// The hashes of the open orders.
    hashes: HashSet<String>,
    /// By the hash of the order: when a worker said that it holds it.
    held: HashMap<String, Instant>,
    /// The subjects that were missing, and those that were not open, at the last comparison.
    differences: HashSet<String>,
}

/// What the stream has not, and what it has in addition.
#[derive(Debug, PartialEq, Eq)]
pub struct Differences {
    /// Orders that must be published again, with their subjects.
    pub lost: Vec<(String, Vec<u8>)>,
    /// The subjects of orders that must be removed.
    pub surplus: Vec<String>,
}

impl Published {
    /// No open orders. The stream has these subjects from an earlier run.
    pub fn new(earlier: HashSet<String>, lease: Duration) -> Self {
        let (open, hashes, held, differences) = Default::default();
        Self { lease, open, earlier, hashes, held, differences }
    }

    /// The number of open orders.
    pub fn n_open(&self) -> usize {
        self.open.len()
    }

    /// The number of orders of an earlier run that were not opened again.
    pub fn n_earlier(&self) -> usize {
        self.earlier.len()
    }

    /// Takes the subjects of these orders, which are not wanted any more.
    pub fn take_earlier(&mut self) -> HashSet<String> {
        std::mem::take(&mut self.earlier)
    }

    /// Opens an order. Returns whether it must be published: the earlier run may have done it.
    pub fn open(&mut self, subject: String, payload: Vec<u8>) -> bool {
        let is_new = !self.earlier.remove(&subject);
        self.hashes.extend(hash_of(&subject).map(str::to_owned));
        self.open.insert(subject, payload);
        is_new
    }

    /// Closes the order with this hash.
    pub fn close(&mut self, subject: &str, hash: &str) {
        self.open.remove(subject);
        self.hashes.remove(hash);
        self.held.remove(hash);
    }

    /// A worker says that it holds the orders with these hashes. Those that are not open do not matter.
    pub fn hold(&mut self, hashes: &[String], now: Instant) {
        let open = hashes.iter().filter(|hash| self.hashes.contains(*hash));
        self.held.extend(open.map(|hash| (hash.clone(), now)));
    }

    /// Compares the open orders with those of the stream. A difference counts when it is seen twice: orders may be on their
    /// way.
    pub fn compare(&mut self, stream: &HashSet<String>, now: Instant) -> Differences {
        self.held.retain(|_, heard| now < *heard + self.lease);
        let is_held = |subject: &str| hash_of(subject).is_some_and(|hash| self.held.contains_key(hash));
        let missing = self.open.keys().filter(|subject| !stream.contains(*subject) && !is_held(subject));
        let is_wanted = |subject: &String| self.open.contains_key(subject) || self.earlier.contains(subject);
        let surplus = stream.iter().filter(|subject| !is_wanted(subject));
        let (missing, surplus): (Vec<String>, Vec<String>) =
            (missing.cloned().collect(), surplus.cloned().collect());
        let now = missing.iter().chain(&surplus).cloned().collect();
        let before = std::mem::replace(&mut self.differences, now);
        let lost = missing.into_iter().filter(|subject| before.contains(subject));
        Differences {
            lost: lost.map(|subject| (subject.clone(), self.open[&subject].clone())).collect(),
            surplus: surplus.into_iter().filter(|subject| before.contains(subject)).collect(),
        }
    }
}

/// The hash of an order, which ends its subject.
fn hash_of(subject: &str) -> Option<&str> {
    subject.rsplit('.').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(10);

    fn set(subjects: &[&str]) -> HashSet<String> {
        subjects.iter().map(|subject| (*subject).to_owned()).collect()
    }

    fn differences(lost: &[&str], surplus: &[&str]) -> Differences {
        let order = |subject: &&str| ((*subject).to_owned(), subject.as_bytes().to_vec());
        let surplus = surplus.iter().map(|subject| (*subject).to_owned()).collect();
        Differences { lost: lost.iter().map(order).collect(), surplus }
    }

    fn open(published: &mut Published, subject: &str) -> bool {
        published.open(subject.to_owned(), subject.as_bytes().to_vec())
    }

    #[test]
    fn what_the_stream_has_lost_is_published_again_unless_a_worker_holds_it() {
        let now = Instant::now();
        let mut published = Published::new(HashSet::new(), LEASE);
        assert!(open(&mut published, "job.1.a") && open(&mut published, "job.2.b"));
        published.hold(&["b".to_owned()], now);
        published.hold(&(0..1000).map(|n| n.to_string()).collect::<Vec<_>>(), now);
        assert_eq!(published.held.len(), 1, "what nobody has ordered cannot be held");
        assert_eq!(published.compare(&set(&[]), now), differences(&[], &[]), "it may be on its way");
        assert_eq!(published.compare(&set(&[]), now), differences(&["job.1.a"], &[]));
        assert_eq!(published.compare(&set(&["job.1.a"]), now + LEASE), differences(&[], &[]));
        assert_eq!(published.compare(&set(&["job.1.a"]), now + LEASE), differences(&["job.2.b"], &[]));
    }

    #[test]
    fn what_is_not_open_is_removed_and_an_earlier_run_is_taken_over() {
        let now = Instant::now();
        let mut published = Published::new(set(&["job.1.a", "job.2.b"]), LEASE);
        assert!(!open(&mut published, "job.1.a") && open(&mut published, "job.3.c"));
        let stream = set(&["job.1.a", "job.2.b", "job.3.c"]);
        published.close("job.3.c", "c");
        assert_eq!(published.compare(&stream, now), differences(&[], &[]));
        assert_eq!(published.compare(&stream, now), differences(&[], &["job.3.c"]));
        assert_eq!((published.n_open(), published.take_earlier()), (1, set(&["job.2.b"])));
    }
}
