//! How long the arena's own threads used processors, and how long they waited for one, as counted by Linux. Only the
//! threads that play matches, in this run.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The counts of all threads. Clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct OwnTimes {
    sums: Arc<Sums>,
}

#[derive(Debug, Default)]
struct Sums {
    used_ns: AtomicU64,
    waited_ns: AtomicU64,
}

/// The part of one thread. It must not be passed to another thread.
#[derive(Debug, Default)]
pub struct ThreadTimes {
    counted: Times,
}

#[derive(Clone, Copy, Debug, Default)]
struct Times {
    used_ns: u64,
    waited_ns: u64,
}

impl OwnTimes {
    /// Adds what the current thread used and waited since the last call.
    pub fn count(&self, thread: &mut ThreadTimes) {
        let Some(now) = read() else { return };
        let before = std::mem::replace(&mut thread.counted, now);
        let add = |sum: &AtomicU64, now: u64, before: u64| {
            sum.fetch_add(now.saturating_sub(before), Ordering::Relaxed);
        };
        add(&self.sums.used_ns, now.used_ns, before.used_ns);
        add(&self.sums.waited_ns, now.waited_ns, before.waited_ns);
    }

    /// The times in words, for this number of moves; `None` if the system does not report them, or without moves.
    pub fn words(&self, n_moves: u64) -> Option<String> {
        let time = |sum: &AtomicU64| Duration::from_nanos(sum.load(Ordering::Relaxed));
        let (used, waited) = (time(&self.sums.used_ns), time(&self.sums.waited_ns));
        if used.is_zero() || n_moves == 0 {
            return None;
        }
        let per_move = |time: Duration| time.as_secs_f64() * 1e6 / n_moves as f64;
        Some(format!(
            "the arena itself used {:.1} us of processor time per move in this run, and waited {:.1} us for a processor",
            per_move(used),
            per_move(waited)
        ))
    }
}

/// The times of the current thread since its start.
fn read() -> Option<Times> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let mut numbers = text.split_whitespace().map_while(|word| word.parse().ok());
    Some(Times { used_ns: numbers.next()?, waited_ns: numbers.next()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_thread_does_is_counted_once() {
        let (times, mut thread) = (OwnTimes::default(), ThreadTimes::default());
        assert_eq!(times.words(1), None);
        let begun = read().expect("Linux tells").used_ns;
        let mut n = 0_u64;
        while read().expect("Linux tells").used_ns < begun + 2_000_000 {
            n = std::hint::black_box(n + 1);
        }
        times.count(&mut thread);
        let used = times.sums.used_ns.load(Ordering::Relaxed);
        assert!(begun + 2_000_000 <= used);
        times.count(&mut thread);
        assert!(times.sums.used_ns.load(Ordering::Relaxed) <= read().expect("Linux tells").used_ns);
        assert!(times.words(1).is_some_and(|words| words.ends_with("us for a processor")));
        assert_eq!(times.words(0), None);
    }
}
