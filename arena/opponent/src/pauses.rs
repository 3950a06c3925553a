//! Detects times in which the arena itself was stopped: suspended in its terminal, or halted by a debugger. They must
//! not count for engines. While the machine sleeps, the clock of the arena stands still, so nothing has to be detected.
//!
//! The sampler looks at the clock at short intervals. If it comes late, and neither computed nor waited
//! for a processor meanwhile, the arena was stopped.

use std::fs;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::sampler;

/// The interval between two looks at the clock.
pub const BEAT: Duration = Duration::from_millis(20);
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
    /// A look at the clock. `busy` is how long its thread computed or waited for a processor since the last one, if known. It was
    /// read between `now` and `after`: the thread may have waited again meanwhile, and that is no part of the next gap.
    fn beat(&mut self, now: Instant, busy: Option<Duration>, after: Instant) {
        let gap = now.saturating_duration_since(self.last_beat);
        let (gap, late) = match busy {
            Some(busy) => (gap.saturating_sub(busy), LATE),
            None => (gap, LATE_FOR_UNKNOWN_REASON),
        };
        if BEAT + late <= gap {
            self.stood_still += gap;
        }
        self.last_beat = after;
    }

    /// Whether the next look is late, so that the arena may just have been stopped.
    fn is_late(&self, now: Instant) -> bool {
        BEAT + LATE <= now.saturating_duration_since(self.last_beat)
    }
}

/// Starts the detection, for the lifetime of the process. Without it no pause is seen.
pub fn watch() {
    let mut watch = lock();
    if watch.is_none() && sampler::start() {
        *watch = Some(Watch { last_beat: Instant::now(), stood_still: Duration::ZERO });
    }
}

/// The looks of the sampler's thread.
#[derive(Debug)]
pub struct Beats {
    last: Instant,
    busy: Option<Duration>,
}

impl Beats {
    /// At the start of the thread.
    pub fn begin() -> Self {
        Self { last: Instant::now(), busy: busy() }
    }

    /// Looks at the clock, if it is time. `now` was read when the thread woke up.
    pub fn beat(&mut self, now: Instant) {
        if now.saturating_duration_since(self.last) < BEAT {
            return;
        }
        let busy = busy();
        let since = busy.zip(self.busy).map(|(now, before)| now.saturating_sub(before));
        let mut watch = lock();
        let after = Instant::now();
        if let Some(watch) = &mut *watch {
            watch.beat(now, since, after);
        }
        drop(watch);
        BEATEN.notify_all();
        (self.last, self.busy) = (after, busy);
    }
}

/// The total time of all pauses until `now`.
pub fn stood_still(now: Instant) -> Duration {
    let watch = lock();
    let is_late = watch.as_ref().is_some_and(|watch| watch.is_late(now));
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

/// How long this thread has computed and waited for a processor so far; `None` if the system does not report it.
fn busy() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let times: Option<Vec<u64>> = text.split_whitespace().take(2).map(|time| time.parse().ok()).collect();
    times.map(|times| Duration::from_nanos(times.iter().sum()))
}

fn lock() -> MutexGuard<'static, Option<Watch>> {
    WATCH.lock().expect("nobody panics while holding it")
}

/// How much pauses since `begun` have extended the time until `now`, if `before` is what all pauses before had taken. A
/// shorter time than the shortest pause has none.
pub fn since(begun: Instant, before: Duration, now: Instant) -> Duration {
    if now.saturating_duration_since(begun) < LATE {
        return Duration::ZERO;
    }
    stood_still(Instant::now()).saturating_sub(before)
}

/// For how long a thread waits for a quick answer itself, and does nothing else: then the runtime waits, which takes longer
/// and can do more. It is longer than a tick of the kernel (at most 10 ms): for a wait that ends before the next tick, the kernel
/// sets the processor's timer anew, which takes a virtual machine 2 to 4 us.
const QUICK: Duration = Duration::from_millis(12);

/// A deadline that is extended by pauses.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Instant,
    stood_still: Duration,
    /// When the thread begins and ends to wait itself.
    quick: Option<(Instant, Instant)>,
}

impl Deadline {
    /// This long after `begun`, which is now.
    pub fn after(begun: Instant, limit: Duration) -> Self {
        Self { at: begun + limit, stood_still: stood_still(begun), quick: None }
    }

    /// The same for an answer that usually comes quickly.
    pub fn quickly_after(begun: Instant, limit: Duration) -> Self {
        Self { quick: Some((begun, begun + limit.min(QUICK))), ..Self::after(begun, limit) }
    }

    /// Moves the deadline.
    pub fn extend(&mut self, by: Duration) {
        self.at += by;
    }

    /// The deadline as known now.
    pub const fn at(&self) -> Instant {
        self.at
    }

    /// How long the thread itself may still wait, if something came at `last`.
    pub fn quick_left(&self, last: Instant) -> Option<Duration> {
        let (begun, until) = self.quick?;
        until.checked_duration_since(begun.max(last)).filter(|left| !left.is_zero())
    }

    /// The total time of all pauses when the deadline was set.
    pub const fn stood_still(&self) -> Duration {
        self.stood_still
    }

    /// Whether the deadline, with all extensions, has passed.
    pub fn has_passed(&mut self, now: Instant) -> bool {
        if now < self.at {
            return false;
        }
        let so_far = stood_still(now);
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
            let now = begun + gap * MS;
            watch.beat(now, waited.map(|waited| waited * MS), now);
            assert_eq!(watch.stood_still, expected * MS, "{gap} {waited:?}");
            assert_eq!(watch.last_beat, now);
        }
    }

    /// On a machine so busy that the thread has to wait between its look at the clock and the end of the look.
    #[test]
    fn a_look_that_is_interrupted_is_no_pause() {
        let begun = Instant::now();
        let mut watch = Watch { last_beat: begun, stood_still: Duration::ZERO };
        let (now, after) = (begun + 20 * MS, begun + 120 * MS);
        watch.beat(now, Some(100 * MS), after);
        watch.beat(after + 20 * MS, Some(Duration::ZERO), after + 20 * MS);
        assert_eq!(watch.stood_still, Duration::ZERO);
    }

    #[test]
    fn a_deadline_passes_when_nothing_stands_still() {
        let now = Instant::now();
        let mut deadline = Deadline::after(now, BEAT);
        assert!(!deadline.has_passed(now));
        assert!(deadline.has_passed(now + BEAT));
    }
}
