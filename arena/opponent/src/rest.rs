//! The rest of an engine while it is not on the move: its processes are stopped, so that they take no processor time
//! from the engine that is. What it uses all the same is measured.
//!
//! Most engines come to rest by themselves within microseconds, and to stop and continue a process takes longer than a
//! quick move. So an engine is stopped only [`GRACE`] after its move, unless it has used up its allowance before: then
//! at once.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use tokio::task::AbortHandle;

use host::launch::{Confinement, Reading, Tree};

/// How long an engine has after its move to come to rest by itself.
const GRACE: Duration = Duration::from_millis(5);
/// New processes of an engine are looked for after this time, and whenever it is stopped.
const LOOK: Duration = Duration::from_millis(20);
/// The processor time that an engine may use in a match while it is not on the move: for what it does after a move.
const ALLOWANCE: Duration = Duration::from_millis(10);
/// In addition, this part of the time in which it is not on the move.
const ALLOWED_PART: f64 = 0.05;

/// The processor time that an engine used in a match while it was not on the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OffTurnUse {
    /// The processor time.
    pub used: Duration,
    /// For how long it was not on the move.
    pub out_of: Duration,
    /// Whether it was more than an engine needs to finish its moves, at the end of any of its rests. An engine that is
    /// stopped from then on uses no more, so that the totals at the end of the match do not show it.
    pub is_too_much: bool,
}

impl OffTurnUse {
    fn add(&mut self, used: Duration, out_of: Duration) {
        self.used += used;
        self.out_of += out_of;
        self.is_too_much |= ALLOWANCE + self.out_of.mul_f64(ALLOWED_PART) < self.used;
    }
}

impl fmt::Display for OffTurnUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        write!(
            f,
            "it used {:.0} ms of processor time in the {:.0} ms in which it was not on the move",
            ms(self.used),
            ms(self.out_of)
        )
    }
}

/// The rest of one engine process.
#[derive(Debug)]
pub struct Rest {
    state: Arc<Mutex<State>>,
    /// The timer that stops the engine.
    timer: Option<AbortHandle>,
}

#[derive(Debug)]
struct State {
    tree: Tree,
    looked_at: Option<Instant>,
    off_turn: OffTurnUse,
    /// What was measured when its rest began, while it rests.
    resting: Option<Begin>,
    is_stopped: bool,
    /// Whether it gets no grace any more.
    is_restless: bool,
}

/// The begin of a rest.
#[derive(Clone, Copy, Debug)]
struct Begin {
    at: Instant,
    reading: Reading,
}

impl Rest {
    /// For the processes below the supervisor with this id, which has started an engine with this confinement; `None` if
    /// the system does not support it.
    pub fn of(supervisor: u32, confinement: &Confinement) -> Option<Self> {
        let state = State {
            tree: Tree::of(supervisor, confinement)?,
            looked_at: None,
            off_turn: OffTurnUse::default(),
            resting: None,
            is_stopped: false,
            is_restless: false,
        };
        Some(Self { state: Arc::new(Mutex::new(state)), timer: None })
    }

    /// The engine is not on the move from now on.
    pub fn begin(&mut self) {
        let now = Instant::now();
        let mut state = lock(&self.state);
        if state.resting.is_some() {
            return;
        }
        let is_due = state.looked_at.is_none_or(|looked_at| LOOK <= now.saturating_duration_since(looked_at));
        if is_due {
            state.looked_at = Some(now);
        }
        state.resting = Some(Begin { at: now, reading: state.tree.read(is_due) });
        if state.is_restless {
            state.stop();
            return;
        }
        drop(state);
        let state = Arc::clone(&self.state);
        let timer = tokio::spawn(async move {
            tokio::time::sleep(GRACE).await;
            lock(&state).stop();
        });
        self.timer = Some(timer.abort_handle());
    }

    /// The engine goes on. Its processor time since [`begin`](Self::begin) counts.
    pub fn end(&mut self) {
        if let Some(timer) = self.timer.take() {
            timer.abort();
        }
        let mut state = lock(&self.state);
        let Some(begin) = state.resting.take() else { return };
        let used = state.tree.used_since(begin.reading);
        state.off_turn.add(used, begin.at.elapsed());
        state.is_restless |= state.off_turn.is_too_much;
        if std::mem::take(&mut state.is_stopped) {
            state.tree.proceed();
        }
    }

    /// What the engine used since the last call, which is at the start of its match.
    pub fn take(&self) -> OffTurnUse {
        std::mem::take(&mut lock(&self.state).off_turn)
    }

    /// What the engine has used in its match so far.
    pub fn off_turn(&self) -> OffTurnUse {
        lock(&self.state).off_turn
    }
}

impl State {
    fn stop(&mut self) {
        if self.resting.is_some() && !self.is_stopped {
            self.looked_at = Some(Instant::now());
            self.is_stopped = true;
            self.tree.stop();
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().expect("nobody panics while holding it")
}

impl Drop for Rest {
    fn drop(&mut self) {
        if let Some(timer) = &self.timer {
            timer.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_needs_after_its_move_is_allowed() {
        let ms = Duration::from_millis;
        for (used, out_of, expected) in
            [(0, 0, false), (10, 0, false), (11, 0, true), (59, 1000, false), (61, 1000, true)]
        {
            let mut off_turn = OffTurnUse::default();
            off_turn.add(ms(used), ms(out_of));
            assert_eq!(off_turn.is_too_much, expected, "{off_turn:?}");
        }
    }

    #[test]
    fn a_long_rest_does_not_excuse_what_was_too_much() {
        let mut off_turn = OffTurnUse::default();
        off_turn.add(Duration::from_millis(20), Duration::from_millis(10));
        off_turn.add(Duration::ZERO, Duration::from_secs(60));
        assert!(off_turn.is_too_much, "{off_turn:?}");
    }
}
