//! Detects times in which the arena itself was stopped: suspended in its terminal, or halted by a debugger. They must
//! not count for engines. While the machine sleeps, the clock of the arena stands still, so nothing has to be detected.
//!
//! A thread looks at the clock at short intervals. If it comes late, and did not wait for a processor meanwhile, the
//! arena was stopped.

use std::fs;
use std::sync::{Condvar, Mutex, MutexGuard, Once};
use std::thread;
use std::time::{Duration, Instant};

/// The interval between two looks at the clock.
const BEAT: Duration = Duration::from_millis(20);
/// A stop of 50 ms makes a look at least this much late. Also the longest time that a stop may be overlooked.
const LATE: Duration = Duration::from_millis(30);
/// The same where the system does not report how long threads wait for a processor.
const LATE_FOR_UNKNOWN_REASON: Duration = Duration::from_millis(480);
/// How long a look is waited for, if it is late.
const PATIENCE: Duration = Duration::from_millis(100);

static WATCH: Mutex<Option<Watch>> = Mutex::new(None);
static BEATEN: Condvar = Condvar::new();

struct Watch {
    last_beat: Instant,
    stood_still: Duration,
}

impl Watch {
    /// A look at the clock. `waited` is how long its thread waited for a processor since the last one, if known.
    fn beat(&mut self, now: Instant, waited: Option<Duration>) {
        let gap = now.saturating_duration_since(self.last_beat);
        let (gap, late) = match waited {
            Some(waited) => (gap.saturating_sub(waited), LATE),
            None => (gap, LATE_FOR_UNKNOWN_REASON),
        };
        if BEAT + late <= gap {
            self.stood_still += gap;
        }
        self.last_beat = now;
    }

    /// Whether the next look is late, so that the arena may just have been stopped.
    fn is_late(&self, now: Instant) -> bool {
        BEAT + LATE <= now.saturating_duration_since(self.last_beat)
    }
}

/// Starts the detection, for the lifetime of the process. Without it no pause is seen.
pub fn watch() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        *lock() = Some(Watch { last_beat: Instant::now(), stood_still: Duration::ZERO });
        let started = thread::Builder::new().name("pauses".to_owned()).spawn(|| {
            let mut before = waited_for_processor();
            loop {
                thread::sleep(BEAT);
                // The time first: what follows may wait itself.
                let now = Instant::now();
                let waited = waited_for_processor();
                if let Some(watch) = &mut *lock() {
                    let since = waited.zip(before).map(|(now, before)| now.saturating_sub(before));
                    watch.beat(now, since);
                }
                BEATEN.notify_all();
                before = waited;
            }
        });
        if started.is_err() {
            *lock() = None;
        }
    });
}

/// The total time of all pauses so far.
pub fn stood_still() -> Duration {
    let watch = lock();
    let is_late = watch.as_ref().is_some_and(|watch| watch.is_late(Instant::now()));
    if !is_late {
        return watch.as_ref().map_or(Duration::ZERO, |watch| watch.stood_still);
    }
    // Only the thread that looks knows whether it was stopped, or waits for a processor. It does not take long.
    let until_beaten =
        |watch: &mut Option<Watch>| watch.as_ref().is_some_and(|watch| watch.is_late(Instant::now()));
    let (watch, _) =
        BEATEN.wait_timeout_while(watch, PATIENCE, until_beaten).expect("nobody panics while holding it");
    watch.as_ref().map_or(Duration::ZERO, |watch| watch.stood_still)
}

/// How long this thread has waited for a processor so far; `None` if the system does not report it.
fn waited_for_processor() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
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

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_late_look_was_a_pause_unless_it_waited_for_a_processor() {
        for (gap, waited, expected) in [
            (25, Some(0), 0),
            (49, Some(0), 0),
            // A stop of 50 ms, whenever it begins.
            (50, Some(0), 50),
            (70, Some(0), 70),
            (400, Some(390), 0),
            (400, Some(100), 300),
            (400, None, 0),
            (500, None, 500),
        ] {
            let begun = Instant::now();
            let mut watch = Watch { last_beat: begun, stood_still: Duration::ZERO };
            watch.beat(begun + gap * MS, waited.map(|waited| waited * MS));
            assert_eq!(watch.stood_still, expected * MS, "{gap} {waited:?}");
            assert_eq!(watch.last_beat, begun + gap * MS);
        }
    }

    #[test]
    fn a_deadline_passes_when_nothing_stands_still() {
        let now = Instant::now();
        let mut deadline = Deadline::after(now, BEAT);
        assert!(!deadline.has_passed(now));
        assert!(deadline.has_passed(now + BEAT));
    }
}
