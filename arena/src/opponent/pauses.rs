//! Detects times in which the arena itself was stopped: suspended in its terminal, halted by a debugger, or on a
//! sleeping machine. They must not count for engines.

use std::sync::{Mutex, MutexGuard, Once};
use std::thread;
use std::time::{Duration, Instant};

/// The interval between two looks at the clock.
const BEAT: Duration = Duration::from_millis(100);
/// A longer time since the last look is a pause; a busy processor does not cause such a delay.
const LATE: Duration = Duration::from_millis(500);

static WATCH: Mutex<Option<Watch>> = Mutex::new(None);

struct Watch {
    last_beat: Instant,
    stood_still: Duration,
}

impl Watch {
    fn since_beat(&self, now: Instant) -> Duration {
        let gap = now.saturating_duration_since(self.last_beat);
        if LATE < gap { gap } else { Duration::ZERO }
    }
}

/// Starts the detection, for the lifetime of the process. Without it no pause is seen.
pub fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        *lock() = Some(Watch { last_beat: Instant::now(), stood_still: Duration::ZERO });
        let started = thread::Builder::new().name("pauses".to_owned()).spawn(|| {
            loop {
                thread::sleep(BEAT);
                if let Some(watch) = &mut *lock() {
                    let now = Instant::now();
                    watch.stood_still += watch.since_beat(now);
                    watch.last_beat = now;
                }
            }
        });
        if started.is_err() {
            *lock() = None;
        }
    });
}

/// The total time of all pauses so far.
pub fn stood_still() -> Duration {
    lock().as_ref().map_or(Duration::ZERO, |watch| watch.stood_still + watch.since_beat(Instant::now()))
}

fn lock() -> MutexGuard<'static, Option<Watch>> {
    WATCH.lock().expect("nobody panics while holding it")
}

/// A deadline that is extended by pauses.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Instant,
    stood_still: Duration,
}

impl Deadline {
    /// This long after `begun`, which is now.
    pub fn after(begun: Instant, limit: Duration) -> Self {
        Self { at: begun + limit, stood_still: stood_still() }
    }

    /// The deadline as known now.
    pub const fn at(&self) -> Instant {
        self.at
    }

    /// Whether the deadline, with all extensions, has passed.
    pub fn has_passed(&mut self, now: Instant) -> bool {
        if now < self.at {
            return false;
        }
        let so_far = stood_still();
        self.at += so_far.saturating_sub(self.stood_still);
        self.stood_still = so_far;
        self.at <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_much_later_than_a_beat_was_a_pause() {
        let watch = Watch { last_beat: Instant::now(), stood_still: Duration::ZERO };
        assert_eq!(watch.since_beat(watch.last_beat + BEAT * 2), Duration::ZERO);
        assert_eq!(watch.since_beat(watch.last_beat + LATE * 2), LATE * 2);
    }

    #[test]
    fn a_deadline_passes_when_nothing_stands_still() {
        let now = Instant::now();
        let mut deadline = Deadline::after(now, BEAT);
        assert!(!deadline.has_passed(now));
        assert!(deadline.has_passed(now + BEAT));
    }
}
