//! The patience with an engine whose clock does not run: at its start, and until it is ready. Time in which it waited for a
//! processor of a busy machine does not count.

use std::time::Duration;

use super::{NoLine, Session};
use crate::pauses::Deadline;
use host::machine::run_queue;

/// A shorter wait does not move the deadline.
const SHORTEST: Duration = Duration::from_millis(1);
/// The longest wait that does not count, on a machine that never has time for the engine.
const LONGEST: Duration = Duration::from_secs(600);

/// A deadline that waits for a processor move.
#[derive(Debug)]
pub struct Patience {
    pub deadline: Deadline,
    /// By how much they have moved it.
    granted: Duration,
}

impl Patience {
    pub const fn new(deadline: Deadline) -> Self {
        Self { deadline, granted: Duration::ZERO }
    }

    /// Moves the deadline by what the engine has `waited` since it was set. Returns whether it was moved.
    fn grant(&mut self, waited: Duration) -> bool {
        let more = waited.min(LONGEST).saturating_sub(self.granted);
        if more < SHORTEST {
            return false;
        }
        self.granted += more;
        self.deadline.extend(more);
        true
    }
}

impl Session {
    /// The next line. `waited` is how long the engine has waited for a processor since the deadline was set.
    pub(super) async fn patient_line(
        &mut self,
        patience: &mut Patience,
        room: &mut usize,
        waited: fn(&mut Self) -> Duration,
    ) -> Result<String, NoLine> {
        loop {
            let why = match self.line(&mut patience.deadline, room).await {
                Err(why @ (NoLine::Silence | NoLine::Late(_))) => why,
                line => return line,
            };
            if !patience.grant(waited(self)) {
                return Err(why);
            }
            if let Some(log) = &self.log {
                log.note(format_args!(
                    "the machine is busy: the engine has {:.1?} more time",
                    patience.granted
                ));
            }
            if let NoLine::Late(line) = why {
                return Ok(line);
            }
        }
    }

    /// The longest wait of a thread of the engine since its start, or of the arena's.
    pub(super) fn waited_since_start(&mut self) -> Duration {
        let engine = self.process.id().and_then(run_queue::waited_so_far).unwrap_or_default();
        engine.max(self.waited_since_asked())
    }

    /// The same since it was asked whether it is ready.
    pub(super) fn waited_since_asked(&mut self) -> Duration {
        self.waits().map_or(Duration::ZERO, |waits| waits.engine.max(waits.arena))
    }

    /// For the evidence that an engine did not start: what it waited, if that is much.
    pub(super) fn wait_in_words(&mut self) -> String {
        let waited = self.waited_since_start();
        if waited < Duration::from_millis(100) {
            return String::new();
        }
        format!(", not counting {waited:.1?} in which it waited for a processor")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn each_wait_moves_the_deadline_once() {
        let second = Duration::from_secs(1);
        let begun = Instant::now();
        let mut patience = Patience::new(Deadline::after(begun, second));
        for (waited, is_moved, limit) in [
            (Duration::ZERO, false, 1),
            (2 * second, true, 3),
            (2 * second, false, 3),
            (3 * second, true, 4),
            (3000 * second, true, 601),
            (4000 * second, false, 601),
        ] {
            assert_eq!(patience.grant(waited), is_moved, "{waited:?}");
            assert_eq!(patience.deadline.at(), begun + limit * second, "{waited:?}");
        }
    }
}
